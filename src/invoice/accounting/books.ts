/** An invoice as the rules read it: amounts as they are written, and nothing taken for granted. */
import { add, type Decimal, multiply } from "../../contract/decimal.ts"
import { amountOf, equal, percentOf, ZERO } from "./amounts.ts"
import type { DocumentSource } from "./rule.ts"

/** Length of a text that has at most fifteen digits. */
const EXACT_LENGTH = 15

/** One object of the document. What is not an object reads as one that has nothing. */
export class Part {
  readonly pointer: string
  /** Whether there is an object here. */
  readonly given: boolean
  readonly #value: object
  readonly #source: DocumentSource
  readonly #amounts = new Map<string, Decimal | undefined>()

  constructor(value: unknown, pointer: string, source: DocumentSource) {
    this.given = typeof value === "object" && value !== null && !Array.isArray(value)
    this.pointer = pointer
    this.#value = this.given ? Object(value) : {}
    this.#source = source
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#value, name)
  }

  value(name: string): unknown {
    return this.has(name) ? (this.#value as Record<string, unknown>)[name] : undefined
  }

  at(name: string): string {
    return `${this.pointer}/${name}`
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    return typeof value === "string" ? value : undefined
  }

  /** The number at `name`, exactly; undefined when there is none that can be counted with. */
  amount(name: string): Decimal | undefined {
    if (this.#amounts.has(name)) return this.#amounts.get(name)
    const value = this.value(name)
    const amount = typeof value === "number" ? amountOf(this.#written(name, value)) : undefined
    this.#amounts.set(name, amount)
    return amount
  }

  /**
   * The number's text. A float gives back up to fifteen digits just as they were read; for more of them, and for what
   * became nought because it was so small, the source is asked.
   */
  #written(name: string, value: number): string {
    const text = String(value)
    return text.length <= EXACT_LENGTH && value !== 0 ? text : (this.#source.text(this.at(name)) ?? text)
  }

  /** The number at `name`, or nought where the field is absent; undefined when it cannot be counted with. */
  amountOrZero(name: string): Decimal | undefined {
    return this.has(name) ? this.amount(name) : ZERO
  }

  part(name: string): Part {
    return new Part(this.value(name), this.at(name), this.#source)
  }

  parts(name: string): Part[] {
    const value = this.value(name)
    if (!Array.isArray(value)) return []
    return value.map((each, index) => new Part(each, `${this.at(name)}/${index}`, this.#source))
  }
}

export class Books {
  readonly data: Part
  readonly summary: Part
  readonly lines: readonly Part[]
  readonly purpose: string | undefined
  readonly #totals = new Map<string, Decimal | undefined>()

  constructor(invoice: unknown, source: DocumentSource) {
    this.data = new Part(invoice, "", source).part("data")
    this.summary = this.data.part("invoiceSummary")
    this.lines = this.data.parts("lineItems")
    this.purpose = this.data.text("purpose")
  }

  /** Whether any line has the field. */
  anyLineHas(name: string): boolean {
    return this.lines.some((line) => line.has(name))
  }

  /** Whether there are lines, and each has the field. */
  everyLineHas(name: string): boolean {
    return this.lines.length > 0 && this.lines.every((line) => line.has(name))
  }

  /** The sum of a field over the lines, absent ones counting nought; undefined when one cannot be counted with. */
  total(name: string): Decimal | undefined {
    if (!this.#totals.has(name)) this.#totals.set(name, totalOf(this.lines, name))
    return this.#totals.get(name)
  }

  /** How many lines have a subtotal that is not exactly quantity × unit price: these were rounded. */
  roundedSubtotals(): number {
    return this.lines.filter((line) => {
      const [quantity, price, subtotal] = [
        line.amount("quantity"),
        line.amount("unitPrice"),
        line.amount("subtotal"),
      ]
      return !(quantity && price && subtotal && equal(multiply(quantity, price), subtotal))
    }).length
  }

  /** How many lines have a tax that is not exactly subtotal × rate: these were rounded. */
  roundedTaxes(): number {
    return this.lines.filter((line) => {
      const [subtotal, rate, tax] = [
        line.amount("subtotal"),
        line.amount("taxRate"),
        line.amount("taxAmount"),
      ]
      return !(subtotal && rate && tax && equal(percentOf(subtotal, rate), tax))
    }).length
  }
}

/** The sum of a field over parts, absent ones counting nought; undefined when one cannot be counted with. */
export function totalOf(parts: readonly Part[], name: string): Decimal | undefined {
  let total = ZERO
  for (const part of parts) {
    const amount = part.given ? part.amountOrZero(name) : undefined
    if (!amount) return undefined
    total = add(total, amount)
  }
  return total
}
