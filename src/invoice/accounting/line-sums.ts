/** Sums that the words of a line work out, and what they say of the supply. Each is a question: words may leave something out. */
import { quoted } from "../../base/parsed.ts"
import { daysBetween, formatDate } from "../../base/wall-clock.ts"
import { CREDITS } from "../kind.ts"
import {
  formatMoney,
  formatPlain,
  getMagnitude,
  GST_PERCENT,
  readFigure,
  toAmount,
  toPlain,
  ZERO,
} from "./amounts.ts"
import type { Books, Line } from "./books.ts"
import { readMoment } from "./dates.ts"
import { keepDigits } from "./identifiers.ts"
import { LEFT_OUT, MONTH, NUMERIC, readWordDay, WEEKDAY } from "./line-words.ts"
import { PIECES } from "./lines.ts"
import { type DocumentRule, GST_ACT, NO_FINDINGS, type RuleFinding } from "./rule.ts"

const BY_WORDS =
  "The contract: description and comments are for people, the other fields of a line for programs."

export const LINE_SUM_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/quantity-sums",
    title: "a line's quantity is what its words work out",
    about:
      "Gross less tare of a weighbridge, two readings of a meter, length by width, times of work less a break, pieces that are billed by the thousand, packages and users that are counted in the words, and the part of what was supplied that a credit memo gives back, against the quantity. So are serial numbers, where most pieces have one and a few have none.",
    basis: BY_WORDS,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.unitOfMeasure"],
    passes: ({ words, lines }) =>
      !QUANTITY_HINT.test(words) && lines.every(({ serialNumbers }) => serialNumbers === undefined),
    checkLine: checkQuantitySums,
  },
  {
    id: "accounting/price-sums",
    title: "a line's price is what its words work out",
    about:
      "An agreed price, a percentage of an amount or of another line, what is claimed to date less what was claimed before, time and a half or double time of a rate, the price for so many pieces, and a part of the claim that is retained, against the unit price.",
    basis: BY_WORDS,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words }) => !PRICE_HINT.test(words),
    checkLine: checkPriceSums,
  },
  {
    id: "accounting/line-supply",
    title: "a line bills what was supplied, once",
    about:
      "A balance of earlier invoices, goods that were not supplied, work or a delivery that is dated after the invoice, part 5 of 4, an order that is a digit off that of the invoice, goods past their date, and freight that is billed as shipping, too.",
    basis: BY_WORDS,
    judges: "references",
    mayBeMeant: true,
    passes: ({ words }) => !SUPPLY_HINT.test(words),
    checkLine: checkSupply,
  },
  {
    id: "accounting/same-goods-tax",
    title: "the same goods have one tax",
    about:
      "Two lines of the same description and price, of which one has GST and the other none; GST on the rent of a home, or on what Medicare pays for; no GST on the rent of business premises, where other lines have some, or on energy that a retailer of energy bills.",
    basis: `${GST_ACT}: whether a supply is taxed depends on what it is; section 40-35 for homes.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["line.taxRate"],
    passes: ({ words, lines }) =>
      lines.every(({ taxRate }) => taxRate === lines[0]?.taxRate) &&
      !/\bresidential\b|\bmedicare\b|\bMBS\b|\bbulk[- ]billed\b|\bkwh\b|\belectricity\b|\bgas\b/i.test(words),
    check: checkSameGoods,
  },
]

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`

/** Measures are rounded when they are written down: the part of one that it may be off. */
const ROUNDING = 0.01

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.abs(other) * ROUNDING
}

const PACKAGE_WORDS: Readonly<Record<string, string>> = {
  ...{
    BG: "bags|sacks",
    BX: "boxes",
    CT: "cartons|ctns",
    PL: "pallets",
    DR: "drums",
    RO: "rolls",
    PK: "packs|packets",
  },
  ...{ SET: "sets|kits|gloves", KT: "kits", PR: "pairs", EA: "pieces|pcs|units|items" },
}
/** How many packages of its unit the words of a line count, by the unit. */
const PACKAGES: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(PACKAGE_WORDS).map(([unit, words]) => [
    unit,
    new RegExp(
      `(?<![\\w.,$/×-]|\\b(?:of|per|x) )(?:(?<times>\\d[\\d,]*) [a-z]{3,} ?[x×] ?)?(?<count>\\d[\\d,]*) (?:${words.replaceAll("xes", "x(?:es)?").replaceAll(/s\b/g, "s?")})\\b(?! (?:per|each|a)\\b|\\/)`,
      "gi",
    ),
  ]),
)
/** Each of them is one that is billed, or is billed several times. */
const USERS =
  /(?<![\w.,$/×-]|\b(?:to|for|of|per|x|max|maximum) )(?<count>\d[\d,]*) (?:named |concurrent |active )?(?:users|seats|licen[cs]es|guests|delegates|attendees)\b(?! (?:included|incl|each|per)\b)/gi
