import { describe, expect, it } from "vitest"
import { cell, rowWith, said } from "./batches.ts"

/** The cells of one package, instead of its short form. */
const ONE_PACKAGE = {
  packages: "",
  "package.weightKg": "1",
  "package.lengthCm": "1",
  "package.widthCm": "1",
  "package.heightCm": "1",
}

describe("a long number that was shortened", () => {
  it.each([
    "reference",
    "receiver.phoneNumber",
    "payer.accountNumber",
    "receiver.address2",
  ])("cannot be repaired in %s", async (column) => {
    const { row, errors } = await cell(column, "1.2E+12")
    expect(errors).toEqual([`${column} exponent`])
    expect(row.findings[0]?.hint).toContain("format the column as text")
    expect(row.booking).toBeUndefined()
  })

  it("is a mistake in a weight too", async () => {
    expect((await cell("package.weightKg", "1.2E+12", { packages: "" })).errors).toContain(
      "package.weightKg exponent",
    )
  })

  it("leaves a warning where digits were lost without a sign", async () => {
    expect((await cell("reference", "123456789012345000")).warned).toEqual(["reference digits"])
  })

  it("is not seen in what only looks a little like one", async () => {
    expect((await cell("reference", "12E45")).value).toBeUndefined()
    expect((await cell("reference", "12E45")).row.reference).toBe("12E45")
  })
})

describe("a number", () => {
  it.each([
    ["1234.5", 1234.5],
    ["5.", 5],
    [".5", 0.5],
    ["1,234.50", 1234.5],
    ["1,234,567", 1234567],
    ["1.234,50", 1234.5],
    ["5,5", 5.5],
    ["1 234.5", 1234.5],
    ["5.5 kg", 5.5],
    ["5.5KG", 5.5],
    ["\u00a05.5\u00a0", 5.5],
  ])("%j is %d", async (text, weightKg) => {
    const row = await rowWith({ ...ONE_PACKAGE, "package.weightKg": text })
    expect(row.booking?.packages).toEqual([{ count: 1, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg }])
  })

  it.each([
    ["1,234", "ambiguous-number"],
    ["$12", "type"],
    ["5.5 t", "type"],
    ["about 5", "type"],
    ["1-2", "type"],
    ["5-May", "date-like"],
    ["0x10", "type"],
    ["1e999", "exponent"],
    ["Infinity", "type"],
    ["-5", "exclusiveMinimum"],
    ["0", "exclusiveMinimum"],
  ])("%s is refused as %s", async (text, rule) => {
    const row = await rowWith({ ...ONE_PACKAGE, "package.weightKg": text })
    expect(said(row)).toEqual([`package.weightKg ${rule}`])
  })

  it.each([
    ["$12", 1200],
    ["$1,234.50", 123450],
    ["1,234", 123400],
    ["AUD 12.5", 1250],
    ["A$12", 1200],
  ])("of money can be %s", async (text, cents) => {
    expect((await rowWith({ maxPrice: text })).wish).toEqual({ kind: "cheapest", maxPriceCents: cents })
  })

  it("of packages is whole", async () => {
    expect((await rowWith({ ...ONE_PACKAGE, "package.count": "1,200" })).booking?.packages[0]?.count).toBe(
      1200,
    )
    expect((await rowWith({ ...ONE_PACKAGE, "package.count": "2.0" })).booking?.packages[0]?.count).toBe(2)
    expect(said(await rowWith({ ...ONE_PACKAGE, "package.count": "2.5" }))).toEqual(["package.count type"])
  })
})
