/** What the comments say of the whole invoice, against its fields. Comments may be about something else: each is a question. */
import { quoted } from "../../base/parsed.ts"
import { foldNumber } from "../../base/order-number.ts"
import { CREDITS } from "../kind.ts"
import {
  CENT,
  formatMoney,
  formatPlain,
  getMagnitude,
  isWithin,
  readAmount,
  readFigure,
  subtract,
  sum,
  takePercent,
  times,
  toPlain,
  ZERO,
} from "./amounts.ts"
import { type Books, listWords } from "./books.ts"
import { isAbn, isSameName, keepDigits } from "./identifiers.ts"
import { WEEKDAY } from "./line-words.ts"
import { ASK_SUPPLIER, type DocumentRule, GST_ACT, type RuleFinding } from "./rule.ts"
import { listSentences } from "./words.ts"

const BY_COMMENT = "The contract: comments are for people, the other fields for programs; both say one thing."

export const COMMENT_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/comment-facts",
    title: "the comments name the facts that the fields name",
    about:
      "An ABN, a bank account, a purchase order, an invoice, a consignment, a carrier, a place of delivery, a month, a total, a fixed price, hours by the day, a deposit or a customer in the comments is that of the fields, a discount that they promise is given, a retention that they name is taken off, and an amount that was converted is in a line. A credit memo gives back no more than the total that its comments name of the invoice.",
    basis: BY_COMMENT,
    judges: "references",
    mayBeMeant: true,
    needs: ["data.comments"],
    passes: ({ data }) =>
      typeof data.comments === "string" && !/\d|\bto [A-Z]|charge|billed/.test(data.comments),
    check: checkFacts,
  },
  {
    id: "accounting/comment-status",
    title: "the comments do not say that nothing is to be paid",
    about:
      "Comments that call it a quote, a pro forma, a draft, a test or a credit note, or say that it is paid, contradict a standard invoice with an amount due. So do comments that ask for payment where the invoice is for information only.",
    basis: "The contract: purpose standard requests payment; isInformationOnly asks for nothing.",
    judges: "references",
    mayBeMeant: true,
    purposes: new Set(["standard"]),
    needs: ["data.comments"],
    check: checkStatus,
  },
  {
    id: "accounting/bank-change",
    title: "no comment announces another bank account",
    about:
      "A notice that the bank account changed is how payments are stolen, also where the supplier is not saved. Ask the supplier, by a phone number that you had before.",
    basis: "Australian Competition and Consumer Commission: payment redirection scams.",
    judges: "parties",
    mayBeMeant: true,
    needs: ["data.comments"],
    check: checkBankNotice,
  },
  {
    id: "accounting/gst-registration",
    title: "a supplier who is not registered for GST charges none",
    about: "Comments say that the supplier is not registered for GST, or charged none, and there is tax.",
    basis: `${GST_ACT}, section 9-5: only who is registered, or has to be, charges GST.`,
    judges: "references",
    mayBeMeant: true,
    needs: ["data.comments"],
    check: checkRegistration,
  },
  {
    id: "accounting/withholding",
    title: "nothing is withheld for a missing ABN that is there",
    about: "Comments or lines that withhold 47% because no ABN was quoted contradict an ABN of the supplier.",
    basis: "Taxation Administration Act 1953, Schedule 1, section 12-190.",
    judges: "references",
    mayBeMeant: true,
    needs: ["supplier.taxRegistrations"],
    passes: ({ words }) => !namesWithholding(words),
    check: checkWithholding,
  },
]

