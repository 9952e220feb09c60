/** The carriers, and how people name them. */
import { CARRIERS } from "../contract/generated/carrier-fields.ts"
import type { Carrier } from "../contract/generated/types.ts"

export { CARRIERS }

export function isCarrier(text: string): text is Carrier {
  return CARRIERS.some((carrier) => carrier === text)
}

/** The carrier of a reply, if the contract has it. */
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

/** All names of a carrier: the API's, and its letter. */
export function listCarrierNames(carrier: string): string[] {
  const letter = carrierLetter(carrier)
  return carrier === "" ? [] : [carrier, letter, `carrier ${letter}`]
}

/**
 * A setting by carrier, such as `A=30, Harbour Freight=14`, with new values over it; those of other carriers stay,
 * whichever name they are under.
 */
export function keepOtherCarriers(before: string, given: string): string {
  const list = (text: string) => text.split(",").filter((pair) => pair.trim() !== "")
  const named = new Set(list(given).map(identifyCarrier))
  return [...list(before).filter((pair) => !named.has(identifyCarrier(pair))), ...list(given)]
    .map((pair) => pair.trim())
    .join(",")
}

/** By the name before `=`. */
function identifyCarrier(pair: string): string {
  const name = (pair.split("=")[0] ?? "").trim().toLowerCase()
  const known = CARRIERS.find((carrier) =>
    listCarrierNames(carrier).some((each) => each.toLowerCase() === name),
  )
  return known ?? name
}
