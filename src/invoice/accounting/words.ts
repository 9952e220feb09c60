/**
 * Compares the words of an invoice with its figures: its terms, its comments, the descriptions of its lines. Words may
 * be about something else, so a finding quotes them and asks which of the two is right.
 */
import { addDays, type CalendarDate, daysBetween, formatDate } from "../../base/wall-clock.ts"
import { quoted } from "../../base/parsed.ts"
import { type Amount, formatPlain, toAmount, ZERO } from "./amounts.ts"
import type { Books, Line, Part } from "./books.ts"
import {
  checkDueDate,
  checkNetDays,
  countDays,
  findInvoiceMoment,
  findMonthEnd,
  isNearOrMoved,
  readMoment,
} from "./dates.ts"
import { hasText } from "./glance.ts"
import { MONTH, NUMERIC, readWordDay, WEEKDAY } from "./line-words.ts"
import { type DocumentRule, GST_ACT, NO_FINDINGS, type RuleFinding } from "./rule.ts"

export const WORD_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/terms-words",
    title: "the terms say in words what they say in days",
    about:
      "Reads terms such as 14 days, 30 days EOM, COD and 2/10 net 30 in the description of the payment terms and in the comments, and compares them with the net days, the due date and the discounts, and the day on which the comments ask for payment with the due date. Words about something else, such as late fees or business days, are left alone.",
    basis: "The contract: description states the terms for people, netDays and dueDate for programs.",
    judges: "terms",
    mayBeMeant: true,
    needs: [["data.paymentTerms", "data.comments"]],
    passes: ({ data }) => {
      const { description = "" } = Object(data.paymentTerms) as Record<string, unknown>
      return (
        description === "" &&
        (data.comments === undefined ||
          (typeof data.comments === "string" && !NAMES_PAYMENT.test(data.comments)))
      )
    },
    check: checkTermsWords,
  },
  {
    id: "accounting/gst-words",
    title: "what is called free of GST is not taxed",
    about:
      "A line whose words say that it is free of GST has none, and one whose words say that GST is in it or comes on top has some. So is each part of the tax breakdown. Where comments say that the prices include GST, GST is not added to them again.",
    basis: `${GST_ACT}, section 9-70 (10% of the value) and Division 38 (GST-free supplies).`,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words, summary: { taxBreakdown } }) =>
      !words.match(GST) &&
      (taxBreakdown === undefined || (Array.isArray(taxBreakdown) && !taxBreakdown.some(isCalledFree))),
    check: checkGstWords,
  },
  {
    id: "accounting/currency-words",
    title: "comments name no other currency",
    about:
      "Amounts are in Australian dollars. Comments that ask for another currency, or say that the amounts are in one, contradict that. A rate of exchange is not taken for that.",
    basis: "The contract: currency is AUD.",
    judges: "references",
    mayBeMeant: true,
    needs: [["data.comments", "data.paymentTerms"]],
    passes: ({ data }) => {
      const { description } = Object(data.paymentTerms) as Record<string, unknown>
      return [data.comments, description].every(
        (text) =>
          text === undefined ||
          (typeof text === "string" && !OTHER_CURRENCIES.some((pattern) => pattern.test(text))),
      )
    },
    check: checkCurrencyWords,
  },
]

/** The days and percentages in the words of payment terms. */
interface TermsWords {
  text: string
  /** When payment is due; undefined if the words do not say it in a known way. */
  due?: { days: number; from: "invoice" | "endOfMonth" } | "atOnce" | undefined
  discount?: { percent: number; days: number } | undefined
}

const DISCOUNTS = [
  /\b(?<percent>\d{1,2}(?:\.\d+)?)\s?(?:%|per ?cent)[^.;\n\d]{0,40}?\b(?<days>\d{1,3})[\s-]days?\b/i,
  /\b(?<percent>\d{1,2}(?:\.\d+)?)\s?%?\s?\/\s?(?<days>\d{1,3})(?=,?\s*(?:n\b|nett?\b))/i,
]
/** `14 days`, `net 30`, `30 EOM`, `EOM + 14`, `20th of the following month`; not `net 120 kg`. */
const DAYS =
  /\bn(?:ett?)?[\s/]*(?<net>\d{1,3})\b(?![.,]\d|\s*(?:%|per ?cent|kgs?\b|g\b|t\b|tonnes?\b|m\d?\b|pcs\b))|\b(?<days>\d{1,3})[\s-]*(?:calendar )?days?\b|\b(?<weeks>\d{1,2})[\s-]*weeks?\b|\b(?<eom>\d{1,3})\s*(?=e\.?o\.?m\b)|\be\.?o\.?m\.?\s*\+\s*(?<after>\d{1,3})\b|\b(?<nth>\d{1,2})(?:st|nd|rd|th)? (?:day )?of (?:the )?(?:month following|following month|next month)\b/gi
