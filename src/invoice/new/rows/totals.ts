/** Totals below the lines of a file: they must agree with the rows above them. */
import { quoted } from "../../../base/parsed.ts"
import { readSignedNumber } from "../../../contract/index.ts"
import { errorFinding, type RowFinding, saysTotal, saysTotalOf } from "../../../input/index.ts"
import {
  type Amount,
  formatMoney,
  formatPlain,
  subtract,
  sum,
  toAmount,
  ZERO,
} from "../../accounting/amounts.ts"
import { chargeLine } from "../draft.ts"
import type { WrittenCell } from "./cells.ts"
import { WHOLE_INVOICE } from "./fields.ts"
import { readLine } from "./line.ts"
import type { InvoiceRow, InvoiceRows } from "./row.ts"

export interface TotalRow {
  row: number
  line: number
  cells: readonly WrittenCell[]
  above: number
}

/** Figures that a sum has as well as a line. */
const SUMMED: readonly string[] = ["quantity", "price", "amount", "tax", "none", "percent"]

/** Whether a row is a total below the lines: one cell says so, and all others are numbers. */
export function isTotal(cells: readonly string[], used: readonly WrittenCell[]): boolean {
  const filled = used.filter(({ text }) => text.trim() !== "")
  const has = (kind: string) => filled.some(({ field }) => field.reads === kind)
  return (
    cells.some(isTotalCell) &&
    !(has("quantity") && has("price")) &&
    filled.every(({ field, text }) => isTotalCell(text) || SUMMED.includes(field.reads))
  )
}

/** A cell that names a total's rows has to be above it, and the rows come to its amount. */
function isTotalCell(text: string): boolean {
  return (
    saysTotal(text) || saysTotalOf(text) !== undefined || /^(?:gst|tax) incl(?:uded)?\W*$/i.test(text.trim())
  )
}

/** Errors in the figures of totals; none if rows above cannot be read. */
export function checkTotals(source: InvoiceRows, totals: readonly TotalRow[]): RowFinding[] {
  return totals.flatMap(({ row, line, cells, above }, index) => {
    const all = source.rows.slice(0, above)
    const since = source.rows.slice(totals[index - 1]?.above ?? 0, above)
    // A total of totals has no lines of its own.
    const groups = (since.length > 0 ? [since, all] : [all]).map((rows) => sumRows(source, rows))
    return cells.flatMap(({ column, field, text }): RowFinding[] => {
      const read =
        SUMMED.includes(field.reads) &&
        field.reads !== "none" &&
        field.reads !== "percent" &&
        !WHOLE_INVOICE.has(field.name)
          ? readFigure(text)
          : undefined
      if (read === undefined) return []
      const isQuantity = field.reads === "quantity"
      const sums = groups.flatMap((group) => {
        if (!group) return []
        const own = sum(group.rows.map(({ amounts }) => amounts.get(field.name) ?? ZERO))
        return [own, ...(isQuantity ? [] : group.sums)].map((value) => ({ value, count: group.rows.length }))
      })
      const [expected] = sums
      const isNear = sums.some(({ value, count }) => isWithin(subtract(read, value), count))
      if (!expected || isNear || groups.some((group) => group === undefined)) return []
      const shown = isQuantity ? formatPlain(expected.value) : formatMoney(expected.value)
      const message = `the total ${quoted(text.trim())} is not ${shown}, which the rows above come to`
      const hint = "find the row that is missing or has changed, or take the row of the total out"
      return [{ row, line, ...errorFinding("total", message, { column, hint }) }]
    })
  })
}

function readFigure(text: string): Amount | undefined {
  const read = readSignedNumber(text.trim(), { money: true })
  return !read.ok ? undefined : toAmount(Number(read.value.toFixed(4)))
}

/** Half a cent for each line, because each may have been rounded. */
function isWithin(difference: Amount, count: number): boolean {
  const [half, distance] = [
    toAmount(count * 0.005) ?? ZERO,
    difference < ZERO ? subtract(ZERO, difference) : difference,
  ]
  return count === 1 ? distance === ZERO : distance <= half
}

/** The sums of some rows before tax, of the tax, and of both; undefined if one cannot be read. */
function sumRows(
  source: InvoiceRows,
  rows: readonly InvoiceRow[],
): { rows: readonly InvoiceRow[]; sums: Amount[] } | undefined {
  const charges = rows.flatMap((row) => {
    const read = readLine(source, row)
    return "line" in read ? [chargeLine(read.line)] : []
  })
  if (charges.length < rows.length) return undefined
  const [subtotal, tax] = [sum(charges.map((each) => each.subtotal)), sum(charges.map((each) => each.tax))]
  return { rows, sums: [subtotal, tax, sum([subtotal, tax])] }
}
