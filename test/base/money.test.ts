/** Money is counted exactly; what single amounts come to is in texts/money.txt. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { add, amountOf, centsOf, decimalOf, multiply, numberOf, sum, unitsAt } from "../../src/base/money.ts"

it("money is added and multiplied exactly, and halves are rounded away from zero", () => {
  expect(numberOf(add(decimalOf(0.1), decimalOf(0.2)))).toBe(0.3)
  expect(numberOf(multiply(decimalOf(1.1), decimalOf(3)))).toBe(3.3)
  expect(numberOf(sum([]))).toBe(0)
  const rounded = ["0.5", "-0.5", "0.49", "-0.49"].map((text) => unitsAt(decimalOf(text), 0))
  expect(rounded).toEqual([1n, -1n, 0n, 0n])
  expect(["1.5", "2.345"].map((text) => unitsAt(decimalOf(text), 2))).toEqual([150n, 235n])
})

it("a number is the same after it was a decimal", () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(fc.property(finite, (number) => void expect(numberOf(decimalOf(number)) === number).toBe(true)))
})

it("cents and amounts are converted exactly", () => {
  const format = (cents: number) => {
    const digits = String(Math.abs(cents)).padStart(3, "0")
    return `${cents < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`
  }
  fc.assert(fc.property(fc.maxSafeInteger(), (cents) => void expect(centsOf(format(cents))).toBe(cents)))
  const amounts = fc.integer({ min: -(10 ** 12), max: 10 ** 12 })
  fc.assert(fc.property(amounts, (cents) => void expect(centsOf(amountOf(cents)) === cents).toBe(true)))
})

it.each([Number.NaN, Number.POSITIVE_INFINITY])("%j is not an amount", (amount) => {
  expect(() => centsOf(amount)).toThrow(
    expect.objectContaining({ kind: "input", message: expect.stringContaining("is not a number") }),
  )
})

it("an amount is never minus zero", () => {
  expect(centsOf(-0)).toBe(0)
})
