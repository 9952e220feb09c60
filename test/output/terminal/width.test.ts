import { describe, expect, it } from "vitest"
import { cut, fitLine, widthOf, wrap } from "../../../src/output/terminal/width.ts"

describe("the width of text", () => {
  it.each([
    ["Fremantle", 9],
    ["", 0],
    ["Zürich", 6],
    ["Zu\u0308rich", 6],
    ["東京", 4],
    ["タワー", 6],
    ["한국", 4],
    ["ﾄｳｷｮｳ", 5],
    ["📦", 2],
    ["👩‍👩‍👧", 2],
    ["👩‍💻", 2],
    ["🫡", 2],
    ["🇦🇺", 2],
    ["\u001b[1mbold\u001b[22m", 4],
  ])("of %j is %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width)
  })
})

describe("text that is cut", () => {
  it.each([
    ["fits", 4, "fits"],
    ["too long", 5, "too…"],
    ["too long", 6, "too l…"],
    ["東京都港区", 7, "東京都…"],
    ["東京都港区", 6, "東京…"],
    ["📦📦📦", 5, "📦📦…"],
    ["anything", 0, ""],
  ])("%j to %i columns is %j", (text, width, expected) => {
    expect(cut(text, width, "…")).toBe(expected)
  })

  it("is not cut inside a letter with accents", () => {
    expect(cut("e\u0301e\u0301e\u0301", 2, "…")).toBe("e\u0301…")
  })
})

describe("text that is broken into lines", () => {
  it.each<[why: string, text: string, width: number, lines: string[], options?: { whole: boolean }]>([
    ["between words", "a place that has no such code", 12, ["a place that", "has no such", "code"]],
    ["inside a word only where that is longer", "see 12345678901", 8, ["see", "12345678", "901"]],
    [
      "not where it is to be copied",
      "at https://a.test/x now",
      8,
      ["at", "https://a.test/x", "now"],
      { whole: true },
    ],
    ["with its indentation in every line", "  one two three", 9, ["  one two", "  three"]],
    ["wide letters counting twice", "東京都 港区", 6, ["東京都", "港区"]],
    ["styles counting nothing", "\u001b[1mone\u001b[22m two", 7, ["\u001b[1mone\u001b[22m two"]],
    ["not where it fits as it is", "a    b", 6, ["a    b"]],
  ])("%s", (_, text, width, lines, options) => {
    expect(wrap(text, width, options)).toEqual(lines)
  })
})

describe("a line on a terminal", () => {
  const fitted = (text: string) => fitLine({ isTTY: true, columns: 20 }, text)
  it("keeps a command at its end in one piece", () => {
    expect(fitted("To save it: freight package add small 30x20x10@2.5")).toBe(
      "To save it:\nfreight package add small 30x20x10@2.5",
    )
  })

  it("is broken between words where a sentence follows the command", () => {
    expect(fitted("Call them: freight cancel says how. To send it: --again")).toBe(
      "Call them: freight\ncancel says how. To\nsend it: --again",
    )
  })
})
