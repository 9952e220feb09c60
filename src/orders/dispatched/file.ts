/** The text of an import file of tracking numbers. */
import { stringify } from "csv-stringify/sync"
import { unmarkFormula } from "../../base/safe-text.ts"
import type { Dispatch } from "./records.ts"
import { cell } from "../../output/index.ts"
import { type DispatchedOrder, type DispatchShop, type Item, listItemColumns, toItems } from "./shops.ts"

export function renderHead({ columns, delimiter = "," }: DispatchShop): string {
  return stringify([columns.map(([heading]) => heading)], { delimiter })
}

/**
 * An order's lines, one for each item that the import distinguishes; empty if the import has no cancellations. An order
 * without a number has lines too, which hold its items.
 */
export function renderOrder(
  shop: DispatchShop,
  order: DispatchedOrder,
  items: readonly Item[] | undefined,
): string {
  const { columns, delimiter = ",", canWithdraw } = shop
  if (order.event === "cancelled" && !canWithdraw) return ""
  if (order.event === "waiting" && items === undefined) return ""
  const lines = (items ?? [{}]).map((item) =>
    stringify(
      [
        columns.map(([heading, from]) =>
          cell(typeof from === "function" ? from(order, shop) : item[heading]),
        ),
      ],
      { delimiter },
    ),
  )
  return [...new Set(lines)].join("")
}

/** The items in an order's lines, as its shop's export had them; undefined if they name none. */
export async function readItems(
  shop: DispatchShop,
  { head = "", body = "" }: Pick<Dispatch, "head" | "body">,
): Promise<readonly Item[] | undefined> {
  const columns = listItemColumns(shop)
  if (body === "" || columns.length === 0) return undefined
  const { parse } = await import("csv-parse/sync")
  const lines: Record<string, string>[] = parse(`${head}${body}`, {
    ...{ columns: true, delimiter: shop.delimiter ?? ",", cast: unmarkFormula },
  })
  return toItems(
    columns.map(([heading]) => [heading, [heading]]),
    lines,
  )
}

/** A whole file of the orders that were claimed for it; empty if it would have headings only. */
export function joinFile(rows: readonly Dispatch[]): string {
  const bodies = rows.map(({ body = "" }) => body).join("")
  return bodies === "" ? "" : `${rows[0]?.head ?? ""}${bodies}`
}
