import { describe, expect, it } from "vitest"
import { type Name, type Path, problems } from "./schemas-problems.ts"

/** What the contract allows at the edges of its rules. */
const ALLOWED: [Name, string, Path, unknown][] = [
  ["RateRequest", "a null service code", ["serviceCode"], null],
  ["RateRequest", "a zone that will be passed over", ["timezone"], "Mars/Olympus"],
  [
    "ConsignmentBookingRequest",
    "a collection time without seconds",
    ["collectionDateTime"],
    "2026-11-23T10:00",
  ],
  ["ConsignmentBookingRequest", "fractions of a second", ["collectionDateTime"], "2026-11-23T10:00:00.000"],
  ["ConsignmentBookingRequest", "a leap day", ["collectionDateTime"], "2028-02-29T10:00:00"],
  ["ConsignmentBookingRequest", "midnight", ["collectionCloseTime"], "0000"],
  ["ConsignmentBookingRequest", "one minute to midnight", ["collectionCloseTime"], "2359"],
  [
    "ConsignmentBookingRequest",
    "a UN number that starts with 0",
    ["dangerousGoodsDetails", "unNumber"],
    "0004",
  ],
  ["ConsignmentBookingRequest", "a class without division", ["dangerousGoodsDetails", "hazClass"], "8"],
  ["ConsignmentBookingRequest", "a class with division", ["dangerousGoodsDetails", "hazClass"], "2.1"],
  ["ConsignmentBookingRequest", "one day at the depot", ["keepInStore", "numberOfDays"], 1],
  ["ConsignmentBookingRequest", "a weight below a kilogram", ["packages", 0, "weightKg"], 0.01],
  ["ConsignmentBookingRequest", "a whole number written 30.0", ["packages", 0, "count"], JSON.parse("30.0")],
  ["ConsignmentBookingRequest", "an empty optional text", ["sender", "email"], ""],
  [
    "ConsignmentBookingRequest",
    "50 characters beyond the basic plane",
    ["customerBarcodes", 0],
    "📦".repeat(50),
  ],
  ["ConsignmentBookingRequest", "pallets of no pool", ["pallets"], {}],
  ["ConsignmentBookingRequest", "a quoteId without rateId", ["rateId"], undefined],
  ["ConsignmentBookingRequest", "details of goods that are not dangerous", ["dangerousGoods"], false],
  ["ConsignmentBookingRequest", "an account for Sender", ["payer", "type"], "Sender"],
  ["ConsignmentBookingRequest", "no account for Sender", ["payer"], { type: "Sender" }],
  ["ConsignmentBookingRequest", "an account for ThirdParty", ["payer", "type"], "ThirdParty"],
  [
    "ConsignmentBookingRequest",
    "a slot without a zone",
    ["timeSensitive", "timeslot", "dateTime"],
    "2026-11-24T14:30",
  ],
  [
    "ConsignmentBookingRequest",
    "a slot in UTC",
    ["timeSensitive", "timeslot", "dateTime"],
    "2026-11-24T03:30:00Z",
  ],
  [
    "ConsignmentBookingRequest",
    "a window of days",
    ["timeSensitive"],
    { deliveryWindow: { startDate: "2026-11-24", endDate: "2026-11-24" } },
  ],
  [
    "ConsignmentBookingRequest",
    "a window of days and hours",
    ["timeSensitive"],
    {
      deliveryWindow: {
        startDate: "2026-11-24",
        endDate: "2026-11-24",
        startTime: "09:00",
        endTime: "16:30",
      },
    },
  ],
  [
    "PickupBookingRequest",
    "a pickup of a shipment",
    [],
    { shipmentId: "s1", pickupDate: "2026-11-23", readyTime: "1000", closeTime: "17:00" },
  ],
  ["PrintJobRequest", "9,000,000 characters of base64", ["pdfBase64"], "A".repeat(9_000_000)],
]

describe("what the contract allows", () => {
  it.each(ALLOWED)("%s takes %s", (name, _, path, field) => {
    expect(problems(name, path, field)).toEqual([])
  })

  const codes = ["CT", "BX", "SA", "PA", "EN", "CR", "DR", "RO", "BG", "PC"]
  it.each(codes)("ConsignmentBookingRequest takes packagingCode %s", (code) => {
    expect(problems("ConsignmentBookingRequest", ["packagingCode"], code)).toEqual([])
  })
})
