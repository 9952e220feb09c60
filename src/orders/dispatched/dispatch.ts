/**
 * Exports orders to their shop, each once. The order of writes: the ledger records which orders are in which file, then
 * the whole file is written, then the ledger records that. A run that finds a claimed file unwritten writes the same text
 * under the same name, so that a kill between any two of these loses no order and exports none twice.
 */
import path from "node:path"
import { type FreightApi, readBack, several } from "../../api/index.ts"
import { nextCommand, typedAgain } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { writtenDay } from "../../base/wall-clock.ts"
import {
  addFirstKeys,
  type Entry,
  findConsignments,
  findSends,
  findShipments,
  getOwnNumber,
  type Sender,
  type Statements,
  type Store,
} from "../../ledger/index.ts"
import {
  type Dispatch,
  type DispatchEvent,
  findDispatches,
  finishDispatches,
  readDispatches,
} from "./records.ts"
import type { Outputs } from "../../machine/index.ts"
import { type CarrierNames, findCarrierName } from "./carrier-names.ts"
import {
  claimOrders,
  decideDispatches,
  findUnit,
  isReplaced,
  isUnfinished,
  nameUnit,
  type OrderNow,
} from "./plan.ts"
import { joinFile, readItems, renderHead, renderOrder } from "./file.ts"
import {
  type DispatchedOrder,
  type DispatchShop,
  type DispatchShopName,
  getDispatchShop,
  type Item,
  listItemColumns,
} from "./shops.ts"

interface OrderNames {
  orderId: string
  /** Absent if its import needs none, or no export had it. */
  items?: readonly Item[]
}

export interface ShopOrder extends OrderNames {
  entry: Entry
}

/** Changes and cancellations are exported only this long after the order was. */
const WATCHED_MS = 30 * 86_400_000
/** Clocks of service and ledger may differ. */
const CLOCK_SLACK_MS = 86_400_000
/** Below this many, shipments are asked for singly instead of page by page. */
const LOOK_UP_SINGLY_BELOW = 20

/**
 * The names in the ledger, by shipment.
 * @param rows the oldest first
 * @param strays whose rows say nothing about the order that has the shipment now
 */
export async function readNames(
  name: DispatchShopName,
  rows: readonly Dispatch[],
  strays: Strays,
): Promise<Map<string, OrderNames>> {
  const shop = getDispatchShop(name)
  const names = new Map<string, OrderNames>()
  for (const row of rows) {
    if (strays.has(findUnit(row, strays))) continue
    const items = (await readItems(shop, row)) ?? names.get(row.shipmentId)?.items
    names.set(row.shipmentId, { orderId: row.orderId, ...(items && { items }) })
  }
  return names
}

/** By unit: bookings that had a shipment when their order was exported and no longer have it, with the shop's names. */
export type Strays = ReadonlyMap<string, ShopOrder>

/**
 * Finds rows about another order than the one that has their shipment now. A booking without an answer may be taken for
 * that of an equal shipment, until its reply is known.
 * @param booked those that have the shipments now
 */
export async function findStrays(
  database: Statements,
  rows: readonly Dispatch[],
  booked: readonly Entry[],
): Promise<Strays> {
  const owners = new Map(booked.map((entry) => [entry.facts.shipmentId, entry]))
  const moved = rows.flatMap(({ shipmentId, sendId, orderId }) => {
    const owner = owners.get(shipmentId)
    return owner && sendId !== undefined && sendId !== owner.id
      ? [{ shipmentId, sendId, orderId, owner }]
      : []
  })
  if (moved.length === 0) return new Map()
  const before = await addFirstKeys(
    database,
    await findSends(
      database,
      moved.map(({ sendId }) => sendId),
    ),
  )
  const now = await addFirstKeys(
    database,
    moved.map(({ owner }) => owner),
  )
  return new Map(
    moved.flatMap(({ shipmentId, sendId, orderId }, n): [string, ShopOrder][] => {
      const entry = before.find(({ id }) => id === sendId)
      const [number, other] = [entry, now[n]].map((each) => each && getOwnNumber(each))
      const isOther = entry !== undefined && (number === "" || number !== other)
      return isOther ? [[nameUnit({ shipmentId, sendId, isStray: true }), { entry, orderId }]] : []
    }),
  )
}

