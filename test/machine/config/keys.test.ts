import { describe, expect, it } from "vitest"
import { isKeyShaped, maskKey, withoutKeys } from "../../../src/machine/config/keys.ts"
import { FREIGHT_KEY, HEX } from "./setup.ts"

describe("the shape of a key", () => {
  it.each([
    ["a prefix and 64 hexadecimal characters", FREIGHT_KEY],
    ["no prefix", HEX],
    ["capital letters", `k-${HEX.toUpperCase()}`],
  ])("takes %s", (_, key) => {
    expect(isKeyShaped(key)).toBe(true)
  })

  it.each([
    ["63 characters", `p_${HEX.slice(1)}`],
    ["something after them", `${HEX}.`],
    ["a blank inside", `p ${HEX}`],
    ["a line break at the end", `${HEX}\n`],
    ["a letter beyond f", `p_${HEX.slice(0, -1)}g`],
    ["nothing", ""],
  ])("refuses %s", (_, key) => {
    expect(isKeyShaped(key)).toBe(false)
  })
})

describe("masking", () => {
  it("leaves the last four characters of a key", () => {
    expect(maskKey(FREIGHT_KEY)).toBe("…cdef")
  })

  it("shows nothing of what is not a key", () => {
    expect(maskKey("hunter2")).not.toContain("hunter2")
  })

  it("takes keys out of a text that repeats what was typed", () => {
    expect(withoutKeys(`unknown option '--key=${FREIGHT_KEY}'`)).toBe("unknown option '--key=…cdef'")
  })

  it("leaves a text without keys as it is", () => {
    expect(withoutKeys("unknown option '--kye'")).toBe("unknown option '--kye'")
  })
})
