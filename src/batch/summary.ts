/** Progress of a batch, its summary, and its one error. */
import { counted } from "../contract/counted.ts"
import { amountOf, centsOf, formatMoney } from "../contract/money.ts"
import { type ErrorDetail, FreightError, withOptions } from "../errors.ts"
import { type StepErrors, followUpError } from "./follow-ups.ts"
import type { Tally } from "./result.ts"
import type { Clock } from "../ports.ts"
import type { Terminal } from "../terminal/terminal.ts"

export type Summary = ReturnType<typeof summarize>

/** @param rows undefined for a stream */
export function summarize(
  file: string,
  rows: number | undefined,
  { states, cents, recorded, unpriced, ...tally }: Tally,
  results: string | undefined,
) {
  return {
    file,
    rows: rows ?? tally.rows,
    booked: states.booked,
    /** Of those, booked by an earlier run. */
    recorded,
    failed: states.failed,
    unknown: states.unknown + states.sending,
    invalid: states.invalid,
    /** Booked before, and another order by now; not sent. */
    changed: states.changed,
    /** Equal to something booked under another key; not sent. */
    duplicate: states.duplicate,
    /** Not to be shipped, as the shop says. */
    leftOut: states["left-out"],
    waiting: (rows ?? tally.rows) - tally.rows + states.waiting,
    /** Quoted prices of the booked rows, by currency. */
    totals: toTotals(cents),
    unpriced,
    results: results ?? null,
  }
}

/** Sums of prices, by currency. */
export function sumPrices(rows: readonly { price: number | null; currency: string }[]): Summary["totals"] {
  const cents = new Map<string, number>()
  for (const { price, currency } of rows)
    cents.set(currency, (cents.get(currency) ?? 0) + centsOf(price ?? 0))
  return toTotals(cents)
}

function toTotals(cents: ReadonlyMap<string, number>) {
  return Array.from(cents, ([currency, sum]) => ({ currency, amount: amountOf(sum) }))
}

/** `AUD 1,234.50 + NZD 20.00; 2 without a price` */
export function totalText({ totals, unpriced }: Pick<Summary, "totals" | "unpriced">): string {
  const sums = totals.map(({ currency, amount }) => formatMoney(amount, currency)).join(" + ")
  return [sums, unpriced > 0 ? `${unpriced} without a price` : ""].filter(Boolean).join("; ")
}

export interface Unbooked {
  row: number
  reference: string
  error: string
}

/**
 * The one error of a batch; undefined if every row is booked and all follow-ups are done. Unknown outcomes come
 * before failures, and those before missing follow-ups.
 */
export function batchError(
  summary: Summary,
  unbooked: readonly Unbooked[],
  ended: FreightError | undefined,
  stepErrors: StepErrors,
): FreightError | undefined {
  const { rows, booked, failed, unknown, invalid, changed, duplicate, waiting } = summary
  const rowErrors = [...unbooked]
    .sort((a, b) => a.row - b.row)
    .map(
      ({ row, reference, error }): ErrorDetail => ({
        message: `row ${row}${reference ? ` (${reference})` : ""}: ${error}`,
      }),
    )
  const errors = [...rowErrors, ...stepErrors.details]
  const so = `${booked} of ${rows} rows are booked`
  if (ended?.kind === "interrupted")
    return new FreightError("interrupted", `interrupted: ${so}, ${waiting} were not reached`, {
      errors,
      hint: unknown > 0 ? UNKNOWN_HINT : AGAIN_HINT,
      ...(unknown > 0 && { next: "freight reconcile" }),
    })
  if (unknown > 0)
    return new FreightError("outcomeUnknown", `${unknown} of ${rows} rows have an unknown outcome; ${so}`, {
      errors,
      hint: UNKNOWN_HINT,
      next: "freight reconcile",
    })
  if (ended)
    return withOptions(new FreightError(endKind(ended, booked), `${ended.message}; ${so}`), {
      errors,
      hint: [ended.hint, AGAIN_HINT].filter(Boolean).join(" "),
      ...(ended.next !== undefined && { next: ended.next }),
    })
  // What is waiting here was reached, and held.
  const unbookedRows = failed + invalid + duplicate + waiting
  const wrong = [
    unbookedRows > 0 ? `${unbookedRows} of ${rows} rows were not booked` : "",
    changed > 0 ? `${counted(changed, "order has", "orders have")} changed since booking` : "",
  ].filter(Boolean)
  if (wrong.length > 0)
    return new FreightError("refused", `${wrong.join(", ")}; ${so}`, {
      errors,
      hint: [
        changed > 0 ? CHANGED_HINT : "",
        duplicate > 0 ? DUPLICATE_HINT : "",
        waiting > 0 ? WAITING_HINT : "",
        unbookedRows > waiting ? AGAIN_HINT : "",
      ]
        .filter(Boolean)
        .join(" "),
    })
  return followUpError(stepErrors)
}

