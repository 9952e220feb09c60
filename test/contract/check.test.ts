import { describe, expect, it } from "vitest"
import { findErrors } from "../../src/contract/check.ts"
import { BookingFile, PrintRequest, RateRequest } from "../../src/contract/generated/requests.js"
import { REQUEST_EXAMPLES } from "./schemas/examples.ts"

const booking = REQUEST_EXAMPLES.BookingFile

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
        message: 'unknown field "recevier"',
        hint: 'did you mean "receiver"?',
      },
    ])
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
})
