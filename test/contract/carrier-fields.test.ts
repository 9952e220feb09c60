import { describe, expect, it } from "vitest"
import { CARRIERS, carrierName, ignoredFields } from "../../src/contract/carrier-fields.ts"
import type { Carrier, ConsignmentBookingRequest, RateRequest } from "../../src/contract/generated/types.ts"

const ONLY: [Carrier, Partial<ConsignmentBookingRequest> | Partial<RateRequest>][] = [
  ["CARRIER_A_AU", { alertAddresses: [{ email: "a@b.au", alertTypes: [] }] }],
  ["CARRIER_A_AU", { keepInStore: { numberOfDays: 1 } }],
  ["CARRIER_A_AU", { pickupBookingNumber: "P1" }],
  ["CARRIER_A_AU", { extendedWarranty: { value: 500, class: "A" } }],
  ["CARRIER_A_AU", { foodFreight: true }],
  ["CARRIER_A_AU", { isDocument: true }],
  ["CARRIER_A_AU", { timezone: "Australia/Perth" }],
  ["CARRIER_B_AU", { bexAlerts: [] }],
  ["CARRIER_B_AU", { timeSensitive: { timeslot: { dateTime: "2026-11-23T10:00", reference: "R" } } }],
  ["CARRIER_B_AU", { pallets: { poolA: { exchangeIn: 1 } } }],
  ["CARRIER_B_AU", { customerBarcodes: ["1"] }],
  ["CARRIER_B_AU", { quotedGstMinor: 0 }],
  ["CARRIER_B_AU", { quotedPriceIncGstMinor: 110 }],
  ["CARRIER_C_AU", { businessUnit: "UNIT_A" }],
]

describe("ignoredFields", () => {
  for (const [owner, request] of ONLY) {
    const field = Object.keys(request).join()

    it(`says nothing of ${field} on ${owner}, which reads it`, () => {
      expect(ignoredFields(request, owner)).toEqual([])
    })

    it.each(CARRIERS.filter((carrier) => carrier !== owner))(`warns of ${field} on %s`, (carrier) => {
      expect(ignoredFields(request, carrier)).toEqual([
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
    expect(ignoredFields(request, "CARRIER_B_AU").map(({ path }) => path)).toEqual([
      "foodFreight",
      "businessUnit",
    ])
  })

  it.each([
    ["CARRIER_A_AU", ["payer.subAccount"]],
    ["CARRIER_B_AU", ["payer.subAccount"]],
    ["CARRIER_C_AU", []],
  ] as const)("warns of a field inside another on %s", (carrier, paths) => {
    const ignored = ignoredFields({ payer: { type: "Sender", subAccount: "9" } }, carrier)
    expect(ignored.map(({ path }) => path)).toEqual(paths)
  })

  it("says nothing of a false, which asks for nothing", () => {
    expect(ignoredFields({ foodFreight: false, isDocument: false }, "CARRIER_C_AU")).toEqual([])
  })
})

describe("carrierName", () => {
  it.each([
    ["CARRIER_A_AU", "carrier A"],
    ["CARRIER_B_AU", "carrier B"],
    ["CARRIER_C_AU", "carrier C"],
  ] as const)("of %s is %s", (carrier, name) => {
    expect(carrierName(carrier)).toBe(name)
  })
})
