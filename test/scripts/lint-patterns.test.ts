/** `npm run lint` finds regular expressions that long texts make slow. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/lint-patterns.mjs")

function lint(code: string) {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-patterns-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, "code.ts")
  writeFileSync(file, code)
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: "utf8" })
  return {
    status,
    stdout,
    places: stderr.split("\n").flatMap((line) => /code\.ts:\d+: \S+/.exec(line) ?? []),
  }
}

it.each([
  ["a repeat that may begin anywhere", "text.replace(/\\s+$/, '')"],
  ["two repeats that meet the same characters", "/^\\s*,?\\s*$/.test(text)"],
  ["a repeat of repeats", "/^(\\w+ ?)*$/.test(text)"],
  ["words around a digit", "text.replace(/\\S*\\d\\S*/g, '')"],
  ["brackets that are never closed", "text.replace(/\\[[^\\]]*\\]/g, '')"],
])("lint-patterns finds %s", (_, code) => {
  const { status, places } = lint(`const ok = /^a+$/;\n${code}\n`)
  expect(places).toEqual([expect.stringContaining("code.ts:2: ")])
  expect(status).toBe(1)
})

it("lint-patterns passes patterns that are linear, in any text", () => {
  const code =
    "text.replace(/(?<!\\s)\\s+$/, '') + /^\\s*(?:,\\s*)?$/.test(text) + text.replace(/(?<!\\S)\\S*\\d\\S*/g, '')"
  expect(lint(code)).toMatchObject({ status: 0, stdout: "patterns: 3, 0 problems\n" })
})

it("lint-patterns says where nothing was read", () => {
  expect(lint("export {}").status).toBe(1)
})
