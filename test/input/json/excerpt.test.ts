import { describe, expect, it } from "vitest"
import { formatExcerpt } from "../../../src/input/json/position.ts"

const lines = (...parts: string[]) => parts.join("\n")

describe("excerpt", () => {
  it("puts a caret under the place", () => {
    expect(formatExcerpt('{\n  "a": 1,\n}', 10)).toBe(lines('  "a": 1,', "        ^"))
  })

  it.each(["\n", "\r\n", "\r"])("knows lines that end with %j", (end) => {
    expect(formatExcerpt(`a${end}bc${end}d`, 2 + end.length)).toBe(lines("bc", " ^"))
  })

  it("may point behind the end of a line", () => {
    expect(formatExcerpt("{\n", 1)).toBe(lines("{", " ^"))
  })

  it("shows an empty line of an empty text", () => {
    expect(formatExcerpt("", 0)).toBe(lines("", "^"))
  })

  it("makes tabs and control characters one safe character each", () => {
    expect(formatExcerpt('\t"\u001b[31m\u202e": x', 10)).toBe(lines(' "�[31m�": x', "          ^"))
  })

  it("counts wide characters as two columns, and marks that combine as none", () => {
    expect(formatExcerpt('"\u5feb\u{1f600}e\u0301" x', 8)).toBe(
      lines('"\u5feb\u{1f600}e\u0301" x', "        ^"),
    )
  })

  it("counts an emoji of several characters as two columns, as a terminal does", () => {
    expect(formatExcerpt('"\u{1f469}\u200d\u{1f4bb}" x', 8)).toBe(
      lines('"\u{1f469}\u200d\u{1f4bb}" x', "     ^"),
    )
  })

  it.each([
    ["the start", 1, "0123456789012345678…", "^"],
    ["the middle", 50, "…012345678901234567…", "          ^"],
    ["the end", 100, "…1234567890123456789", "                   ^"],
  ])("cuts a long line around %s", (_, column, shown, caret) => {
    const shownLines = formatExcerpt("0123456789".repeat(10), column - 1, 20).split("\n")
    expect(shownLines).toEqual([shown, caret])
  })
})
