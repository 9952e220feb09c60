/** The pass over all rows before anything is sent: what is wrong, what is done already, and what is open. */
import { contentHash } from "../ledger/content.ts"
import { type LedgerReader, planOf } from "./plan.ts"
import { noteText, resultOf } from "./result.ts"
import type { GoodRow, Row, RowNote } from "./row.ts"
import { type RowsReport, rowsReport } from "./rows-report.ts"

export interface Checked {
  rows: number
  /** The input's columns, in order. */
  columns: string[]
  /** All that was found. */
  report: RowsReport
  /** Why a row must not be sent that looks good by itself, by its number. */
  bad: Map<number, string>
  /** Rows that are equal to another but for their reference. */
  equal: number
  /** Rows whose outcome is not known. */
  unknown: number
  /** Ids of entries whose senders may be sending them. */
  sending: string[]
  /** What the rows that were sent before cost, in cents, as far as it is known. */
  spentCents: number
}

/** Reads every row and looks it up in the ledger. Sends nothing. @throws FreightError as `readRows` and the ledger do */
export async function checkRows(
  ledger: LedgerReader,
  rows: AsyncIterable<Row>,
  signal: AbortSignal,
  again = false,
): Promise<Checked> {
  const report = rowsReport()
  const columns = new Set<string>()
  const counts = new Map<string, number>()
  const checked = {
    rows: 0,
    bad: new Map<number, string>(),
    unknown: 0,
    sending: [] as string[],
    spentCents: 0,
  }
  for await (const row of rows) {
    signal.throwIfAborted()
    checked.rows++
    for (const [column] of row.cells) columns.add(column)
    const notes =
      row.booking === undefined ? row.notes : [...row.notes, ...(await lookUp(checked, ledger, row, again))]
    if (row.booking !== undefined) {
      const { customerReference: _, ...rest } = row.booking
      const content = contentHash("shipment", { ...rest, ...row.wish })
      counts.set(content, (counts.get(content) ?? 0) + 1)
    }
    report.add({ row: row.row, notes })
    for (const note of notes)
      if (note.severity === "error" && (note.row !== row.row || row.booking !== undefined))
        checked.bad.set(note.row, noteText(note))
  }
  const equal = [...counts.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0)
  return { ...checked, equal, report, columns: [...columns] }
}

/** What the ledger has of a row is summed up; what it has against it is an error of the row. */
async function lookUp(
  checked: Pick<Checked, "unknown" | "sending" | "spentCents">,
  ledger: LedgerReader,
  row: GoodRow,
  again: boolean,
): Promise<readonly RowNote[]> {
  const plan = await planOf(ledger, row, again)
  if (plan.what === "unknown") checked.unknown++
  if (plan.what === "sending") checked.sending.push(plan.entry.id)
  if (plan.what === "booked" || plan.what === "unknown" || plan.what === "sending")
    checked.spentCents += plan.entry.facts.priceCents ?? 0
  if (plan.what === "send") return row.late
  if (plan.what !== "changed") return []
  const message = resultOf(row, plan).error ?? ""
  return [{ row: row.row, line: row.line, rule: "changed", message, severity: "error" }]
}
