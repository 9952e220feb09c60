/** Each command, flag, setting and variable that a page has in backticks or in an example is one that freight has, as `freight help --json` says. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { TOPICS } from "../../src/app/help/topics.ts"
import { OWN_VARIABLES, SETTINGS, SHARED_VARIABLES } from "../../src/machine/config/known.ts"
import { desk, ROOT } from "../acceptance/freight.ts"

/** Pages that show freight as it was, or as it would be after a change. */
const NOT_AS_IT_IS = ["docs/changing.md", "docs/json-0.3.md"]
const PAGES = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "skills/freight/SKILL.md"],
  ...readdirSync(path.join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].filter((page) => !NOT_AS_IT_IS.includes(page))

/** Flags of npm and of scripts that pages name without the program. */
const OF_OTHERS = new Set([
  ...["--global", "--install-links"],
  ...["--bound", "--every", "--exclude", "--offset", "--postgres", "--publish", "--tests"],
])

interface CommandData {
  command: string
  flags: { name: string }[]
  commands: CommandData[]
}

/** The flags of each command, by its words without `freight`. */
const commands = new Map<string, Set<string>>()
let globals: Set<string>

beforeAll(async () => {
  const { freight } = await desk()
  const tree = JSON.parse((await freight(["help", "--json"])).stdout) as {
    commands: CommandData[]
    globalFlags: { name: string }[]
  }
  const add = ({ command, flags, commands: below }: CommandData): void => {
    commands.set(command.replace(/^freight ?/, ""), new Set(flags.map(({ name }) => name)))
    for (const each of below) add(each)
  }
  for (const each of tree.commands) add(each)
  globals = new Set(["--help", "--version", "--json-schema", ...tree.globalFlags.map(({ name }) => name)])
})

/** Lists the texts in backticks, and the lines of examples that call freight. */
function listCode(text: string): string[] {
  const examples = Array.from(text.matchAll(/^(?:```\w*\n[\s\S]*?^```$|(?: {4}.*\n)+)/gm), ([block]) =>
    block
      .replace(/\\\n/g, " ")
      .split("\n")
      .flatMap((line) =>
        Array.from(line.matchAll(/(?:^|[\s;|(&])(freight [^|;&()]*)/g), ([, each = ""]) => each),
      ),
  ).flat()
  const spans = text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`\n]+)`/g)
  return [...examples, ...Array.from(spans, ([, code = ""]) => code)]
}

/** The command that a line begins with, by the most words: `batch book`. */
function findCommand(words: readonly string[]): string | undefined {
  const names = [3, 2, 1].map((count) => words.slice(0, count).join(" "))
  return names.find((name) => commands.has(name))
}

/** The errors in the names of a line. */
function listUnknown(line: string): string[] {
  const isOfFreight = line.startsWith("freight ")
  const bare = line.replace(/"[^"]*"|'[^']*'/g, '""').replace(/^freight /, "")
  const words = bare.split(/\s+/).filter((word) => !globals.has(word) || word === "--version")
  const flags = Array.from(bare.matchAll(/(?:^|[\s[(])(--[a-z][\w-]*)/g), ([, flag = ""]) => flag)
  if (!isOfFreight && !bare.startsWith("--") && findCommand(words) === undefined) return []
  const command = findCommand(words)
  const isOfNone = isOfFreight && command === undefined && /^[a-z]/.test(words[0] ?? "")
  const isOf = (flag: string): boolean =>
    globals.has(flag) ||
    OF_OTHERS.has(flag) ||
    (command === undefined
      ? [...commands.values()].some((each) => each.has(flag))
      : (commands.get(command)?.has(flag) ?? false))
  const [, setting] = /^config (?:set|get|unset) ([a-zA-Z]+)/.exec(bare) ?? []
  return [
    ...(isOfNone ? [`${line}: no command`] : []),
    ...flags.filter((flag) => !isOf(flag)).map((flag) => `${line}: ${flag}`),
    ...(setting && !/^[A-Z]+$/.test(setting) && !SETTINGS.some(({ key }) => key === setting)
      ? [`${line}: no setting`]
      : []),
  ]
}

const VARIABLES = [...OWN_VARIABLES, ...SHARED_VARIABLES].flatMap(({ names }) => names)
/** Variables of tests, of CI and of the container, which a user does not set. */
const OTHER_VARIABLE = /^FREIGHT_(?:TEST|CI|FIXES|BENCH|SEARCH)_/

describe.each(PAGES)("%s", (page) => {
  const text = readFileSync(path.join(ROOT, page), "utf8")

  it("names commands, flags and settings that freight has", () => {
    expect(listCode(text).flatMap(listUnknown)).toEqual([])
  })

  it("names variables that freight reads", () => {
    const named = Array.from(text.matchAll(/\b(?:FREIGHT|DIRECT_PRINT)_[A-Z_]+\b/g), ([name]) => name)
    expect(
      [...new Set(named)].filter((name) => !VARIABLES.includes(name) && !OTHER_VARIABLE.test(name)),
    ).toEqual([])
  })
})

it("no page of help sends a reader to docs/, which freight help cannot show", async () => {
  const { freight } = await desk()
  const pages = [["help", "--json"], ...TOPICS.map(({ name }) => ["help", name])]
  for (const line of pages) expect((await freight(line)).stdout, line.join(" ")).not.toMatch(/\bdocs\/\w/)
})

describe("a name that freight does not have is found", () => {
  it.each([
    ["freight post bill.csv --xero", "--xero"],
    ["post bill.csv --xero", "--xero"],
    ["--xero", "--xero"],
    ["freight bok --sandbox", "no command"],
    ["freight config set clearing 650", "no setting"],
  ])("%s", (line, problem) => {
    expect(listUnknown(line)).toEqual([`${line}: ${problem}`])
  })

  it.each([
    "freight --sandbox book --yes",
    "batch book --again-for",
    "npm install --global",
    "freight COMMAND --help",
  ])("%s is right", (line) => {
    expect(listUnknown(line)).toEqual([])
  })
})
