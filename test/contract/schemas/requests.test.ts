import { describe, expect, it } from "vitest"
import { findErrors } from "../../../src/contract/check.ts"
import {
  type Name,
  type Path,
  pathOf,
  placesIn,
  pointerOf,
  problems,
  REQUEST_EXAMPLES,
  validators,
} from "./examples.ts"

const names: Name[] = [
  "RateRequest",
  "ConsignmentBookingRequest",
  "BookingFile",
  "PickupBookingRequest",
  "PrintRequest",
  "PrintJobRequest",
]

describe.each(names)("%s", (name) => {
  const example = REQUEST_EXAMPLES[name]
  const places = placesIn(example)
  const valueAt = (path: Path) => path.reduce<unknown>((value, key) => Object(value)[key], example)
  const objects = places.filter((path) => typeof valueAt(path) === "object" && !Array.isArray(valueAt(path)))

  it("takes a good example with every field", () => {
    expect(findErrors(validators[name], example)).toEqual([])
  })

  it.each(
    places.map((path) => ({ path, at: pathOf(path) || "the top level" })),
  )("has one problem when $at is of no type that fits", ({ path }) => {
    const odd = Array.isArray(valueAt(path)) ? 1 : [[]]
    expect(problems(name, path, odd)).toMatchObject([{ pointer: pointerOf(path), path: pathOf(path) }])
  })

  it.each(
    objects
      .filter((path) => valueAt(path) !== null)
      .map((path) => ({ path, at: pathOf(path) || "the top level" })),
  )("has one problem when $at has a field that is not known", ({ path }) => {
    expect(problems(name, [...path, "zzz"], 1)).toMatchObject([
      {
        pointer: pointerOf(path),
        property: "zzz",
        keyword: expect.stringMatching(/^(additional|unevaluated)Properties$/),
        message: `unknown field '${pathOf([...path, "zzz"])}'`,
      },
    ])
  })
})

/** Fields that must be there, of every object in every request. */
const ADDRESS = ["companyName", "address1", "suburb", "state", "postcode"]
const ITEMS = ["count", "totalWeightKg", "maxLengthCm", "maxWidthCm", "maxHeightCm"]
const PACKAGE = ["count", "lengthCm", "widthCm", "heightCm", "weightKg"]
const BOOKING = [
  "sender",
  "collection",
  "receiver",
  "packages",
  "packagingCode",
  "serviceCode",
  "collectionDateTime",
  "collectionCloseTime",
  "payer",
  "dangerousGoods",
]
const REQUIRED: [Name, Path, string[]][] = [
  ["RateRequest", [], ["from", "to", "packages", "dangerousGoods"]],
  ["RateRequest", ["from"], ["suburb", "postcode", "state", "residential"]],
  ["RateRequest", ["to"], ["suburb", "postcode", "state", "residential"]],
  ["RateRequest", ["packages", 0], PACKAGE],
  ["ConsignmentBookingRequest", [], [...BOOKING, "items"]],
  ["ConsignmentBookingRequest", ["sender"], ADDRESS],
  ["ConsignmentBookingRequest", ["collection"], ADDRESS],
  ["ConsignmentBookingRequest", ["receiver"], ADDRESS],
  ["ConsignmentBookingRequest", ["packages", 0], PACKAGE],
  ["ConsignmentBookingRequest", ["items"], ITEMS],
  ["ConsignmentBookingRequest", ["payer"], ["type"]],
  ["ConsignmentBookingRequest", ["payer", "thirdPartyAddress"], ADDRESS],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails"],
    [
      "unNumber",
      "hazClass",
      "packageType",
      "quantity",
      "aggregateQuantity",
      "shippingName",
      "contactName",
      "contactPhone",
    ],
  ],
  ["ConsignmentBookingRequest", ["alertAddresses", 0], ["email", "alertTypes"]],
  ["ConsignmentBookingRequest", ["keepInStore"], ["numberOfDays"]],
  ["ConsignmentBookingRequest", ["extendedWarranty"], ["value", "class"]],
  ["ConsignmentBookingRequest", ["bexAlerts", 0], ["alertType", "contactName", "emailAddress"]],
  ["ConsignmentBookingRequest", ["timeSensitive", "timeslot"], ["dateTime", "reference"]],
  ["BookingFile", [], BOOKING],
  ["PickupBookingRequest", [], ["pickupDate", "readyTime", "closeTime"]],
  ["PrintRequest", [], ["deviceId"]],
  ["PrintJobRequest", [], ["deviceId", "pdfBase64"]],
]
const required = REQUIRED.flatMap(([name, path, properties]) =>
  properties.map((property) => ({ name, path, property, at: pathOf([...path, property]) })),
)

describe("needed fields", () => {
  it.each(required)("$name: $at must be there", ({ name, path, property, at }) => {
    expect(problems(name, [...path, property], undefined)).toEqual([
      { pointer: pointerOf(path), path: at, property, keyword: "required", message: `${at} is missing` },
    ])
  })

  const optional = names.flatMap((name) =>
    placesIn(REQUEST_EXAMPLES[name])
      .filter((path) => typeof path.at(-1) === "string")
      .filter((path) => !required.some((field) => field.name === name && field.at === pathOf(path)))
      .filter((path) => !["dangerousGoodsDetails", "accountNumber", "timeslot"].includes(String(path.at(-1))))
      .filter(() => name !== "PickupBookingRequest" && name !== "BookingFile")
      .map((path) => ({ name, path, at: pathOf(path) })),
  )
  it.each(optional)("$name: $at may be left out", ({ name, path }) => {
    expect(problems(name, path, undefined)).toEqual([])
  })

  it("a booking file may leave items out", () => {
    expect(problems("BookingFile", ["items"], undefined)).toEqual([])
  })

  it("a booking file may leave $schema out", () => {
    expect(problems("BookingFile", ["$schema"], undefined)).toEqual([])
  })

  it("a booking request may not carry $schema", () => {
    expect(problems("ConsignmentBookingRequest", ["$schema"], "x")).toMatchObject([
      { property: "$schema", keyword: "unevaluatedProperties" },
    ])
  })
})

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
