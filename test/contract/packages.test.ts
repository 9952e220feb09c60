/** Sums of packages are exact; what single lines are read as is in texts/packages.txt. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { valueOrThrow } from "../../src/base/parsed.ts"
import { findItemsDifferences, formatPackage, itemsOf, parsePackage } from "../../src/contract/packages.ts"

const line = (text: string) => valueOrThrow(parsePackage(text), text)

it("a package reads back as formatPackage wrote it", () => {
  const size = fc.integer({ min: 1, max: 9_999_999 }).map((thousandths) => thousandths / 1000)
  const sizes = { lengthCm: size, widthCm: size, heightCm: size, weightKg: size }
  const anyLine = fc.record({ count: fc.integer({ min: 1 }), ...sizes })
  fc.assert(fc.property(anyLine, (given) => void expect(line(formatPackage(given))).toEqual(given)))
})

it("weights in thousandths are added exactly, however many there are", () => {
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
  expect(itemsOf(Array.from({ length: 300_000 }, () => line("1x1x1@0.1"))).totalWeightKg).toBe(30_000)
})

it("a warning names each field of items that differs from the packages, by a gram or more", () => {
  const packages = [line("2x40x30x20@5.5")]
  const items = itemsOf(packages)
  expect(findItemsDifferences(items, packages)).toEqual([])
  expect(findItemsDifferences({ ...items, count: 3, maxHeightCm: 21 }, packages)).toEqual([
    { field: "count", given: 3, derived: 2 },
    { field: "maxHeightCm", given: 21, derived: 20 },
  ])
  expect(findItemsDifferences({ ...items, totalWeightKg: 11.001 }, packages)).toHaveLength(1)
  // A spreadsheet's slip of binary arithmetic.
  const tenths = [line("1x1x1@0.1"), line("1x1x1@0.2")]
  expect(findItemsDifferences({ ...itemsOf(tenths), totalWeightKg: 0.1 + 0.2 }, tenths)).toEqual([])
})
