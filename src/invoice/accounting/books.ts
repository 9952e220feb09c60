/** An invoice as the rules read it: exact amounts, and nothing taken for granted. */
import { type AddressJudge, readAmount } from "../../contract/index.ts"
import type { LineItem } from "../../contract/generated/types.ts"
import { findWrittenNumber, type WrittenNumbers } from "../../input/index.ts"
import { getFullPointer } from "../finding.ts"
import { ABSURD, type Amount, add, GST_PERCENT, multiply, takePercent, toAmount, ZERO } from "./amounts.ts"
import type { Surroundings } from "./glance.ts"

/** The invalid places of a document, as JSON pointers: their values cannot be used in calculations. */
export interface BrokenPlaces {
  pointers: ReadonlySet<string>
  /** Pointers of fields that the contract does not know. */
  unknown: ReadonlySet<string>
}

export const NOTHING_BROKEN: BrokenPlaces = { pointers: new Set(), unknown: new Set() }

/** The places of errors or findings that break the contract or JSON. */
export function collectBroken(
  found: readonly { keyword?: string; rule?: string; pointer: string; property?: string }[],
): BrokenPlaces {
  if (found.length === 0) return NOTHING_BROKEN
  const unknown = found.filter(({ keyword = "", rule = keyword }) => rule.endsWith("additionalProperties"))
  return { pointers: new Set(found.map(getFullPointer)), unknown: new Set(unknown.map(getFullPointer)) }
}

/** Facts about a document besides its value. */
export interface DocumentFacts extends Surroundings {
  /** How the numbers are written that a double may not hold; undefined when there are none. */
  numbers: WrittenNumbers | undefined
  /** Invalid names by the JSON pointer of their object or list: their values cannot be used in calculations. */
  broken: ReadonlyMap<string, ReadonlySet<string>>
  /** Values under names that the contract does not know, by the JSON pointer of the object that they are in. */
  unknown: ReadonlyMap<string, readonly unknown[]>
}

/** One object of the document. Other values read as an object without fields. */
export class Part {
  readonly given: boolean
  /** Whether a number that was read is beyond any invoice's. */
  protected readAbsurd = false
  private readonly ownValue: Readonly<Record<string, unknown>>
  private readonly facts: DocumentFacts
  private readonly holder: string
  private readonly segment: string | number
  private readonly broken: ReadonlySet<string> | undefined

  /** @param holder JSON pointer of the object or list that contains it */
  constructor(value: unknown, holder: string, segment: string | number, facts: DocumentFacts) {
    this.given = typeof value === "object" && value !== null && !Array.isArray(value)
    this.ownValue = this.given ? (value as Readonly<Record<string, unknown>>) : NOTHING
    this.facts = facts
    this.holder = holder
    this.segment = segment
    this.broken = facts.broken.size > 0 ? facts.broken.get(this.pointer) : undefined
  }

  get pointer(): string {
    return this.segment === "" ? "" : `${this.holder}/${this.segment}`
  }

  /** The fields here, as they were read. */
  get fields(): Readonly<Record<string, unknown>> {
    return this.ownValue
  }

  has(name: string): boolean {
    return this.value(name) !== undefined
  }

  /** @param name a field of the contract: none of them is a property that every object has */
  value(name: string): unknown {
    return this.ownValue[name]
  }

  at(name: string): string {
    return `${this.pointer}/${name}`
  }

  text(name: string): string | undefined {
    const value = this.value(name)
    return typeof value === "string" ? value : undefined
  }

  /** The number at `name`, exactly; undefined when there is none that can be counted with. */
  amount(name: string): Amount | undefined {
    return this.countable(name, this.value(name))
  }

  /** A value of this part, if it is a number that can be counted with. */
  protected countable(name: string, value: unknown): Amount | undefined {
    if (typeof value !== "number") return undefined
    if (value >= ABSURD || value <= -ABSURD) this.readAbsurd = true
    if (this.broken?.has(name)) return undefined
    return toAmount(value, findWrittenNumber(this.facts.numbers, this.ownValue, name))
  }

  names(): string[] {
    return Object.keys(this.ownValue)
  }

  /** Whether a number in this part is beyond any invoice's, infinite ones included. */
  hasAbsurdNumber(): boolean {
    for (const name in this.ownValue) {
      const value = this.ownValue[name]
      if (typeof value === "number" && Math.abs(value) >= ABSURD) return true
    }
    return false
  }

  /** The number at `name`, or zero if the field is absent; undefined if it cannot be used in calculations. */
  amountOrZero(name: string): Amount | undefined {
    if (this.value(name) !== undefined) return this.amount(name)
    return this.mayBeMisnamed(isAmount) ? undefined : ZERO
  }

