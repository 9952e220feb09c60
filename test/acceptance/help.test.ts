/** The pages as a person reads them: each is kept in pages/, 80 columns wide. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { CODES, EXIT, EXIT_MEANINGS, KINDS } from "../../src/base/errors.ts"
import { TOPICS } from "../../src/app/help/topics.ts"
import { ENTRIES, type Entry, TREE } from "../../src/app/tree.ts"
import { desk, ROOT } from "./freight.ts"
import { commandNames } from "./tree.ts"

/** The verbs that a purpose may begin with. */
const VERBS = new Set(
  (
    "accept add book call cancel change check choose compare complete copy empty find forget have keep label list " +
    "price print put record remove reverse save say serve settle show sign take tell track try use write"
  ).split(" "),
)

const GROUPS = TREE.flatMap(({ entries }) =>
  entries.filter(({ children }) => children).map(({ name }) => name),
)
const COMMANDS = [...GROUPS, ...commandNames()]

/** A help page without this machine's folder, so that it is the same everywhere. */
function anywhere(page: string, folder: string): string {
  return page.replaceAll(folder, "/home/me")
}

/** `freight batch book --help`: a command with the flags after it. */
const COMMAND = new RegExp(`\\bfreight (?:${commandNames().toReversed().join("|")})(?: --[a-z-]+)*`, "g")

/** Output must equal the file of that name. */
async function keeps(name: string, args: readonly string[]): Promise<void> {
  const made = await desk()
  const { code, stdout, stderr } = await made.freight(args)
  expect(stderr).toBe("")
  expect(code).toBe(0)
  const file = path.join(import.meta.dirname, "pages", `${name.replaceAll(" ", "-")}.txt`)
  await expect(anywhere(stdout, made.folder)).toMatchFileSnapshot(file)
}

describe("the page of", () => {
  for (const name of COMMANDS) it(`freight ${name}`, () => keeps(name, ["help", ...name.split(" ")]))

  for (const { name } of TOPICS) it(`the topic ${name}`, () => keeps(`topic ${name}`, ["help", name]))

  it.each([
    "batch book",
    "batch plan",
    "book",
    "invoice new",
    "pay",
    "post",
    "audit",
    "rate-shop",
  ])("freight %s, with all its flags", (name) =>
    keeps(`${name} --all`, ["help", ...name.split(" "), "--all"]))

  it.each([
    100, 60,
  ])("freight --help fits a terminal of %d columns in 30 lines, and --all shows all", async (columns) => {
    const { freight } = await desk()
    const page = (await freight(["--help"], { columns })).stdout
    expect(page.split("\n").length, page).toBeLessThanOrEqual(30)
    expect(page).toContain("freight --help --all")
    const whole = (await freight(["--help", "--all"], { columns })).stdout
    for (const name of ["sandbox", "--no-color", "exit-codes"]) expect(whole).toContain(`\n  ${name}`)
  })

  it("freight --help", () => keeps("freight --help", ["--help"]))

  it("freight help", () => keeps("freight help", ["help"]))

  it("freight alone, to someone new", () => keeps("freight", []))
})

describe("--help", () => {
  it("shows the page whatever the command was to print; only help itself refuses what it cannot write", async () => {
    const { freight } = await desk()
    const page = (await freight(["shipments", "list", "--help"])).stdout
    const asked = await freight(["shipments", "list", "--format", "csv", "--help"])
    expect([asked.code, asked.stdout, asked.stderr]).toEqual([0, page, ""])
    expect((await freight(["help", "shipments", "list", "--format", "csv"])).code).toBe(2)
  })
})

