/** Runs that were killed or failed part-way: what each was asked to do, and what remains. */
import path from "node:path"
import { typedAgain } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { findStats } from "../../base/system.ts"
import type { LedgerDeps } from "../../ledger/index.ts"
import type { BegunRun, Runs, RunStep } from "../../machine/index.ts"
import { labelFileNames } from "../booking/label-files.ts"
import { findStanding, type LedgerReader } from "../booking/standings.ts"
import { findWithoutPickup } from "./pickups.ts"
import { type BatchRow, isSecond, isToSend } from "./rows/row.ts"

export interface Asked {
  labels?: string | undefined
  labelName?: string | undefined
  merge?: string | undefined
  print?: string | true | undefined
  pickup?: boolean | undefined
  results?: string | undefined
  dispatched?: string | undefined
}

/** Records the steps that a run has done, so that a killed one can be finished. */
export interface RunNotes {
  did(step: RunStep): void
  end(): void
}

/** Flags that the printed line leaves out. Without `--yes`, the person who pastes it is asked. */
const NOT_AGAIN = ["--json", "--yes", "-y"]

/** Records what a run is asked to do, before it books anything. */
export async function beginRun(
  deps: { runs(): Promise<Runs>; words: readonly string[] },
  { ledger: { owner, clock } }: { ledger: Pick<LedgerDeps, "owner" | "clock"> },
  file: string,
  rows: readonly BatchRow[],
  { labelName, print, pickup, ...files }: Asked,
): Promise<RunNotes> {
  const runs = await deps.runs()
  const orders = rows
    .filter((row) => isToSend(row) || row.outcome?.state === "booked")
    .map((row) => ({ key: row.key, reference: row.reference, isSecond: isSecond(row) }))
  const steps: BegunRun["steps"] = {
    ...Object.fromEntries(Object.entries(files).filter(([, place]) => place !== undefined)),
    ...(print !== undefined && { print: print === true ? "" : print }),
    ...(pickup && { pickup: "" }),
  }
  const run: BegunRun = {
    file: path.resolve(file),
    words: deps.words.filter((word) => !NOT_AGAIN.includes(word)),
    folder: path.resolve(""),
    scope: owner.scope,
    account: owner.fingerprint,
    begunAt: clock.now(),
    orders,
    steps,
    ...(labelName !== undefined && { labelName }),
    done: [],
  }
  if (orders.length === 0) {
    // If none of its rows is to be sent any more, an earlier run of the file has nothing left either.
    if (rows.every(({ outcome }) => outcome?.state === "left-out")) runs.end(run)
    return { did() {}, end() {} }
  }
  runs.keep(run)
  return {
    did(step) {
      run.done.push(step)
      runs.keep(run)
    },
    end: () => runs.end(run),
  }
}

/** Remaining steps of a run: numbers count rows or shipments, texts name a file. */
export interface Unfinished {
  file: string
  /** The folder in which to run the line. */
  folder: string
  /** ISO 8601 in UTC. */
  begunAt: string
  left: {
    /** Rows that are not booked. */
    rows: number
    labels: number
    mergeFile: string | null
    print: boolean
    /** Shipments without a pickup. */
    pickup: number
    resultsFile: string | null
    dispatchedFile: string | null
  }
  /** For people. */
  what: string
  /** The command that finishes it. */
  next: string
}

/** @returns undefined if nothing is left */
export async function findUnfinished(ledger: LedgerReader, run: BegunRun): Promise<Unfinished | undefined> {
  const { steps, done, folder, file } = run
  const { rows, booked } = await findRows(ledger, run)
  const ids = booked.map(({ shipmentId }) => shipmentId)
  const isLeft = (step: RunStep) => steps[step] !== undefined && !done.includes(step)
  const placeOf = (step: RunStep) => (isLeft(step) ? (steps[step] ?? null) : null)
  const labelled = (each: BookedRow) => hasLabel(path.resolve(folder, steps.labels ?? ""), run, each)
  const left: Unfinished["left"] = {
    rows,
    labels: steps.labels === undefined ? 0 : booked.filter((each) => !labelled(each)).length,
    mergeFile: placeOf("merge"),
    print: isLeft("print"),
    pickup:
      steps.pickup === undefined
        ? 0
        : (await findWithoutPickup(ledger.store, run.scope, ids)).uncollected.length,
    resultsFile: placeOf("results"),
    dispatchedFile: placeOf("dispatched"),
  }
  const parts = [
    left.rows > 0 && `${counted(left.rows, "row is", "rows are")} not booked`,
    left.labels > 0 && `${counted(left.labels, "label is", "labels are")} missing in ${steps.labels}`,
    left.mergeFile !== null && `${left.mergeFile} is not written`,
    left.print && "the labels are not all printed",
    left.pickup > 0 && `${counted(left.pickup, "shipment has", "shipments have")} no pickup`,
    left.resultsFile !== null && `${left.resultsFile} is not written`,
    left.dispatchedFile !== null && `${left.dispatchedFile} is not written`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return undefined
  const isHere = path.resolve("") === folder
  return {
    file,
    folder,
    begunAt: new Date(run.begunAt).toISOString(),
    left,
    what: `${parts.join("; ")}${isHere ? "" : `. Run it in ${folder}`}`,
    next: typedAgain(run.words).next ?? "freight help batch book",
  }
}

interface BookedRow {
  key: string
  reference: string
  shipmentId: string
  consignment: string | undefined
}

const KEYS_AT_ONCE = 64

/** How many rows are not booked, and those that are. Rows without a known outcome, or cancelled since, are neither. */
async function findRows(
  ledger: LedgerReader,
  { orders }: BegunRun,
): Promise<{ rows: number; booked: BookedRow[] }> {
  let rows = 0
  const booked: BookedRow[] = []
  for (let at = 0; at < orders.length; at += KEYS_AT_ONCE) {
    const some = orders.slice(at, at + KEYS_AT_ONCE)
    const found = await Promise.all(
      some.map(({ key, isSecond: again }) => findStanding(ledger, { key, written: { fields: {} }, again })),
    )
    for (const [n, standing] of found.entries()) {
      const { key, reference } = some[n] as BegunRun["orders"][number]
      if (standing.kind === "free") rows += 1
      const { own } = standing
      const stands = own?.state === "done" && own.cancelledAt === undefined
      const { shipmentId, consignmentNumber } = stands ? own.facts : {}
      if (shipmentId !== undefined)
        booked.push({ key, reference, shipmentId, consignment: consignmentNumber })
    }
  }
  return { rows, booked }
}

function hasLabel(folder: string, { labelName }: BegunRun, row: BookedRow): boolean {
  const names = [row.key, row.reference].flatMap((reference) =>
    labelFileNames({ ...row, reference }, labelName),
  )
  return names.some(({ name }) => findStats(path.join(folder, name)) !== undefined)
}

/** Recent runs of this account that have something left. */
export async function findUnfinishedRuns(
  ledger: LedgerReader & { scope: string | undefined; account: string },
  runs: readonly BegunRun[],
): Promise<Unfinished[]> {
  const found: Unfinished[] = []
  for (const run of runs) {
    const isOwn = ledger.owner === undefined || run.scope === ledger.scope || run.account === ledger.account
    const unfinished = isOwn ? await findUnfinished(ledger, run) : undefined
    if (unfinished) found.push(unfinished)
  }
  return found
}