/** Fewer are the size of a package. */
const LEAST_USERS = 10
const QUANTITY_HINT =
  /\btare\b|\breading\b|\d ?m? ?[x×] ?\d|\d[:.]\d\d ?(?:am|pm)? ?(?:to|until|-|–)|\d hours\b|\bpieces\b|\d (?:bags|sacks|box|cartons?|ctns|pallets?|drums?|rolls?|packs|packets|sets|kits?|pairs?|pcs|units?|items?)|\busers\b|\bseats\b|\blicen[cs]es\b|\bguests\b|\bdelegates\b|\battendees\b|\bprevious\b|\d of (?:the |your )?\d/i
const WEIGHED = new RegExp(
  `\\bgross:?\\s*(?<gross>${NUMBER})\\s*(?:t|tonnes?|kgs?)?\\b[^.;\\d]{0,15}\\btare:?\\s*(?<tare>${NUMBER})`,
  "gi",
)
const BEFORE = new RegExp(
  `\\b(?:previous|last|opening|start)(?: meter)?(?: reading|(?= \\d{3}))(?: of)?:?\\s*(?<number>${NUMBER})`,
  "i",
)
const NOW = new RegExp(
  `\\b(?:present|current|closing|this|end)(?: meter)?(?: reading|(?= \\d{3}))(?: of)?:?\\s*(?<number>${NUMBER})`,
  "i",
)
const METER = /\bmeter\b|\breadings?\b/i
const AREA = new RegExp(
  `(?:(?<![\\w.])(?<count>\\d+)\\s*(?:sheets?|panels?|pieces?|pcs|rooms?|boards?|off)\\s+(?:of )?)?(?<![\\d.]|\\d,)(?<long>${NUMBER})\\s*m\\s*[x×]\\s*(?<wide>${NUMBER})\\s*m\\b(?!\\s*[x×])`,
  "gi",
)
const WORKED =
  /(?<![\d:.])(?<hour>\d{1,2})[:.](?<minute>[0-5]\d)\s*(?:[ap]m)?\s*(?:to|until|-|–)\s*(?<toHour>\d{1,2})[:.](?<toMinute>[0-5]\d)(?![\d:])/gi
const BREAK = /\bless\s+(?<length>\d+(?:\.\d+)?)\s*(?<unit>min\w*|h\w*)\b/i
const OTHER_SUM =
  /\b(?:minimum|min\.|waste|wastage|allow\w*|(?<!\bno )multiplier|factor|estimat\w*|plus|moisture|loading)\b/i
/** What is cut off and thrown away is billed: so much more at most. */
const WASTE = 1.2
const HURT =
  /\b(?:damaged|broken|faulty|defective|short|missing|leaking|returned|wrong|expired|misprinted)\b/i
/** `3 of the 10 supplied` */
const OF_SUPPLIED =
  /(?<![\w.,$/-])(?<part>\d+) of (?:the |your )?(?<whole>\d+)(?! ?(?:%|per ?cent))\b(?=[^.;]{0,25}\b(?:supplied|delivered|ordered|invoiced|sent)\b)/gi
const ON_CONSIGNMENT = /\bpallets on (?:the |this )?(?:consignment|con ?note|connote|docket)\b/i

