/** When the invoice is due. */
import { addDays, type CalendarDate, formatDate, parseDate, wallClockNow } from "../../contract/wall-clock.ts"
import { CONTRACT_ZONES } from "../../contract/zones.ts"
import type { Amount } from "./amounts.ts"
import type { Books } from "./books.ts"
import type { DocumentRule, Remark } from "./rule.ts"

export const DATE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/due-before-invoiced",
    title: "due on or after the invoice date",
    about: "An invoice cannot be due before it was issued. Being due on the same day is fine.",
    basis: "The contract: invoiceDate is when the invoice was issued, dueDate when payment is due.",
    check: orderRemarks,
  },
  {
    id: "accounting/due-net-days",
    title: "due the agreed number of days after the invoice date",
    about:
      "Counts the days of the payment terms from the invoice date, by the calendar: on the dates as they are written, or on the clocks of any Australian state.",
    basis: "The contract: netDays is the number of days until payment is due.",
    check: termRemarks,
  },
]

interface Moment {
  /** The day as it is written, whatever the offset. */
  day: CalendarDate
  /** Milliseconds since the epoch. */
  instant: number
}

/** Reads an RFC 3339 date-time; undefined for what the contract does not allow anyway. */
function momentOf(text: string | undefined): Moment | undefined {
  const shape = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d{1,40})?(?:Z|[+-]\d{2}:\d{2})$/i
  const match = shape.exec(text?.slice(0, 80) ?? "")
  const day = parseDate(match?.[1] ?? "")
  const instant = Date.parse(match?.[0].toUpperCase() ?? "")
  return day.ok && !Number.isNaN(instant) ? { day: day.value, instant } : undefined
}

function momentsOf({ data }: Books): { invoiced: Moment; due: Moment } | undefined {
  if (!data.has("dueDate")) return undefined
  const [invoiced, due] = [momentOf(data.text("invoiceDate")), momentOf(data.text("dueDate"))]
  return invoiced && due && { invoiced, due }
}

function orderRemarks(books: Books): Remark[] {
  const moments = momentsOf(books)
  if (!moments) return []
  const { invoiced, due } = moments
  if (due.instant >= invoiced.instant || formatDate(due.day) >= formatDate(invoiced.day)) return []
  return [
    {
      pointer: books.data.at("dueDate"),
      message: `${formatDate(due.day)} is before the invoice date ${formatDate(invoiced.day)}`,
      hint: "correct whichever of the two is wrong: day and month may be swapped",
    },
  ]
}

/** Terms of more than a thousand years are left alone. */
const MOST_DAYS = 365_250

function termRemarks(books: Books): Remark[] {
  const days = daysOf(books.data.part("paymentTerms").amount("netDays"))
  const moments = days === undefined ? undefined : momentsOf(books)
  if (!moments || days === undefined) return []
  const { invoiced, due } = moments
  const right = formatDate(addDays(invoiced.day, days))
  if (right === formatDate(due.day)) return []
  if (
    CONTRACT_ZONES.some((zone) => {
      const [from, to] = [wallClockNow(invoiced.instant, zone), wallClockNow(due.instant, zone)]
      return formatDate(addDays(from, days)) === formatDate(to)
    })
  )
    return []
  return [
    {
      pointer: books.data.at("dueDate"),
      message: `${days} days after the invoice date ${formatDate(invoiced.day)} is ${right}, due date says ${formatDate(due.day)}`,
      hint: "correct the due date, or the net days of the payment terms",
    },
  ]
}

function daysOf(amount: Amount | undefined): number | undefined {
  const days = amount === undefined ? Number.NaN : Number(amount) / 1e6
  return Math.abs(days) <= MOST_DAYS ? days : undefined
}
