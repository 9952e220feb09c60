/**
 * The initial data: consignments that each carrier has without a booking in the sandbox, one moving and one delivered; and
 * one shipment of the main tenant, for trying commands that need one.
 */
import { carrierLetter, CARRIERS } from "../carriers/index.ts"
import type { Carrier } from "../contract/generated/types.ts"
import { TARIFFS } from "./carriers.ts"
import type { SandboxEvent } from "./events.ts"
import type { Entry } from "./journal.ts"
import type { Journey } from "./tracking.ts"

const DAY_MS = 86_400_000
/** By the ending of the number: how many days ago it was booked. A road journey of this length takes five. */
const BOOKED_DAYS_AGO = { MOVING: 2, DELIVERED: 21 } as const

/** `DEMO-A-MOVING`, `DEMO-A-DELIVERED`, and the same for B and C; undefined for any other number. */
export function findDemoJourney(carrier: Carrier, consignment: string, now: number): Journey | undefined {
  const ending = (["MOVING", "DELIVERED"] as const).find(
    (one) => consignment === `DEMO-${carrierLetter(carrier)}-${one}`,
  )
  const service = TARIFFS[carrier].services.find(({ mode }) => mode === "road")
  if (!ending || !service) return undefined
  const bookedAt = getDaysAgo(BOOKED_DAYS_AGO[ending], now)
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

function getDaysAgo(days: number, now: number): number {
  return (Math.floor(now / DAY_MS) - days) * DAY_MS
}

export const DEMO_CONSIGNMENTS: readonly string[] = CARRIERS.flatMap((carrier) =>
  Object.keys(BOOKED_DAYS_AGO).map((ending) => `DEMO-${carrierLetter(carrier)}-${ending}`),
)

export const SENDER = {
  companyName: "Harbour Lighting Pty Ltd",
  contactName: "Dana Reyes",
  address1: "14 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
}
const RECEIVER = {
  companyName: "Harbour Supplies",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA",
  postcode: "6160",
}
const ITEMS = { count: 3, totalWeightKg: 16.5, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }

/**
 * Events before the journal begins, which are not written in it: the main tenant booked `demo-shipment` in the portal,
 * whose consignment is `DEMO-A-MOVING`, and `demo-pickup` on its own.
 */
export function createDemoEvents(now: number): SandboxEvent[] {
  const at = getDaysAgo(BOOKED_DAYS_AGO.MOVING, now)
  const day = new Date(at).toISOString().slice(0, 10)
  const by = { at, tenantId: "tenant-main", connectorId: "connector-a", carrier: "CARRIER_A_AU" } as const
  return [
    {
      type: "shipment",
      id: "demo-shipment",
      ...by,
      source: "PORTAL",
      rate: { source: "reported" },
      request: {
        sender: SENDER,
        collection: SENDER,
        receiver: RECEIVER,
        packages: [{ count: 3, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }],
        items: ITEMS,
        packagingCode: "CT",
        serviceCode: "76",
        collectionDateTime: `${day}T12:00:00`,
        collectionCloseTime: "1700",
        payer: { type: "Sender" },
        dangerousGoods: false,
        customerReference: "DEMO",
      },
    },
    {
      type: "pickup",
      id: "demo-pickup",
      ...by,
      outcome: "BOOKED",
      request: {
        pickupDate: day,
        readyTime: "12:00",
        closeTime: "17:00",
        serviceCode: "76",
        collection: SENDER,
        items: ITEMS,
        receiver: RECEIVER,
      },
    },
  ]
}

/** The entry of the n-th of them, from 0: before the journal. */
export function createDemoEntry(n: number): Entry {
  return { offset: -1 - n, length: 0 }
}

/** The event at an entry; undefined for one of the journal. */
export function findDemoEvent(events: readonly SandboxEvent[], { offset }: Entry): SandboxEvent | undefined {
  return offset < 0 ? events[-1 - offset] : undefined
}

/** Not made by a user of the sandbox: in no book. */
export function isDemo({ entry }: { readonly entry: Entry }): boolean {
  return entry.offset < 0
}
