/** Passes over all rows that send nothing: the check before a run, and the state of each row by its reference. */
import { inGroups } from "../../base/grouping.ts"
import { suggest } from "../../base/suggest.ts"
import { createStep } from "../../base/turns.ts"
import { getMostCentsBooked } from "../booking/gst.ts"
import { FreightError } from "../../base/errors.ts"
import { contentHash, type Difference, type Entry, isSettled } from "../../ledger/index.ts"
import type { LedgerReader } from "../booking/standings.ts"
import {
  describeLate,
  findRowStanding,
  formatFinding,
  invalidOutcome,
  isLeftToClaim,
  type RowStanding,
  toOutcome,
} from "./result.ts"
import type { Outcome } from "./outcome.ts"
import type { BatchRow } from "./rows/row.ts"
import { createRowsReport, type RowFinding, type RowsReport } from "../../input/index.ts"

/** Findings of a batch's check. Each row holds its own outcome. */
export interface Checked {
  rows: readonly BatchRow[]
  report: RowsReport
  /** Rows that were sent, or are being sent, without a known outcome. */
  open: BatchRow[]
  /** Entry ids that other processes may be sending. */
  sending: string[]
  ignored: { reference: string; differences: readonly Difference[] }[]
  elsewhere: { row: BatchRow; entry: Entry }[]
  cancelled: { row: BatchRow; entry: Entry }[]
  /** Most that rows sent before can have cost, in cents with GST, as far as known. */
  spentCents: number
}

/** Looks up every row in the ledger, and lists the errors of rows to be sent. */
export async function checkRows(
  ledger: LedgerReader,
  rows: readonly BatchRow[],
  signal: AbortSignal,
  again = false,
): Promise<Checked> {
  const report = createRowsReport()
  const none = { open: [], sending: [], ignored: [], elsewhere: [], cancelled: [] }
  const checked: Checked = { rows, report, ...none, spentCents: 0 }
  const byNumber = new Map(rows.map((row) => [row.row, row]))
  const step = createStep(signal)
  for await (const { row, standing } of findStandings(ledger, rows, again)) {
    await step()
    const findings = [...listOwnFindings(row, standing), ...addStanding(checked, row, standing)]
    report.add({ row: row.row, findings })
    for (const found of findings) {
      const wrong = found.row === row.row ? row : byNumber.get(found.row)
      if (wrong && found.severity === "error" && (wrong !== row || row.request !== undefined))
        wrong.bad = formatFinding(found)
    }
  }
  return checked
}

export function countEqual(rows: readonly BatchRow[]): number {
  const counts = new Map<string, number>()
  for (const { request, wish, isFree } of rows) {
    if (!isFree || request === undefined) continue
    const { customerReference: _, ...rest } = request
    const content = contentHash("shipment", { ...rest, ...wish })
    counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return [...counts.values()].reduce((sum, count) => sum + (count > 1 ? count : 0), 0)
}

const ROWS_AT_ONCE = 64

/** Errors of a row that is not sent do not matter, except that its reference is repeated. */
function listOwnFindings(row: BatchRow, { kind }: RowStanding): readonly RowFinding[] {
  if (kind === "free") return row.findings
  return row.findings.filter((finding) => finding.row !== row.row || (!row.held && finding.rule === "unique"))
}

/** Yields each row with its standing, read from the ledger in groups. */
export async function* findStandings(
  ledger: LedgerReader,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  again = false,
): AsyncGenerator<{ row: BatchRow; standing: RowStanding }> {
  for await (const some of inGroups(rows, ROWS_AT_ONCE))
    yield* await Promise.all(
      some.map(async (row) => ({ row, standing: await findRowStanding(ledger, row, again) })),
    )
}

/** Stores a row's standing. @param isLeft rows that another process is sending are left to their own claim */
export function keepStanding(row: BatchRow, standing: RowStanding, isLeft: boolean): void {
  if ("key" in standing && standing.key !== undefined && row.source.replaces) row.key = standing.key
  row.outcome = toOutcome(row, standing)
  row.isFree = standing.kind === "free" || (isLeft && isLeftToClaim(row, standing))
}

export async function lookUpAgain(
  ledger: LedgerReader,
  rows: readonly BatchRow[],
  again: boolean,
): Promise<void> {
  for await (const { row, standing } of findStandings(ledger, rows, again)) {
    keepStanding(row, standing, true)
    const late = describeLate(row)
    if (row.isFree && late !== undefined) row.bad = late
  }
}

/** Adds a row's standing to the sums. @returns the row's errors against the ledger */
function addStanding(checked: Checked, row: BatchRow, standing: RowStanding): readonly RowFinding[] {
  const { kind } = standing
  if (kind === "unknown" || kind === "sending") checked.open.push(row)
  if (kind === "sending") checked.sending.push(standing.entry.id)
  if ((kind === "booked" || kind === "elsewhere") && standing.ignored.length > 0)
    checked.ignored.push({ reference: row.reference, differences: standing.ignored })
  if (kind === "elsewhere") checked.elsewhere.push({ row, entry: standing.entry })
  // A shipment of another account counts: it is this order's, or the order is to be booked here as well.
  const isSpent = isSettled(standing) && kind !== "cancelled"
  if (isSpent || kind === "sending" || kind === "other-account")
    checked.spentCents += getMostCentsBooked(standing.entry.facts) ?? 0
  keepStanding(row, standing, false)
  if (kind === "free") return row.request === undefined ? [] : row.late
  if (kind === "cancelled") checked.cancelled.push({ row, entry: standing.entry })
  if (kind !== "not-before" && kind !== "not-cancelled") return []
  const message = row.outcome?.error ?? ""
  return [{ row: row.row, line: row.line, rule: kind, message, severity: "error" }]
}

/**
 * Yields each row's outcome from the ledger, in row order. Errors of the row do not matter, so no flag of the run has to
 * be repeated.
 */
export async function* statusOutcomes(
  ledger: LedgerReader,
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
): AsyncGenerator<{ row: BatchRow; outcome: Outcome }> {
  for await (const { row, standing } of findStandings(ledger, rows))
    yield { row, outcome: row.reference === "" && !row.held ? invalidOutcome(row) : toOutcome(row, standing) }
}

export function checkAgainFor(againFor: readonly string[], name: string, { rows }: Checked): void {
  const references = rows.map(({ reference }) => reference)
  const missing = againFor.find((reference) => !references.includes(reference))
  if (missing === undefined) return
  const near = suggest(missing, references)
  throw new FreightError("input", `${name} has no order ${missing} (--again-for); nothing was sent`, {
    ...(near !== undefined && { hint: `Did you mean ${near}?` }),
  })
}
