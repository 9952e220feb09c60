/** The carriers, and fields that only one of them reads: those that the schemas mark with `x-carrier`. */
import { findingAt, type RuleFinding } from "./findings.ts"
import { CARRIER_FIELDS } from "./generated/carrier-fields.ts"
import type { Carrier } from "./generated/types.ts"

export const CARRIERS = Object.keys(CARRIER_FIELDS) as readonly Carrier[]

export function isCarrier(text: string): text is Carrier {
  return CARRIERS.some((carrier) => carrier === text)
}

/** A carrier as messages call it: `carrier A`. */
export function carrierName(carrier: Carrier): string {
  return `carrier ${carrierLetter(carrier)}`
}

/** `A`; unknown carriers unchanged. */
export function carrierLetter(carrier: string): string {
  return carrier.replace(/^CARRIER_(\w)_AU$/, "$1")
}

/** Warnings for fields that this carrier does not read. `false` is not worth one. */
export function ignoredFields(request: object, carrier: Carrier): RuleFinding[] {
  return CARRIERS.filter((owner) => owner !== carrier).flatMap((owner) =>
    CARRIER_FIELDS[owner]
      .map((field) => field.split("."))
      .filter((path) => isGiven(path.reduce<unknown>((value, name) => Object(value)[name], request)))
      .map((path) =>
        findingAt(path, "ignored", `is for ${carrierName(owner)} only: ${carrierName(carrier)} ignores it`),
      ),
  )
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false
}
