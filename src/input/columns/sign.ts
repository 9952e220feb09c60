/** Reads the cells beside an amount: a charge, a credit, or a charge that may not count. */

const CREDIT =
  /^(?:cr|crn|crd|c\/n|cn|acn|credit|credits|rebate|rebated|-|\u2212)$|\b(?:credit (?:note|memo|adjustment|invoice)|adjustment note|refund|refunds|refunded|reversal|reversed|credited)\b/i
const CHARGE =
  /^(?:dr|db|dn|debit|debits|debit note|inv|invoice|invoiced|tax invoice|t\/inv|charge|charges|charged|sale|bill|billed|paid|unpaid|not paid|due|open|owing|outstanding|overdue|pending|freight|standard|normal|\+)$/i
const MAY_NOT_COUNT =
  /\b(?:void|voided|cancell?ed|rejected|declined|waived|written off|withdrawn|disputed)\b/i

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

/** Whether a charge has the name of a credit: `Credit note`, `Refund of fuel levy`. */
export function isCreditLabel(label: string): boolean {
  return /^\W*(?:credit|refund|reversal|rebate|adjustment note)\b(?!.*\b(?:fee|card|charge|surcharge|adjustment)\b)/i.test(
    label,
  )
}

/** Whether a status says that its charge may not have to be paid. */
export function mayNotCount(cell: string): boolean {
  return MAY_NOT_COUNT.test(cell)
}