describe("--help --all", () => {
  it("shows the flags that the page of a command leaves out, and freight suggests them too", async () => {
    const { freight } = await desk()
    const [short, whole] = await Promise.all([
      freight(["batch", "book", "--help"]),
      freight(["batch", "book", "--help", "--all"]),
    ])
    expect(short.stdout.match(/^ {2}--/gm)).toHaveLength(10)
    expect(short.stdout).toMatch(/^\d+ more flags: freight batch book --help --all$/m)
    expect(short.stdout).not.toContain("--max-total")
    expect(whole.stdout).toContain("--max-total")
    expect(whole.stdout).not.toContain("more flags")
    expect((await freight(["batch", "book", "x.csv", "--max-totl", "1"])).stderr).toContain("--max-total")
    expect((await freight(["shipments", "list", "--help", "--all"])).code).toBe(0)
  })

  it("shows the notes that a short page leaves out, such as the fields of --map", async () => {
    const { freight } = await desk()
    const short = (await freight(["invoice", "new", "--help"])).stdout
    expect(short).toMatch(/^\d+ more flags, and notes: freight invoice new --help --all$/m)
    expect(short).not.toContain("lineComments")
    expect((await freight(["invoice", "new", "--help", "--all"])).stdout).toContain("lineComments")
  })

  it("is needed for no more than twenty flags: longer pages begin with what is used every day", async () => {
    const { freight } = await desk()
    for (const name of commandNames()) {
      const { stdout } = await freight([...name.split(" "), "--help"])
      const flags = stdout.match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? []
      const [, hidden] = /^(\d+) more flags/m.exec(stdout) ?? []
      const most = hidden === undefined ? 20 : 15
      expect(flags.length, name).toBeLessThanOrEqual(most)
    }
  })
})

describe("every page", () => {
  it("says how to call the command, what it is for, its flags and an example", async () => {
    const { freight } = await desk()
    for (const name of commandNames()) {
      const { stdout } = await freight(["help", ...name.split(" ")])
      const [usage, purpose] = stdout.split("\n\n")
      expect(usage, name).toMatch(/^Usage: freight /)
      expect(purpose, name).toMatch(/^[A-Z][\s\S]*\.$/)
      for (const heading of ["Flags:", "Examples:"]) expect(stdout.split("\n"), name).toContain(heading)
    }
  })

  it.each([
    100, 80, 60,
  ])("fits %d columns, but for the commands to copy, and breaks none of them", async (columns) => {
    const { freight } = await desk()
    for (const words of [
      ["--help"],
      ["--help", "--all"],
      ...TOPICS.map(({ name }) => ["help", name]),
      ...COMMANDS.map((name) => ["help", ...name.split(" ")]),
    ]) {
      const { stdout } = await freight(words, { columns })
      const lines = stdout.split("\n")
      const wide = lines.filter(
        (line) => line.length > columns && !/^ {2,}\S+$|freight |;;|^\{|^ {2}\//.test(line),
      )
      expect(wide, words.join(" ")).toEqual([])
      // Join wrapped lines, but not the flags in a list.
      const named = stdout.replaceAll(/\n(?: {5,}|(?=\S))/g, " ").match(COMMAND) ?? []
      expect(
        named.filter((command) => !lines.some((line) => line.includes(command))),
        words.join(" "),
      ).toEqual([])
    }
  })

  it("has a one-line purpose in the imperative, without a full stop", () => {
    const listPurposes = ({ purpose, children = [] }: Entry): string[] => [
      purpose,
      ...children.flatMap(listPurposes),
    ]
    const purposes = ENTRIES.flatMap(listPurposes)
    expect(purposes.filter((purpose) => !/^[a-z].{5,56}[^.]$/.test(purpose))).toEqual([])
    expect(purposes.filter((purpose) => !VERBS.has(purpose.split(/[ ,]/)[0] ?? ""))).toEqual([])
  })
})

describe("freight alone", () => {
  it("shows the commands to someone who is signed in", async () => {
    const made = await desk()
    await made.freight(["config", "set", "timeout", "20"])
    const { code, stdout } = await made.freight([])
    expect(code).toBe(0)
    for (const { group } of TREE) expect(stdout).toContain(group.replace(":", ""))
    expect(stdout).not.toContain("Three things to try")
  })

  it("still answers when the settings file is damaged", async () => {
    const { freight, folder } = await desk()
    await mkdir(path.join(folder, "config"))
    await writeFile(path.join(folder, "config", "config.json"), "{")
    const { code, stdout } = await freight([])
    expect(code).toBe(0)
    expect(stdout).toContain("freight --help")
  })

  it("prints first commands that work for a newcomer", async () => {
    const { freight } = await desk()
    const { stdout } = await freight([])
    const tries = Array.from(stdout.matchAll(/^ {2}freight (.*?) {2,}/gm), ([, words = ""]) =>
      words.split(" "),
    )
    expect(tries).toHaveLength(3)
    expect(tries[0]).toContain("--sandbox")
    const [book = [], track = [], login = []] = tries
    // The two that ask a person say so where there is none.
    expect((await freight(book)).code).toBe(2)
    expect((await freight(track)).code).toBe(0)
    expect((await freight(login)).code).toBe(2)
  })
})

describe("freight help", () => {
  it.each([
    ["fles", "files"],
    ["exit-code", "exit-codes"],
    ["bok", "book"],
  ])("%s: did you mean %s?", async (word, near) => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["help", word])
    expect(code).toBe(2)
    expect(stdout).toBe("")
    expect(stderr).toContain(`Did you mean ${near}?\nnext: freight help ${near}`)
  })

  it("files has the paths of this machine, and the sandbox's under --sandbox", async () => {
    const made = await desk()
    const { stdout } = await made.freight(["help", "files", "--sandbox"])
    expect(stdout).toContain(path.join(made.folder, "config", "config.json"))
    expect(stdout).toContain(path.join(made.state, "sandbox"))
    await made.freight(["print", "label", "--sandbox", "demo-shipment", "--device", "device-bench"])
    const spool = stdout.match(/^ {2}(.*spool)$/m)?.[1] ?? ""
    await expect(readFile(spool)).rejects.toMatchObject({ code: "EISDIR" })
  })

  it("environment says what is set, and shows no value", async () => {
    const { freight } = await desk()
    const { stdout } = await freight(["help", "environment"], { env: { FREIGHT_API_KEY: "s3cret" } })
    expect(stdout).toMatch(/FREIGHT_API_KEY .*\(set here\)/)
    expect(stdout).not.toContain("s3cret")
  })
})

