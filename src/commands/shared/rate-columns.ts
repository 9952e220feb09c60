/** Rates as a table to choose from: numbered, with what they cost in all and when they arrive. */
import type { RateRow } from "../../booking/rates.ts"
import { counted } from "../../contract/counted.ts"
import { formatMoney } from "../../contract/money.ts"
import {
  type CalendarDate,
  addDays,
  MONTHS,
  parseDate,
  WEEKDAYS,
  weekdayOf,
} from "../../contract/wall-clock.ts"
import { BRIEF, type Column } from "../../terminal/columns.ts"

/** Marks a service that the tenant hides; the footnote says so. */
const HIDDEN_MARK = "*"
export const HIDDEN_NOTE = `${HIDDEN_MARK} hidden: it can be booked, and your account does not offer it first.`

/**
 * @param rows in the order in which they are shown, which is what their numbers say
 * @param date the shipping date, `yyyy-MM-dd`
 * @param hasTwins two accounts are of one carrier, so that its name alone does not tell them apart
 */
export function rateColumns(
  rows: readonly RateRow[],
  date: string | undefined,
  hasTwins: boolean,
): Column<RateRow>[] {
  const currencies = [...new Set(rows.map(({ currency }) => currency))]
  const [only] = currencies.length === 1 ? currencies : []
  const money = (amount: number, currency: string) => {
    const text = formatMoney(amount, currency)
    return only === undefined ? text : text.slice(only.length + 1)
  }
  const totals = new Map(rows.map((row) => [row, money(row.priceIncGst ?? row.price, row.currency)]))
  const widest = Math.max(0, ...[...totals.values()].map(({ length }) => length))
  const numbers = new Map(rows.map((row, at) => [row, at + 1]))
  const inCurrency = only === undefined ? "" : ` ${only}`
  return [
    { key: "carrier", title: "CARRIER", rank: 2, show: ({ carrier }) => BRIEF.carrier(carrier) },
    { key: "serviceCode", title: "CODE", rank: 8, gives: "nothing" },
    {
      key: "description",
      title: "SERVICE",
      rank: 3,
      show: ({ description, visibility }) =>
        visibility === "hidden" ? `${HIDDEN_MARK} ${description}` : description,
    },
    {
      key: "price",
      title: `PRICE${inCurrency}`,
      rank: 9,
      align: "right",
      show: ({ price, currency }) => money(price, currency),
    },
    { key: "currency", title: "CURRENCY", hidden: true },
    { key: "gstBasis", title: "GST", hidden: true },
    { key: "priceGst", title: "GST AMOUNT", hidden: true },
    { key: "priceIncGst", title: "INC GST", hidden: true },
    {
      key: "arrives",
      title: "ARRIVES",
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
      show: ({ bookingCutoff }) => bookingCutoff.slice(0, 5),
    },
    {
      key: "collectionCutoff",
      title: "COLLECT BY",
      rank: 7,
      show: ({ collectionCutoff }) => collectionCutoff.slice(0, 5),
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
      value: ({ price, priceIncGst }) => priceIncGst ?? price,
      show: (row) => `${(totals.get(row) ?? "").padStart(widest)} ${gstWords(row)}`,
      gives: "nothing",
    },
  ]
}

/** Whether the total holds GST: carrier B alone says it. */
function gstWords({ priceIncGst }: RateRow): string {
  return priceIncGst === undefined ? "GST not stated" : "incl."
}

/**
 * When a rate arrives, with its weekday so that arrivals compare: `Mon 30 Nov 17:00 (7 days)`. Of transit days the
 * contract does not say whether weekends count, so the day is a rough one: `about Mon 30 Nov (5 days)`.
 * @param date the shipping date, `yyyy-MM-dd`
 */
export function arrivalText(
  { eta, transitDays }: Pick<RateRow, "eta" | "transitDays">,
  date?: string,
): string {
  const shipped = parseDate(date ?? "")
  const [, etaDay = "", time = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(eta ?? "") ?? []
  const due = parseDate(etaDay)
  if (due.ok)
    return `${dayText(due.value)} ${time}${shipped.ok ? ` (${counted(daysBetween(shipped.value, due.value), "day")})` : ""}`
  if (eta) return eta
  if (transitDays === undefined || transitDays === null) return "not stated"
  const days = counted(transitDays, "day")
  return shipped.ok ? `about ${dayText(addDays(shipped.value, transitDays))} (${days})` : days
}

/** `Mon 30 Nov` */
function dayText(date: CalendarDate): string {
  return `${WEEKDAYS[weekdayOf(date)]} ${date.day} ${MONTHS[date.month - 1]}`
}

function daysBetween(from: CalendarDate, to: CalendarDate): number {
  const utc = ({ year, month, day }: CalendarDate) => Date.UTC(year, month - 1, day)
  return Math.round((utc(to) - utc(from)) / 86_400_000)
}
