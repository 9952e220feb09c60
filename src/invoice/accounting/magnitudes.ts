/** Numbers that are larger than any invoice needs. */
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
    judges: "amounts",
    passes: ({ areNumbersSmall, data, summary }) =>
      areNumbersSmall && data.shipping === undefined && summary.taxBreakdown === undefined,
    check: checkMagnitudes,
  },
]

/** Amounts, prices, quantities and rates by their names; whole numbers are references. */
const AMOUNTS = /(?:amount|price|quantity|rate|total)$/i

function checkMagnitudes({ data, lines, summary, taxParts }: Books): RuleFinding[] {
  const absurd = lines.filter((line) => line.hasAbsurdNumber())
  const parts = [data.part("shipping"), ...absurd, summary, ...taxParts]
  return parts.flatMap((part) => (part.hasAbsurdNumber() ? listAbsurd(part) : []))
}

/** Numbers beyond the range of a float are infinite here. */
function listAbsurd(part: Part): RuleFinding[] {
  const isAbsurd = (value: unknown) => typeof value === "number" && Math.abs(value) >= ABSURD
  return part
    .names()
    .filter((name) => AMOUNTS.test(name) && isAbsurd(part.value(name)))
    .map((name) => ({
      pointer: part.at(name),
      message: "this number has more than 12 digits before the decimal point, which is probably a mistake",
      hint: "check its digits, its decimal point and its exponent",
    }))
}