function checkQuantitySums(line: Line, { purpose }: Books): readonly RuleFinding[] {
  const { quantity } = line
  const unit = line.text("unitOfMeasure") ?? ""
  const [description, comments] = [line.text("description") ?? "", line.text("comments") ?? ""]
  const text = `${description}; ${comments}`
  if (!quantity) return NO_FINDINGS
  const billed = Math.abs(toPlain(quantity))
  const serials = line.value("serialNumbers")
  const few = Array.isArray(serials) && PIECES.has(unit) ? serials.length : 0
  if (few * 2 > billed && few < billed)
    return [
      {
        pointer: line.at("serialNumbers"),
        message: `there are ${few} serial numbers for a quantity of ${formatPlain(quantity)}`,
        hint: "add those that are missing, or correct the quantity; leave it if the others have none",
      },
    ]
  if (OTHER_SUM.test(text)) return NO_FINDINGS
  const report = (is: string): RuleFinding[] => [
    {
      pointer: line.at("quantity"),
      message: `the words of the line come to ${is}, but the quantity is ${formatPlain(quantity)}`,
      hint: "correct the quantity and the totals, or the words",
    },
  ]
  const isWeighed = unit === "TNE" || unit === "KGM"
  const [weighed, ...moreWeighed] = isWeighed ? text.matchAll(WEIGHED) : []
  if (weighed && moreWeighed.length === 0) {
    const net = readFigure(weighed.groups?.gross) - readFigure(weighed.groups?.tare)
    if (![net, net / 1000, net * 1000].some((each) => Math.abs(each - billed) < 0.006))
      return report(net.toFixed(2))
  }
  const [before, now] = [BEFORE, NOW].map((pattern) => pattern.exec(text)?.groups?.number)
  if (before !== undefined && now !== undefined && METER.test(text)) {
    const used = readFigure(now) - readFigure(before)
    if (used > 0 && ![used, used / 1000, used * 1000].some((each) => isNear(billed, each)))
      return report(String(Math.round(used * 100) / 100))
  }
  const [area, ...moreAreas] = unit === "MTK" ? description.matchAll(AREA) : []
  if (area && moreAreas.length === 0) {
    const { count, long, wide } = area.groups ?? {}
    const one = readFigure(long) * readFigure(wide)
    const all = one * Number(count ?? 1)
    const isOfSeveral =
      count === undefined && billed > one && Math.abs(billed / one - Math.round(billed / one)) < ROUNDING
    if (!isOfSeveral && !isNear(billed, all) && (billed < all || billed > all * WASTE))
      return report(String(Math.round(all * 100) / 100))
  }
  const pause = unit === "HUR" ? BREAK.exec(description)?.groups : undefined
  const [worked, ...moreWorked] = pause ? description.matchAll(WORKED) : []
  if (worked && moreWorked.length === 0 && pause) {
    const { hour, minute, toHour, toMinute } = worked.groups ?? {}
    const span = Number(toHour) + Number(toMinute) / 60 - Number(hour) - Number(minute) / 60
    const off = Number(pause.length) / (/^m/i.test(pause.unit ?? "") ? 60 : 1)
    const spans = (span > 0 ? [span] : [span + 12, span + 24]).map((each) => each - off)
    // Of several people, or days.
    const isRight = spans.some(
      (each) => Math.abs(billed / each - Math.round(billed / each)) < ROUNDING && billed >= each - ROUNDING,
    )
    if (!isRight && spans[0] !== undefined && spans[0] > 0)
      return report(`${Math.round(spans[0] * 100) / 100} hours`)
  }
  if (
    unit === "MIL" &&
    billed >= 1000 &&
    /\bpieces\b|\bpcs\b|\bper (?:1,?000|thousand)\b/i.test(description)
  ) {
    const numbers = [...description.matchAll(/(?<![\w.,$])(?<number>\d[\d,]*)(?![\w.]|,\d)/g)]
    if (numbers.some(({ groups }) => readFigure(groups?.number) === billed))
      return report(`${billed / 1000} thousand`)
  }
  const hours =
    unit === "DAY" ? /(?<![\w.])(?<hours>\d+(?:\.\d+)?) hours\b/i.exec(description)?.groups?.hours : undefined
  if (hours !== undefined && Number(hours) === billed && !/\bdays?\b|\bdaily\b/i.test(text))
    return [
      {
        pointer: line.at("unitOfMeasure"),
        message: `${quoted(description)} counts hours, but the unit is DAY`,
        hint: "write HUR, or correct the words",
      },
    ]
  return checkPackages(line, purpose, unit, billed, report)
}

