/** Reads the cells beside an amount: a charge, a credit, or a charge that may not count. */

const CREDIT =
  /^(?:cr|crn|crd|c\/n|cn|acn|credit|credits|rebate|rebated|-|\u2212)$|\b(?:credit (?:note|memo|adjustment|invoice)|adjustment note|refund|refunds|refunded|reversal|reversed|credited)\b/i
const CHARGE =
  /^(?:dr|db|dn|debit|debits|debit note|inv|invoice|invoiced|tax invoice|t\/inv|charge|charges|charged|sale|bill|billed|paid|unpaid|not paid|due|open|owing|outstanding|overdue|pending|freight|standard|normal|\+)$/i
const NOT_ASKED =
  "void|voided|cancell?ed|rejected|declined|waived|written off|withdrawn|disputed|not (?:charged|billed|invoiced)|do not pay"
const MAY_NOT_COUNT = new RegExp(String.raw`\b(?:${NOT_ASKED})\b`, "i")
const SAYS_NOT_ASKED = new RegExp(String.raw`^\W*(?:${NOT_ASKED})\W*$`, "i")

/** The sign of a row's amounts by a cell of a column of signs or types; undefined for an unknown word. */
export function readSign(cell: string): "credit" | "charge" | undefined {
  const text = cell.trim()
  if (CREDIT.test(text) && !/^not /i.test(text)) return "credit"
  return CHARGE.test(text) ? "charge" : undefined
}

/** The same of a column that has nothing but signs and types, in which a letter is enough: `D`, `C`. */
export function readSignOrLetter(cell: string): "credit" | "charge" | undefined {
  const letter = cell.trim().toLowerCase()
  if (letter === "c" || letter === "d") return letter === "c" ? "credit" : "charge"
  return readSign(cell)
}

/** The same of a line of goods: a carrier charges for a return, and a seller gives its price back. */
export function readSignOfGoods(cell: string): "credit" | "charge" | undefined {
  return /^return$/i.test(cell.trim()) ? "credit" : readSignOrLetter(cell)
}

const NOTE = /^\W*(?:tax )?adjustment (?:note|memo)\b/i
const DISCOUNT =
  /^\W*(?:less:? )?(?:\d[\d.]* ?% )?(?:(?!(?:after|before|with|without|net|nett|incl|including|excl|excluding|no|less)\b)[a-z]+ ){0,3}discounts?\W*(?:\d[\d.]* ?%\W*)?(?:\b(?:on|off|of|for)\b.*)?$/i

/** Whether a charge is called a note that may raise or lower what was charged, or a discount: its amount has to say which. */
export function isOpenLabel(label: string): boolean {
  return NOTE.test(label) || DISCOUNT.test(label)
}

/** Whether a charge has the name of a credit: `Credit note`, `Refund of fuel levy`. */
export function isCreditLabel(label: string): boolean {
  return /^\W*(?:credit|refund|reversal|rebate)\b(?!.*\b(?:fee|card|charge|surcharge|adjustment)\b)/i.test(
    label,
  )
}

/** The name of such a document, as a pattern. */
export const CREDIT_NOTE =
  "(?:tax )?(?:credit|adjustment)(?:(?: ?[/&] ?| | and | or )(?:credit|adjustment))? (?:note|memo)"
const LABEL = new RegExp(`^\\W*${CREDIT_NOTE}(?: (?:no|number|num|#))?\\W*$`, "i")
const LABEL_WITH_NUMBER = new RegExp(`^\\W*${CREDIT_NOTE}(?: (?:no|number|num|#))?\\W+\\S*\\d\\S*$`, "i")
const INVOICE = /^\W*(?:tax invoice\b|invoice\W*$)/i
const ENDS_IN_AMOUNT = /\.\d\d\D*$/

/** Whether a cell is the title of a credit note, or the label of its number. */
export function namesCreditNote(cell: string): boolean {
  return LABEL.test(cell)
}

/**
 * The title or label that makes a document a credit note, also where its amounts have no minus; undefined if it has the
 * title of an invoice as well.
 * @param above the cells of each row above its headings
 */
export function findCreditNote(above: readonly (readonly string[])[]): string | undefined {
  const rows = above.map((cells) => cells.filter((cell) => cell !== ""))
  if (rows.flat().some((cell) => INVOICE.test(cell))) return undefined
  // With an amount, it is a line of the account.
  const isTitle = (cell: string, next = "") =>
    namesCreditNote(cell)
      ? !ENDS_IN_AMOUNT.test(next)
      : LABEL_WITH_NUMBER.test(cell) && !ENDS_IN_AMOUNT.test(cell)
  return rows.flatMap((cells) => cells.filter((cell, at) => isTitle(cell, cells[at + 1])))[0]
}

/** Whether a status says that its charge may not have to be paid. */
export function mayNotCount(cell: string): boolean {
  return MAY_NOT_COUNT.test(cell)
}

/** Whether a cell under any heading says nothing but that: `VOID`. */
export function saysNotAsked(cell: string): boolean {
  return SAYS_NOT_ASKED.test(cell)
}
