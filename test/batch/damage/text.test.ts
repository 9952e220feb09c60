import { describe, expect, it } from "vitest"
import { cell, rowWith, said } from "../batches.ts"

/** A column, its cell, what it becomes in the booking (nothing where it is refused), what is said, and other cells. */
type Case = [column: string, text: string, value: unknown, said?: string, more?: Record<string, string>]

const STATE = (state: string) => ({ "receiver.state": state })
const RECEIVER_PAYS = { type: "Receiver", accountNumber: "123" }

/** The cells of one package, instead of its short form. */
const ONE_PACKAGE = {
  packages: "",
  "package.weightKg": "1",
  "package.lengthCm": "1",
  "package.widthCm": "1",
  "package.heightCm": "1",
}

describe("a cell", () => {
  it.each<Case>([
    ["receiver.postcode", "800", "0800", "repaired lost-zero", STATE("NT")],
    ["receiver.postcode", "200", "0200", "repaired lost-zero", STATE("ACT")],
    ["receiver.postcode", "872", "0872", "repaired lost-zero", STATE("SA")],
    ["receiver.postcode", "800", undefined, "error lost-zero", STATE("WA")],
    ["receiver.postcode", "42", undefined, "error lost-zero", STATE("NSW")],
    ["receiver.postcode", "800", undefined, "error lost-zero", STATE("")],
    ["receiver.postcode", "6160.0", "6160", "repaired fraction"],
    ["receiver.phoneNumber", "412345678", "0412345678", "repaired lost-zero"],
    ["receiver.phoneNumber", "412345678.0", "0412345678", "repaired lost-zero"],
    ["receiver.phoneNumber", "+61 412 345 678", "+61 412 345 678"],
    ["receiver.phoneNumber", "(08) 5550 1234", "(08) 5550 1234"],
    ["receiver.phoneNumber", "1300 555 012", "1300 555 012"],
    ["receiver.phoneNumber", "55501234", "55501234", "warning phone"],
    ["receiver.phoneAreaCode", "8", "08", "repaired lost-zero, warning phone"],
    ["receiver.companyName", "Port Street  ", "Port Street", "repaired blanks"],
    ["receiver.companyName", "\u00a0Port\u00a0Street\u00a0", "Port Street", "repaired blanks"],
    ["receiver.companyName", "Port\nStreet", "Port Street", "repaired blanks"],
    ["receiver.companyName", "\u200bPort Street\ufeff", "Port Street", "repaired blanks"],
    ["receiver.companyName", "“Port Street”", "Port Street", "repaired quotes"],
    ["receiver.companyName", "O’Brien", "O'Brien", "repaired quotes"],
    ["receiver.companyName", "'0123", "0123", "repaired apostrophe"],
    ["receiver.companyName", "'=1+1", "=1+1", "repaired apostrophe"],
    ["receiver.companyName", "CafÃ© Perth", "CafÃ© Perth", "warning misread"],
    ["foodFreight", "TRUE", true],
    ["foodFreight", "yes", true],
    ["foodFreight", "Y", true],
    ["foodFreight", "1", true],
    ["foodFreight", "FALSE", false],
    ["foodFreight", "No", false],
    ["foodFreight", "0", false],
    ["foodFreight", "maybe", undefined, "error type"],
    ["packagingCode", "ct", "CT"],
    ["packagingCode", "Carton", "CT"],
    ["packagingCode", "boxes", "BX"],
    ["packagingCode", "Pallets", "PA"],
    ["packagingCode", "bucket", undefined, "error enum"],
    ["packagingCode", "constructor", undefined, "error enum"],
    ["receiver.state", "western australia", "WA", "repaired state"],
    ["receiver.country", "Australia", undefined],
    ["receiver.country", "New Zealand", undefined, "error country"],
    ["payer", "receiver: 123", RECEIVER_PAYS],
    ["payer", "someone", undefined, "error type"],
    ["payer", "receiver", undefined, "error required"],
    ["customerBarcodes", '["A","B"]', ["A", "B"]],
    ["customerBarcodes", "A,B", undefined, "error type"],
    ["packages", "2 boxes", undefined, "error package"],
    ["packages", ";", undefined, "error package"],
    ["reference", "1.2E+12", undefined, "error exponent"],
    ["receiver.phoneNumber", "1.2E+12", undefined, "error exponent"],
    ["payer.accountNumber", "1.2E+12", undefined, "error exponent"],
    ["receiver.address2", "1.2E+12", undefined, "error exponent"],
  ])("%s %j becomes %j: %s", async (column, text, value, told = "", more = {}) => {
    const found = await cell(column, text, more)
    expect([found.value, found.told]).toEqual([value, told])
    if (!("receiver.state" in more)) expect(found.errors).toHaveLength(told.startsWith("error") ? 1 : 0)
    if (told === "error exponent") expect(found.row.findings[0]?.hint).toContain("format the column as text")
  })

  const FORMULAS = ["#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "########", "#SPILL!"]
  const CONTROLS = ["\u0007bell", "\u001b[31mred", "a\u0000b", "a\u202eb"]
  it.each([
    ["formula-error", FORMULAS],
    ["control-character", CONTROLS],
  ])("of a name is refused as a %s: %j", async (rule, texts) => {
    for (const text of texts)
      expect((await cell("receiver.companyName", text)).told, text).toBe(`error ${rule}`)
  })

  it("of a name that only looks damaged stays as it is", async () => {
    for (const text of ["#1 Fittings", "=1+1", "@home", "-5", "N/A", "TRUE", "null", "__proto__", "'tis"])
      expect(await cell("receiver.companyName", text)).toMatchObject({ value: text, told: "" })
  })

  it.each([
    ["1-Feb", "date-like"],
    ["Mar-21", "date-like"],
    ["123456789012345000", "digits"],
    ["12E45", undefined],
  ])("of a reference, %s, is kept, and warned of as %s", async (text, rule) => {
    const { row, warned, errors } = await cell("reference", text)
    expect([row.reference, warned, errors]).toEqual([text, rule ? [`reference ${rule}`] : [], []])
  })

  it("of a postcode of another state is an error, unless the row is booked already", async () => {
    const { late, errors } = await cell("receiver.postcode", "2000")
    expect([errors, late]).toEqual([[], ["receiver.postcode postcode"]])
  })

  it("of a UN number gets its zeros back", async () => {
    const details = { dangerousGoods: "yes", "dangerousGoodsDetails.hazClass": "3" }
    const { errors, repaired } = await cell("dangerousGoodsDetails.unNumber", "12", details)
    expect(repaired).toEqual(["dangerousGoodsDetails.unNumber lost-zero"])
    expect(errors).not.toContain("dangerousGoodsDetails.unNumber pattern")
  })

  it("of packages has a short form", async () => {
    expect((await cell("packages", "2x40x30x20@5.5; 1 × 10 cm × 10 × 10 @ 1 kg;")).value).toEqual([
      { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
      { count: 1, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 },
    ])
  })
})

describe("a number", () => {
  it.each<[column: string, text: string, value: number | undefined, said?: string]>([
    ["weightKg", "1234.5", 1234.5],
    ["weightKg", "5.", 5],
    ["weightKg", ".5", 0.5],
    ["weightKg", "1,234.50", 1234.5, "repaired number"],
    ["weightKg", "1,234,567", 1234567, "repaired number"],
    ["weightKg", "1.234,50", 1234.5, "repaired number"],
    ["weightKg", "5,5", 5.5, "repaired number"],
    ["weightKg", "1 234.5", 1234.5, "repaired number"],
    ["weightKg", "5.5 kg", 5.5, "repaired number"],
    ["weightKg", "5.5KG", 5.5, "repaired number"],
    ["weightKg", "\u00a05.5\u00a0", 5.5, "repaired blanks"],
    ["weightKg", "1,234", undefined, "error ambiguous-number"],
    ["weightKg", "$12", undefined, "error type"],
    ["weightKg", "5.5 t", undefined, "error type"],
    ["weightKg", "about 5", undefined, "error type"],
    ["weightKg", "1-2", undefined, "error type"],
    ["weightKg", "5-May", undefined, "error date-like"],
    ["weightKg", "0x10", undefined, "error type"],
    ["weightKg", "1e999", undefined, "error exponent"],
    ["weightKg", "1.2E+12", undefined, "error exponent"],
    ["weightKg", "Infinity", undefined, "error type"],
    ["weightKg", "-5", undefined, "error exclusiveMinimum"],
    ["weightKg", "0", undefined, "error exclusiveMinimum"],
    ["weightKg", "5500 g", 5.5, "repaired unit"],
    ["weightKg", "5500g", 5.5, "repaired unit"],
    ["lengthCm", "400mm", 40, "repaired unit"],
    ["lengthCm", "1200 mm", 120, "repaired unit"],
    ["count", "1,200", 1200, "repaired number"],
    ["count", "2.0", 2],
    ["count", "2.5", undefined, "error type"],
  ])("%s %j is %d: %s", async (column, text, value, told = "") => {
    const found = await cell(`package.${column}`, text, ONE_PACKAGE)
    const [only] = found.row.booking?.packages ?? []
    expect(found.errors).toHaveLength(told.startsWith("error") ? 1 : 0)
    expect([only?.[column as "count"], found.told]).toEqual([value, told])
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

  it("in another unit is converted in the short form as well", async () => {
    const { row, repaired } = await cell("packages", "400x300x200mm@5500g; 10x10x10@1")
    expect(row.booking?.packages?.[0]).toMatchObject({ lengthCm: 40, weightKg: 5.5 })
    expect(repaired).toEqual(["packages unit"])
  })

  it("that no goods have is an error, unless it is meant or the row is booked already", async () => {
    const { late, errors } = await cell("packages", "40x30x20@5000")
    expect([errors, late]).toEqual([[], ["packages density"]])
    const meant = await rowWith({ packages: "40x30x20@5000" }, { allowed: { allowDensity: true } })
    expect([meant.booking && meant.late, said(meant, "warning")]).toEqual([[], ["packages density"]])
  })
})