describe("the exit codes", () => {
  const rows = Object.entries(EXIT).map(([name, code]) => [
    String(code),
    EXIT_MEANINGS[name as keyof typeof EXIT],
  ])

  it("are all in freight help exit-codes", async () => {
    const { freight } = await desk()
    const flat = (await freight(["help", "exit-codes"])).stdout.replace(/\s+/g, " ")
    for (const [code, meaning] of rows) expect(flat).toContain(`${code} ${meaning}`)
  })

  it("are those of docs/scripts.md", async () => {
    const page = await readFile(path.join(ROOT, "docs/scripts.md"), "utf8")
    const table = Array.from(page.matchAll(/^\| (\d+) \| (.*) \|$/gm), ([, code, meaning = ""]) => [
      code,
      meaning.replaceAll("`", ""),
    ])
    expect(table).toEqual(rows)
  })
})

describe("the codes of errors", () => {
  it("are those of docs/scripts.md, each with the exit code of its kind", async () => {
    const page = await readFile(path.join(ROOT, "docs/scripts.md"), "utf8")
    const table = Array.from(page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| \S.* \|$/gm), ([, code, exit]) => [
      code,
      Number(exit),
    ])
    expect(table).toEqual(Object.entries(CODES).map(([code, kind]) => [code, KINDS[kind].exit]))
  })

  it("have one for each kind that has no other", () => {
    for (const [kind, { code }] of Object.entries(KINDS)) expect(CODES[code]).toBe(kind)
  })
})

describe("an error", () => {
  it.each([
    [["book", "--bogus"], "next: freight help book\n"],
    [["shipments", "list", "--limit", "x"], "next: freight help shipments list\n"],
    [["bogus"], "next: freight help\n"],
    [["connectors"], "next: freight auth login\n"],
    [["connectors", "--profile", "nobody"], "next: freight auth login --profile nobody\n"],
    [["shipments", "show", "nothing", "--sandbox"], "next: freight shipments list --sandbox\n"],
    [["devices", "use", "nothing", "--sandbox"], "next: freight devices list --sandbox\n"],
  ])("of freight %j ends with the next command", async (args, end) => {
    const { freight } = await desk()
    const { code, stderr } = await freight(args)
    expect(code).toBeGreaterThan(0)
    expect(stderr.slice(-end.length)).toBe(end)
  })

  it("of a server that cannot be reached says that it is safe to run again, and where to look", async () => {
    const { freight } = await desk()
    const env = { FREIGHT_BASE_URL: "http://127.0.0.1:1", FREIGHT_API_KEY: "a".repeat(64) }
    const { code, stderr } = await freight(["connectors"], { env })
    expect(code).toBe(6)
    expect(stderr).toMatch(/It is safe to run it again\.\nnext: freight doctor\n$/)
  })
})
