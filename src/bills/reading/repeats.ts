/** Amounts of a whole consignment that stand on each of its rows: they are asked for once. */
import type { BillColumnsRead, BillRow } from "./row.ts"

/** Headings that say so: `Consignment total`, `Total per connote`. */
const OF_CONSIGNMENT =
  /\b(?:consignment|con ?note|shipment|waybill|booking) (?:total|amount|charge|cost)\b|\b(?:total|amount|charge|cost)s? (?:per|of|for) (?:the )?(?:consignment|con ?note|shipment|waybill|booking)\b/i

/** Rows that are told apart by more than their consignment; two that are alike in all cells are billed twice. */
export function createRepeats({ headers, fields }: Pick<BillColumnsRead, "headers" | "fields">) {
  const asked = fields.flatMap((field, index) =>
    field?.holds === "total" || field?.holds === "part" ? [index] : [],
  )
  const isOfConsignment =
    asked.length > 0 && asked.every((index) => OF_CONSIGNMENT.test(headers[index] ?? ""))
  /** What each consignment costs by the first of its rows, and all cells of its rows. */
  const seen = new Map<string, { amounts: string; rows: Set<string> }>()
  let repeated = 0
  return {
    /** Whether a row says again what its consignment costs, beside what is of the row alone. */
    has({ names, invoice, amounts, extras }: BillRow, cells: readonly string[]): boolean {
      if (!isOfConsignment || names.length === 0 || amounts.size === 0 || extras.length > 0) return false
      const key = JSON.stringify([invoice, ...names])
      const written = { amounts: JSON.stringify([...amounts]), row: JSON.stringify(cells) }
      const before = seen.get(key)
      if (!before) {
        seen.set(key, { amounts: written.amounts, rows: new Set([written.row]) })
        return false
      }
      if (before.amounts !== written.amounts || before.rows.has(written.row)) return false
      before.rows.add(written.row)
      repeated++
      return true
    },
    count: () => repeated,
  }
}
