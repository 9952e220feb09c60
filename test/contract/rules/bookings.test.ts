import { describe, expect, it } from "vitest"
import { momentAt } from "../../../src/contract/collection-times.ts"
import { checkBooking } from "../../../src/contract/request-rules.ts"
import { CARRIERS } from "../../../src/contract/carrier-fields.ts"
import { findErrors } from "../../../src/contract/check.ts"
import * as requests from "../../../src/contract/generated/requests.js"
import type { Carrier, ConsignmentBookingRequest } from "../../../src/contract/generated/types.ts"
import { booking, darwin, sydney } from "../rule-examples.ts"

type Change = Partial<ConsignmentBookingRequest>

function errors(change: Change, carrier?: Carrier): string[] {
  return checkBooking({ ...booking, ...change }, carrier).errors.map(({ path }) => path)
}

function warnings(change: Change, carrier?: Carrier): string[] {
  return checkBooking({ ...booking, ...change }, carrier).warnings.map(({ path }) => path)
}

describe("a booking in order", () => {
  it("keeps the schema", () => {
    expect(findErrors(requests.ConsignmentBookingRequest, booking)).toEqual([])
  })

  it.each([...CARRIERS, undefined])("has no error and no warning on %s", (carrier) => {
    expect(checkBooking(booking, carrier)).toEqual({ errors: [], warnings: [] })
  })
})

describe("errors of a booking", () => {
  const late = { collectionDateTime: "2026-11-23T18:00:00", collectionCloseTime: "2000" }

  it("has carrier A's window judged on carrier A", () => {
    expect(errors(late, "CARRIER_A_AU")).toEqual(["collectionDateTime", "collectionCloseTime"])
  })

  it.each(["CARRIER_B_AU", "CARRIER_C_AU", undefined] as const)("has no window on %s", (carrier) => {
    expect(errors(late, carrier)).toEqual([])
  })

  it("judges a collection in another state by its own wall clock", () => {
    const perth = { ...sydney, suburb: "Perth", state: "WA", postcode: "6000" }
    expect(
      errors(
        { collection: perth, collectionDateTime: "2026-11-23T17:00:00", collectionCloseTime: "1900" },
        "CARRIER_A_AU",
      ),
    ).toEqual([])
  })

  it("has the payer's account asked for without knowing the carrier", () => {
    expect(errors({ payer: { type: "Receiver" } })).toEqual(["payer.accountNumber"])
  })

  it("holds each address's state against its postcode", () => {
    const odd = { ...darwin, state: "VIC" }
    const split = { ...darwin, state: "Vic toria" }
    expect(errors({ sender: odd, receiver: split })).toEqual(["sender.postcode", "receiver.state"])
  })

  it("has packages that were written in grams or millimetres refused, unless they are meant", () => {
    const odd = { count: 1, lengthCm: 400, widthCm: 300, heightCm: 200, weightKg: 5 }
    const heavy = { ...booking, packages: [...(booking.packages ?? []), odd] }
    const nowMs = Date.parse("2026-11-20T00:00:00Z")
    const { errors: found } = checkBooking(heavy, undefined, momentAt(nowMs))
    expect(found).toMatchObject([{ path: "packages[1]", code: "density" }])
    expect(found[0]?.message).toBe(
      "packages[1] has 5 kg in 400 × 300 × 200 cm: 0.21 kg/m³, and goods have 2 to 12,000",
    )
    const meant = checkBooking(heavy, undefined, momentAt(nowMs, { allowDensity: true }))
    expect([meant.errors, meant.warnings[0]?.path]).toEqual([[], "packages[1]"])
  })

  it.each([
    ["to come", {}, "2026-11-22T22:59:00Z", []],
    ["past by the clock at the collection", {}, "2026-11-22T23:01:00Z", ["collectionDateTime"]],
    ["closed when it is ready", { collectionCloseTime: "1000" }, "2026-11-20", ["collectionCloseTime"]],
    ["closed a minute later", { collectionCloseTime: "1001" }, "2026-11-20", []],
  ])("judges a collection that is %s", (_, change, now, paths) => {
    const { errors: found } = checkBooking({ ...booking, ...change }, undefined, momentAt(Date.parse(now)))
    expect(found.map(({ path }) => path)).toEqual(paths)
  })

  it("leaves a close that breaks carrier A's window to that rule", () => {
    const early = { ...booking, collectionCloseTime: "1000" }
    const { errors: found } = checkBooking(early, "CARRIER_A_AU", momentAt(Date.parse("2026-11-20")))
    expect([...new Set(found.map(({ keyword }) => keyword))]).toEqual(["collectionWindow"])
  })

  it("has a quoteId alone refused", () => {
    expect(errors({ quoteId: "q1" })).toEqual(["rateId"])
  })

  it("reports every error at once", () => {
    expect(errors({ ...late, payer: { type: "ThirdParty" }, quoteId: "q1" }, "CARRIER_A_AU")).toEqual([
      "collectionDateTime",
      "collectionCloseTime",
      "payer.accountNumber",
      "payer.type",
      "rateId",
    ])
  })
})