/**
 * Adds the shop's orders that wait for a file, and those exported in the last 30 days: of these accounts, or of all if
 * none is known.
 */
export async function addKnownOrders(
  { store: { database }, scopes }: { store: Pick<Store, "database">; scopes?: readonly string[] | undefined },
  given: readonly ShopOrder[],
  shop: DispatchShopName,
): Promise<ShopOrder[]> {
  const since = new Date((await database.now()) - WATCHED_MS).toISOString()
  const rows = await readDispatches(database, { shop, since })
  const shipments = [...new Set(rows.map(({ shipmentId }) => shipmentId))]
  const entries = await findShipments(database, scopes, shipments)
  const strays = await findStrays(database, rows, entries)
  const names = await readNames(shop, rows, strays)
  const named = given.map((order) => {
    const { items } = names.get(order.entry.facts.shipmentId ?? "") ?? {}
    return order.items === undefined && items ? { ...order, items } : order
  })
  const there = new Set(given.map(({ entry }) => entry.facts.shipmentId))
  const known = entries
    .filter(({ facts }) => !there.has(facts.shipmentId))
    .map((entry) => ({
      ...{ entry, orderId: getOwnNumber(entry) },
      ...names.get(entry.facts.shipmentId ?? ""),
    }))
  return addConsignments({ database }, scopes, [...known, ...named], [...strays.values()])
}

/** Shared by the consignments of one order: its own number, in its account. */
function nameOrder(entry: Entry): string | undefined {
  const number = getOwnNumber(entry)
  return number === "" ? undefined : JSON.stringify([entry.scope, number])
}

/**
 * Adds all bookings of the orders and of the strays: an order may have a second consignment, or a replacement of a
 * cancelled one. Each has the shop's name of its order.
 */
async function addConsignments(
  store: Pick<Store, "database">,
  scopes: readonly string[] | undefined,
  found: readonly ShopOrder[],
  strays: readonly ShopOrder[],
): Promise<ShopOrder[]> {
  const entries = await addFirstKeys(
    store.database,
    found.map(({ entry }) => entry),
  )
  const orders = found.map((order, n) => ({ ...order, entry: entries[n] ?? order.entry }))
  const byOrder = new Map<string, ShopOrder>()
  for (const order of [...orders, ...strays]) {
    const name = nameOrder(order.entry)
    if (name !== undefined && !byOrder.has(name)) byOrder.set(name, order)
  }
  const called = (entry: Entry, order?: ShopOrder): ShopOrder[] => {
    const first = byOrder.get(nameOrder(entry) ?? "")
    const { orderId, items = first?.items } = { ...order, ...(first && { orderId: first.orderId }) }
    return orderId === undefined ? [] : [{ entry, orderId, ...(items && { items }) }]
  }
  const there = new Set(orders.map(({ entry }) => entry.facts.shipmentId))
  const numbers = [...orders, ...strays]
    .map(({ entry }) => getOwnNumber(entry))
    .filter((number) => number !== "")
  const all = await findConsignments(store.database, scopes, numbers)
  const others = all.filter(({ facts }) => facts.shipmentId !== undefined && !there.has(facts.shipmentId))
  return [
    ...orders.flatMap((order) => called(order.entry, order)),
    ...others.flatMap((entry) => called(entry)),
  ]
}

interface Found {
  number: string | undefined
  isCancelled: boolean
}

/**
 * Reads shipments from the service. Their numbers are stored in the ledger.
 * @param store undefined to store nothing
 * @returns also the errors
 */
