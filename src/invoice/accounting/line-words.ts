/** Compares the words of a line with its figures. Words may be about something else, so a finding quotes them and asks. */
import { quoted } from "../../base/parsed.ts"
import {
  type CalendarDate,
  daysBetween,
  findMonth,
  findWeekday,
  parseDate,
  weekdayOf,
} from "../../base/wall-clock.ts"
import {
  type Amount,
  CENT,
  formatMoney,
  formatPlain,
  isWithin,
  ONE,
  readAmount,
  takePercent,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, type Line, listWords } from "./books.ts"
import { hasText } from "./glance.ts"
import { keepDigits } from "./identifiers.ts"
import { type DocumentRule, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const BY_DESCRIPTION = "The contract: description says what was supplied, quantity and unitPrice how much."

export const LINE_WORD_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/quantity-words",
    title: "a line's words have the quantity that is billed",
    about:
      "A sum that the description ends with, such as = 48 h, is the quantity, and kilograms are not billed as tonnes, or metres as kilometres.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.unitOfMeasure"],
    passes: ({ lines }) =>
      !lines.some(
        ({ description, unitOfMeasure }) => MEASURES.has(unitOfMeasure) && hasText(description, /\d/),
      ),
    checkLine: checkQuantityWords,
  },
  {
    id: "accounting/price-words",
    title: "a line's words have the price that is billed",
    about:
      "A price for one unit in the description, such as $98 per hour, is the unit price, in Australian dollars; cents are not taken for dollars. Where the words say that GST is in it, GST is not added to it again.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words }) => !words.match(/\$\s?\d|\d ?(?:cpl|cents?|c\/)/i),
    checkLine: checkPriceWords,
  },
  {
    id: "accounting/discount-words",
    title: "a discount is the percentage that the words say",
    about:
      "Words such as 10% discount or 15% off in a line, against the discount of the line. Discounts for early payment are left alone.",
    basis: "The contract: discountAmount is what is taken off.",
    judges: "references",
    mayBeMeant: true,
    needs: ["line.discountAmount"],
    checkLine: checkDiscountWords,
  },
  {
    id: "accounting/free-of-charge",
    title: "what is free of charge costs nothing",
    about: "A line whose words say free of charge or no charge has no price.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words }) => !words.match(FREE_OF_CHARGE),
    checkLine: checkFreeOfCharge,
  },
  {
    id: "accounting/unit-words",
    title: "a line's words and its unit measure the same",
    about:
      "A line whose words have a price such as $98 per hour, and 98 as the unit price, is measured in hours, and so for days, kilograms, tonnes, litres and metres, unless pieces are counted.",
    basis: "UN/ECE Recommendation 20.",
    judges: "references",
    mayBeMeant: true,
    needs: ["line.unitOfMeasure"],
    passes: ({ lines }) => lines.every(({ unitOfMeasure }) => !MEASURES.has(unitOfMeasure)),
    checkLine: checkUnitWords,
  },
  {
    id: "accounting/period-words",
    title: "a period ends after it begins, on days that there are",
    about:
      "Periods in the words of lines and in the comments, such as 1 to 30 September or 01/09/2026 to 30/09/2026. A date with a day of the week is on that day.",
    basis: "The calendar.",
    judges: "dates",
    mayBeMeant: true,
    passes: ({ words }) => !words.match(PERIOD_HINT),
    check: checkPeriods,
  },
  {
    id: "accounting/line-supply",
    title: "a line bills what was supplied, once",
    about:
      "A line that brings a balance of earlier invoices forward, one that names an order which is a digit off that of the invoice, and a line of freight with the same amount as the shipping of the invoice.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    purposes: new Set(["standard"]),
    passes: ({ words, summary }) =>
      !words.match(SUPPLY_HINT) && (summary.shippingAmount === undefined || !words.match(CARRIAGE_HINT)),
    checkLine: checkSupply,
  },
]