function checkPackages(
  line: Line,
  purpose: string | undefined,
  unit: string,
  billed: number,
  report: (is: string) => RuleFinding[],
): readonly RuleFinding[] {
  const counted = PACKAGES[unit]
  if (counted === undefined) return NO_FINDINGS
  const find = (text: string) =>
    [...text.matchAll(counted)].map(({ groups = {} }) => ({
      count: readFigure(groups.count),
      times: groups.times === undefined ? undefined : readFigure(groups.times),
    }))
  const count = (text: string) => find(text).flatMap((each) => (each.times === undefined ? [each.count] : []))
  const [description, comments] = [line.text("description") ?? "", line.text("comments") ?? ""]
  const [product, ...products] = find(description)
  const made = (product?.count ?? 0) * (product?.times ?? 0)
  // Of several days, or of a part of them; and 1 is all of them.
  if (product && products.length === 0 && made > 0 && billed % made !== 0 && billed > 1)
    return [product.count, product.times].includes(billed) || LEFT_OUT.test(`${description} ${comments}`)
      ? NO_FINDINGS
      : report(String(made))
  const [returned, ...moreReturned] = [...description.matchAll(OF_SUPPLIED)]
  if (CREDITS.has(purpose) && returned && moreReturned.length === 0 && HURT.test(description)) {
    const [part, whole] = [readFigure(returned.groups?.part), readFigure(returned.groups?.whole)]
    if (part < whole && billed !== part && billed !== whole) return report(String(part))
  }
  const [users, ...moreUsers] = unit === "EA" ? [...description.matchAll(USERS)] : []
  const named = readFigure(users?.groups?.count ?? "x")
  const isNumberOfUsers = named > LEAST_USERS && named < billed * 2 && billed < named * 2
  // They may be billed by the month.
  const isSaid = () => new RegExp(`(?<![\\w.,$])${billed}(?![\\w.,]\\d)`).test(description)
  if (moreUsers.length === 0 && isNumberOfUsers && billed !== named && !isSaid()) return report(String(named))
  const [one, ...others] = count(description)
  if (
    one !== undefined &&
    others.length === 0 &&
    // One of `Cable ties, 100 pcs` is one pack, and one price may be for all.
    unit !== "EA" &&
    billed > 1 &&
    [10, 100].some((step) => one * step === billed || billed * step === one)
  )
    return report(String(one))
  const [said, ...more] = count(comments)
  if (said === undefined || more.length > 0 || said === billed) return NO_FINDINGS
  const isCredited = CREDITS.has(purpose) && HURT.test(comments) && said < billed
  return isCredited || ON_CONSIGNMENT.test(comments) ? report(String(said)) : NO_FINDINGS
}

const PRICE_HINT =
  /\$\s?\d|%[^.;]{0,12}\bclaim\b|\bper (?:1,?000|thousand)\b|\b(?:levy|surcharge|fee)\b[^.;]{0,10}%|%[^.;]{0,12}\b(?:levy|surcharge|fee)\b/i
/** A part of an amount: 1.5% of $1,320.00. */
const OF_AMOUNT = new RegExp(
  `(?<![\\d.,])(?<percent>${NUMBER}) ?(?:%|per ?cent) of (?:AUD ?)?\\$\\s?(?<base>${NUMBER})(?![\\d,]|\\.\\d)`,
  "i",
)
/** A levy on another line: 12% of linehaul. */
const OF_LINE = new RegExp(
  `\\b(?:levy|surcharge|fee)\\b[^.;%\\d]{0,10}(?<percent>${NUMBER}) ?(?:%|per ?cent) of (?:the )?(?<what>[a-z]{4,})\\b`,
  "i",
)
const TO_DATE = new RegExp(
  `\\bto date[^$.;]{0,15}\\$\\s?(?<whole>${NUMBER})[^.;$\\d]{0,15}\\bless (?:previous|prior|already|earlier)[^$.;]{0,25}\\$\\s?(?<before>${NUMBER})(?![\\d,]|\\.\\d)`,
  "i",
)
const PER_THOUSAND = /\b(?:price|priced|rate|\$ ?\d[\d,.]*) (?:is |at )?per (?:1,?000|thousand)\b/i
/** A thousand of what is sold by the thousand costs as much at least (dollars). */
const LEAST_PER_THOUSAND = 10
const MORE_OFF = /\bplus (?!GST)|\bretention\b|\bretained\b|\bcapped\b|\bmax\w*|\bmin\w*|\bless \d/i
/** A percentage for a part of a year, of the first part of an amount, or of what was paid in part before. */
const OF_TIME_OR_PART =
  /\bp\.?a\b|\bper (?:annum|year|month|quarter|week|day)\b|\b(?:annual|month|quarter|week|dai|year)ly\b|\b(?:interest|annum|annual|pro[\s-]?rata|days|weeks|months|first|then|thereafter|next|remain\w*|balance|excess|paid|previous\w*|to date)\b/i
