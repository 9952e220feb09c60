/** Passes over all rows that send nothing: the check before a run, and the state of each row by its reference. */
import { contentHash } from "../ledger/content.ts"
import {
  invalidResult,
  type LedgerReader,
  formatFinding,
  type RowPlan,
  planByReference,
  planRow,
  toResult,
  type RowResult,
} from "./result.ts"
import type { GoodRow, Row } from "./rows/row.ts"
import { createRowsReport, type RowFinding } from "../sheets/findings.ts"

export type Checked = Awaited<ReturnType<typeof checkRows>>

/** Reads every row and looks it up in the ledger. Sends nothing. @throws FreightError as `readRows` and the ledger do */
export async function checkRows(
  ledger: LedgerReader,
  rows: AsyncIterable<Row>,
  signal: AbortSignal,
  again = false,
) {
  const report = createRowsReport()
  const columns = new Set<string>()
  const counts = new Map<string, number>()
  const checked = {
    rows: 0,
    /** Reasons not to send rows that look good by themselves, by row number. */
    bad: new Map<number, string>(),
    unknown: 0,
    /** Entry ids that other processes may be sending. */
    sending: [] as string[],
    /** Known cost of rows sent before, in cents. */
    spentCents: 0,
  }
  for await (const { row, plan } of plannedRows(ledger, rows, again)) {
    signal.throwIfAborted()
    checked.rows++
    for (const [column] of row.cells) columns.add(column)
    const findings =
      plan && row.booking !== undefined ? [...row.findings, ...addPlan(checked, row, plan)] : row.findings
    if (row.booking !== undefined) {
      const { customerReference: _, ...rest } = row.booking
      const content = contentHash("shipment", { ...rest, ...row.wish })
      counts.set(content, (counts.get(content) ?? 0) + 1)
    }
    report.add({ row: row.row, findings })
    for (const note of findings)
      if (note.severity === "error" && (note.row !== row.row || row.booking !== undefined))
        checked.bad.set(note.row, formatFinding(note))
  }
  // Rows that equal another row except for the reference.
  const equal = [...counts.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0)
  return { ...checked, equal, report, columns: [...columns] }
}

const ROWS_AT_ONCE = 64

/** Each row with its plan; without one if the row has errors. */
async function* plannedRows(
  ledger: LedgerReader,
  rows: AsyncIterable<Row>,
  again: boolean,
): AsyncGenerator<{ row: Row; plan: RowPlan | undefined }> {
  const findPlans = (group: readonly Row[]) =>
    Promise.all(
      group.map(async (row) => ({
        row,
        plan: row.booking === undefined ? undefined : await planRow(ledger, row, again),
      })),
    )
  let group: Row[] = []
  for await (const row of rows) {
    group.push(row)
    if (group.length < ROWS_AT_ONCE) continue
    yield* await findPlans(group)
    group = []
  }
  yield* await findPlans(group)
}

/** Adds a row's ledger state to the sums. @returns the row's errors against the ledger */
function addPlan(
  checked: Pick<Checked, "unknown" | "sending" | "spentCents">,
  row: GoodRow,
  plan: RowPlan,
): readonly RowFinding[] {
  if (plan.what === "unknown") checked.unknown++
  if (plan.what === "sending") checked.sending.push(plan.entry.id)
  if (plan.what === "booked" || plan.what === "unknown" || plan.what === "sending")
    checked.spentCents += plan.entry.facts.priceCents ?? 0
  if (plan.what === "send") return row.late
  if (plan.what !== "changed") return []
  const message = toResult(row, plan).error ?? ""
  return [{ row: row.row, line: row.line, rule: "changed", message, severity: "error" }]
}

/**
 * Each row's state by its reference alone, in row order. Other errors of the row do not matter, so no flag of the run
 * has to be repeated.
 */
export async function* statusResults(
  ledger: LedgerReader,
  rows: AsyncIterable<Row>,
): AsyncGenerator<RowResult> {
  for await (const row of rows)
    yield row.reference === ""
      ? invalidResult(row)
      : toResult(row, await planByReference(ledger, row.reference))
}
