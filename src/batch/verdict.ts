/** How a batch ended, in numbers and as one error. */
import { amountOf, formatMoney } from "../contract/money.ts"
import { type ErrorDetail, FreightError, withOptions } from "../errors.ts"
import { type Trouble, troubleError } from "./after.ts"
import type { Tally } from "./result.ts"

/** What `--json` prints of a run. */
export interface Summary {
  file: string
  rows: number
  booked: number
  /** Of those, how many an earlier run had booked. */
  recorded: number
  failed: number
  unknown: number
  invalid: number
  /** Held back: something equal was booked under another key. */
  duplicate: number
  /** Not reached. */
  waiting: number
  /** Of the booked rows, as quoted; one for each currency. */
  totals: { currency: string; amount: number }[]
  /** Booked rows whose price is not known: not in the totals. */
  unpriced: number
  /** Where each row's result stands. */
  results: string | null
}

/** @param rows how many there are; undefined when they were taken as they came */
export function summaryOf(
  file: string,
  rows: number | undefined,
  { states, cents, recorded, unpriced, ...tally }: Tally,
  results: string | undefined,
): Summary {
  return {
    file,
    rows: rows ?? tally.rows,
    booked: states.booked,
    recorded,
    failed: states.failed,
    unknown: states.unknown + states.sending,
    invalid: states.invalid + states.changed,
    duplicate: states.duplicate,
    waiting: (rows ?? tally.rows) - tally.rows + states.waiting,
    totals: [...cents].map(([currency, sum]) => ({ currency, amount: amountOf(sum) })),
    unpriced,
    results: results ?? null,
  }
}

/** `AUD 1,234.50 + NZD 20.00`; the bookings whose price is not known are named. */
export function totalText({ totals, unpriced }: Pick<Summary, "totals" | "unpriced">): string {
  const sums = totals.map(({ currency, amount }) => formatMoney(amount, currency)).join(" + ")
  return [sums, unpriced > 0 ? `${unpriced} without a price` : ""].filter(Boolean).join("; ")
}

/** A row that is not booked. */
export interface Unbooked {
  row: number
  reference: string
  error: string
}

/**
 * The one error for all that is not as it should be; undefined when every row is booked and all that was to follow was
 * done. What may exist goes before what does not, and that before a step that is missing.
 */
export function verdictOf(
  summary: Summary,
  unbooked: readonly Unbooked[],
  ended: FreightError | undefined,
  trouble: Trouble,
): FreightError | undefined {
  const { rows, booked, failed, unknown, invalid, duplicate, waiting } = summary
  const rowErrors = [...unbooked]
    .sort((a, b) => a.row - b.row)
    .map(
      ({ row, reference, error }): ErrorDetail => ({
        message: `row ${row}${reference ? ` (${reference})` : ""}: ${error}`,
      }),
    )
  const errors = [...rowErrors, ...trouble.details.map(({ next: _, ...detail }) => detail)]
  const so = `${booked} of ${rows} rows are booked`
  if (ended?.kind === "interrupted")
    return new FreightError("interrupted", `interrupted: ${so}, ${waiting} were not reached`, {
      errors,
      hint: unknown > 0 ? UNKNOWN_HINT : AGAIN_HINT,
      ...(unknown > 0 && { next: "freight reconcile" }),
    })
  if (unknown > 0)
    return new FreightError("outcomeUnknown", `${unknown} of ${rows} rows have no known outcome; ${so}`, {
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
  const unbookedRows = failed + invalid + duplicate
  if (unbookedRows > 0)
    return new FreightError("refused", `${unbookedRows} of ${rows} rows were not booked; ${so}`, {
      errors,
      hint: duplicate > 0 ? `${DUPLICATE_HINT} ${AGAIN_HINT}` : AGAIN_HINT,
    })
  return troubleError(trouble)
}

const DUPLICATE_HINT = "Duplicates were held back: if they are orders of their own, book them with --again."
const AGAIN_HINT =
  "Mend what is wrong and run the same line again: what is booked is not booked again, and the rest is tried."
const UNKNOWN_HINT =
  "Rows without a known outcome may exist, and are not sent again: freight reconcile looks for them. The others can be run again."

/** A wrong set-up promises that nothing was sent, which is true only of a batch that had booked nothing. */
function endKind({ kind, exitCode }: FreightError, booked: number): FreightError["kind"] {
  return exitCode === 2 && booked > 0 ? "refused" : kind
}
