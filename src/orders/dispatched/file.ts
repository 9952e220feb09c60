/** The text of an import file of tracking numbers. */
import { stringify } from "csv-stringify/sync"
import type { Dispatch } from "../../ledger/records/dispatches.ts"
import type { DispatchedOrder, DispatchShop } from "./shops.ts"

/** The headings of a shop's file, as a line. */
export function renderHead({ columns, delimiter = "," }: DispatchShop): string {
  return stringify([columns.map(([heading]) => heading)], { delimiter })
}

/** An order's line; empty where the shop's import cannot say that a shipment was cancelled. */
export function renderOrder(shop: DispatchShop, order: DispatchedOrder): string {
  const { columns, delimiter = ",", canWithdraw } = shop
  if (order.event === "cancelled" && !canWithdraw) return ""
  return stringify([columns.map(([, cell]) => cell(order, shop))], { delimiter })
}

/** A whole file, of orders as they were claimed for it; empty where it would have headings only. */
export function joinFile(rows: readonly Dispatch[]): string {
  const bodies = rows.map(({ body = "" }) => body).join("")
  return bodies === "" ? "" : `${rows[0]?.head ?? ""}${bodies}`
}
