/** Carriers as shops and their customers know them: the setting `carrierNames`. */
import { carrierLetter } from "../../carriers/index.ts"
import { FreightError } from "../../base/errors.ts"

/** By the letter of each carrier, what customers call it. */
export type CarrierNames = ReadonlyMap<string, string>

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
