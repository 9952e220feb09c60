/** Numbers that point at things: lines and purchase orders. */
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import { type Amount, plain } from "./amounts.ts"
import type { Books } from "./books.ts"
import { isBlank } from "./identifiers.ts"
import { type DocumentRule, NO_REMARKS, type Remark } from "./rule.ts"

export const ORDER_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/line-number",
    title: "each line has its own number",
    about:
      "Two lines with the same number cannot be told apart when a question or a credit refers to one of them.",
    basis: "The contract: invoiceLineNumber is the supplier's number of the line.",
    check: checkLineNumbers,
  },
  {
    id: "accounting/po-reference",
    title: "the purchase order is among those invoiced",
    about: "When the invoice lists its purchase orders, the primary one must be in the list.",
    basis:
      "The contract: poNumber is the primary purchase order billed, poReferences those that are invoiced.",
    check: checkPurchaseOrder,
  },
]

function checkLineNumbers({ lines }: Books): readonly Remark[] {
  const numbers = lines.map((line) => line.invoiceLineNumber)
  const isAscending = numbers.every(
    (number, index) => number !== undefined && (index === 0 || number > (numbers[index - 1] ?? number)),
  )
  if (isAscending) return NO_REMARKS
  const first = new Map<Amount, number>()
  return lines.flatMap((line, index) => {
    const number = numbers[index]
    if (number === undefined) return []
    const before = first.get(number)
    if (before === undefined) {
      first.set(number, index)
      return []
    }
    return [
      {
        pointer: line.at("invoiceLineNumber"),
        message: `${plain(number)} is already the number of line item ${before + 1}`,
        hint: "give each line its own number",
      },
    ]
  })
}

function checkPurchaseOrder({ data }: Books): Remark[] {
  const order = data.text("poNumber")
  const listed = data.parts("poReferences").flatMap((each) => each.text("poNumber") ?? [])
  if (order === undefined || isBlank(order) || listed.length === 0 || listed.includes(order)) return []
  // Orders that differ in a digit are different orders.
  const digits = keepDigits(order)
  const meant = suggest(
    order,
    listed.filter((each) => keepDigits(each) === digits),
  )
  return [
    {
      pointer: data.at("poNumber"),
      message: `${quoted(order)} is not among the purchase orders listed: ${listed.slice(0, 3).map(quoted).join(", ")}${listed.length > 3 ? ", …" : ""}`,
      hint: meant
        ? `did you mean ${quoted(meant)}?`
        : "add it to poReferences, or correct the number that is wrong",
    },
  ]
}

function keepDigits(text: string): string {
  return text.replace(/\D/g, "")
}