/** In days. */
const MAX_TERMS_LENGTH = 180
const NUMBERS: Readonly<Record<string, string>> = {
  ...{ one: "1", two: "2", three: "3", four: "4", seven: "7", ten: "10", fourteen: "14" },
  ...{ "twenty-one": "21", thirty: "30", sixty: "60", ninety: "90" },
}
const NUMBER_WORDS = new RegExp(
  `\\b(?:${Object.keys(NUMBERS).join("|")})\\b(?=[\\s-]*(?:days?|weeks?)\\b)`,
  "gi",
)
const END_OF_MONTH =
  /\be\.?o\.?m\b|\b(?:end|close) of (?:the )?(?:(?:following|next|invoice) )?month\b|\bmonth end\b/i
const PAID_AT_ONCE =
  /\bcash on delivery\b|\b(?:due|payable|payment) (?:up)?on (?:receipt|delivery)\b|\b(?:due|payable) immediately\b|\bimmediate payment\b/i
/** In small letters it may be a fish, unless the terms have it. */
const CASH_ON_DELIVERY = /\bC\.?O\.?D\b/
/** A part of the patterns above, and of the day of payment. */
const NAMES_PAYMENT = /terms|pay|due|debit|strictly|net|cash|c\.?o\.?d/i
/** Days that are counted from elsewhere, or in another way, or are about something else. */
const OTHER_DAYS =
  /\b(?:business|working|trading|bank) days?\b|\b(?:from|of|after) (?:the )?(?:date of )?(?:delivery|receipt|receiving|statement|completion|dispatch|arrival|order)\b|\b(?:interest|late|overdue|warrant|return|claim|dispute|query|queries|valid|refund|notice|instal?ments?|fee\b|hire|deliver(?:y|ed) (?:in|within)|lead time)/i
/** Words in a comment that make its days those of payment. */
const ABOUT_PAYMENT =
  /\b(?:payment|credit|trading|our|your) terms?\b|^\s*terms\b|\b(?:payment|payable|please pay|pay)(?: is| are)?(?: due| required| payable)?(?: strictly)?(?: net| nett)? (?:(?:with)?in )?\d{1,3}(?= (?:calendar )?days?\b| weeks?\b)|\b(?:invoice|account|amount|balance)(?: is)? due (?:with)?in \d|\b(?:strictly|nett?) \d{1,3} days\b/i
/** Goods of a sale for cash arrive within this many days of their invoice. */
const AT_ONCE_DAYS = 7

/** Texts of a sentence each; `9.5` is none. */
export function listSentences(text = ""): string[] {
  return text.split(/[.;!](?=\s|$)|\n/)
}

function withDigits(text: string): string {
  return text.replace(NUMBER_WORDS, (word) => NUMBERS[word.toLowerCase()] ?? word)
}

/** Reads the terms in a text, as far as they are understood. */
function readTermsWords(text: string): TermsWords {
  const clauses = text.split(/[,;.](?=\s|$)|\n/).filter((each) => !OTHER_DAYS.test(each))
  const plain = withDigits(clauses.join(", "))
  const found = DISCOUNTS.map((pattern) => pattern.exec(plain)).find((match) => match !== null)
  const { percent, days: discountDays } = found?.groups ?? {}
  const discount =
    percent === undefined ? undefined : { percent: Number(percent), days: Number(discountDays) }
  const rest = found ? plain.replace(found[0], " ") : plain
  const counts = [...rest.matchAll(DAYS)].map(({ groups = {} }) => {
    const isOfMonth = (groups.eom ?? groups.after ?? groups.nth) !== undefined
    const count = Number(groups.net ?? groups.days ?? groups.eom ?? groups.after ?? groups.nth ?? 0)
    return { days: groups.weeks === undefined ? count : 7 * Number(groups.weeks), isOfMonth }
  })
  return { text: text.trim(), due: findDue(rest, counts), discount }
}

