/** Progress of a batch, its summary, and its one error. */
import { counted, listSome } from "../../base/counted.ts"
import { nextCommand, quoteBlanks } from "../../base/command-line.ts"
import { amountOf, centsOf, formatMoney } from "../../base/money.ts"
import { type ErrorDetail, FreightError, withOptions } from "../../base/errors.ts"
import { type Ending, type StepErrors, followUpError } from "./follow-ups.ts"
import { describeWay, type Entry, nameBooking } from "../../ledger/index.ts"
import type { PricedRow } from "./price.ts"
import { countGst, gstText } from "./gst.ts"
import type { Tally } from "./result.ts"
import { tellCommand } from "../booking/pickup.ts"
import { collectCommand } from "../tracking/schedule.ts"

export type Summary = ReturnType<typeof summarize>

/** @param rows undefined for a stream */
export function summarize(
  file: string,
  rows: number | undefined,
  { states, recorded, elsewhere, afterCutoff, all, fresh, ...tally }: Tally,
  results: string | undefined,
) {
  return {
    file,
    rows: rows ?? tally.rows,
    booked: states.booked,
    /** Booked by an earlier run; included in `booked`. */
    recorded,
    /** Booked with another program or ledger, or in the portal; included in `booked`. */
    ...(elsewhere > 0 && { elsewhere }),
    /** Booked now although too late for the day of their collection; included in `booked`. */
    ...(afterCutoff > 0 && { afterCutoff }),
    failed: states.failed,
    unknown: states.unknown + states.sending,
    invalid: states.invalid,
    /** Only rates that missed their cutoff for today would meet their limits; not sent. */
    ...(states["too-late"] > 0 && { tooLate: states["too-late"] }),
    /** Booked before, and another order by now; not sent. */
    changed: states.changed,
    /** Equal to something booked under another key; not sent. */
    duplicate: states.duplicate,
    /** Not to be shipped, by the shop's status. */
    leftOut: states["left-out"],
    waiting: (rows ?? tally.rows) - tally.rows + states.waiting,
    /** Waiting for a shop or a person; included in `waiting`. */
    onHold: tally.onHold,
    /** Quoted prices of the booked rows, by currency. */
    totals: toTotals(all.cents),
    /** Number of rows in these totals with GST in the price, without it, and where it is not stated. */
    gst: all.gst,
    unpriced: all.unpriced,
    /** The same of what was booked now, here. */
    now: {
      booked: fresh.rows,
      totals: toTotals(fresh.cents),
      gst: fresh.gst,
      unpriced: fresh.unpriced,
    },
    results: results ?? null,
  }
}

export function toSummaryJson({ gst, now, results, ...summary }: Summary) {
  const { gst: gstNow, ...booked } = now
  return {
    ...summary,
    elsewhere: summary.elsewhere ?? 0,
    afterCutoff: summary.afterCutoff ?? 0,
    tooLate: summary.tooLate ?? 0,
    /** Number of rows in the totals with GST in the price, without it, and where it is not stated. */
    gstCounts: gst,
    now: { ...booked, gstCounts: gstNow },
    resultsFile: results,
  }
}

/** `2 of 5 rows booked for AUD 132.58 + GST; 2 booked before; 1 failed.` */
export function describeRun(summary: Summary): string {
  const {
    rows,
    recorded,
    elsewhere = 0,
    failed,
    unknown,
    invalid,
    tooLate = 0,
    changed,
    duplicate,
    leftOut,
    waiting,
    onHold,
    now,
  } = summary
  const total = totalText(now)
  const parts = [
    now.booked > 0
      ? `${now.booked} of ${counted(rows, "row")} booked${total === "" ? "" : ` for ${total}`}`
      : `none of ${counted(rows, "row")} booked now`,
    recorded > 0 && `${recorded} booked before`,
    elsewhere > 0 && `${elsewhere} booked elsewhere`,
    failed > 0 && `${failed} failed`,
    unknown > 0 && `${unknown} with an unknown outcome`,
    invalid > 0 && `${invalid} invalid`,
    tooLate > 0 && `${tooLate} too late for today`,
    changed > 0 && `${changed} changed since booking`,
    duplicate > 0 && counted(duplicate, "duplicate"),
    leftOut > 0 && `${leftOut} left out`,
    onHold > 0 && `${onHold} on hold`,
    waiting > onHold && `${waiting - onHold} not reached`,
  ]
  return `${parts.filter(Boolean).join("; ")}.`
}

