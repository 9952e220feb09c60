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
  it.each<[why: string, text: string, width: number, lines: string[], options?: { whole?: boolean }]>([
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
    [
      "and never inside a command in a sentence",
      "Sign in first: run freight auth login --api freight, then try again.",
      50,
      ["Sign in first: run", "freight auth login --api freight, then try again."],
      { whole: true },
    ],
    [
      "nor between a flag and its quoted value",
      'Write it as --from "Alexandria NSW 2015" and again.',
      30,
      ["Write it as", '--from "Alexandria NSW 2015"', "and again."],
    ],
    [
      "nor where its values have blanks",
      'Nothing was sent. With freight rate-shop --to "Perth WA 6000" --json the rates are shown.',
      60,
      ["Nothing was sent. With", 'freight rate-shop --to "Perth WA 6000" --json the rates are', "shown."],
      { whole: true },
    ],
    [
      "nor before what a setting is set to",
      "by which they are compared. If it is in: freight config set gst A=included,C=included",
      70,
      ["by which they are compared. If it is in:", "freight config set gst A=included,C=included"],
    ],
    [
      "but between the words of one that is wider than a line of a conversation",
      "try freight book --file booking.json --wait",
      20,
      ["try freight book", "--file booking.json", "--wait"],
    ],
    [
      "and of two commands in one sentence each stays whole",
      "freight places add keeps it, and freight book --allow-places books it",
      34,
      ["freight places add keeps it, and", "freight book --allow-places books", "it"],
    ],
    [
      "and nothing is said twice where two stand against each other",
      "run (freight auth login)/(freight auth logout) first",
      36,
      ["run (freight auth login)/(freight", "auth logout) first"],
    ],
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

  it("keeps flags at its end in one piece, and no sentence that begins with a flag", () => {
    expect(fitted('Add: --ready "tomorrow 10am" --close 17:00 --yes')).toBe(
      'Add:\n--ready "tomorrow 10am" --close 17:00 --yes',
    )
    expect(fitted("It is too light: --allow-density if it is meant")).toBe(
      "It is too light:\n--allow-density if\nit is meant",
    )
  })

  it("is broken between words where a sentence follows the command", () => {
    expect(fitted("Call them: freight cancel says how. To send it: --again")).toBe(
      "Call them:\nfreight cancel says\nhow. To send it:\n--again",
    )
  })
})
