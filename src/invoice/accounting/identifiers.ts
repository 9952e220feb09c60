/** What identifies an invoice, its order and its supplier. */
import type { Books, Part } from "./books.ts"
import type { DocumentRule, Remark } from "./rule.ts"

export const IDENTIFIER_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/blank-identifier",
    title: "invoice, order and supplier are identified",
    about:
      "The invoice number, the purchase order number, and the supplier's id and name must not be empty or blank. Nobody could find or pay such an invoice.",
    basis: "The contract requires these fields, although it allows an empty text.",
    check: checkIdentifiers,
  },
]

function checkIdentifiers({ data }: Books): Remark[] {
  const supplier = data.part("supplier")
  return [
    ...checkText(data, "invoiceNumber", "write the supplier's number of the invoice"),
    ...checkText(data, "poNumber", "write the number of the purchase order that is billed"),
    ...checkText(supplier, "id", "write the id by which the buyer knows the supplier"),
    ...checkText(supplier, "name", "write the supplier's name"),
  ]
}

function checkText(part: Part, field: string, hint: string): Remark[] {
  const text = part.text(field)
  if (text === undefined || !isBlank(text)) return []
  return [{ pointer: part.at(field), message: text === "" ? "the text is empty" : "the text is blank", hint }]
}

/** Whether nothing of a text can be seen. */
export function isBlank(text: string): boolean {
  return !/[^\p{Z}\p{C}]/u.test(text)
}