const AGREED = new RegExp(
  `\\b(?:agreed|contract|contracted|quoted) (?:unit )?(?:price|rate)(?: is| of| was)?:?\\s*(?:AUD ?)?\\$\\s?(?<price>${NUMBER})(?![\\d,]|\\.\\d| ?(?:per|for|a|\\/)\\b)`,
  "i",
)
const OVERTIME = new RegExp(
  `\\b(?<words>time and (?:a|one) half|double time and (?:a|one) half|double time|triple time)\\s+(?:of|on|at)\\s+\\$\\s?(?<price>${NUMBER})`,
  "i",
)
const TIERS = new RegExp(
  `(?<![\\d$.,])(?<from>\\d[\\d,]*)(?: ?(?:to|-|–) ?(?<to>\\d[\\d,]*)| ?(?:and over|and more|and above|or more|\\+)) ?:? ?\\$\\s?(?<price>${NUMBER})`,
  "gi",
)
const OF_CLAIM = new RegExp(
  `(?<!\\d,)\\b(?<percent>${NUMBER}) ?(?:%|per ?cent) of (?:this|the) (?:progress )?claim\\b`,
  "i",
)
/** Lines of an invoice with a retention: each retention looks at all of them. */
const MOST_OF_CLAIM = 200
const OTHER_PRICE =
  /\b(?:less|discount\w*|instead|variation|previous|old|former|inc\w*\.? GST|was|claim|deposit|instal?ment|stage|balance|per ?cent)\b|%/i