function findDue(text: string, counts: readonly { days: number; isOfMonth: boolean }[]): TermsWords["due"] {
  const [first] = counts
  if (counts.some(({ days }) => days !== first?.days || days > MAX_TERMS_LENGTH)) return undefined
  const isOfMonth = END_OF_MONTH.test(text) || first?.isOfMonth === true
  if (first) return { days: first.days, from: isOfMonth ? "endOfMonth" : "invoice" }
  if (isOfMonth) return { days: 0, from: "endOfMonth" }
  return PAID_AT_ONCE.test(text) || CASH_ON_DELIVERY.test(text.toUpperCase()) ? "atOnce" : undefined
}

function checkTermsWords(books: Books): RuleFinding[] {
  const { terms, data } = books
  const description = readTermsWords(terms.text("description") ?? "")
  const found = compareTerms(description, terms.at("description"), books)
  if (found.length > 0) return found
  const sentences = listSentences(data.text("comments")).filter((each) => {
    const plain = withDigits(each)
    return [ABOUT_PAYMENT, PAID_AT_ONCE, CASH_ON_DELIVERY].some((words) => words.test(plain))
  })
  const [said] = sentences.map(readTermsWords).filter((each) => each.due ?? each.discount)
  return said ? compareTerms(said, data.at("comments"), books) : checkPayDay(books)
}

const PAY_DAY = new RegExp(
  `\\b(?:direct(?:ly)? debit(?:ed)?|debited|payment(?: (?:is )?(?:due|required|payable))?|please pay|payable|due(?: for payment)?)(?: in full)? (?:on|by|before)(?: or before)?:? (?:${WEEKDAY},? )?(?<day>${NUMERIC}|\\d{1,2}(?:st|nd|rd|th)? ${MONTH},? \\d{4})\\b`,
  "i",
)
const OTHER_PAY_DAY =
  /\b(?:if|discount|early|deposit|instal?ments?|interest|first|second|stages?|statement|unless|last|previous|received|was|were|overdue|rebate|next|future|renew\w*|registration|claims?|quer(?:y|ies)|disput\w*|part)\b|%/i

function checkPayDay({ data, tiers }: Books): RuleFinding[] {
  const due = readMoment(data.text("dueDate"))
  const said = listSentences(data.text("comments")).find(
    (each) => PAY_DAY.test(each) && !OTHER_PAY_DAY.test(each),
  )
  const day = said === undefined ? undefined : readWordDay(PAY_DAY.exec(said)?.groups?.day ?? "")
  if (said === undefined || !due || !day || isNearOrMoved(day, due.day) || isNearOrMoved(due.day, day))
    return []
  if (tiers.length > 0) return []
  return [
    {
      pointer: data.at("comments"),
      message: `${quoted(said.trim())}, but the due date says ${formatDate(due.day)}`,
      hint: "correct the one that is wrong",
    },
  ]
}

function compareTerms({ text, due, discount }: TermsWords, pointer: string, books: Books): RuleFinding[] {
  const { terms, tiers, data } = books
  const asks = "correct the one that is wrong"
  const netDays = countDays(terms.amount("netDays"))
  if (discount && tiers.length > 0 && !tiers.some((tier) => hasTerms(tier, discount))) {
    const [tier] = tiers as [Part]
    const stated = ["discountPercent", "discountDays"].map((field) => formatPlain(tier.amount(field) ?? ZERO))
    return [
      {
        pointer: tier.at("discountPercent"),
        message: `${quoted(text)} is ${discount.percent}% within ${discount.days} days, but the discount is ${stated[0]}% within ${stated[1]}`,
        hint: asks,
      },
    ]
  }
  if (due === undefined) return []
  // Net days that contradict the due date have a rule of their own.
  const report = (message: string): RuleFinding[] =>
    checkDueDate(books).length > 0 || checkNetDays(books).length > 0
      ? []
      : [{ pointer, message: `${quoted(text)} ${message}`, hint: asks }]
  const [invoiced, last] = [findInvoiceMoment(books), readMoment(data.text("dueDate"))]
  if (invoiced && last) {
    const days = listDaysDue(due, invoiced.day)
    if (days.some((day) => isNearOrMoved(day, last.day))) return []
    if (due === "atOnce" && isSoon(daysBetween(invoiced.day, last.day))) return []
    const [first] = days as [CalendarDate]
    const makes = due === "atOnce" ? "asks for payment at once" : `makes it due on ${formatDate(first)}`
    return report(`${makes}, but the due date says ${formatDate(last.day)}`)
  }
  if (netDays === undefined) return []
  const isSame = due === "atOnce" ? isSoon(netDays) : due.from === "endOfMonth" || due.days === netDays
  return isSame ? [] : report(`is not what the net days say: ${netDays}`)
}

