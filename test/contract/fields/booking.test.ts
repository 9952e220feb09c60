import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { listCarrierFields } from "../../../src/carriers/fields.ts"
import { CARRIERS } from "../../../src/carriers/names.ts"
import {
  BOOKING_FIELDS,
  BOOKING_FLAGS,
  FLAG_FIELDS,
  MISSING_FLAGS,
} from "../../../src/contract/fields/booking.ts"
import { answerText, findRefusal, readAnswer } from "../../../src/orders/wizard/field.ts"
import { getKind, isKind } from "../../../src/contract/fields/kinds.ts"
import { getField, listExtras } from "../../../src/orders/wizard/questions.ts"
import type { Carrier } from "../../../src/contract/generated/types.ts"
import { LINK_FIELDS } from "../../../src/contract/rate-link.ts"
import { wallClockNow } from "../../../src/base/wall-clock.ts"

const NOW = Date.parse("2026-11-20T00:00:00Z")

/** Fields that link to a quote or report it. */
const NOT_ASKED: readonly string[] = LINK_FIELDS

/** Without what all carriers take. */
const listCarrierPaths = (carrier: Carrier) =>
  listExtras(carrier).flatMap(({ path, carriers }) => (carriers?.includes(carrier) ? [path] : []))

describe("the list of fields", () => {
  it("names each path once", () => {
    const paths = BOOKING_FIELDS.flatMap((field) => ("path" in field ? [field.path] : []))
    expect(new Set(paths).size).toBe(paths.length)
    for (const asked of CARRIERS.map(listCarrierPaths)) expect(new Set(asked).size).toBe(asked.length)
  })

  it("names each flag once", () => {
    expect(Object.keys(BOOKING_FLAGS)).toHaveLength(FLAG_FIELDS.length)
  })

  for (const carrier of CARRIERS)
    it(`knows every field that only ${carrier} reads`, () => {
      const asked = listCarrierFields("ConsignmentBookingRequest")
        .filter(([field, readers]) => readers.includes(carrier) && !NOT_ASKED.includes(field))
        .map(([field]) => field)
      const known = listCarrierPaths(carrier)
      const unknown = asked.filter((field) => !known.some((path) => `${path}.`.startsWith(`${field}.`)))
      expect(unknown).toEqual([])
    })

  it("offers each field that only some carriers read to those, and to no other", () => {
    expect(CARRIERS.flatMap(listCarrierPaths)).toEqual(
      expect.arrayContaining(["foodFreight", "businessUnit"]),
    )
    for (const carrier of CARRIERS)
      for (const { carriers } of listExtras(carrier)) expect(carriers ?? [carrier]).toContain(carrier)
  })

  it("has a flag for each thing that can be missing", () => {
    const missing = MISSING_FLAGS.map(({ path }) => path)
    expect(missing).toEqual(
      expect.arrayContaining([
        "sender",
        "receiver",
        "packages",
        "items",
        "packagingCode",
        "serviceCode",
        "payer",
      ]),
    )
  })

  it("has its contract's choices", () => {
    const { answer } = getField("packagingCode")
    const codes = answer?.kind === "one" ? answer.of.map(([code]) => code) : []
    expect(codes).toHaveLength(10)
    for (const code of codes) expect(findRefusal("packagingCode", code)).toBeUndefined()
    expect(findRefusal("packagingCode", "ZZ")).toContain("must be one of")
  })
})

describe("the schemas", () => {
  it("name only kinds that there are", () => {
    const schema = readFileSync("schemas/freight.schema.json", "utf8")
    const kinds = Array.from(schema.matchAll(/"x-kind": "(\w+)"/g), ([, kind = ""]) => kind)
    expect(kinds).not.toEqual([])
    expect(kinds.filter((kind) => !isKind(kind))).toEqual([])
  })
})

describe("a flag", () => {
  for (const [path, given, value] of [
    ["payer", "receiver:80:1", { type: "Receiver", accountNumber: "80:1" }],
    ["collectionCloseTime", "5pm", "1700"],
    ["collectionCloseTime", "5:00 PM", "1700"],
    ["collectionDateTime", "2026-11-23T10:00", "2026-11-23T10:00:00"],
    ["collectionDateTime", "tomorrow 10am", "2026-11-21T10:00:00"],
    ["collectionDateTime", "23/11/2026 5:00 PM", "2026-11-23T17:00:00"],
    ["packagingCode", "Cartons", "CT"],
    ["packagingCode", "pa", "PA"],
  ] as const)
    it(`of ${path} reads ${given}`, () => {
      const field = FLAG_FIELDS.find((each) => each.path === path)
      const now = () => wallClockNow(NOW, "Australia/Sydney")
      expect(field && getKind(field.flag.kind).parse(given, { now })).toMatchObject({ ok: true, value })
    })
})

describe("a typed answer", () => {
  const read = (path: string, text: string, at = path) => readAnswer(getField(path), at, text)

  it("is text, a list or a number, as the field has it", () => {
    expect(read("customerReference", "7")).toEqual({ ok: true, value: "7" })
    expect(read("customerBarcodes", "A, B,")).toEqual({ ok: true, value: ["A", "B"] })
  })

  it("is refused in the contract's terms", () => {
    const long = read("customerBarcodes", "x".repeat(51))
    expect(long).toMatchObject({ ok: false, reason: expect.stringContaining("at most 50 characters") })
  })

  it("may be empty only where the field may", () => {
    expect(read("customerReference", "")).toMatchObject({ ok: false })
    expect(readAnswer({ ...getField("customerReference"), optional: true }, "customerReference", "")).toEqual(
      {
        ok: true,
        value: null,
      },
    )
  })

  it("stands in a list where its path says", () => {
    expect(findRefusal("alertAddresses.0.alertTypes", ["A"])).toBeUndefined()
    expect(findRefusal("alertAddresses.0.alertTypes", "A")).toContain("it must be a list")
  })

  it("is shown in words", () => {
    expect(answerText(getField("packagingCode"), "CT")).toBe("carton")
    expect(answerText(getField("extendedWarranty"), { value: 500, class: "B" })).toBe("500, B")
    expect(answerText(getField("foodFreight"), true)).toBe("yes")
  })
})
