import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { pointerOf, segmentsOf } from "../../src/json/pointer.ts"

describe("pointerOf", () => {
  it("is empty for the whole document", () => {
    expect(pointerOf([])).toBe("")
  })

  it("takes names and indexes", () => {
    expect(pointerOf(["packages", 0, "lengthCm"])).toBe("/packages/0/lengthCm")
  })

  it("escapes tildes and slashes", () => {
    expect(pointerOf(["a/b", "m~n", "~1"])).toBe("/a~1b/m~0n/~01")
  })

  it("keeps an empty name", () => {
    expect(pointerOf([""])).toBe("/")
  })
})

describe("segmentsOf", () => {
  it("undoes pointerOf for any names", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (segments) => {
        expect(segmentsOf(pointerOf(segments))).toEqual(segments)
      }),
    )
  })

  it.each(["a", "a/b", "/~", "/a~2b"])("refuses %s", (pointer) => {
    expect(() => segmentsOf(pointer)).toThrow(RangeError)
  })
})