function checkPriceSums(line: Line, { lines }: Books): readonly RuleFinding[] {
  const { unitPrice, quantity, subtotal } = line
  if (!unitPrice || !quantity || subtotal === undefined) return NO_FINDINGS
  const text = `${line.text("description") ?? ""}; ${line.text("comments") ?? ""}`
  const report = (is: number): RuleFinding[] => [
    {
      pointer: line.at("unitPrice"),
      message: `the words of the line come to ${formatMoney(toAmount(Math.round(is * 1e4) / 1e4) ?? ZERO)}, but the unit price is ${formatMoney(unitPrice)}`,
      hint: "correct the unit price and the totals, or the words",
    },
  ]
  const price = toPlain(getMagnitude(unitPrice))
  const isOther = (wanted: number) => Math.abs(wanted - price) > 0.0051
  const stated = toPlain(getMagnitude(subtotal))
  const isStated = (sums: readonly number[]) =>
    sums.some((sum) => [sum, sum * 1.1, sum / 1.1].some((each) => Math.abs(each - stated) < 0.02))
  const reportSum = (sum: number): RuleFinding[] => [
    {
      pointer: line.at("subtotal"),
      message: `the words of the line come to ${formatMoney(toAmount(Math.round(sum * 100) / 100) ?? ZERO)}, but ${formatMoney(subtotal)} is billed`,
      hint: "correct the line and the totals, or the words",
    },
  ]
  const { percent, base } = OF_AMOUNT.exec(text)?.groups ?? {}
  if (percent !== undefined && base !== undefined && !MORE_OFF.test(text) && !OF_TIME_OR_PART.test(text)) {
    const sum = (readFigure(percent) * readFigure(base)) / 100
    if (!isStated([sum, sum * Math.abs(toPlain(quantity)), readFigure(base) - sum, readFigure(base)]))
      return reportSum(sum)
  }
  if (
    PER_THOUSAND.test(text) &&
    PIECES.has(line.text("unitOfMeasure")) &&
    stated >= price * 1000 &&
    price >= LEAST_PER_THOUSAND
  )
    return [
      {
        pointer: line.at("quantity"),
        message: `${quoted(text.replace(/; $/, ""))} is a price for a thousand, but ${formatPlain(quantity)} are billed at it`,
        hint: "divide the quantity by 1000 and write MIL, or correct the price",
      },
    ]
  const { percent: levy, what = "" } = OF_LINE.exec(text)?.groups ?? {}
  if (levy !== undefined && lines.length <= MOST_OF_CLAIM && !MORE_OFF.test(text)) {
    const named = lines
      .filter((each) => each !== line && each.text("description")?.toLowerCase().includes(what.toLowerCase()))
      .map((each) => toPlain(each.subtotal ?? ZERO))
    const all = named.reduce((sum, each) => sum + each, 0)
    const wanted = [all, ...named].map((each) => (each * readFigure(levy)) / 100)
    // Of several lines it may be of some.
    const isOfSome = named.length > 2 && stated < (wanted[0] ?? 0)
    if (named.length > 0 && !isOfSome && !isStated(wanted)) return reportSum(wanted[0] ?? 0)
  }
  const { whole, before } = TO_DATE.exec(text)?.groups ?? {}
  if (whole !== undefined && before !== undefined && !MORE_OFF.test(text)) {
    const sum = readFigure(whole) - readFigure(before)
    if (sum > 0 && !isStated([sum])) return reportSum(sum)
  }
  const part = readFigure(OF_CLAIM.exec(text)?.groups?.percent ?? "x")
  if (part > 0 && lines.length <= MOST_OF_CLAIM && /\bretention\b|\bretained\b/i.test(text)) {
    const claims = lines
      .filter((each) => each !== line && (each.subtotal ?? ZERO) > ZERO)
      .map((each) => toPlain(each.subtotal ?? ZERO))
    const claimed = claims.reduce((sum, each) => sum + each, 0)
    const before = lines
      .filter((each) => each !== line && (each.subtotal ?? ZERO) < ZERO)
      .reduce((sum, each) => sum + toPlain(each.subtotal ?? ZERO), 0)
    // This claim may be what is left of all work when earlier claims are taken off.
    const wanted = [claimed, claimed + before, ...claims].map((each) => (each * part) / 100)
    const retained = Math.abs(toPlain(subtotal))
    const isRight = wanted.some((each) => [each, each * 1.1].some((sum) => Math.abs(sum - retained) < 0.02))
    return claims.length === 0 || isRight ? NO_FINDINGS : report((claimed * part) / 100)
  }
  const tiers = [...text.matchAll(TIERS)].map(({ groups = {} }) => ({
    from: readFigure(groups.from),
    to: groups.to === undefined ? Number.POSITIVE_INFINITY : readFigure(groups.to),
    price: readFigure(groups.price),
  }))
  if (tiers.length > 1) {
    const count = Math.abs(toPlain(quantity))
    const right = tiers.filter(({ from, to }) => count >= from && count <= to)
    const isOfAnother = tiers.some((each) => !isOther(each.price))
    return right.length === 1 && right[0] && isOther(right[0].price) && isOfAnother
      ? report(right[0].price)
      : NO_FINDINGS
  }
  const overtime = OVERTIME.exec(text)?.groups
  if (overtime) {
    const words = overtime.words?.toLowerCase() ?? ""
    const factor =
      (words.startsWith("double") ? 2 : words.startsWith("triple") ? 3 : 1) +
      (words.includes("half") ? 0.5 : 0)
    const wanted = readFigure(overtime.price) * factor
    return isOther(wanted) && isOther(readFigure(overtime.price)) ? report(wanted) : NO_FINDINGS
  }
  const agreed = readFigure(AGREED.exec(text)?.groups?.price ?? "x")
  if (Number.isNaN(agreed) || OTHER_PRICE.test(text) || line.has("discountAmount")) return NO_FINDINGS
  return isOther(agreed) && isOther(agreed * Math.abs(toPlain(quantity))) && !isNear(price * 1.1, agreed)
    ? report(agreed)
    : NO_FINDINGS
}

const SUPPLY_HINT =
  /\bforward\b|\bbalance\b|\bnot (?:yet )?(?:supplied|delivered|shipped)\b|\bwhen (?:despatched|dispatched|supplied)\b|\b\d{1,3} (?:of|\/) \d{1,3}\b|\bexp(?:ir\w+)?\b|\buse[- ]by\b|\bbest before\b|\bfreight\b|\bdelivery\b|\bcourier\b|\bpostage\b|\bshipping\b|\bcartage\b|\b(?:delivered|supplied|completed|performed|attended|carried out)\b|\bP\.?O\b/i
const OLD_BALANCE =
  /\b(?:balance|amount|total) (?:brought|carried) forward\b|\b(?:previous|prior|opening|overdue|outstanding|old) (?:account )?balance\b|\bbalance (?:of|from) (?:the )?(?:previous|last|earlier|prior)\b/i
