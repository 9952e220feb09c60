import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { contentHash, referenceHash } from "../../src/ledger/content.ts"
import { request } from "./setup.ts"

const content = { connectorId: "connector-a", ...request }
const hash = contentHash("shipment", content)

/** Every place in a value that holds a text, a number or a boolean. */
function leaves(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [at]
  return Object.entries(value).flatMap(([name, each]) => leaves(each, [...at, name]))
}

function changed(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined)
    return typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}x`
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === name ? changed(each, rest) : each))
  const object = Object(value) as Record<string, unknown>
  return { ...object, [name]: changed(object[name], rest) }
}

function viaJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, each]) => [name, reversed(each)]),
  )
}

describe("the content of a create", () => {
  it.each([
    ["rateId", "rate-2"],
    ["quoteId", "quote-2"],
    ["quotedPriceExGstMinor", 1999],
    ["quotedGstMinor", 199],
    ["quotedPriceIncGstMinor", 2198],
    ["quotedCurrency", "AUD"],
    ["committedEta", "2026-11-25T17:00:00"],
    ["quotedTransitDays", 4],
    ["bookingCutoff", "16:00:00"],
    ["collectionCutoff", "17:30:00"],
  ])("does not change with %s, which a fresh quote changes", (name, value) => {
    expect(contentHash("shipment", { ...content, [name]: value })).toBe(hash)
  })

  it.each(leaves(content).map((place) => [place.join(".")]))("changes with %s", (place) => {
    const other = changed(content, place.split(".")) as Record<string, unknown>
    expect(contentHash("shipment", other)).not.toBe(hash)
  })

  it("changes with a field that comes on top", () => {
    expect(contentHash("shipment", { ...content, specialInstructions: "Ring the bell" })).not.toBe(hash)
  })

  it("changes with a field of a quote's name that stands deeper", () => {
    const nested = { ...content, timeSensitive: { quoteId: "q-1" } }
    const other = { ...content, timeSensitive: { quoteId: "q-2" } }
    expect(contentHash("shipment", nested)).not.toBe(contentHash("shipment", other))
  })

  it("does not change with the order of the fields, at any depth", () => {
    expect(contentHash("shipment", reversed(content) as Record<string, unknown>)).toBe(hash)
  })

  it("does not change with a field that is there without a value", () => {
    expect(contentHash("shipment", { ...content, specialInstructions: undefined })).toBe(hash)
  })

  it("changes with the order of a list", () => {
    const [a, b] = [{ count: 1 }, { count: 2 }]
    expect(contentHash("shipment", { packages: [a, b] })).not.toBe(
      contentHash("shipment", { packages: [b, a] }),
    )
  })

  it("changes with the kind", () => {
    expect(contentHash("pickup", content)).not.toBe(hash)
  })

  it.each([
    ["a number and its text", { a: 1 }, { a: "1" }],
    ["null and nothing", { a: null }, {}],
    ["null and its text", { a: null }, { a: "null" }],
    ["an empty list and an empty object", { a: [] }, { a: {} }],
    ["a list in a list", { a: [[1], [2]] }, { a: [[1, 2]] }],
    ["one name and two", { 'a":1,"b': 1 }, { a: 1, b: 1 }],
  ])("tells %s apart", (_what, one, other) => {
    expect(contentHash("shipment", one)).not.toBe(contentHash("shipment", other))
  })

  it("is the same for two values exactly when their JSON says the same", () => {
    const object = fc.dictionary(fc.string({ maxLength: 3 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
    fc.assert(
      fc.property(object, object, (one, other) => {
        const same = isDeepStrictEqual(viaJson(one), viaJson(other))
        expect(contentHash("shipment", one) === contentHash("shipment", other)).toBe(same)
        expect(contentHash("shipment", reversed(one) as typeof one)).toBe(contentHash("shipment", one))
      }),
    )
  })
})

describe("a reference and its receiver", () => {
  const { receiver } = request
  const hash = referenceHash("PO-1001", receiver)

  it.each([
    ["in capitals", "po-1001", { companyName: receiver.companyName.toUpperCase() }],
    ["in another spelling", "po 001001", {}],
    ["with blanks about it", " PO-1001 ", { suburb: ` ${receiver.suburb}` }],
    ["whoever takes it there", "PO-1001", { contactName: "Someone else" }],
  ])("are the same %s", (_how, reference, changes) => {
    expect(referenceHash(reference, { ...receiver, ...changes })).toBe(hash)
  })

  it.each([
    "companyName",
    "address1",
    "suburb",
    "state",
    "postcode",
  ])("are others with another %s", (field) => {
    expect(referenceHash("PO-1001", { ...receiver, [field]: "another" })).not.toBe(hash)
  })

  it("are others with another reference, and nothing without one", () => {
    expect(referenceHash("PO-1002", receiver)).not.toBe(hash)
    expect([referenceHash(undefined, receiver), referenceHash(" ", receiver)]).toEqual([undefined, undefined])
  })
})
