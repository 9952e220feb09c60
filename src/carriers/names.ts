/** The carriers, and how people name them. */
import { CARRIERS } from "../contract/generated/carrier-fields.ts"
import type { Carrier } from "../contract/generated/types.ts"

export { CARRIERS }

export function isCarrier(text: string): text is Carrier {
  return CARRIERS.some((carrier) => carrier === text)
}

/** The carrier of a reply, where it is one that the contract names. */
export function toCarrier(text: string | undefined): Carrier | undefined {
  return text !== undefined && isCarrier(text) ? text : undefined
}

/** A carrier as messages call it: `carrier A`. */
export function carrierName(carrier: string): string {
  return nameCarriers([carrier])
}

/** `carrier A`; `carriers A and C` */
export function nameCarriers(carriers: readonly string[]): string {
  const letters = carriers.map(carrierLetter)
  const listed = [letters.slice(0, -1).join(", "), letters.at(-1)].filter(Boolean).join(" and ")
  return `${carriers.length === 1 ? "carrier" : "carriers"} ${listed}`
}

/** `A`; unknown carriers unchanged. */
export function carrierLetter(carrier: string): string {
  return carrier.replace(/^CARRIER_(\w)_AU$/, "$1")
}
