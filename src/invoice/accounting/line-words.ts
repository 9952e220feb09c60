/** The words of a line against its figures. Words may be about something else: a finding says what they say, and asks. */
import { counted } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import {
  addDays,
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
  GST_PERCENT,
  isWithin,
  ONE,
  readAmount,
  readFigure,
  takePercent,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, isGst, type Line, listWords, type Part } from "./books.ts"
import { hasText } from "./glance.ts"
import { type DocumentRule, GST_ACT, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const BY_DESCRIPTION = "The contract: description says what was supplied, quantity and unitPrice how much."

export const LINE_WORD_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/quantity-words",
    title: "a line's words have the quantity that is billed",
    about:
      "Words such as = 48 h or 6.5 hours against the quantity: where they end a sum or a product, or differ by hundreds or thousands of times. A hire or a rent for so many days or months, one load, or one person on one day or in one week, is not billed for more.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.unitOfMeasure"],
    passes: ({ lines }) =>
      !lines.some(
        ({ description, unitOfMeasure }) =>
          MEASURES.has(unitOfMeasure) && hasText(description, /\d|\b(?:one|single|an?) /i),
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
    passes: ({ words }) => !/\$\s?\d|\d ?(?:cpl|cents?|c\/)/i.test(words),
    checkLine: checkPriceWords,
  },
  {
    id: "accounting/discount-words",
    title: "a discount is the percentage that the words say",
    about:
      "Words such as 10% discount or 15% off against the discount of the line, or that of the whole invoice. Discounts for early payment are left alone.",
    basis: "The contract: discountAmount is what is taken off.",
    judges: "references",
    mayBeMeant: true,
    needs: [["line.discountAmount", "summary.discountAmount"]],
    check: checkDiscountWords,
  },
  {
    id: "accounting/free-of-charge",
    title: "what is free of charge costs nothing",
    about: "A line whose words say free of charge or no charge has no price.",
    basis: BY_DESCRIPTION,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words }) => !FREE_OF_CHARGE.test(words),
    checkLine: checkFreeOfCharge,
  },
  {
    id: "accounting/unit-words",
    title: "a line's words and its unit measure the same",
    about:
      "A price per hour, day, kilogram, tonne, litre, metre or square metre has that unit of measure, unless pieces are counted.",
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
    passes: ({ words }) => !PERIOD_HINT.test(words),
    check: checkPeriods,
  },
  {
    id: "accounting/origin-words",
    title: "what is made abroad has no Australian origin",
    about: "A description that says where goods are made, and countryOfOrigin AU.",
    basis: "The contract: countryOfOrigin takes AU only, and may be left out.",
    judges: "references",
    mayBeMeant: true,
    needs: ["line.countryOfOrigin"],
    checkLine: checkOriginWords,
  },
  {
    id: "accounting/food-gst",
    title: "basic food is free of GST, and sweets and drinks are not",
    about:
      "Fresh fruit and vegetables, meat, plain milk, bread, eggs, flour and rice are free of GST; chocolate, soft drinks, biscuits, crisps, ice cream and alcohol are not. It is reported where a line names one of them and is taxed as the other.",
    basis: `${GST_ACT}, sections 38-2 and 38-3, and Schedule 1.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.taxRate"],
    passes: ({ words }) => !BASIC_FOOD.test(words) && !TAXED_FOOD.test(words),
    checkLine: checkFood,
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
/** So many times more or fewer are a slip, and no number of pieces. */
const SLIPS = [100, 1000]
const ONE_PERSON =
  /\b(?:one|1|an?) (?:engineer|technician|person|man|worker|driver|operator|plumber|electrician|labourer|cleaner|consultant|tradesman|guard|officer)\b/i
/** A person by the first letter and the name. */
const NAMED_PERSON = /\b[A-Z]\.? [A-Z][a-z]+\b/g
const ONE_WEEK = /\b(?:week ending|w\/e)\b/i
const HOURS_OF_WEEK = 168
/** A product that ends in the unit that is billed, such as 5 guards x 8 hours. Of measures only areas and volumes are products. */
const PRODUCT = new RegExp(
  `(?<![\\w.,$/×-])(?<count>\\d[\\d,]*) (?<what>[a-z]{3,}(?: [a-z]{3,})?) ?[x×] ?(?<each>\\d[\\d,]*(?:\\.\\d+)?) ?(?<unit>${ALL_UNITS}|[a-z]{3,})(?![\\w²³])(?! ?[x×])`,
  "gi",
)
/** Measures of one thing, and how many of the first make one of the second. */
const SCALES: readonly (readonly [small: string, large: string])[] = [
  ["KGM", "TNE"],
  ["MTR", "KMT"],
]
/** What makes more or fewer of a product. */
export const LEFT_OUT =
  /\b(?:plus|less|extra|additional|including|overtime|reject\w*|short\w*|damaged|missing|not (?:billed|charged|supplied)|credit\w*|back[\s-]?order\w*)\b/i
/** Of a nominal weight or volume: so many times more or less at most. */
const NOMINAL = 1.25

function isWeighedAs(quantity: Amount, nominal: Amount, unit: string | undefined): boolean {
  if (unit === "HUR" || unit === "DAY" || Number(quantity) % Number(ONE) === 0) return false
  const times = Number(quantity) / Number(nominal)
  return times < NOMINAL && times > 1 / NOMINAL
}

const ONE_LOAD = /\b(?:one|1|single|a) (?:[\w-]+ ){0,2}(?:tanker|truck|trailer|semi|load)\b/i
/** A road train carries no more (tonnes). */
const LARGEST_LOAD = 200

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
  const [product, ...moreProducts] = text.matchAll(PRODUCT)
  const { count: pieces = "", each = "", unit: word = "" } = product?.groups ?? {}
  const made = readAmount(String(readFigure(pieces) * readFigure(each)))
  if (product && moreProducts.length === 0 && made && findUnit(word) === unit)
    // Of several days, of a part of them, or at a price for all. What is weighed is near its nominal weight.
    return Number(quantity) % Number(made) === 0 ||
      quantity === readAmount(each) ||
      LEFT_OUT.test(text) ||
      isWeighedAs(quantity, made, unit)
      ? NO_FINDINGS
      : report(`${quoted(text)} is ${formatPlain(made)}`)
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
  const counts = all.filter(({ groups }) => findUnit(groups?.unit ?? "") === unit)
  const [count] = counts.map(({ groups }) => readAmount(groups?.number))
  const isSlip =
    counts.length === 1 &&
    count !== undefined &&
    (unit === "HUR" || unit === "DAY" ? SLIPS : SLIPS.slice(1)).some(
      (step) => times(count, step) === quantity || times(quantity, step) === count,
    )
  if (isSlip) return report(`${quoted(text)} is ${formatPlain(count)}`)
  const [period] = listPeriods(text)
  if (period && period.days > 0 && (unit === "MON" || (unit === "DAY" && !OTHER_COUNT.test(text)))) {
    const length = times(ONE, unit === "DAY" ? period.days : period.months)
    const several = Number(quantity) / Number(length)
    const isSaid = SEVERAL.test(text) || new RegExp(`(?<![\\d.,$])${several}(?![\\d.,])`).test(text)
    // Of several things; what came and went on its own days is one, unless the words count it.
    const isOfSeveral = Number.isInteger(several) && (isSaid || (unit === "DAY" && !OF_ONE.test(text)))
    if (length > ZERO && quantity > length && !isOfSeveral)
      return report(
        `${quoted(text)} is ${unit === "DAY" ? counted(period.days, "day") : counted(period.months, "month")}`,
      )
  }
  if (unit === "HUR" && ONE_PERSON.test(text) && ONE_DAY.test(text) && !period)
    if (quantity > times(ONE, 24)) return report(`${quoted(text)} is one day`)
  if (unit === "HUR" && quantity > times(ONE, HOURS_OF_WEEK) && ONE_WEEK.test(text))
    if (ONE_PERSON.test(text) || text.match(NAMED_PERSON)?.length === 1)
      return report(`${quoted(text)} is one week`)
  if (unit === "TNE" && ONE_LOAD.test(text) && quantity > times(ONE, LARGEST_LOAD))
    return report(`${quoted(text)} is one load`)
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

function checkDiscountWords({ lines, summary, data }: Books): RuleFinding[] {
  const found = lines.flatMap((line): RuleFinding[] => {
    const { subtotal, discountAmount: discount } = line
    if (subtotal === undefined || !discount) return []
    for (const field of ["description", "comments"]) {
      const text = line.text(field) ?? ""
      const percent = readPercentOff(text)
      if (percent === undefined || isPercent(discount, percent, [subtotal])) continue
      return [reportDiscount(line, text, percent, subtotal, discount)]
    }
    return []
  })
  const text = data.text("comments") ?? ""
  const [discount, subtotal] = [summary.amount("discountAmount"), summary.amount("subtotal")]
  const percent = discount && subtotal ? readPercentOff(text) : undefined
  if (percent === undefined || !discount || !subtotal || lines.some((line) => line.has("discountAmount")))
    return found
  const bases = [subtotal, ...["grossAmount", "netAmount"].map((field) => summary.amount(field) ?? ZERO)]
  // It may be of some lines only.
  if (isPercent(discount, percent, [...bases, ...lines.map((line) => line.subtotal ?? ZERO)])) return found
  if (discount < takePercent(subtotal, percent)) return found
  return [...found, reportDiscount(summary, text, percent, subtotal, discount)]
}

function isPercent(discount: Amount, percent: Amount, bases: readonly Amount[]): boolean {
  return bases.some((base) => isWithin(discount, takePercent(base, percent), times(CENT, 2)))
}

function reportDiscount(
  part: Part,
  text: string,
  percent: Amount,
  of: Amount,
  discount: Amount,
): RuleFinding {
  return {
    pointer: part.at("discountAmount"),
    message: `${quoted(text)} is ${formatMoney(takePercent(of, percent))} of ${formatMoney(of)}, but the discount is ${formatMoney(discount)}`,
    hint: "correct the discount and the totals, or the words",
  }
}

const FREE_OF_CHARGE =
  /\b(?:free of charge|no charge|f\.?o\.?c\b(?!-?\d)|complimentary|at no cost|not charged)(?! (?:deliver|shipping|freight|install|if|for|when|before|until))/i
/** What else may be free of charge, in the words before. */
const OTHER_IS_FREE = /\b(?:deliver|shipping|freight|install|set-?up|training|with|includ|plus)|\+/i
const CLAUSE = 30

function checkFreeOfCharge(line: Line): readonly RuleFinding[] {
  const { subtotal, discountAmount } = line
  const text = line.text("description") ?? ""
  const said = FREE_OF_CHARGE.exec(text)
  if (!said || !subtotal || subtotal < ZERO || subtotal === discountAmount) return NO_FINDINGS
  const clause =
    text
      .slice(Math.max(0, said.index - CLAUSE), said.index)
      .split(/[,;.]/)
      .at(-1) ?? ""
  if (OTHER_IS_FREE.test(clause)) return NO_FINDINGS
  return [
    {
      pointer: line.at("unitPrice"),
      message: `${quoted(text)} is billed with ${formatMoney(subtotal)}`,
      hint: "write 0 as its price and correct the totals, or the words",
    },
  ]
}

const PER_UNIT = new RegExp(`(?:\\bper |\\d/)(?<unit>${ALL_UNITS})(?![\\w²³])`, "i")
const UNIT_AT_END = /,\s*(?<unit>hours|days|litres|kilograms|tonnes)\s*$/i

function checkUnitWords(line: Line): readonly RuleFinding[] {
  const [text, unit] = [line.text("description") ?? "", line.text("unitOfMeasure")]
  if (!MEASURES.has(unit) || text === "") return NO_FINDINGS
  const word = (PER_UNIT.exec(text) ?? UNIT_AT_END.exec(text))?.groups?.unit
  const meant = word === undefined ? undefined : findUnit(word)
  // Kilometres and litres for each hour are what machines do.
  if (
    meant === undefined ||
    meant === unit ||
    /\d\s*(?:kgs?|km|l|lit(?:re|er)s?|kw|m3|t|h|hrs?|hours?|days?)\b[^,]{0,3}\bper\b|\bpro[\s-]?rata\b/i.test(
      text,
    )
  )
    return NO_FINDINGS
  return [
    {
      pointer: line.at("unitOfMeasure"),
      message: `${quoted(text)} counts ${word}, but the unit is ${unit}`,
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
const OF_ONE = new RegExp(ENDS, "i")
/** Days that are not those of the calendar. */
const OTHER_COUNT =
  /\bnights?\b|\b(?:business|working|week|charge\w*) ?days?\b|\bdays? (?:charged|billed|week)\b|\bday week\b/i
/** More than one thing, without a number. */
const SEVERAL =
  /\b(?:two|three|four|five|six|both|each)\b|\b(?:units|lots|bays|shops|suites|offices|levels|rooms|spaces|sites|users|licen[cs]es|machines|vehicles)\b/i
export const WEEKDAY = "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
const WEEKDAY_OF = new RegExp(
  `\\b(?<weekday>${WEEKDAY}),? (?:the )?(?<day>${NUMERIC}|\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH},? \\d{4})\\b`,
  "gi",
)
const PERIOD = new RegExp(
  `\\b(?<from>${NUMERIC}|${DAY_MONTH}|\\d{1,2}(?:st|nd|rd|th)?)\\s*(?:to|until|till|-|–|${ENDS})\\s*(?<to>${NUMERIC}|${DAY_MONTH})`,
  "gi",
)
const ONE_DAY = new RegExp(`\\b(?:on|${WEEKDAY}),? (?:${DAY_MONTH}|${NUMERIC})`, "i")
const LONE_DAY = new RegExp(`\\b${DAY_MONTH}|\\b${NUMERIC}`, "gi")

interface Period {
  text: string
  /** With the first and the last. */
  days: number
  /** Whole months, from the first day to the last. */
  months: number
}

function listPeriods(text: string): Period[] {
  return [...text.matchAll(PERIOD)].flatMap(({ 0: whole, groups }) => {
    const to = readDay(groups?.to ?? "", undefined)
    const from = readDay(groups?.from ?? "", to)
    if (!from || !to) return []
    const [first, last] = [from, to].map(formatDayOf)
    const [one, two] = [parseDate(first ?? ""), parseDate(last ?? "")]
    // Without years, December to January is a period.
    const isTurn = !/\d{4}/.test(groups?.from ?? "") && from.month > to.month
    if (!one.ok || !two.ok || isTurn) return []
    const end = addDays(two.value, 1)
    const months = 12 * (end.year - one.value.year) + end.month - one.value.month
    const days = daysBetween(one.value, two.value) + 1
    return [{ text: whole, days, months: end.day === one.value.day ? months : 0 }]
  })
}

interface DayOfYear {
  day: number
  month: number
  year: number
}

/** Some year with a 29 February. */
const ANY_YEAR = 2028

/** @param other the end of the period, which has what its beginning leaves out */
function readDay(text: string, other: DayOfYear | undefined): DayOfYear | undefined {
  const numeric = /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})$/.exec(text)
  if (numeric) return { day: Number(numeric[1]), month: Number(numeric[2]), year: Number(numeric[3]) }
  const [, day, name, year] = /^(\d{1,2})(?:st|nd|rd|th)?(?: ([a-z]+)(?: (\d{4}))?)?$/i.exec(text) ?? []
  const month = name === undefined ? other?.month : findMonth(name)
  if (day === undefined || month === undefined) return undefined
  return { day: Number(day), month, year: Number(year ?? other?.year ?? ANY_YEAR) }
}

/** The day that words name, such as `1 to 31 October 2026` (the first) and `01/10/2026`; undefined where there is none. */
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
    const turned = listPeriods(text).find(({ days }) => days < 1)
    const none = text.match(LONE_DAY)?.find((each) => {
      const day = readDay(each, undefined)
      // In numbers the month may stand first.
      return day && day.month <= 12 && !parseDate(formatDayOf(day)).ok
    })
    const other = [...text.matchAll(WEEKDAY_OF)].find(({ groups = {} }) => {
      const date = readWordDay(groups.day ?? "")
      return date && weekdayOf(date) !== findWeekday((groups.weekday ?? "").slice(0, 3))
    })?.[0]
    if (!turned && none === undefined && other === undefined) return []
    const says = turned
      ? `${quoted(turned.text)} ends before it begins`
      : none === undefined
        ? `${quoted(other ?? "")} is another day of the week`
        : `there is no ${none}`
    return [{ pointer: part.at(field), message: says, hint: "correct the days" }]
  })
}

const MADE_IN =
  /\b(?:made|manufactured|produced|assembled|grown|product) (?:in|of) (?:the )?(?<country>[A-Z][A-Za-z]+(?: [A-Z][A-Za-z]+)?)/
const AT_HOME =
  /^(?:Australia|AU|Aus|NSW|VIC|QLD|WA|SA|TAS|NT|ACT|Tasmania|Victoria|Queensland|Sydney|Melbourne|Brisbane|Adelaide|Perth|Hobart|Darwin)\b|^(?:New South|South Australia|Western|Northern)/i

function checkOriginWords(line: Line): readonly RuleFinding[] {
  const country = MADE_IN.exec(line.text("description") ?? "")?.groups?.country
  if (line.value("countryOfOrigin") !== "AU" || country === undefined || AT_HOME.test(country))
    return NO_FINDINGS
  return [
    {
      pointer: line.at("countryOfOrigin"),
      message: `the description says that it is made in ${country}, but the origin is AU`,
      hint: "leave the origin out: the contract knows no other than AU",
    },
  ]
}

/** Not with what is made for it, of it, or in its colour. */
const NOT_FOOD =
  /\b(?:crates?|box(?:es)? empty|bins?|bags? empty|cooker|maker|machine|tray liner|label|rack|knife|knives|slicer|peeler|opener|holder|cups?|plates?|napkins?|oil|soap|shampoo|scent\w*|candle|plant(?:s|er)?|tree|seed(?:s|lings)?|paint|colou?r|flavou?r\w*|frother|jug|carton printed|packaging|pallet|delivery|freight|storage|hire|catering|lunch|platter|sandwich|pie|cake|muffin|pizza|salad|juice|smoothie|shake|cooked|hot|roast\w*|prepared|marinated|pet|dog|cat|stock ?feed|baby|sculpture|model|course|print\w*)\b/i
const BASIC_FOOD =
  /\b(?:fresh (?:\w+ )?(?:fruit|vegetables?|produce|meat|fish|chicken|tomatoes|herbs)|(?:full cream|skim|trim|lite|low fat|whole|plain|fresh) milk|milk \d|(?:cos|iceberg) lettuce|lettuce|potatoes|tomatoes|onions|carrots|broccoli|cabbages?|cauliflowers?|zucchini|capsicums?|bananas|apples|oranges|pears|grapes|mandarins|avocado(?:e?s)|strawberries|blueberries|mushrooms|(?:plain|wholemeal|self[- ]raising|bakers) flour|(?:free range|cage free|dozen) eggs|eggs \d|(?:white|wholemeal|multigrain|sliced|sandwich) (?:bread|loaf|loaves)|(?:lamb|beef|pork|chicken) (?:mince|steaks?|chops|breast|thigh|fillets?|cutlets)|(?:jasmine|basmati|long grain|white|brown) rice)\b/i
const TAXED_FOOD =
  /\b(?:chocolate (?:bars?|blocks?|box(?:es)?)|chocolates|confectionery|lollies|soft ?drinks?|cola|lemonade|energy drinks?|mineral water flavoured|cordial|potato (?:chips|crisps)|crisps|biscuits|ice ?cream|muesli bars?|beer|lager|wine|spirits (?:\d|bottle)|vodka|whisky|gin \d|shiraz|merlot|chardonnay|(?:cabernet )?sauvignon|pinot (?:noir|gris|grigio)|riesling|prosecco|champagne)\b/i
const NOT_TAXED_FOOD =
  /\b(?:glass(?:es)?|rack|fridge|cooler|scoop|tub empty|cabinet|display|opener|cutter|tin empty|stopper|bucket|export|vinegar|cooking|dispenser|label|mould|cover|dog|cat|pet|grapes?|vines?|cuttings|sauce|barrels?|vouchers?)\b/i

const EXPORTED = /\bexport/i

function isExported(books: Books): boolean {
  return books.names(EXPORTED) || books.taxParts.some((part) => EXPORTED.test(part.text("description") ?? ""))
}

function checkFood(line: Line, books: Books): readonly RuleFinding[] {
  const { taxRate, subtotal } = line
  const text = line.text("description") ?? ""
  if (taxRate === undefined || !subtotal || subtotal < ZERO || /\bGST\b/i.test(text)) return NO_FINDINGS
  const isSweet = TAXED_FOOD.test(text)
  const report = (says: string, hint: string): RuleFinding[] => [
    { pointer: line.at("taxRate"), message: `${quoted(text)} ${says}`, hint },
  ]
  if (taxRate === GST_PERCENT && !isSweet && BASIC_FOOD.test(text) && !NOT_FOOD.test(text))
    return report(
      "is basic food, which is free of GST",
      "write 0 and correct the totals, or leave it if it is served or processed",
    )
  const isUntaxed = taxRate === ZERO && isSweet && !NOT_TAXED_FOOD.test(text) && !isExported(books)
  // A supplier who is not registered taxes nothing, and divides no GST.
  if (isUntaxed && (books.taxParts.some(isGst) || books.lines.some((each) => each.taxRate === GST_PERCENT)))
    return report(
      "is taxed with 10% as a rule",
      "write 10 and correct the totals, or leave it if it is free of GST",
    )
  return NO_FINDINGS
}