const NOT_SUPPLIED =
  /^\s*not (?:yet )?(?:supplied|delivered|shipped|despatched|dispatched)\b|\bwill be (?:billed|invoiced|charged) (?:when|once|on) (?:it is |they are )?(?:supplied|delivered|shipped|despatched|dispatched|available)/i
/** `visit 15/11`, without blanks, is a day. */
const PART =
  /\b(?:instal?ment|payment|progress claim|claim|stage|part|visit|lesson|session)\s+(?:no\.? )?(?<nth>\d{1,3}) (?:of|\/) (?<all>\d{1,3})\b/i
const EXPIRY =
  /\b(?:expiry|expires|expired|exp|use[- ]by|best before)(?: date)?\.?:?\s*(?:\d{1,2}[/.])?(?<month>0?[1-9]|1[0-2])[/.](?<year>20\d\d)\b/i
const CARRIAGE = /\b(?:freight|delivery|courier|postage|shipping|cartage)\b/i

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

/** What was done, by words that say so: `to be delivered` was not. */
const DONE = new RegExp(
  `(?<!\\b(?:be|when|if|once|until|being) )\\b(?:delivered|supplied(?! \\d{1,2}(?:st|nd|rd|th)? (?:to|-|–) )|completed|performed|attended|carried out)(?: (?:on|between|${WEEKDAY}),?)* (?<day>${NUMERIC}|\\d{1,2}(?:st|nd|rd|th)?(?: (?:to|-|–|and) \\d{1,2}(?:st|nd|rd|th)?)? ${MONTH},? \\d{4})\\b`,
  "i",
)
/** Invoices are written so many days before the goods leave, at most. */
const DONE_AHEAD = 3

function checkSupply(line: Line, { data, summary, purpose }: Books): readonly RuleFinding[] {
  const { subtotal } = line
  if (purpose !== "standard" || !subtotal || subtotal < ZERO) return NO_FINDINGS
  const [description, comments] = [line.text("description") ?? "", line.text("comments") ?? ""]
  const report = (pointer: string, message: string, hint: string): RuleFinding[] => [
    { pointer, message, hint },
  ]
  if (OLD_BALANCE.test(description))
    return report(
      line.pointer,
      `${quoted(description)} is asked for by an earlier invoice already`,
      "take the line out and correct the totals: a statement lists what is owed",
    )
  const unsupplied = [description, comments].find((text) => NOT_SUPPLIED.test(text))
  if (unsupplied !== undefined)
    return report(
      line.at("quantity"),
      `${quoted(unsupplied)}, but ${formatMoney(subtotal)} is billed`,
      "bill what was supplied, or correct the words",
    )
  const { nth, all } = PART.exec(description)?.groups ?? {}
  if (Number(nth) > Number(all) && Number(all) > 1)
    return report(line.at("description"), `there is no ${nth} of ${all}`, "correct the one that is wrong")
  const expiry = EXPIRY.exec(`${description}; ${comments}`)?.groups
  if (
    expiry &&
    (line.has("batchId") || /\b(?:batch|lot|use[- ]by|best before)\b/i.test(`${description} ${comments}`))
  ) {
    const supplied = readMoment(data.part("shipmentDetails").text("shippingDate") ?? data.text("invoiceDate"))
    const last = Number(expiry.year) * 12 + Number(expiry.month)
    if (supplied && supplied.day.year * 12 + supplied.day.month > last)
      return report(
        line.at(EXPIRY.test(comments) ? "comments" : "description"),
        `the goods expired in ${expiry.month}/${expiry.year}, before they were supplied`,
        "correct the date or the batch; ask for other goods if it is right",
      )
  }
  const named = keepDigits(ORDER_OF_LINE.exec(description)?.groups?.order)
  const order = keepDigits(data.text("poNumber"))
  if (named !== "" && !data.has("poReferences") && isDigitOff(named, order))
    return report(
      line.at("description"),
      `${quoted(description)} names another order than ${quoted(data.text("poNumber") ?? "")}`,
      "correct the one that is wrong, or list both orders in poReferences",
    )
  const done = DONE.exec(description)?.groups?.day
  const [invoiced, day] = [
    readMoment(data.text("invoiceDate")),
    done === undefined ? undefined : readWordDay(done),
  ]
  if (invoiced && day && daysBetween(invoiced.day, day) > DONE_AHEAD)
    return report(
      line.at("description"),
      `${quoted(description)} was done on ${formatDate(day)}, after the invoice date ${formatDate(invoiced.day)}`,
      "correct the date that is wrong",
    )
  if (CARRIAGE.test(description) && subtotal === summary.amount("shippingAmount"))
    return report(
      line.pointer,
      `${formatMoney(subtotal)} is the shipping of the whole invoice, too`,
      "bill it once: as a line, or as shipping; say in a comment if there are two",
    )
  return NO_FINDINGS
}

