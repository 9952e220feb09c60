import { describe, expect, it } from "vitest"
import { problemsOf, type Validator } from "../../src/contract/check.ts"
import * as requests from "../../src/contract/generated/requests.js"
import { changed, placesIn, REQUEST_EXAMPLES } from "./schemas-examples.ts"

type Name = keyof typeof requests
type Path = readonly (string | number)[]

const names: Name[] = [
  "RateRequest",
  "ConsignmentBookingRequest",
  "BookingFile",
  "PickupBookingRequest",
  "PrintRequest",
  "PrintJobRequest",
]
const validators: Record<Name, Validator> = requests

function problems(name: Name, path: Path, field: unknown) {
  return problemsOf(validators[name], changed(REQUEST_EXAMPLES[name], path, field))
}

const pathOf = (path: Path) =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1)
const pointerOf = (path: Path) => path.map((key) => `/${key}`).join("")

describe.each(names)("%s", (name) => {
  const example = REQUEST_EXAMPLES[name]
  const places = placesIn(example)
  const valueAt = (path: Path) => path.reduce<unknown>((value, key) => Object(value)[key], example)
  const objects = places.filter((path) => typeof valueAt(path) === "object" && !Array.isArray(valueAt(path)))

  it("takes a good example with every field", () => {
    expect(problemsOf(validators[name], example)).toEqual([])
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

/** One broken rule each: where it is, what it is called, and what is said of it. */
const BROKEN: [Name, Path, unknown, keyword: string, message: string, hint?: string][] = [
  ["RateRequest", ["packages"], [], "minItems", "packages is empty"],
  ["RateRequest", ["from", "suburb"], "", "minLength", "from.suburb is empty"],
  [
    "RateRequest",
    ["date"],
    "2026-02-29",
    "pattern",
    'date must be a day that exists, written YYYY-MM-DD, not "2026-02-29"',
  ],
  [
    "RateRequest",
    ["date"],
    "23/11/2026",
    "pattern",
    'date must be a day that exists, written YYYY-MM-DD, not "23/11/2026"',
    'write "2026-11-23"',
  ],
  [
    "RateRequest",
    ["localDateTime"],
    "2026-11-23T10:00",
    "pattern",
    'localDateTime must be a day and a time to the second without a zone, written like 2026-11-23T10:00:00, not "2026-11-23T10:00"',
    'write "2026-11-23T10:00:00"',
  ],
  [
    "RateRequest",
    ["localDateTime"],
    "2026-11-23T10:00:00Z",
    "pattern",
    'localDateTime must be a day and a time to the second without a zone, written like 2026-11-23T10:00:00, not "2026-11-23T10:00:00Z"',
  ],
  [
    "RateRequest",
    ["businessUnit"],
    "UNIT_C",
    "enum",
    'businessUnit must be one of UNIT_A, UNIT_B, not "UNIT_C"',
    "did you mean 'UNIT_A'?",
  ],
  [
    "RateRequest",
    ["from", "postcode"],
    800,
    "type",
    "from.postcode must be text, not 800",
    'write it in quotes: "0800"',
  ],
  [
    "RateRequest",
    ["from", "residential"],
    "yes",
    "type",
    'from.residential must be true or false, not "yes"',
    "write true without quotes",
  ],
  [
    "ConsignmentBookingRequest",
    ["packages", 0, "count"],
    0,
    "minimum",
    "packages[0].count must be at least 1, not 0",
  ],
  [
    "ConsignmentBookingRequest",
    ["packages", 0, "count"],
    0.5,
    "type",
    "packages[0].count must be a whole number, not 0.5",
  ],
  [
    "ConsignmentBookingRequest",
    ["packages", 0, "weightKg"],
    -2,
    "exclusiveMinimum",
    "packages[0].weightKg must be more than 0, not -2",
  ],
  [
    "ConsignmentBookingRequest",
    ["packages", 0, "weightKg"],
    "5.5",
    "type",
    'packages[0].weightKg must be a number, not "5.5"',
    "write 5.5 without quotes",
  ],
  ...["lengthCm", "widthCm", "heightCm"].map((side): (typeof BROKEN)[number] => [
    "ConsignmentBookingRequest",
    ["packages", 0, side],
    0,
    "exclusiveMinimum",
    `packages[0].${side} must be more than 0, not 0`,
  ]),
  ["ConsignmentBookingRequest", ["items", "count"], 0, "minimum", "items.count must be at least 1, not 0"],
  ...["totalWeightKg", "maxLengthCm", "maxWidthCm", "maxHeightCm"].map((total): (typeof BROKEN)[number] => [
    "ConsignmentBookingRequest",
    ["items", total],
    0,
    "exclusiveMinimum",
    `items.${total} must be more than 0, not 0`,
  ]),
  [
    "ConsignmentBookingRequest",
    ["packagingCode"],
    "CTN",
    "enum",
    'packagingCode must be one of CT, BX, SA, PA, EN, CR, DR, RO, BG, PC, not "CTN"',
    "did you mean 'CT'?",
  ],
  ["ConsignmentBookingRequest", ["serviceCode"], "", "minLength", "serviceCode is empty"],
  [
    "ConsignmentBookingRequest",
    ["serviceCode"],
    null,
    "type",
    "serviceCode must be text, not null",
    "leave the field out when there is nothing to say",
  ],
  ...["2026-11-23", "2026-11-23T24:00", "2026-04-31T10:00", "2026-11-23T10:00:00+11:00"].map(
    (time): (typeof BROKEN)[number] => [
      "ConsignmentBookingRequest",
      ["collectionDateTime"],
      time,
      "pattern",
      `collectionDateTime must be a day and a time without a zone, written like 2026-11-23T10:00:00, not "${time}"`,
    ],
  ),
  [
    "ConsignmentBookingRequest",
    ["collectionCloseTime"],
    "17:00",
    "pattern",
    'collectionCloseTime must be a time of day as four digits, written like 1700, not "17:00"',
    'write "1700"',
  ],
  [
    "ConsignmentBookingRequest",
    ["collectionCloseTime"],
    "2400",
    "pattern",
    'collectionCloseTime must be a time of day as four digits, written like 1700, not "2400"',
  ],
  [
    "ConsignmentBookingRequest",
    ["collectionCloseTime"],
    900,
    "type",
    "collectionCloseTime must be text, not 900",
    'write it in quotes: "0900"',
  ],
  [
    "ConsignmentBookingRequest",
    ["payer", "type"],
    "receiver",
    "enum",
    'payer.type must be one of Sender, Receiver, ThirdParty, not "receiver"',
    "did you mean 'Receiver'?",
  ],
  ["ConsignmentBookingRequest", ["payer", "accountNumber"], "", "minLength", "payer.accountNumber is empty"],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails", "unNumber"],
    "UN1263",
    "pattern",
    'dangerousGoodsDetails.unNumber must be four digits, without the letters UN, not "UN1263"',
    'write "1263"',
  ],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails", "unNumber"],
    12,
    "type",
    "dangerousGoodsDetails.unNumber must be text, not 12",
    'write it in quotes: "0012"',
  ],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails", "hazClass"],
    "Class 3",
    "pattern",
    'dangerousGoodsDetails.hazClass must be a UN class or division, written like 3, 2.1 or 1.4S, not "Class 3"',
    'write "3"',
  ],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails", "packingGroup"],
    "IV",
    "enum",
    'dangerousGoodsDetails.packingGroup must be one of I, II, III, not "IV"',
  ],
  [
    "ConsignmentBookingRequest",
    ["dangerousGoodsDetails", "quantity"],
    0,
    "minimum",
    "dangerousGoodsDetails.quantity must be at least 1, not 0",
  ],
  [
    "ConsignmentBookingRequest",
    ["keepInStore", "numberOfDays"],
    0,
    "minimum",
    "keepInStore.numberOfDays must be at least 1, not 0",
  ],
  [
    "ConsignmentBookingRequest",
    ["keepInStore", "numberOfDays"],
    6,
    "maximum",
    "keepInStore.numberOfDays must be at most 5, not 6",
  ],
  [
    "ConsignmentBookingRequest",
    ["extendedWarranty", "value"],
    10000.01,
    "maximum",
    "extendedWarranty.value must be at most 10000, not 10000.01",
  ],
  [
    "ConsignmentBookingRequest",
    ["extendedWarranty", "class"],
    "D",
    "enum",
    'extendedWarranty.class must be one of A, B, C, not "D"',
  ],
  [
    "ConsignmentBookingRequest",
    ["bexAlerts", 0, "alertType"],
    "DISPATCHED",
    "enum",
    'bexAlerts[0].alertType must be one of DESPATCHED, DELIVERY_STATUS, DELIVERED, not "DISPATCHED"',
    "did you mean 'DESPATCHED'?",
  ],
  [
    "ConsignmentBookingRequest",
    ["alertAddresses"],
    { email: "a@example.com", alertTypes: [] },
    "type",
    "alertAddresses must be a list, not an object",
    "put it in [ ], even when there is only one",
  ],
  [
    "ConsignmentBookingRequest",
    ["timeSensitive"],
    {},
    "minProperties",
    "timeSensitive must have exactly one of timeslot and deliveryWindow",
  ],
  [
    "ConsignmentBookingRequest",
    ["timeSensitive"],
    {
      timeslot: { dateTime: "2026-11-24T14:30:00", reference: "DOCK-7781" },
      deliveryWindow: { startDate: "2026-11-24", endDate: "2026-11-24" },
    },
    "maxProperties",
    "timeSensitive must have exactly one of timeslot and deliveryWindow",
  ],
  [
    "ConsignmentBookingRequest",
    ["customerBarcodes", 0],
    "x".repeat(51),
    "maxLength",
    "customerBarcodes[0] must have at most 50 characters, and has 51",
  ],
  [
    "ConsignmentBookingRequest",
    ["quotedPriceExGstMinor"],
    24.6,
    "type",
    "quotedPriceExGstMinor must be a whole number, not 24.6",
  ],
  [
    "ConsignmentBookingRequest",
    ["committedEta"],
    null,
    "type",
    "committedEta must be text, not null",
    "leave the field out when there is nothing to say",
  ],
  [
    "ConsignmentBookingRequest",
    ["bookingCutoff"],
    "15:00",
    "pattern",
    'bookingCutoff must be a time of day with seconds, written like 16:30:00, not "15:00"',
    'write "15:00:00"',
  ],
  ["PrintRequest", ["deviceId"], "", "minLength", "deviceId is empty"],
  [
    "PrintJobRequest",
    ["pdfBase64"],
    "JVBERi0\nxLjQ=",
    "pattern",
    'pdfBase64 must be base64 without spaces or line breaks, not "JVBERi0 xLjQ="',
  ],
  [
    "PrintJobRequest",
    ["pdfBase64"],
    "A".repeat(9_000_001),
    "maxLength",
    "pdfBase64 must have at most 9000000 characters, and has 9000001",
  ],
]

