/** The summary against the lines, and against itself. */
import { describeField } from "../labels.ts"
import {
  type Amount,
  add,
  formatLiteral,
  formatMoney,
  GST_PERCENT,
  getMagnitude,
  HALF_CENT,
  isAbsurd,
  isWithin,
  negate,
  roundToCents,
  sum,
  takePercent,
  times,
  ZERO,
} from "./amounts.ts"
import { type Books, getProduct, getTaxByRate } from "./books.ts"
import { agreesWithFormula, type Formula, toCents } from "./glance.ts"
import { isOffPrice } from "./lines.ts"
import type { Declaration, DocumentCheck, DocumentRule, RuleFinding } from "./rule.ts"
import {
  checkFormula,
  getLineClues,
  getTerm,
  getTotal,
  listSums,
  reportMismatch,
  type Sum,
  settleField,
  settleOptionalField,
  singleTermSums,
  sumCorrected,
} from "./sums.ts"
import { addLineTaxes, checkSummaryTax, checkTaxLimit } from "./tax.ts"

const GROSS: Formula = {
  field: "grossAmount",
  added: ["subtotal", "taxAmount", "shippingAmount", "specialHandlingAmount"],
}
const NET: Formula = { field: "netAmount", base: GROSS, takenOff: ["discountAmount"] }
const DUE: Formula = { field: "dueAmount", base: NET, takenOff: ["depositAmount"] }

/** Each builds on the one before. */
export const TOTALS: readonly Formula[] = [GROSS, NET, DUE]

export const SUMMARY_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/summary-subtotal",
    title: "subtotal is the sum of the lines",
    about:
      "Adds up the subtotals of all lines. Half a cent of rounding is allowed for each line whose subtotal is not exactly quantity × unit price.",
    basis: "The contract: the summary's subtotal is the sum of all line subtotals.",
    judges: "amounts",
    passes: ({ summary, subtotals }) => toCents(summary.subtotal) === subtotals,
    check: checkSubtotal,
  },
  {
    id: "accounting/summary-shipping",
    title: "shipping is what the lines and the shipping section say",
    about:
      "Compares the summary's shipping with the lines' shipping, with the amount of the shipping section, and with both together. Any of the three will do.",
    basis: "The contract: the summary's shippingAmount is the total shipping.",
    judges: "amounts",
    needs: ["summary.shippingAmount", ["line.shippingAmount", "data.shipping"]],
    check: checkShipping,
  },
  {
    id: "accounting/summary-discount",
    title: "discount is at least what the lines give",
    about:
      "The summary's discount holds the lines' discounts, and may hold one on the whole invoice besides. It is wrong when it is less than the lines give.",
    basis: "The contract: the summary's discountAmount is the total discount.",
    judges: "amounts",
    needs: ["summary.discountAmount", "line.discountAmount"],
    check: checkDiscount,
  },
  {
    id: "accounting/shipping-in-totals",
    title: "the totals count the shipping",
    about:
      "Shipping of the lines or of the shipping section is in the summary's shipping, or at least in its gross, net or due amount. It is reported where these are right without it only.",
    basis:
      "The contract: the summary's shippingAmount is the total shipping, and gross is subtotal plus tax plus shipping plus handling.",
    judges: "amounts",
    needs: [["line.shippingAmount", "data.shipping"]],
    passes: ({ summary }) => summary.shippingAmount !== undefined,
    check: (books) =>
      checkUnknownCharge(books, "shippingAmount", findUnstatedShipping(books), [GROSS, NET, DUE]),
  },
  {
    id: "accounting/discount-in-totals",
    title: "the totals count the lines' discounts",
    about:
      "Discounts of the lines are in the summary's discount, or at least in its net or due amount. It is reported where these are right without them only.",
    basis:
      "The contract: the summary's discountAmount is the total discount, and net is gross minus discounts.",
    judges: "amounts",
    needs: ["line.discountAmount"],
    passes: ({ summary }) => summary.discountAmount !== undefined,
    check: (books) =>
      checkUnknownCharge(books, "discountAmount", listAmounts(books.total("discountAmount")), [NET, DUE]),
  },
  {
    id: "accounting/summary-gross",
    title: "gross is subtotal + tax + shipping + handling",
    about:
      "Adds up the summary's own amounts. Shipping that the summary does not state is taken from the lines.",
    basis: "The contract: grossAmount is subtotal plus tax plus shipping plus handling, before discounts.",
    judges: "amounts",
    ...followsFormula(GROSS),
  },
  {
    id: "accounting/summary-net",
    title: "net is gross less discount",
    about:
      "Takes the discount off the gross amount. What the summary does not state is worked out from the rest.",
    basis: "The contract: netAmount is gross minus discounts.",
    judges: "amounts",
    ...followsFormula(NET),
  },
  {
    id: "accounting/summary-due",
    title: "due is net less deposit",
    about:
      "Takes the deposit off the net amount. Where net or gross is not stated, it is worked out from subtotal, tax, shipping, handling and discount.",
    basis: "The contract: dueAmount is net minus deposits.",
    judges: "amounts",
    ...followsFormula(DUE),
  },
  {
    id: "accounting/negative-deduction",
    title: "a discount or deposit is not negative",
    about:
      "Discounts and deposits are taken off, so that a negative one is added to what is due. Not for credit memos, whose amounts are negative.",
    basis: "The contract: net is gross minus discounts, due is net minus deposits.",
    judges: "amounts",
    purposes: new Set(["standard", "debitMemo", "lineLevelDebitMemo"]),
    needs: [["summary.discountAmount", "summary.depositAmount"]],
    check: checkDeductions,
  },
]

