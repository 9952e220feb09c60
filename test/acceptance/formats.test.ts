/** Each command with each format, as `freight help --json` lists them: what is listed is written, and all else is refused at once. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { parse } from "csv-parse/sync"
import { beforeAll, describe, expect, it } from "vitest"
import { describeTree } from "../../src/app/help/command-data.ts"
import type { CommandData } from "../../src/command/command-data.ts"
import { EXIT, KINDS } from "../../src/base/errors.ts"
import { draw } from "../drawn.ts"
import { DEAD_PORT } from "../ports.ts"
import { desk, type Ran } from "./freight.ts"

const FORMATS = [
  "table",
  "json",
  "ndjson",
  "csv",
  "xlsx",
  "value",
  "html",
  "sarif",
  "junit",
  "github",
  "rdjson",
]

/** Commands that print something in an empty sandbox without further arguments. */
const READING = [
  "connectors",
  "shipments list",
  "shipments show demo-shipment",
  "history",
  "today",
  "track DEMO-A-DELIVERED",
  "devices list",
  "devices forget",
  "evidence demo-shipment",
  "rate-shop --from Alexandria_NSW_2015 --to Fremantle_WA_6160 --package 40x30x20@5",
  "reconcile",
  "report carriers",
  "report spend",
  "report savings",
  "report accruals",
  "report disputes",
  "report clearing",
  "disputes",
  "disputes credits",
  "batch template --columns",
  "batch maps",
  "manifest",
  "invoice rules",
  "address list",
  "party list",
  "package list",
  "places list",
  "profile list",
  "config list",
  "config get timeout",
  "config path",
  "ledger status",
  "auth status",
  "api GET connectors",
] as const

let commands: CommandData[]
let freight: (args: readonly string[]) => Promise<Ran>
beforeAll(async () => {
  const flatten = (list: readonly CommandData[]): CommandData[] =>
    list.flatMap((each) => [each, ...flatten(each.commands)])
  commands = flatten((await describeTree()).commands)
  const made = await desk()
  await writeFile(path.join(made.folder, "rows.csv"), "reference\nA-1\n")
  freight = (args) => made.freight(args)
})

const toWords = (line: string) =>
  line
    .replace(/^freight /, "")
    .split(" ")
    .map((word) => word.replaceAll("_", " "))

function findCommand(line: string): CommandData {
  const named = commands.filter(({ command }) => `freight ${line} `.startsWith(`${command} `))
  return named.at(-1) as CommandData
}

/** A command line with any value for each argument and flag that is needed. */
function toLine({ command, arguments: taken, flags }: CommandData): string[] {
  const words = taken.flatMap(
    ({ name, choices }) => choices?.[0] ?? (name.includes("file") ? "rows.csv" : "x"),
  )
  const required = flags.flatMap(({ name, isRequired, choices }) =>
    isRequired ? [name, choices?.[0] ?? "2020-01-01"] : [],
  )
  return [...toWords(command), ...words, ...required]
}