export async function askService(
  store: Pick<Store, "learnConsignment"> | undefined,
  api: Pick<FreightApi, "listShipments" | "getShipment">,
  orders: readonly ShopOrder[],
): Promise<{ found: Map<string, Found>; failures: FreightError[] }> {
  const found = new Map<string, Found>()
  const open = new Map(orders.map(({ entry }) => [entry.facts.shipmentId ?? "", entry]))
  const keep = (shipment: { id: string; consignmentNumber?: string | null; status?: string }) => {
    if (!open.has(shipment.id)) return
    const isCancelled = shipment.status === "CANCELLED"
    found.set(shipment.id, { number: shipment.consignmentNumber ?? undefined, isCancelled })
  }
  if (open.size >= LOOK_UP_SINGLY_BELOW) {
    const oldest = Math.min(...Array.from(open.values(), ({ sentAt }) => Date.parse(sentAt))) - CLOCK_SLACK_MS
    for await (const page of readBack(api, () => oldest)) {
      page.forEach(keep)
      if (found.size === open.size) break
    }
  }
  const singly = await several(
    [...open.keys()].filter((id) => !found.has(id)),
    async (id) => keep((await api.getShipment(id)).shipment),
  )
  for (const [id, { number }] of found) {
    const entry = open.get(id)
    if (entry && number !== undefined && number !== entry.facts.consignmentNumber)
      await store?.learnConsignment(entry.id, number)
  }
  return { found, failures: singly.flatMap((answer) => (answer.ok ? [] : [answer.error])) }
}

export interface DispatchDeps {
  store: Store
  sender: Sender
  ids: { uuid(): string }
  outputs: Pick<Outputs, "check" | "write">
  /** The text of a file; undefined if there is none. */
  readText(file: string): Promise<string | undefined>
  /**
   * Asks whether to overwrite a file that holds orders of an earlier run.
   * @param findNext the command that writes another one
   */
  confirmOverwrite(file: string, findNext: () => Promise<{ next?: string }>): Promise<void>
  nameCarriers(carriers: readonly string[]): Promise<CarrierNames>
}

export interface DispatchJob {
  shop: DispatchShopName
  file: string
  force: boolean | undefined
  /** Arguments that choose the orders, for a printed command; absent if none can be printed. */
  words?: readonly string[]
  again: ReadonlySet<string>
  found: ReadonlyMap<string, Found>
  /** Nothing is claimed, asked or written, and `file` may be empty. */
  isDryRun?: boolean
}

/** The result for an order. */
export interface DispatchRow extends DispatchedOrder {
  reference: string
  shipmentId: string
  /** The number with which it was exported before. */
  numberBefore: string
}

export interface Dispatched {
  rows: DispatchRow[]
  waiting: DispatchRow[]
  /** Exported before, and not now. */
  earlier: { row: DispatchRow; dispatch: Dispatch }[]
  /** As `claimOrders` says it. */
  from: "new" | "unfinished" | "same"
  /** Orders that wait for the next file, because this one was begun before them. */
  left: number
  /** False if there was nothing to write; true also for a dry run that would write. */
  isWritten: boolean
  /** Orders in the file without their items, although the shop's import has columns for them. */
  unnamed: number
}

