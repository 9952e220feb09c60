/** PowerShell cannot be had on the machines that test this: only how its script is written is looked at. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { MARK, SCRIPTS as NAMES } from "../../src/commands/completion.ts"
import { SCRIPTS } from "./desk.ts"

const textOf = (name: string) => readFileSync(path.join(SCRIPTS, name), "utf8")

describe("the scripts in completions/", () => {
  it("are one for each shell, and say what they are at once", () => {
    expect(readdirSync(SCRIPTS).sort()).toEqual(Object.values(NAMES).sort())
    for (const name of Object.values(NAMES)) expect(textOf(name).slice(0, 200)).toContain(MARK)
  })
})

describe("the script for PowerShell", () => {
  const text = textOf("freight.ps1")
  /** Comments, texts in quotes, and whatever else there is, a mark at a time. */
  const tokens = text.match(/#.*|'(?:[^']|'')*'|"(?:[^"`\n]|`.)*"|\s+|[\w$-]+|./g) ?? []

  it("registers a native completer for freight", () => {
    expect(text).toContain(
      "Register-ArgumentCompleter -Native -CommandName freight -ScriptBlock {\n  param($wordToComplete, $commandAst, $cursorPosition)",
    )
  })

  it("closes what it opens, in order, and every quote", () => {
    const open: string[] = []
    const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" }
    for (const token of tokens) {
      if (/^[([{]$/.test(token)) open.push(token)
      if (token in pairs) expect(open.pop()).toBe(pairs[token])
    }
    expect(open).toEqual([])
    expect(tokens.filter((token) => /^['"`‘’‚‛“”]$/.test(token))).toEqual([])
  })

  it("asks freight with words that are never empty, and hides its errors", () => {
    expect(text).toContain('& freight __complete ":$typed" @words 2>$null')
  })
})
