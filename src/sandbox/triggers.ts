/**
 * Words that make the sandbox's carriers misbehave for one request. Write one into any text of the request:
 * `from.suburb` or `to.suburb` of a rate request; `customerReference` or `specialInstructions` of a booking; a name or
 * address of a standalone pickup. A pickup for a shipment uses the words in the shipment's booking too.
 */
import { quoted } from "../base/parsed.ts"
import { carrierName } from "../carriers/index.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { suggest } from "../base/suggest.ts"
import { badRequest, CarrierRejection, CarrierUnavailable } from "./reply.ts"

export const TRIGGERS = {
  "sandbox:carrier-a-down": "rates, bookings, pickups: carrier A is unavailable (502, or a failed result)",
  "sandbox:carrier-b-down": "rates, bookings, pickups: carrier B is unavailable",
  "sandbox:carrier-c-down": "rates, bookings, pickups: carrier C is unavailable",
  "sandbox:carrier-rejects": "rates, bookings: the carrier refuses (400 with errors[] of code and message)",
  "sandbox:booked-502": "bookings: the shipment is made, and the answer is a 502",
  "sandbox:label-warning": "bookings: the carrier attaches a warning to the label",
  "sandbox:cancelled": "bookings: the shipment reads CANCELLED",
  "sandbox:portal": "bookings: the shipment reads as booked in the portal (source PORTAL)",
  "sandbox:slow": "bookings: the consignment number comes a day later, the label two",
  "sandbox:late": "bookings: delivered two days late",
  "sandbox:overbilled": "bookings: the carrier bills a quarter more than it quoted",
  "sandbox:short": "bookings on carrier A: delivered with one item fewer",
  "sandbox:not-collected": "bookings: the carrier never comes for it, and tracking stays at Booked",
  "sandbox:no-fallback-email": "bookings on carrier C: the connector has no fallback for collection.email",
  "sandbox:auto-pickup-booked": "bookings: the connector books a pickup too",
  "sandbox:auto-pickup-failed": "bookings: the connector's pickup is refused: pickupStatus FAILED",
  "sandbox:auto-pickup-unrecorded": "bookings: the connector's pickup is made and lost: RECONCILE_NEEDED",
  "sandbox:pickup-failed": "pickups: the carrier refuses: 201 with status FAILED",
  "sandbox:pickup-500": "pickups: the pickup is made and not recorded: 500 with an orderNumber",
  "sandbox:pickup-500-empty": "pickups: the pickup is made and not recorded: 500 with an empty object",
} as const

export type Trigger = keyof typeof TRIGGERS

function listWords(text: string): string[] {
  return text.match(/sandbox:[a-z0-9-]+/gi)?.map((word) => word.toLowerCase()) ?? []
}

const isTrigger = (word: string): word is Trigger => Object.hasOwn(TRIGGERS, word)

export function triggersIn(text: string): ReadonlySet<Trigger> {
  return new Set(listWords(text).filter(isTrigger))
}

export function readTriggers(text: string): ReadonlySet<Trigger> {
  const unknown = listWords(text).find((word) => !isTrigger(word))
  if (unknown === undefined) return triggersIn(text)
  const near = suggest(unknown, Object.keys(TRIGGERS))
  throw badRequest(
    `The sandbox has no word ${quoted(unknown)}${near === undefined ? `: it has ${Object.keys(TRIGGERS).join(", ")}` : `; did you mean ${near}?`}`,
  )
}

const DOWN: Record<Carrier, Trigger> = {
  CARRIER_A_AU: "sandbox:carrier-a-down",
  CARRIER_B_AU: "sandbox:carrier-b-down",
  CARRIER_C_AU: "sandbox:carrier-c-down",
}

export function checkTriggers(carrier: Carrier, triggers: ReadonlySet<Trigger>): void {
  if (triggers.has(DOWN[carrier])) throw new CarrierUnavailable(`${carrierName(carrier)} is unavailable`)
  if (triggers.has("sandbox:carrier-rejects"))
    throw new CarrierRejection("CARRIER_REJECTED", `${carrierName(carrier)} does not accept the request`)
}
