import { describe, expect, it } from "vitest"
import { nextCommand } from "../../src/contract/command-line.ts"

describe("the command to run next", () => {
  it("is the words of a command", () => {
    expect(nextCommand("freight", "label", "7f3c-1", "-o", "out/label.pdf")).toEqual({
      next: "freight label 7f3c-1 -o out/label.pdf",
    })
  })

  it.each([
    "x; rm -rf ~",
    "x -o /etc/passwd",
    "$(id)",
    "`id`",
    "a&b",
    "a|b",
    "a\nb",
    "%PATH%",
    "'",
    '"',
    "",
  ])("is nothing when a word is %j", (id) => {
    expect(nextCommand("freight", "label", id)).toEqual({})
  })
})
