import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareDecimals, isMultiple } from "../../src/invoice/schema-checks.ts"

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
    expect(isMultiple(text, "0.01")).toBe(true)
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
    expect(isMultiple(text, "0.01")).toBe(false)
  })
})

describe("multiples of 0.0001", () => {
  it.each(["1.0001", "0.0001", "1e-4", "12.34567e1", "0.1", "3"])("has %s", (text) => {
    expect(isMultiple(text, "0.0001")).toBe(true)
  })

  it.each(["1.00005", "1e-5", "0.00010000000000000000001"])("does not have %s", (text) => {
    expect(isMultiple(text, "0.0001")).toBe(false)
  })
})

describe("whole numbers", () => {
  it.each(["30", "30.0", "3e1", "3.5e1", "-0.0", "300e-1", "1e400"])("include %s", (text) => {
    expect(isMultiple(text, "1")).toBe(true)
  })

  it.each([
    "30.5",
    "3e-1",
    "0.1",
    "30.00000000000000000001",
    "9007199254740993.5",
  ])("do not include %s", (text) => {
    expect(isMultiple(text, "1")).toBe(false)
  })
})

it("agrees with whole-number arithmetic on any number that has a small exponent", () => {
  const number = fc.record({
    negative: fc.boolean(),
    whole: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    fraction: fc.stringMatching(/^\d{0,12}$/),
    exponent: fc.integer({ min: -20, max: 20 }),
    step: fc.constantFrom("1", "0.01", "0.0001", "0.000001", "0.25", "0.5", "2.5", "3", "7", "0.03", "40"),
  })
  fc.assert(
    fc.property(number, ({ negative, whole, fraction, exponent, step }) => {
      const text = `${negative ? "-" : ""}${whole}${fraction && `.${fraction}`}e${exponent}`
      // The value is units × 10^(exponent − fraction.length − 40), which leaves room to compare without a fraction.
      const units = BigInt(`${whole}${fraction}`) * 10n ** BigInt(exponent - fraction.length + 40)
      expect(isMultiple(text, step)).toBe(units % (BigInt(Number(step) * 1e6) * 10n ** 34n) === 0n)
    }),
  )
})

it("compares any two numbers as they are written", () => {
  const number = fc
    .tuple(
      fc.constantFrom("", "-"),
      fc.stringMatching(/^(0|[1-9]\d{0,20})$/),
      fc.stringMatching(/^\d{0,20}$/),
      fc.integer({ min: -30, max: 30 }),
    )
    .map(([sign, whole, fraction, exponent]) => ({
      text: `${sign}${whole}${fraction && `.${fraction}`}e${exponent}`,
      units: BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(exponent - fraction.length + 60),
    }))
  fc.assert(
    fc.property(number, number, (one, other) => {
      const order = one.units < other.units ? -1 : one.units > other.units ? 1 : 0
      expect(Math.sign(compareDecimals(one.text, other.text)) + 0).toBe(order)
    }),
  )
})

it.each([
  ["1e400", "1", 1],
  ["-1e400", "-1", -1],
  ["1e-99999999999999999999999", "0", 1],
  ["0e5", "-0.0", 0],
  ["1.0", "1", 0],
])("compares %s with %s", (one, other, order) => {
  expect(Math.sign(compareDecimals(one, other)) + 0).toBe(order)
})
