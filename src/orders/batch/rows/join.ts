/** Joins the rows of one order that differ only in its items, as shops and people write them. */
import { findStatusShop, type Header, isNamed, type Mapping, plainHeader } from "../../../input/index.ts"
import type { BatchField } from "../columns/fields.ts"
import { isOfItem, isOfItsPackages, namesItem } from "../columns/items.ts"
import { ITEM_HEADINGS } from "../columns/shops.ts"
import { createStatusReader, NO_SHOP, readDestination, readStatedCells } from "../shipping.ts"
import type {
  Cell,
  KeptCells,
  OrderItem,
  OrderNumber,
  OrderStatus,
  UnusedCell,
  WrittenRow,
} from "./written-row.ts"

/** Shared by all rows that have the same columns. */
export interface RowColumns {
  readonly headers: readonly string[]
  listUnused(texts: readonly string[]): readonly UnusedCell[]
  /** A shop writes each order once: its further rows are items. */
  readonly isOfShop: boolean
  readonly mayHaveItems: boolean
  /** Rows of one order may differ in it: `--map` leaves it out, or it has the state of an item. */
  mayDiffer(index: number): boolean
  readStatuses(lines: readonly (readonly string[])[]): OrderStatus[]
  /** The shop's order number, besides the reference. */
  getOrderNumber(texts: readonly string[]): OrderNumber | undefined
  getShippingMethod(texts: readonly string[]): string | undefined
  readItems(lines: readonly (readonly string[])[]): readonly OrderItem[]
  /** The requested cells of each item that is to be sent; none if a number has lost its digits. */
  keepCells(lines: readonly (readonly string[])[]): readonly KeptCells[]
}

export function createRowColumns(
  headers: readonly string[],
  { fields, shop }: Pick<Header<BatchField>, "fields" | "shop">,
  mapping: Mapping<BatchField>,
  keep: readonly string[] = [],
): RowColumns {
  const statusShop = findStatusShop(mapping.columns.shops, headers) ?? NO_SHOP
  const { orderNumbers = [] } = shop ?? {}
  const numbers = headers.flatMap((header, index) =>
    isNamed(orderNumbers, header) && !mapping.isMapped(header) ? [index] : [],
  )
  const methods = fields.flatMap((field, index) => (field?.name === "deliveryMethod" ? [index] : []))
  const findColumn = (names: readonly string[]) =>
    shop === undefined
      ? undefined
      : names
          .map((name) =>
            headers.findIndex(
              (header) => plainHeader(header) === plainHeader(name) && !mapping.isMapped(header),
            ),
          )
          .find((index) => index >= 0)
  const [sku, pieces] = [findColumn(ITEM_HEADINGS.sku), findColumn(ITEM_HEADINGS.pieces)]
  const { signs = [] } = statusShop
  const notShipped = signs.flatMap(({ header, says, onEveryLine, means = "leftOut" }) => {
    const index = headers.findIndex((each) => plainHeader(each) === plainHeader(header))
    return onEveryLine && means === "leftOut" && index >= 0 ? [{ index, says }] : []
  })
  const textAt = (line: readonly string[], index: number | undefined) =>
    index === undefined ? "" : (line[index] ?? "").trim()
  const listShipped = (lines: readonly (readonly string[])[]) =>
    lines.filter((line) => !notShipped.some(({ index, says }) => says.test(textAt(line, index))))
  const kept = keep.flatMap((heading) => {
    const index = headers.findIndex((header) => plainHeader(header) === plainHeader(heading))
    return index < 0 ? [] : [{ heading, index }]
  })
  const unused = headers.flatMap((header, index) =>
    header === "" || fields[index] !== undefined || mapping.isMapped(header) ? [] : [index],
  )
  return {
    headers,
    keepCells(lines) {
      if (kept.length === 0) return []
      const shipped = listShipped(lines).filter((line) => !/^0+$/.test(textAt(line, pieces)))
      if (shipped.some((line) => kept.some(({ index }) => isRounded(textAt(line, index))))) return []
      return shipped.flatMap((line) => {
        const cells = kept.flatMap(({ heading, index }) => {
          const text = textAt(line, index)
          return text === "" ? [] : [[heading, text] as const]
        })
        return cells.length === 0 ? [] : [Object.fromEntries(cells)]
      })
    },
    getShippingMethod(texts) {
      const index = methods.find((each) => (texts[each] ?? "").trim() !== "")
      return index === undefined ? undefined : texts[index]?.trim()
    },
    readItems(lines) {
      if (sku === undefined && pieces === undefined) return []
      return listShipped(lines).flatMap((line) => {
        const [code, count] = [textAt(line, sku), textAt(line, pieces)]
        if (code === "" && count === "") return []
        const column = headers[sku ?? pieces ?? -1] ?? ""
        return [{ sku: code, column, pieces: count === "" ? 1 : Number(count) }]
      })
    },
    listUnused: (texts) =>
      unused.flatMap((index) => {
        const text = textAt(texts, index)
        return text === "" ? [] : [{ column: headers[index] ?? "", text }]
      }),
    isOfShop: shop !== undefined,
    mayHaveItems: shop !== undefined || headers.some(namesItem),
    mayDiffer(index) {
      const isLeftOut = fields[index] === undefined && mapping.isMapped(headers[index] ?? "")
      return isLeftOut || fields[index]?.bearing?.as === "state"
    },
    readStatuses: createStatusReader(statusShop, headers, fields, mapping),
    getOrderNumber(texts) {
      const index = numbers.find((each) => isNumber((texts[each] ?? "").trim()))
      return index === undefined ? undefined : { column: headers[index] ?? "", text: texts[index] ?? "" }
    },
  }
}