  /** Whether the value at `name` breaks the contract. */
  isBroken(name: string): boolean {
    return this.broken?.has(name) === true
  }

  /** Whether a field that is absent may be here under a name that the contract does not know. */
  mayBeMisnamed(isMeant: (value: unknown) => boolean = () => true): boolean {
    const { unknown } = this.facts
    return unknown.size > 0 && unknown.get(this.pointer)?.some(isMeant) === true
  }

  part(name: string): Part {
    return new Part(this.value(name), this.pointer, name, this.facts)
  }

  parts(name: string): Part[] {
    const value = this.value(name)
    if (!Array.isArray(value)) return []
    const holder = this.at(name)
    return value.map((each, index) => new Part(each, holder, index, this.facts))
  }
}

function isAmount(value: unknown): boolean {
  return (
    typeof value === "number" || (typeof value === "string" && readAmount(value, "/amount") !== undefined)
  )
}

/** A line, with its amounts read once. */
export class Line extends Part {
  readonly invoiceLineNumber: Amount | undefined
  readonly quantity: Amount | undefined
  readonly unitPrice: Amount | undefined
  readonly subtotal: Amount | undefined
  readonly taxRate: Amount | undefined
  readonly taxAmount: Amount | undefined
  readonly shippingAmount: Amount | undefined
  readonly discountAmount: Amount | undefined
  readonly grossAmount: Amount | undefined
  readonly netAmount: Amount | undefined

  constructor(value: unknown, holder: string, segment: number, facts: DocumentFacts) {
    super(value, holder, segment, facts)
    const line = this.given ? (value as Partial<LineItem>) : {}
    this.invoiceLineNumber = this.countable("invoiceLineNumber", line.invoiceLineNumber)
    this.quantity = this.countable("quantity", line.quantity)
    this.unitPrice = this.countable("unitPrice", line.unitPrice)
    this.subtotal = this.countable("subtotal", line.subtotal)
    this.taxRate = this.countable("taxRate", line.taxRate)
    this.taxAmount = this.countable("taxAmount", line.taxAmount)
    this.shippingAmount = this.countable("shippingAmount", line.shippingAmount)
    this.discountAmount = this.countable("discountAmount", line.discountAmount)
    this.grossAmount = this.countable("grossAmount", line.grossAmount)
    this.netAmount = this.countable("netAmount", line.netAmount)
  }

  /** All numbers of a line but references are read already. */
  override hasAbsurdNumber(): boolean {
    return this.readAbsurd
  }
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})

/** GST on a stay of 28 days or more: 10% of half its value, and of what is included (GST Act, Division 87). */
const LONG_STAY_PERCENT: Amount = toAmount(5.5) as Amount
const LONG_STAY =
  /\b(?:accommodation|long[\s-]?(?:stay|term stay)|lodging|boarding (?:house|fee)|room (?:hire|charge|rate|tariff|night)s?|\d+ nights?|caravan (?:site|park)|residential park)\b/i
/** GST Act, Division 75. */
export const MARGIN_SCHEME = /(?<!\b(?:not|without|no)\b[^.;\n]{0,20})\bmargin scheme\b/i

/** A field over all lines. */
interface Tally {
  /** Absent ones count zero; undefined when one cannot be counted with. */
  total: Amount | undefined
  stated: number
}

export class Books {
  readonly root: Part
  readonly isDraft: boolean
  readonly places: AddressJudge | undefined
  readonly today: string | undefined
  readonly suppliers: DocumentFacts["suppliers"]
  readonly data: Part
  readonly summary: Part
  readonly lines: readonly Line[]
  readonly purpose: string | undefined
  readonly taxParts: readonly Part[]
  /** Tax parts of other taxes than GST. */
  readonly otherTaxParts: readonly Part[]
  readonly terms: Part
  /** Discounts for early payment. */
  readonly tiers: readonly Part[]
  readonly #tallies = new Map<string, Tally>()
  /** Contains undefined for a rate that cannot be read. */
  #otherRates: ReadonlySet<Amount | undefined> | undefined
  #roundedSubtotals: number | undefined
  #roundedTaxes: number | undefined

