/**
 * The accounting rules: what the contract's fields mean for each other, though no schema says so.
 *
 * Amounts are exact decimals taken from the text. One that has more than forty digits (with its exponent) or is no
 * number is unreadable, and a rule that needs it says nothing. HALF is 0.005; "≈" is "differs by at most HALF"; an
 * absent amount counts 0 unless said otherwise. A document that keeps to what follows has no finding. Where it does
 * not, a rule may still be content, as `about` says: the amounts that build on one that is reported as wrong are not
 * reported with it when they fit the right one.
 *
 * Each line (a rule speaks only when the line states the amount it is about):
 * - line-subtotal: subtotal ≈ quantity × unitPrice.
 * - line-tax, with a rate and a tax: taxAmount ≈ subtotal × taxRate ÷ 100; also of the subtotal + shippingAmount,
 *   − discountAmount, or both.
 * - line-gross: grossAmount ≈ subtotal + taxAmount + shippingAmount. With a rate and no tax, the tax may be what the
 *   rate makes, or 0.
 * - line-net: netAmount ≈ gross − discountAmount; gross is grossAmount, or where absent the sum above.
 *
 * The summary:
 * - summary-subtotal: subtotal = Σ subtotal, exactly; HALF is allowed for each line whose subtotal is not exactly
 *   quantity × unitPrice.
 * - summary-tax, when every line has a taxAmount: taxAmount ≈ Σ taxAmount; HALF is allowed for each line (at least one)
 *   whose tax is not exactly its rate of its subtotal. 10% of the shipping, handling or discount of the summary may
 *   be in it besides.
 * - summary-shipping, when shippingAmount is stated and a line or shipping.amount too: it ≈ the lines' sum,
 *   shipping.amount, or both together.
 * - summary-discount, when both state one: |discountAmount| ≥ |Σ discountAmount|, with the same sign (0 < any).
 * - summary-gross: grossAmount ≈ subtotal + taxAmount + shippingAmount + specialHandlingAmount; shipping that is absent
 *   is 0 or any of the three above.
 * - summary-net: netAmount ≈ gross − discountAmount; a discount that is absent is 0 or the lines' sum.
 * - summary-due: dueAmount ≈ net − depositAmount. Gross and net, where absent, are worked out as above.
 * - tax-part, with all three: taxAmount ≈ taxableAmount × taxRate ÷ 100; HALF more for each line that summary-tax counts.
 * - tax-breakdown, when there are parts and each has a tax: |Σ taxAmount − summary's taxAmount| ≤ HALF × parts.
 * - gst-rate: taxRate is 0 or 10 on lines and on parts of type GST; a line's may be that of a part of another type.
 *
 * The rest:
 * - abn-missing: supplier.taxRegistrations is there, or the summary's tax is 0 (or absent).
 * - abn: supplier.taxRegistrations.value without its spaces is 11 digits; (first − 1) × 10 + the others × 1, 3, … 19
 *   is divisible by 89.
 * - bsb: remitTo.bankDetails.bsb is \d{3}-?\d{3}.
 * - due-before-invoiced: dueDate ≥ invoiceDate by the day as written, or as an instant.
 * - due-net-days: day of dueDate = day of invoiceDate + netDays, as written or on the clocks of an Australian state.
 * - memo-reference, unless the purpose is standard: documentReference has an invoiceId, documentId or payloadId that is
 *   not blank.
 * - memo-line-reference, for the line-level purposes: each line has poLineReference, asnLineReference or uniqueLineKey.
 * - due-sign: dueAmount ≥ 0 for standard and debit memos, ≤ 0 for credit memos.
 * - memo-line-sign, for credit memos: no line with a subtotal > 0 beside one with a subtotal < 0.
 * - line-number: no two lines have the same invoiceLineNumber (30 and 30.0 are the same).
 * - po-reference, when poReferences has any: poNumber is one of theirs, or blank.
 * - blank-identifier: invoiceNumber, poNumber, supplier.id and supplier.name have a character that can be seen.
 * - absurd-amount: |number| < 10^12 for each amount, price, quantity and rate of the lines, the summary, its tax parts and
 *   the shipping.
 * - duplicate-invoice: over a run, not a document; see `duplicateInvoices`.
 */

import { placeInWords } from "../place.ts"
import { Books } from "./books.ts"
import { DATE_RULES } from "./dates.ts"
import { DUPLICATE_INVOICE } from "./duplicates.ts"
import { IDENTIFIER_RULES } from "./identifiers.ts"
import { LINE_RULES } from "./lines.ts"
import { MAGNITUDE_RULES } from "./magnitudes.ts"
import { MEMO_RULES } from "./memos.ts"
import { ORDER_RULES } from "./orders.ts"
import { PARTY_RULES } from "./parties.ts"
import type { AccountingFinding, DocumentRule, DocumentSource, Rule } from "./rule.ts"
import { SUMMARY_RULES } from "./summary.ts"
import { TAX_RULES } from "./tax.ts"

const DOCUMENT_RULES: readonly DocumentRule[] = [
  ...LINE_RULES,
  ...SUMMARY_RULES,
  ...TAX_RULES,
  ...PARTY_RULES,
  ...DATE_RULES,
  ...MEMO_RULES,
  ...ORDER_RULES,
  ...IDENTIFIER_RULES,
  ...MAGNITUDE_RULES,
]

/** Every rule in words. */
export const RULES: readonly Rule[] = [...DOCUMENT_RULES, DUPLICATE_INVOICE].map(
  ({ id, title, about, basis }) => ({
    id,
    title,
    about,
    basis,
  }),
)

/**
 * What the rules have to say about one document, rule by rule. Never throws: of a broken document, what cannot be
 * counted with is passed over.
 */
export function accountingFindings(invoice: unknown, source: DocumentSource): AccountingFinding[] {
  const books = new Books(invoice, source)
  return DOCUMENT_RULES.flatMap(({ id, check }) =>
    [...check(books)].map((remark): AccountingFinding => {
      const place = placeInWords(remark.pointer)
      return { rule: id, severity: "warning", ...remark, message: `${place}: ${remark.message}` }
    }),
  )
}
