/** The files for assistants, registries and containers agree with the code. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { describeTree } from "../../src/app/help/command-data.ts"
import { EXIT } from "../../src/base/errors.ts"
import type { CommandData } from "../../src/command/command-data.ts"
import { OWN_VARIABLES } from "../../src/machine/config/known.ts"
import { ROOT } from "../acceptance/freight.ts"

const read = (name: string) => readFileSync(path.join(ROOT, name), "utf8")
const { version, name } = JSON.parse(read("package.json")) as { version: string; name: string }
const variables = OWN_VARIABLES.flatMap(({ names }) => names)

describe("skills/freight/SKILL.md", () => {
  const text = read("skills/freight/SKILL.md")

  it("names commands and flags that there are", async () => {
    const { commands, globalFlags } = await describeTree()
    const all = commands.flatMap(function flatten(each: CommandData): CommandData[] {
      return [each, ...each.commands.flatMap(flatten)]
    })
    const lines = Array.from(text.matchAll(/(?:`|^)(freight [a-z][^`\n]*)/gm), ([, line = ""]) => line)
    expect(lines.length).toBeGreaterThan(10)
    const wrong = lines.filter((line) => {
      const found = all
        .filter(({ command }) => `${line} `.startsWith(`${command} `))
        .sort((one, other) => other.command.length - one.command.length)[0]
      const known = [...(found?.flags ?? []), ...globalFlags].flatMap(({ name, short }) => [
        name,
        short ?? name,
      ])
      const used = line.split(/ \\?\| | > /)[0]?.match(/(?<= )--?[a-z][\w-]*/g) ?? []
      return !line.startsWith("freight help") && (!found || used.some((flag) => !known.includes(flag)))
    })
    expect(wrong).toEqual([])
  })

  it("says of each exit code what to do", () => {
    const codes = Array.from(text.matchAll(/^\| (\d+) \|/gm), ([, code]) => Number(code))
    const others = [EXIT.bug, EXIT.interrupted, EXIT.closedPipe] as number[]
    expect(codes).toEqual(Object.values(EXIT).filter((code) => !others.includes(code)))
  })

  it("is found by its name and description", () => {
    const [, head = ""] = text.split("---\n")
    expect(head).toMatch(/^name: freight\ndescription: .{50,1024}\n$/)
  })
})

it("server.json is of this version, and names what is set", () => {
  const server = JSON.parse(read("server.json"))
  const [npm] = server.packages
  expect([server.version, npm.version, npm.identifier]).toEqual([version, version, name])
  expect(server.description.length).toBeLessThanOrEqual(100)
  expect(variables).toEqual(
    expect.arrayContaining(npm.environmentVariables.map((each: { name: string }) => each.name)),
  )
})

it("the Dockerfile sets what is read", () => {
  const set = Array.from(read("Dockerfile").matchAll(/\b(FREIGHT_\w+)=/g), ([, variable]) => variable)
  expect(variables).toEqual(expect.arrayContaining(set))
})
