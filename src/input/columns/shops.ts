/** Which shop wrote a table, and which of its columns show an order's progress. */
import { isNamed } from "./headings.ts"
import type { ColumnField, Shop } from "./notation.ts"

/** The shop whose statuses a file with these headers has. */
export function findStatusShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return (
    findShop(shops, headers) ?? shops.find(({ own = [] }) => own.some((header) => isNamed(headers, header)))
  )
}

export function findShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return shops.find(
    ({ all, oneOf }) =>
      all.every((header) => isNamed(headers, header)) && oneOf.some((header) => isNamed(headers, header)),
  )
}

/** Whether a column says if an order has to be shipped. */
export function hasStatus({ statuses, signs = [] }: Shop, header: string): boolean {
  return [...Object.keys(statuses), ...signs.map((sign) => sign.header)].some((word) =>
    isNamed([header], word),
  )
}

/** Whether a column has a status that a shop does not write: its entry names its status columns, if it has some. */
export function isStateOfOthers({ statuses, signs = [] }: Shop, field: ColumnField | undefined): boolean {
  const hasOwn = Object.keys(statuses).length > 0 || signs.length > 0
  return hasOwn && field?.bearing?.as === "state" && !field.bearing.inShops
}