  constructor(invoice: unknown, facts: DocumentFacts) {
    this.root = new Part(invoice, "", "", facts)
    this.isDraft = facts.isDraft === true
    this.places = facts.places
    this.today = facts.today
    this.suppliers = facts.suppliers
    this.data = this.root.part("data")
    this.summary = this.data.part("invoiceSummary")
    const lines = this.data.value("lineItems")
    const holder = this.data.at("lineItems")
    this.lines = Array.isArray(lines) ? lines.map((line, index) => new Line(line, holder, index, facts)) : []
    this.purpose = this.data.text("purpose")
    this.taxParts = this.summary.parts("taxBreakdown")
    this.otherTaxParts = this.taxParts.filter((part) => !isGst(part))
    this.terms = this.data.part("paymentTerms")
    this.tiers = this.terms.parts("discountTerms")
  }

  anyLineHas(name: string): boolean {
    return this.#tally(name).stated > 0
  }

  /** Whether there are lines, and each has the field. */
  everyLineHas(name: string): boolean {
    return this.lines.length > 0 && this.#tally(name).stated === this.lines.length
  }

  /** The sum of a field over the lines, absent ones counting zero; undefined when one cannot be counted with. */
  total(name: string): Amount | undefined {
    return this.#tally(name).total
  }

  #tally(name: string): Tally {
    const known = this.#tallies.get(name)
    if (known) return known
    let stated = 0
    for (const line of this.lines) if (line.has(name)) stated++
    const tally = { total: sumField(this.lines, name), stated }
    this.#tallies.set(name, tally)
    return tally
  }

  /** Whether the words of the lines, or the comments, name something. */
  names(words: RegExp): boolean {
    const texts = this.lines.flatMap((line) => [line.text("description"), line.text("comments")])
    return [this.data.text("comments"), ...texts].some((text) => text !== undefined && words.test(text))
  }

  /** Whether GST may have this rate: 10, none, or that of a long stay if one is billed. */
  isGstRate(rate: Amount): boolean {
    return rate === GST_PERCENT || rate === ZERO || (rate === LONG_STAY_PERCENT && this.names(LONG_STAY))
  }

  /** Whether the tax may be less than its rate makes of the price: GST on the margin of a property or of second-hand goods. */
  get isMarginScheme(): boolean {
    return this.names(MARGIN_SCHEME)
  }

  /**
   * Whether a line may be taxed at a rate: that of GST, none, or one that the tax breakdown has for another tax. Any
   * rate may be that of a tax whose own rate cannot be read.
   */
  knowsRate(rate: Amount): boolean {
    if (this.isGstRate(rate)) return true
    this.#otherRates ??= new Set(
      this.otherTaxParts.map((part) => (part.given ? part.amountOrZero("taxRate") : undefined)),
    )
    return (
      this.#otherRates.has(rate) || this.#otherRates.has(undefined) || this.summary.isBroken("taxBreakdown")
    )
  }

  /** How many lines have a subtotal that is not exactly quantity × unit price: these were rounded. */
  get roundedSubtotals(): number {
    this.#roundedSubtotals ??= this.#countRounded(getProduct, (line) => line.subtotal)
    return this.#roundedSubtotals
  }

  /** How many lines have a tax that is not exactly subtotal × rate: these were rounded. */
  get roundedTaxes(): number {
    this.#roundedTaxes ??= this.#countRounded(getTaxByRate, (line) => line.taxAmount)
    return this.#roundedTaxes
  }

  #countRounded(
    getExact: (line: Line) => Amount | undefined,
    getStated: (line: Line) => Amount | undefined,
  ): number {
    return this.lines.filter((line) => {
      const stated = getStated(line)
      return stated === undefined || getExact(line) !== stated
    }).length
  }
}

/** Texts about the whole invoice and about each line: comments and descriptions. */
export function listWords({ data, lines }: Books): (readonly [part: Part, field: string])[] {
  return [[data, "comments"], ...lines.map((line) => [line, "description"] as const)]
}

/** Whether a part of the tax breakdown is of GST. */
export function isGst(part: Part): boolean {
  return part.text("taxType") === "GST"
}

/** Quantity × unit price, not rounded; undefined if one of them is invalid. */
export function getProduct({ quantity, unitPrice }: Line): Amount | undefined {
  return quantity === undefined || unitPrice === undefined ? undefined : multiply(quantity, unitPrice)
}

/** Subtotal × tax rate, not rounded; undefined if one of them is invalid. */
export function getTaxByRate({ subtotal, taxRate }: Line): Amount | undefined {
  return subtotal === undefined || taxRate === undefined ? undefined : takePercent(subtotal, taxRate)
}

/** The sum of a field over parts, absent ones counting zero; undefined when one cannot be counted with. */
export function sumField(parts: readonly Part[], name: string): Amount | undefined {
  let total = ZERO
  for (const part of parts) {
    const amount = part.given ? part.amountOrZero(name) : undefined
    if (amount === undefined) return undefined
    total = add(total, amount)
  }
  return total
}
