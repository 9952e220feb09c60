/**
 * One pass over the names and amounts of a document, to run only the rules that may find something. Each rule states
 * what it needs and when it passes: see `rule.ts`.
 */
import type { AddressJudge } from "../../contract/index.ts"
import type { KnownSupplier } from "./known-supplier.ts"

type Holder = "root" | "data" | "supplier" | "summary" | "line"
/** A field without which a rule finds nothing, by the object that contains it: `line.taxRate`. */
export type FieldName = `${Holder}.${string}`

type Fields = Readonly<Record<string, unknown>>

/** Facts about a document besides its content. */
export interface Surroundings {
  /** The service has not filled in its part yet. */
  isDraft?: boolean
  /** The list of places; without it addresses are not judged. */
  places?: AddressJudge | undefined
  /** The day of the check, such as `2026-11-20`; without it no date is compared with it. */
  today?: string | undefined
  /** The saved suppliers; without them no bank account is compared with the usual one. */
  suppliers?: readonly KnownSupplier[] | undefined
}

/**
 * All descriptions and comments, of the lines and of the whole, each on a line. They are joined when a pattern first
 * reads them, by a class: a getter of an object literal would give each document a hidden class of its own, which V8
 * keeps, with the document, until the next full collection.
 */
export class Words {
  private text: string | undefined
  private readonly data: Fields
  private readonly lines: readonly Fields[]

  constructor(data: Fields, lines: readonly Fields[]) {
    this.data = data
    this.lines = lines
  }

  match(pattern: RegExp): boolean {
    this.text ??= this.join()
    return pattern.test(this.text)
  }

  private join(): string {
    let text = typeof this.data.comments === "string" ? this.data.comments : ""
    for (const { description, comments } of this.lines) {
      if (typeof description === "string") text += `\n${description}`
      if (typeof comments === "string") text += `\n${comments}`
    }
    return text
  }
}

/** The result of one pass over a document. Amounts are whole cents, or `NaN` if a double does not hold them exactly. */
export interface Glance {
  /** Whether rules find an object or list wherever they expect one. If not, no rule passes. */
  isPlain: boolean
  isDraft: boolean
  places: AddressJudge | undefined
  today: string | undefined
  suppliers: readonly KnownSupplier[] | undefined
  root: Fields
  data: Fields
  supplier: Fields
  summary: Fields
  lines: readonly Fields[]
  words: Words
  /** Sums over the lines. */
  subtotals: number
  taxes: number
  /** Each line's subtotal is quantity × unit price, to half a cent. */
  areProductsRight: boolean
  /** Each line's tax is its rate of its subtotal, to half a cent. */
  areTaxesRight: boolean
  /** Each line's rate is that of GST, or none. */
  areRatesGst: boolean
  areNumbersAscending: boolean
  areLinesDescribed: boolean
  /** All numbers of lines and summary are small enough for calculations in doubles. */
  areNumbersSmall: boolean
}

/** The names that rules need, by the object that contains them, each with its position in a glance's list. */
export class NeededNames {
  readonly byHolder: Readonly<Record<Holder, Map<string, number>>> = {
    root: new Map(),
    data: new Map(),
    supplier: new Map(),
    summary: new Map(),
    line: new Map(),
  }
  count = 0

  /** The place of a field in the list. */
  add(field: FieldName): number {
    const [holder = "", name = ""] = field.split(".")
    const names = this.byHolder[holder as Holder]
    const known = names.get(name)
    if (known !== undefined) return known
    names.set(name, this.count)
    return this.count++
  }
}

/** Numbers below this are counted in doubles. */
const MAX_EXACT = 1e9
/** The rounding error of a multiple of 0.01 below that, multiplied by 100. */
const INEXACT = 1e-4
const HALF_CENT = 5000
/** Whether something of a text can be seen, for nearly all that have something. */
const VISIBLE = /[!-~]/

/** A number as whole hundredths; `NaN` for other values, and for more decimals or digits. */
export function toCents(value: unknown): number {
  return scale(value, 100)
}

function scale(value: unknown, steps: number): number {
  if (typeof value !== "number" || !(value < MAX_EXACT && value > -MAX_EXACT)) return Number.NaN
  const scaled = value * steps
  const rounded = Math.round(scaled)
  const off = scaled - rounded
  return off < INEXACT && off > -INEXACT ? rounded + 0 : Number.NaN
}

