/** A flag that was renamed is still found by its earlier name, which no page and no completion shows. */
import { Command } from "commander"
import { describe, expect, it } from "vitest"
import { ENTRIES, type Entry } from "../../src/app/tree.ts"
import { argumentName, toFlagName } from "../../src/base/command-line.ts"
import { type CommandDefinition, declare, type Flag } from "../../src/command/index.ts"
import { desk } from "./freight.ts"

interface Renamed {
  command: string
  definition: CommandDefinition
  option: string
  flag: Flag
  earlier: string
}

async function listRenamed(entries: readonly Entry[] = ENTRIES, above = ""): Promise<Renamed[]> {
  const found = await Promise.all(
    entries.map(async ({ name, load, children = [] }) => {
      const command = `${above} ${name}`.trim()
      const definition = await load?.()
      const own = Object.entries(definition?.flags ?? {}).flatMap(([option, flag]): Renamed[] =>
        (flag.formerly ?? []).map((earlier) => ({
          command,
          definition: definition as CommandDefinition,
          option,
          flag,
          earlier,
        })),
      )
      return [...own, ...(await listRenamed(children, command))]
    }),
  )
  return found.flat()
}

const RENAMED = await listRenamed()

/** The options that commander reads from these words. */
function parse(definition: CommandDefinition, words: readonly string[]): unknown {
  const command = new Command("x").exitOverride().configureOutput({ writeErr: () => {} })
  declare(command, { ...definition, args: [] }, words)
  for (const option of command.options) option.makeOptionMandatory(false)
  command.action(() => {}).parse(words, { from: "user" })
  return command.opts()
}

/** The flag as a person writes it. */
function write(name: string, { takes, choices }: Flag, joined: boolean): string[] {
  const value = choices?.[0] ?? "2026-11-20"
  if (takes === undefined) return [name]
  return joined ? [`${name}=${value}`] : [name, value]
}

describe.each(RENAMED)("freight $command $earlier", ({ command, definition, option, flag, earlier }) => {
  it.each([false, true])(`is ${toFlagName(option)} (value behind an =: %s)`, (joined) => {
    const before = parse(definition, write(earlier, flag, joined))
    expect(before).toEqual(parse(definition, write(toFlagName(option), flag, joined)))
    expect(before).not.toEqual(parse(definition, []))
  })

  it("is on no page, and what is wrong with its value is said of the name that pages have", async () => {
    const { freight } = await desk()
    const page = (await freight(["help", ...command.split(" "), "--all"])).stdout
    const shown = Array.from(page.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm), ([, name]) => name)
    expect(shown).toContain(toFlagName(option))
    expect(shown).not.toContain(earlier)
    if (flag.takes?.startsWith("<")) {
      const { code, stderr } = await freight([...command.split(" "), earlier])
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${toFlagName(option)} <${argumentName(flag.takes)}`),
      ])
    }
  })
})

describe("the value behind an earlier name", () => {
  it.each(
    RENAMED.filter(({ flag }) => flag.takes !== undefined),
  )("is completed as that of the flag: freight $command $earlier", async ({ command, option, earlier }) => {
    const { freight } = await desk()
    const complete = async (typed: string, ...words: string[]) =>
      (await freight(["__complete", `:${typed}`, ...command.split(" "), ...words])).stdout
    expect(await complete("", earlier)).toBe(await complete("", toFlagName(option)))
    const [before, now] = [`${earlier}=`, `${toFlagName(option)}=`]
    expect((await complete(before)).replaceAll(before, now)).toBe(await complete(now))
  })

  it("has the flag's own words", async () => {
    const { freight } = await desk()
    expect((await freight(["__complete", ":", "today", "--skip"])).stdout).toContain("no-pickup\n")
  })
})

describe("the earlier name", () => {
  it("needs what the flag needs", async () => {
    const { freight } = await desk()
    const { code, stderr } = await freight(["pay", "B1", "--sandbox", "--again"])
    expect([code, stderr]).toEqual([2, expect.stringContaining("--earlier needs --undo")])
  })

  it.each([
    [["auth", "login", "--with-key=yes"], "--with-key takes no value"],
    [["auth", "login", "--with-key", "yes"], '--with-key takes no value: "yes" is one word too many'],
    [["disputes", "credits", "-used"], "That is --used."],
    [["pay", "--list", "--again=yes"], "--again takes no value"],
    [["invoice", "new", "--from", "my", "lines.csv"], '--from "my lines.csv"'],
  ])("is not an unknown flag where something else is wrong: %j", async (words, message) => {
    const { freight } = await desk()
    const { code, stderr } = await freight(words)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it("is offered by no completion", async () => {
    const { freight } = await desk()
    const { stdout } = await freight(["__complete", ":--", "invoice", "new"])
    expect(stdout).toContain("--lines-from\t")
    expect(stdout).not.toMatch(/^--from\t/m)
  })
})
