/** Values of a document as they are read aloud: whatever is there, right or wrong; nothing where nothing is. */
import { safeText } from "../contract/safe-text.ts"
import { segmentsOf } from "../json/pointer.ts"
import type { JsonDocument } from "../json/read.ts"
import { formatMoney, formatPlain, parseDecimal } from "./decimals.ts"

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:$|T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})$)/i

/** Where the invoice itself is, below what the service keeps about it. */
export const DATA = "/data"

export class Reading {
  readonly #document: Pick<JsonDocument, "value" | "sourceOf">

  constructor(document: Pick<JsonDocument, "value" | "sourceOf">) {
    this.#document = document
  }

  value(pointer: string): unknown {
    let value = this.#document.value
    for (const name of segmentsOf(pointer)) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
      value = (value as Record<string, unknown>)[name]
    }
    return value
  }

  has(pointer: string): boolean {
    return this.value(pointer) !== undefined
  }

  /** How many entries the list there has; 0 for what is no list. */
  length(pointer: string): number {
    const value = this.value(pointer)
    return Array.isArray(value) ? value.length : 0
  }

  /** The entries' pointers. */
  entries(pointer: string): string[] {
    return Array.from({ length: this.length(pointer) }, (_, index) => `${pointer}/${index}`)
  }

  /** Names of the object there. */
  names(pointer: string): string[] {
    const value = this.value(pointer)
    return typeof value === "object" && value !== null ? Object.keys(value) : []
  }

  /** What stands where an object or a list belongs, when it is neither. */
  stray(pointer: string): string {
    return typeof this.value(pointer) === "object" ? "" : this.text(pointer)
  }

  text(pointer: string): string {
    const value = this.value(pointer)
    if (value === undefined) return ""
    const text =
      typeof value === "object" ? JSON.stringify(value) : (this.#document.sourceOf(pointer) ?? String(value))
    return safeText(typeof value === "string" ? value : text, 2000)
  }

  /** An amount with its thousands grouped and at least two decimals; what is not an amount stays as it is written. */
  money(pointer: string): string {
    return this.#number(pointer, formatMoney)
  }

  /** A quantity or a percentage. */
  quantity(pointer: string): string {
    return this.#number(pointer, formatPlain)
  }

  /** `2026-11-20T09:30:00+11:00` → `20 Nov 2026`. */
  date(pointer: string): string {
    const text = this.text(pointer)
    const [, year, month, day] = DATE.exec(text) ?? []
    const name = MONTHS[Number(month) - 1]
    return name ? `${Number(day)} ${name} ${year}` : text
  }

  #number(pointer: string, show: typeof formatMoney): string {
    const value = this.value(pointer)
    const text = this.text(pointer)
    const amount = typeof value === "number" ? parseDecimal(text) : undefined
    return amount ? show(amount) : text
  }
}
