/** Carriers as shops and their customers know them: the setting `carrierNames`. */
import { carrierLetter, isCarrier } from "../../carriers/index.ts"
import { FreightError } from "../../base/errors.ts"

export type CarrierNames = ReadonlyMap<string, string>

/** `A=StarTrack, B=TNT`, each by its letter or its whole name. @returns undefined if malformed */
export function parseCarrierNames(text: string): CarrierNames | undefined {
  const names = new Map<string, string>()
  for (const pair of text.split(",")) {
    const [carrier = "", name = "", ...others] = pair.split("=").map((part) => part.trim())
    const letter = carrierLetter(carrier.toUpperCase())
    if (name === "" || others.length > 0 || !isCarrier(`CARRIER_${letter}_AU`)) return undefined
    names.set(letter, name)
  }
  return names
}

export function formatCarrierNames(names: CarrierNames): string {
  return Array.from(names, ([letter, name]) => `${letter}=${name}`).join(",")
}

export function findCarrierName(names: CarrierNames, carrier: string): string | undefined {
  return names.get(carrierLetter(carrier))
}

/** @param carriers of orders that are to be exported */
export function refuseUnnamed(names: CarrierNames, carriers: readonly string[]): void {
  const missing = carriers.filter((carrier) => findCarrierName(names, carrier) === undefined)
  if (missing.length === 0) return
  const all = [...Array.from(names), ...missing.map((carrier) => [carrierLetter(carrier), "NAME"] as const)]
  throw new FreightError("usage", `how does the shop name ${missing.join(" and ")}? Nothing was written`, {
    hint: `Give the name that its customers know: freight config set carrierNames "${formatCarrierNames(new Map(all))}".`,
  })
}
