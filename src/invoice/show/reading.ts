/** Reads part of a document for display, valid or not; missing values are empty texts. */
import { safeText } from "../../base/safe-text.ts"
import { MONTHS, parseDate } from "../../base/wall-clock.ts"
import { type JsonDocument, toPointer } from "../../input/index.ts"
import { type Amount, formatMoney, formatPlain, toAmount } from "../accounting/amounts.ts"

export type ShownDocument = Pick<JsonDocument, "value" | "sourceOf">

export class Reading {
  readonly pointer: string
  readonly value: unknown
  readonly #document: ShownDocument

  /** The whole document, or a part of it with its value. */
  constructor(
    document: ShownDocument,
    part: { pointer: string; value: unknown } = { pointer: "", value: document.value },
  ) {
    this.#document = document
    this.pointer = part.pointer
    this.value = part.value
  }

  /** JSON pointer of a field; `name` may lead further down: `remitTo/bankDetails`. */
  at(name: string): string {
    return `${this.pointer}/${name}`
  }

  part(name: string): Reading {
    const value = name.split("/").reduce(readMember, this.value)
    return new Reading(this.#document, { pointer: this.at(name), value })
  }

  /** The elements of a list; empty if there is none. */
  elements(name: string): Reading[] {
    const { value } = this.part(name)
    return Array.isArray(value) ? value.map((_, index) => this.part(`${name}/${index}`)) : []
  }

  has(name: string): boolean {
    return this.part(name).value !== undefined
  }

  members(): (readonly [name: string, member: Reading])[] {
    const { value } = this
    const names = typeof value === "object" && value !== null ? Object.keys(value) : []
    return names.map((name) => {
      const part = { pointer: this.pointer + toPointer([name]), value: readMember(value, name) }
      return [name, new Reading(this.#document, part)]
    })
  }

  /** The value in the place of an object or a list, if it is neither. */
  get stray(): string {
    return typeof this.value === "object" ? "" : this.whole
  }

  get whole(): string {
    const { value } = this
    if (value === undefined) return ""
    if (typeof value === "string") return safeText(value, 2000)
    const isObject = typeof value === "object"
    const text = isObject ? JSON.stringify(value) : (this.#document.sourceOf(this.pointer) ?? String(value))
    return safeText(text, 2000)
  }

  text(name: string): string {
    return this.part(name).whole
  }

  /** The texts of these fields, without empty ones. */
  texts(...names: string[]): string[] {
    return names.map((name) => this.text(name)).filter((text) => text !== "")
  }

  /** An amount with grouped thousands and at least two decimals; other values as they are written. */
  money(name: string): string {
    return this.#format(name, formatMoney)
  }

  /** A quantity or a percentage. */
  quantity(name: string): string {
    return this.#format(name, formatPlain)
  }

  /** `2026-11-20T09:30:00+11:00` → `20 Nov 2026`. */
  date(name: string): string {
    const text = this.text(name)
    const [, date = ""] =
      /^([^Tt]+)(?:[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d))?$/.exec(text) ?? []
    const day = parseDate(date)
    return day.ok ? `${day.value.day} ${MONTHS[day.value.month - 1]} ${day.value.year}` : text
  }

  /** The exact number in a field; undefined if there is none that can be used in calculations. */
  amount(name: string): Amount | undefined {
    const { value, whole } = this.part(name)
    return typeof value === "number" ? toAmount(value, whole) : undefined
  }

  #format(name: string, format: (amount: Amount) => string): string {
    const amount = this.amount(name)
    return amount === undefined ? this.text(name) : format(amount)
  }
}

function readMember(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** Readers of the page: a customer sees no IDs and codes of programs, and not which fields are missing or zero. */
export type Audience = "checker" | "customer"

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An ID for this reader: a generated one is useless to a customer. */
export function toShownId(id: string, audience: Audience): string {
  return audience === "customer" && UUID.test(id) ? "" : id
}

const COUNTRIES = new Intl.DisplayNames("en", { type: "region", fallback: "code" })

/** `AU` → `Australia`; other texts do not change. */
export function describeCountry(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (COUNTRIES.of(code) ?? code) : code
}

/** Texts that are there, with commas between. */
export function joinTexts(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(", ")
}

/** A text after its name; empty if there is none. */
export function nameText(name: string, text: string): string {
  return text === "" ? "" : `${name} ${text}`
}
