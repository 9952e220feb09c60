/**
 * Which order was handed to its shop with which number, in which file: rows are added, and only get the time at which
 * their file was written, or what names the items of an order that waits, where that is found out later. An order is
 * claimed for a file before that is written, so that no other desk hands it out.
 */
import { groupBy } from "../../base/grouping.ts"
import { describeColumns, SENDER_COLUMNS } from "../database/columns.ts"
import type { Database, DatabaseRow, Statements } from "../database/database.ts"
import { insertRows, inScopes, placeholders, queryInParts } from "../database/sql.ts"
import { toEntry } from "../entry-rows.ts"
import type { Entry, Sender } from "../entry.ts"

/**
 * - `waiting`: the shop's order is booked, and its carrier has given no number
 * - `sent`: handed out for the first time
 * - `changed`: again, with another number
 * - `cancelled`: its shipment was cancelled after it had been handed out
 * - `again`: a person asked for it once more
 */
export type DispatchEvent = "waiting" | "sent" | "changed" | "cancelled" | "again"

export interface Dispatch extends Sender {
  /** Made from the shipment, and from how often it was handed out before. */
  id: string
  shipmentId: string
  /** The booking that had the shipment then: it may turn out to be another one's. Absent in rows of older versions. */
  sendId?: string
  shop: string
  /** As the shop's export had it. */
  orderId: string
  event: DispatchEvent
  /** Absent while it waits. */
  number?: string
  /** The file that it is in, with others of the same `batch`; absent while it waits. */
  batch?: string
  file?: string
  /** Its place in the file, from 0. */
  position?: number
  /** The headings of the file, and of what it is while it waits. */
  head?: string
  /**
   * Its own rows in it, which name its items; empty where the shop cannot take a number back. While it waits, its rows
   * without a number, where they name items.
   */
  body?: string
  /** ISO 8601 in UTC, as is `writtenAt`. */
  at: string
  /** Absent until the file is whole on the disk. */
  writtenAt?: string
}

const COLUMNS = {
  id: "text primary key",
  shipmentId: "text not null",
  shop: "text not null",
  orderId: "text not null",
  event: "text not null",
  number: "text",
  batch: "text",
  file: "text",
  position: "integer",
  head: "text",
  body: "text",
  at: ["created_at", "text not null"],
  writtenAt: "text",
  ...SENDER_COLUMNS,
} as const

/** As version 16 made the table. */
export const DISPATCHES_AT_FIRST = describeColumns<Omit<Dispatch, "sendId">>(COLUMNS)

/** As version 22 made it. */
export const ADD_SEND_OF_DISPATCH = "alter table dispatches add column send_id text"

/** What was handed to shops. */
const DISPATCHES = describeColumns<Dispatch>({ ...COLUMNS, sendId: "text" })

/** How a shop's order stands: what would be handed out now. */
export interface OrderNow {
  shipmentId: string
  /** The booking that has the shipment. */
  sendId?: string
  /** It had the shipment when its order was handed out, and has it no more: the number is taken back. */
  isStray?: boolean
  orderId: string
  number: string | undefined
  isCancelled: boolean
  /** A person asks for it once more. */
  isAgain?: boolean
  /** What all consignments of one order have alike; absent where it has one alone. */
  ofOrder?: string
}

/**
 * What is handed out, taken back and compared as one: a shipment, and what a stray booking was handed out with apart from
 * it.
 */
export function nameUnit({
  shipmentId,
  sendId,
  isStray,
}: Pick<OrderNow, "shipmentId" | "sendId" | "isStray">): string {
  return isStray ? `${shipmentId} ${sendId}` : shipmentId
}

/** Which of the orders a row is about, as `nameUnit` says. @param orders all that are named, strays too */
export function findUnit(
  { shipmentId, sendId }: Pick<Dispatch, "shipmentId" | "sendId">,
  strays: Pick<ReadonlySet<string>, "has">,
): string {
  const stray = nameUnit({ shipmentId, ...(sendId !== undefined && { sendId }), isStray: true })
  return strays.has(stray) ? stray : shipmentId
}

/**
 * While the file that an order is in is not written, it goes into no other: the older number would reach the shop last.
 * @param last the newest row of its shipment with a file
 */
