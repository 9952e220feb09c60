import { describe, expect, it } from "vitest"
import { findErrors } from "../../../src/contract/check.ts"
import {
  type Name,
  type Path,
  pathOf,
  placesIn,
  pointerOf,
  problems,
  EXAMPLES,
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
  const example = EXAMPLES[name]
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
        message: `unknown field "${pathOf([...path, "zzz"])}"`,
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
    placesIn(EXAMPLES[name])
      .filter((path) => typeof path.at(-1) === "string")
      .filter((path) => !required.some((field) => field.name === name && field.at === pathOf(path)))
      .filter((path) => !["dangerousGoodsDetails", "accountNumber", "timeslot"].includes(String(path.at(-1))))
      .filter(() => name !== "PickupBookingRequest" && name !== "BookingFile")
      .map((path) => ({ name, path, at: pathOf(path) })),
  )
  it.each(optional)("$name: $at may be left out", ({ name, path }) => {
    expect(problems(name, path, undefined)).toEqual([])
  })
})
