/** The check of package-lock.json can fail. */
import { spawnSync } from "node:child_process"
import { mkdtemp, writeFile } from "node:fs/promises"
import os from "node:os"
import path from "node:path"
import { expect, it } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/lint-lock.mjs")
const GOOD = { version: "1.0.0", integrity: "sha512-AAAA" }

it.each([
  ["with a hash of every package", { "": {}, "node_modules/a": GOOD }, ""],
  [
    "without a hash",
    { "": {}, "node_modules/a": GOOD, "node_modules/b": { version: "1.0.0" } },
    "node_modules/b",
  ],
  ["with a weak hash", { "node_modules/a": { ...GOOD, integrity: "sha1-AAAA" } }, "sha512-"],
  [
    "that names a registry",
    { "node_modules/a": { ...GOOD, resolved: "https://npm.example/a.tgz" } },
    "npm.example",
  ],
  ["without packages", { "": {} }, "no packages"],
])("a lock file %s", async (_, packages, problem) => {
  const file = path.join(await mkdtemp(path.join(os.tmpdir(), "freight-lock-")), "package-lock.json")
  await writeFile(file, JSON.stringify({ lockfileVersion: 3, packages }))
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, file], { encoding: "utf8" })
  expect(status).toBe(problem === "" ? 0 : 1)
  expect(stderr).toContain(problem)
  expect(stderr.split("\n")).toHaveLength(problem === "" ? 1 : 2)
})
