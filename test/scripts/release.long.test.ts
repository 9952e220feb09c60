import { execFileSync, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, it } from "vitest"

const SCRIPT = path.resolve(import.meta.dirname, "../../scripts/release.mjs")
const RELEASED = "## [1.2.0] - 2026-11-20\n\n### Added\n\n- labels\n"

interface Project {
  changelog: string
  changes?: Readonly<Record<string, string>>
  version?: string
}

/** A project to release, committed to a repository. */
async function project({ changelog, changes = {}, version = "1.2.0" }: Project): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "freight-release-"))
  await mkdir(path.join(root, "changes"))
  const lock = { name: "freight-cli", version, lockfileVersion: 3, packages: { "": { version } } }
  const files = {
    "package.json": JSON.stringify({ name: "freight-cli", version }),
    "package-lock.json": JSON.stringify(lock),
    "server.json": JSON.stringify({ version, packages: [{ version }] }, undefined, 2),
    "CHANGELOG.md": changelog,
    "changes/README.md": "How a change is written.\n",
    ...Object.fromEntries(Object.entries(changes).map(([name, text]) => [`changes/${name}`, text])),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(root, name), text)
  const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: root })
  git("init", "--quiet")
  git("add", "--all")
  git("-c", "user.name=test", "-c", "user.email=test@freight.example", "commit", "--quiet", "-m", "all")
  return root
}

function run(root: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, [SCRIPT, "--root", root, ...args], { encoding: "utf8" })
}

/** @returns what stops the release */
async function refusal(made: Project, ...args: readonly string[]): Promise<string> {
  const { status, stderr } = run(await project(made), ...args)
  expect(status).toBe(1)
  return stderr
}

describe("npm run release", () => {
  it("joins changes/ and what is unreleased under the next version, and prints the tag", async () => {
    const unreleased = "## [Unreleased]\n\n### Added\n\n- rates\n\n### Removed\n\n- faxes\n\n"
    const root = await project({
      changelog: `# Changelog\n\n${unreleased}${RELEASED}`,
      changes: {
        "pickups.md": "added\n\nPickups, on the\nnext day too.\n",
        "weights.md": "fixed\nGrams are read.\n",
        "exit.md": "Breaking\n\n- An unknown flag ends with 2.\n",
      },
    })
    const { status, stdout, stderr } = run(root)
    expect(status, stderr).toBe(0)
    expect(stdout).toContain("git tag v2.0.0")
    const changelog = await readFile(path.join(root, "CHANGELOG.md"), "utf8")
    expect(changelog.replace(/\d{4}-\d\d-\d\d/, "TODAY")).toBe(
      [
        "# Changelog\n\n## [2.0.0] - TODAY\n\n### Breaking\n\n- An unknown flag ends with 2.\n\n",
        "### Added\n\n- rates\n- Pickups, on the next day too.\n\n### Fixed\n\n- Grams are read.\n\n",
        `### Removed\n\n- faxes\n\n${RELEASED}`,
      ].join(""),
    )
    const lock = JSON.parse(await readFile(path.join(root, "package-lock.json"), "utf8"))
    expect([lock.version, lock.packages[""].version]).toEqual(["2.0.0", "2.0.0"])
    expect(JSON.parse(await readFile(path.join(root, "package.json"), "utf8")).version).toBe("2.0.0")
    const server = JSON.parse(await readFile(path.join(root, "server.json"), "utf8"))
    expect([server.version, server.packages[0].version]).toEqual(["2.0.0", "2.0.0"])
    expect(await readdir(path.join(root, "changes"))).toEqual(["README.md"])
  })

  it.each([
    ["1.2.0", "fixed", "1.2.1"],
    ["1.2.3", "changed", "1.3.0"],
    ["1.2.3", "breaking", "2.0.0"],
    ["0.1.0", "breaking", "0.2.0"],
  ])("after %s, %s makes %s", async (version, kind, next) => {
    const changes = { "one.md": `${kind}\n\nOne.\n` }
    const root = await project({ changelog: "# Changelog\n", changes, version })
    expect(run(root).stdout).toContain(`git tag v${next}\n`)
  })

  it.each([
    [
      "without a kind",
      { "a.md": "Labels.\n" },
      "changes/a.md: begin with one of these words: breaking, added",
    ],
    [
      "without an entry",
      { "a.md": "added\n\n" },
      "changes/a.md: below its first line, say what a user notices",
    ],
    ["nothing", {}, "nothing has changed since the last release"],
  ])("refuses %s", async (_, changes, message) => {
    expect(await refusal({ changelog: `# Changelog\n\n${RELEASED}`, changes })).toContain(message)
  })

  it("refuses a tree that is not clean", async () => {
    const root = await project({ changelog: "# Changelog\n", changes: { "a.md": "added\n\nA.\n" } })
    await writeFile(path.join(root, "changes/b.md"), "added\n\nB.\n")
    expect(run(root).stderr).toContain("the tree is not clean:\n?? changes/b.md")
  })
})

describe("changes/", () => {
  const folder = path.resolve(import.meta.dirname, "../../changes")
  const names = readdirSync(folder).filter((name) => name !== "README.md")
  // With none there is nothing to try, right after a release.
  it.each(["README.md", ...names])("%s can be released", (name) => {
    const text = readFileSync(path.join(folder, name), "utf8")
    if (name !== "README.md") expect(text).toMatch(/^(breaking|added|changed|fixed)\n+\S/)
    else expect(text).toContain("npm run release")
  })
})

describe("npm run release -- --check", () => {
  it.each([
    ["entries", "## [Unreleased]\n\n### Breaking\n\n- one\n- two\n\n### Fixed\n\n- three\n", "3 unreleased"],
    ["a text", "## [Unreleased]\n\nSoon.\n", "0 unreleased entries"],
  ])("refuses %s under Unreleased", async (_, unreleased, message) => {
    const above = { changelog: `# Changelog\n\n${unreleased}\n${RELEASED}` }
    expect(await refusal(above, "--check")).toContain(message)
    const below = { changelog: `# Changelog\n\n${RELEASED}\n${unreleased}` }
    expect(await refusal(below, "--check")).toContain(message)
  })

  it("refuses what is left over in changes/", async () => {
    const made = { changelog: `# Changelog\n\n${RELEASED}`, changes: { "a.md": "added\n\nA.\n" } }
    expect(await refusal(made, "--check")).toContain("changes/ has 1 unreleased changes")
  })

  it.each([
    ["no such heading", ""],
    ["an empty one", "## [Unreleased]\n\n"],
    ["headings alone", "## [Unreleased]\n\n### Fixed\n\n"],
  ])("goes on to the tag with %s", async (_, unreleased) => {
    const made = { changelog: `# Changelog\n\n${unreleased}${RELEASED}` }
    expect(await refusal(made, "--check")).toContain("this commit has no tag of its version: git tag v1.2.0")
  })

  it("refuses versions that differ", async () => {
    const changelog = "# Changelog\n\n## [1.1.0] - 2026-11-20\n\n- labels\n"
    expect(await refusal({ changelog }, "--check")).toContain(
      "package.json says 1.2.0, and the newest entry of CHANGELOG.md is 1.1.0",
    )
  })

  it("refuses to publish without the address of the repository", async () => {
    const made = { changelog: `# Changelog\n\n${RELEASED}` }
    expect(await refusal(made, "--publish")).toContain("package.json has no repository")
  })
})