export function decideDispatch(
  last: Pick<Dispatch, "event" | "number" | "writtenAt"> | undefined,
  { number, isCancelled, isAgain = false }: Pick<OrderNow, "number" | "isCancelled" | "isAgain">,
): DispatchEvent | undefined {
  if (last && last.writtenAt === undefined && !isAgain) return undefined
  if (isCancelled) return last && (last.event !== "cancelled" || isAgain) ? "cancelled" : undefined
  if (number === undefined) return last ? undefined : "waiting"
  if (!last) return "sent"
  if (last.number !== number || last.event === "cancelled") return "changed"
  return isAgain ? "again" : undefined
}

/**
 * What would be handed out now of several consignments. Where one was cancelled and its order has another, its number is
 * dead: the shop is told those that stand, as `changed`, and no more of the cancelled one. An import may put what it is told
 * in place of what is there, so a number that changed comes with all others that the shop has of the order.
 * @param lastOf the newest row with a file, by unit, as are the answers
 */
export function decideDispatches(
  orders: readonly OrderNow[],
  lastOf: ReadonlyMap<string, Pick<Dispatch, "event" | "number" | "writtenAt">>,
): Map<string, DispatchEvent> {
  const decided = new Map<string, DispatchEvent>()
  for (const order of orders) {
    const event = decideDispatch(lastOf.get(nameUnit(order)), order)
    if (event !== undefined) decided.set(nameUnit(order), event)
  }
  const isTold = (order: OrderNow) => lastOf.has(nameUnit(order))
  const isBegun = (order: OrderNow) =>
    isTold(order) && lastOf.get(nameUnit(order))?.writtenAt === undefined && !order.isAgain
  for (const [ofOrder, all] of groupBy(orders, (order) => order.ofOrder)) {
    const ready = all.filter(({ isCancelled, number }) => !isCancelled && number !== undefined)
    if (ofOrder === undefined || all.length === 1) continue
    const isEvent = (event: DispatchEvent) => (order: OrderNow) => decided.get(nameUnit(order)) === event
    const dead = all.filter((order) => order.isCancelled && isTold(order))
    const stands = all.some(({ isCancelled }) => !isCancelled)
    const withdrawn = stands ? dead.filter(isEvent("cancelled")) : []
    // The first that is new takes the place of the dead one; others go beside it.
    const next = ready.find((order) => !isTold(order))
    const isReplaced = withdrawn.length > 0 || (dead.length > 0 && !ready.some(isTold) && next !== undefined)
    const changed = [
      ...(isReplaced && next ? [next] : []),
      ...(isReplaced || ready.some(isEvent("changed")) ? ready.filter(isTold) : []),
    ]
    // Until another one has a number, the shop keeps the one that it has; so it does while a file has one of them.
    const isFree = changed.length > 0 && ![...changed, ...dead].some(isBegun)
    if (isFree) for (const order of changed) decided.set(nameUnit(order), "changed")
    else for (const order of [...changed, ...withdrawn]) decided.delete(nameUnit(order))
  }
  return decided
}

/** Whether a consignment is cancelled, and another of its order stands for it: the shop is told of that one alone. */
export function isReplaced(order: OrderNow, orders: readonly OrderNow[]): boolean {
  const { ofOrder } = order
  const own = orders.find((each) => nameUnit(each) === nameUnit(order))
  return (
    own?.isCancelled === true &&
    ofOrder !== undefined &&
    orders.some((each) => each.ofOrder === ofOrder && !each.isCancelled && each.number !== undefined)
  )
}

export interface DispatchClaim extends Sender {
  shop: string
  /** The full name of the file, which is written again under it after a kill. */
  file: string
  batch: string
  head: string
  /** Only to find out what would be claimed: nothing is written. */
  isDryRun?: boolean
  /** The rows of an order in the file, or while it waits. Called in the transaction: it may ask nothing. */
  render(order: OrderNow, event: DispatchEvent): string
}

export interface Claimed {
  /** What goes into the file, in its order; empty where there is nothing to hand out. */
  rows: Dispatch[]
  /**
   * - `new`: claimed now
   * - `unfinished`: claimed by an earlier run of this desk for this file, which ended before it was written
   * - `same`: the file's orders are all asked for again, and none is new
   */
  from: "new" | "unfinished" | "same"
  /** The last row of each of the orders, before this: by unit. */
  before: Map<string, Dispatch>
}

const LOCK = "freight dispatches"

/**
 * Claims for one file all orders that are to be handed out, in one transaction, so that two desks never hand out the same
 * one. While a file of this desk is not written, nothing else is claimed for it.
 */
