/** Passes over all rows that send nothing: the check before a run, and the state of each row by its reference. */
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"
import { contentHash } from "../ledger/content.ts"
import type { Difference } from "../ledger/order.ts"
import {
  invalidResult,
  type LedgerReader,
  formatFinding,
  type RowPlan,
  planRow,
  toResult,
  type RowResult,
} from "./result.ts"
import type { BatchRow } from "./rows/row.ts"
import { hashGoods } from "./renamed.ts"
import { countStatus } from "./shipping.ts"
import { createRowsReport, type RowFinding } from "../sheets/findings.ts"

export type Checked = Awaited<ReturnType<typeof checkRows>>

/** Reads every row and looks it up in the ledger. Sends nothing. @throws FreightError as `readRows` and the ledger do */
export async function checkRows(
  ledger: LedgerReader,
  rows: AsyncIterable<BatchRow>,
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
    references: new Set<string>(),
    /** References of rows to be sent, by what goes to whom. */
    fresh: new Map<string | undefined, string[]>(),
    /** What the file says otherwise of rows that were booked: another service, or a limit. */
    ignored: [] as { reference: string; differences: readonly Difference[] }[],
    /** Orders that the shop leaves out, by what it says. */
    leftOut: new Map<string, number>(),
    /** Known cost of rows sent before, in cents. */
    spentCents: 0,
  }
  for await (const { row, plan } of plannedRows(ledger, rows, again)) {
    signal.throwIfAborted()
    checked.rows++
    checked.references.add(row.reference)
    for (const [column] of row.cells) columns.add(column)
    const findings = [...listOwnFindings(row, plan), ...addPlan(checked, row, plan)]
    if (row.booking !== undefined && plan.what === "send") {
      const { customerReference: _, ...rest } = row.booking
      const content = contentHash("shipment", { ...rest, ...row.wish })
      counts.set(content, (counts.get(content) ?? 0) + 1)
      const goods = hashGoods(rest)
      checked.fresh.set(goods, [...(checked.fresh.get(goods) ?? []), row.reference])
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

/** What is wrong with a row does not matter if it is not sent: only that its reference is repeated does. */
function listOwnFindings(row: BatchRow, plan: RowPlan): readonly RowFinding[] {
  if (plan.what === "send") return row.findings
  return row.findings.filter((finding) => finding.row !== row.row || (!row.held && finding.rule === "unique"))
}

/** Each row with its plan. */
async function* plannedRows(
  ledger: LedgerReader,
  rows: AsyncIterable<BatchRow>,
  again: boolean,
): AsyncGenerator<{ row: BatchRow; plan: RowPlan }> {
  const findPlans = (group: readonly BatchRow[]) =>
    Promise.all(group.map(async (row) => ({ row, plan: await planRow(ledger, row, again) })))
  let group: BatchRow[] = []
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
  checked: Pick<Checked, "unknown" | "sending" | "leftOut" | "ignored" | "spentCents">,
  row: BatchRow,
  plan: RowPlan,
): readonly RowFinding[] {
  if (plan.what === "unknown") checked.unknown++
  if (plan.what === "sending") checked.sending.push(plan.entry.id)
  if (plan.what === "booked" && plan.ignored.length > 0)
    checked.ignored.push({ reference: row.reference, differences: plan.ignored })
  // What another account sent is of this one, or is to be booked here as well.
  if ("entry" in plan && plan.what !== "duplicate") checked.spentCents += plan.entry.facts.priceCents ?? 0
  if (plan.what === "held" && plan.held.means === "leftOut") countStatus(checked.leftOut, plan.held)
  if (plan.what === "send") return row.booking === undefined ? [] : row.late
  if (plan.what !== "not-before") return []
  const message = toResult(row, plan).error ?? ""
  return [{ row: row.row, line: row.line, rule: plan.what, message, severity: "error" }]
}

/**
 * Each row's state by the ledger, in row order. Errors of the row do not matter, so no flag of the run has to be
 * repeated.
 */
export async function* statusResults(
  ledger: LedgerReader,
  rows: AsyncIterable<BatchRow>,
): AsyncGenerator<RowResult> {
  for await (const row of rows)
    yield row.reference === "" && !row.held ? invalidResult(row) : toResult(row, await planRow(ledger, row))
}

/** @throws FreightError `input` for a reference of `--again-for` that the file does not have */
export function checkAgainFor(againFor: readonly string[], name: string, { references }: Checked): void {
  const missing = againFor.find((reference) => !references.has(reference))
  if (missing === undefined) return
  const near = suggest(missing, [...references])
  throw new FreightError("input", `${name} has no order ${missing} (--again-for); nothing was sent`, {
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  })
}
