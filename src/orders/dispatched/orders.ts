/** Which bookings are orders of a shop: by its export, or by when they were booked. */
import { findShop, plainHeader, type TextSource } from "../../input/index.ts"
import { addFirstKeys, type Entry, getOwnNumber, readBooked, type Store } from "../../ledger/index.ts"
import { findDispatches } from "./records.ts"
import { getReturnOf } from "../../contract/index.ts"
import type { LedgerReader } from "../booking/standings.ts"
import { SHOPS } from "../batch/columns/shops.ts"
import { findStandings } from "../batch/check.ts"
import { streamRowsToLookUp } from "../batch/look-up.ts"
import { type BatchRow, listCells } from "../batch/rows/row.ts"
import type { KeptCells } from "../batch/rows/written-row.ts"
import { findUnit } from "./plan.ts"
import { findStrays, readNames, type ShopOrder } from "./dispatch.ts"
import {
  type DispatchShopName,
  findDispatchShop,
  getDispatchShop,
  listItemColumns,
  listKeptHeadings,
  toItems,
} from "./shops.ts"

/** The booked orders of a file, in its order, and how many are still to be booked. Nothing else of a row matters. */
export async function readBookedOrders(
  deps: Parameters<typeof streamRowsToLookUp>[0],
  ledger: LedgerReader,
  source: TextSource,
  { shop, map }: { shop: DispatchShopName; map: readonly string[] },
): Promise<{ orders: ShopOrder[]; others: number }> {
  const rows = streamRowsToLookUp(deps, source, map, {}, listKeptHeadings(shop))
  return findBookedOrders(ledger, rows, shop)
}

/** @param named the shop; by default the one that the rows come from */
export async function findBookedOrders(
  ledger: LedgerReader,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  named?: DispatchShopName,
): Promise<{ shop: DispatchShopName; orders: ShopOrder[]; others: number }> {
  // Items of one order need not be in adjacent rows if nothing is booked.
  const booked = new Map<string, { order: ShopOrder; kept: readonly KeptCells[] }>()
  let others = 0
  let shop = named
  for await (const { row, standing } of findStandings(ledger, rows)) {
    shop ??= findDispatchShop(findShop(SHOPS, row.cells.columns)?.name)
    if (standing.kind === "booked" || standing.kind === "changed") {
      const { entry } = standing
      // A return is not an order of the shop.
      if (getReturnOf(entry.facts.own) !== undefined) continue
      const { order = { entry, orderId: findOrderId(row, shop) }, kept = [] } = booked.get(entry.id) ?? {}
      booked.set(entry.id, { order, kept: [...kept, ...(row.kept ?? [])] })
    } else if (standing.kind !== "held" || standing.held.means !== "leftOut") others++
  }
  const columns = listItemColumns(getDispatchShop(shop ?? "csv"))
  const orders = Array.from(booked.values(), ({ order, kept }) => {
    const items = toItems(columns, kept)
    return items ? { ...order, items } : order
  })
  return { shop: shop ?? "csv", orders, others }
}

export function findOrderId({ cells, reference }: BatchRow, shop: DispatchShopName): string {
  for (const heading of getDispatchShop(shop).orderHeadings)
    for (const [column, text] of listCells(cells))
      if (plainHeader(column) === plainHeader(heading) && text.trim() !== "") return text.trim()
  return reference
}

/**
 * Bookings with a reference since an instant (milliseconds since the epoch), the oldest first, except those known to be
 * another shop's.
 */
export async function readBookedSince(
  store: Store,
  scopes: readonly string[] | undefined,
  shop: DispatchShopName,
  since: number,
): Promise<ShopOrder[]> {
  const booked: Entry[] = []
  for await (const page of readBooked(store.database, { scopes, since: new Date(since).toISOString() }))
    for (const { entry } of page)
      if (
        getReturnOf(entry.facts.own) === undefined &&
        entry.keyGiven &&
        entry.facts.shipmentId !== undefined &&
        entry.duplicateOf === undefined
      )
        booked.push(entry)
  const entries = await addFirstKeys(store.database, booked)
  const orders: ShopOrder[] = entries.map((entry) => ({ entry, orderId: getOwnNumber(entry) }))
  const known = await findDispatches(
    store.database,
    orders.map(({ entry }) => entry.facts.shipmentId ?? ""),
  )
  const strays = await findStrays(store.database, known, entries)
  const others = new Set(known.flatMap((row) => (row.shop === shop ? [] : [findUnit(row, strays)])))
  // A later consignment of such an order is the other shop's, too.
  const otherOrders = new Set(
    orders.flatMap(({ entry, orderId }) => (others.has(entry.facts.shipmentId ?? "") ? [orderId] : [])),
  )
  const names = await readNames(shop, known, strays)
  return orders
    .filter(({ orderId }) => !otherOrders.has(orderId))
    .map((order) => ({ ...order, ...names.get(order.entry.facts.shipmentId ?? "") }))
    .reverse()
}
