/** `npm run lint` finds words that messages and pages never use, and says which they use. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/lint-words.mjs")

function lint(name: string, text: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-words-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, name)
  writeFileSync(file, text)
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: "utf8" })
  return { status, problems: stderr.replaceAll(file, name).trim().split("\n") }
}

it.each([
  [
    "code.ts",
    'say("x")\nthrow new Error(`bill $' + "{name}: its file went astray`)",
    'code.ts:2: "astray": write lost',
  ],
  [
    "quotes.ts",
    "refuse(`there is no rule '$" + "{id}'`)\n",
    `quotes.ts:1: "'…'": write double quotes, with quoted() of src/base/parsed.ts`,
  ],
  ["page.md", "# A page\n\nEach order is handed out once.\n", 'page.md:3: "handed out": write export'],
])("lint-words finds what it should in %s", (name, text, problem) => {
  expect(lint(name, text)).toEqual({ status: 1, problems: [problem] })
})

it.each([
  ["code.ts", '// It went astray.\nconst astray = "astray"\nsay("there is no order of that number")'],
  ["sql.ts", "run(`select id from sends where kind = 'pickup' and note = '$" + "{note}'`)\n"],
  ["page.md", "`it went astray` and [a link](astray.md)\n\n    it went astray\n"],
])("lint-words passes comments, names, code and addresses: %s", (name, text) => {
  expect(lint(name, text)).toEqual({ status: 0, problems: [""] })
})
