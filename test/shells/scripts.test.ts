import { readFileSync, readdirSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { MARK, SCRIPTS as NAMES } from "../../src/completion/install.ts"
import { completionScripts } from "../../src/shells/scripts.ts"
import { SCRIPTS } from "./desk.ts"

let scripts: Record<string, string>
beforeAll(async () => {
  scripts = await completionScripts()
})

describe("the scripts in completions/", () => {
  it("are those of the tree as it is: run npm run build when they are not", () => {
    const kept = readdirSync(SCRIPTS).map((name) => [name, readFileSync(path.join(SCRIPTS, name), "utf8")])
    expect(Object.fromEntries(kept)).toEqual(scripts)
  })

  it("are one for each shell, and say what they are at once", () => {
    for (const name of Object.values(NAMES)) expect(scripts[name]?.slice(0, 200)).toContain(MARK)
  })
})

/** PowerShell itself cannot be had on the machines that test this: only how its script is built is looked at. */
describe("the script for PowerShell", () => {
  const text = () => scripts["freight.ps1"] ?? ""
  /** Comments, texts in quotes, and whatever else there is, a mark at a time. */
  const tokens = () => text().match(/#.*|'(?:[^']|'')*'|"(?:[^"`\n]|`.)*"|\s+|[\w$-]+|./g) ?? []

  it("registers a native completer for freight", () => {
    expect(text()).toContain(
      "Register-ArgumentCompleter -Native -CommandName freight -ScriptBlock {\n  param($wordToComplete, $commandAst, $cursorPosition)",
    )
  })

  it("closes what it opens, in order, and every quote", () => {
    const open: string[] = []
    const pairs: Record<string, string> = { ")": "(", "]": "[", "}": "{" }
    for (const token of tokens()) {
      if (/^[([{]$/.test(token)) open.push(token)
      if (token in pairs) expect(open.pop()).toBe(pairs[token])
    }
    expect(open).toEqual([])
    expect(tokens().filter((token) => /^['"`‘’‚‛“”]$/.test(token))).toEqual([])
  })

  it("looks things up in tables that tell capitals from small letters", () => {
    for (const name of ["commands", "children", "flags", "values", "arguments", "lists"])
      expect(text()).toContain(`$${name} = [System.Collections.Hashtable]::new()`)
  })

  it.each([
    "$commands['/rates'] = 'rate-shop'",
    "$values['* --packaging'] = 'words packaging'",
    "$values['* --wait'] = '?free'",
    "$values['label --wait'] = 'free'",
    "$arguments['label/*'] = 'data shipments'",
    "$lists['packaging'] = @('CT\tcarton', ",
  ])("holds %s", (line) => {
    expect(text()).toContain(line)
  })

  it("asks freight for what only it knows, and hides its trouble", () => {
    expect(text()).toContain("& freight completion-data $kind.Split(' ')[1] @words 2>$null")
  })
})