const OF_ANOTHER =
  /\b(?:your|buyer|customer|client|recipient|purchaser|carrier|agent|(?:sub)?-?contractor)(?:'s|s')?[\s,:(]*$/i
const ABN = /\bA\.?B\.?N\.?:?\s*(?<abn>\d(?: ?\d){10})(?!\d)/gi
const BSB = /\bBSB:?\s*(?<bsb>\d{3}[- ]?\d{3})\b/i
const ACCOUNT = /\b(?:account|acct?|a\/c)\.?(?: (?:no|number|num)\.?)?:?\s*(?<number>\d[\d -]{2,11}\d)\b/i
const ORDER =
  /\b(?:as per|per|against|for|under|ref(?:erence)?:?|your|quote|of) (?:your |our )?(?:purchase order|P\.?O\.?|order)(?: (?:no|number|num)\.?)?[:#]?\s*(?<order>[A-Z]{0,4}[-/]?\d[\w/-]{2,})/i
const OTHER_ORDER =
  /\b(?:replac\w*|instead|previous\w*|former\w*|cancel\w*|also|original\w*|next|future|and P)/i
const TOTAL =
  /\b(?:(?:invoice |grand )?total|amount|balance)(?: (?:amount|payable|due|owing|to pay|now|is|of this invoice|inc(?:l|luding)?\.? GST))*:?\s*(?:AUD ?|A)?\$\s?(?<total>\d[\d,]*\.\d\d)\b/i
const OTHER_TOTAL =
  /\b(?:account balance|previous|overdue|outstanding|statement|opening|closing|contract|budget|order total|per (?:week|month|day)|to date|retention|so far|remaining|up to|over|limit|ex\.? ?GST|excluding)\b/i
const CUSTOMER =
  /\b(?:supplied|provided|sold|invoiced|billed|rendered) to (?<customer>(?:[A-Z][\w&'’.-]*\s+|&\s+|of\s+|and\s+){1,7}(?:Pty\.? )?(?:Ltd|Limited|Council))\b/
const CREDITED =
  /\b(?:invoice|INV)[^.;]{0,40}\b(?:totall?ed|totall?ing|(?:in|a) total of|for|of)\s+(?:AUD ?)?\$(?<total>\d[\d,]*\.\d\d)/i
const CONVERSION =
  /\b(?<currency>USD|EUR|GBP|NZD|SGD|JPY|CNY|HKD|CAD|CHF)\s?(?<sum>\d[\d,]*(?:\.\d+)?)\b[^.;\d]{0,25}\bat\b\s*(?:a rate of )?(?<one>1 (?:USD|EUR|GBP|NZD|SGD|JPY|CNY|HKD|CAD|CHF|AUD) = )?(?<rate>\d+\.\d+)/i
/** A rate may have been rounded: the part of an amount that it may be off. */
const RATE_STEPS = 500

function checkFacts(books: Books): RuleFinding[] {
  const { data, summary, lines } = books
  const text = data.text("comments") ?? ""
  const pointer = data.at("comments")
  const found: RuleFinding[] = []
  const report = (says: string, fields: string, at = pointer) =>
    found.push({ pointer: at, message: `${says}, but ${fields}`, hint: "correct the one that is wrong" })

  const own = keepDigits(data.part("supplier").part("taxRegistrations").text("value"))
  for (const match of own === "" ? [] : text.matchAll(ABN)) {
    const abn = keepDigits(match.groups?.abn)
    if (abn === own || !isAbn(abn) || OF_ANOTHER.test(text.slice(0, match.index))) continue
    report(`the comments name the ABN ${abn}`, `the supplier's is ${own}`)
  }

  const bank = data.part("remitTo").part("bankDetails")
  const bsb = keepDigits(BSB.exec(text)?.groups?.bsb)
  const number = keepDigits(ACCOUNT.exec(text)?.groups?.number)
  const isOther = (said: string, stated: string) =>
    said !== "" && stated !== "" && said.replace(/^0+/, "") !== stated.replace(/^0+/, "")
  if (
    bsb !== "" &&
    (isOther(bsb, keepDigits(bank.text("bsb"))) || isOther(number, keepDigits(bank.text("accountNumber"))))
  )
    report("the comments name a bank account", "the bank details have another")

  const order = ORDER.exec(text)
  const orders = [data.text("poNumber"), ...data.parts("poReferences").map((each) => each.text("poNumber"))]
  const named = order?.groups?.order ?? ""
  if (
    order &&
    !OTHER_ORDER.test(text) &&
    !orders.some((each) => foldNumber(each ?? "").endsWith(foldNumber(named)))
  )
    report(`the comments name the order ${quoted(named)}`, `it is ${quoted(orders[0] ?? "")}`)

  const total = readAmount(TOTAL.exec(text)?.groups?.total)
  const amounts = ["dueAmount", "netAmount", "grossAmount", "subtotal", "depositAmount", "taxAmount"].map(
    (field) => summary.amount(field),
  )
  const due = summary.amount("dueAmount")
  if (
    total !== undefined &&
    due !== undefined &&
    !OTHER_TOTAL.test(text) &&
    !amounts.some((each) => each !== undefined && getMagnitude(each) === total)
  )
    report(`the comments say ${formatMoney(total)}`, `the amount due is ${formatMoney(due)}`)

  const customer = CUSTOMER.exec(text)?.groups?.customer
  const parties = [
    ...["billTo", "soldTo", "shipTo"].map((name) => data.part(name).text("addressee")),
    data.part("supplier").text("name"),
    ...data.parts("contacts").map((contact) => contact.text("name")),
  ]
  if (
    customer !== undefined &&
    parties[0] !== undefined &&
    !parties.some((name) => isSameName(name, customer))
  )
    report(`the comments name the customer ${quoted(customer)}`, `${quoted(parties[0])} is billed`)

  const credited = CREDITS.has(books.purpose) ? readAmount(CREDITED.exec(text)?.groups?.total) : undefined
  if (credited !== undefined && due !== undefined && getMagnitude(due) > credited)
    report(
      `the comments say that the invoice was ${formatMoney(credited)}`,
      `${formatMoney(getMagnitude(due))} is given back`,
      summary.at("dueAmount"),
    )

  found.push(
    ...listOtherNumbers(books, text),
    ...listOtherAmounts(books, text),
    ...checkTimesheet(books, text),
  )

  const { sum, rate, one, currency } = CONVERSION.exec(text)?.groups ?? {}
  if (sum !== undefined && rate !== undefined) {
    const [foreign, factor] = [readFigure(sum), Number(rate)]
    const ways = one?.startsWith("1 AUD") ? [foreign / factor] : [foreign * factor, foreign / factor]
    const given = [
      ...amounts,
      ...lines.flatMap((line) => [line.unitPrice, line.subtotal, line.grossAmount, line.shippingAmount]),
      data.part("shipping").amount("amount"),
    ].filter((each) => each !== undefined)
    const isGiven = ways.some((way) =>
      given.some((each) => {
        const off = Math.abs(toPlain(getMagnitude(each)) - way)
        return off * RATE_STEPS <= way
      }),
    )
    const [first = 0] = ways
    if (!isGiven)
      report(
        `${currency?.toUpperCase()} ${sum} at ${rate} is ${first.toFixed(2)}`,
        "no amount of the invoice is that",
      )
  }
  return found
}

const QUOTED =
  /\bquote (?:(?:our|this|the) )?(?:invoice )?(?:number |no\.? )?(?<number>[A-Z]{0,5}[-/]?\d[\w/-]{2,}) (?:with|on|when|for|in) (?:(?:your|the|any|all|making) )*(?:payments?|remittance|deposit|transfer|paying)/i
const CHANGED = /\b(?:invoice|inv\.?) (?:no\.? |number )?(?<number>[A-Z]{0,5}[-/]?\d[\w/-]{2,})/gi
const CONSIGNMENT =
  /\b(?:consignment|con ?note|connote|tracking)(?: note)?(?: (?:no|number)\b\.?)?:?\s*#?(?<number>[A-Z]{1,6}\d{5}[A-Z\d]*|\d{6,})\b/gi
/** Carriers by name; one line is one company. */
const CARRIERS = [
  /\bstar ?track\b|\baus(?:tralia)? ?post\b|\bauspost\b|\be-?parcel\b/i,
  /\btnt\b|\bfedex\b/i,
  /\btoll\b/i,
  /\bdhl\b/i,
  /\bcouriers ?please\b/i,
  /\baramex\b|\bfastway\b/i,
  /\bmainfreight\b/i,
  /\bteam global express\b|\btge\b/i,
]
const SENT_BY =
  /\b(?:sent|shipped|delivered|despatched|dispatched|freighted|consigned) (?:by|via|with) (?<carrier>[A-Za-z][\w ]{2,25})/i
const DELIVERED = /\b[Dd]elivered (?:to|at) (?:[A-Z][\w'’-]*,? ){1,4}(?<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\b/
const DELIVERED_CODE =
  /\b[Dd]elivered\b(?:(?!\b(?:from|ex|our|depot)\b)[^.;]){0,90}\b(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT),? (?<code>\d{4})\b/
const MONTHS =
  /(?<!\d )\b(?<month>january|february|march|april|may|june|july|august|september|october|november|december) (?<year>20\d\d)\b/gi
const FOR_MONTH =
  /\bfor (?:the month of )?(?:january|february|march|april|may|june|july|august|september|october|november|december) 20\d\d\b/i

/** Two numbers of one pattern, so that one may be the other with a slip. */
function isSlipOf(number: string, right: string): boolean {
  const toPattern = (text: string) =>
    text
      .toUpperCase()
      .replaceAll(/\d/g, "9")
      .replaceAll(/[^A-Z9]/g, "")
  const pattern = toPattern(number)
  return pattern !== "" && pattern === toPattern(right) && foldNumber(number) !== foldNumber(right)
}

/** Two numbers with the same letters in front, of which none begins with the other, as a part of it would. */
function isOfSeries(number: string, other: string): boolean {
  const [one, two] = [number, other].map((text) => foldNumber(text))
  const [series = ""] = /^[a-z]{2,}-/.exec(one ?? "") ?? []
  if (series === "" || one === undefined || two === undefined || !two.startsWith(series)) return false
  return !one.startsWith(two) && !two.startsWith(one)
}

/** Where the comments name a number, a place or a month of the invoice, and the fields another. */
function listOtherNumbers({ data, lines, purpose }: Books, text: string): RuleFinding[] {
  const isOrder = (number: string) => foldNumber(number) === foldNumber(data.text("poNumber") ?? "")
  const pointer = data.at("comments")
  const hint = "correct the one that is wrong"
  const report = (says: string, fields: string) => [{ pointer, message: `${says}, but ${fields}`, hint }]
  const own = data.text("invoiceNumber") ?? ""
  const asked = QUOTED.exec(text)?.groups?.number ?? ""
  if (asked !== "" && (isSlipOf(asked, own) || isOfSeries(asked, own)) && !isOrder(asked))
    return report(`the comments ask to quote ${quoted(asked)}`, `this is ${quoted(own)}`)
  const changed = data.part("documentReference").text("invoiceId") ?? ""
  const isOfAnother = purpose !== "standard" && changed !== ""
  const [invoice = "", ...moreInvoices] = isOfAnother
    ? [...text.matchAll(CHANGED)].map(({ groups }) => groups?.number ?? "")
    : []
  if (moreInvoices.length === 0 && isSlipOf(invoice, changed))
    return report(`the comments name the invoice ${quoted(invoice)}`, `it refers to ${quoted(changed)}`)
  const tracking = data.part("shipmentDetails").text("trackingNumber") ?? ""
  const [consignment = "", ...moreConsignments] =
    tracking === "" ? [] : [...text.matchAll(CONSIGNMENT)].map(({ groups }) => groups?.number ?? "")
  if (moreConsignments.length === 0 && isSlipOf(consignment, tracking))
    return report(`the comments name the consignment ${quoted(consignment)}`, `it is ${quoted(tracking)}`)
  const carrier = data.part("shipmentDetails").text("carrier") ?? ""
  const sentBy = carrier === "" ? "" : (SENT_BY.exec(text)?.groups?.carrier ?? "")
  const [said, listed] = [sentBy, carrier].map((name) => CARRIERS.filter((each) => each.test(name)))
  // Toll became Team Global Express, and both names are used.
  if (
    said?.length === 1 &&
    listed?.length === 1 &&
    said[0] !== listed[0] &&
    // Each may carry the goods for a part of the way.
    listed[0]?.test(text) === false &&
    !/\btoll|tge|team\b/i.test(sentBy + carrier)
  )
    return report(
      `the comments say that it was sent by ${said[0]?.exec(sentBy)?.[0]}`,
      `the carrier is ${quoted(carrier)}`,
    )
  const state = DELIVERED.exec(text)?.groups?.state
  const receiver = data.has("shipTo") ? data.part("shipTo") : data.part("billTo")
  const stated = receiver.text("state") ?? ""
  if (state !== undefined && /^[A-Z]{2,3}$/.test(stated) && state !== stated)
    return report(`the comments say that it was delivered to ${state}`, `the address is in ${stated}`)
  const code = DELIVERED_CODE.exec(text)?.groups?.code
  const codes = ["shipTo", "billTo", "soldTo"].map((name) => data.part(name).text("postalCode"))
  if (code !== undefined && data.has("shipTo") && codes[0] !== undefined && !codes.includes(code))
    return report(`the comments say that it was delivered to ${code}`, `the goods go to ${codes[0]}`)
  const months = (each: string) =>
    [...each.matchAll(MONTHS)].map(({ groups }) => `${groups?.month} ${groups?.year}`.toLowerCase())
  const [month, ...others] = FOR_MONTH.test(text) ? months(text) : []
  const ofLines = lines.flatMap((line) => months(line.text("description") ?? ""))
  if (month !== undefined && others.length === 0 && ofLines.length > 0 && new Set(ofLines).size === 1)
    if (!ofLines.includes(month))
      return report(`the comments are for ${month}`, `the lines for ${ofLines[0]}`)
  return []
}

const DEPOSIT =
  /\bdeposit (?:of|paid|received):? (?:AUD ?)?\$\s?(?<sum>\d[\d,]*(?:\.\d\d)?)\b(?=[^.;\n]{0,60}\b(?:received|paid|deducted|thanks|taken off))/i
const DEPOSIT_PART =
  /\b(?<percent>\d{1,2}(?:\.\d+)?) ?(?:%|per ?cent) deposit\b(?=[^.;\n]{0,60}\b(?:received|paid|deducted))/i
const OTHER_DEPOSIT =
  /\b(?:refundable|bond|security|required|contract|project|earlier|previous|next|future|balance of (?:the |your )?deposit)\b/i
const APPLIED =
  /\b\d{1,2}(?:\.\d+)? ?(?:%|per ?cent) (?:[a-z]+ ){0,2}discount (?:has been |was |is )?applied to (?:this|the) (?:whole )?(?:invoice|order|total)\b/i
const CLAIMED =
  /\bcontract (?:sum|price|value)(?: of| is)?:? \$(?<sum>\d[\d,]*(?:\.\d\d)?)[^;]{0,20}; ?(?:previously|already) claimed:? \$(?<before>\d[\d,]*(?:\.\d\d)?)/i
const RETAINED =
  /\bless (?:a )?\d{1,2}(?:\.\d+)? ?(?:%|per ?cent) retention\b|\bretention of \d{1,2}(?:\.\d+)? ?(?:%|per ?cent) (?:is|was|has been) (?:held|withheld|deducted|retained)\b/i
const FIXED_PRICE =
  /\b(?:fixed|agreed|quoted|lump[- ]sum) price(?: of| is| was|:)? (?:AUD ?)?\$\s?(?<price>\d[\d,]*(?:\.\d\d)?)(?![\d,]|\.\d| ?(?:per|(?:for )?each|a|\/)\b)/i
const PART_OF_PRICE =
  /\b(?:claim\w*|stages?|part|progress|deposit|instal?ments?|variations?|extras?|plus (?!GST)|additional|less|discount\w*|balance|retention|first|second|final|per ?cent|labour|materials|at cost|chang\w*|revis\w*|amend\w*)\b|%/i
const VARIATION = /\b(?<!no )variations?\b|\bretention\b/i
const NET_OF = /\bretention\b|\bnet of\b|\bless\b/i
const MORE_TO_PAY =
  /\b(?:additional|extra|further) (?:charge|billing)\b|\bunder[- ]?(?:billed|charged|invoiced)\b|\bnot billed on\b/i

const TIMESHEET = new RegExp(`\\b${WEEKDAY}:? (?<hours>\\d{1,2}(?:\\.\\d+)?) ?(?:h|hrs?|hours?)\\b`, "gi")
const DAYS_ON_END = new RegExp(`\\b${WEEKDAY} ?(?:to|-|–|&|and|\\/) ?${WEEKDAY}\\b`, "i")

/** Hours by the day of the week, against the one line of hours. */
function checkTimesheet({ data, lines }: Books, text: string): RuleFinding[] {
  const days = [...text.matchAll(TIMESHEET)].map(({ groups }) => readAmount(groups?.hours) ?? ZERO)
  const [line, ...more] = lines.filter((each) => each.text("unitOfMeasure") === "HUR")
  const worked = sum(days)
  if (days.length < 2 || !line?.quantity || more.length > 0 || worked === ZERO) return []
  // Of several people, days or weeks; a break is taken off; and a shop is open so long.
  if (
    Number(line.quantity) % Number(worked) === 0 ||
    DAYS_ON_END.test(text) ||
    /\b(?:less|break\w*|plus|each|open\w*)\b/i.test(text)
  )
    return []
  return [
    {
      pointer: data.at("comments"),
      message: `the hours in the comments are ${formatPlain(worked)}, but ${formatPlain(line.quantity)} are billed`,
      hint: "correct the one that is wrong, and the totals",
    },
  ]
}

/** Where the comments name an amount, or a part of one, and the fields have none of it. */
function listOtherAmounts({ data, summary, lines, purpose }: Books, text: string): RuleFinding[] {
  const pointer = data.at("comments")
  const hint = "correct the one that is wrong, and the totals"
  const given = (field: string) => summary.amount(field) ?? ZERO
  const isTakenOff = lines.some(
    ({ subtotal, discountAmount }) => (subtotal ?? ZERO) < ZERO || !!discountAmount,
  )
  const deposit = given("depositAmount")
  const paid = readAmount(DEPOSIT.exec(text)?.groups?.sum)
  if (
    paid !== undefined &&
    purpose === "standard" &&
    deposit === ZERO &&
    !isTakenOff &&
    !OTHER_DEPOSIT.test(text)
  )
    return [
      {
        pointer,
        message: `the comments say that ${formatMoney(paid)} was paid, but no deposit is taken off`,
        hint,
      },
    ]
  const percent = readAmount(DEPOSIT_PART.exec(text)?.groups?.percent)
  if (percent !== undefined && deposit > ZERO && !OTHER_DEPOSIT.test(text)) {
    const parts = ["grossAmount", "netAmount", "subtotal"].map((field) => takePercent(given(field), percent))
    // A deposit may have been rounded to whole dollars.
    if (!parts.some((each) => isWithin(each, deposit, times(CENT, 100))))
      return [
        {
          pointer: summary.at("depositAmount"),
          message: `the comments say ${quoted(DEPOSIT_PART.exec(text)?.[0] ?? "")}, which is ${formatMoney(parts[0] ?? ZERO)}, but ${formatMoney(deposit)} is taken off`,
          hint,
        },
      ]
  }
  const applied = APPLIED.exec(text)?.[0]
  if (applied !== undefined && !given("discountAmount") && !isTakenOff)
    return [{ pointer, message: `the comments say ${quoted(applied)}, but no discount is taken off`, hint }]
  const { sum, before } = CLAIMED.exec(text)?.groups ?? {}
  const [whole, claimed] = [readAmount(sum), readAmount(before)]
  const subtotal = given("subtotal")
  if (
    whole !== undefined &&
    claimed !== undefined &&
    !VARIATION.test(text) &&
    subtotal > subtract(whole, claimed)
  )
    return [
      {
        pointer,
        message: `the comments leave ${formatMoney(subtract(whole, claimed))} of the contract, but ${formatMoney(subtotal)} is claimed`,
        hint,
      },
    ]
  const retained = RETAINED.exec(text)?.[0]
  const isReduced =
    isTakenOff ||
    !!given("discountAmount") ||
    lines.some((line) => NET_OF.test(line.text("description") ?? ""))
  if (
    retained !== undefined &&
    purpose === "standard" &&
    !isReduced &&
    given("dueAmount") >= given("grossAmount")
  )
    return [{ pointer, message: `the comments say ${quoted(retained)}, but nothing is taken off`, hint }]
  const fixed = readAmount(FIXED_PRICE.exec(text)?.groups?.price)
  const [line, ...more] = lines
  if (fixed && line && more.length === 0 && purpose === "standard" && !PART_OF_PRICE.test(text)) {
    const sums = [
      line.subtotal,
      line.unitPrice,
      ...["subtotal", "grossAmount", "netAmount", "dueAmount"].map(given),
    ]
    if (
      !sums.some((sum) => sum !== undefined && isWithin(sum, fixed, CENT)) &&
      !PART_OF_PRICE.test(line.text("description") ?? "")
    )
      return [
        {
          pointer,
          message: `the comments name a price of ${formatMoney(fixed)}, but ${formatMoney(subtotal)} is billed`,
          hint,
        },
      ]
  }
  const extra = MORE_TO_PAY.exec(text)?.[0]
  if (extra !== undefined && CREDITS.has(purpose) && given("dueAmount") > ZERO)
    return [
      {
        pointer: data.at("purpose"),
        message: `the comments say ${quoted(extra)}, but a credit memo gives money back`,
        hint: "make it a debit memo, or correct the comments",
      },
    ]
  return []
}

const EARLIER =
  /\b(?:per|against|replac\w*|supersed\w*|from|our|your|with|earlier|previous|refers? to|accepted|following|based on|see)\b[^.;\n]{0,15}$/i
const NOT_AN_INVOICE =
  /\bpro[\s-]?forma\b(?!\s*(?:invoice )?(?:no\.? |number |#)?[A-Z]*-?\d)|\bnot an? (?:tax )?invoice\b|\b(?:test|sample|dummy) (?:invoice|document|only)\b|\bdo not pay\b(?! (?:twice|again|into|to))|^\s*(?:quote|quotation|estimate|draft)\b(?!\s*(?:the|your|our|this|invoice|number|no\b|ref\w*|when|with|#|[A-Z]*-?\d|accepted|approved))|\bquot(?:e|ation) valid (?:for|until)\b/i
const CREDIT_NOTE =
  /(?:^\s*|\bthis (?:document )?is an? )credit (?:note|memo)\b(?!\s*(?:to follow|will|no\b|number|#|[A-Z]*-?\d|has|was|is\b|may|can|applied|deducted|terms|attached|included))/i
const PAID =
  /^\s*paid\b(?!\s*(?:AUD ?)?\$)|\bpaid in full\b|\bnothing (?:further )?(?:is )?(?:owing|due|payable|to pay)\b|\bno (?:amount|balance|payment) (?:is )?(?:due|owing|required|payable)\b/i
const NOT_PAID =
  /\b(?:must|to|shall|should|will|until|till|be|not|unless|if|when|once|title|ownership|property|before)\b[^.;\n]{0,40}$/i
const NO_PAYMENT = /\b(?:no|not|never|without|n't)\b[^.;\n]{0,20}$/i
const ASKS_FOR_PAYMENT =
  /\bpayment (?:is )?(?:required|due)\b|\bplease (?:pay|remit)\b|\bpayable (?:by|within|on)\b|\bpay by\b/i

function checkStatus({ data, summary }: Books): RuleFinding[] {
  const text = data.text("comments") ?? ""
  const due = summary.amount("dueAmount") ?? ZERO
  const find = (pattern: RegExp, before: RegExp) => {
    const match = pattern.exec(text)
    return match && !before.test(text.slice(0, match.index)) ? match[0].trim() : undefined
  }
  if (data.value("isInformationOnly") === true) {
    const asks = find(ASKS_FOR_PAYMENT, NO_PAYMENT)
    if (asks === undefined) return []
    return [
      {
        pointer: data.at("isInformationOnly"),
        message: `the invoice is for information only, but the comments say ${quoted(asks)}`,
        hint: "set isInformationOnly to false if it is to be paid, or correct the comments",
      },
    ]
  }
  if (due <= 0 || data.text("operation") === "delete") return []
  const other = find(NOT_AN_INVOICE, EARLIER)
  const credit = find(CREDIT_NOTE, EARLIER)
  const paid = find(PAID, NOT_PAID)
  const asked = `${formatMoney(due)} is due`
  return [
    ...(other === undefined
      ? []
      : [
          {
            pointer: data.at("comments"),
            message: `the comments say ${quoted(other)}, but ${asked}`,
            hint: "send the invoice itself, or take the words out if it is one",
          },
        ]),
    ...(credit === undefined
      ? []
      : [
          {
            pointer: data.at("purpose"),
            message: `the comments say ${quoted(credit)}, but the purpose is standard and ${asked}`,
            hint: "make it a credit memo that names its invoice, or correct the comments",
          },
        ]),
    ...(paid === undefined
      ? []
      : [
          {
            pointer: summary.at("dueAmount"),
            message: `the comments say ${quoted(paid)}, but ${asked}`,
            hint: "write what was paid as depositAmount, or correct the comments",
          },
        ]),
  ]
}

const BANK_NOTICE =
  /\b(?:bank(?:ing)?|account|payment) (?:details|account)s?\b[^.;\n]{0,20}\b(?:changed|updated|amended|are new|is new|different)\b|\b(?:new|changed|updated) (?:bank(?:ing)?|payment) (?:details|accounts?)\b|\bchange (?:of|in|to) (?:our )?(?:bank(?:ing)?|account|payment) (?:details|account)|\bchanged (?:our )?banks?\b/i
const NO_NOTICE = /\b(?:not|never|n't|unless|if|without|verify|beware|before)\b/i

function checkBankNotice({ data }: Books): RuleFinding[] {
  const sentences = listSentences(data.text("comments"))
  const notice = sentences.find(
    (each) => BANK_NOTICE.test(each) && !NO_NOTICE.test(each.replace(/before paying/i, "")),
  )
  if (notice === undefined) return []
  return [
    {
      pointer: data.at("comments"),
      message: `${quoted(notice.trim())}: payments are stolen by such notices`,
      hint: ASK_SUPPLIER,
    },
  ]
}

const NONE_CHARGED =
  "(?:no GST (?:has been|is|was) (?:charged|applied|added)|GST (?:has not been|is not|was not) (?:charged|applied|added))"
/** Behind other words of its sentence it may be about one charge. */
const NOT_REGISTERED = new RegExp(
  `\\bnot (?:currently |yet )?(?:registered for GST|(?:a )?GST[- ]registered)\\b|\\b${NONE_CHARGED}(?= on (?:this|the) invoice)|(?<=(?:^|[.;!\\n]) ?)${NONE_CHARGED}(?= ?[.;!]|\\s*$)`,
  "i",
)

function checkRegistration({ data, summary }: Books): RuleFinding[] {
  const text = data.text("comments") ?? ""
  const tax = summary.amount("taxAmount")
  const said = NOT_REGISTERED.exec(text)
  if (!said || !tax || OF_ANOTHER.test(text.slice(0, said.index).replace(/\bis\s*$/i, ""))) return []
  return [
    {
      pointer: data.at("comments"),
      message: `the comments say ${quoted(said[0])}, but there is tax of ${formatMoney(tax)}`,
      hint: "take the tax out and correct the totals, or correct the comments",
    },
  ]
}

const WITHHELD = /\bwith(?:held|h?old(?:ing|s)?)\b/i
const FOR_ABN = /\bABN\b|\b47 ?%/i

function namesWithholding(text: unknown): boolean {
  return typeof text === "string" && WITHHELD.test(text) && FOR_ABN.test(text)
}

function checkWithholding(books: Books): RuleFinding[] {
  const { data } = books
  const abn = data.part("supplier").part("taxRegistrations").text("value")
  if (abn === undefined || !isAbn(keepDigits(abn))) return []
  return listWords(books).flatMap(([part, field]) => {
    const text = part.text(field) ?? ""
    if (!namesWithholding(text) || /\b(?:no(?![- ]ABN)|not|n't|never)\b[^.;]{0,20}\bwithh/i.test(text))
      return []
    return [
      {
        pointer: part.at(field),
        message: `${quoted(text)} withholds tax for a missing ABN, but the supplier's is ${abn}`,
        hint: "take the withholding out, or say what else it is for",
      },
    ]
  })
}
