import { describe, expect, it } from "vitest"
import { momentAt } from "../../../src/contract/collection-times.ts"
import type { PickupBookingRequest } from "../../../src/contract/generated/types.ts"
import { checkPickup, type PickupPlace } from "../../../src/contract/request-rules.ts"
import { address, booking } from "../../sandbox/requests.ts"

/** 10:00 in Sydney, 07:00 in Perth. */
const NOW = Date.parse("2026-11-20T23:00:00Z")
const PLACE: PickupPlace = { carrier: "CARRIER_A_AU", state: "NSW", moment: momentAt(NOW) }
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
  return checkPickup(request, { ...PLACE, ...changes }).errors.map(({ path }) => path)
}

function warnings(request: PickupBookingRequest, changes: Partial<PickupPlace> = {}) {
  return checkPickup(request, { ...PLACE, ...changes }).warnings.map(({ message }) => message)
}

describe("a pickup", () => {
  it.each([DERIVED, ALONE])("that is good has no problems", (request) => {
    expect(checkPickup(request, PLACE)).toEqual({ errors: [], warnings: [] })
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
    expect(warnings(ALONE, { carrier: "CARRIER_B_AU" })).toEqual(["serviceCode is ignored by carrier B"])
  })

  it("is warned of a collection without email on carrier C", () => {
    expect(warnings(ALONE, { carrier: "CARRIER_C_AU" })[0]).toContain("collection.email")
  })

  it("has no postcode of another state", () => {
    expect(errors({ ...ALONE, collection: address({ postcode: "6000" }) })).toEqual(["collection.postcode"])
  })

  it("has no items that are too heavy for their greatest sizes", () => {
    const items = { count: 2, totalWeightKg: 10_000, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    expect(errors({ ...ALONE, items })).toEqual(["items"])
    expect(errors({ ...ALONE, items: { ...items, totalWeightKg: 0.01 } })).toEqual([])
  })

  it.each(["10:00", "09:30"])("does not close at %s, when it is ready at 10:00", (closeTime) => {
    expect(errors({ ...DERIVED, closeTime })).toEqual(["closeTime"])
  })
})

describe("a pickup's time", () => {
  const early = { ...DERIVED, pickupDate: "2026-11-23", readyTime: "07:30" }
  const monday = { moment: momentAt(Date.parse("2026-11-22T23:00:00Z")) }

  it.each([
    ["yesterday", { ...DERIVED, pickupDate: "2026-11-22" }, ["pickupDate"]],
    ["earlier that day", early, ["readyTime"]],
  ])("cannot be %s", (_name, request, paths) => {
    expect(errors(request, monday)).toEqual(paths)
  })

  it("is judged by the clock at the collection, and both are told", () => {
    expect(errors(early, { ...monday, state: "WA" })).toEqual([])
    const { errors: found } = checkPickup(early, { ...PLACE, ...monday })
    expect(found[0]?.message).toBe(
      "readyTime is past: ready Mon 2026-11-23 07:30, and it is Mon 2026-11-23 10:00 at the collection",
    )
  })

  it("may have passed for whoever means it, with a warning", () => {
    const meant = { moment: momentAt(Date.parse("2026-11-22T23:00:00Z"), { allowPast: true }) }
    expect(errors(early, meant)).toEqual([])
    expect(warnings(early, meant)[0]).toContain("is past")
  })

  it.each(["Atlantis", undefined])("is not judged where the state is %s", (state) => {
    expect(errors({ ...DERIVED, pickupDate: "2020-01-01" }, { state })).toEqual([])
  })

  it("on a weekend is warned of", () => {
    expect(warnings({ ...DERIVED, pickupDate: "2026-11-28" })[0]).toContain("Sat 2026-11-28")
  })

  it("that cannot be read is left to the server", () => {
    expect(errors({ ...DERIVED, pickupDate: "2020-01-01", readyTime: "noon" })).toEqual([])
  })
})
