/** Decides when two creates are the same: when they would create the same. */
import { plainText } from "../base/plain-text.ts"
import { hash } from "node:crypto"
import { LINK_FIELDS } from "../contract/index.ts"
import { groupNumber } from "../base/order-number.ts"

/**
 * Fields about a booking's quote, not its content. A script that asks for rates again and books again books the same
 * consignment twice, although each quote has its own ids.
 */
const QUOTE_FIELDS = new Set<string>(LINK_FIELDS)

/** A hash of a value, whatever the order of its fields; a booking's quote fields are left out. */
export function contentHash(kind: string, content: Readonly<Record<string, unknown>>): string {
  const kept = Object.fromEntries(Object.entries(content).filter(([name]) => !QUOTE_FIELDS.has(name)))
  return hash("sha256", `${kind}\n${canonical(kept)}`)
}

/** A value as JSON with the fields of every object in alphabetical order. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  let text = ""
  for (const name of Object.keys(value).sort()) {
    const each = (value as Record<string, unknown>)[name]
    if (each !== undefined) text += `${text && ","}${JSON.stringify(name)}:${canonical(each)}`
  }
  return `{${text}}`
}

interface Receiver {
  companyName: string
  address1: string
  suburb: string
  state: string
  postcode: string
}

/** A hash of the customer's reference, the same for all that may be one (`groupNumber`), and the receiver; undefined without one. */
export function referenceHash(reference: string | undefined, receiver: Receiver): string | undefined {
  const number = groupNumber(reference ?? "")
  if (number === "") return undefined
  return hash("sha256", JSON.stringify([number, ...listReceiver(receiver)].map(plainText)))
}

/** The fields that identify a receiver; others do not matter. */
export function listReceiver({ companyName, address1, suburb, state, postcode }: Receiver): string[] {
  return [companyName, address1, suburb, state, postcode]
}

/** 72 bits; V8 keeps a longer slice with all of the text that it was cut from. */
const SHORT = 12

/** A hash of texts as people write them, short as a batch keeps one for each row. */
export function hashTexts(texts: readonly (string | undefined)[]): string {
  // The API may say null.
  const parts = texts.map((text) => plainText(String(text ?? "")))
  return hash("sha256", JSON.stringify(parts), "base64").slice(0, SHORT)
}
