/** When the invoice is due. */
import { adviseText, CONTRACT_ZONES } from "../../contract/index.ts"
import {
  addDays,
  type CalendarDate,
  daysBetween,
  formatDate,
  isWeekend,
  parseDate,
  wallClockNow,
  weekdayOf,
} from "../../base/wall-clock.ts"
import { isDateTime } from "../formats.ts"
import { type Amount, toPlain } from "./amounts.ts"
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
      "The due date must be the invoice date plus the net days of the payment terms. Days are counted on the dates as written, or on the clocks of any Australian state. Where the terms say end of month, they may be counted from there, or to there. A day that is no business day may be moved to the next that is.",
    basis: "The contract: netDays is the number of days until payment is due.",
    judges: "dates",
    needs: ["data.dueDate", "data.paymentTerms"],
    check: checkNetDays,
  },
  {
    id: "accounting/date-range",
    title: "dates are between 2000 and 2100",
    about:
      "A year before 2000 or after 2100 comes from a typing mistake, such as 0026 or 2206, or from a program's empty date.",
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
  {
    id: "accounting/invoice-date",
    title: "the invoice date is near the time of the document",
    about:
      "An invoice is created at most half a year after its date, or three months before it. More is a year, or a day and month, that was mistyped.",
    basis:
      "The contract: timestamp is when the document was created, invoiceDate when the invoice was issued.",
    judges: "dates",
    needs: ["root.timestamp"],
    passes: ({ root, data }) => isSameMonth(root.timestamp, data.invoiceDate),
    check: checkInvoiceDate,
  },
  {
    id: "accounting/draft-date",
    title: "a draft is not dated far ahead, or years ago",
    about:
      "A draft is dated three months ahead at the most, or three years back, by the day of the check: more is a year, or a day and month, that was mistyped. Only freight invoice validate and invoice show know the day; a program gives it with today.",
    basis: "The contract: invoiceDate is when the invoice was issued.",
    judges: "dates",
    mayBeMeant: true,
    passes: ({ isDraft, today, root, data }) =>
      !isDraft ||
      today === undefined ||
      root.timestamp !== undefined ||
      (isSameDayOrLater(today, data.invoiceDate) &&
        today.slice(0, 4) === String(data.invoiceDate).slice(0, 4)),
    check: checkDraftDate,
  },
  {
    id: "accounting/shipping-date",
    title: "goods are shipped near the time of order and invoice",
    about:
      "A shipping date is at most three months after the invoice date, and at most two before the first order. The ship notice names a day within a month of it.",
    basis: "The contract: shippingDate and shipmentDate are when the goods that are billed were shipped.",
    judges: "dates",
    needs: [["data.shipmentDetails", "data.asnReference"]],
    check: checkShippingDates,
  },
  {
    id: "accounting/order-date",
    title: "an order is not dated long after its invoice",
    about: "An invoice follows its order. An order that confirms it may follow within a week.",
    basis: "The contract: poReferences are the purchase orders that are invoiced, orderDate their dates.",
    judges: "dates",
    mayBeMeant: true,
    needs: ["data.poReferences"],
    check: checkOrderDates,
  },
]

function isSameMonth(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && one.slice(0, 7) === other.slice(0, 7)
}

const FIRST_YEAR = 2000
const LAST_YEAR = 2100

