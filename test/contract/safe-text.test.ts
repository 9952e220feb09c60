import { describe, expect, it } from "vitest"
import { safeText } from "../../src/contract/safe-text.ts"

describe("safeText", () => {
  it.each([
    ["plain text", "Crème brûlée 🚚 👩‍🔧", "Crème brûlée 🚚 👩‍🔧"],
    ["colours", "\u001b[1;31mred\u001b[0m", "red"],
    ["a title", "\u001b]0;owned\u0007text", "text"],
    ["a link", "\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\", "click"],
    ["an eight-bit sequence", "\u009b2Jtext", "text"],
    ["an escape that is cut off", "text\u001b[", "text�["],
    ["other controls", "a\u0000b\u0007c\u007fd\u0085e", "a�b�c�d e"],
    ["line breaks and tabs", "a\r\nb\n\nc\td\re\u2028f", "a b c d e f"],
    ["marks that reorder text", "a\u202eb\u2066c\u200fd", "a�b�c�d"],
    ["half characters", "a\ud800b", "a�b"],
  ])("makes %s harmless", (_name, text, safe) => {
    expect(safeText(text)).toBe(safe)
  })

  it("keeps line breaks when asked to", () => {
    expect(safeText("a\r\nb\n\tc", 100, { lines: true })).toBe("a\nb\n c")
  })

  it("keeps at most so many characters, and says that it cut", () => {
    expect(safeText("🚚".repeat(50), 10)).toBe(`${"🚚".repeat(9)}…`)
  })

  it("keeps a text of exactly that length", () => {
    expect(safeText("🚚".repeat(10), 10)).toBe("🚚".repeat(10))
  })

  it("does not work through megabytes to show a line", () => {
    expect(safeText(`\u001b[31m${"\u001b[0m".repeat(500_000)}end`, 10)).toBe("…")
  })
})