describe("a delivery window", () => {
  const window = (startDate: string, endDate: string, startTime?: string, endTime?: string) => ({
    timeSensitive: {
      deliveryWindow: { startDate, endDate, ...(startTime && { startTime }), ...(endTime && { endTime }) },
    },
  })

  it.each([
    ["one day", window("2026-11-23", "2026-11-23")],
    ["one moment", window("2026-11-23", "2026-11-23", "09:00", "09:00")],
    ["the new year", window("2026-12-31", "2027-01-01", "17:00", "09:00")],
    ["a day with a start alone", window("2026-11-23", "2026-11-23", "09:00")],
    [
      "a timeslot instead",
      { timeSensitive: { timeslot: { dateTime: "2026-11-23T10:00:00Z", reference: "R" } } },
    ],
  ])("may be %s", (_, change) => {
    expect(errors(change, "CARRIER_B_AU")).toEqual([])
  })

  it.each([
    ["day", window("2026-11-24", "2026-11-23"), "timeSensitive.deliveryWindow.endDate"],
    ["hour", window("2026-11-23", "2026-11-23", "17:00", "09:00"), "timeSensitive.deliveryWindow.endTime"],
  ])("may not end on a %s before it starts", (_, change, path) => {
    expect(errors(change, "CARRIER_B_AU")).toEqual([path])
  })

  it.each([
    ["window", window("2026-11-19", "2026-11-22"), "timeSensitive.deliveryWindow.endDate"],
    [
      "timeslot",
      { timeSensitive: { timeslot: { dateTime: "2019-11-23T10:00:00", reference: "R" } } },
      "timeSensitive.timeslot.dateTime",
    ],
  ])("may be no %s before the collection", (_, change, path) => {
    expect(errors(change, "CARRIER_B_AU")).toEqual([path])
  })
})

describe("warnings of a booking", () => {
  it("misses the collection's email on carrier C alone", () => {
    expect(CARRIERS.map((carrier) => warnings({ collection: darwin }, carrier))).toEqual([
      [],
      [],
      ["collection.email"],
    ])
  })

  it("doubts an email that cannot be one", () => {
    expect(warnings({ receiver: { ...darwin, email: "ask Ann" } })).toEqual(["receiver.email"])
  })

  it("holds items against packages, and says how to fix it", () => {
    const { warnings: found } = checkBooking(
      { ...booking, items: { ...booking.items, totalWeightKg: 10 } },
      undefined,
    )
    expect(found).toEqual([
      {
        pointer: "/items/totalWeightKg",
        path: "items.totalWeightKg",
        keyword: "items",
        message: "items.totalWeightKg is 10, but the packages make 11",
        hint: "leave items out of the file to have them worked out",
      },
    ])
  })

  it("says that carrier A charges an account that is given with Sender", () => {
    expect(warnings({ payer: { type: "Sender", accountNumber: "1" } }, "CARRIER_A_AU")).toEqual([
      "payer.accountNumber",
    ])
  })

  it("wonders about details of dangerous goods that are none", () => {
    const dangerousGoodsDetails = {
      unNumber: "0012",
      hazClass: "1.4S",
      packageType: "Box",
      quantity: 1,
      aggregateQuantity: 1,
      shippingName: "CARTRIDGES",
      contactName: "Ann",
      contactPhone: "1",
    }
    expect(warnings({ dangerousGoodsDetails })).toEqual(["dangerousGoods"])
  })

  it("says that reported figures do not count beside a rateId", () => {
    expect(warnings({ rateId: "r1", committedEta: "2026-11-25T17:00:00" })).toEqual(["rateId"])
  })

  it("names the fields that the chosen carrier does not read", () => {
    expect(warnings({ businessUnit: "UNIT_A", foodFreight: true }, "CARRIER_B_AU")).toEqual([
      "foodFreight",
      "businessUnit",
    ])
  })

  it("says nothing of single carriers' fields while the carrier is not known", () => {
    expect(warnings({ businessUnit: "UNIT_A", foodFreight: true })).toEqual([])
  })
})
