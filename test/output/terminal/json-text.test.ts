import { describe, expect, it } from "vitest"
import { jsonText } from "../../../src/output/terminal/json-text.ts"

const HOSTILE = "a\u001b[2Jb\u009b1m\u007f\u202ec\u2028\ufeff\r\n\u0000\u00ad\u3164\u{e0041}"

describe("JSON for a terminal", () => {
  it("holds no character that a terminal obeys or hides text with", () => {
    expect(jsonText({ [HOSTILE]: HOSTILE })).toMatch(/^[ -~]+$/)
  })

  it("is the very same value", () => {
    const value = { name: HOSTILE, list: [1, null, true, "ü – 日本"] }
    expect(JSON.parse(jsonText(value, 2))).toEqual(value)
  })

  it("keeps the line breaks of its indentation, and other languages as they are", () => {
    expect(jsonText({ a: "ü" }, 2)).toBe('{\n  "a": "ü"\n}')
  })
})
