/** Books rows, several at once, through the ledger and one limiter. */
import { LONG_RUN, workThrough } from "../../api/index.ts"
import { FreightError, type ErrorKind } from "../../base/errors.ts"
import { hashDayGoods } from "../../ledger/index.ts"
import { type BookDeps, bookRow } from "./book-row.ts"
import { keepStanding } from "./check.ts"
import { createCarriers } from "./limits.ts"
import {
  CARRIER_DOWN,
  describeLate,
  findRowStanding,
  invalidOutcome,
  toFailure,
  toOutcome,
} from "./result.ts"
import type { Outcome } from "./outcome.ts"
import { findTwins } from "./renamed.ts"
import { type BatchRow, isToSend } from "./rows/row.ts"

/** Outcomes that are not failures of a carrier or the service: the next row may well be booked. */
const NO_FAILURES: readonly Outcome["state"][] = ["duplicate", "changed", "too-late", "left-out"]

interface RunOptions {
  stopAfter: number | undefined
  onOutcome(row: BatchRow, outcome: Outcome): Promise<void>
}

/** Failures that every other row would meet. */
const FATAL: readonly ErrorKind[] = ["unauthenticated", "forbidden", "config", "stepFailed", "interrupted"]

/** Whether the service asks for a wait that is too long for a batch: every other row would be refused as well. */
function isLimitedForLong({ limited }: Outcome): boolean {
  return (limited?.retryAfter ?? 0) * 1000 > LONG_RUN.waitMs
}

/**
 * Books every row that is not booked yet. Rows that were not reached are not passed to `onOutcome`; nor are those after
 * a row that the service limits for long. A bug ends it once everything under way has ended.
 * @returns why it ended early: Ctrl-C, failures in a row, or a failure that every row would meet
 */
export async function runRows(
  deps: Omit<BookDeps, "carriers"> & {
    /** Aborted by the first Ctrl-C: finishes what is under way and begins nothing new. */
    signal: AbortSignal
  },
  rows: Iterable<BatchRow> | AsyncIterable<BatchRow>,
  options: RunOptions,
): Promise<FreightError | undefined> {
  const { signal } = deps
  const { onOutcome, stopAfter } = options
  const carriers = createCarriers()
  let ended: FreightError | undefined
  let failuresInARow = 0
  let isLimited = false
  const isOver = () => ended !== undefined || isLimited || signal.aborted

  const count = async (row: BatchRow, outcome: Outcome, error?: FreightError): Promise<void> => {
    if (error && FATAL.includes(error.kind)) ended ??= error
    if (isLimitedForLong(outcome)) isLimited = true
    failuresInARow = outcome.state === "booked" ? 0 : failuresInARow + 1
    if (failuresInARow === stopAfter)
      ended ??= new FreightError("refused", `stopped after ${failuresInARow} failures in a row`)
    await onOutcome(row, outcome)
  }

  /** @returns whether its carrier is down: it is left for later */
  const bookOne = async (row: BatchRow): Promise<boolean> => {
    const before = await findOutcome(deps, row)
    if (before) {
      const { state } = before
      const isFailure = !row.held && !["changed", "duplicate", "left-out"].includes(state)
      await (isFailure || state === "booked" ? count : onOutcome)(row, before)
      return false
    }
    if (!isToSend(row)) {
      await onOutcome(row, invalidOutcome(row))
      return false
    }
    const book = async (onMade: () => void): Promise<boolean> => {
      if (isOver()) return false
      try {
        const outcome = await bookRow({ ...deps, carriers }, row, onMade)
        if (!outcome) return true
        await count(row, outcome)
      } catch (error) {
        if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
        const outcome = toFailure(row, error)
        if (NO_FAILURES.includes(outcome.state)) await onOutcome(row, outcome)
        else await count(row, outcome, error)
      }
      return false
    }
    try {
      // Count a failure before making room: it may be the last one that the run accepts.
      return await deps.limiter.admit(book, deps.ledger.signal)
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      ended ??= error
      return false
    }
  }

  /** Rows up to the first that cannot be read, which ends the run. */
  async function* readable(): AsyncGenerator<BatchRow> {
    try {
      yield* rows
    } catch (error) {
      if (error instanceof FreightError) ended ??= error
      else if (!signal.aborted) throw error
    }
  }

  const bookAll = async (source: AsyncIterable<BatchRow> | Iterable<BatchRow>): Promise<BatchRow[]> => {
    const left: BatchRow[] = []
    await workThrough(
      source,
      deps.limiter.mostAtWork,
      async (row) => {
        if (await bookOne(row)) left.push(row)
      },
      isOver,
    )
    return left
  }

  let left = await bookAll(readable())
  while (left.length > 0 && !isOver() && carriers.another()) left = await bookAll(left)
  for (const row of left) await onOutcome(row, CARRIER_DOWN)
  return ended ?? (signal.aborted ? new FreightError("interrupted", "interrupted") : undefined)
}

/** The outcome of a row that is not to be sent; one that comes without a check before is looked up now. */
async function findOutcome(
  { ledger, again, newOrders }: Pick<BookDeps, "ledger" | "again" | "newOrders">,
  row: BatchRow,
): Promise<Outcome | undefined> {
  if (row.outcome) return row.isFree ? undefined : row.outcome
  const standing = await findRowStanding(ledger, row, again)
  keepStanding(row, standing, true)
  if (!row.isFree) return row.outcome
  if (standing.kind !== "free") return undefined
  const ofDay = row.request && hashDayGoods(row.request)
  if (ofDay !== undefined && !again && !newOrders) {
    const [twin] = await findTwins(ledger, new Map([[ofDay, [row]]]), new Set())
    if (twin) return toOutcome(row, { kind: "equal", entry: twin.elsewhere })
  }
  const late = describeLate(row)
  return late === undefined ? undefined : invalidOutcome(row, late)
}
