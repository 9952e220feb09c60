import { describe, expect, it } from "vitest"
import { type Block, finishPage, pageText } from "../../../src/app/help/page.ts"

const plain = (blocks: readonly Block[], width = 40) => pageText(blocks, { columns: width, colour: false })

describe("a page", () => {
  it("wraps its text, with a blank line between blocks", () => {
    expect(plain([{ text: "one two three four five six seven eight nine" }, { text: "ten" }])).toBe(
      "one two three four five six seven eight\nnine\n\nten\n",
    )
  })

  it("aligns what terms mean over all its lists", () => {
    const page = plain([{ list: [["a", "first"]] }, { heading: "More:", list: [["long-one", "second"]] }])
    expect(page).toBe("  a         first\n\nMore:\n  long-one  second\n")
  })

  it("indents what a meaning goes on with", () => {
    expect(
      plain([{ list: [["key", "a meaning that is longer than one line of a narrow terminal is"]] }], 50),
    ).toBe("  key  a meaning that is longer than one line of a\n       narrow terminal is\n")
  })

  it("never breaks a command", () => {
    const command = `freight ${"--set field=value ".repeat(10)}`.trim()
    expect(plain([{ heading: "Examples:", lines: [command] }])).toBe(`Examples:\n  ${command}\n`)
  })

  it("has no line over 100 characters, however wide the terminal is", () => {
    const lines = plain([{ text: "word ".repeat(100) }], 400).split("\n")
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  it("shows its headings as the terminal can", () => {
    const page = pageText([{ heading: "Flags:", list: [["-h", "help"]] }], {
      columns: 80,
      colour: true,
    })
    expect(page).toBe("\u001b[1mFlags:\u001b[22m\n  -h  help\n")
  })
})

describe("what a command adds to its page", () => {
  it("is wrapped, but for its indented lines, and its headings are bold", () => {
    const text = "Examples:\n  freight a --that-is long\n\nA note of some words.\n"
    expect(finishPage(text, { columns: 42, colour: true })).toBe(
      "\u001b[1mExamples:\u001b[22m\n  freight a --that-is long\n\nA note of some words.\n",
    )
    expect(finishPage(`${"word ".repeat(10)}\n`, { columns: 42, colour: false })).toBe(
      `${"word ".repeat(8).trim()}\nword word\n`,
    )
  })
})
