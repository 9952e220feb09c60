/** The terms of payment against themselves. */
import { type Amount, formatPlain, GST_PERCENT, times, ZERO } from "./amounts.ts"
import { addDays, daysBetween, formatDate, parseDate } from "../../base/wall-clock.ts"
import type { Books } from "./books.ts"
import { countDays, findInvoiceMoment, isNearOrMoved, listDueDays, readMoment } from "./dates.ts"
import type { Glance } from "./glance.ts"
import type { DocumentRule, RuleFinding } from "./rule.ts"

export const TERMS_RULES: readonly DocumentRule[] = [
  {
    id: "accounting/discount-after-net",
    title: "a discount ends before payment is due",
    about:
      "The days of a discount for early payment must not be more than the net days: nobody pays early after the invoice is due. Of two tiers, the earlier one takes off more.",
    basis: "The contract: discountTerms are tiers of early payment, netDays the days until payment is due.",
    judges: "terms",
    needs: ["data.paymentTerms"],
    passes: hasNoTiers,
    check: checkDiscountDays,
  },
  {
    id: "accounting/negative-days",
    title: "days of payment are not negative",
    about: "Net days and discount days are counted from the invoice on: they are 0 or more.",
    basis: "The contract: netDays and discountDays are numbers of days.",
    judges: "terms",
    needs: ["data.paymentTerms"],
    passes: (glance) => {
      const { netDays = 0 } = Object(glance.data.paymentTerms) as Record<string, unknown>
      return hasNoTiers(glance) && typeof netDays === "number" && netDays >= 0
    },
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
    passes: (glance) => {
      const { taxBreakdown = [] } = glance.summary
      return (
        hasNoTiers(glance) &&
        Array.isArray(taxBreakdown) &&
        taxBreakdown.every((part) => (Object(part) as Record<string, unknown>).taxType === "GST")
      )
    },
    check: checkPercentages,
  },
  {
    id: "accounting/discount-date",
    title: "the last day of a discount fits its days",
    about:
      "A discount ends on the invoice date plus its days, or on the next business day, not before the invoice, and not after payment is due.",
    basis: "The contract: discountDays and discountDueDate are two ways to say when early payment ends.",
    judges: "terms",
    needs: ["data.paymentTerms"],
    passes: hasNoTiers,
    check: checkDiscountDates,
  },
]

function hasNoTiers({ data }: Glance): boolean {
  return (Object(data.paymentTerms) as Record<string, unknown>).discountTerms === undefined
}

function checkDiscountDates(books: Books): RuleFinding[] {
  const { data, terms, tiers } = books
  const [invoiced, due] = [findInvoiceMoment(books), readMoment(data.text("dueDate"))]
  if (!invoiced) return []
  return tiers.flatMap((tier) => {
    const last = parseDate(tier.text("discountDueDate") ?? "")
    if (!last.ok || tier.isBroken("discountDueDate")) return []
    const days = countDays(tier.amount("discountDays"))
    const allowed = days === undefined ? [] : listDueDays(invoiced.day, days, terms.text("description"))
    const report = (message: string): RuleFinding[] => [
      { pointer: tier.at("discountDueDate"), message, hint: "correct the date, or the days that are wrong" },
    ]
    const date = formatDate(last.value)
    if (daysBetween(invoiced.day, last.value) < -1)
      return report(`${date} is before the invoice date ${formatDate(invoiced.day)}`)
    if (due && daysBetween(due.day, last.value) > 1)
      return report(`${date} is after the due date ${formatDate(due.day)}`)
    if (days === undefined || days < 0 || allowed.some((day) => isNearOrMoved(day, last.value))) return []
    return report(
      `${formatPlain(tier.amount("discountDays") ?? ZERO)} days after the invoice date is ${formatDate(addDays(invoiced.day, days))}, not ${date}`,
    )
  })
}

const HUNDRED: Amount = times(GST_PERCENT, 10)

function checkDiscountDays({ terms, tiers }: Books): RuleFinding[] {
  const unrewarded = tiers.find((tier, index) => {
    const earlier = index === 0 ? undefined : tiers[index - 1]
    const [days, before] = [tier, earlier].map((each) => each?.amount("discountDays"))
    const [percent, first] = [tier, earlier].map((each) => each?.amount("discountPercent"))
    if (days === undefined || before === undefined || percent === undefined || first === undefined)
      return false
    return days !== before && percent !== first && days > before === percent > first
  })
  if (unrewarded)
    return [
      {
        pointer: unrewarded.at("discountPercent"),
        message: `who pays later gets more: ${formatPlain(unrewarded.amount("discountPercent") ?? ZERO)}% within ${formatPlain(unrewarded.amount("discountDays") ?? ZERO)} days`,
        hint: "correct the percentages or the days: the two tiers may be swapped",
      },
    ]
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
        message: `${formatPlain(days)} days are less than none`,
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
