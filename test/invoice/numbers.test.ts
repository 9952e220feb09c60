import fc from "fast-check"
import { expect, it } from "vitest"
import { compareDecimals, isMultiple } from "../../src/invoice/schema-checks.ts"
import { expectCalls } from "../cases.ts"

it("compares and divides numbers as they are written", () =>
  expectCalls(import.meta.dirname, "numbers.txt", { isMultiple, compareDecimals }))

it("divides numbers of a hundred thousand digits", () => {
  const zeros = "0".repeat(100_000)
  expect([`0.30${zeros}`, `1${zeros}e-100000`].map((text) => isMultiple(text, "0.01"))).toEqual([true, true])
  expect(isMultiple(`0.30${zeros}1`, "0.01")).toBe(false)
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
