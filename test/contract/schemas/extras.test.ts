import { describe, expect, it } from "vitest"
import { type Broken, named, pathOf, pointerOf, problems } from "./examples.ts"

/** Broken rules of the payer, of dangerous goods, of extras and of printing. */
const BROKEN: Broken[] = [
  [
    "ConsignmentBookingRequest",
    ["payer", "type"],
    "receiver",
    "enum",
    'payer.type must be one of Sender, Receiver, ThirdParty, not "receiver"',
    'did you mean "Receiver"?',
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
    'did you mean "DESPATCHED"?',
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
    "shorten it by 1",
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
    "leave the field out when it has no value",
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
    "pdfBase64 must have at most 9,000,000 characters, and has 9,000,001",
    "shorten it by 1",
  ],
]

describe("broken rules of payer, dangerous goods, extras and printing", () => {
  it.each(BROKEN.map(named))("$name: $message", ({ name, path, field, keyword, message, hint }) => {
    const where = { pointer: pointerOf(path), path: pathOf(path) }
    expect(problems(name, path, field)).toEqual([{ ...where, keyword, message, ...(hint && { hint }) }])
  })
})

describe("what one field asks of another", () => {
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
        message: `${property} is missing: without a shipment, a pickup needs collection, items and receiver`,
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
