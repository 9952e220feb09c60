/** Rates as a table to choose from: numbered, with what they cost in all and when they arrive. */
import type { RateRequest } from "../../contract/generated/types.ts"
import { carrierLetter } from "../../carriers/names.ts"
import { formatMoney } from "../../base/money.ts"
import { BRIEF, type Column } from "../../output/terminal/columns.ts"
import { type CutoffStanding, describeCutoffs } from "../../contract/cutoffs.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatClock } from "../../base/wall-clock.ts"
import { whyOnlyNamed } from "./gst.ts"
import { arrivalText, findArrivalClock, getGstBasis, isTooLate, type RateRow } from "./rates.ts"

/** Marks a service that the tenant hides; the footnote says so. */
const HIDDEN_MARK = "*"
/** Marks a service that is too late for the day of its collection. */
const LATE_MARK = "!"

/** What must be known to compare the rates of a table. */
export function rateNotes(rows: readonly RateRow[]): string[] {
  const unsaid = rows.find((row) => getGstBasis(row) === "unknown")
  return [
    ...(rows.some(({ visibility }) => visibility === "hidden")
      ? [`${HIDDEN_MARK} not offered by default on your account`]
      : []),
    ...describeLate(rows),
    ...describeUncompared(rows),
    ...(unsaid && rows.some((row) => getGstBasis(row) !== "unknown")
      ? [
          `Ranked by price with GST, which is added where a carrier does not say that it is in. If it is: freight config set gst ${carrierLetter(unsaid.carrier)}=included.`,
        ]
      : []),
  ]
}

/** `Not chosen by itself: B/GEN is in USD, which is not compared with AUD.` */
function describeUncompared(rows: readonly RateRow[]): string[] {
  const texts = rows.flatMap((row) => {
    const why = whyOnlyNamed(row)
    return why === undefined ? [] : [`${carrierLetter(row.carrier)}/${safeText(row.serviceCode)} ${why}`]
  })
  return texts.length === 0 ? [] : [`Chosen only by its code: ${[...new Set(texts)].join("; ")}.`]
}

/** What the mark means, and the day: it is the same for all rates of one collection. */
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
 * @param rows in the order in which they are shown, which is what their numbers say
 * @param request with the shipping date, and the place of which the arrivals are local times
 * @param hasTwins two accounts are of one carrier, so that its name alone does not tell them apart
 */
export function rateColumns(
  rows: readonly RateRow[],
  { date, to }: Pick<RateRequest, "date" | "to">,
  hasTwins: boolean,
): Column<RateRow>[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const [only] = currencies.length === 1 ? currencies : []
  const money = (amount: number | undefined, currency: string | undefined) => {
    const text = formatMoney(amount, currency)
    return amount === undefined || only === undefined ? text : text.slice(only.length + 1)
  }
  const totals = new Map(rows.map((row) => [row, money(row.priceIncGst ?? row.price, row.currency)]))
  const widest = Math.max(0, ...[...totals.values()].map(({ length }) => length))
  const numbers = new Map(rows.map((row, at) => [row, at + 1]))
  const place = findArrivalClock(rows, to)
  const inCurrency = only === undefined ? "" : ` ${only}`
  return [
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
      title: `TOTAL${inCurrency}`,
      rank: 4,
      isMoney: true,
      value: ({ price, priceIncGst }) => priceIncGst ?? price,
      show: (row) => `${(totals.get(row) ?? "").padStart(widest)} ${gstWords(row)}`,
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
}

/** All that `--fields` takes, whatever a reply has. */
export const RATE_FIELDS = [
  ...rateColumns([], { date: "", to: {} as RateRequest["to"] }, false),
  ...(["onTime", "likely"] as const).map((key) => ({ key })),
].map(({ key }) => ({ key }))

/** How a service arrived and what its price is likely to come to: nothing where no rate has it. */
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

/** `94 %, 61 seen`; undefined where too few are known. */
export function describeOnTime({ evidence }: RateRow): string | undefined {
  const { arrival } = evidence ?? {}
  return arrival && `${Math.floor((arrival.onTime * 100) / arrival.seen)} %, ${arrival.seen} seen`
}

/** Whether the total holds GST, where the carrier says it. */
function gstWords({ priceIncGst }: RateRow): string {
  return priceIncGst === undefined ? "GST not stated" : "incl."
}