export async function dispatchOrders(
  deps: DispatchDeps,
  orders: readonly ShopOrder[],
  { shop: name, file, force, words, again, found, isDryRun = false }: DispatchJob,
): Promise<Dispatched> {
  const { database } = deps.store
  const shop = getDispatchShop(name)
  const entries = new Map<string, ShopOrder>()
  const now: OrderNow[] = []
  for (const order of orders) {
    const { shipmentId, consignmentNumber } = order.entry.facts
    if (shipmentId === undefined || entries.has(shipmentId)) continue
    entries.set(shipmentId, order)
    const { number = consignmentNumber, isCancelled = false } = found.get(shipmentId) ?? {}
    const ofOrder = nameOrder(order.entry)
    now.push({
      ...{ shipmentId, sendId: order.entry.id, orderId: order.orderId, number },
      isCancelled: isCancelled || order.entry.cancelledAt !== undefined,
      isAgain: again.has(shipmentId),
      ...(ofOrder !== undefined && { ofOrder }),
    })
  }
  const handedOut = await findDispatches(database, [...entries.keys()])
  const strays = await findStrays(
    database,
    handedOut,
    Array.from(entries.values(), ({ entry }) => entry),
  )
  const lastOf = newestOf(handedOut, strays)
  for (const [unit, { entry, orderId }] of strays) {
    const { shipmentId, number } = lastOf.get(unit) ?? {}
    const ofOrder = nameOrder(entry)
    if (shipmentId !== undefined)
      now.push({
        ...{ shipmentId, sendId: entry.id, isStray: true, orderId, number, isCancelled: true },
        ...(ofOrder !== undefined && { ofOrder }),
      })
  }
  // Cancellations come first: the order may have been booked again.
  now.sort((one, other) => Number(other.isCancelled) - Number(one.isCancelled))

  const decided = decideDispatches(now, lastOf)
  const toHandOut = now.filter((order) => isHandedOut(decided.get(nameUnit(order))))
  const full = path.resolve(file)
  const carriers = toHandOut.map(({ shipmentId }) => entries.get(shipmentId)?.entry.facts.carrier ?? "")
  const names = shop.needsCarrierName
    ? await deps.nameCarriers([...new Set(carriers)].sort())
    : (new Map() as CarrierNames)
  const describe = (order: OrderNow, event: DispatchEvent): DispatchedOrder => {
    const { facts, request } = entries.get(order.shipmentId)?.entry ?? { facts: {}, request: {} }
    const { carrier = "", serviceCode = "" } = facts
    return {
      ...{ order: order.orderId, number: order.number ?? "", event },
      ...{ carrier: findCarrierName(names, carrier) ?? carrier, service: serviceCode },
      day: writtenDay(Object(request).collectionDateTime) ?? "",
    }
  }
  const findNext = async () =>
    words ? typedAgain(["dispatched", "--for", name, ...words, "-o", await findFreeName(deps, file)]) : {}
  const there = file === "" ? undefined : await deps.readText(file)
  if (toHandOut.length > 0 && there !== undefined && there !== "" && !force) {
    if (!(await isUnfinished(database, full, deps.sender.workstation))) {
      deps.outputs.check({ file, writes: "file", force: false })
      await deps.confirmOverwrite(file, findNext)
    }
  }
  const { rows, from } = await claimOrders(database, now, {
    isDryRun,
    ...{ shop: name, file: full, batch: deps.ids.uuid(), head: renderHead(shop), ...deps.sender },
    render: (order, event) => renderOrder(shop, describe(order, event), entries.get(order.shipmentId)?.items),
  })
  if (from === "unfinished") await refuseOthers(rows, { shop: name, file, findNext }, entries)
  const text = joinFile(rows)
  if (!isDryRun) {
    if (text !== "" && text !== there) {
      deps.outputs.check({ file, writes: "file", force: from === "new" || force === true })
      await deps.outputs.write(file, text)
    }
    const [{ batch = "" } = {}] = rows
    if (from !== "same" && rows.length > 0) await finishDispatches(database, batch)
  }

  const inFile = new Set(rows.map((row) => findUnit(row, strays)))
  const known = await findDispatches(
    database,
    rows.map(({ shipmentId }) => shipmentId),
  )
  const before = findBefore(isDryRun && from === "new" ? [...known, ...rows] : known, strays)
  // The shop may have had both numbers: only the cancelled one is news.
  const findNumberBefore = ({ number, ...order }: OrderNow, event: DispatchEvent, last?: Dispatch) => {
    if (last && (event !== "changed" || last.number !== number)) return last.number ?? ""
    const dead = event === "changed" ? findDeadNumber(order, now, lastOf, inFile) : ""
    return dead === "" ? (last?.number ?? "") : dead
  }
  const toDispatchRow = (order: OrderNow, event: DispatchEvent, last?: Dispatch): DispatchRow => ({
    ...describe(order, event),
    reference: getOwnNumber(
      (strays.get(nameUnit(order)) ?? entries.get(order.shipmentId))?.entry ?? { key: "", facts: {} },
    ),
    shipmentId: order.shipmentId,
    numberBefore: findNumberBefore(order, event, last),
  })
  const others = now.filter((order) => !inFile.has(nameUnit(order)))
  return {
    from,
    isWritten: text !== "",
    unnamed: await countUnnamed(shop, rows),
    rows: rows.flatMap((row) => {
      const order = now.find((each) => nameUnit(each) === findUnit(row, strays))
      const told = order ?? { ...row, number: row.number, isCancelled: row.event === "cancelled" }
      if (row.event === "cancelled" && isReplaced(told, now)) return []
      return [toDispatchRow({ ...told, number: row.number ?? told.number }, row.event, before.get(row.id))]
    }),
    waiting: others
      .filter((order) => decided.get(nameUnit(order)) === "waiting")
      .map((order) => toDispatchRow(order, "waiting")),
    earlier: others.flatMap((order) => {
      const dispatch = lastOf.get(nameUnit(order))
      return dispatch && !toHandOut.includes(order)
        ? [{ row: toDispatchRow(order, dispatch.event, dispatch), dispatch }]
        : []
    }),
    left: from === "new" ? 0 : toHandOut.filter((order) => !inFile.has(nameUnit(order))).length,
  }
}