/** The declaration of a rule that holds a field of the summary to its formula. */
function followsFormula(formula: Formula): Pick<Declaration, "needs" | "passes"> & DocumentCheck {
  return {
    needs: [`summary.${formula.field}`],
    passes: ({ summary }) => agreesWithFormula(summary, formula),
    check: (books) => checkFormula(books.summary, formula, (field) => findAmounts(books, field)),
  }
}

function checkDeductions({ summary, data }: Books): RuleFinding[] {
  if ((summary.amount("subtotal") ?? ZERO) < 0 || data.isBroken("purpose")) return []
  return ["discountAmount", "depositAmount"].flatMap((field) => {
    const amount = summary.amount(field)
    if (amount === undefined || amount >= 0) return []
    return [
      {
        pointer: summary.at(field),
        message: `${formatMoney(amount)} is negative, so that it is added instead of taken off`,
        hint: `write it as ${formatLiteral(negate(amount))} and correct the totals, if it is to be taken off`,
      },
    ]
  })
}

export function checkSubtotal(books: Books): RuleFinding[] {
  const { lines, summary } = books
  const stated = summary.amount("subtotal")
  const total = books.total("subtotal")
  if (stated === undefined || total === undefined || stated === total || !books.everyLineHas("subtotal"))
    return []
  const totals = [total, sumCorrected(lines, "subtotal", isOffPrice, getProduct) ?? total]
  const allowed = times(HALF_CENT, books.roundedSubtotals)
  if (totals.some((each) => isWithin(stated, each, allowed))) return []
  return reportMismatch(summary, "subtotal", "lines add up to", total, [
    ...getLineClues(lines, "subtotal"),
    { amount: summary.amount("taxAmount") ?? ZERO, over: "the tax was added in" },
    { amount: summary.amount("shippingAmount") ?? ZERO, over: "the shipping was added in" },
    { amount: books.total("discountAmount") ?? ZERO, short: "the discounts were taken off already" },
  ])
}

/** The shipping that the lines and the shipping section imply, the likeliest first; none when they say nothing. */
function findUnstatedShipping(books: Books): Amount[] {
  const section = books.data.part("shipping")
  const [lines, whole] = [books.total("shippingAmount"), section.amountOrZero("amount")]
  if (lines === undefined || whole === undefined) return []
  const byLine = books.anyLineHas("shippingAmount")
  if (byLine && section.has("amount")) return [add(lines, whole), lines, whole]
  return byLine ? [lines] : section.has("amount") ? [whole] : []
}

function checkShipping(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("shippingAmount")
  if (stated === undefined) return []
  const [likeliest, fromLines, fromSection] = findUnstatedShipping(books)
  if (likeliest === undefined) return []
  const may = [likeliest, fromLines, fromSection]
  if (may.some((each) => each !== undefined && isWithin(stated, each, HALF_CENT))) return []
  const leads =
    fromLines !== undefined && fromSection !== undefined
      ? `the lines' shipping of ${formatMoney(fromLines)} and the shipping section's ${formatMoney(fromSection)} make`
      : books.anyLineHas("shippingAmount")
        ? "the lines' shipping adds up to"
        : "the shipping section says"
  return reportMismatch(summary, "shippingAmount", leads, likeliest, getLineClues(lines, "shippingAmount"))
}

