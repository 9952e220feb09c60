/**
 * Figures and numbers in the comments that fields have, too, and sentences that contradict a field as a whole. What
 * comments say in looser words may be about another invoice, another part of the work or another month: it is not read.
 */
import { quoted } from "../../base/parsed.ts"
import { foldNumber } from "../../base/order-number.ts"
import { formatMoney, getMagnitude, readAmount, ZERO } from "./amounts.ts"
import { type Books, listWords, type Part } from "./books.ts"
import { isAbn, isSameName, keepDigits } from "./identifiers.ts"
import { ASK_SUPPLIER, type DocumentRule, GST_ACT, type RuleFinding } from "./rule.ts"
import { listSentences } from "./words.ts"

const BY_COMMENT = "The contract: comments are for people, the other fields for programs; both say one thing."

export const COMMENT_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/comment-facts",
    title: "the comments name the facts that the fields name",
    about:
      "A valid ABN of the supplier, a BSB with an account number, the number of the purchase order, of this invoice or of the one that a memo changes, a tracking number, the total, and a deposit that was paid are those of the fields, where the comments state them.",
    basis: BY_COMMENT,
    judges: "references",
    mayBeMeant: true,
    needs: ["data.comments"],
    passes: ({ data }) => typeof data.comments === "string" && !/\d/.test(data.comments),
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
    passes: ({ words }) => !words.match(WITHHELD),
    check: checkWithholding,
  },
]