/**
 * The number that the shop had for an order before its consignment was cancelled; if several, one that this file
 * withdraws.
 */
function findDeadNumber(
  { ofOrder }: Pick<OrderNow, "ofOrder">,
  now: readonly OrderNow[],
  lastOf: ReadonlyMap<string, Dispatch>,
  inFile: ReadonlySet<string>,
): string {
  const dead = now
    .filter((each) => each.isCancelled && ofOrder !== undefined && each.ofOrder === ofOrder)
    .sort((one, other) => Number(inFile.has(nameUnit(one))) - Number(inFile.has(nameUnit(other))))
  return dead.flatMap((order) => lastOf.get(nameUnit(order))?.number ?? []).at(-1) ?? ""
}

/** A file that was begun for another shop, or with another account's orders, has to be finished there. */
async function refuseOthers(
  rows: readonly Dispatch[],
  { shop, file, findNext }: Pick<DispatchJob, "shop" | "file"> & { findNext(): Promise<{ next?: string }> },
  known: ReadonlyMap<string, unknown>,
): Promise<void> {
  const begun = rows[0]?.shop ?? shop
  if (begun === shop && rows.some(({ shipmentId }) => known.has(shipmentId))) return
  const whose = begun === shop ? "with another account's orders" : `for ${begun}`
  throw new FreightError("input", `${file} was begun ${whose} and is not finished; nothing was written`, {
    hint: "Name another file with -o, and finish this one as it was begun.",
    ...(begun === shop ? await findNext() : nextCommand("freight", "dispatched", "--for", begun, "-o", file)),
  })
}

/** The first free name with a number, of a file that neither exists nor was begun: `tracking-2.csv` for `tracking.csv`. */
async function findFreeName({ store, sender, readText }: DispatchDeps, file: string): Promise<string> {
  const { base, name, ext } = path.parse(file)
  const [, stem = name, number = "1"] = /^(.*?)(?:-(\d{1,4}))?$/.exec(name) ?? []
  for (let n = Number(number) + 1; ; n++) {
    const other = `${file.slice(0, file.length - base.length)}${stem}-${n}${ext}`
    const isBegun = await isUnfinished(store.database, path.resolve(other), sender.workstation)
    if (!isBegun && (await readText(other)) === undefined) return other
  }
}

/** By the id of a row: the row with which its unit was exported before. @param rows the oldest first */
function findBefore(rows: readonly Dispatch[], strays: Strays): Map<string, Dispatch> {
  const before = new Map<string, Dispatch>()
  const last = new Map<string, Dispatch>()
  for (const row of rows.filter(({ event }) => event !== "waiting")) {
    const unit = findUnit(row, strays)
    const earlier = last.get(unit)
    if (earlier) before.set(row.id, earlier)
    last.set(unit, row)
  }
  return before
}

async function countUnnamed(shop: DispatchShop, rows: readonly Dispatch[]): Promise<number> {
  if (listItemColumns(shop).length === 0) return 0
  let count = 0
  for (const row of rows) if (row.body && (await readItems(shop, row)) === undefined) count++
  return count
}

function isHandedOut(event: DispatchEvent | undefined): boolean {
  return event !== undefined && event !== "waiting"
}

/** The newest row of each unit that is in a file. */
function newestOf(rows: readonly Dispatch[], strays: Strays): Map<string, Dispatch> {
  return new Map(rows.filter(({ event }) => event !== "waiting").map((row) => [findUnit(row, strays), row]))
}
