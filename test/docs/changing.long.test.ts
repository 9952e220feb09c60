/** The page for those who change freight: each diff applies, and what stands below it says that it is right. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { groupBy } from "../../src/base/grouping.ts"
import { SERVER } from "../ledger/postgres.ts"
import { copyTree, run } from "./tree-copy.ts"

const ROOT = path.resolve(import.meta.dirname, "../..")
const page = readFileSync(path.join(ROOT, "docs/changing.md"), "utf8")
const changes = Array.from(
  page.matchAll(/^## (.+)$[\s\S]*?^```diff\n([\s\S]*?)^```\n\n^```sh\n([\s\S]*?)^```/gm),
  ([, title = "", diff = "", commands = ""]) => ({ title, diff, commands: commands.trim().split("\n") }),
)
type Change = (typeof changes)[number]

/** These change what the tests of other changes expect: they are tried in a tree without those. */
const CHANGES_ANSWERS = [
  "Add a warning of a booking",
  "Add a carrier",
  "Change a fact of a carrier",
  "Add a carrier field",
]

/** Not committed. The compiler's record in `.build` stays, so that it checks only later changes. */
const LEFT_OUT = [".git", ".build", "node_modules"]

/** The tables of a ledger on PostgreSQL need one. */
function isPossible({ commands }: Change): boolean {
  return SERVER !== undefined || !commands.join().includes("ledger-fixture")
}

/**
 * The commands of several changes as few: each once, in the order of the kinds that each change has them in. What runs
 * tests with the same flags is one command.
 * @returns each with the lines that it stands for
 */
function joinCommands(lines: readonly string[]): { command: string; lines: readonly string[] }[] {
  const kinds = [/^npm run /, /^(npx tsc|node) /, /^npx vitest run .* -u$/, /^npx vitest run /]
  const sorted = kinds.flatMap((kind, at) =>
    lines.filter((line) => kinds.findIndex((each) => each.test(line)) === at && kind.test(line)),
  )
  const byFlags = groupBy([...new Set(sorted)], (line) =>
    line.startsWith("npx vitest") ? line.replace(TESTS, "").replace(PATTERN, "-t") : line,
  )
  return Array.from(byFlags.values(), (joined) => {
    const [first = ""] = joined
    if (joined.length === 1) return { command: first, lines: joined }
    const files = new Set(joined.flatMap((line) => TESTS.exec(line)?.[0].split(" ") ?? []))
    const patterns = joined.map((line) => PATTERN.exec(line)?.[1]).join("|")
    const command = first.replace(TESTS, [...files].join(" ")).replace(PATTERN, `-t "${patterns}"`)
    return { command, lines: joined }
  })
}
/** Files and folders of tests, and the names of those that are run. */
const TESTS = /test\/\S+( test\/\S+)*/
const PATTERN = /-t "?(.*?)"?(?= -u$|$)/

describe("docs/changing.md", () => {
  it("has a diff and commands below every heading", () => {
    const headings = Array.from(page.matchAll(/^## (.+)$/gm), ([, title]) => title)
    expect(changes.map(({ title }) => title)).toEqual(headings)
  })

  it("a property of an order is in four files that people write, at most", () => {
    const files = listFiles("Add a property of an order")
    expect(files.length).toBeGreaterThan(0)
    expect(files.length, files.join()).toBeLessThanOrEqual(4)
  })

  it.each([
    [
      "a report is one file and its line in the tree",
      "Add a report",
      ["src/app/tree.ts", "src/reports/lanes.ts"],
    ],
    ["a rule of accounting is one file", "Add an accounting rule", ["src/invoice/accounting/lines.ts"]],
  ])("%s, besides its tests", (_, title, written) => {
    expect(listFiles(title).filter((file) => !file.startsWith("test/"))).toEqual(written)
  })

  /** Texts that people write for a change. */
  function listFiles(title: string): string[] {
    const { diff = "" } = changes.find((each) => each.title === title) ?? {}
    return Array.from(diff.matchAll(/^\+\+\+ b\/(.+)$/gm), ([, file = ""]) => file)
  }
})

describe("each change of docs/changing.md is right as its commands say", () => {
  let folder = ""
  const git = async (...args: readonly string[]) => {
    const identity = ["-c", "user.name=test", "-c", "user.email=test@freight.example"]
    expect(await run("git", [...identity, ...args], folder)).toMatchObject({ code: 0 })
  }
  /** The failed commands of each change, as joined with those of others, and their output. */
  const failures = new Map<Change, { command: string; output: string }[]>()

  /** Applies changes to one tree, each of which must apply to the tree as it is, and runs what their commands say. */
  async function tryTogether(together: readonly Change[]): Promise<void> {
    await git("reset", "--quiet", "--hard")
    await git("clean", "--quiet", "-d", "--force")
    for (const { title, diff } of together)
      expect(await run("git", ["apply", "--check", "-"], folder, diff), title).toEqual({
        code: 0,
        output: "",
      })
    for (const { title, diff } of together)
      expect(await run("git", ["apply", "-"], folder, diff), title).toEqual({ code: 0, output: "" })
    for (const change of together) failures.set(change, [])
    for (const { command, lines } of joinCommands(together.flatMap(({ commands }) => commands))) {
      // Beside other tests: a second worker would load all modules once more.
      const inOneWorker = command.replace("vitest run", "vitest run --maxWorkers 1")
      const { code, output } = await run("sh", ["-ec", inOneWorker], folder)
      if (code === 0) continue
      for (const change of together)
        if (change.commands.some((line) => lines.includes(line)))
          failures.get(change)?.push({ command, output })
    }
  }

  // With `-t`, only the chosen one is applied.
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern
  beforeAll(async ({}, { tasks }) => {
    const chosen = tasks.filter(({ mode }) => mode === "run").map(({ name }) => name)
    const tried = changes.filter(({ title }) => chosen.includes(title))
    const copy = await copyTree()
    folder = copy.folder
    await git("init", "--quiet")
    await git("add", "--force", "--", ...readdirSync(folder).filter((name) => !LEFT_OUT.includes(name)))
    await git("commit", "--quiet", "--no-verify", "--message", "all")
    const groups = groupBy(tried, ({ title }) => CHANGES_ANSWERS.includes(title))
    for (const together of groups.values()) await tryTogether(together)
    return copy.remove
  }, 3_600_000)

  for (const change of changes.filter(isPossible))
    it(change.title, () => {
      expect(failures.get(change)).toEqual([])
    })
})
