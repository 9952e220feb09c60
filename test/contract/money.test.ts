import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  add,
  amountOf,
  centsOf,
  decimalOf,
  formatCents,
  formatMoney,
  multiply,
  numberOf,
  sum,
  unitsAt,
} from "../../src/contract/money.ts"

describe("decimalOf", () => {
  it.each([
    ["1.15", 115n, 2],
    ["-0.050", -50n, 3],
    ["5.", 5n, 0],
    ["+7", 7n, 0],
    ["1.5e3", 1500n, 0],
    ["1.5e-3", 15n, 4],
    ["1E2", 100n, 0],
  ])("reads %s as it is written", (text, units, places) => {
    expect(decimalOf(text)).toEqual({ units, places })
  })

  it.each([
    "",
    ".",
    "-",
    "e5",
    "1e",
    "--1",
    "1 2",
    "Infinity",
    "٣",
    "1".repeat(401),
  ])("refuses %j", (text) => {
    expect(() => decimalOf(text)).toThrow(expect.objectContaining({ kind: "input" }))
  })

  it("gives back every number that it is given", () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(finite, (number) => void expect(numberOf(decimalOf(number)) === number).toBe(true)))
  })
})

describe("exact arithmetic", () => {
  it("adds", () => {
    expect(numberOf(add(decimalOf(0.1), decimalOf(0.2)))).toBe(0.3)
  })

  it("multiplies", () => {
    expect(numberOf(multiply(decimalOf(1.1), decimalOf(3)))).toBe(3.3)
  })

  it("sums nothing to zero", () => {
    expect(numberOf(sum([]))).toBe(0)
  })

  it.each([
    ["0.5", 0, 1n],
    ["-0.5", 0, -1n],
    ["0.49", 0, 0n],
    ["-0.49", 0, 0n],
    ["1.5", 2, 150n],
    ["2.345", 2, 235n],
  ])("%s in units of %i places, halves away from zero", (text, places, units) => {
    expect(unitsAt(decimalOf(text), places)).toBe(units)
  })
})

describe("centsOf", () => {
  it.each([
    [1.15, 115],
    ["1.15", 115],
    [8.2, 820],
    [4.35, 435],
    [1.1, 110],
    [19.99, 1999],
    [0, 0],
    [-0, 0],
    [30, 3000],
    ["30.0", 3000],
    ["1.150", 115],
    [" 2.5 ", 250],
    [".5", 50],
    [-4.35, -435],
    [1e3, 100_000],
    ["1e-2", 1],
    [90_071_992_547_409.9, 9_007_199_254_740_990],
  ])("of %j is %i", (amount, cents) => {
    expect(centsOf(amount)).toBe(cents)
  })

  it.each([
    [1.005, 101],
    ["1.0049999", 100],
    [0.004, 0],
    [0.005, 1],
    [-1.005, -101],
    [-1.0049, -100],
    [1e-7, 0],
    [2.675, 268],
  ])("rounds %j by its digits to %i, halves away from zero", (amount, cents) => {
    expect(centsOf(amount)).toBe(cents)
  })

  it("is exact for every amount of cents", () => {
    fc.assert(
      fc.property(
        fc.maxSafeInteger(),
        (cents) => void expect(centsOf(formatPlain(cents)) === cents).toBe(true),
      ),
    )
  })

  it("undoes amountOf", () => {
    const amounts = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
    fc.assert(fc.property(amounts, (cents) => void expect(centsOf(amountOf(cents)) === cents).toBe(true)))
  })

  it.each([
    "",
    "abc",
    "1,000",
    "$5",
    "1.2.3",
    "0x10",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    "1e9999",
  ])("refuses %j", (amount) => {
    expect(() => centsOf(amount)).toThrow(
      expect.objectContaining({ kind: "input", message: expect.stringContaining("is not a number") }),
    )
  })

  it("refuses an amount that cannot be counted in cents", () => {
    expect(() => centsOf("1e300")).toThrow(
      expect.objectContaining({ kind: "input", message: '"1e300" is too large an amount' }),
    )
  })

  it("does not blame a person for an amount of a reply", () => {
    expect(() => centsOf(1e300)).toThrow(
      expect.objectContaining({
        kind: "badReply",
        message: "the service gave an amount that is too large: 1e+300",
      }),
    )
  })
})

function formatPlain(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, "0")
  return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

describe("formatCents", () => {
  it.each([
    [0, "0.00"],
    [5, "0.05"],
    [115, "1.15"],
    [-5, "-0.05"],
    [99_999, "999.99"],
    [100_000, "1,000.00"],
    [-123_456_789, "-1,234,567.89"],
  ])("writes %i as %s", (cents, text) => {
    expect(formatCents(cents)).toBe(text)
  })
})

describe("formatMoney", () => {
  it.each([
    [1234.5, "AUD 1,234.50"],
    ["1.15", "AUD 1.15"],
    [-0.5, "AUD -0.50"],
    [1.005, "AUD 1.01"],
    [1e21, "AUD 1,000,000,000,000,000,000,000.00"],
  ])("writes %j as %s", (amount, text) => {
    expect(formatMoney(amount, "AUD")).toBe(text)
  })
})
