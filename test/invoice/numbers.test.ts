import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isMultiple, isWhole } from "../../src/invoice/numbers.ts"

describe("multiples of 0.01", () => {
  it.each([
    "0",
    "-0",
    "-0.00",
    "0.000000",
    "0e-999999999",
    "0.0E+5",
    "1",
    "1.1",
    "1.10",
    "1.100000000000000000000000",
    "19.99",
    "1.15",
    "-1.15",
    "1E2",
    "1e400",
    "1e999999999999999999999",
    "1.005e1",
    "1e-2",
    "100e-4",
    "10000000000e-10",
    "123456789012.34",
    "99999999999999.99",
    "9007199254740993",
    "9007199254740993.01",
    `0.30${"0".repeat(100_000)}`,
    `1${"0".repeat(100_000)}e-100000`,
  ])("has %s", (text) => {
    expect(isMultiple(text, 2)).toBe(true)
  })

  it.each([
    "0.001",
    "-0.001",
    "1.005",
    "1.115",
    "0.30000000000000004",
    "9007199254740993.001",
    "99999999999999.991",
    "1e-3",
    "1E-3",
    "1e-999999999",
    "1e-99999999999999999999999",
    "12.5e-2",
    "10000000001e-10",
    `0.30${"0".repeat(100_000)}1`,
  ])("does not have %s", (text) => {
    expect(isMultiple(text, 2)).toBe(false)
  })
})

describe("multiples of 0.0001", () => {
  it.each(["1.0001", "0.0001", "1e-4", "12.34567e1", "0.1", "3"])("has %s", (text) => {
    expect(isMultiple(text, 4)).toBe(true)
  })

  it.each(["1.00005", "1e-5", "0.00010000000000000000001"])("does not have %s", (text) => {
    expect(isMultiple(text, 4)).toBe(false)
  })
})

describe("whole numbers", () => {
  it.each(["30", "30.0", "3e1", "3.5e1", "-0.0", "300e-1", "1e400"])("include %s", (text) => {
    expect(isWhole(text)).toBe(true)
  })

  it.each([
    "30.5",
    "3e-1",
    "0.1",
    "30.00000000000000000001",
    "9007199254740993.5",
  ])("do not include %s", (text) => {
    expect(isWhole(text)).toBe(false)
  })
})

it("agrees with whole-number arithmetic on any number that has a small exponent", () => {
  const number = fc.record({
    negative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fraction: fc.stringMatching(/^\d{0,12}$/),
    exponent: fc.integer({ min: -20, max: 20 }),
    places: fc.integer({ min: 0, max: 6 }),
  })
  fc.assert(
    fc.property(number, ({ negative, whole, fraction, exponent, places }) => {
      const text = `${negative ? "-" : ""}${whole}${fraction && `.${fraction}`}e${exponent}`
      // The value is units × 10^(exponent − fraction.length − 40), which leaves room to compare without a fraction.
      const units = BigInt(`${whole}${fraction}`) * 10n ** BigInt(exponent - fraction.length + 40)
      expect(isMultiple(text, places)).toBe(units % 10n ** BigInt(40 - places) === 0n)
    }),
  )
})