/** Whether a date, with a time or without, is in a year that an invoice may name. */
function isInRange(date: string): boolean {
  const year = Number(date.slice(0, 4))
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** False if a discount has its own dates. */
function areDatesInRange({ root, data }: Glance): boolean {
  const read = (part: unknown, field: string) => (Object(part) as Record<string, unknown>)[field]
  const orders = data.poReferences ?? []
  return (
    read(data.paymentTerms, "discountTerms") === undefined &&
    Array.isArray(orders) &&
    orders.every((order) => isAbsentOrInRange(read(order, "orderDate"))) &&
    [
      ...[root.timestamp, data.invoiceDate, data.dueDate],
      read(data.documentReference, "invoiceDate"),
      read(data.asnReference, "shipmentDate"),
      read(data.shipmentDetails, "shippingDate"),
    ].every(isAbsentOrInRange)
  )
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

interface DatedInstant {
  /** The day as it is written, whatever the offset. */
  day: CalendarDate
  /** Milliseconds since the epoch. */
  instant: number
}

/** Moments that were read last: several rules read the same few of a document. */
const moments = new Map<string, DatedInstant | undefined>()
const MAX_MOMENTS = 100

/** Undefined for an invalid date-time, for a year that is reported as wrong, and for a leap second. */
export function readMoment(text: string | undefined): DatedInstant | undefined {
  if (text === undefined) return undefined
  if (moments.has(text)) return moments.get(text)
  if (moments.size >= MAX_MOMENTS) moments.clear()
  const moment = parseMoment(text)
  moments.set(text, moment)
  return moment
}

function parseMoment(text: string): DatedInstant | undefined {
  if (!isDateTime(text) || !isInRange(text)) return undefined
  const day = parseDate(text.slice(0, "2026-11-20".length))
  const instant = Date.parse(text.toUpperCase())
  return day.ok && !Number.isNaN(instant) ? { day: day.value, instant } : undefined
}

function readMoments({ data }: Books): { invoiced: DatedInstant; due: DatedInstant } | undefined {
  if (!data.has("dueDate")) return undefined
  const [invoiced, due] = [readMoment(data.text("invoiceDate")), readMoment(data.text("dueDate"))]
  return invoiced && due && { invoiced, due }
}

/** Whether payment is due before the invoice is issued. */
export function checkDueDate(books: Books): RuleFinding[] {
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
const MAX_DAYS = 365_250

/** Whether the due date is the net days after the invoice date. */
export function checkNetDays(books: Books): RuleFinding[] {
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
  if (
    listDueDays(invoiced.day, days, books.terms.text("description")).some((day) => mayBeMoved(day, due.day))
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

const END_OF_MONTH = /\be\.?o\.?m\b|\bend of (?:the )?month\b/i

/** The possible due days, by the net days and, if the terms name it, by the end of the month. */
export function listDueDays(invoiced: CalendarDate, days: number, terms = ""): CalendarDate[] {
  const right = addDays(invoiced, days)
  if (!END_OF_MONTH.test(terms)) return [right]
  return [right, addDays(findMonthEnd(invoiced), days), findMonthEnd(right)]
}

export function findMonthEnd({ year, month }: CalendarDate): CalendarDate {
  const next = month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }
  return addDays(next, -1)
}

/** Whether `due` is the day itself, or the first business day after it. */
export function mayBeMoved(day: CalendarDate, due: CalendarDate): boolean {
  const away = daysBetween(day, due)
  if (away < 0 || away > MAX_MOVED_DAYS || (away > 0 && isWeekend(due))) return false
  return Array.from({ length: away }, (_, index) => addDays(day, index)).every(
    // The Monday after a weekend may be a state's own holiday.
    (each, index) => isWeekend(each) || isNationalHoliday(each) || (index > 0 && weekdayOf(each) === MONDAY),
  )
}

/** As `mayBeMoved`, but one day off is allowed: a date may have no zone, or that of its reader. */
export function isNearOrMoved(day: CalendarDate, due: CalendarDate): boolean {
  return Math.abs(daysBetween(day, due)) <= 1 || mayBeMoved(day, due)
}

/** Days from Good Friday, or Christmas on a Friday, to the next business day, at most. */
const MAX_MOVED_DAYS = 5
const MONDAY = 1
/** Holidays of all states, and the days that replace them if they fall on a weekend. */
const FIXED_HOLIDAYS = /-(?:01-01|01-26|04-25|12-25|12-26)$/
const SUBSTITUTES = /-(?:01-0[23]|01-2[78]|04-2[67]|12-2[78])$/

function isNationalHoliday(day: CalendarDate): boolean {
  const date = formatDate(day)
  if (FIXED_HOLIDAYS.test(date)) return true
  if (SUBSTITUTES.test(date) && [MONDAY, MONDAY + 1].includes(weekdayOf(day))) return true
  return [-2, 1].includes(daysBetween(findEaster(day.year), day))
}

/** Easter Sunday by the Gregorian computus, in the form of Meeus. */
function findEaster(year: number): CalendarDate {
  const golden = year % 19
  const [century, rest] = [Math.floor(year / 100), year % 100]
  const leaps = Math.floor(century / 4)
  const moon = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leaps - moon + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const days = epact + weekday - 7 * late + 114
  return { year, month: Math.floor(days / 31), day: (days % 31) + 1 }
}

interface Distance {
  from: DatedInstant | undefined
  part: Part
  field: string
  /** Days before and after `from`, at most. */
  before?: number
  after: number
  words: string
}

/** Reports a date that is further from another than is usual. */
function checkDistance({ from, part, field, before, after, words }: Distance): RuleFinding[] {
  const moment = from && readMoment(part.text(field))
  if (!from || !moment || part.isBroken(field)) return []
  const days = Math.round((moment.instant - from.instant) / DAY_MS)
  if (days <= after && (before === undefined || -days <= before)) return []
  const side = days < 0 ? "before" : "after"
  return [
    {
      pointer: part.at(field),
      message: `${formatDate(moment.day)} is ${Math.abs(days).toLocaleString("en-AU")} days ${side} ${words}`,
      hint: "correct the year, or the month and day that may be swapped",
    },
  ]
}

const DAY_MS = 86_400_000
/** Maximum days between issue date and sending, backward and forward. */
const MAX_ISSUED_BEFORE = 183
const MAX_ISSUED_AHEAD = 92
/** Drafts wait for this long at most, also those that a test or an archive has (days). */
const MAX_DRAFTED_BEFORE = 1096
/** Goods are shipped this long before they are ordered in writing, at most (days). */
const MAX_SHIPPED_BEFORE_ORDER = 62
/** Goods are shipped this long after the invoice, at most (days). */
const MAX_SHIPPED_AFTER = 92
/** Maximum days between a ship notice and the shipment. */
const MAX_NOTICED_APART = 31
/** Orders are confirmed this long after the invoice, at most (days). */
const MAX_ORDERED_AFTER = 7

function checkInvoiceDate({ root, data }: Books): RuleFinding[] {
  const from = readMoment(root.text("timestamp"))
  const words = "the document was created"
  const limits = { before: MAX_ISSUED_BEFORE, after: MAX_ISSUED_AHEAD }
  return checkDistance({ from, part: data, field: "invoiceDate", words, ...limits })
}

function checkDraftDate({ root, data, isDraft, today = "" }: Books): RuleFinding[] {
  const from = readMoment(`${today}T00:00:00Z`)
  if (!isDraft || root.has("timestamp")) return []
  return checkDistance({
    from,
    part: data,
    field: "invoiceDate",
    before: MAX_DRAFTED_BEFORE,
    after: MAX_ISSUED_AHEAD,
    words: "today",
  })
}

/** The invoice date; undefined if it is reported as wrong, so that one mistake has one finding. */
export function findInvoiceMoment(books: Books): DatedInstant | undefined {
  return checkInvoiceDate(books).length > 0 ? undefined : readMoment(books.data.text("invoiceDate"))
}

function checkShippingDates(books: Books): RuleFinding[] {
  const { data } = books
  const from = findInvoiceMoment(books)
  const fields = [
    [data.part("shipmentDetails"), "shippingDate"],
    [data.part("asnReference"), "shipmentDate"],
  ] as const
  const words = "the invoice date"
  const orders = data.parts("poReferences").flatMap((order) => readMoment(order.text("orderDate")) ?? [])
  const [first] = orders.sort((one, other) => one.instant - other.instant)
  const [shipped, noticed] = fields.map(([part, field]) => readMoment(part.text(field)))
  if (shipped && noticed && Math.abs(shipped.instant - noticed.instant) > MAX_NOTICED_APART * DAY_MS)
    return [
      {
        pointer: data.part("asnReference").at("shipmentDate"),
        message: `${formatDate(noticed.day)} is far from the shipping date of the shipment details, ${formatDate(shipped.day)}`,
        hint: "correct the one that is wrong",
      },
    ]
  return fields.flatMap(([part, field]) => {
    const found = checkDistance({ from, part, field, after: MAX_SHIPPED_AFTER, words })
    if (found.length > 0 || orders.length < data.parts("poReferences").length) return found
    const before = MAX_SHIPPED_BEFORE_ORDER
    return checkDistance({ from: first, part, field, before, after: MAX_DAYS, words: "the order" })
  })
}

function checkOrderDates(books: Books): RuleFinding[] {
  const from = findInvoiceMoment(books)
  const words = "the invoice date"
  return books.data
    .parts("poReferences")
    .flatMap((part) => checkDistance({ from, part, field: "orderDate", after: MAX_ORDERED_AFTER, words }))
}

export function countDays(amount: Amount | undefined): number | undefined {
  const days = amount === undefined ? Number.NaN : toPlain(amount)
  return Math.abs(days) <= MAX_DAYS ? days : undefined
}