export function claimDispatches(
  database: Database,
  orders: readonly OrderNow[],
  claim: DispatchClaim,
): Promise<Claimed> {
  if (claim.isDryRun) return planDispatches(database, orders, claim)
  return database.transaction(async (transaction) => {
    await transaction.lock([LOCK])
    const { added, learned, ...claimed } = await planDispatches(transaction, orders, claim)
    for (const { id, head, body } of learned)
      await transaction.run("update dispatches set head = ?, body = ? where id = ?", [head, body, id])
    await insertRows(
      transaction,
      "dispatches",
      added.map((each) => DISPATCHES.write(each)),
    )
    return claimed
  })
}

/** What a claim does to the ledger. */
interface DispatchPlan extends Claimed {
  added: readonly Dispatch[]
  /** What names the items of orders that wait already. */
  learned: readonly { id: string; head: string; body: string }[]
}

/** Finds out what `claimDispatches` would do, and writes nothing. */
export async function planDispatches(
  statements: Statements,
  orders: readonly OrderNow[],
  { shop, file, batch, head, render, workstation, person }: DispatchClaim,
): Promise<DispatchPlan> {
  const at = new Date(await statements.now()).toISOString()
  const nothing = { added: [], learned: [] }
  const earlier = await findByFile(statements, file, workstation)
  const unfinished = earlier.filter(({ writtenAt }) => writtenAt === undefined)
  const known = await findDispatches(
    statements,
    orders.map(({ shipmentId }) => shipmentId),
  )
  const before = new Map<string, Dispatch>()
  const turns = new Map<string, number>()
  const strays = new Set(orders.filter(({ isStray }) => isStray).map(nameUnit))
  const waited = new Set<string>()
  for (const row of known) {
    const unit = findUnit(row, strays)
    if (!before.has(unit) || row.event !== "waiting") before.set(unit, row)
    if (row.event !== "waiting") turns.set(row.shipmentId, (turns.get(row.shipmentId) ?? 0) + 1)
    else waited.add(row.shipmentId)
  }
  if (unfinished.length > 0) return { rows: unfinished, from: "unfinished", before, ...nothing }
  const rows: Dispatch[] = []
  const waiting: Dispatch[] = []
  const learned: { id: string; head: string; body: string }[] = []
  const decided = decideDispatches(
    orders,
    new Map([...before].filter(([, { event }]) => event !== "waiting")),
  )
  const seen = new Set<string>()
  for (const order of orders) {
    const { shipmentId, orderId, sendId } = order
    const unit = nameUnit(order)
    if (seen.has(unit)) continue
    seen.add(unit)
    const last = before.get(unit)
    const event = decided.get(unit)
    if (event === undefined) continue
    // What is taken back is what the shop has, whatever number the carrier has given it since.
    const told = event === "cancelled" ? { ...order, number: last?.number } : order
    const made = { shipmentId, ...(sendId !== undefined && { sendId }), shop, orderId, event, at }
    const by = { workstation, person }
    if (event === "waiting") {
      const body = last?.body === undefined ? render(order, event) : ""
      const id = `${shipmentId} waiting${waited.has(shipmentId) ? ` ${sendId}` : ""}`
      if (!last) waiting.push({ id, ...made, ...by, ...(body !== "" && { head, body }) })
      else if (body !== "") learned.push({ id: last.id, head, body })
      continue
    }
    // A shipment may be taken back from one order and handed out for another in one file.
    const count = (turns.get(shipmentId) ?? 0) + 1
    turns.set(shipmentId, count)
    rows.push({
      id: `${shipmentId} ${count}`,
      ...made,
      ...by,
      ...(told.number !== undefined && { number: told.number }),
      ...{ batch, file, position: rows.length, head },
      // The file names the other one in its place.
      body: event === "cancelled" && isReplaced(order, orders) ? "" : render(told, event),
    })
  }
  const added = [...waiting, ...rows]
  if (rows.length > 0) return { rows, from: "new", before, added, learned }
  const last = earlier.filter((row) => row.batch === earlier[0]?.batch)
  const isSame = last.length > 0 && last.every((row) => seen.has(findUnit(row, strays)))
  return { rows: isSame ? last : [], from: "same", before, added, learned }
}

/** Says that a file is whole on the disk. */
export async function finishDispatches(database: Database, batch: string): Promise<void> {
  await database.run("update dispatches set written_at = ? where batch = ? and written_at is null", [
    new Date(await database.now()).toISOString(),
    batch,
  ])
}