function checkDiscount(books: Books): RuleFinding[] {
  const { summary, lines } = books
  const stated = summary.amount("discountAmount")
  const total = stated === undefined ? undefined : books.total("discountAmount")
  if (stated === undefined || total === undefined || total === 0) return []
  const isSameSign = stated === 0 || stated < 0 === total < 0
  if (isSameSign && getMagnitude(stated) >= getMagnitude(total)) return []
  return reportMismatch(
    summary,
    "discountAmount",
    "the lines' discounts add up to",
    total,
    getLineClues(lines, "discountAmount"),
  )
}

function listAmounts(amount: Amount | undefined): Amount[] {
  return amount === undefined ? [] : [amount]
}

/** Reports a charge that the summary does not state, if the first total that should include it is right only without it. */
function checkUnknownCharge(
  books: Books,
  field: string,
  charges: readonly Amount[],
  totals: readonly Formula[],
): RuleFinding[] {
  const { summary } = books
  const total = totals.find((formula) => summary.has(formula.field))
  const stated = total && summary.amount(total.field)
  const [charge] = charges.filter((amount) => amount !== ZERO && !isAbsurd(amount))
  if (!total || stated === undefined || charge === undefined) return []
  if (summary.has(field) || summary.amountOrZero(field) === undefined) return []
  const isRightWith = (amounts: readonly Amount[]) =>
    listSums(summary, total, (name) =>
      name === field ? singleTermSums(field, amounts) : findAmounts(books, name),
    ).some((sum) => isWithin(stated, getTotal(sum), HALF_CENT))
  if (!isRightWith([ZERO]) || isRightWith(charges)) return []
  return [
    {
      pointer: summary.pointer,
      property: field,
      message: `${describeField(field)} of ${formatMoney(charge)} is in the invoice, but ${describeField(total.field)} does not count it`,
      hint: `add "${field}": ${formatLiteral(charge)} and correct the totals, or take it out`,
    },
  ]
}

/** The amounts that a field of the summary may count for. */
export function findAmounts(books: Books, field: string): Sum[] {
  const { summary } = books
  const total = books.total(field)
  const fromLines = singleTermSums(field, total === undefined ? [] : [total])
  switch (field) {
    case "subtotal":
      return settleField(
        summary,
        field,
        books.everyLineHas(field) ? fromLines : [],
        isWrong(checkSubtotal(books)),
      )
    case "taxAmount":
      return settleField(
        summary,
        field,
        singleTermSums(field, [...listLineTaxes(books), ...listLawfulTaxes(books)]),
        isWrong(checkSummaryTax(books)) || isWrong(checkTaxLimit(books)),
      )
    case "shippingAmount": {
      const unstated = singleTermSums(field, findUnstatedShipping(books))
      return settleOptionalField(summary, field, unstated, isWrong(checkShipping(books)))
    }
    case "discountAmount":
      return settleOptionalField(summary, field, fromLines, isWrong(checkDiscount(books)))
    default:
      return getTerm(summary, field)
  }
}

/** 10% of the subtotal, if the tax is reported because of another amount. */
function listLawfulTaxes(books: Books): Amount[] {
  const subtotal = books.total("subtotal")
  const isDoubtful = books.summary.has("taxAmount") && isWrong(checkTaxLimit(books))
  return isDoubtful && subtotal !== undefined ? [roundToCents(takePercent(subtotal, GST_PERCENT))] : []
}

/** The tax of all lines to the cent: rounded as a whole, and line by line. */
export function listLineTaxes(books: Books): Amount[] {
  const total = addLineTaxes(books)
  if (total === undefined) return []
  const byLine = books.lines.map((line) => roundToCents(line.taxAmount ?? getTaxByRate(line) ?? ZERO))
  return [...new Set([roundToCents(total), sum(byLine)])]
}

function isWrong(findings: readonly RuleFinding[]): boolean {
  return findings.length > 0
}

/** Whether the amount due would be right with the other sign. */
export function isDueSignWrong(books: Books): boolean {
  const due = books.summary.amount("dueAmount")
  const sums = listSums(books.summary, DUE, (field) => findAmounts(books, field)).map(getTotal)
  return due !== undefined && sums.some((sum) => isWithin(negate(due), sum, HALF_CENT))
}