/** `2 of them were sent after their cutoff, and may be collected on a later day.` */
export function describeAfterCutoff({ afterCutoff = 0 }: Summary): string[] {
  if (afterCutoff === 0) return []
  return [
    `${counted(afterCutoff, "row was", "rows were")} sent after the carrier's cutoff for today, and may go on a later day: the results say which.`,
  ]
}

/**
 * The lines after it: labels, and shipments without a pickup.
 * @param onService completes a command for the service that is used
 */
export function describeEnding(
  { labels, uncollected: { shipments, days }, untold }: Ending,
  folder: string,
  onService: (command: string) => string,
): string[] {
  const lines: string[] = []
  if (labels !== undefined) {
    const added = labels.new === labels.saved ? "" : `, ${labels.new} of them new`
    lines.push(`${counted(labels.saved, "label")} in ${folder}${added}.`)
  }
  const [first, ...others] = days
  if (first !== undefined) {
    const verb = shipments === 1 ? "has" : "have"
    const more = others.length > 0 ? ` (and so for ${others.join(", ")})` : ""
    lines.push(`${shipments} ${verb} no pickup yet, next: ${onService(collectCommand(first))}${more}`)
  }
  for (const each of untold)
    lines.push(
      `${each.shipments} ${each.shipments === 1 ? "waits" : "wait"} for pickup ${each.pickup}: call the carrier, then: ${onService(tellCommand(each))}`,
    )
  return lines
}

export function sumPrices(rows: readonly { price: number | null; currency: string }[]): Summary["totals"] {
  const cents = new Map<string, number>()
  for (const { price, currency } of rows)
    cents.set(currency, (cents.get(currency) ?? 0) + centsOf(price ?? 0))
  return toTotals(cents)
}

function toTotals(cents: ReadonlyMap<string, number>) {
  return Array.from(cents, ([currency, sum]) => ({ currency, amount: amountOf(sum) }))
}

/** `AUD 1,234.50 + GST`, `AUD 1,234.50 + NZD 20.00 (GST is in 3, not in 30, not stated for 7); 2 of them at a price that only the bill will say` */
export function totalText({ totals, gst, unpriced }: Pick<Summary, "totals" | "gst" | "unpriced">): string {
  const sums = totals.map(({ currency, amount }) => formatMoney(amount, currency)).join(" + ")
  const open = unpriced > 0 ? `${unpriced}${totals.length === 0 ? "" : " of them"} ${NOT_PRICED}` : ""
  return [totals.length === 0 ? "" : sums + gstText(gst), open].filter(Boolean).join("; ")
}

const NOT_PRICED = "at a price that only the bill will say"

/**
 * `Book 279 consignments for AUD 4,701.95?`
 * @param sent rows that would be sent; also those whose carrier did not give its price
 * @param renamed orders that may have been booked under another reference
 * @returns undefined if nothing is to be sent
 */
export function batchQuestion(
  sent: readonly Pick<PricedRow, "price" | "currency" | "gstBasis">[],
  { pickup = false, renamed = 0 }: { pickup?: boolean | undefined; renamed?: number } = {},
): string | undefined {
  const priced = sent.filter(({ price }) => price !== null)
  const unpriced = sent.length - priced.length
  const cost =
    priced.length === 0
      ? NOT_PRICED
      : `for ${totalText({ totals: sumPrices(priced), gst: countGst(priced), unpriced })}`
  const collected = pickup ? ", and have the goods collected" : ""
  const separate =
    renamed > 0 ? `, ${renamed} of them as ${renamed === 1 ? "a separate order" : "separate orders"}` : ""
  return sent.length === 0
    ? undefined
    : `Book ${counted(sent.length, "consignment")} ${cost}${unpriced > 0 ? " (--max-total refuses that)" : ""}${separate}${collected}?`
}

export interface Unbooked {
  row: number
  reference: string
  error: string
  hint?: string | undefined
  /** See `Outcome`. */
  limited?: { retryAfter: number | undefined } | undefined
  changed?: { booked: Pick<Entry, "key" | "facts" | "elsewhere">; isWithdrawn: boolean }
}

/** How to tell a person about changed orders. */
export interface Telling {
  /** The command that books an order again with these flags, or words if none can be shown. */
  again(reference: string, flags: string): string
  complete(command: string): string
  /** A plan stays as it was approved: errors in its rows are fixed in the orders. */
  isPlan?: boolean
}

function nextOfChanged(unbooked: readonly Unbooked[]): { next?: string } {
  const [first] = unbooked.flatMap(({ changed }) => changed?.booked ?? [])
  return first && !first.elsewhere ? nextCommand("freight", "cancel", nameBooking(first)) : {}
}