function isSoon(days: number): boolean {
  return days >= 0 && days <= AT_ONCE_DAYS
}

function hasTerms(tier: Part, { percent, days }: { percent: number; days: number }): boolean {
  const isStated = (field: string, value: number) =>
    !tier.has(field) || formatPlain(tier.amount(field) ?? ZERO) === String(value)
  return isStated("discountPercent", percent) && isStated("discountDays", days)
}

/** The likeliest first. */
function listDaysDue(due: NonNullable<TermsWords["due"]>, invoiced: CalendarDate): CalendarDate[] {
  if (due === "atOnce") return [invoiced]
  const right = addDays(invoiced, due.days)
  if (due.from === "invoice") return [right]
  const monthEnd = findMonthEnd(invoiced)
  // "EOM" alone is the end of this month, or of the next one.
  const next = due.days === 0 ? [findMonthEnd(addDays(monthEnd, 1))] : []
  return [addDays(monthEnd, due.days), findMonthEnd(right), ...next]
}

const GST = /\bG\.?S\.?T\b|\bgoods and services tax\b|\bFRE\b/i
const FREE_OF_GST =
  /(?<!\b(?:not|on|about|regarding|of|for) )\b(?:GST[\s-]*(?:free|exempt|nil)\b|GST:? *(?:nil|0(?:\.00?)?%?)(?![\d.])|(?:no|nil|without) GST\b|0 ?% GST\b|(?:free|exempt|excluded|excl\.?) (?:of|from) GST\b|GST (?:is )?not (?:applicable|charged)\b|input[\s-]taxed\b)/i
/** As accounting programs write it. */
const FREE_CODE = /\bFRE\b/
const WITH_GST =
  /(?<!\bnot )(?:\b(?:incl?|including|includes|inclusive of|plus|(?:credited|charged|billed|invoiced) with)\.?\s+(?:10\s?%\s+)?|\+\s*)GST\b/i
const GST_RATE =
  /\bGST:? (?:at |of |rate )?(?<before>\d{1,2}(?:\.\d+)?) ?%|\b(?<behind>\d{1,2}(?:\.\d+)?) ?% GST\b/i
const PRICES_WITH_GST =
  /\b(?:all|unit|line|item|the|our|these)?\s*(?:prices?|amounts|rates|unit prices)(?: (?:quoted|shown|stated|listed|above|here|are|is|in AUD|and))*\s+(?:(?:includes?|including|incl\.?|inc\.?|inclusive of)\s+(?:10\s?% )?GST\b|GST[\s-]incl(?:usive|uded|\.)?)(?<rest>[^.;\n]{0,30})/i
