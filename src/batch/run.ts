/** Books rows, several at once, through the ledger and one limiter. */
import { workThrough } from "../api/limiter.ts"
import { FreightError, type ErrorKind } from "../errors.ts"
import { AlreadyMade } from "../ledger/refusals.ts"
import type { Clock } from "../ports.ts"
import { type BookDeps, bookRow, type DeferredRow, findKnownResult } from "./book-row.ts"
import { createCarriers } from "./limits.ts"
import type { Offer } from "../booking/offer.ts"
import { createFailedResult, invalidResult, type RowResult } from "./result.ts"
import type { BatchRow } from "./rows/row.ts"

interface RunDeps extends Omit<BookDeps, "carriers"> {
  clock: Clock
  /** Aborted by the first Ctrl-C: finishes what is under way and begins nothing new. */
  signal: AbortSignal
}

interface RunOptions {
  stopAfter: number | undefined
  offers: ReadonlyMap<number, Offer>
  /** Reasons not to book rows that look good by themselves, by row number. */
  bad: ReadonlyMap<number, string>
  onResult(result: RowResult): Promise<void>
}

/** Failures that every other row would meet. */
const FATAL: readonly ErrorKind[] = ["unauthenticated", "forbidden", "config", "stepFailed", "interrupted"]
const OTHERS_MS = 120_000
const PAUSE_MS = 100

/**
 * Books every row that is not booked yet. Rows that were not reached are not passed to `onResult`.
 * @returns why it ended early: Ctrl-C, failures in a row, or a failure that every row would meet
 * @throws errors other than FreightError, once everything under way has ended
 */
export async function runRows(
  deps: RunDeps,
  rows: AsyncIterable<BatchRow>,
  options: RunOptions,
): Promise<FreightError | undefined> {
  const { clock, signal } = deps
  const carriers = createCarriers()
  let ended: FreightError | undefined
  let failuresInARow = 0
  const isOver = () => ended !== undefined || signal.aborted

  const tell = async (result: RowResult, error?: FreightError): Promise<void> => {
    if (error && FATAL.includes(error.kind)) ended ??= error
    failuresInARow = result.state === "booked" ? 0 : failuresInARow + 1
    if (failuresInARow === options.stopAfter)
      ended ??= new FreightError("refused", `stopped after ${failuresInARow} failures in a row`)
    await options.onResult(result)
  }

  /** Tells the row's result. @returns the row if it is left for later */
  const reportResult = async (
    row: BatchRow,
    work: () => Promise<RowResult | DeferredRow | undefined>,
  ): Promise<DeferredRow | undefined> => {
    try {
      const done = await work()
      if (!done || "result" in done) return done
      const isHeld = row.held !== undefined && done.state !== "booked"
      if (isHeld || done.state === "changed" || done.state === "duplicate") await options.onResult(done)
      else await tell(done)
    } catch (error) {
      if (!(error instanceof FreightError)) throw error
      if (error.kind === "interrupted") ended ??= error
      else if (error instanceof AlreadyMade) await options.onResult(createFailedResult(row, error))
      else await tell(createFailedResult(row, error), error)
    }
    return undefined
  }

  const bookOne = async (row: BatchRow): Promise<DeferredRow | undefined> => {
    const bad = options.bad.get(row.row)
    return reportResult(row, async () => {
      const known = await findKnownResult(deps, row)
      if (known) return known
      if (row.booking === undefined || bad !== undefined) {
        await options.onResult(invalidResult(row, bad))
        return undefined
      }
      const book = (onMade: () => void) =>
        bookRow({ ...deps, carriers }, row, options.offers.get(row.row), onMade)
      // A failure is told before it makes room: it may be the last that the run bears.
      return deps.limiter.admit(
        (leave) => reportResult(row, async () => (isOver() ? undefined : book(leave))),
        deps.ledger.signal,
      )
    })
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

  const bookAll = async (source: AsyncIterable<BatchRow> | Iterable<BatchRow>): Promise<DeferredRow[]> => {
    const deferred: DeferredRow[] = []
    await workThrough(
      source,
      deps.limiter.mostAtWork,
      async (row) => {
        const later = await bookOne(row)
        if (later) deferred.push(later)
      },
      isOver,
    )
    return deferred
  }

  let deferred = await bookAll(readable())
  const deadline = clock.now() + OTHERS_MS
  while (deferred.length > 0 && !ended && !signal.aborted) {
    const hasChance = carriers.another()
    const others = clock.now() < deadline && deferred.some(({ why }) => why === "sending")
    if (!hasChance && !others) break
    if (!hasChance) await clock.sleep(PAUSE_MS, signal).catch(() => {})
    if (signal.aborted) break
    deferred = await bookAll(deferred.map(({ result }) => result.row))
  }
  for (const { result } of deferred) await options.onResult(result)
  return ended ?? (signal.aborted ? new FreightError("interrupted", "interrupted") : undefined)
}
