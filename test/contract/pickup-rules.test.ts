import { describe, expect, it } from "vitest"
import type { PickupBookingRequest } from "../../src/contract/generated/types.ts"
import { type PickupPlace, pickupProblems } from "../../src/contract/pickup-rules.ts"
import { address, booking } from "../sandbox/requests.ts"

/** 10:00 in Sydney, 07:00 in Perth. */
const NOW = Date.parse("2026-11-20T23:00:00Z")
const PLACE: PickupPlace = { carrier: "CARRIER_A_AU", state: "NSW", now: NOW }
const WHEN = { pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" }
const DERIVED: PickupBookingRequest = { ...WHEN, shipmentId: "shp_1" }
const ALONE: PickupBookingRequest = {
  ...WHEN,
  serviceCode: "76",
  collection: address(),
  items: booking().items,
  receiver: address(),
}

function errors(request: PickupBookingRequest, changes: Partial<PickupPlace> = {}) {
  return pickupProblems(request, { ...PLACE, ...changes }).errors.map(({ path }) => path)
}

function warnings(request: PickupBookingRequest, changes: Partial<PickupPlace> = {}) {
  return pickupProblems(request, { ...PLACE, ...changes }).warnings.map(({ message }) => message)
}

describe("a pickup", () => {
  it.each([DERIVED, ALONE])("that is good has no problems", (request) => {
    expect(pickupProblems(request, PLACE)).toEqual({ errors: [], warnings: [] })
  })

  it.each(["2026-02-30", "23/11/2026", "tomorrow", "2026-11-23T00:00"])("is on no day %j", (pickupDate) => {
    expect(errors({ ...DERIVED, pickupDate })).toEqual(["pickupDate"])
  })

  it.each(["CARRIER_A_AU", "CARRIER_C_AU"] as const)("on its own needs a service on %s", (carrier) => {
    const { serviceCode: _, ...without } = ALONE
    expect(errors(without, { carrier })).toEqual(["serviceCode"])
  })

  it.each(["CARRIER_B_AU", undefined] as const)("on its own needs no service on %s", (carrier) => {
    const { serviceCode: _, ...without } = ALONE
    expect(errors(without, { carrier })).toEqual([])
  })

  it("for a shipment needs no service", () => {
    expect(errors(DERIVED)).toEqual([])
  })

  it("is warned of a service that carrier B does not read", () => {
    expect(warnings(ALONE, { carrier: "CARRIER_B_AU" })).toEqual(["serviceCode is not read by carrier B"])
  })

  it("is warned of a collection without email on carrier C", () => {
    expect(warnings(ALONE, { carrier: "CARRIER_C_AU" })[0]).toContain("collection.email")
  })

  it("is warned of a postcode of another state", () => {
    expect(warnings({ ...ALONE, collection: address({ postcode: "6000" }) })[0]).toContain("6000")
  })

  it.each(["10:00", "09:30"])("is warned of closing at %s, when it is ready at 10:00", (closeTime) => {
    expect(warnings({ ...DERIVED, closeTime })[0]).toContain("not after 10:00")
  })
})

describe("a pickup's time", () => {
  const early = { ...DERIVED, pickupDate: "2026-11-21", readyTime: "07:30" }

  it.each([
    ["yesterday", { ...DERIVED, pickupDate: "2026-11-20" }],
    ["an hour ago", { ...early, closeTime: "09:00" }],
  ])("that was over %s is warned of", (_name, request) => {
    expect(warnings(request)[0]).toContain("is past")
  })

  it("is judged by the clock at the collection", () => {
    expect(warnings({ ...early, closeTime: "09:00" }, { state: "WA" })).toEqual([])
  })

  it("is not warned of while the premises are open", () => {
    expect(warnings({ ...early, closeTime: "10:00" })).toEqual([])
  })

  it.each(["Atlantis", undefined])("is not judged where the state is %s", (state) => {
    expect(warnings({ ...DERIVED, pickupDate: "2020-01-01" }, { state })).toEqual([])
  })
})
