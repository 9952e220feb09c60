import { describe, expect, it } from "vitest"
import { cell, rowWith, said } from "../batches.ts"

describe("a postcode", () => {
  it.each([
    ["800", "NT", "0800"],
    ["200", "ACT", "0200"],
    ["872", "SA", "0872"],
  ])("%s in %s gets its zero back, and that is said", async (text, state, fixed) => {
    const { value, repaired } = await cell("receiver.postcode", text, { "receiver.state": state })
    expect(value).toBe(fixed)
    expect(repaired).toEqual(["receiver.postcode lost-zero"])
  })

  it.each([
    ["800", "WA"],
    ["42", "NSW"],
    ["800", ""],
  ])("%s is not repaired when the state is %j", async (text, state) => {
    const { errors } = await cell("receiver.postcode", text, { "receiver.state": state })
    expect(errors).toContain("receiver.postcode lost-zero")
  })

  it("loses the fraction that programs give it", async () => {
    expect((await cell("receiver.postcode", "6160.0")).value).toBe("6160")
  })

  it("of another state is an error, unless the row is booked already", async () => {
    const { late, errors } = await cell("receiver.postcode", "2000")
    expect(errors).toEqual([])
    expect(late).toEqual(["receiver.postcode postcode"])
  })
})

describe("a phone number", () => {
  it("of nine digits gets its zero back", async () => {
    expect((await cell("receiver.phoneNumber", "412345678")).value).toBe("0412345678")
    expect((await cell("receiver.phoneNumber", "412345678.0")).value).toBe("0412345678")
  })

  it.each([
    "+61 412 345 678",
    "(08) 5550 1234",
    "1300 555 012",
    "55501234",
  ])("%s stays as it is", async (text) => {
    expect(await cell("receiver.phoneNumber", text)).toMatchObject({ value: text, repaired: [] })
  })

  it("has an area code that gets its zero back", async () => {
    expect((await cell("receiver.phoneAreaCode", "8")).value).toBe("08")
  })
})

describe("text", () => {
  it.each([
    ["Port Street  ", "Port Street", "blanks"],
    ["\u00a0Port\u00a0Street\u00a0", "Port Street", "blanks"],
    ["Port\nStreet", "Port Street", "blanks"],
    ["\u200bPort Street\ufeff", "Port Street", "blanks"],
    ["“Port Street”", "Port Street", "quotes"],
    ["O’Brien", "O'Brien", "quotes"],
    ["'0123", "0123", "apostrophe"],
    ["'=1+1", "=1+1", "apostrophe"],
  ])("%j is taken as %j, and that is said", async (text, value, rule) => {
    expect(await cell("receiver.companyName", text)).toMatchObject({
      value,
      errors: [],
      repaired: [`receiver.companyName ${rule}`],
    })
  })

  it.each([
    "#REF!",
    "#N/A",
    "#VALUE!",
    "#DIV/0!",
    "#NAME?",
    "########",
    "#SPILL!",
  ])("%s is a mistake", async (text) => {
    expect((await cell("receiver.companyName", text)).errors).toEqual(["receiver.companyName formula-error"])
  })

  it.each([
    "#1 Fittings",
    "=1+1",
    "@home",
    "-5",
    "N/A",
    "TRUE",
    "null",
    "__proto__",
    "'tis",
  ])("%s stays as it is", async (text) => {
    expect(await cell("receiver.companyName", text)).toMatchObject({ value: text, errors: [], repaired: [] })
  })

  it.each([
    "\u0007bell",
    "\u001b[31mred",
    "a\u0000b",
    "a\u202eb",
  ])("%j has a control character", async (text) => {
    expect((await cell("receiver.companyName", text)).errors).toEqual([
      "receiver.companyName control-character",
    ])
  })

  it("in the wrong encoding is a warning", async () => {
    expect((await cell("receiver.companyName", "CafÃ© Perth")).warned).toEqual([
      "receiver.companyName misread",
    ])
  })

  it("of a reference that looks like a date is a warning", async () => {
    expect((await cell("reference", "1-Feb")).warned).toEqual(["reference date-like"])
    expect((await cell("reference", "Mar-21")).warned).toEqual(["reference date-like"])
  })
})

