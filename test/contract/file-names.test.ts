import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeFileName } from "../../src/contract/file-names.ts"

describe("a file name for a text", () => {
  it("is safe and not too long, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(encodeFileName(text)).toMatch(/^(?!\.)[\w.%+-]{0,120}$/)
      }),
    )
  })

  it("differs for texts that differ", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        expect(encodeFileName(one) === encodeFileName(other)).toBe(one === other)
      }),
    )
  })

  it("differs where only the end of a long text does", () => {
    expect(encodeFileName(`${"x".repeat(500)}1`)).not.toBe(encodeFileName(`${"x".repeat(500)}2`))
  })
})
