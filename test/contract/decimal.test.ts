import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { add, decimalOf, multiply, numberOf, sum, unitsAt } from "../../src/contract/money.ts"

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
    fc.assert(fc.property(finite, (number) => numberOf(decimalOf(number)) === number))
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