describe("yes and no", () => {
  it.each([
    ["TRUE", true],
    ["yes", true],
    ["Y", true],
    ["1", true],
    ["FALSE", false],
    ["No", false],
    ["0", false],
  ])("%s is %s", async (text, value) => {
    expect(await cell("foodFreight", text)).toMatchObject({ value, errors: [] })
  })

  it("is nothing else", async () => {
    expect((await cell("foodFreight", "maybe")).errors).toEqual(["foodFreight type"])
  })
})

describe("a choice", () => {
  it.each([
    ["ct", "CT"],
    ["Carton", "CT"],
    ["boxes", "BX"],
    ["Pallets", "PA"],
  ])("%s is %s", async (text, value) => {
    expect((await cell("packagingCode", text)).value).toBe(value)
  })

  it("is none of the others", async () => {
    expect((await cell("packagingCode", "bucket")).errors).toEqual(["packagingCode enum"])
    expect((await cell("packagingCode", "constructor")).errors).toEqual(["packagingCode enum"])
  })
})

describe("other cells", () => {
  it("a state may be written out", async () => {
    expect(await cell("receiver.state", "western australia")).toMatchObject({
      value: "WA",
      repaired: ["receiver.state state"],
    })
  })

  it("a country is Australia", async () => {
    expect((await cell("receiver.country", "Australia")).errors).toEqual([])
    expect((await cell("receiver.country", "New Zealand")).errors).toEqual(["receiver.country country"])
  })

  it("a UN number gets its zeros back", async () => {
    const details = { dangerousGoods: "yes", "dangerousGoodsDetails.hazClass": "3" }
    const { errors, repaired } = await cell("dangerousGoodsDetails.unNumber", "12", details)
    expect(repaired).toEqual(["dangerousGoodsDetails.unNumber lost-zero"])
    expect(errors).not.toContain("dangerousGoodsDetails.unNumber pattern")
  })

  it("a payer has a short form", async () => {
    expect((await cell("payer", "receiver: 123")).value).toEqual({ type: "Receiver", accountNumber: "123" })
    expect((await cell("payer", "someone")).errors).toEqual(["payer type"])
    expect((await cell("payer", "receiver")).errors).toEqual(["payer required"])
  })

  it("a list is JSON", async () => {
    expect((await cell("customerBarcodes", '["A","B"]')).value).toEqual(["A", "B"])
    expect((await cell("customerBarcodes", "A,B")).errors).toEqual(["customerBarcodes type"])
  })

  it("packages have a short form", async () => {
    expect((await cell("packages", "2x40x30x20@5.5; 1 × 10 cm × 10 × 10 @ 1 kg;")).value).toEqual([
      { count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 },
      { count: 1, lengthCm: 10, widthCm: 10, heightCm: 10, weightKg: 1 },
    ])
    expect((await cell("packages", "2 boxes")).errors).toEqual(["packages package"])
    expect((await cell("packages", ";")).errors).toEqual(["packages package"])
  })
})

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

describe("a size or weight", () => {
  it.each([
    ["package.weightKg", "5500 g", 5.5],
    ["package.weightKg", "5500g", 5.5],
    ["package.lengthCm", "400mm", 40],
    ["package.lengthCm", "1200 mm", 120],
  ])("in another unit is converted, and that is said: %s %s", async (column, text, value) => {
    const sizes = {
      packages: "",
      "package.lengthCm": "40",
      "package.widthCm": "30",
      "package.heightCm": "20",
    }
    const { row, repaired } = await cell(column, text, { ...sizes, "package.weightKg": "10" })
    expect(row.booking?.packages?.[0]).toMatchObject({ [column.replace("package.", "")]: value })
    expect(repaired).toEqual([`${column} unit`])
  })

  it("in the short form as well", async () => {
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
