import { describe, expect, it } from "vitest"
import { asking, inLine, sanitizeText, inAscii } from "../../../src/output/terminal/sanitize.ts"

const RED = "\u001b[31m"
const PLAIN = "\u001b[39m"

describe("sanitized text", () => {
  it("keep their colours where the terminal shows them", () => {
    expect(sanitizeText(`${RED}late${PLAIN}`, true)).toBe(`${RED}late${PLAIN}\u001b[0m`)
  })

  it("lose their colours where it does not", () => {
    expect(sanitizeText(`${RED}late${PLAIN}`, false)).toBe("late")
  })

  it("keep their line breaks", () => {
    expect(sanitizeText("one\ntwo", true)).toBe("one\ntwo")
  })

  it.each([
    ["moves of the cursor", "a\u001b[2Jb"],
    ["titles of the window", "a\u001b]0;owned\u0007b"],
    ["hidden letters", "a\u001b[8mb"],
    ["backgrounds", "a\u001b[41mb"],
    ["more than sixteen colours", "a\u001b[38;5;99mb"],
    ["the one-byte form of an escape", "a\u009b31mb"],
  ])("lose %s", (_, text) => {
    expect(sanitizeText(text, true).replaceAll("\ufffd", "")).toBe("ab")
  })

  it("end their colours where they forgot to", () => {
    expect(sanitizeText(`${RED}late`, true)).toBe(`${RED}late\u001b[0m`)
  })
})

describe("a name that is laid out in columns", () => {
  it("is read with commas", () => {
    expect(inLine("Express   $84.20  Mon ")).toBe("Express, $84.20, Mon")
  })
})

describe("a question before its answer", () => {
  it.each([
    ["Suburb", "Suburb:"],
    ["Book it?", "Book it?"],
    ["Suburb: ", "Suburb:"],
  ])("%j reads %j", (question, expected) => {
    expect(asking(question)).toBe(expected)
  })
})

describe("our own marks", () => {
  it("are ASCII for a terminal that knows no more, and names stay", () => {
    expect(inAscii("Zürich → Perth: 2 × 3 cm, 0.1 m³…")).toBe("Zürich -> Perth: 2 x 3 cm, 0.1 m3...")
  })
})