const DUPLICATE_HINT = "Duplicates were not sent: if they are separate orders, book them with --again."
const CHANGED_HINT =
  "Nothing was sent for an order that has changed: freight cancel REFERENCE says whom to call. If a second consignment is meant: --again-for REFERENCE."
const WAITING_HINT = "A later run books orders that wait, once the shop has another status for them."
const AGAIN_HINT =
  "Fix the errors and run the same command again: booked rows are not booked again, and the others are retried."
const UNKNOWN_HINT =
  "Rows with an unknown outcome may be booked, and are not sent again: freight reconcile looks for them. The others can be run again."

/** "Nothing was sent" would be false for a batch that has booked something. */
function endKind({ kind, exitCode }: FreightError, booked: number): FreightError["kind"] {
  return exitCode === 2 && booked > 0 ? "refused" : kind
}

const EVERY_MS = 200
const PLAIN_EVERY_MS = 10_000
const WIDTH = 24
const NARROWEST = 8
const CLEAR = "\r\u001b[K"

/** @param rows undefined while they are still coming */
export function createProgress(
  { stderr, unicode }: Pick<Terminal, "stderr" | "unicode">,
  clock: Pick<Clock, "now">,
  rows: number | undefined,
) {
  const began = clock.now()
  let next = began + (stderr.isTTY ? 0 : PLAIN_EVERY_MS)
  let shown = false
  return {
    /** Shows progress if it is time to. */
    async show(tally: Tally): Promise<void> {
      const now = clock.now()
      if (now < next) return
      next = now + (stderr.isTTY ? EVERY_MS : PLAIN_EVERY_MS)
      const text = progressText(tally, rows, (now - began) / 1000)
      if (!stderr.isTTY) return stderr.write(`${text}\n`)
      shown = true
      const width = Math.min(WIDTH, stderr.columns - text.length - "[] ".length - 1)
      const bar =
        rows === undefined || width < NARROWEST ? "" : `${barText(tally.rows / rows, width, unicode)} `
      await stderr.write(`${CLEAR}${`${bar}${text}`.slice(0, stderr.columns - 1)}`)
    },
    async clear(): Promise<void> {
      if (shown) await stderr.write(CLEAR)
      shown = false
    },
  }
}

function barText(share: number, width: number, unicode: boolean): string {
  const full = Math.min(width, Math.floor(share * width))
  const [done, left] = unicode ? ["━", "╌"] : ["#", "."]
  return `[${done.repeat(full)}${left.repeat(width - full)}]`
}

/** `120 of 500: 110 booked, 4 failed, 6 unknown, 35/s, 0:11 left` */
export function progressText(
  { rows: done, states }: Tally,
  rows: number | undefined,
  seconds: number,
): string {
  const failed = states.failed + states.invalid + states.changed + states.duplicate
  const rate = seconds > 0 ? done / seconds : 0
  const left = rows !== undefined && rate > 0 ? `, ${clockText((rows - done) / rate)} left` : ""
  const parts = [
    `${states.booked} booked`,
    `${failed} failed`,
    `${states.unknown + states.sending} unknown`,
    `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
  ]
  return `${done}${rows === undefined ? "" : ` of ${rows}`}: ${parts.join(", ")}${left}`
}

function clockText(seconds: number): string {
  const whole = Math.ceil(seconds)
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  const tail = String(whole % 60).padStart(2, "0")
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`
}
