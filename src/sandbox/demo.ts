/** Consignments that each carrier knows although no tenant of the sandbox booked them: one moving, one delivered. */
import { CARRIERS } from "../contract/carrier-fields.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { letterOf } from "./carriers.ts"
import { TARIFFS } from "./catalogue.ts"
import type { Journey } from "./tracking.ts"

const DAY_MS = 86_400_000
/** By the ending of the number: how many days ago it was booked. A road journey of this length takes five. */
const BOOKED_DAYS_AGO = { MOVING: 2, DELIVERED: 21 } as const

/** `DEMO-A-MOVING`, `DEMO-A-DELIVERED`, and the same for B and C; undefined for any other number. */
export function demoJourney(carrier: Carrier, consignment: string, now: number): Journey | undefined {
  const ending = (["MOVING", "DELIVERED"] as const).find(
    (one) => consignment === `DEMO-${letterOf(carrier)}-${one}`,
  )
  const service = TARIFFS[carrier].services.find(({ mode }) => mode === "road")
  if (!ending || !service) return undefined
  const bookedAt = (Math.floor(now / DAY_MS) - BOOKED_DAYS_AGO[ending]) * DAY_MS
  return {
    carrier,
    consignment,
    service,
    from: { suburb: "Alexandria", state: "NSW", postcode: "2015" },
    to: { suburb: "Fremantle", state: "WA", postcode: "6160" },
    bookedAt,
    collectionDateTime: `${new Date(bookedAt).toISOString().slice(0, 10)}T12:00:00`,
    items: 3,
    receiver: "Harbour Supplies",
    cancelled: false,
  }
}

export const DEMO_CONSIGNMENTS: readonly string[] = CARRIERS.flatMap((carrier) =>
  Object.keys(BOOKED_DAYS_AGO).map((ending) => `DEMO-${letterOf(carrier)}-${ending}`),
)
