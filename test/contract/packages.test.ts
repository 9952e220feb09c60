import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Package } from "../../src/contract/generated/types.ts"
import {
  densityDoubt,
  describeConversion,
  formatPackage,
  formatPackageTotals,
  findItemsDifferences,
  itemsOf,
  parsePackage,
  totalsOf,
} from "../../src/contract/packages.ts"

function line(text: string): Package {
  const result = parsePackage(text)
  if (!result.ok) throw new Error(result.reason)
  return result.value
}

function reason(text: string): string {
  const result = parsePackage(text)
  return result.ok ? "" : result.reason
}

describe("parsePackage", () => {
  it("reads count, length, width, height and weight", () => {
    expect(line("2x40x30x20@5.5")).toEqual({
      count: 2,
      lengthCm: 40,
      widthCm: 30,
      heightCm: 20,
      weightKg: 5.5,
    })
  })

  it("takes one package when there is no count", () => {
    expect(formatPackage(line("40x30x20@5.5"))).toBe("1x40x30x20@5.5")
  })

  it.each([
    "2×40×30×20@5.5",
    "2X40X30X20@5.5",
    " 2 x 40 x 30 x 20 @ 5.5 ",
    "2x40x30x20cm@5.5kg",
    "2 x 40cm x 30 cm x 20 CM @ 5.50 KG",
    "02x40.0x30x20.@5.5",
    "2x40x30x20@5,5",
    "2x40,0x30x20@5,5",
    "2 x 40x30x20 5.5kg",
    "2 x 40x30x20cm 5,5 kg",
  ])("reads %j alike", (text) => {
    expect(formatPackage(line(text))).toBe("2x40x30x20@5.5")
  })

  it.each([
    "2x400mmx300mmx200mm@5500g",
    "2x400x300x200mm@5.5",
    "2 x 400 x 300 x 200 MM @ 5500 g",
    "2x40x300mmx20@5.5kg",
    "2x400x300x200mm 5500 g",
  ])("converts %j, and tells what it was taken as", (text) => {
    expect(formatPackage(line(text))).toBe("2x40x30x20@5.5")
    expect(describeConversion(text, [line(text)])).toBe(`"${text}" is taken as 2x40x30x20@5.5, in cm and kg`)
  })

  it("has nothing to tell of cm and kg", () => {
    expect(describeConversion("2x40x30x20 cm @5.5 kg", [line("2x40x30x20@5.5")])).toBeUndefined()
  })

  it("takes decimals that start at the point", () => {
    expect(line("40x30x20@.5").weightKg).toBe(0.5)
  })

  it.each([
    ["2x4O0x30x20@5", 'the length "4O0" must be a number of cm above 0'],
    ["2x40x-30x20@5", 'the width "-30" must be a number of cm above 0'],
    ["40x30x0@5", 'the height "0" must be a number of cm above 0'],
    ["40x30x@5", 'the height "" must be a number of cm above 0'],
    ["40x30x20@", 'the weight "" must be a number of kg above 0'],
    ["40x30x20@1,500", 'the weight "1,500" must be a number of kg above 0'],
    ["40x30x20@500lb", 'the weight "500lb" must be a number of kg above 0'],
    ["40x30x20in@5", 'the height "20in" must be a number of cm above 0'],
    ["40x30xmm@5", 'the height "mm" must be a number of cm above 0'],
    ["4cm0x30x20@5", 'the length "4cm0" must be a number of cm above 0'],
    ["1e3x30x20@5", 'the length "1e3" must be a number of cm above 0'],
    ["0x40x30x20@5", 'the count "0" must be a whole number above 0'],
    ["1.5x40x30x20@5", 'the count "1.5" must be a whole number above 0'],
    ["x40x30x20@5", 'the count "" must be a whole number above 0'],
    [`${"9".repeat(20)}x40x30x20@5`, "the count"],
  ])("names the part that is wrong in %j", (text, part) => {
    expect(reason(text)).toContain(part)
  })

  it.each([
    "",
    "40x30x20",
    "40x30@5",
    "1x2x40x30x20@5",
    "40x30x20@5@6",
    "small box",
  ])("shows how to write %j", (text) => {
    expect(reason(text)).toContain("write [count x] length x width x height @ weight, such as 2x40x30x20@5.5")
  })

  it("refuses a weight beyond all numbers", () => {
    expect(reason(`40x30x20@${"9".repeat(400)}`)).toContain("the weight")
  })

  it("answers a hostile text at once", () => {
    expect(reason(`40x30x20@${"1".repeat(200_000)}z`)).toContain("the weight")
  })

  it("reads back what formatPackage writes", () => {
    const size = fc.integer({ min: 1, max: 9_999_999 }).map((thousandths) => thousandths / 1000)
    const anyLine = fc.record({
      count: fc.integer({ min: 1 }),
      lengthCm: size,
      widthCm: size,
      heightCm: size,
      weightKg: size,
    })
    fc.assert(
      fc.property(anyLine, (given) => {
        expect(line(formatPackage(given))).toEqual(given)
      }),
    )
  })
})

