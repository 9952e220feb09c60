/** Builds again if a source is newer, or a build was stopped. */
import { spawnSync } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/build-if-stale.mjs")
const OLD = new Date("2026-01-01T00:00:00Z")
const LATER = new Date("2026-01-02T00:00:00Z")

/** A project whose build writes down that it ran, and in which all was built after its sources. */
function createProject() {
  const folder = mkdtempSync(path.join(tmpdir(), "freight-build-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => path.join(folder, name)
  const write = (name: string, text: string, changed: Date) => {
    mkdirSync(path.dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
    utimesSync(at(name), changed, changed)
  }
  for (const each of ["src", "schemas", "completions", "data"]) write(`${each}/a`, "", OLD)
  mkdirSync(at("scripts"))
  copyFileSync(SCRIPT, at("scripts/build-if-stale.mjs"))
  utimesSync(at("scripts/build-if-stale.mjs"), OLD, OLD)
  write("build.cjs", 'require("node:fs").writeFileSync("ran", "")', OLD)
  write("package.json", JSON.stringify({ scripts: { build: "node build.cjs" } }), OLD)
  write("dist/main.cjs", "", LATER)
  write("THIRD-PARTY-NOTICES.md", "", LATER)
  return {
    write,
    remove: (name: string) => rmSync(at(name), { recursive: true }),
    isBuilt: () => {
      const { status } = spawnSync(process.execPath, [at("scripts/build-if-stale.mjs")], { cwd: folder })
      expect(status).toBe(0)
      return existsSync(at("ran"))
    },
  }
}

it("build-if-stale builds nothing that is newer than all that it is made of", () => {
  expect(createProject().isBuilt()).toBe(false)
})

it.each([
  ["there is no build", "dist"],
  ["a build was stopped before its end", "THIRD-PARTY-NOTICES.md"],
])("build-if-stale builds where %s", (_what, name) => {
  const { remove, isBuilt } = createProject()
  remove(name)
  expect(isBuilt()).toBe(true)
})

it("build-if-stale builds where a source was changed since", () => {
  const { write, isBuilt } = createProject()
  write("src/deep/b", "", new Date("2026-01-03T00:00:00Z"))
  expect(isBuilt()).toBe(true)
})