/** Whether a spreadsheet has rounded a long number: 5.12346E+12. */
const isRounded = (text: string) => /^\d(?:[.,]\d+)?e\+\d+$/i.test(text)
const isNumber = (text: string) => text !== "" && !isRounded(text)

export interface ItemRow
  extends Omit<WrittenRow, "statuses" | "unused" | "orderNumber" | "shippingMethod" | "items" | "kept"> {
  readonly texts: readonly string[]
  readonly columns: RowColumns
}

/** @param told gets the numbers of rows that are joined to the one above */
export async function* joinItems(rows: AsyncIterable<ItemRow>, told: number[]): AsyncGenerator<WrittenRow> {
  let order: { first: ItemRow; lines: (readonly string[])[] } | undefined
  const complete = ({ first, lines }: NonNullable<typeof order>): WrittenRow => {
    const { texts: _, columns, ...row } = first
    const orderNumber = columns.getOrderNumber(first.texts)
    const statuses = [
      ...columns.readStatuses(lines),
      ...readStatedCells(row.cells),
      ...(columns.isOfShop ? readDestination(row.cells) : []),
    ]
    const shippingMethod = columns.getShippingMethod(first.texts)
    const items = columns.readItems(lines)
    const kept = columns.keepCells(lines)
    return {
      ...row,
      statuses,
      unused: columns.listUnused(first.texts),
      ...(orderNumber && { orderNumber }),
      ...(shippingMethod !== undefined && { shippingMethod }),
      ...(items.length > 0 && { items }),
      ...(kept.length > 0 && { kept }),
    }
  }
  for await (const row of rows) {
    // A stream is not held up where no row can be a further item.
    if (!row.columns.mayHaveItems) {
      if (order) yield complete(order)
      order = undefined
      yield complete({ first: row, lines: [row.texts] })
      continue
    }
    if (order && isFurtherItem(row, order.first)) {
      told.push(row.row)
      order.lines.push(row.texts)
      continue
    }
    if (order) yield complete(order)
    order = { first: row, lines: [row.texts] }
  }
  if (order) yield complete(order)
}

const isReference = ({ field }: Cell) => field.name === "reference"
const textOf = ({ value }: Cell) => String(value ?? "").trim()

/** Whether a row only names another item of the order above: its other cells are empty or the same. */
function isFurtherItem(row: ItemRow, order: ItemRow): boolean {
  const { cells, findings, columns } = row
  if (columns !== order.columns || findings.length > 0) return false
  const own = cells.find(isReference)
  const before = order.cells.find(isReference)
  if (!own || !before || (textOf(own) === "" && !columns.isOfShop)) return false
  // Some programs leave all cells of an order empty in the rows of its further items.
  if (textOf(own) !== "" && textOf(own) !== textOf(before)) return false
  const addsNothing = cells.every((cell) => {
    const above = order.cells.find(({ column }) => column === cell.column)
    const text = textOf(cell)
    return !cell.unreadable && (text === "" || (above !== undefined && text === textOf(above)))
  })
  return addsNothing && (columns.isOfShop || (differsInItem(row, order) && !hasPackages(row)))
}

/** In a person's sheet an item with cells of packages may be in packages of its own, equal to those above. */
function hasPackages({ cells }: ItemRow): boolean {
  return cells.some(
    (cell) => textOf(cell) !== "" && /^packages?\b/.test(cell.field.name) && isOfItsPackages(cell.column),
  )
}

/** A repeated order is not an order of two items: a cell that names an item has to differ. */
function differsInItem({ texts, columns }: ItemRow, order: ItemRow): boolean {
  const differing = columns.headers.flatMap((header, index) => {
    const text = (texts[index] ?? "").trim()
    return text === "" || text === (order.texts[index] ?? "").trim() ? [] : [{ header, index }]
  })
  return (
    differing.every(({ header, index }) => isOfItem(header) || columns.mayDiffer(index)) &&
    differing.some(({ header }) => isOfItem(header))
  )
}
