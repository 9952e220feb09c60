/** The page for those who change freight: each diff applies, and what stands below it says that it is right. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { SERVER } from "../ledger/postgres.ts"
import { copyTree, run } from "./tree-copy.ts"

const ROOT = path.resolve(import.meta.dirname, "../..")
const page = readFileSync(path.join(ROOT, "docs/changing.md"), "utf8")
const changes = Array.from(
  page.matchAll(/^## (.+)$[\s\S]*?^```diff\n([\s\S]*?)^```\n\n^```sh\n([\s\S]*?)^```/gm),
  ([, title = "", diff = "", commands = ""]) => ({ title, diff, commands }),
)

/** What the compiler remembers stays: it looks at what has changed since. */
const LEFT_OUT = [".git", ".build", "node_modules"]

/** The tables of a ledger on PostgreSQL need one. */
function isPossible({ commands }: { commands: string }): boolean {
  return SERVER !== undefined || !commands.includes("ledger-fixture")
}

describe("docs/changing.md", () => {
  it("has a diff and commands below every heading", () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, title]) => title)
    expect(changes.map(({ title }) => title)).toEqual(headings)
  })

  it("a property of an order is in four files that people write, at most", () => {
    const { diff = "" } = changes.find(({ title }) => title === "Add a property of an order") ?? {}
    const files = Array.from(diff.matchAll(/^\+\+\+ b\/(.+)$/gm), ([, file]) => file)
    expect(files.length).toBeGreaterThan(0)
    expect(files.length, files.join()).toBeLessThanOrEqual(4)
  })

  // One copy, put back after each change.
  let folder = ""
  const git = async (...args: readonly string[]) => {
    const identity = ["-c", "user.name=test", "-c", "user.email=test@freight.example"]
    expect(await run("git", [...identity, ...args], folder)).toMatchObject({ code: 0 })
  }
  beforeAll(async () => {
    const copy = await copyTree()
    folder = copy.folder
    await git("init", "--quiet")
    await git("add", "--force", "--", ...readdirSync(folder).filter((name) => !LEFT_OUT.includes(name)))
    await git("commit", "--quiet", "--no-verify", "--message", "all")
    return copy.remove
  })

  // Each compiles and runs tests of its own: half a minute, on a machine that has nothing else to do.
  it.each(changes.filter(isPossible))("$title", { timeout: 600_000 }, async ({ diff, commands }) => {
    await git("reset", "--quiet", "--hard")
    await git("clean", "--quiet", "-d", "--force")
    expect(await run("git", ["apply", "-"], folder, diff)).toEqual({ code: 0, output: "" })
    const { code, output } = await run("sh", ["-ec", commands], folder)
    expect(code, output).toBe(0)
  })
})
