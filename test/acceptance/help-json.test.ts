/** The command tree as data: what is in it is what the pages say. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { EXIT } from "../../src/base/errors.ts"
import { type Entry, TREE } from "../../src/app/tree.ts"
import { desk, errorIn } from "./freight.ts"

interface CommandData {
  command: string
  description: string
  arguments: { name: string; isVariadic: boolean }[]
  flags: Record<string, unknown>[]
  formats: string[]
  fields: string[]
  examples: string[]
  notes: string
  commands: CommandData[]
}

let tree: {
  globalFlags: { name: string }[]
  exitCodes: { code: number; meaning: string }[]
  commands: CommandData[]
}
let all: CommandData[]
const below = (command: CommandData): CommandData[] => [command, ...command.commands.flatMap(below)]
const named = (name: string) => all.find(({ command }) => command === `freight ${name}`)

beforeAll(async () => {
  const { freight } = await desk()
  const { code, json } = await freight(["help", "--json"])
  expect(code).toBe(0)
  tree = json()
  all = tree.commands.flatMap(below)
})

describe("freight help --json", () => {
  it("has every command of the tree", () => {
    const namesOf = (entries: readonly Entry[], above: string): string[] =>
      entries.flatMap(({ name, children = [] }) => [
        `${above} ${name}`,
        ...namesOf(children, `${above} ${name}`),
      ])
    const names = TREE.flatMap((group) => namesOf(group.entries, "freight"))
    expect(all.map(({ command }) => command).sort()).toEqual([...names, "freight help"].sort())
  })

  it("lists each field of a command once", () => {
    for (const { command, fields } of all) expect(fields, command).toEqual([...new Set(fields)])
    expect(named("print label")?.fields).toContain("jobId")
  })

  it("has the flags and examples of every page, and no other", () => {
    const folder = path.join(import.meta.dirname, "pages")
    const pages = readdirSync(folder).map((file) => ({
      name: file.replace(/\.txt$/, ""),
      text: readFileSync(path.join(folder, file), "utf8"),
    }))
    let compared = 0
    for (const { command, flags, examples } of all) {
      const find = (end: string) =>
        pages.find(({ name }) => `freight-${name}` === `${command.replaceAll(" ", "-")}${end}`)
      // A page may leave flags out, and show them with --all.
      const page = find("---all") ?? find("")
      if (!page) continue
      compared += 1
      const shown = [...page.text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name)
      const own = [...new Set(shown.filter((name) => name !== "--help"))]
      // Headings of a page gather flags that stand apart.
      expect(own.sort(), command).toEqual(flags.map(({ name }) => name).sort())
      const words = page.text.replaceAll(/\s+/g, " ")
      for (const example of examples) expect(words).toContain(example.replaceAll(/\s+/g, " "))
    }
    expect(compared).toBeGreaterThan(40)
  })

  it("has an example of everything that does something", () => {
    const silent = all.filter(({ commands, examples }) => commands.length === 0 && examples.length === 0)
    expect(silent).toEqual([])
    for (const { examples } of all)
      for (const example of examples) expect(example).toMatch(/^\S*\s?.*freight /)
  })

  it("says of each flag what it takes", () => {
    const flag = (command: string, name: string) => named(command)?.flags.find((each) => each.name === name)
    expect(flag("book", "--dry-run")).toMatchObject({ type: "boolean" })
    expect(flag("book", "--package")).toMatchObject({ type: "text", value: "spec", isRepeatable: true })
    expect(flag("book", "--label")).toMatchObject({ value: "file", isValueOptional: true })
    expect(flag("manifest", "--carrier")).toMatchObject({
      type: "choice",
      choices: expect.arrayContaining(["CARRIER_A_AU"]),
    })
    expect(flag("manifest", "--output")).toMatchObject({ short: "-o" })
    expect(flag("label", "--wait")).toMatchObject({ type: "number", default: "120" })
    expect(flag("ledger prune", "--before")).toMatchObject({ isRequired: true })
    expect(named("track")?.arguments).toMatchObject([{ isVariadic: true }])
    expect(named("invoice validate")?.formats).toContain("sarif")
    expect(named("invoice list")?.notes).toContain("Exit code: 0 all are valid")
  })

  it("has the global flags and every exit code", () => {
    expect(tree.globalFlags.map(({ name }) => name)).toEqual(expect.arrayContaining(["--sandbox", "--json"]))
    expect(tree.exitCodes.map(({ code }) => code)).toEqual(Object.values(EXIT))
  })

  it("has one command alone, with those below it", async () => {
    const { freight } = await desk()
    const one = (await freight(["help", "pickup", "--json"])).json<CommandData>()
    expect(one).toEqual(named("pickup"))
    expect((await freight(["help", "pickup", "book", "--format", "json"])).json()).toEqual(
      named("pickup book"),
    )
  })

  it("refuses what is not a command, and leaves topics as they are", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["help", "pickupp", "--json"])
    expect([code, errorIn(stderr).kind]).toEqual([2, "usage"])
    expect((await freight(["help", "exit-codes", "--json"])).json()).toEqual({
      topic: "exit-codes",
      text: (await freight(["help", "exit-codes"])).stdout,
    })
  })
})