const ABN = /\bA\.?B\.?N\.?:?\s*(?<abn>\d(?: ?\d){10})(?!\d)/gi
const BSB = /\bBSB:?\s*(?<bsb>\d{3}[- ]?\d{3})\b/i
const ACCOUNT = /\b(?:account|acct?|a\/c)\.?(?: (?:no|number|num)\.?)?:?\s*(?<number>\d[\d -]{2,11}\d)\b/i
const ORDER =
  /\b(?:as per|per|against|for|under|ref(?:erence)?:?|your|quote|of) (?:your |our )?(?:purchase order|P\.?O\.?|order)(?: (?:no|number|num)\.?)?[:#]?\s*(?<order>[A-Z]{0,4}[-/]?\d[\w/-]{2,})/i
const OTHER_ORDER =
  /\b(?:replac\w*|instead|previous\w*|former\w*|cancel\w*|also|original\w*|next|future|and P)/i
const TOTAL =
  /(?:^\s*(?:invoice |grand )?total(?: (?:amount|is|inc(?:l|luding)?\.? GST))*|\b(?:total|amount|balance) (?:now )?(?:due|payable|owing|to pay)(?: (?:is|now|inc(?:l|luding)?\.? GST))*):?\s*(?:AUD ?|A)?\$\s?(?<total>\d[\d,]*\.\d\d)\b(?! ?(?:per\b|\/|\+|plus|ex))/i
const OTHER_TOTAL =
  /\b(?:account|previous|overdue|outstanding|statement|opening|closing|contract|budget|order total|to date|so far|remaining|up to|over|limit|ex\.? ?GST|excluding)\b/i
/** Lines for a remaining amount already have the deposit deducted. */
const BALANCE = /\b(?:balance|deposit|final|claim|instal?ment|stage)\b/i
const DEPOSIT =
  /\bdeposit (?:already )?(?:paid|received):? (?:AUD ?)?\$\s?(?<sum>\d[\d,]*(?:\.\d\d)?)\b|\bdeposit of (?:AUD ?)?\$\s?(?<before>\d[\d,]*(?:\.\d\d)?) (?:was |has been )?(?:paid|received)\b/i

/** Whether the words before an ABN make it the supplier's: it starts the sentence, or follows "our" or the name. */
function isOfSupplier(before: string, data: Part): boolean {
  const sentences = listSentences(before.replaceAll(/\b(pty|ltd|co)\./gi, "$1").replaceAll("\n", " "))
  const clause = sentences.at(-1)?.trim() ?? ""
  return clause === "" || /\bour$/i.test(clause) || isSameName(clause, data.part("supplier").text("name"))
}

function checkFacts(books: Books): RuleFinding[] {
  const { data, summary, lines, purpose } = books
  const text = data.text("comments") ?? ""
  const pointer = data.at("comments")
  const found: RuleFinding[] = []
  const report = (says: string, fields: string) =>
    found.push({ pointer, message: `${says}, but ${fields}`, hint: "correct the one that is wrong" })
  const own = keepDigits(data.part("supplier").part("taxRegistrations").text("value"))
  for (const match of own === "" ? [] : text.matchAll(ABN)) {
    const abn = keepDigits(match.groups?.abn)
    if (abn === own || !isAbn(abn) || !isOfSupplier(text.slice(0, match.index), data)) continue
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

  const [total] = listSentences(text).flatMap((each) => readAmount(TOTAL.exec(each)?.groups?.total) ?? [])
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

  const { sum, before } = DEPOSIT.exec(text)?.groups ?? {}
  const paid = readAmount(sum ?? before)
  const isTakenOff =
    !!summary.amount("depositAmount") ||
    lines.some((line) => (line.subtotal ?? ZERO) < ZERO || BALANCE.test(line.text("description") ?? ""))
  if (paid !== undefined && purpose === "standard" && !isTakenOff)
    report(`the comments say that a deposit of ${formatMoney(paid)} was paid`, "none is taken off")

  return [...found, ...listOtherNumbers(books, text)]
}

const QUOTED =
  /\bquote (?:(?:our|this|the) )?(?:invoice )?(?:number |no\.? )?(?<number>[A-Z]{0,5}[-/]?\d[\w/-]{2,}) (?:with|on|when|for|in) (?:(?:your|the|any|all|making) )*(?:payments?|remittance|deposit|transfer|paying)/i
const CHANGED = /\b(?:invoice|inv\.?) (?:no\.? |number )?(?<number>[A-Z]{0,5}[-/]?\d[\w/-]{2,})/gi
const CONSIGNMENT =
  /\b(?:consignment|con ?note|connote|tracking)(?: note)?(?: (?:no|number)\b\.?)?:?\s*#?(?<number>[A-Z]{1,6}\d{5}[A-Z\d]*|\d{6,})\b/gi
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

/** Reports a number of the invoice in the comments that differs from the fields. */
function listOtherNumbers({ data, purpose }: Books, text: string): RuleFinding[] {
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
  return []
}

const EARLIER =
  /\b(?:per|against|replac\w*|supersed\w*|from|our|your|with|earlier|previous|refers? to|accepted|following|based on|see)\b[^.;\n]{0,15}$/i
const NOT_AN_INVOICE =
  /\bpro[\s-]?forma invoice\b(?!\s*(?:no\.? |number |#)?[A-Z]*-?\d)|\bnot an? (?:tax )?invoice\b|\b(?:test|sample|dummy) invoice\b|^\s*(?:pro[\s-]?forma|quote|quotation|estimate|draft)(?: only)?(?=\s*(?:[-–:] |$))|^\s*quot(?:e|ation) valid (?:for|until)\b/i
const CREDIT_NOTE =
  /^\s*credit (?:note|memo)(?=\s*(?:[-–:] |$))|\bthis (?:document )?is an? credit (?:note|memo)\b/i
const PAID =
  /^\s*paid(?: with thanks)?(?=\s*(?:[-–] |$))|\bpaid in full\b|\bnothing (?:further )?(?:is )?(?:owing|due|payable|to pay)\b|\bno (?:amount|balance|payment) (?:is )?(?:due|owing|required|payable)\b(?! (?:until|before|if|for|on)\b)/i
const NOT_PAID =
  /\b(?:must|to|shall|should|will|until|till|be|not|unless|if|when|once|title|ownership|property|before)\b[^.;\n]{0,40}$/i
const NO_PAYMENT = /\b(?:no|not|never|without|n't)\b[^.;\n]{0,20}$/i
const ASKS_FOR_PAYMENT =
  /\bpayment (?:is )?(?:required|due)\b|\bplease (?:pay|remit)\b|\bpayable (?:by|within|on)\b|\bpay by\b/i

function checkStatus({ data, summary }: Books): RuleFinding[] {
  const due = summary.amount("dueAmount") ?? ZERO
  // A question states nothing.
  const sentences = listSentences(data.text("comments")).filter((each) => !each.includes("?"))
  const find = (pattern: RegExp, before: RegExp) => {
    const matches = sentences.flatMap((each) => {
      const match = pattern.exec(each)
      return match && !before.test(each.slice(0, match.index)) ? [match[0].trim()] : []
    })
    return matches[0]
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

const OF_ANOTHER =
  /\b(?:your|buyer|customer|client|recipient|purchaser|carrier|agent|(?:sub)?-?contractor)(?:'s|s')?[\s,:(]*$/i

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
