import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { dropStrayQuotes, nextCommand, shellLine } from "../../src/base/command-line.ts"

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

describe("quotes that stand around a whole value", () => {
  it.each([
    ["--to “Perth_WA”", "--to Perth_WA"],
    ["--to=‘Perth’ 'SO-1' «x»", "--to=Perth SO-1 x"],
    ["label „SO-1“", "label SO-1"],
    // A name may have one, and these are taken to the letter.
    ["--company O'Brien's ’t --reference 'SO-1' --key “a” --set x='y'", undefined],
    ["--instructions “fragile” --instructions=“fragile”", undefined],
    ["track --exec sh 'a' -- “b”", undefined],
  ])("are left out where they cannot be meant: %s", (line, without = line) => {
    expect(dropStrayQuotes(line.split(" "))).toEqual(without.split(" "))
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