/** Units of measures, and how people write them. */
const UNIT_WORDS: readonly (readonly [code: string, words: string])[] = [
  ["HUR", "h|hrs?|hours?"],
  ["DAY", "days?"],
  ["WEE", "weeks?"],
  ["MON", "months?"],
  ["KGM", "kgs?|kilos?|kilograms?"],
  ["TNE", "t|tonnes?"],
  ["LTR", "l|lt|lit(?:re|er)s?"],
  ["MTR", "m|lm|met(?:re|er)s?"],
  ["MTK", "m2|m²|sqm|square met(?:re|er)s?"],
  ["MTQ", "m3|m³|cubic met(?:re|er)s?"],
  ["KMT", "kms?|kilomet(?:re|er)s?"],
]
const MEASURES: ReadonlySet<unknown> = new Set(UNIT_WORDS.map(([code]) => code))
const ALL_UNITS = UNIT_WORDS.map(([, words]) => words).join("|")

const UNITS = UNIT_WORDS.map(([code, words]) => [code, new RegExp(`^(?:${words})$`, "i")] as const)

function findUnit(word: string): string | undefined {
  return UNITS.find(([, words]) => words.test(word))?.[0]
}

const RESULT = new RegExp(`=\\s*(?<number>\\d[\\d,]*(?:\\.\\d+)?)\\s*(?<unit>${ALL_UNITS})(?![\\w²³])`, "i")
const COUNTS = new RegExp(
  `(?<![\\w.,$/-])(?<number>\\d[\\d,]*(?:\\.\\d+)?)\\s*(?<unit>${ALL_UNITS})(?![\\w²³])`,
  "gi",
)
/** Measures of one thing, and how many of the first make one of the second. */
const SCALES: readonly (readonly [small: string, large: string])[] = [
  ["KGM", "TNE"],
  ["MTR", "KMT"],
]

function checkQuantityWords(line: Line): readonly RuleFinding[] {
  const { quantity } = line
  const [text, unit] = [line.text("description") ?? "", line.text("unitOfMeasure")]
  if (quantity === undefined || quantity <= ZERO || !MEASURES.has(unit)) return NO_FINDINGS
  const report = (says: string): RuleFinding[] => [
    {
      pointer: line.at("quantity"),
      message: `${says}, but the quantity is ${formatPlain(quantity)}`,
      hint: "correct the quantity, or the words",
    },
  ]
  const result = text.includes("=") ? RESULT.exec(text)?.groups : undefined
  const sum = result && findUnit(result.unit ?? "") === unit ? readAmount(result.number) : undefined
  if (sum !== undefined)
    return sum === quantity ? NO_FINDINGS : report(`${quoted(text)} is ${formatPlain(sum)}`)
  const all = [...text.matchAll(COUNTS)]
  const wrongScale = SCALES.find((scale) => scale.includes(unit ?? ""))?.find((each) => each !== unit)
  const isOtherScale = (groups: Record<string, string> = {}) =>
    findUnit(groups.unit ?? "") === wrongScale && readAmount(groups.number) === quantity
  if (
    wrongScale !== undefined &&
    checkUnitWords(line).length === 0 &&
    quantity > times(ONE, 100) &&
    all.some(({ groups }) => isOtherScale(groups))
  )
    return [
      {
        pointer: line.at("unitOfMeasure"),
        message: `${quoted(text)} counts in another unit than ${unit}`,
        hint: `write ${wrongScale}, or correct the quantity`,
      },
    ]
  return NO_FINDINGS
}

const PRICE =
  /(?<currency>US|NZ|HK|A|AU|C)?\$\s?(?<price>\d[\d,]*(?:\.\d+)?)\s*(?:\/|per\b|each\b|ea\b|an?\b|for one\b)\s*(?<unit>[\w²³]+)?/i
const CENTS = /(?<![\d.,$])(?<cents>\d+(?:\.\d+)?) ?(?:cpl\b|cents? per\b|c\/(?:l|litre|kwh|mj)\b)/i
const OTHER_PRICE =
  /\b(?:was|rrp|normally|usually|list|less|off|discount\w*|save|saving|from|minimum|min|deposit|rebate|plus)\b/i
const WITH_GST = /\b(?:inc|incl|including|includes|inclusive of)\.? (?:10 ?% )?GST\b|\bGST inc/i

