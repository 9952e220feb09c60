/** When the invoice is due. */
import { adviseText } from "../../contract/explain/advice.ts"
import { addDays, type CalendarDate, formatDate, parseDate, wallClockNow } from "../../base/wall-clock.ts"
import { CONTRACT_ZONES } from "../../contract/zones.ts"
import { isDateTime } from "../formats.ts"
import type { Amount } from "./amounts.ts"
import type { Books, Part } from "./books.ts"
import type { Glance } from "./glance.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

export const DATE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/due-before-invoiced",
    title: "the due date is not before the invoice date",
    about: "An invoice cannot be due before it is issued. It may be due on the same day.",
    basis: "The contract: invoiceDate is when the invoice was issued, dueDate when payment is due.",
    judges: "dates",
    needs: ["data.dueDate"],
    passes: ({ data }) => isSameDayOrLater(data.dueDate, data.invoiceDate),
    check: checkDueDate,
  },
  {
    id: "accounting/due-net-days",
    title: "the due date is the agreed number of days after the invoice date",
    about:
      "The due date must be the invoice date plus the net days of the payment terms. Days are counted on the dates as written, or on the clocks of any Australian state.",
    basis: "The contract: netDays is the number of days until payment is due.",
    judges: "dates",
    needs: ["data.dueDate", "data.paymentTerms"],
    check: checkNetDays,
  },
  {
    id: "accounting/date-range",
    title: "dates are between 2000 and 2100",
    about:
      "A year before 2000 or after 2100 comes from a typing mistake, such as 0026 or 2206, or from a program's empty date. No date is compared with today.",
    basis: "No invoice of this contract was issued before 2000.",
    judges: "dates",
    passes: areDatesInRange,
    check: checkYears,
  },
  {
    id: "accounting/timestamp-utc",
    title: "the timestamp is in UTC",
    about:
      "The time at which the canonical invoice was created ends in Z or +00:00. All other dates may have any offset.",
    basis: "The contract: timestamp is a UTC time.",
    judges: "dates",
    needs: ["root.timestamp"],
    passes: ({ root }) => typeof root.timestamp === "string" && root.timestamp.endsWith("Z"),
    check: checkTimestamp,
  },
]

const FIRST_YEAR = 2000
const LAST_YEAR = 2100

/** Whether a date, with a time or without, is in a year that an invoice may name. */
function isInRange(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** Says no where a field has dates of its own. */
function areDatesInRange({ root, data }: Glance): boolean {
  const isAlone =
    data.documentReference === undefined &&
    data.poReferences === undefined &&
    data.asnReference === undefined &&
    data.shipmentDetails === undefined &&
    data.paymentTerms === undefined
  return isAlone && [root.timestamp, data.invoiceDate, data.dueDate].every(isAbsentOrInRange)
}

function isAbsentOrInRange(date: unknown): boolean {
  return date === undefined || (typeof date === "string" && isInRange(date))
}

/** Whether a date is on the day of another as written, or later. */
function isSameDayOrLater(date: unknown, other: unknown): boolean {
  return typeof date === "string" && typeof other === "string" && date.slice(0, 10) >= other.slice(0, 10)
}

function checkYears({ root, data, tiers }: Books): RuleFinding[] {
  const dates: (readonly [Part, string])[] = [
    [root, "timestamp"],
    [data, "invoiceDate"],
    [data, "dueDate"],
    [data.part("documentReference"), "invoiceDate"],
    ...data.parts("poReferences").map((order) => [order, "orderDate"] as const),
    [data.part("asnReference"), "shipmentDate"],
    [data.part("shipmentDetails"), "shippingDate"],
    ...tiers.map((tier) => [tier, "discountDueDate"] as const),
  ]
  return dates.flatMap(([part, field]) => {
    const date = part.text(field)
    if (date === undefined || part.isBroken(field) || isInRange(date)) return []
    return [
      {
        pointer: part.at(field),
        message: `the year ${date.slice(0, 4)} is not between ${FIRST_YEAR} and ${LAST_YEAR}`,
        hint: "correct the year, or leave the field out if there is no date",
      },
    ]
  })
}

function checkTimestamp({ root }: Books): RuleFinding[] {
  const timestamp = root.text("timestamp")
  if (timestamp === undefined || root.isBroken("timestamp") || /(?:z|[+-]00:00)$/i.test(timestamp)) return []
  const instant = Date.parse(timestamp)
  return [
    {
      pointer: root.at("timestamp"),
      message: `${timestamp} is not in UTC`,
      ...(Number.isNaN(instant)
        ? { hint: "write it in UTC, with Z at its end" }
        : adviseText(new Date(instant).toISOString().replace(/\.0+Z$/, "Z"), { safety: "suggestion" })),
    },
  ]
}

interface Moment {
  /** The day as it is written, whatever the offset. */
  day: CalendarDate
  /** Milliseconds since the epoch. */
  instant: number
}

/** Undefined for what is not a date-time, for a year that is reported as wrong, and for a leap second. */
function readMoment(text: string | undefined): Moment | undefined {
  if (text === undefined || !isDateTime(text) || !isInRange(text)) return undefined
  const day = parseDate(text.slice(0, "2026-11-20".length))
  const instant = Date.parse(text.toUpperCase())
  return day.ok && !Number.isNaN(instant) ? { day: day.value, instant } : undefined
}

function readMoments({ data }: Books): { invoiced: Moment; due: Moment } | undefined {
  if (!data.has("dueDate")) return undefined
  const [invoiced, due] = [readMoment(data.text("invoiceDate")), readMoment(data.text("dueDate"))]
  return invoiced && due && { invoiced, due }
}

function checkDueDate(books: Books): RuleFinding[] {
  const moments = readMoments(books)
  if (!moments) return []
  const { invoiced, due } = moments
  if (due.instant >= invoiced.instant || formatDate(due.day) >= formatDate(invoiced.day)) return []
  return [
    {
      pointer: books.data.at("dueDate"),
      message: `${formatDate(due.day)} is before the invoice date ${formatDate(invoiced.day)}`,
      hint: "correct the date that is wrong; day and month may be swapped",
    },
  ]
}

/** Terms of more than a thousand years are left alone. */
const MOST_DAYS = 365_250

function checkNetDays(books: Books): RuleFinding[] {
  const days = countDays(books.terms.amount("netDays"))
  const moments = days === undefined ? undefined : readMoments(books)
  if (!moments || days === undefined || checkDueDate(books).length > 0) return []
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
      message: `${days} days after the invoice date ${formatDate(invoiced.day)} is ${right}, but the due date says ${formatDate(due.day)}`,
      hint: "correct the due date, or the net days of the payment terms",
    },
  ]
}

function countDays(amount: Amount | undefined): number | undefined {
  const days = amount === undefined ? Number.NaN : Number(amount) / 1e6
  return Math.abs(days) <= MOST_DAYS ? days : undefined
}
