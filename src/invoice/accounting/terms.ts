/** The terms of payment against themselves. */
import { type Amount, formatPlain, GST_PERCENT, times, ZERO } from "./amounts.ts"
import type { Books } from "./books.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

export const TERMS_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/discount-after-net",
    title: "a discount ends before payment is due",
    about:
      "The days of a discount for early payment must not be more than the net days: nobody pays early after the invoice is due.",
    basis: "The contract: discountTerms are tiers of early payment, netDays the days until payment is due.",
    judges: "terms",
    needs: ["data.paymentTerms"],
    check: checkDiscountDays,
  },
  {
    id: "accounting/negative-days",
    title: "days of payment are not negative",
    about: "Net days and discount days are counted from the invoice on: they are 0 or more.",
    basis: "The contract: netDays and discountDays are numbers of days.",
    judges: "terms",
    needs: ["data.paymentTerms"],
    check: checkNegativeDays,
  },
  {
    id: "accounting/percentage",
    title: "percentages are between 0 and 100",
    about:
      "A discount takes off at most all that is due, and no tax of the breakdown is more than what it is taken of. The rate of GST has a rule of its own.",
    basis: "The contract: 2 means 2 percent of a discount, 10 means 10 percent of a tax.",
    judges: "terms",
    needs: [["data.paymentTerms", "summary.taxBreakdown"]],
    check: checkPercentages,
  },
]

const HUNDRED: Amount = times(GST_PERCENT, 10)

function checkDiscountDays({ terms, tiers }: Books): RuleFinding[] {
  const net = terms.amount("netDays")
  if (net === undefined || net < 0) return []
  return tiers.flatMap((tier) => {
    const days = tier.amount("discountDays")
    if (days === undefined || days <= net) return []
    return [
      {
        pointer: tier.at("discountDays"),
        message: `the discount ends after ${formatPlain(days)} days, but payment is due after ${formatPlain(net)}`,
        hint: "correct the days that are wrong; the two may be swapped",
      },
    ]
  })
}

function checkNegativeDays({ terms, tiers }: Books): RuleFinding[] {
  const given = [[terms, "netDays"] as const, ...tiers.map((tier) => [tier, "discountDays"] as const)]
  return given.flatMap(([part, field]) => {
    const days = part.amount(field)
    if (days === undefined || days >= 0) return []
    return [
      {
        pointer: part.at(field),
        message: `${formatPlain(days)} days are fewer than none`,
        hint: "write the number of days without a minus sign",
      },
    ]
  })
}

function checkPercentages({ tiers, otherTaxParts }: Books): RuleFinding[] {
  const given = [
    ...tiers.map((tier) => [tier, "discountPercent"] as const),
    ...otherTaxParts.map((part) => [part, "taxRate"] as const),
  ]
  return given.flatMap(([part, field]) => {
    const percent = part.amount(field)
    if (percent === undefined || (percent >= ZERO && percent <= HUNDRED)) return []
    return [
      {
        pointer: part.at(field),
        message: `${formatPlain(percent)}% is not between 0% and 100%`,
        hint: "write 2 for 2 percent; an amount does not belong here",
      },
    ]
  })
}