function checkPriceWords(line: Line): readonly RuleFinding[] {
  const text = line.text("description") ?? ""
  const said = PRICE.exec(text)?.groups
  const { unitPrice, taxAmount, taxRate } = line
  const cents = said ? undefined : CENTS.exec(text)?.groups?.cents
  if (cents !== undefined && readAmount(cents) === unitPrice)
    return [
      {
        pointer: line.at("unitPrice"),
        message: `${quoted(text)} names cents, but the unit price is as many dollars`,
        hint: "write the unit price in dollars, and correct the totals",
      },
    ]
  const price = readAmount(said?.price)
  if (!said || price === undefined || unitPrice === undefined || price === ZERO) return NO_FINDINGS
  const report = (message: string, hint: string): RuleFinding[] => [
    { pointer: line.at("unitPrice"), message: `${quoted(text)} ${message}`, hint },
  ]
  const isSame = price === unitPrice
  if (said.currency !== undefined && !/^AU?$/i.test(said.currency))
    return isSame
      ? report(
          "is in another currency, but the unit price is the same number of Australian dollars",
          "write the price in Australian dollars",
        )
      : NO_FINDINGS
  const isTaxed = (taxAmount ?? taxRate ?? ZERO) !== ZERO
  const net = WITH_GST.test(text)
  if (net && isSame && isTaxed)
    return report(
      "has GST in its price, but GST is added to it",
      "write the unit price without GST, and correct the totals",
    )
  if (isSame || net || OTHER_PRICE.test(text) || line.has("discountAmount")) return NO_FINDINGS
  const unit = line.text("unitOfMeasure")
  const word = findUnit(said.unit ?? "")
  const isOfMany = /^(?:\d+|hundred|thousand|dozen)$/i.test(said.unit ?? "")
  const isOfUnit = word === undefined ? !isOfMany && !MEASURES.has(unit) && isPiece(unit) : word === unit
  const isWithGst = isWithin(times(price, 10), times(unitPrice, 11), times(CENT, 10))
  const pieces = Number(unitPrice) / Number(price)
  const isOfSeveral = Number.isInteger(pieces) && new RegExp(`(?<![\\d.,$])${pieces}(?![\\d.,])`).test(text)
  if (!isOfUnit || isWithGst || isOfSeveral) return NO_FINDINGS
  return report(
    `asks for ${formatMoney(price)}, but the unit price is ${formatMoney(unitPrice)}`,
    "correct the unit price and the totals, or the words",
  )
}

function isPiece(unit: string | undefined): boolean {
  return unit === undefined || unit === "EA" || unit === "C62"
}

const PERCENT_OFF =
  /\b(?<percent>\d{1,2}(?:\.\d+)?) ?(?:%|per ?cent) (?:[a-z]+ ){0,2}?(?:discount|off|rebate|allowance)\b|\b(?:discount|rebate) (?:of |at )?(?<behind>\d{1,2}(?:\.\d+)?) ?(?:%|per ?cent)/i
const EARLY = /\b(?:if|when|early|prompt|settlement|within|paid by|payment|next|future)\b/i

function readPercentOff(text: string): Amount | undefined {
  const { percent, behind } = PERCENT_OFF.exec(text)?.groups ?? {}
  return EARLY.test(text) ? undefined : readAmount(percent ?? behind)
}

function checkDiscountWords(line: Line): readonly RuleFinding[] {
  const { subtotal, discountAmount: discount } = line
  if (subtotal === undefined || !discount) return NO_FINDINGS
  for (const field of ["description", "comments"]) {
    const text = line.text(field) ?? ""
    const percent = readPercentOff(text)
    if (percent === undefined) continue
    const right = takePercent(subtotal, percent)
    if (isWithin(discount, right, times(CENT, 2))) continue
    return [
      {
        pointer: line.at("discountAmount"),
        message: `${quoted(text)} is ${formatMoney(right)} of ${formatMoney(subtotal)}, but the discount is ${formatMoney(discount)}`,
        hint: "correct the discount and the totals, or the words",
      },
    ]
  }
  return NO_FINDINGS
}

const FREE_OF_CHARGE =
  /\b(?:free of charge|no charge|f\.?o\.?c\b(?!-?\d)|complimentary|at no cost|not charged)(?! (?:deliver|shipping|freight|install|if|for|when|before|until))/i
/** Words for things besides the goods that may be free of charge. */
const OTHER_IS_FREE = /\b(?:deliver|shipping|freight|install|set-?up|training|with|includ|plus)|\+|&|\band\b/i

