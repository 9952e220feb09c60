/** Rates as a table to choose from: numbered, with what they cost in all and when they arrive. */
import type { RateRequest } from "../../contract/generated/types.ts"
import { carrierLetter } from "../../carriers/index.ts"
import { amountOf, formatCents, formatMoney } from "../../base/money.ts"
import { BRIEF, type Column } from "../../output/index.ts"
import { type CutoffStanding, describeCutoffs } from "./cutoffs.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatClock } from "../../base/wall-clock.ts"
import { describeUnstatedGst, getTotalRange, whyOnlyNamed } from "./gst.ts"
import { arrivalText, findArrivalClock, getGstBasis, isTooLate, type RateRow, type SortKey } from "./rates.ts"

/** Marks a service that the tenant hides; the footnote says so. */
const HIDDEN_MARK = "*"
/** Marks a service that is too late for the day of its collection. */
const LATE_MARK = "!"

export function rateNotes(rows: readonly RateRow[]): string[] {
  const unstated = rows.filter((row) => isRange(getTotalRange(row))).map(({ carrier }) => carrier)
  return [
    ...(rows.some(({ visibility }) => visibility === "hidden")
      ? [`${HIDDEN_MARK} not offered by default on your account`]
      : []),
    ...describeLate(rows),
    ...describeUncompared(rows),
    ...describeUnstatedGst(unstated),
  ]
}

function isRange(range: readonly [number, number] | undefined): boolean {
  return range !== undefined && range[0] !== range[1]
}

/** With GST; a table is sorted by the higher of two amounts. As quoted if it is not compared with others. */
function formatTotal(
  row: RateRow,
  money: (amount: number | undefined, currency: string | undefined) => string,
): string {
  const range = getTotalRange(row)
  if (!range) return money(row.priceIncGst ?? row.price, row.currency)
  const [least, most] = range.map((cents) => money(amountOf(cents), row.currency))
  return least === most ? `${most}` : `${least} to ${formatCents(range[1])}`
}

/** `Not chosen by itself: B/GEN is in USD, which is not compared with AUD.` */
function describeUncompared(rows: readonly RateRow[]): string[] {
  const texts = rows.flatMap((row) => {
    const why = whyOnlyNamed(row)
    return why === undefined ? [] : [`${carrierLetter(row.carrier)}/${safeText(row.serviceCode)} ${why}`]
  })
  return texts.length === 0 ? [] : [`Chosen only by its code: ${[...new Set(texts)].join("; ")}.`]
}

/** Explains the mark, with the day: it is the same for all rates of one collection. */
function describeLate(rows: readonly RateRow[]): string[] {
  const late = rows.find(isTooLate)?.standing
  return late ? [`${LATE_MARK} ${describeCutoffs(late)}`] : []
}

/** `15:00 passed`; `15:00 (40 minutes left)` where that is soon. */
function showCutoff(cutoff: string | undefined, standing: CutoffStanding | undefined): string {
  const time = (cutoff ?? "").slice(0, 5)
  if (standing?.kind === "too late" && formatClock(standing.cutoff) === time) return `${time} passed`
  return time
}

/**
 * @param rows in the order of the table, which gives their numbers
 * @param request with the shipping date, and the place whose local time arrivals use
 * @param hasTwins two accounts are of one carrier, so that its name alone is ambiguous
 * @param by the sort key; its column stands before those that a narrow terminal leaves out
 */
