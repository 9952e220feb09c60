/** Consignment totals that are repeated on each row: they are charged once. */
import type { ColumnQuestion } from "../../input/index.ts"
import { type BillColumnsRead, type BillRow, getText } from "./row.ts"

/** Headings that mean this: `Consignment total`, `Total per connote`. A charge or an amount may belong to its row only. */
const CONSIGNMENT = "(?:con|consignment|con ?note|shipment|waybill|booking|docket|job)"
const OF_CONSIGNMENT = new RegExp(
  String.raw`\b${CONSIGNMENT} total\b|\btotals? (?:per|of|for) (?:the )?${CONSIGNMENT}\b`,
  "i",
)
const OF_ROW = /\b(?:charge|amount|cost|price|fee)s?\b/i
/** Headings that may mean this: `Shipment cost`. */
const MAY_BE_OF_CONSIGNMENT = new RegExp(String.raw`\b${CONSIGNMENT} (?:charge|amount|cost|price)s?\b`, "i")

/** The data of a consignment's first row. */
interface First {
  amounts: string
  label: string
  /** Bill and day: on another one it is billed again. */
  occasion: string
  /** All cells of its rows. */
  rows: Set<string>
}

/**
 * Tells rows of a consignment apart by all their cells: two equal rows are billed twice.
 * @param isUnclear whether the column has a question already: its meaning does not affect this
 */
export function createRepeats(
  { headers, fields, isMapped }: BillColumnsRead,
  isUnclear: (index: number) => boolean,
) {
  const asked = fields.flatMap((field, index) =>
    field?.holds === "total" || field?.holds === "part" ? [index] : [],
  )
  const saysTotal = (heading: string) => OF_CONSIGNMENT.test(heading) && !OF_ROW.test(heading)
  const isOfConsignment =
    asked.length > 0 &&
    asked.every(
      (index) =>
        fields[index]?.isOfConsignment === true || (!isMapped[index] && saysTotal(headers[index] ?? "")),
    )
  const [only = -1, ...others] = asked.filter((index) => !isUnclear(index))
  const mayBeOfConsignment =
    others.length === 0 && !isMapped[only] && MAY_BE_OF_CONSIGNMENT.test(headers[only] ?? "")
  const seen = new Map<string, First>()
  let [repeated, cents] = [0, 0]
  /** Rows of a consignment with the same amount, and with another. */
  let [alike, unlike] = [0, 0]
  return {
    /** Whether a row is an item that repeats the consignment's total. */
    has(row: BillRow, cells: readonly string[]): boolean {
      const { invoice, amounts, extras, label } = row
      const number = getText(row, "consignment") || getText(row, "consignmentAbove")
      if (
        !(isOfConsignment || mayBeOfConsignment) ||
        number === "" ||
        amounts.size === 0 ||
        extras.some(({ index }) => !isUnclear(index))
      )
        return false
      const own = {
        amounts: isOfConsignment ? JSON.stringify([...amounts]) : (cells[only] ?? "").trim(),
        label,
        occasion: JSON.stringify([invoice, getText(row, "invoiceDate"), getText(row, "shipDate")]),
      }
      const text = JSON.stringify(cells)
      const first = seen.get(number)
      if (!first) {
        seen.set(number, { ...own, rows: new Set([text]) })
        return false
      }
      const isItem =
        first.amounts === own.amounts &&
        first.occasion === own.occasion &&
        (label === "" || label === first.label)
      if (!isItem) unlike++
      if (!isItem || first.rows.has(text)) return false
      first.rows.add(text)
      alike++
      if (!isOfConsignment) return false
      repeated++
      cents += amounts.values().next().value ?? 0
      return true
    },
    count: () => repeated,
    /** Whether each row of a consignment may repeat its total; undefined if nothing suggests it. */
    findQuestion(): (Omit<ColumnQuestion, "column"> & { index: number }) | undefined {
      if (isOfConsignment || alike === 0 || unlike > 0) return undefined
      return {
        ...{ index: only, values: [] },
        why: "has one amount in all rows of a consignment: it may be that of the whole consignment or of each row",
        choices: ["consignmentTotal", fields[only]?.name ?? "amount"],
      }
    },
    /** Cents that are not charged. */
    sum: () => cents,
  }
}