function checkFreeOfCharge(line: Line): readonly RuleFinding[] {
  const { subtotal, discountAmount } = line
  const text = line.text("description") ?? ""
  if (!FREE_OF_CHARGE.test(text) || !subtotal || subtotal < ZERO || subtotal === discountAmount)
    return NO_FINDINGS
  if (OTHER_IS_FREE.test(text)) return NO_FINDINGS
  return [
    {
      pointer: line.at("unitPrice"),
      message: `${quoted(text)} is billed with ${formatMoney(subtotal)}`,
      hint: "write 0 as its price and correct the totals, or the words",
    },
  ]
}

const PRICE_PER_UNIT = new RegExp(
  `\\$\\s?(?<price>\\d[\\d,]*(?:\\.\\d+)?) ?(?:per |/ ?)(?<unit>${ALL_UNITS})(?![\\w²³])`,
  "i",
)

function checkUnitWords(line: Line): readonly RuleFinding[] {
  const [text, unit] = [line.text("description") ?? "", line.text("unitOfMeasure")]
  if (!MEASURES.has(unit) || text === "") return NO_FINDINGS
  const { unit: word, price } = PRICE_PER_UNIT.exec(text)?.groups ?? {}
  const meant = word === undefined ? undefined : findUnit(word)
  // Another price may be that of the other unit: $85/day is 595 a week.
  if (meant === undefined || meant === unit || readAmount(price) !== line.unitPrice) return NO_FINDINGS
  return [
    {
      pointer: line.at("unitOfMeasure"),
      message: `${quoted(text)} is a price per ${word}, but the unit is ${unit}`,
      hint: `write ${meant}, or correct the words`,
    },
  ]
}

export const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
const DAY_MONTH = `\\d{1,2}(?:st|nd|rd|th)? ${MONTH}\\b(?: \\d{4})?`
export const NUMERIC = "\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}"
const PERIOD_HINT = new RegExp(`\\b(?:${NUMERIC}|\\d{1,2}(?:st|nd|rd|th)? ${MONTH}\\b)`, "i")
/** How hire and stays write the two ends of their time. */
const ENDS = ",? (?:and )?(?:out|off[- ]hired?|check(?:ed)?[- ]?out|returned)(?: on)?"
export const WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
const WEEKDAY_OF = new RegExp(
  `\\b(?<weekday>${WEEKDAY}),? (?:the )?(?<day>${NUMERIC}|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? \\d{4})\\b`,
  "gi",
)
const PERIOD = new RegExp(
  `\\b(?<from>${NUMERIC}|${DAY_MONTH}|\\d{1,2}(?:st|nd|rd|th)?)\\s*(?:to|until|till|-|–|${ENDS})\\s*(?<to>${NUMERIC}|${DAY_MONTH})`,
  "gi",
)
const LONE_DAY = new RegExp(`\\b${DAY_MONTH}|\\b${NUMERIC}`, "gi")

/** The first period in a text that ends before it begins. */
function findTurnedPeriod(text: string): string | undefined {
  const turned = [...text.matchAll(PERIOD)].find(({ groups }) => {
    const to = readDay(groups?.to ?? "", undefined)
    const from = readDay(groups?.from ?? "", to)
    if (!from || !to) return false
    const [first, last] = [from, to].map((day) => parseDate(formatDayOf(day)))
    // Without years, December to January is a period.
    const isTurn = !/\d{4}/.test(groups?.from ?? "") && from.month > to.month
    return first?.ok && last?.ok && !isTurn && daysBetween(first.value, last.value) < 0
  })
  return turned?.[0]
}

interface DayOfYear {
  day: number
  month: number
  year: number
}

/** Some year with a 29 February. */
const ANY_YEAR = 2028

/** @param other the end of the period, which has the parts that its beginning omits */
function readDay(text: string, other: DayOfYear | undefined): DayOfYear | undefined {
  const numeric = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text)
  if (numeric) return { day: Number(numeric[1]), month: Number(numeric[2]), year: Number(numeric[3]) }
  const [, day, name, year] = /^(\d{1,2})(?:st|nd|rd|th)?(?: ([a-z]+)(?: (\d{4}))?)?$/i.exec(text) ?? []
  const month = name === undefined ? other?.month : findMonth(name)
  if (day === undefined || month === undefined) return undefined
  return { day: Number(day), month, year: Number(year ?? other?.year ?? ANY_YEAR) }
}