describe("itemsOf", () => {
  it("sums up count and weight and takes the greatest of each dimension", () => {
    expect(itemsOf([line("2x40x30x20@5.5"), line("10x50x60@1"), line("120x5x5@0.25")])).toEqual({
      count: 4,
      totalWeightKg: 12.25,
      maxLengthCm: 120,
      maxWidthCm: 50,
      maxHeightCm: 60,
    })
  })

  it.each([
    [["1x1x1@0.1", "1x1x1@0.2"], 0.3],
    [["3x1x1x1@0.1"], 0.3],
    [["3x1x1x1@1.1"], 3.3],
    [["7x1x1x1@0.7", "1x1x1@0.1"], 5],
    [["1000x1x1x1@0.001"], 1],
  ])("adds %j without floating-point edits", (texts, weight) => {
    expect(itemsOf(texts.map(line)).totalWeightKg).toBe(weight)
  })

  it("adds thousandths exactly, however many", () => {
    const lines = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 99 }), grams: fc.integer({ min: 1, max: 99_999 }) }),
    )
    fc.assert(
      fc.property(lines, (given) => {
        const grams = given.reduce((total, { count, grams }) => total + count * grams, 0)
        const packages = given.map(({ count, grams }) => ({
          ...line("1x1x1@1"),
          count,
          weightKg: grams / 1000,
        }))
        expect(itemsOf(packages).totalWeightKg).toBe(grams / 1000)
      }),
    )
  })

  it("stands a very long list", () => {
    expect(itemsOf(Array.from({ length: 300_000 }, () => line("1x1x1@0.1"))).totalWeightKg).toBe(30_000)
  })
})

describe("totalsOf", () => {
  it("gives the volume in cubic metres", () => {
    expect(totalsOf([line("2x40x30x20@5.5"), line("100x100x100@1")])).toEqual({
      count: 3,
      weightKg: 12,
      volumeM3: 1.048,
    })
  })

  it("gives the volume of decimals without edits", () => {
    expect(totalsOf([line("3x0.1x10x10@1")]).volumeM3).toBe(0.00003)
  })

  it("gives zeros for nothing", () => {
    expect(totalsOf([])).toEqual({ count: 0, weightKg: 0, volumeM3: 0 })
  })
})

describe("formatPackageTotals", () => {
  it.each([
    ["2x40x30x20@5.5", "2 packages, 11 kg, at most 40 × 30 × 20 cm"],
    ["40x30x20@5.5", "1 package, 5.5 kg, at most 40 × 30 × 20 cm"],
  ])("puts %s in words", (text, words) => {
    expect(formatPackageTotals(itemsOf([line(text)]))).toBe(words)
  })
})

describe("findItemsDifferences", () => {
  const packages = [line("2x40x30x20@5.5")]

  it("finds none in what itemsOf makes", () => {
    expect(findItemsDifferences(itemsOf(packages), packages)).toEqual([])
  })

  it("names each field that differs, with both values", () => {
    expect(findItemsDifferences({ ...itemsOf(packages), count: 3, maxHeightCm: 21 }, packages)).toEqual([
      { field: "count", given: 3, derived: 2 },
      { field: "maxHeightCm", given: 21, derived: 20 },
    ])
  })

  it("does not take a spreadsheet's floating-point slip for a difference", () => {
    const tenths = [line("1x1x1@0.1"), line("1x1x1@0.2")]
    expect(findItemsDifferences({ ...itemsOf(tenths), totalWeightKg: 0.1 + 0.2 }, tenths)).toEqual([])
  })

  it("takes a gram for a difference", () => {
    expect(findItemsDifferences({ ...itemsOf(packages), totalWeightKg: 11.001 }, packages)).toHaveLength(1)
  })
})

describe("densityDoubt", () => {
  it.each([
    ["100x100x100@2", undefined],
    ["100x100x100@12000", undefined],
    ["1200x240x240@20000", undefined],
    ["100x100x100@1.9", "1.9 kg in 100 × 100 × 100 cm: 1.9 kg/m³, and goods have 2 to 12,000"],
    ["100x100x100@12001", "12001 kg in 100 × 100 × 100 cm: 12,001 kg/m³"],
    ["40x30x20@5000", "208,333 kg/m³"],
    ["400x300x200@5", "0.21 kg/m³"],
  ])("of %s is %s", (text, doubt) => {
    if (doubt === undefined) expect(densityDoubt(line(text))).toBeUndefined()
    else expect(densityDoubt(line(text))).toContain(doubt)
  })
})
