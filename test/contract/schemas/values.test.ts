import { describe, expect, it } from "vitest"
import { type Broken, named, pathOf, pointerOf, problems } from "./examples.ts"

/** Broken rules of the route, the goods, the service and the times of collection. */
const BROKEN: Broken[] = [
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
    'did you mean "UNIT_A"?',
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
  ...["lengthCm", "widthCm", "heightCm"].map(
    (side): Broken => [
      "ConsignmentBookingRequest",
      ["packages", 0, side],
      0,
      "exclusiveMinimum",
      `packages[0].${side} must be more than 0, not 0`,
    ],
  ),
  ["ConsignmentBookingRequest", ["items", "count"], 0, "minimum", "items.count must be at least 1, not 0"],
  ...["totalWeightKg", "maxLengthCm", "maxWidthCm", "maxHeightCm"].map(
    (total): Broken => [
      "ConsignmentBookingRequest",
      ["items", total],
      0,
      "exclusiveMinimum",
      `items.${total} must be more than 0, not 0`,
    ],
  ),
  [
    "ConsignmentBookingRequest",
    ["packagingCode"],
    "CTN",
    "enum",
    'packagingCode must be one of CT, BX, SA, PA, EN, CR, DR, RO, BG, PC, not "CTN"',
    'did you mean "CT"?',
  ],
  ["ConsignmentBookingRequest", ["serviceCode"], "", "minLength", "serviceCode is empty"],
  [
    "ConsignmentBookingRequest",
    ["serviceCode"],
    null,
    "type",
    "serviceCode must be text, not null",
    "leave the field out when it has no value",
  ],
  ...["2026-11-23", "2026-11-23T24:00", "2026-04-31T10:00", "2026-11-23T10:00:00+11:00"].map(
    (time): Broken => [
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
]

describe("broken rules of route, goods, service and times", () => {
  it.each(BROKEN.map(named))("$name: $message", ({ name, path, field, keyword, message, hint }) => {
    const where = { pointer: pointerOf(path), path: pathOf(path) }
    expect(problems(name, path, field)).toEqual([{ ...where, keyword, message, ...(hint && { hint }) }])
  })
})