/** The day in a text, such as `1 to 31 October 2026` (the first) and `01/10/2026`; undefined if there is none. */
export function readWordDay(text: string): CalendarDate | undefined {
  const first = text.replace(/(?<=\d)(?:st|nd|rd|th)? (?:to|-|–|and) \d{1,2}(?:st|nd|rd|th)?(?= )/i, "")
  const day = readDay(first.replaceAll(/ of |, /g, " "), undefined)
  const date = parseDate(day ? formatDayOf(day) : "")
  return date.ok ? date.value : undefined
}

function formatDayOf({ day, month, year }: DayOfYear): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
}

function checkPeriods(books: Books): RuleFinding[] {
  return listWords(books).flatMap(([part, field]) => {
    const text = part.text(field) ?? ""
    if (!PERIOD_HINT.test(text)) return []
    const turned = findTurnedPeriod(text)
    const none = text.match(LONE_DAY)?.find((each) => {
      const day = readDay(each, undefined)
      // In a numeric date the month may come first.
      return day && day.month <= 12 && !parseDate(formatDayOf(day)).ok
    })
    const other = [...text.matchAll(WEEKDAY_OF)].find(({ groups = {} }) => {
      const date = readWordDay(groups.day ?? "")
      return date && weekdayOf(date) !== findWeekday((groups.weekday ?? "").slice(0, 3))
    })?.[0]
    if (turned === undefined && none === undefined && other === undefined) return []
    const says = turned
      ? `${quoted(turned)} ends before it begins`
      : none === undefined
        ? `${quoted(other ?? "")} is another day of the week`
        : `there is no ${none}`
    return [{ pointer: part.at(field), message: says, hint: "correct the days" }]
  })
}

const SUPPLY_HINT = /\bforward\b|\bbalance\b|\bP\.?O\b|\bpurchase order\b/i
const CARRIAGE_HINT = /\b(?:freight|delivery|courier|postage|shipping|cartage)\b/i
const OLD_BALANCE =
  /^\s*(?:balance|amount|total) (?:brought|carried) forward\b|^\s*(?:previous|prior|opening|overdue|old) (?:account )?balance\b/i
/** A line that bills delivery, and nothing else. */
const CARRIAGE =
  /^\s*(?:local |standard )?(?:freight|delivery|courier|postage|shipping|cartage)(?: (?:charge|fee|cost)s?)?\s*$/i
const ORDER_OF_LINE = /\b(?:P\.?O\.?|purchase order)(?: no\.?| number)?[ #-]*(?<order>\d{4,})\b/i

/** Whether two numbers differ in one digit, or in two that were swapped. */
function isDigitOff(one: string, other: string): boolean {
  if (one.length !== other.length) return false
  const off = [...one].flatMap((digit, at) => (digit === other[at] ? [] : [at]))
  const [first = 0, second = 0] = off
  if (off.length === 2)
    return second - first === 1 && one[first] === other[second] && one[second] === other[first]
  return off.length === 1
}

function checkSupply(line: Line, { data, summary }: Books): readonly RuleFinding[] {
  const { subtotal } = line
  const description = line.text("description") ?? ""
  if (!subtotal || subtotal < ZERO) return NO_FINDINGS
  if (OLD_BALANCE.test(description))
    return [
      {
        pointer: line.pointer,
        message: `${quoted(description)} is asked for by an earlier invoice already`,
        hint: "take the line out and correct the totals: a statement lists what is owed",
      },
    ]
  const named = keepDigits(ORDER_OF_LINE.exec(description)?.groups?.order)
  const order = data.text("poNumber") ?? ""
  if (named !== "" && !data.has("poReferences") && isDigitOff(named, keepDigits(order)))
    return [
      {
        pointer: line.at("description"),
        message: `${quoted(description)} names another order than ${quoted(order)}`,
        hint: "correct the one that is wrong, or list both orders in poReferences",
      },
    ]
  if (CARRIAGE.test(description) && subtotal === summary.amount("shippingAmount"))
    return [
      {
        pointer: line.pointer,
        message: `${formatMoney(subtotal)} is the shipping of the whole invoice, too`,
        hint: "bill it once: as a line, or as shipping; say in a comment if there are two",
      },
    ]
  return NO_FINDINGS
}
