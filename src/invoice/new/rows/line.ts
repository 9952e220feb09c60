/** A row as a line of its invoice. */
import type { LineItem } from "../../../contract/generated/types.ts"
import type { CellFinding } from "../../../input/index.ts"
import type { NewLine } from "../texts.ts"
import { errorAt, FILL_IN } from "./errors.ts"
import { formatMoney } from "../../accounting/amounts.ts"
import { describeDiscount, PRICES, priceLine, UNIT_PRICES } from "./price.ts"
import type { InvoiceRow, InvoiceRows } from "./row.ts"

const TEXTS = ["supplierItemId", "buyerItemId", "manufacturerPartId", "manufacturerName", "batchId"] as const
const WHOLE = ["invoiceLineNumber", "poLineReference", "asnLineReference"] as const

/** @returns `isTaxAssumed` if no column states the tax, and GST is added */
export function readLine(
  { columnOf }: InvoiceRows,
  { texts, amounts, failed }: InvoiceRow,
): { line: NewLine; isTaxAssumed: boolean } | { findings: CellFinding[] } {
  // An unreadable cell has its error already: calculations from it have none.
  if ([...failed].some((field) => amounts.has(field) || AMOUNTS.has(field))) return { findings: [] }
  const priced = priceLine(amounts, columnOf)
  if ("finding" in priced) return { findings: [priced.finding] }
  const required = (field: string, message: string) => ({
    findings: [errorAt(columnOf, field, "required", message, FILL_IN)],
  })
  const taxColumn = ["taxRate", "taxAmount"].find((field) => columnOf(field) !== undefined)
  if (priced.isAssumed && taxColumn !== undefined) return required(taxColumn, "it is empty: what is the tax?")
  const description = texts.get("description") ?? texts.get("supplierItemId")
  if (description === undefined && failed.has("description")) return { findings: [] }
  if (description === undefined) return required("description", "description is missing")
  const unitOfMeasure = texts.get("unitOfMeasure")
  const line = {
    ...priced.line,
    description,
    ...(unitOfMeasure !== undefined && { unitOfMeasure }),
    more: { ...explainDiscount(amounts), ...readMore(texts) },
  }
  return { line, isTaxAssumed: priced.isAssumed }
}

const AMOUNTS: ReadonlySet<string> = new Set([
  "quantity",
  ...PRICES,
  "taxAmount",
  "taxRate",
  "discount",
  "discountPercent",
  "discountAmount",
  "basis",
])

/** The unit price of a line is the one after its discount. */
function explainDiscount(amounts: InvoiceRow["amounts"]): Partial<LineItem> {
  const discount = describeDiscount(amounts)
  const [field] = UNIT_PRICES.filter((each) => amounts.has(each))
  const price = field === undefined ? undefined : amounts.get(field)
  if (discount === "" || price === undefined) return {}
  return { comments: `${formatMoney(price)}${field === "unitPriceIncGst" ? " inc GST" : ""}${discount}` }
}

/** The line's other fields, as the contract has them. */
function readMore(texts: ReadonlyMap<string, string>): Partial<LineItem> {
  const given = <Name extends string, T>(names: readonly Name[], read: (text: string) => T) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = texts.get(name)
        return text === undefined ? [] : [[name, read(text)]]
      }),
    ) as { [N in Name]?: T }
  const comments = texts.get("lineComments")
  return {
    ...given(WHOLE, Number),
    ...given(TEXTS, (text) => text),
    ...given(["serialNumbers"], (text) => text.split(/(?:(?<!\s)\s+)?[;|,]\s*/).filter(Boolean)),
    ...(comments !== undefined && { comments }),
  }
}