const NEGATED = /\b(?:not|exclud\w*|before|plus|n't|where|unless|if|when)\b/i

function namesGst(text: unknown): boolean {
  return typeof text === "string" && text.length > 2 && GST.test(text)
}

function checkGstWords(books: Books): RuleFinding[] {
  return [
    ...books.lines.flatMap((line) => checkLineGst(line, books)),
    ...books.taxParts.flatMap(checkPartGst),
    ...checkPriceWords(books),
  ]
}

const NOT_OF_PART = /\b(?:except|exclud\w*|excl|other than|not|non|less)\b/i

function isCalledFree(part: unknown): boolean {
  return hasText((Object(part) as { description?: unknown }).description, FREE_OF_GST)
}

function checkPartGst(part: Part): readonly RuleFinding[] {
  const words = part.text("description") ?? ""
  if (!namesGst(words) || !FREE_OF_GST.test(words) || NOT_OF_PART.test(words)) return NO_FINDINGS
  if (!part.amount("taxAmount")) return NO_FINDINGS
  return [
    {
      pointer: part.at("description"),
      message: `${quoted(words)} says that it is free of GST, but it has tax`,
      hint: "correct the tax and the totals, or the words",
    },
  ]
}

function checkLineGst(line: Line, books: Books): readonly RuleFinding[] {
  const field = ["description", "comments"].find((name) => namesGst(line.text(name)))
  const words = field === undefined ? undefined : line.text(field)?.replaceAll(/\bG\.S\.T\b\.?/gi, "GST")
  if (field === undefined || words === undefined) return NO_FINDINGS
  const tax = line.taxAmount ?? line.taxRate
  if (tax === undefined || line.subtotal === ZERO) return NO_FINDINGS
  const { before, behind } = GST_RATE.exec(words)?.groups ?? {}
  const said = before ?? behind
  const rate = said === undefined ? undefined : toAmount(Number(said))
  if (rate !== undefined && line.taxRate !== undefined && rate !== ZERO && rate !== line.taxRate)
    return [
      {
        pointer: line.at("taxRate"),
        message: `${quoted(words)} names another rate than ${formatPlain(line.taxRate)}%`,
        hint: "correct the rate and the totals, or the words",
      },
    ]
  const isFree = FREE_OF_GST.test(words) || FREE_CODE.test(words)
  const isTaxed = WITH_GST.test(words)
  // The GST on a margin is in the price, and is not shown.
  if (isTaxed && books.isMarginScheme) return NO_FINDINGS
  if (isFree === isTaxed || (isFree ? tax === ZERO : tax !== ZERO)) return NO_FINDINGS
  const at = line.has("taxRate") ? "taxRate" : "taxAmount"
  const says = isFree
    ? "says that it is free of GST, but the line is taxed"
    : "says that it has GST, but the line has none"
  return [
    {
      pointer: line.at(at),
      message: `${quoted(words)} ${says}`,
      hint: "correct the tax and the totals, or the words",
    },
  ]
}

function checkPriceWords({ data, lines, summary }: Books): readonly RuleFinding[] {
  const words = data.text("comments") ?? ""
  const said = PRICES_WITH_GST.exec(words)
  const tax: Amount | undefined = summary.amount("taxAmount")
  if (!said || NEGATED.test(said[0]) || !tax || lines.length === 0) return NO_FINDINGS
  return [
    {
      pointer: data.at("comments"),
      message: `${quoted(said[0].slice(0, said[0].length - (said.groups?.rest ?? "").length).trim())}, but GST is added to the subtotal`,
      hint: "if the prices of the lines have GST in them, write them without it; otherwise correct the comment",
    },
  ]
}

const CURRENCY =
  "(?<currency>NZD|USD|EUR|GBP|SGD|CNY|RMB|JPY|HKD|CAD|CHF|(?:NZ|US) ?\\$|(?:NZ|US|U\\.S\\.|New Zealand|American|Singapore|Hong Kong|Canadian) dollars|euros|pounds sterling|Japanese yen|renminbi)(?![A-Za-z])"
const OTHER_CURRENCIES = [
  `\\b(?:amounts?|prices?|totals?|figures|values?|rates|invoice)\\b[^.;\\n\\d]{0,25}(?:\\b(?:in|are|is)\\s+|:\\s*)(?:in\\s+)?(?:euros? \\()?${CURRENCY}`,
  `\\b(?:pay|remit)\\s+(?:us\\s+)?(?:in\\s+)?${CURRENCY}`,
  `\\b(?:pay|remit|payable|payment|invoiced|billed|charged)\\b[^.;\\n\\d]{0,20}\\bin\\s+${CURRENCY}`,
  `\\bcurrency\\b\\s*(?:is|:)?\\s*${CURRENCY}`,
  `^\\s*(?:all )?(?:amounts?|prices?|totals?)\\s+${CURRENCY}`,
  `^\\s*${CURRENCY}\\s+invoice\\b`,
  `\\b(?:total|amount due)\\b[^.;\\n\\d]{0,12}${CURRENCY}\\s?\\d`,
].map((pattern) => new RegExp(pattern, "i"))
const CONVERTED =
  /\b(?:convert\w*|exchange|equivalent|rate of|at a rate|originally|was|were|AUD|Australian|for (?:NZ|US|overseas|export|New Zealand|international))\b/i

/** Codes are written in capitals: `cad` is a drawing. */
function namesOtherCurrency(sentence: string): boolean {
  return OTHER_CURRENCIES.some((pattern) => {
    const currency = pattern.exec(sentence)?.groups?.currency ?? ""
    return currency !== "" && (currency.length > 3 || currency === currency.toUpperCase())
  })
}

function checkCurrencyWords({ data, terms }: Books): RuleFinding[] {
  const texts = [
    [data, "comments"],
    [terms, "description"],
  ] as const
  return texts.flatMap(([part, field]) => {
    const sentences = listSentences(part.text(field))
    const said = sentences.find((each) => namesOtherCurrency(each) && !CONVERTED.test(each))
    if (said === undefined) return []
    return [
      {
        pointer: part.at(field),
        message: `${quoted(said.trim())}, but all amounts are in AUD`,
        hint: "write the amounts in Australian dollars, or correct the words",
      },
    ]
  })
}