export function rateColumns(
  rows: readonly RateRow[],
  { date, to }: Pick<RateRequest, "date" | "to">,
  hasTwins: boolean,
  by: SortKey = "price",
): Column<RateRow>[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const [only] = currencies.length === 1 ? currencies : []
  const money = (amount: number | undefined, currency: string | undefined) => {
    const text = formatMoney(amount, currency)
    return amount === undefined || only === undefined ? text : text.slice(only.length + 1)
  }
  const totals = new Map(rows.map((row) => [row, formatTotal(row, money)]))
  const widest = Math.max(0, ...[...totals.values()].map(({ length }) => length))
  const numbers = new Map(rows.map((row, at) => [row, at + 1]))
  const place = findArrivalClock(rows, to)
  const inCurrency = only === undefined ? "" : ` ${only}`
  const columns: Column<RateRow>[] = [
    { key: "carrier", title: "CARRIER", rank: 2, show: ({ carrier }) => BRIEF.carrier(carrier) },
    { key: "serviceCode", title: "CODE", rank: 8, gives: "nothing" },
    {
      key: "description",
      title: "SERVICE",
      rank: 3,
      show: (row) =>
        [
          ...(isTooLate(row) ? [LATE_MARK] : []),
          ...(row.visibility === "hidden" ? [HIDDEN_MARK] : []),
          row.description,
        ].join(" "),
    },
    {
      key: "price",
      title: `PRICE${inCurrency}`,
      rank: 9,
      // A quoted price cannot be compared with prices of another basis.
      hidden: new Set(rows.map(getGstBasis)).size > 1,
      align: "right",
      isMoney: true,
      show: ({ price, currency }) => money(price, currency),
    },
    { key: "currency", title: "CURRENCY", hidden: true },
    { key: "gstBasis", title: "GST", hidden: true },
    { key: "priceGst", title: "GST AMOUNT", hidden: true, isMoney: true },
    { key: "priceIncGst", title: "INC GST", hidden: true, isMoney: true },
    {
      key: "arrives",
      title: place === undefined ? "ARRIVES" : `ARRIVES (${place.toUpperCase()} TIME)`,
      rank: 5,
      show: (row) => arrivalText(row, date),
      gives: "nothing",
    },
    { key: "eta", title: "ETA", hidden: true },
    { key: "transitDays", title: "DAYS", hidden: true },
    {
      key: "bookingCutoff",
      title: "BOOK BY",
      rank: 6,
      show: ({ bookingCutoff, standing }) => showCutoff(bookingCutoff, standing),
    },
    {
      key: "collectionCutoff",
      title: "COLLECT BY",
      rank: 7,
      show: ({ collectionCutoff, standing }) => showCutoff(collectionCutoff, standing),
    },
    { key: "visibility", title: "VISIBILITY", hidden: true },
    { key: "rateId", title: "RATE", rank: 11, gives: "nothing" },
    { key: "connectorId", title: "CONNECTOR", rank: 2, hidden: !hasTwins, gives: "nothing" },
    { key: "quoteId", title: "QUOTE", hidden: true },
    { key: "number", title: "#", rank: 1, align: "right", value: (row) => numbers.get(row) },
    {
      key: "total",
      title: `TOTAL${inCurrency} INC GST`,
      rank: 4,
      isMoney: true,
      value: ({ price, priceIncGst }) => priceIncGst ?? price,
      show: (row) => (totals.get(row) ?? "").padStart(widest),
      gives: "nothing",
    },
    // At the end: some read columns by their positions.
    ...evidenceColumns(rows, money),
    {
      key: "standing",
      title: "TODAY",
      hidden: true,
      value: ({ standing }) => (standing === undefined ? "" : describeCutoffs(standing)),
    },
  ]
  return columns.map((column) =>
    column.key === SORTED_COLUMN[by] ? { ...column, rank: AFTER_SERVICE } : column,
  )
}

const SORTED_COLUMN = { price: "total", eta: "arrives", likely: "likely", reliable: "onTime" } as const
const AFTER_SERVICE = 3.5

/** All names that `--fields` takes, whatever a reply has. */
export const RATE_FIELDS = [
  ...rateColumns([], { date: "", to: {} as RateRequest["to"] }, false),
  ...(["onTime", "likely"] as const).map((key) => ({ key })),
].map(({ key }) => ({ key }))

function evidenceColumns(
  rows: readonly RateRow[],
  money: (amount: number | undefined, currency: string | undefined) => string,
): Column<RateRow>[] {
  const arrival: Column<RateRow> = {
    key: "onTime",
    title: "ON TIME",
    rank: 10,
    align: "right",
    value: ({ evidence }) =>
      evidence?.arrival && Math.floor((evidence.arrival.onTime * 100) / evidence.arrival.seen),
    show: (row) => describeOnTime(row) ?? "",
  }
  const likely: Column<RateRow> = {
    key: "likely",
    title: "LIKELY",
    rank: 10,
    align: "right",
    isMoney: true,
    value: ({ evidence }) => evidence?.likely,
    show: ({ evidence, currency }) =>
      evidence?.likely === undefined ? "" : money(evidence.likely, currency),
  }
  return [
    ...(rows.some(({ evidence }) => evidence?.arrival) ? [arrival] : []),
    ...(rows.some(({ evidence }) => evidence?.likely !== undefined) ? [likely] : []),
  ]
}

/** `94 %, 61 seen`; undefined if too few are known. */
export function describeOnTime({ evidence }: RateRow): string | undefined {
  const { arrival } = evidence ?? {}
  return arrival && `${Math.floor((arrival.onTime * 100) / arrival.seen)} %, ${arrival.seen} seen`
}