export function hasText(value: unknown, pattern: RegExp): boolean {
  return typeof value === "string" && pattern.test(value)
}

export function isVisible(value: unknown): boolean {
  return typeof value === "string" && VISIBLE.test(value)
}

/** Whether a field equals its formula applied to the stated amounts. An absent field agrees. */
export function agreesWithFormula(part: Fields, formula: Formula): boolean {
  const stated = part[formula.field]
  return stated === undefined || toCents(stated) === addInCents(part, formula)
}

function addInCents(part: Fields, { base, added = [], takenOff = [] }: Formula): number {
  let sum = 0
  if (base) sum = part[base.field] === undefined ? addInCents(part, base) : toCents(part[base.field])
  for (const field of added) sum += toCents(part[field] ?? 0)
  for (const field of takenOff) sum -= toCents(part[field] ?? 0)
  return sum
}

const NOTHING: Fields = Object.freeze({})
const NO_LINES: readonly Fields[] = []

/** @param names those that rules need; `present` gets a 1 for each that the document has */
export function glanceAt(
  value: unknown,
  names: NeededNames,
  present: Uint8Array,
  { isDraft = false, places, today, suppliers }: Surroundings,
): Glance {
  const { byHolder } = names
  let isPlain = true
  let areNumbersSmall = true
  const look = (part: unknown, known: ReadonlyMap<string, number>): Fields => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) {
      isPlain = false
      return NOTHING
    }
    const fields = part as Fields
    for (const name in fields) {
      const at = known.get(name)
      if (at !== undefined) present[at] = 1
      const each = fields[name]
      if (typeof each === "number" && !(each < MAX_EXACT && each > -MAX_EXACT)) areNumbersSmall = false
    }
    return fields
  }
  const root = look(value, byHolder.root)
  const data = look(root.data, byHolder.data)
  const supplier = look(data.supplier, byHolder.supplier)
  const summary = look(data.invoiceSummary, byHolder.summary)
  const isList = Array.isArray(data.lineItems)
  const lines = isList ? (data.lineItems as readonly Fields[]) : NO_LINES
  if (!isList || lines.length === 0) isPlain = false
  let [subtotals, taxes, last] = [0, 0, Number.NEGATIVE_INFINITY]
  let areProductsRight = true
  let areTaxesRight = true
  let areRatesGst = true
  let areNumbersAscending = true
  let areLinesDescribed = true
  for (const each of lines) {
    const line = look(each, byHolder.line)
    const { taxRate, taxAmount, invoiceLineNumber, description } = line
    const subtotal = toCents(line.subtotal)
    subtotals += subtotal
    const product = toCents(line.quantity) * scale(line.unitPrice, 1e4)
    if (!isWithinHalfCent(product, subtotal)) areProductsRight = false
    const tax = toCents(taxAmount)
    taxes += tax
    if (taxRate !== undefined) {
      if (taxRate !== 10 && taxRate !== 0) areRatesGst = false
      if (!isWithinHalfCent(subtotal * toCents(taxRate), tax)) areTaxesRight = false
    }
    if (typeof invoiceLineNumber === "number" && invoiceLineNumber > last) last = invoiceLineNumber
    else areNumbersAscending = false
    if (areLinesDescribed && !isVisible(description)) areLinesDescribed = false
  }
  return {
    isPlain,
    isDraft,
    places,
    today,
    suppliers,
    root,
    data,
    supplier,
    summary,
    lines,
    words: new Words(data, lines),
    subtotals,
    taxes,
    areProductsRight,
    areTaxesRight,
    areRatesGst,
    areNumbersAscending,
    areLinesDescribed,
    areNumbersSmall,
  }
}

/** @param millionths a product, which a double has to hold */
function isWithinHalfCent(millionths: number, cents: number): boolean {
  const off = millionths - cents * 1e4
  return off <= HALF_CENT && off >= -HALF_CENT && Number.isSafeInteger(millionths)
}

/** How a field is worked out from others of its part. */
export interface Formula {
  field: string
  /** Calculated if it is not stated. */
  base?: Formula
  added?: readonly string[]
  takenOff?: readonly string[]
}
