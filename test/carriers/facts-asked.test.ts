import { describe, expect, it } from "vitest"
import { findCarriersThat, getCarrierFacts } from "../../src/carriers/facts.ts"
import { findReaders, listCarrierFields, readsField } from "../../src/carriers/fields.ts"
import { CARRIERS } from "../../src/carriers/names.ts"

describe("facts of carriers", () => {
  it("are those of the carrier that is known", () => {
    expect(getCarrierFacts("CARRIER_B_AU")).toMatchObject({ statesGst: true, needsServiceForPickup: false })
    expect(getCarrierFacts(undefined)).toBeUndefined()
  })

  it("find the carriers of which they hold", () => {
    expect(findCarriersThat("statesGst")).toEqual(["CARRIER_B_AU"])
    expect(findCarriersThat("needsServiceForPickup")).toEqual(["CARRIER_A_AU", "CARRIER_C_AU"])
  })
})

describe("fields that only some carriers read", () => {
  it("are those that the schema marks", () => {
    expect(listCarrierFields("PickupBookingRequest")).toEqual([
      ["serviceCode", ["CARRIER_A_AU", "CARRIER_C_AU"]],
    ])
  })

  it("have their readers, and others have all", () => {
    expect(findReaders("ConsignmentBookingRequest", "businessUnit")).toEqual(["CARRIER_C_AU"])
    expect(findReaders("ConsignmentBookingRequest", "serviceCode")).toEqual(CARRIERS)
    expect(readsField("PickupBookingRequest", "serviceCode", "CARRIER_C_AU")).toBe(true)
    expect(readsField("PickupBookingRequest", "serviceCode", "CARRIER_B_AU")).toBe(false)
  })
})
