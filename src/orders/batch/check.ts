/** Passes over all rows that send nothing: the check before a run, and the state of each row by its reference. */
import { suggest } from "../../base/suggest.ts"
import { getMostCentsBooked } from "../booking/gst.ts"
import { FreightError } from "../../base/errors.ts"
import { contentHash } from "../../ledger/content.ts"
import type { Entry } from "../../ledger/entry.ts"
import { isSettled } from "../../ledger/standing.ts"
import type { Difference } from "../../ledger/order.ts"
import type { LedgerReader } from "../booking/standings.ts"
import {
  findRowStanding,
  formatFinding,
  invalidOutcome,
  type Outcome,
  type RowStanding,
  toOutcome,
} from "./result.ts"
import type { BatchRow } from "./rows/row.ts"
import { addFreshRow, type FreshRows } from "./renamed.ts"
import { countStatus } from "./shipping.ts"
import { createRowsReport, type RowFinding } from "../../input/sheets/findings.ts"

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
    /** What the ledger and the shop say of rows that are not to be sent, by row number. */
    known: new Map<number, Outcome>(),
    /** The same of rows that are to be sent: an earlier try failed, or another process may be sending it. */
    before: new Map<number, Outcome>(),
    /** Rows that were sent, or are being sent, without a known outcome. */
    open: [] as BatchRow[],
    /** Entry ids that other processes may be sending. */
    sending: [] as string[],
    references: new Set<string>(),
    /** Rows to be sent. */
    fresh: { byGoods: new Map(), byDay: new Map(), postcodes: new Set() } as FreshRows,
    /** What the file says otherwise of rows that were booked: another service, or a limit. */
    ignored: [] as { reference: string; differences: readonly Difference[] }[],
    /** Rows that were booked elsewhere. */
    elsewhere: [] as { row: BatchRow; entry: Entry }[],
    /** Orders that the shop leaves out, by what it says. */
    leftOut: new Map<string, number>(),
    /** Rows to be sent by their shipping methods, of which nothing says which service they are. */
    openMethods: new Map<string, number>(),
    /** Rows to be sent whose pieces go as `--package` says, and the first of them. */
    openPieces: { count: 0, first: undefined as BatchRow | undefined },
    /** What rows sent before can have cost with GST, as far as it is known, in cents. */
    spentCents: 0,
  }
  for await (const { row, standing } of findStandings(ledger, rows, again)) {
    signal.throwIfAborted()
    checked.rows++
    checked.references.add(row.reference)
    for (const [column] of row.cells) columns.add(column)
    const findings = [...listOwnFindings(row, standing), ...addStanding(checked, row, standing)]
    if (row.booking !== undefined && standing.kind === "free") {
      const { customerReference: _, ...rest } = row.booking
      const content = contentHash("shipment", { ...rest, ...row.wish })
      counts.set(content, (counts.get(content) ?? 0) + 1)
      addFreshRow(checked.fresh, row, row.booking)
      const { openMethod, openPieces } = row
      if (openMethod !== undefined)
        checked.openMethods.set(openMethod, (checked.openMethods.get(openMethod) ?? 0) + 1)
      if (openPieces) {
        checked.openPieces.count++
        checked.openPieces.first ??= row
      }
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
function listOwnFindings(row: BatchRow, { kind }: RowStanding): readonly RowFinding[] {
  if (kind === "free") return row.findings
  return row.findings.filter((finding) => finding.row !== row.row || (!row.held && finding.rule === "unique"))
}

/** Each row, and how its order stands: so many are one question. */
export async function* findStandings(
  ledger: LedgerReader,
  rows: AsyncIterable<BatchRow> | Iterable<BatchRow>,
  again = false,
): AsyncGenerator<{ row: BatchRow; standing: RowStanding }> {
  const findAll = (group: readonly BatchRow[]) =>
    Promise.all(group.map(async (row) => ({ row, standing: await findRowStanding(ledger, row, again) })))
  let group: BatchRow[] = []
  for await (const row of rows) {
    group.push(row)
    if (group.length < ROWS_AT_ONCE) continue
    yield* await findAll(group)
    group = []
  }
  yield* await findAll(group)
}

/** Adds how a row stands to the sums. @returns the row's errors against the ledger */
function addStanding(checked: Sums, row: BatchRow, standing: RowStanding): readonly RowFinding[] {
  const { kind } = standing
  if (kind === "unknown" || kind === "sending") checked.open.push(row)
  if (kind === "sending") checked.sending.push(standing.entry.id)
  if ((kind === "booked" || kind === "elsewhere") && standing.ignored.length > 0)
    checked.ignored.push({ reference: row.reference, differences: standing.ignored })
  if (kind === "elsewhere") checked.elsewhere.push({ row, entry: standing.entry })
  if (kind === "held" && standing.held.means === "leftOut") countStatus(checked.leftOut, standing.held)
  // What another account sent is of this one, or is to be booked here as well.
  if (isSettled(standing) || kind === "sending" || kind === "other-account")
    checked.spentCents += getMostCentsBooked(standing.entry.facts) ?? 0
  const outcome = toOutcome(row, standing)
  if (kind === "free") {
    if (outcome.state === "failed") checked.before.set(row.row, outcome)
    return row.booking === undefined ? [] : row.late
  }
  checked.known.set(row.row, outcome)
  if (kind !== "not-before") return []
  return [{ row: row.row, line: row.line, rule: kind, message: outcome.error, severity: "error" }]
}

type Sums = Pick<
  Checked,
  "open" | "sending" | "known" | "before" | "leftOut" | "ignored" | "spentCents" | "elsewhere"
>

/**
 * Each row's outcome by the ledger, in row order. Errors of the row do not matter, so no flag of the run has to be
 * repeated.
 */
export async function* statusOutcomes(
  ledger: LedgerReader,
  rows: AsyncIterable<BatchRow>,
): AsyncGenerator<{ row: BatchRow; outcome: Outcome }> {
  for await (const { row, standing } of findStandings(ledger, rows))
    yield { row, outcome: row.reference === "" && !row.held ? invalidOutcome(row) : toOutcome(row, standing) }
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
