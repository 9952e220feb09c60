import { describe, expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { BookingFile, PrintRequest, RateRequest } from "../../src/contract/generated/requests.js"
import { changed, REQUEST_EXAMPLES } from "./schemas/examples.ts"

const booking = REQUEST_EXAMPLES.BookingFile
const rates = REQUEST_EXAMPLES.RateRequest

const PAINT = {
  unNumber: "1263",
  hazClass: "3",
  shippingName: "PAINT",
  packageType: "Fibreboard box",
  quantity: 1,
  aggregateQuantity: 1,
  contactName: "Dana Reyes",
  contactPhone: "0255501000",
}

describe("findErrors", () => {
  it("finds nothing wrong with a good value", () => {
    expect(findErrors(BookingFile, booking)).toEqual([])
  })

  it.each([
    [[], "a list"],
    [null, "null"],
    ["{}", '"{}"'],
    [undefined, "undefined"],
  ])("says that the top level must be an object, not %j", (value, shown) => {
    expect(findErrors(PrintRequest, value)).toEqual([
      { pointer: "", path: "", keyword: "type", message: `the top level must be an object, not ${shown}` },
    ])
  })

  it("reports about a thousand problems of a list that has more", () => {
    const packages = Array.from({ length: 50_000 }, () => ({}))
    const found = findErrors(RateRequest, { packages }).length
    expect(found).toBeGreaterThanOrEqual(1000)
    expect(found).toBeLessThan(1100)
  })

  it("reports every problem in the order of the document", () => {
    const value = {
      packages: [
        { count: 1, lengthCm: -1, widthCm: 1, heightCm: 1, weightKg: "1 kg" },
        { count: 0, lengthCm: 1, widthCm: 1, heightCm: 1 },
      ],
      extra: true,
      from: { suburb: "Perth", postcode: 6000, state: "WA", residential: false },
      dangerousGoods: "no",
    }
    expect(findErrors(RateRequest, value).map(({ path }) => path)).toEqual([
      "to",
      "packages[0].lengthCm",
      "packages[0].weightKg",
      "packages[1].weightKg",
      "packages[1].count",
      "extra",
      "from.postcode",
      "dangerousGoods",
    ])
  })

  it("reports a problem once when two rules ask for the same", () => {
    const payer = { type: "Receiver", accountNumber: 5 }
    expect(findErrors(BookingFile, changed(booking, ["payer"], payer))).toHaveLength(1)
  })

  it("says which field was meant by an unknown one", () => {
    const { receiver, ...rest } = booking
    expect(findErrors(BookingFile, { ...rest, recevier: receiver })).toEqual([
      {
        pointer: "",
        path: "receiver",
        property: "receiver",
        keyword: "required",
        message: "receiver is missing",
      },
      {
        pointer: "",
        path: "recevier",
        property: "recevier",
        keyword: "unevaluatedProperties",
        message: "unknown field 'recevier'",
        hint: 'did you mean "receiver"?',
      },
    ])
  })

  it("does not suggest a field that is there already", () => {
    expect(findErrors(PrintRequest, { deviceId: "d1", deviceid: "d2" })).toMatchObject([
      { hint: "the fields here are deviceId" },
    ])
  })

  it("lists the few fields that there are when none is close", () => {
    const value = changed(rates, ["packages", 0, "colour"], "red")
    expect(findErrors(RateRequest, value)).toMatchObject([
      { hint: "the fields here are count, lengthCm, widthCm, heightCm, weightKg" },
    ])
  })

  it("blames a misspelt choice once, not also for being one too many", () => {
    const value = changed(booking, ["timeSensitive", "deliveryWindw"], {})
    expect(findErrors(BookingFile, value)).toMatchObject([{ path: "timeSensitive.deliveryWindw" }])
  })

  it.each([
    ["a/b", "/sender", 'sender["a/b"]'],
    ["a b", "/sender", 'sender["a b"]'],
    ["", "/sender", 'sender[""]'],
    ["__proto__", "/sender", "sender.__proto__"],
  ])("names the odd field %j safely", (name, pointer, path) => {
    const value = JSON.parse(
      `{"sender":${JSON.stringify(booking.sender).replace("{", `{${JSON.stringify(name)}:1,`)}}`,
    )
    expect(findErrors(BookingFile, { ...booking, ...value })).toMatchObject([
      { pointer, path, property: name },
    ])
  })

  it.each(["name", "value"])("shows no control characters of a hostile %s", (which) => {
    const hostile = "\u001b[2J\u0007\u009b31m\u202eevil\n"
    const value = which === "name" ? { ...booking, [hostile]: 1 } : { ...booking, packagingCode: hostile }
    const [problem] = findErrors(BookingFile, value)
    expect(problem?.message).toMatch(/^[\P{C}]+$/u)
  })

  it("finds the places of the first thousand of very many unknown fields in order", () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field-${index}`, index]))
    expect(findErrors(PrintRequest, { ...many, deviceId: "d1" }).map(({ property }) => property)).toEqual(
      Object.keys(many).slice(0, 1000),
    )
  })

  it("shortens long values", () => {
    const [problem] = findErrors(BookingFile, { ...booking, packagingCode: "x".repeat(10_000_000) })
    expect(problem?.message.length).toBeLessThan(150)
  })

  it.each([
    ["5,5", "write 5.5 without quotes"],
    ["5.5", "write 5.5 without quotes"],
    [" 5.5kg ", "write 5.5 without quotes"],
    ["05", "write 5 without quotes"],
    ["heavy", undefined],
    ["", undefined],
  ])("given %j for a number, hints %j", (text, hint) => {
    const [problem] = findErrors(RateRequest, changed(rates, ["packages", 0, "weightKg"], text))
    expect(problem?.hint).toBe(hint)
  })

  it("does not hint at a fraction where a whole number is due", () => {
    const [problem] = findErrors(RateRequest, changed(rates, ["packages", 0, "count"], "1.5"))
    expect(problem?.hint).toBeUndefined()
  })

  it.each([
    ["collectionDateTime", "2026-11-23 10:00", "2026-11-23T10:00"],
    ["collectionDateTime", " 2026-11-23T10:00 ", "2026-11-23T10:00"],
    ["collectionDateTime", "23/11/2026 10:00", "2026-11-23T10:00"],
    ["collectionCloseTime", "9:30", "0930"],
    ["collectionCloseTime", "930", "0930"],
    ["collectionCloseTime", "17", "1700"],
    ["bookingCutoff", "9:30:00", "09:30:00"],
  ])("says how to write %s %j", (field, text, hint) => {
    expect(findErrors(BookingFile, { ...booking, [field]: text })).toMatchObject([
      { hint: `write "${hint}"` },
    ])
  })

  it.each([
    ["12", 'write "0012"'],
    ["UN 263", 'write "0263"'],
    ["12:30", undefined],
    ["12630", undefined],
  ])("repairs the UN number %j as a number, never as a time", (unNumber, hint) => {
    const goods = { ...PAINT, unNumber }
    const [problem] = findErrors(BookingFile, {
      ...booking,
      dangerousGoods: true,
      dangerousGoodsDetails: goods,
    })
    expect(problem?.hint).toBe(hint)
  })

  it.each([
    ["collectionDateTime", "2026-11-23T10:00:00Z"],
    ["collectionCloseTime", "5pm"],
  ])("does not guess what %s %j means", (field, text) => {
    const [problem] = findErrors(BookingFile, { ...booking, [field]: text })
    expect(problem).not.toHaveProperty("hint")
  })
})
