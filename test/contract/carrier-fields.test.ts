import { describe, expect, it } from "vitest"
import type { RequestName } from "../../src/carriers/fields.ts"
import { CARRIERS, carrierName } from "../../src/carriers/names.ts"
import { ignoredFields } from "../../src/contract/carrier-fields.ts"
import type { Carrier } from "../../src/contract/generated/types.ts"

const BOOKING = "ConsignmentBookingRequest"
const RATE = "RateRequest"

const ONLY: [Carrier, object, RequestName?][] = [
  ["CARRIER_A_AU", { alertAddresses: [{ email: "a@b.au", alertTypes: [] }] }],
  ["CARRIER_A_AU", { keepInStore: { numberOfDays: 1 } }],
  ["CARRIER_A_AU", { pickupBookingNumber: "P1" }],
  ["CARRIER_A_AU", { extendedWarranty: { value: 500, class: "A" } }],
  ["CARRIER_A_AU", { foodFreight: true }],
  ["CARRIER_A_AU", { isDocument: true }, RATE],
  ["CARRIER_A_AU", { timezone: "Australia/Perth" }, RATE],
  ["CARRIER_B_AU", { bexAlerts: [] }],
  ["CARRIER_B_AU", { timeSensitive: { timeslot: { dateTime: "2026-11-23T10:00", reference: "R" } } }],
  ["CARRIER_B_AU", { pallets: { poolA: { exchangeIn: 1 } } }],
  ["CARRIER_B_AU", { customerBarcodes: ["1"] }],
  ["CARRIER_B_AU", { quotedGstMinor: 0 }],
  ["CARRIER_B_AU", { quotedPriceIncGstMinor: 110 }],
  ["CARRIER_C_AU", { businessUnit: "UNIT_A" }],
  ["CARRIER_C_AU", { businessUnit: "UNIT_A" }, RATE],
]

describe("ignoredFields", () => {
  for (const [owner, request, name = BOOKING] of ONLY) {
    const field = Object.keys(request).join()

    it(`says nothing of ${field} of a ${name} on ${owner}, which reads it`, () => {
      expect(ignoredFields(name, request, owner)).toEqual([])
    })

    it.each(
      CARRIERS.filter((carrier) => carrier !== owner),
    )(`warns of ${field} of a ${name} on %s`, (carrier) => {
      expect(ignoredFields(name, request, carrier)).toEqual([
        {
          pointer: `/${field}`,
          path: field,
          keyword: "ignored",
          message: `${field} is for ${carrierName(owner)} only: ${carrierName(carrier)} ignores it`,
        },
      ])
    })
  }

  it("lists every field that is passed over", () => {
    const request = { foodFreight: true, businessUnit: "UNIT_B", pallets: {}, serviceCode: "EXP" }
    expect(ignoredFields(BOOKING, request, "CARRIER_B_AU").map(({ path }) => path)).toEqual([
      "businessUnit",
      "foodFreight",
    ])
  })

  it.each([
    ["CARRIER_A_AU", ["payer.subAccount"]],
    ["CARRIER_B_AU", ["payer.subAccount"]],
    ["CARRIER_C_AU", []],
  ] as const)("warns of a field inside another on %s", (carrier, paths) => {
    const ignored = ignoredFields(BOOKING, { payer: { type: "Sender", subAccount: "9" } }, carrier)
    expect(ignored.map(({ path }) => path)).toEqual(paths)
  })

  it("warns of what several carriers read", () => {
    const [warning] = ignoredFields("PickupBookingRequest", { serviceCode: "GEN" }, "CARRIER_B_AU")
    expect(warning?.message).toBe("serviceCode is for carriers A and C only: carrier B ignores it")
    for (const carrier of ["CARRIER_A_AU", "CARRIER_C_AU"] as const)
      expect(ignoredFields("PickupBookingRequest", { serviceCode: "GEN" }, carrier)).toEqual([])
  })

  it("says nothing of a false, which asks for nothing", () => {
    expect(ignoredFields(BOOKING, { foodFreight: false }, "CARRIER_C_AU")).toEqual([])
  })
})
