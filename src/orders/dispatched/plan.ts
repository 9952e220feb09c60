/**
 * Decides which orders of a shop go into a file now, in the transaction that claims it, so that no other workstation
 * exports them.
 */
import { groupBy } from "../../base/grouping.ts"
import type { Database, Sender, Statements } from "../../ledger/index.ts"
import {
  claimDispatches,
  type Dispatch,
  type DispatchEvent,
  findDispatches,
  findDispatchFile,
} from "./records.ts"

/** The present state of a shop's order: what would be exported now. */
export interface OrderNow {
  shipmentId: string
  /** The booking that has the shipment. */
  sendId?: string
  /** It had the shipment when its order was exported, and no longer has it: the number is withdrawn. */
  isStray?: boolean
  orderId: string
  number: string | undefined
  isCancelled: boolean
  isAgain?: boolean
  /** Shared by all consignments of one order; absent if it has only one. */
  ofOrder?: string
}

/**
 * The unit that is exported, withdrawn and compared: a shipment, and what a stray booking was exported with apart from it.
 */
export function nameUnit({
  shipmentId,
  sendId,
  isStray,
}: Pick<OrderNow, "shipmentId" | "sendId" | "isStray">): string {
  return isStray ? `${shipmentId} ${sendId}` : shipmentId
}

/** The order that a row is about, as `nameUnit` names it. @param orders all that are named, strays too */
export function findUnit(
  { shipmentId, sendId }: Pick<Dispatch, "shipmentId" | "sendId">,
  strays: Pick<ReadonlySet<string>, "has">,
): string {
  const stray = nameUnit({ shipmentId, ...(sendId !== undefined && { sendId }), isStray: true })
  return strays.has(stray) ? stray : shipmentId
}

/**
 * While an order's file is not written, the order goes into no other: the older number would reach the shop last.
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
 * Decides what to export for several consignments. If one was cancelled and its order has another, its number is dead: the
 * shop gets the others, as `changed`, and nothing more about the cancelled one. An import may replace what is there, so a
 * changed number comes with all other numbers that the shop has for the order.
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
    // The first new one replaces the dead one; others are added.
    const next = ready.find((order) => !isTold(order))
    const isReplaced = withdrawn.length > 0 || (dead.length > 0 && !ready.some(isTold) && next !== undefined)
    const changed = [
      ...(isReplaced && next ? [next] : []),
      ...(isReplaced || ready.some(isEvent("changed")) ? ready.filter(isTold) : []),
    ]
    // The shop keeps its number until another one has a number, and while a file has one of them.
    const isFree = changed.length > 0 && ![...changed, ...dead].some(isBegun)
    if (isFree) for (const order of changed) decided.set(nameUnit(order), "changed")
    else for (const order of [...changed, ...withdrawn]) decided.delete(nameUnit(order))
  }
  return decided
}

/** Whether a consignment is cancelled and another replaces it: the shop hears only about that one. */
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
  /** The full name of the file, which is rewritten under it after a kill. */
  file: string
  batch: string
  head: string
  /** Nothing is written. */
  isDryRun?: boolean
  /** The rows of an order in the file, or while it waits. Called in the transaction: it may ask nothing. */
  render(order: OrderNow, event: DispatchEvent): string
}

export interface Claimed {
  /** The rows of the file, in its order; empty if there is nothing to export. */
  rows: Dispatch[]
  /**
   * - `new`: claimed now
   * - `unfinished`: claimed by an earlier run of this workstation for this file, which ended before it was written
   * - `same`: the file's orders are all asked for again, and none is new
   */
  from: "new" | "unfinished" | "same"
  before: Map<string, Dispatch>
}

/**
 * Claims all orders to export for one file. While a file of this workstation is not written, nothing else is claimed for
 * it.
 */
export function claimOrders(
  database: Database,
  orders: readonly OrderNow[],
  claim: DispatchClaim,
): Promise<Claimed> {
  if (claim.isDryRun) return planDispatches(database, orders, claim)
  return claimDispatches(database, (statements) => planDispatches(statements, orders, claim))
}

interface Plan extends Claimed {
  added: readonly Dispatch[]
  /** Item names for orders that already wait. */
  learned: readonly { id: string; head: string; body: string }[]
}

/** Finds out what `claimOrders` would do, and writes nothing. */
export async function planDispatches(
  statements: Statements,
  orders: readonly OrderNow[],
  { shop, file, batch, head, render, workstation, person }: DispatchClaim,
): Promise<Plan> {
  const at = new Date(await statements.now()).toISOString()
  const nothing = { added: [], learned: [] }
  const earlier = await findDispatchFile(statements, file, workstation)
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
    // A cancellation is for the number that the shop has, whatever number the carrier has given since.
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
    // In one file a shipment may be withdrawn from one order and exported for another.
    const count = (turns.get(shipmentId) ?? 0) + 1
    turns.set(shipmentId, count)
    rows.push({
      id: `${shipmentId} ${count}`,
      ...made,
      ...by,
      ...(told.number !== undefined && { number: told.number }),
      ...{ batch, file, position: rows.length, head },
      // The file names the replacement instead.
      body: event === "cancelled" && isReplaced(order, orders) ? "" : render(told, event),
    })
  }
  const added = [...waiting, ...rows]
  if (rows.length > 0) return { rows, from: "new", before, added, learned }
  const last = earlier.filter((row) => row.batch === earlier[0]?.batch)
  const isSame = last.length > 0 && last.every((row) => seen.has(findUnit(row, strays)))
  return { rows: isSame ? last : [], from: "same", before, added, learned }
}

export async function isUnfinished(
  statements: Statements,
  file: string,
  workstation: string,
): Promise<boolean> {
  const claimed = await findDispatchFile(statements, file, workstation)
  return claimed.some(({ writtenAt }) => writtenAt === undefined)
}
