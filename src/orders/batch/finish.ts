/** The end of every batch, from a file or a plan: books its rows, runs the follow-ups, and reports. */
import { typedAgain } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { isNamed } from "../../base/file-names.ts"
import type { Deps } from "../../session/index.ts"
import { onSameService, sandboxMark } from "../../machine/index.ts"
import { dispatchBatch } from "../dispatched/run.ts"
import { prepareDevice } from "../printing/ahead.ts"
import {
  type Batch,
  type BatchDeps,
  bookRows,
  isWhole,
  runFollowUps,
  type Stream,
  writeResults,
} from "./book.ts"
import { findEnding } from "./follow-ups.ts"
import { describeLateRows } from "./late.ts"
import type { RunFlags } from "./open.ts"
import type { Outcome } from "./outcome.ts"
import { WAITING } from "./result.ts"
import {
  checkResultsFile,
  type EarlierResults,
  formatOf,
  readEarlierResults,
  resultsFileOf,
  toRecord,
} from "./results.ts"
import type { BatchRow } from "./rows/row.ts"
import { showRecord, showSummary } from "./show.ts"
import { batchError, describeEnding, summarize } from "./summary.ts"
import { beginRun } from "./unfinished.ts"
import { keepWaiting, type RowsSource } from "./waiting.ts"

/** Flags of `freight batch book` for the steps after the bookings. */
export interface FinishOptions {
  results?: string
  labels?: string
  labelName?: string
  /** A PDF of the labels; with `mergeAll` also those of earlier days. */
  merge?: string
  mergeAll?: boolean
  print?: string | true
  pickup?: boolean
  dispatched?: string
  force?: boolean
  dryRun?: boolean
}

interface Known {
  /** Cents that its rows have cost before. */
  spentCents?: number
  /** The file of results; undefined if there is none. */
  target?: string | undefined
  earlier?: EarlierResults
  /** Arguments that name its orders in other commands; absent if none do. */
  words?: string[] | undefined
  /** Absent if the rows come from no named file. */
  from?: RowsSource | undefined
}

/** Rows and steps that failed are reported after everything was done and printed. */
export async function bookAndFinish(
  deps: Deps,
  batchDeps: BatchDeps,
  batch: Batch | Stream,
  {
    labels,
    labelName,
    merge,
    mergeAll = false,
    print: printOn,
    pickup = false,
    dispatched,
    force,
  }: FinishOptions,
  { spentCents = 0, target, earlier, words, from }: Known = {},
): Promise<undefined> {
  const streams = deps.output.format === "ndjson"
  const mark = sandboxMark(deps.globals)
  const asked = { labels, labelName, merge, print: printOn, pickup, results: target, dispatched }
  const notes =
    from && isWhole(batch) ? await beginRun(deps, batchDeps, from.file, batch.rows, asked) : undefined
  const reached: [BatchRow, Outcome][] = []
  const booked = await bookRows(batchDeps, batch, spentCents, async (row, outcome) => {
    if (!streams && !isWhole(batch)) reached.push([row, outcome])
    if (!streams) return
    await showRecord(deps, toRecord({ row, outcome, label: undefined }, mark))
  })
  if (from && isWhole(batch)) await keepWaiting(deps, batchDeps, from, batch.rows)
  const steps = {
    labels,
    labelName,
    earlier: earlier?.labels,
    merge,
    mergesAll: mergeAll,
    print: printOn,
    pickup,
  }
  const { saved, stepErrors, ended } = await runFollowUps(batchDeps, booked, steps, notes?.did)
  if (isWhole(batch)) {
    const { rows } = batch
    if (target !== undefined)
      await stepErrors.attempt("results", () =>
        writeResults(batchDeps, target, formatOf(target), rows, saved),
      )
    if (dispatched !== undefined)
      await stepErrors.attempt("dispatched", () =>
        dispatchBatch(deps, batchDeps.ledger, rows, { file: dispatched, force, ...(words && { words }) }),
      )
  }
  if (!ended && stepErrors.details.length === 0) notes?.end()
  const summary = summarize(batch.name, isWhole(batch) ? batch.rows.length : undefined, booked.tally, target)
  // NDJSON has its rows instead.
  if (!streams) {
    const ending = await findEnding(batchDeps.ledger, booked.labels, steps, saved)
    const lines = describeEnding(ending, labels ?? "", (next) => onSameService(next, deps.globals))
    const rows = isWhole(batch) ? batch.rows.map((row) => [row, row.outcome ?? WAITING] as const) : reached
    const labelOf = ({ shipmentId }: Outcome) => saved.get(shipmentId) ?? earlier?.labels.get(shipmentId)
    const records = () =>
      rows.map(([row, outcome]) => toRecord({ row, outcome, label: labelOf(outcome) }, mark))
    await showSummary(deps, summary, { ending, lines, records, ...mark }, deps.globals.verbose === true)
  }
  const wrong = batchError(summary, booked.unbooked, ended, stepErrors, {
    again(reference, flags) {
      if (from?.isPlan) return `a new plan with ${flags}`
      const { next } = words ? typedAgain(addReplacing(deps.words, reference)) : {}
      return next ?? `the same command with ${flags}`
    },
    complete: (command) => onSameService(command, deps.globals),
    isPlan: from?.isPlan === true,
  })
  if (wrong) throw wrong
  return undefined
}

/** The words of a command that books an order again after its carrier cancelled it. */
function addReplacing(typed: readonly string[], reference: string): string[] {
  const isNamed = typed.some((word, at) => word === "--again-for" && typed[at + 1] === reference)
  const isReplaced = typed.includes("--replaces")
  return [...typed, ...(isNamed ? [] : ["--again-for", reference]), ...(isReplaced ? [] : ["--replaces"])]
}

/** The cutoffs of the day may have passed since a plan was approved, or its rows were read. */
export async function warnOfLateRows(
  { warn, clock }: Pick<Deps, "warn" | "clock">,
  { rows }: Batch,
): Promise<void> {
  const late = describeLateRows(rows, clock.now())
  if (late !== undefined) await warn(late)
}

export function looksAtOnce(settings: Deps["settings"], { withoutLooking, concurrency }: RunFlags): number {
  return withoutLooking || settings.value("lookElsewhere") === "off" ? 0 : concurrency
}

/** The file of results, beside the source; undefined for standard input. */
export function findResultsFile(file = "", plan: string | undefined, sheet?: string): string | undefined {
  if (!isNamed(plan ?? file)) return undefined
  return plan === undefined ? resultsFileOf(file, sheet) : `${plan.replace(/\.json$/i, "")}.results.csv`
}

export function refuseStdout({ dispatched }: FinishOptions): void {
  if (dispatched === "-")
    throw new FreightError("usage", "--dispatched takes the name of a file, not standard output")
}

export async function preparePrint(
  deps: Deps,
  { print, dryRun }: FinishOptions,
): Promise<Pick<FinishOptions, "print">> {
  return print === undefined || dryRun ? {} : { print: await prepareDevice(deps, print) }
}

export async function checkTarget(
  files: Deps["files"],
  target: string | undefined,
  earlier: EarlierResults,
  { rows }: Batch,
  { results, force = false }: FinishOptions,
): Promise<void> {
  if (target === undefined) return
  // Another run of these rows may have ended since.
  const there = earlier.isResults ? earlier : await readEarlierResults(files, target)
  await checkResultsFile(files, { file: target, isNamed: results !== undefined, force }, there, rows)
}
