import { describe, expect, it } from "vitest"
import { parsed, quoted, refused, valueOrThrow } from "../../src/contract/parsed.ts"

describe("valueOrThrow", () => {
  it("gives the value", () => {
    expect(valueOrThrow(parsed(7), "--count")).toBe(7)
  })

  it("throws an input error that says where the text stood", () => {
    expect(() => valueOrThrow(refused('"x" is not a time'), "--ready")).toThrow(
      expect.objectContaining({ kind: "input", message: '--ready: "x" is not a time' }),
    )
  })
})

describe("quoted", () => {
  it("takes out control sequences", () => {
    expect(quoted("a\u001b[31mb\nc")).toBe('"ab c"')
  })

  it("shortens by characters, not halves of them", () => {
    expect(quoted("😀".repeat(100))).toBe(`"${"😀".repeat(59)}…"`)
  })
})
