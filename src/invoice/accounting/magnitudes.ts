/** Numbers that are larger than any invoice needs. */
import { getField, getSchemaAt } from "../schema.ts"
import { ABSURD } from "./amounts.ts"
import type { Books, Part } from "./books.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

export const MAGNITUDE_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/absurd-amount",
    title: "no number is absurdly large",
    about:
      "Amounts, prices, quantities and rates have at most 12 digits before the decimal point. A larger number comes from a typing mistake, such as a missing point or a key held down.",
    basis: "No invoice asks for 1,000,000,000,000 Australian dollars.",
    check: checkMagnitudes,
  },
]

const LINE_NUMBERS = numbersAt("/data/lineItems/0")
const SUMMARY_NUMBERS = numbersAt("/data/invoiceSummary")
const TAX_PART_NUMBERS = numbersAt("/data/invoiceSummary/taxBreakdown/0")
const SHIPPING_NUMBERS = numbersAt("/data/shipping")

/** The fields of an object that hold amounts, prices, quantities or rates. Whole numbers are references. */
function numbersAt(pointer: string): string[] {
  const schema = getSchemaAt(pointer)
  return Object.keys(schema.properties ?? {}).filter((name) => getField(schema, name)?.type === "number")
}

function checkMagnitudes({ data, lines, summary }: Books): RuleFinding[] {
  const found: RuleFinding[] = []
  collectAbsurd(data.part("shipping"), SHIPPING_NUMBERS, found)
  for (const line of lines) collectAbsurd(line, LINE_NUMBERS, found)
  collectAbsurd(summary, SUMMARY_NUMBERS, found)
  for (const part of summary.parts("taxBreakdown")) collectAbsurd(part, TAX_PART_NUMBERS, found)
  return found
}

/** Numbers beyond what a float holds are infinite here. */
function collectAbsurd(part: Part, fields: readonly string[], found: RuleFinding[]): void {
  if (part.largestNumber() < ABSURD) return
  for (const field of fields) {
    const value = part.value(field)
    if (typeof value === "number" && Math.abs(value) >= ABSURD)
      found.push({
        pointer: part.at(field),
        message: "this number has more than 12 digits before the decimal point, which is probably a mistake",
        hint: "check its digits, its decimal point and its exponent",
      })
  }
}
