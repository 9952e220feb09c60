/** The invoice summary as the accounting rules see it, in cents: against the lines, and against itself. */
import { amountOf, GST, isRateOf, type Lines, MOST_CENTS, PARTS } from "./verify-lines.ts"
import type { Field, Shapes } from "./verify-shapes.ts"

const AMOUNTS = [
  "subtotal",
  "shipping",
  "handling",
  "tax",
  "discount",
  "gross",
  "net",
  "deposit",
  "due",
] as const
type Amount = (typeof AMOUNTS)[number]

export class Totals {
  private parts = 0
  private taxOfParts = 0
  private everyPartHasTax = true
  /** The most that a part differs from its rate, in ten thousandths of a cent. */
  private difference = 0
  private readonly fields: Readonly<Record<Amount, Field>>
  private readonly partType: Field
  private readonly partRate: Field
  private readonly partTaxable: Field
  private readonly partTax: Field
  private readonly gst: number
  private readonly section: Field
  /** What the shipping may be. */
  private readonly shipping = new Float64Array(4)
  private base = 0
  private gross = Number.NaN
  private discount = 0
  private otherDiscount = 0

  constructor({ fieldAt }: Shapes) {
    const field = (name: string) => fieldAt(`data.invoiceSummary.${name}`)
    this.fields = {
      subtotal: field("subtotal"),
      shipping: field("shippingAmount"),
      handling: field("specialHandlingAmount"),
      tax: field("taxAmount"),
      discount: field("discountAmount"),
      gross: field("grossAmount"),
      net: field("netAmount"),
      deposit: field("depositAmount"),
      due: field("dueAmount"),
    }
    this.partType = field("taxBreakdown[].taxType")
    this.partRate = field("taxBreakdown[].taxRate")
    this.partTaxable = field("taxBreakdown[].taxableAmount")
    this.partTax = field("taxBreakdown[].taxAmount")
    this.gst = this.partType.words.indexOf("GST")
    this.section = fieldAt("data.shipping.amount")
  }

  begin(): void {
    this.parts = this.taxOfParts = this.difference = 0
    this.everyPartHasTax = true
  }

  /** Adds a part of the tax breakdown; false when it is not certainly right. */
  addPart(values: Float64Array, seen: number): boolean {
    const rate = amountOf(values, seen, this.partRate)
    const isGst = (seen & this.partType.bit) !== 0 && values[this.partType.cell] === this.gst
    if (isGst && rate !== 0 && rate !== GST) return false
    const tax = amountOf(values, seen, this.partTax)
    const taxable = amountOf(values, seen, this.partTaxable)
    if (!(Math.abs(taxable) < MOST_CENTS && Math.abs(tax) < MOST_CENTS && Math.abs(rate) <= PARTS))
      return false
    this.parts++
    this.taxOfParts += tax
    if ((seen & this.partTax.bit) === 0) this.everyPartHasTax = false
    const needed = this.partTax.bit | this.partTaxable.bit | this.partRate.bit
    if ((seen & needed) === needed)
      this.difference = Math.max(this.difference, Math.abs(tax * PARTS - taxable * rate))
    return true
  }

  /**
   * Whether the summary agrees with the lines and with itself.
   * @param seen the summary's properties
   * @param seenSection those of the shipping section
   */
  agree(values: Float64Array, seen: number, seenSection: number, lines: Lines): boolean {
    for (const name of AMOUNTS)
      if (!(Math.abs(amountOf(values, seen, this.fields[name])) < MOST_CENTS)) return false
    return (
      2 * Math.abs(this.amount(values, seen, "subtotal") - lines.subtotal) <= lines.roundedSubtotals &&
      this.taxAgrees(values, seen, lines) &&
      this.discountAgrees(values, seen, lines) &&
      this.addsUp(values, seen, seenSection, lines)
    )
  }

  private amount(values: Float64Array, seen: number, name: Amount): number {
    return amountOf(values, seen, this.fields[name])
  }

  private has(seen: number, name: Amount): boolean {
    return (seen & this.fields[name].bit) !== 0
  }

  private taxAgrees(values: Float64Array, seen: number, lines: Lines): boolean {
    const tax = this.amount(values, seen, "tax")
    if (this.difference > (PARTS / 2) * (1 + lines.roundedTaxes)) return false
    if (this.parts > 0 && this.everyPartHasTax && 2 * Math.abs(tax - this.taxOfParts) > this.parts)
      return false
    if (!lines.everyHasTax) return true
    const more = tax - lines.tax
    const extra = this.amount(values, seen, "shipping") - lines.shipping
    const handling = this.amount(values, seen, "handling")
    const allowed = Math.max(1, lines.roundedTaxes)
    // GST on shipping and handling that only the summary has may come on top.
    return (
      2 * Math.abs(more) <= allowed ||
      (more !== 0 &&
        (isRateOf(more, extra, GST) ||
          isRateOf(more, handling, GST) ||
          isRateOf(more, extra + handling, GST)))
    )
  }

  /** The discount holds at least those of the lines. */
  private discountAgrees(values: Float64Array, seen: number, lines: Lines): boolean {
    if (!this.has(seen, "discount") || lines.discount === 0) return true
    const said = this.amount(values, seen, "discount")
    return lines.discount > 0 ? said >= lines.discount : said <= lines.discount
  }

  /** Whether gross, net and due follow, with what is not stated taken from the lines or for nought. */
  private addsUp(values: Float64Array, seen: number, seenSection: number, lines: Lines): boolean {
    if (!this.readShipping(values, seen, seenSection, lines)) return false
    this.base =
      this.amount(values, seen, "subtotal") +
      this.amount(values, seen, "tax") +
      this.amount(values, seen, "handling")
    this.gross = this.has(seen, "gross") ? this.amount(values, seen, "gross") : Number.NaN
    this.discount = this.amount(values, seen, "discount")
    this.otherDiscount = this.has(seen, "discount") ? this.discount : lines.discount
    const net = this.amount(values, seen, "net")
    const due = this.amount(values, seen, "due") + this.amount(values, seen, "deposit")
    if (this.has(seen, "gross") && !this.isSum(this.gross)) return false
    return this.has(seen, "net") ? this.isNet(net) && due === net : this.isNet(due)
  }

  /** Notes what the shipping may be; false when the summary's differs from the lines' and the section's. */
  private readShipping(values: Float64Array, seen: number, seenSection: number, lines: Lines): boolean {
    const section = amountOf(values, seenSection, this.section)
    if (!(Math.abs(section) < MOST_CENTS)) return false
    const hasSection = (seenSection & this.section.bit) !== 0
    const told = this.shipping
    told[0] = lines.anyHasShipping ? lines.shipping : section
    told[1] = hasSection ? section : lines.shipping
    told[2] = hasSection && lines.anyHasShipping ? section + lines.shipping : told[0]
    told[3] = 0
    if (!this.has(seen, "shipping")) return true
    const said = this.amount(values, seen, "shipping")
    const agrees = said === told[0] || said === told[1] || said === told[2]
    told.fill(said)
    return agrees || !(hasSection || lines.anyHasShipping)
  }

  private isSum(gross: number): boolean {
    const rest = gross - this.base
    const told = this.shipping
    return rest === told[0] || rest === told[1] || rest === told[2] || rest === told[3]
  }

  private isNet(net: number): boolean {
    return this.isGross(net + this.discount) || this.isGross(net + this.otherDiscount)
  }

  private isGross(gross: number): boolean {
    return Number.isNaN(this.gross) ? this.isSum(gross) : gross === this.gross
  }
}
