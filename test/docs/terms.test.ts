/** The page of terms is what freight prints and takes: each name in JSON, and each flag with its one meaning. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { SHAPES, THINGS } from "../../src/app/help/terms.ts"
import { type Entry, ENTRIES, GLOBAL_FLAGS } from "../../src/app/tree.ts"
import { toFlagName } from "../../src/base/command-line.ts"
import type { Flag } from "../../src/command/command.ts"
import { COLUMN_FIELDS } from "../../src/contract/fields/booking.ts"

const ROOT = path.resolve(import.meta.dirname, "../..")

/** The rows of a table of the page, each as its cells. */
function readTable(heading: string): string[][] {
  const [, section = ""] = readFileSync(path.join(ROOT, "docs/decisions/terms.md"), "utf8").split(
    `## ${heading}\n`,
  )
  const [, table = ""] = /^\|[-|\s]+\|\n((?:\|.*\n)+)/m.exec(section) ?? []
  return table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    )
}

function listCode(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code = ""]) => code)
}

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface OutputSchema {
  properties: Record<string, Schema>
  $defs: Record<string, Schema>
}

const OUTPUT: OutputSchema = JSON.parse(readFileSync(path.join(ROOT, "schemas/output.schema.json"), "utf8"))

/** Types of the API and of documents: they have their own names, and may lack what is absent. */
const PASSED_ON = new Set(
  [
    "src/contract/generated/types.ts",
    "src/contract/generated/requests.d.ts",
    "src/contract/generated/replies.d.ts",
    "src/contract/own-ids.ts",
    "src/contract/fields/own.ts",
  ].flatMap((file) =>
    Array.from(
      readFileSync(path.join(ROOT, file), "utf8").matchAll(/^export (?:interface|type) (\w+)/gm),
      ([, name = ""]) => name,
    ),
  ),
)

/** Requests, documents and replies as they are, by the command, and what of others is one. */
const AS_IT_IS: readonly string[] = [
  "api",
  "batch template",
  "help",
  "invoice new",
  "invoice schema",
  "invoice show",
  // Why there is nothing of a part, by the part.
  "evidence missing",
]

/** Commands that do not have these shapes yet. */
const OPEN: readonly string[] = []

const isPrimitive = ({ type, ...schema }: Schema) =>
  "const" in schema ||
  schema.enum !== undefined ||
  (type !== undefined && ![type].flat().some((each) => each === "object" || each === "array"))

/** Every object that a command prints, with the path to it; what the API gave is left out. */
function listObjects(schema: Schema, at = "", seen: readonly string[] = []): [string, Schema][] {
  const { $ref, anyOf = [], items, properties = {}, additionalProperties } = schema
  if ($ref !== undefined) {
    const name = $ref.replace("#/$defs/", "")
    if (PASSED_ON.has(name) || seen.includes(name)) return []
    return listObjects(OUTPUT.$defs[name] ?? {}, at, [...seen, name])
  }
  return [
    ...(schema.properties ? [[at, schema] as [string, Schema]] : []),
    ...anyOf.flatMap((each) => listObjects(each, at, seen)),
    ...(items ? listObjects(items, `${at}[]`, seen) : []),
    ...Object.entries(properties).flatMap(([name, each]) =>
      listObjects(each, at === "" ? name : `${at}.${name}`, seen),
    ),
    ...(typeof additionalProperties === "object" ? listObjects(additionalProperties, `${at}.*`, seen) : []),
  ]
}

/** The kinds of answer of a command. */
function listAnswers(schema: Schema): Schema[] {
  const { $ref, anyOf } = schema
  if ($ref !== undefined) {
    const name = $ref.replace("#/$defs/", "")
    return PASSED_ON.has(name) ? [] : listAnswers(OUTPUT.$defs[name] ?? {})
  }
  return anyOf ? anyOf.flatMap(listAnswers) : [schema]
}

/** The names of the properties of schemas. */
function listProperties(...files: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return
    if (!Array.isArray(node) && "properties" in node)
      for (const name of Object.keys(Object(node.properties))) found.add(name)
    for (const value of Object.values(node)) visit(value)
  }
  for (const file of files) visit(JSON.parse(readFileSync(path.join(ROOT, "schemas", file), "utf8")))
  return found
}

/** All flags of all commands: `book --like`. */
async function listFlags(entries: readonly Entry[] = ENTRIES, words = ""): Promise<[string, string, Flag][]> {
  const found = await Promise.all(
    entries.map(async ({ name, load, children = [] }) => {
      const command = `${words} ${name}`.trim()
      const { flags = {} } = (await load?.()) ?? {}
      const own = Object.entries(flags).map(([flag, definition]): [string, string, Flag] => [
        command,
        toFlagName(flag),
        definition,
      ])
      return [...own, ...(await listFlags(children, command))]
    }),
  )
  return found.flat()
}

it("the shapes and things of the page of terms are those that freight help json shows", () => {
  expect([readTable("Shapes"), readTable("Things")]).toEqual([SHAPES, THINGS])
})

/** Names that no property with a plain value has; those of what is no name of the thing elsewhere are left out. */
const NEVER = THINGS.flatMap(([, , never = ""]) => listCode(never)).filter((name) => name !== "id")

