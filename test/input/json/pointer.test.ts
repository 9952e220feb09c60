import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toPointer, parsePointer } from "../../../src/input/json/pointer.ts"

describe("toPointer", () => {
  it("is empty for the whole document", () => {
    expect(toPointer([])).toBe("")
  })

  it("takes names and indexes", () => {
    expect(toPointer(["packages", 0, "lengthCm"])).toBe("/packages/0/lengthCm")
  })

  it("escapes tildes and slashes", () => {
    expect(toPointer(["a/b", "m~n", "~1"])).toBe("/a~1b/m~0n/~01")
  })

  it("keeps an empty name", () => {
    expect(toPointer([""])).toBe("/")
  })
})

describe("parsePointer", () => {
  it("undoes toPointer for any names", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (segments) => {
        expect(parsePointer(toPointer(segments))).toEqual(segments)
      }),
    )
  })

  it.each(["a", "a/b", "/~", "/a~2b"])("refuses %s", (pointer) => {
    expect(() => parsePointer(pointer)).toThrow(RangeError)
  })
})