/** What is always taxed where the supplier taxes anything. */
const TAXED_RENT =
  /\b(?:warehouse|office|shop|factory|retail|industrial|commercial) (?:space )?rent(?:al)?\b/i
/** What Medicare pays for. */
const MEDICARE =
  /\b(?:MBS item|medicare (?:benefits? payable|item|rebate (?:applies|payable))|bulk[- ]billed)\b/i
const NOT_MEDICARE = /\b(?:not|non|no|nil)[ -](?:\w+ )?medicare\b/i
const HOME_RENT = /\bresidential (?:rent|lease|tenancy|rental)\b/i
const OTHER_RENT = /\b(?:commercial|management|agent\w*|fee|letting|park|holiday|hotel|GST)\b/i

/** Energy is never free of GST, and who sells it to many is registered. */
const ENERGY = /\bkwh\b|\b(?:electricity|gas) (?:usage|consumption|supply)\b|\busage\b.{0,60}\bmj\b/i
const ENERGY_RETAILER = /\b(?:energy|electricity|power|gas)\b/i

function checkSameGoods({ lines, data }: Books): RuleFinding[] {
  const first = new Map<string, [index: number, line: Line]>()
  return lines.flatMap((line, index): RuleFinding[] => {
    const { taxRate, subtotal } = line
    const description = line.text("description")?.trim().toLowerCase() ?? ""
    if (taxRate === undefined || !subtotal || description === "") return []
    if (taxRate === GST_PERCENT && HOME_RENT.test(description) && !OTHER_RENT.test(description))
      return [
        {
          pointer: line.at("taxRate"),
          message: `${quoted(line.text("description") ?? "")} is the rent of a home, which has no GST`,
          hint: "write 0 and correct the totals, or leave it if it is a short stay",
        },
      ]
    if (taxRate === GST_PERCENT && MEDICARE.test(description) && !NOT_MEDICARE.test(description))
      return [
        {
          pointer: line.at("taxRate"),
          message: `${quoted(line.text("description") ?? "")} is free of GST where Medicare pays for it`,
          hint: "write 0 and correct the totals, or correct the words",
        },
      ]
    if (
      taxRate === ZERO &&
      subtotal > ZERO &&
      ENERGY.test(description) &&
      ENERGY_RETAILER.test(data.part("supplier").text("name") ?? "")
    )
      return [
        {
          pointer: line.at("taxRate"),
          message: `${quoted(line.text("description") ?? "")} is taxed with 10%`,
          hint: "write 10 and correct the totals",
        },
      ]
    const isTaxing = taxRate === ZERO && TAXED_RENT.test(description)
    if (isTaxing && !/\bgst\b|going concern|residential/.test(description))
      if (lines.some((each) => each.taxRate === GST_PERCENT))
        return [
          {
            pointer: line.at("taxRate"),
            message: `${quoted(line.text("description") ?? "")} is taxed with 10% as a rule`,
            hint: "write 10 and correct the totals, or leave it if it is free of GST",
          },
        ]
    // One word may stand for many things.
    if (!/\S\s+\S/.test(description)) return []
    const key = `${line.unitPrice}\n${description}`
    const [at, before] = first.get(key) ?? []
    if (at === undefined || !before) {
      first.set(key, [index, line])
      return []
    }
    if (before.taxRate === taxRate || /\b(?:gst|export|disbursement)/i.test(description)) return []
    if (![before.taxRate, taxRate].includes(ZERO) || (before.subtotal ?? ZERO) < ZERO !== subtotal < ZERO)
      return []
    return [
      {
        pointer: line.at("taxRate"),
        message: `${formatPlain(taxRate)}% is not the ${formatPlain(before.taxRate ?? ZERO)}% of line item ${at + 1}, which has the same goods`,
        hint: "correct the rate that is wrong and the totals",
      },
    ]
  })
}
