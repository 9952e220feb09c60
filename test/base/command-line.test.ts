import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { nextCommand, shellLine } from "../../src/base/command-line.ts"

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

describe("a line for the usual shell", () => {
  it("is read as it was meant, whatever a word holds", () => {
    const nasty = `it's "$(touch /tmp/x)" \`id\` \\ ! # ;`
    const line = shellLine(["printf", "%s", nasty], "linux")
    expect(execFileSync("sh", ["-c", line], { encoding: "utf8" })).toBe(nasty)
  })

  it("doubles quotes for PowerShell", () => {
    expect(shellLine(["freight", "book", "--like", "it's"], "win32")).toBe("freight book --like 'it''s'")
  })
})
