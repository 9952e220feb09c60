/** The effect of a document: it asks for money, gives some back, or only informs about another. */

/** `invoice`, unless it is something else. */
export type InvoiceKind = "invoice" | "credit" | "debit" | "update" | "cancellation" | "information"

/** The purposes that give money back, and those that ask for more. */
export const CREDITS: ReadonlySet<unknown> = new Set(["creditMemo", "lineLevelCreditMemo"])
export const DEBITS: ReadonlySet<unknown> = new Set(["debitMemo", "lineLevelDebitMemo"])

/**
 * The contract: `operation` says whether it is new, `isInformationOnly` that it has no consequences, `purpose` in which
 * direction the money goes.
 */
export function findKind(fields: {
  operation?: unknown
  isInformationOnly?: unknown
  purpose?: unknown
}): InvoiceKind {
  if (fields.operation === "delete") return "cancellation"
  if (fields.isInformationOnly === true) return "information"
  if (fields.operation === "update") return "update"
  return CREDITS.has(fields.purpose) ? "credit" : DEBITS.has(fields.purpose) ? "debit" : "invoice"
}

/** Whether nothing has to be paid for it, whatever its amount due. */
export function asksNothing(kind: InvoiceKind): boolean {
  return kind === "cancellation" || kind === "information"
}
