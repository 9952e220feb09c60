/** Line items as the accounting rules see them, in cents: sums, and whether each line is right in itself. */
import type { Field, Shapes } from "./verify-shapes.ts"

/** Amounts up to a thousand million dollars: products of them with rates stay exact in doubles. */
export const MOST_CENTS = 1e11
/** 10 %, in hundredths of a percent. */
export const GST = 1000
/** A cent, in the unit of quantity × price, and of amount × rate: ten thousandths of a cent. */
export const PARTS = 10_000

/** What a field says, or nought where it is absent. */
export function amountOf(values: Float64Array, seen: number, field: Field): number {
  return (seen & field.bit) === 0 ? 0 : (values[field.cell] as number)
}

export class Lines {
  subtotal = 0
  tax = 0
  shipping = 0
  discount = 0
  /** Lines whose subtotal is not exactly quantity × price. */
  roundedSubtotals = 0
  /** Lines whose tax is not exactly the rate of the subtotal. */
  roundedTaxes = 0
  everyHasTax = true
  anyHasShipping = false
  anyNegative = false
  anyPositive = false
  everyHasReference = true
  private number = 0
  private first = true
  private readonly numberField: Field
  private readonly quantityField: Field
  private readonly priceField: Field
  private readonly subtotalField: Field
  private readonly taxField: Field
  private readonly rateField: Field
  private readonly shippingField: Field
  private readonly discountField: Field
  private readonly grossField: Field
  private readonly netField: Field
  private readonly references: number

  constructor({ fieldAt }: Shapes) {
    const field = (name: string) => fieldAt(`data.lineItems[].${name}`)
    this.numberField = field("invoiceLineNumber")
    this.quantityField = field("quantity")
    this.priceField = field("unitPrice")
    this.subtotalField = field("subtotal")
    this.taxField = field("taxAmount")
    this.rateField = field("taxRate")
    this.shippingField = field("shippingAmount")
    this.discountField = field("discountAmount")
    this.grossField = field("grossAmount")
    this.netField = field("netAmount")
    this.references =
      field("poLineReference").bit | field("asnLineReference").bit | field("uniqueLineKey").bit
  }

  begin(): void {
    this.subtotal = this.tax = this.shipping = this.discount = 0
    this.roundedSubtotals = this.roundedTaxes = 0
    this.everyHasTax = this.everyHasReference = this.first = true
    this.anyHasShipping = this.anyNegative = this.anyPositive = false
  }

  /** Adds a line; false when it is not certainly right. */
  add(values: Float64Array, seen: number): boolean {
    const subtotal = values[this.subtotalField.cell] as number
    const tax = amountOf(values, seen, this.taxField)
    const shipping = amountOf(values, seen, this.shippingField)
    const discount = amountOf(values, seen, this.discountField)
    if (!(Math.abs(subtotal) < MOST_CENTS && Math.abs(tax) < MOST_CENTS)) return false
    if (!(Math.abs(shipping) < MOST_CENTS && Math.abs(discount) < MOST_CENTS)) return false
    this.subtotal += subtotal
    this.tax += tax
    this.shipping += shipping
    this.discount += discount
    if (subtotal < 0) this.anyNegative = true
    else if (subtotal > 0) this.anyPositive = true
    if ((seen & this.taxField.bit) === 0) this.everyHasTax = false
    if ((seen & this.shippingField.bit) !== 0) this.anyHasShipping = true
    if ((seen & this.references) === 0) this.everyHasReference = false
    return (
      this.isNext(values[this.numberField.cell] as number) &&
      this.isProduct(values, subtotal) &&
      this.isTaxed(values, seen, subtotal, tax, shipping, discount) &&
      this.addsUp(values, seen, subtotal, tax, shipping, discount)
    )
  }

  /** Numbers that rise are all different; others are left to the examiner. */
  private isNext(number: number): boolean {
    const rises = this.first || number > this.number
    this.first = false
    this.number = number
    return rises
  }

  private isProduct(values: Float64Array, subtotal: number): boolean {
    const product = (values[this.quantityField.cell] as number) * (values[this.priceField.cell] as number)
    const difference = Math.abs(product - subtotal * PARTS)
    if (difference !== 0) this.roundedSubtotals++
    return difference <= PARTS / 2 && Math.abs(product) < Number.MAX_SAFE_INTEGER
  }

  private isTaxed(
    values: Float64Array,
    seen: number,
    subtotal: number,
    tax: number,
    shipping: number,
    discount: number,
  ): boolean {
    if ((seen & this.rateField.bit) === 0) {
      this.roundedTaxes++
      return true
    }
    const rate = values[this.rateField.cell] as number
    if (rate !== 0 && rate !== GST) return false
    if ((seen & this.taxField.bit) === 0 || subtotal * rate !== tax * PARTS) this.roundedTaxes++
    return (
      (seen & this.taxField.bit) === 0 ||
      isRateOf(tax, subtotal, rate) ||
      isRateOf(tax, subtotal + shipping, rate) ||
      isRateOf(tax, subtotal - discount, rate) ||
      isRateOf(tax, subtotal - discount + shipping, rate)
    )
  }

  private addsUp(
    values: Float64Array,
    seen: number,
    subtotal: number,
    tax: number,
    shipping: number,
    discount: number,
  ): boolean {
    const before = subtotal + tax + shipping
    // A line that does not state its tax may have the tax of its rate, or none.
    const untold = (seen & this.taxField.bit) === 0 ? amountOf(values, seen, this.rateField) : 0
    const gross = amountOf(values, seen, this.grossField)
    const hasGross = (seen & this.grossField.bit) !== 0
    if (hasGross && gross !== before && !isRateOf(gross - before, subtotal, untold)) return false
    if ((seen & this.netField.bit) === 0) return true
    const net = (values[this.netField.cell] as number) + discount
    return hasGross ? net === gross : net === before || isRateOf(net - before, subtotal, untold)
  }
}

/** Whether an amount is the rate of a base to within half a cent; at a rate of nought it is nothing. */
export function isRateOf(amount: number, base: number, rate: number): boolean {
  return Math.abs(amount * PARTS - base * rate) <= PARTS / 2
}
