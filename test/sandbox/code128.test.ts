import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeCode128 } from "../../src/sandbox/label-pdf.ts"
import { readCode128, valuesOf } from "./read-code128.ts"

const ASCII = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
/** Digits often, as consignment numbers have them. */
const TEXT = fc.string({
  unit: fc.oneof(fc.constantFrom(..."0123456789"), fc.constantFrom(...ASCII)),
  minLength: 1,
})

/** The fewest data symbols of a text, by trying every way. */
function fewest(text: string, set: "B" | "C"): number {
  if (text === "") return 0
  const b = 1 + fewest(text.slice(1), "B") + (set === "B" ? 0 : 1)
  const c = /^\d\d/.test(text)
    ? 1 + fewest(text.slice(2), "C") + (set === "C" ? 0 : 1)
    : Number.POSITIVE_INFINITY
  return Math.min(b, c)
}

describe("encodeCode128", () => {
  it("codes letters by set B", () => {
    expect(valuesOf(encodeCode128("Wikipedia"))).toEqual([104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88])
  })

  it("codes an even number of digits by set C", () => {
    expect(valuesOf(encodeCode128("123456"))).toEqual([105, 12, 34, 56, 44])
  })

  it("changes set where digits follow letters", () => {
    expect(valuesOf(encodeCode128("SBA00000042")).slice(0, -1)).toEqual([104, 51, 34, 33, 99, 0, 0, 0, 42])
  })

  it("stays in set B for two digits between letters", () => {
    expect(valuesOf(encodeCode128("A12B")).slice(0, -1)).toEqual([104, 33, 17, 18, 34])
  })

  it("codes every printable ASCII character", () => {
    expect(readCode128(encodeCode128(ASCII.join("")))).toBe(ASCII.join(""))
  })

  it("codes any text so that it reads back", () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        expect(readCode128(encodeCode128(text))).toBe(text)
      }),
    )
  })

  it("finds the shortest coding", () => {
    const short = fc.string({ unit: fc.constantFrom(..."0123A"), minLength: 1, maxLength: 14 })
    fc.assert(
      fc.property(short, (text) => {
        const data = valuesOf(encodeCode128(text)).length - 2
        expect(data).toBe(Math.min(fewest(text, "B"), fewest(text, "C")))
      }),
    )
  })

  it.each(["", "Zoë", "a\tb", "a\u007f", "１２", "a\n"])("refuses %j", (text) => {
    expect(() => encodeCode128(text)).toThrow(RangeError)
  })
})