describe("a thing of the page of terms", () => {
  const printed = [...listProperties("output.schema.json")]
  const others = listProperties("plan.schema.json", "booking-file.schema.json", "freight.schema.json")
  const columns = COLUMN_FIELDS.map(({ path: at, column }) => column.name ?? at ?? "")
  const known = [...printed, ...others, ...columns]

  it.each(THINGS)("%s: has a name that freight prints", (...cells) => {
    const [, name = ""] = cells
    const names = listCode(name).filter((each) => /^…?\w/.test(each))
    expect(names).not.toEqual([])
    const isKnown = (each: string) =>
      each.startsWith("…") ? printed.some((one) => one.endsWith(each.slice(1))) : known.includes(each)
    const isValue = (each: string) => ["excluded", "included", "unknown"].includes(each)
    expect(names.filter((each) => !isKnown(each) && !isValue(each))).toEqual([])
  })
})

describe.each(
  Object.entries(OUTPUT.properties).filter(([name]) => !OPEN.includes(name)),
)("freight %s --json", (command, schema) => {
  it.skipIf(AS_IT_IS.includes(command))("prints lists in one shape, and objects with warnings", () => {
    for (const answer of listAnswers(schema)) {
      if (AS_IT_IS.includes(command)) continue
      expect(answer.type).toBe("object")
      const { items, total, nextOffset, warnings } = answer.properties ?? {}
      expect(warnings).toMatchObject({ type: "array", items: { type: "string" } })
      if (items) {
        expect(items.type).toBe("array")
        expect(total).toMatchObject({ type: "number" })
        expect(["null", ["null", "number"]]).toContainEqual(nextOffset?.type)
      }
    }
  })

  it("has each property always, and no name that is never one", () => {
    const wrong = listObjects(schema)
      .filter(([at]) => !AS_IT_IS.some((each) => `${command} ${at}`.startsWith(each)))
      .flatMap(([at, { properties = {}, required = [] }]) => [
        ...Object.keys(properties)
          .filter((name) => !required.includes(name))
          .map((name) => `${at}: ${name} may be missing`),
        ...Object.entries(properties)
          .filter(([name, each]) => NEVER.includes(name) && isPrimitive(each))
          .map(([name]) => `${at}: ${name}`),
      ])
    expect([...new Set(wrong)]).toEqual([])
  })
})

/** A flag's meaning from its help, without the condition before it and the texts in brackets. */
function meaningOf({ about }: Flag): string {
  return about.replace(/^(?:with|of) [^:]+: /, "").replace(/ \([^)]*\)/g, "")
}

describe("a flag", async () => {
  const all: [string, string, Flag][] = [
    ...Object.entries(GLOBAL_FLAGS).map(([name, flag]): [string, string, Flag] => [
      "",
      toFlagName(name),
      flag,
    ]),
    ...(await listFlags()),
  ]
  const names = [...new Set(all.map(([, name]) => name))]
  const named = (name: string) => all.filter(([, flag]) => flag === name).map(([, , flag]) => flag)
  /** Each flag of the page of terms, with one of the words that its help has. */
  const rows = readTable("Flags").flatMap(([flags = "", , says = ""]) =>
    listCode(flags)
      .filter((flag) => flag.startsWith("--"))
      .map((flag) => ({ flag, words: says.split(" / ") })),
  )
  const isOf = (row: string, name: string) =>
    row.endsWith("…") ? name.startsWith(row.slice(0, -1)) : row === name

  it("stands alone with every command that has it, or takes a value with every one", () => {
    const both = names.filter((name) => new Set(named(name).map(({ takes }) => takes === undefined)).size > 1)
    expect(both).toEqual([])
  })

  it("whose help differs from command to command is on the page of terms, with the meaning that they share", () => {
    const differ = names.filter((name) => new Set(named(name).map(meaningOf)).size > 1)
    expect(differ.filter((name) => !rows.some(({ flag }) => isOf(flag, name))).sort()).toEqual([])
  })

  it.each(rows)("$flag of the page means the same with every command: its help says $words", ({
    flag,
    words,
  }) => {
    const found = all.filter(([, name]) => isOf(flag, name))
    expect(found).not.toEqual([])
    const other = found.filter(([, , { about }]) => !words.some((each) => about.toLowerCase().includes(each)))
    expect(other.map(([command, name, { about }]) => `${command} ${name}: ${about}`)).toEqual([])
  })

  it("is the only one with its meaning", () => {
    const others = new Map<string, Set<string>>()
    for (const [, name, flag] of all)
      others.set(meaningOf(flag), (others.get(meaningOf(flag)) ?? new Set()).add(name))
    expect(
      [...others].filter(([, some]) => some.size > 1).map(([meaning, some]) => [meaning, ...some]),
    ).toEqual([])
    const taken = rows.flatMap(({ flag, words }) =>
      words
        .filter((each) => each.split(" ").length > 2)
        .flatMap((each) =>
          all.filter(([, name, { about }]) => !isOf(flag, name) && about.toLowerCase().includes(each)),
        )
        .map(([command, name, { about }]) => `${flag}: ${command} ${name}: ${about}`),
    )
    expect(taken).toEqual([])
  })

  it("has earlier names that no other flag of its command has, and no page shows", async () => {
    const earlier = all.flatMap(([command, name, { formerly = [] }]) =>
      formerly.map((each) => ({ command, name, each })),
    )
    expect(earlier).not.toEqual([])
    const wrong = earlier.filter(({ command, each }) =>
      all.some(
        ([other, name, { formerly = [] }]) =>
          other === command && (name === each || formerly.filter((one) => one === each).length > 1),
      ),
    )
    expect(wrong).toEqual([])
  })
})