function listWays(unbooked: readonly Unbooked[], { again, complete }: Telling): string[] {
  const [withdrawn, changed] = [true, false].map((is) =>
    unbooked.filter((each) => each.changed?.isWithdrawn === is),
  )
  return [changed, withdrawn].flatMap((group = []) => {
    const [first, ...others] = group
    if (!first?.changed) return []
    const flags = `--again-for ${quoteBlanks(first.reference)} --replaces`
    const next = again(first.reference, flags)
    const way = describeWay(first.changed.booked, first.changed.isWithdrawn ? null : next, complete)
    const more =
      others.length > 0 ? ` So it is with ${listSome(others.map(({ reference }) => reference))}.` : ""
    return [`${first.reference}: ${way}${more}`]
  })
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
  telling: Telling = {
    again: (_, flags) => `the same command with ${flags}`,
    complete: (command) => command,
  },
): FreightError | undefined {
  const { rows, booked, failed, unknown, invalid, tooLate = 0, changed, duplicate, waiting } = summary
  const sorted = [...unbooked].sort((a, b) => a.row - b.row)
  const hints = [...sorted.flatMap(({ hint }) => hint ?? []), ...listWays(sorted, telling)]
  const rowErrors = sorted.map(
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
      hint: [UNKNOWN_HINT, ...new Set(hints)].join(" "),
      next: "freight reconcile",
    })
  if (ended)
    return withOptions(new FreightError(endKind(ended, booked), `${ended.message}; ${so}`), {
      errors,
      hint: [ended.hint, AGAIN_HINT].filter(Boolean).join(" "),
      ...(ended.next !== undefined && { next: ended.next }),
    })
  // Rows that wait here were reached, and held.
  const unbookedRows = failed + invalid + tooLate + duplicate + waiting
  const wrong = [
    unbookedRows > 0 ? `${unbookedRows} of ${rows} rows were not booked` : "",
    changed > 0 ? `${counted(changed, "order has", "orders have")} changed since booking` : "",
  ].filter(Boolean)
  // Rows that only wait for the service are not refused: running it again is all that is to be done. Waiting rows were not
  // reached.
  if (sorted.length > 0 && sorted.every(({ limited }) => limited !== undefined) && changed === 0) {
    const waits = sorted.flatMap(({ limited }) => limited?.retryAfter ?? [])
    return new FreightError(
      "rateLimited",
      `${counted(sorted.length + waiting, "row was", "rows were")} not booked, because the service limits requests; ${so}`,
      {
        errors,
        hint: "Run the same command again after the wait: booked rows are not booked again.",
        ...(waits.length > 0 && { retryAfter: Math.max(...waits) }),
      },
    )
  }
  const forNewPlan = telling.isPlan ? invalid : 0
  const toRetry = unbookedRows - waiting - forNewPlan
  if (wrong.length > 0)
    return new FreightError("refused", `${wrong.join(", ")}; ${so}`, {
      code: "ROWS_NOT_BOOKED",
      errors,
      hint: [
        ...new Set(hints),
        ...(forNewPlan > 0 ? [NEW_PLAN_HINT] : []),
        ...(toRetry > 0 ? [AGAIN_HINT] : []),
      ].join(" "),
      ...nextOfChanged(sorted),
    })
  return followUpError(stepErrors)
}

const AGAIN_HINT =
  "Fix the errors and run the same command again: booked rows are not booked again, and the others are retried."
const NEW_PLAN_HINT =
  "For the rows that are not in the plan, fix the orders and make a new plan of the same file: booked rows are not booked again."
const UNKNOWN_HINT =
  "Rows with an unknown outcome may be booked, and are not sent again: freight reconcile looks for them. The others can be run again."

/** "Nothing was sent" would be false for a batch that has booked something. */
function endKind({ kind, exitCode }: FreightError, booked: number): FreightError["kind"] {
  return exitCode === 2 && booked > 0 ? "refused" : kind
}

/** `120 of 500: 110 booked, 4 failed, 6 unknown, 2 not sent, 35/s, 0:11 left` */
export function progressText(
  { rows: done, states }: Tally,
  rows: number | undefined,
  seconds: number,
): string {
  const notSent = states.invalid + states["too-late"] + states.changed + states.duplicate
  const rate = seconds > 0 ? done / seconds : 0
  const left = rows !== undefined && rate > 0 ? `, ${clockText((rows - done) / rate)} left` : ""
  const parts = [
    `${states.booked} booked`,
    `${states.failed} failed`,
    `${states.unknown + states.sending} unknown`,
    ...(notSent > 0 ? [`${notSent} not sent`] : []),
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