describe("broken rules", () => {
  it.each(
    BROKEN.map(([name, path, field, keyword, message, hint]) => ({
      name,
      path,
      field,
      keyword,
      message,
      hint,
    })),
  )("$name: $message", ({ name, path, field, keyword, message, hint }) => {
    const where = { pointer: pointerOf(path), path: pathOf(path) }
    expect(problems(name, path, field)).toEqual([{ ...where, keyword, message, ...(hint && { hint }) }])
  })

  it.each(["Receiver", "ThirdParty"])("an account is needed when %s pays", (type) => {
    expect(problems("ConsignmentBookingRequest", ["payer"], { type })).toEqual([
      {
        pointer: "/payer",
        path: "payer.accountNumber",
        property: "accountNumber",
        keyword: "required",
        message: "payer.accountNumber is missing: needed when payer.type is Receiver or ThirdParty",
      },
    ])
  })

  it("details are needed when goods are dangerous", () => {
    expect(problems("ConsignmentBookingRequest", ["dangerousGoodsDetails"], undefined)).toEqual([
      {
        pointer: "",
        path: "dangerousGoodsDetails",
        property: "dangerousGoodsDetails",
        keyword: "required",
        message: "dangerousGoodsDetails is missing: needed when dangerousGoods is true",
      },
    ])
  })

  it.each(["collection", "items", "receiver"])("a pickup on its own needs %s", (property) => {
    expect(problems("PickupBookingRequest", [property], undefined)).toEqual([
      {
        pointer: "",
        path: property,
        property,
        keyword: "required",
        message: `${property} is missing: without shipmentId, a pickup needs collection, items and receiver`,
      },
    ])
  })

  it("a pickup of a shipment takes no address and no goods", () => {
    expect(problems("PickupBookingRequest", ["shipmentId"], "s1").map(({ message }) => message)).toEqual([
      "collection is not allowed: with shipmentId, the address is the shipment's",
      "items is not allowed: with shipmentId, the goods are the shipment's",
      "receiver is not allowed: with shipmentId, the receiver is the shipment's",
    ])
  })

  it("residential is no field of a booking address", () => {
    expect(problems("ConsignmentBookingRequest", ["receiver", "residential"], true)).toMatchObject([
      { pointer: "/receiver", property: "residential", keyword: "additionalProperties" },
    ])
  })
})