/** What is known of shipments, the oldest first. */
export async function findDispatches(
  statements: Statements,
  shipments: readonly string[],
): Promise<Dispatch[]> {
  const rows = await queryInParts([...new Set(shipments)], (part) =>
    statements.all(`select * from dispatches where shipment_id in (${placeholders(part)})`, part),
  )
  return rows.map(read).sort(byTurn)
}

/**
 * Of a shop, or of all: what waits for a number or in a file that is not finished, and what was handed out from then on
 * (ISO 8601 in UTC). The oldest first.
 */
export async function readDispatches(
  statements: Statements,
  { shop, since }: { shop?: string; since: string },
): Promise<Dispatch[]> {
  const rows = await statements.all(
    `select * from dispatches where (written_at is null or created_at >= ?)${shop === undefined ? "" : " and shop = ?"}`,
    [since, ...(shop === undefined ? [] : [shop])],
  )
  return rows.map(read).sort(byTurn)
}

/**
 * Orders that wait, by their shop: for a number, for a file, or for a file that was begun and not finished. What was
 * cancelled since, as far as the ledger knows, waits for nothing.
 * @param scopes the accounts that booked them; all where none is given
 */
export async function findWaiting(statements: Statements, scopes?: readonly string[]) {
  const rows = await statements.all(
    `select d.shop, d.event, d.file, d.workstation, d.created_at, s.consignment_number from dispatches d
      left join sends s on s.shipment_id = d.shipment_id and s.kind = 'shipment' and s.state = 'done'
      left join journeys j on j.scope = s.scope and j.consignment_number = s.consignment_number
      where ((d.event <> 'waiting' and d.written_at is null)
        or (d.event = 'waiting' and coalesce(j.is_cancelled, 0) = 0 and s.cancelled_at is null and not exists (
          select 1 from dispatches o where o.shipment_id = d.shipment_id and o.event <> 'waiting')))
        ${inScopes(scopes, "s.scope")}
      order by d.created_at, d.id`,
    scopes ?? [],
  )
  return Array.from(
    groupBy(rows, ({ shop }) => String(shop)),
    ([shop, ofShop]) => {
      const waits = ofShop.filter(({ event }) => event === "waiting")
      const unfinished = ofShop.find(({ event }) => event !== "waiting")
      const ready = waits.filter(({ consignment_number: number }) => number != null).length
      return {
        shop,
        count: ofShop.length,
        ready,
        waiting: waits.length - ready,
        file: unfinished && { name: String(unfinished.file), desk: String(unfinished.workstation) },
        oldest: String(ofShop[0]?.created_at),
      }
    },
  )
}

/** Whether a desk claimed orders for a file that is not written yet. */
export async function isUnfinished(
  statements: Statements,
  file: string,
  workstation: string,
): Promise<boolean> {
  const claimed = await findByFile(statements, file, workstation)
  return claimed.some(({ writtenAt }) => writtenAt === undefined)
}

/** The bookings of shipments, the oldest first: of these accounts, or of all where none is given. */
export async function findShipments(
  statements: Statements,
  scopes: readonly string[] | undefined,
  shipments: readonly string[],
): Promise<Entry[]> {
  const rows = await queryInParts(shipments, (part) =>
    statements.all(
      `select * from sends where kind = 'shipment' and state = 'done' and shipment_id in (${placeholders(part)})${inScopes(scopes)}
        order by created_at, id`,
      [...part, ...(scopes ?? [])],
    ),
  )
  return rows.map(toEntry)
}

/** Bookings by their ids. */
export async function findSends(statements: Statements, ids: readonly string[]): Promise<Entry[]> {
  const rows = await queryInParts([...new Set(ids)], (part) =>
    statements.all(`select * from sends where id in (${placeholders(part)})`, part),
  )
  return rows.map(toEntry)
}

/** What a desk claimed for a file, its newest batch first, each in the order of the file. */
async function findByFile(statements: Statements, file: string, workstation: string): Promise<Dispatch[]> {
  const rows = await statements.all(
    "select * from dispatches where file = ? and workstation = ? order by created_at desc, batch, position",
    [file, workstation],
  )
  return rows.map(read)
}

function read(row: DatabaseRow): Dispatch {
  return DISPATCHES.read(row)
}

/** Its turns are numbers: 10 comes after 9. */
function byTurn(one: Dispatch, other: Dispatch): number {
  const turn = ({ id, shipmentId }: Dispatch) => Number(id.slice(shipmentId.length)) || 0
  return turn(one) - turn(other) || (one.id < other.id ? -1 : 1)
}