/** The objects that a command prints: what is counted is what JSON counts. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

describe("freight help --json", () => {
  it("lists formats for what does something, and none for what only has commands below it", () => {
    const without = commands.filter(({ formats }) => formats.length === 0).map(({ command }) => command)
    const groups = commands.filter(
      ({ arguments: taken, flags, commands: below }) => below.length > 0 && taken.length + flags.length === 0,
    )
    for (const { command, formats } of groups.filter(({ fields }) => fields.length === 0))
      expect([command, formats]).toEqual([command, []])
    expect(without).toEqual(expect.arrayContaining(["freight completion", "freight mcp"]))
    expect(
      new Set(
        commands.flatMap(({ formats, flags }) => [
          ...formats,
          ...flags.flatMap((flag) => flag.formats ?? []),
        ]),
      ),
    ).toEqual(new Set(FORMATS))
  })
})

describe("a format that a command does not list", () => {
  it("is exit code 2 before anything is asked or done", async () => {
    const wrong: string[] = []
    for (const command of commands.filter(
      ({ commands: below, formats }) => below.length === 0 || formats.length > 0,
    )) {
      for (const format of FORMATS.filter((each) => !command.formats.includes(each))) {
        const line = command.command === "freight help" ? ["help"] : toLine(command)
        const { code, stdout, stderr } = await freight([...line, "--format", format])
        if (
          code !== EXIT.wrongInput ||
          stdout !== "" ||
          !/--format (takes|csv|\w+$)|prints nothing that has a format|--openapi/m.test(stderr)
        )
          wrong.push(`${line.join(" ")} --format ${format}: ${code} ${stderr.slice(0, 200)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it("is refused with the flag that says so", async () => {
    const wrong: string[] = []
    for (const command of commands)
      for (const { name, value, isValueOptional, formats } of command.flags) {
        if (!formats) continue
        for (const format of FORMATS.filter((each) => !formats.includes(each))) {
          const words = [...toLine(command), name, ...(value === undefined || isValueOptional ? [] : ["x"])]
          const { code, stdout, stderr } = await freight([...words, "--format", format])
          if (code !== EXIT.wrongInput || stdout !== "" || !stderr.includes(name))
            wrong.push(`${words.join(" ")} --format ${format}: ${code} ${stderr}`)
        }
      }
    expect(wrong).toEqual([])
  })
})

describe.each(READING)("freight %s", (line) => {
  const run = (...more: string[]) => freight([...toWords(line), "--sandbox", ...more])

  it("writes each format that it lists", async () => {
    const { formats } = findCommand(line)
    const plain = await run()
    for (const format of formats.filter((each) => each !== "value")) {
      const { code, stdout, bytes, stderr } = await run("--format", format)
      expect([format, code], stderr).toEqual([format, plain.code])
      if (format === "json") expect(() => JSON.parse(stdout), format).not.toThrow()
      if (format === "ndjson")
        for (const each of stdout.split("\n").filter(Boolean)) expect(JSON.parse(each)).toBeTypeOf("object")
      if (format === "csv") expect(() => parse(stdout), stdout).not.toThrow()
      if (format === "xlsx") expect(bytes.subarray(0, 2).toString(), line).toBe("PK")
      if (format === "html") expect(stdout).toMatch(/^<!doctype html>/i)
    }
  })

  it("takes each of its fields in every format, and what it prints as JSON by name", async () => {
    const { fields, formats } = findCommand(line)
    const whole = (await run("--json")).json<unknown>()
    const first = Object(listOf(whole)[0])
    // A list in a cell of a long list is left out of it: its rows are the lines.
    const names = Object.keys(first)
    const short = names.filter((name) => !Array.isArray(first[name]))
    const named = [...fields, ...(short.length > 0 ? short : names)]
    const all = named.join(",")
    const ran: Record<string, Ran> = {}
    for (const format of formats.filter((each) => each !== "html"))
      ran[format] = await run("--format", format, "--fields", all)
    for (const [format, { code, stderr }] of Object.entries(ran))
      expect([format, code], stderr).toEqual([format, (await run()).code])
    const bare = await run("--format", "csv", "--no-header", "--fields", all)
    expect(
      `${parse(ran.csv?.stdout ?? "")
        .slice(0, 1)
        .join(",")}\n`,
    ).toBe(named.length > 0 ? `${named.join(",")}\n` : "\n")
    // Times and ports change between two looks.
    expect(parse(bare.stdout)).toHaveLength(parse(ran.csv?.stdout ?? "").length - 1)
  })

  it("keeps names, types and the number of things of its JSON for each field of it", async () => {
    const whole = (await run("--json")).json<unknown>()
    expect(whole).toBeTypeOf("object")
    for (const name of Object.keys(Object(listOf(whole)[0]))) {
      const picked = (await run("--json", "--fields", name)).json<unknown>()
      expect(Array.isArray(picked), name).toBe(Array.isArray(whole))
      const expected = listOf(whole).map((each) => Object(each)[name] ?? null)
      const values = listOf(picked).map((each) => Object(each)[name])
      // Values may change between two runs, such as times. Their types must not.
      expect(
        values.map((each) => [typeof each, Array.isArray(each)]),
        name,
      ).toEqual(expected.map((each) => [typeof each, Array.isArray(each)]))
    }
  })
})

/** Commands fail here wherever they can: their arguments cannot be read, or the service is out of reach. */
describe("a command that fails under --json and ndjson", () => {
  const env = {
    FREIGHT_BASE_URL: `http://127.0.0.1:${DEAD_PORT}`,
    FREIGHT_API_KEY: "key",
    FREIGHT_TIMEOUT: "1",
  }

  it("ends with the code of its error, which standard error has last, each line of it JSON", async () => {
    const { freight } = await desk()
    const wrong: string[] = []
    let failed = 0
    const acting = commands.filter(
      ({ command, formats }) => formats.includes("json") && command !== "freight sandbox start",
    )
    for (const command of draw(acting)) {
      const [field = ""] = command.fields
      for (const format of command.formats.filter((each) => each === "json" || each === "ndjson"))
        for (const more of [[], ["--fields", field], ["--fields", "no-such-field"], ["--no-such-flag"]]) {
          if (more[1] === "") continue
          const line = command.command === "freight help" ? ["help"] : toLine(command)
          const words = [...line, "--format", format, "--no-input", ...more]
          const { code, stdout, stderr } = await freight(words, { env })
          if (code === EXIT.done) continue
          failed++
          const error = findFault(code, stdout, stderr, format)
          if (error !== undefined) wrong.push(`${words.join(" ")}: ${code} ${error}: ${stderr.slice(0, 300)}`)
        }
    }
    expect(wrong).toEqual([])
    expect(failed).toBeGreaterThan(acting.length / 8)
  })
})

/** The errors in the outputs of a failed command. */
function findFault(code: number | null, stdout: string, stderr: string, format: string): string | undefined {
  const lines = stderr.split("\n").filter(Boolean)
  try {
    const messages = lines.map((line) => JSON.parse(line))
    for (const each of format === "json" ? [stdout] : stdout.split("\n")) if (each !== "") JSON.parse(each)
    const { error } = messages.at(-1) ?? {}
    // An answer that is no is not an error of the command.
    if (code === EXIT.no && error === undefined) return undefined
    if (messages.slice(0, -1).some((message) => "error" in message)) return "more than one error"
    if (KINDS[error?.kind as keyof typeof KINDS]?.exit !== code) return "its kind"
    return typeof error?.code === "string" && typeof error.retry === "string" ? undefined : "its fields"
  } catch {
    return "not JSON"
  }
}
