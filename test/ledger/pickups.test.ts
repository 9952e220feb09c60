/** Whether a shipment has a pickup, before any pickup is sent. */
import { describe, expect, it } from "vitest"
import type { ShipmentDetail } from "../../src/contract/generated/types.ts"
import { createOnce } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { findPickup } from "../../src/ledger/pickups.ts"
import { create, entry, failure, HOUR, intent, NOW, put, server, testLedger } from "./setup.ts"

type Found = "none" | "booked" | "lost" | "open" | "unclear"

const SHIPMENT = { facts: { shipmentId: "shp-1" }, state: "done" } as const
const booking = (changes: Partial<Entry>) => entry({ ...SHIPMENT, ...changes })
const pickup = (changes: Partial<Entry> = {}) =>
  entry({ ...SHIPMENT, kind: "pickup", key: "key:PU-1", content: "goods", ...changes })
const FOUND = { note: "Found by reconcile." }
const lost = pickup({ facts: { shipmentId: "shp-1", standing: true } })

/** The findings about a pickup, and whether another one is sent; the API says `says`, where it may be asked. */
async function outcome(entries: Entry[], says: ShipmentDetail["pickupStatus"] | "not asked", again = false) {
  const ledger = testLedger()
  await put(ledger.store, ...entries)
  const getShipment = async () => {
    if (says === "not asked") throw new Error("asked")
    return { pickupStatus: says } as ShipmentDetail
  }
  const { is } = await findPickup(ledger, "shp-1", getShipment)
  let isSent = false
  const send = async () => {
    isSent = true
  }
  const asked = { ...intent(), kind: "pickup" as const, content: { goods: "others" }, facts: {}, again }
  const create = createOnce(ledger, { ...asked, collects: { shipments: ["shp-1"], getShipment } }, send)
  const error = await create.then(
    () => undefined,
    (error: unknown) => error,
  )
  return { is, isSent, error }
}

const CASES: [what: string, entries: Entry[], says: Parameters<typeof outcome>[1], found: Found][] = [
  ["a pickup in the ledger", [pickup()], "not asked", "booked"],
  ["one of last week", [pickup({ sentAt: new Date(NOW - 168 * HOUR).toISOString() })], "not asked", "booked"],
  ["one without a known outcome", [pickup({ state: "unknown" })], "not asked", "open"],
  ["one that was refused", [pickup({ state: "refused" })], "NOT_BOOKED", "none"],
  ["one that only the carrier has", [lost], "not asked", "lost"],
  [
    "one that only the carrier has, and another one since",
    [lost, pickup({ key: "key:PU-2", sentAt: new Date(NOW + HOUR).toISOString() })],
    "not asked",
    "lost",
  ],
  [
    "one that was arranged before",
    [booking({ request: { pickupBookingNumber: "PU-9" } })],
    "not asked",
    "booked",
  ],
  ["one that was booked with it", [booking({ response: { pickupStatus: "BOOKED" } })], "not asked", "booked"],
  [
    "one that the carrier booked with it, and the service lost",
    [booking({ response: { pickupStatus: "RECONCILE_NEEDED" } })],
    "not asked",
    "lost",
  ],
  [
    "one that was booked elsewhere",
    [booking({ response: { pickupStatus: "NOT_BOOKED" } })],
    "BOOKED",
    "booked",
  ],
  [
    "one that failed with its booking",
    [booking({ response: { pickupStatus: "FAILED" } })],
    "NOT_BOOKED",
    "none",
  ],
  [
    "none, as its booking said",
    [booking({ response: { pickupStatus: "NOT_BOOKED" } })],
    "NOT_BOOKED",
    "none",
  ],
  ["none, as far as the API knows: the reply was lost", [booking(FOUND)], "NOT_BOOKED", "unclear"],
  ["one that failed, whose booking's reply was lost", [booking(FOUND)], "FAILED", "none"],
  ["a warning without a status", [booking({ response: { labelWarning: "?" } })], "NOT_BOOKED", "unclear"],
  ["nothing that anyone says", [booking({ response: {} })], undefined, "unclear"],
  ["none, and was booked elsewhere", [], "NOT_BOOKED", "none"],
]

describe("a shipment with", () => {
  it.each(CASES)("%s", async (_what, entries, says, found) => {
    const { is, isSent, error } = await outcome(entries, says)
    expect({ is, isSent }).toEqual({ is: found, isSent: found === "none" })
    if (found === "open") expect(error).toMatchObject({ kind: "outcomeUnknown" })
    if (found === "booked") expect(error).toMatchObject({ standing: { kind: "has-pickup" } })
    if (found === "unclear") expect(String(error)).toContain("cannot be known")
    const meant = await outcome(entries, says, true)
    expect(meant.isSent).toBe(found !== "lost" && found !== "open")
  })
})

it("a claim of a pickup looks for one of the same shipment itself, whatever was asked before it", async () => {
  const ledger = testLedger()
  const { made, send } = server()
  const collect = (key: string) =>
    create(ledger, send, {
      ...{ kind: "pickup", key, content: { goods: key } },
      ...{ facts: { shipmentId: "shp-1" }, shipments: ["shp-1"] },
    })
  await collect("PU-1")
  expect(await failure(collect("PU-2"))).toMatchObject({ standing: { kind: "has-pickup" } })
  expect(made).toHaveLength(1)
})
