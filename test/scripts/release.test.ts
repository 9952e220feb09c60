import { spawnSync } from "node:child_process"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/release.mjs")

/** Runs the release of a folder that is no repository: whatever it does not refuse before ends at `git status`. */
async function release(changelog: string): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "freight-release-"))
  await writeFile(path.join(root, "package.json"), JSON.stringify({ version: "1.2.0" }))
  await writeFile(path.join(root, "CHANGELOG.md"), changelog)
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() }
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "--root", root], { encoding: "utf8", env })
  expect(status).toBe(1)
  return stderr
}

const RELEASED = "## [1.2.0] - 2026-11-20\n\n### Added\n\n- labels\n"

describe("a release", () => {
  it.each([
    [
      "entries",
      "## [Unreleased]\n\n### Breaking\n\n- one\n- two\n\n### Fixed\n\n- three\n",
      "3 unreleased entries",
    ],
    ["a text", "## [Unreleased]\n\nSoon.\n", "0 unreleased entries"],
  ])("is refused with %s under Unreleased", async (_, unreleased, message) => {
    expect(await release(`# Changelog\n\n${unreleased}\n${RELEASED}`)).toContain(message)
    expect(await release(`# Changelog\n\n${RELEASED}\n${unreleased}`)).toContain(message)
  })

  it.each([
    ["no such heading", ""],
    ["an empty one", "## [Unreleased]\n\n"],
    ["headings alone", "## [Unreleased]\n\n### Fixed\n\n"],
  ])("goes on with %s", async (_, unreleased) => {
    expect(await release(`# Changelog\n\n${unreleased}${RELEASED}`)).toContain("git status")
  })

  it("is refused where the versions differ", async () => {
    expect(await release("# Changelog\n\n## [1.1.0] - 2026-11-20\n\n- labels\n")).toContain(
      "package.json says 1.2.0, and the newest entry of CHANGELOG.md is 1.1.0",
    )
  })
})
