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

interface Meaning {
  /** What the help of each such flag says. */
  readonly says: RegExp
  /** Whether it stands alone. */
  readonly isAlone?: true
}

/** By the flag as the page has it; `…` stands for the rest of a name. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  "--yes": { says: /do not ask|without asking/, isAlone: true },
  "--again": { says: /even if|once more|although|anew|the step before/ },
  "--force": { says: /over(write)? .*(that freight did not write|other files)/, isAlone: true },
  "--replace": { says: /^replace the saved/, isAlone: true },
  "--dry-run": {
    says: /would be (sent|booked|posted|released|removed|handed out).*(send|book|post|change|remove|write) nothing/,
    isAlone: true,
  },
  "--allow-…": { says: /^accept /, isAlone: true },
  "--accept-…": { says: /^accept /, isAlone: true },
  "--without-…": { says: /, (which|and) may /, isAlone: true },
  "--no-…": { says: /\b(not|no|never|only|without)\b/, isAlone: true },
  "--file": { says: / as JSON, or - for standard input/ },
  "--output": { says: /\b(write|letter\.pdf)\b/ },
  "--set": { says: /\bfield\b/ },
  "--map": { says: /use this column as that field|as given to batch book/ },
  "--sheet": { says: /the sheet of an \.xlsx file that has several|labels on each sheet of A4/ },
  "--since": { says: /\bsince\b|from then on|how far back|on this day or later/ },
  "--until": { says: /up to then|on this day or earlier/ },
  "--as-at": { says: /as it was known at the end of that day/ },
  "--by": { says: /what to group by/ },
  "--for": { says: /the shop that the file is for|\bfor xero\b|the accounting program/ },
  "--account": { says: /account of (freight|the charges that no rule fits)/ },
  "--like": { says: /start from the booking/ },
  "--last": { says: /start from the last booking/, isAlone: true },
  "--rate": { says: /book this rate/ },
  "--cost-centre": { says: /who pays for it in your own books|their cost centre/ },
}

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

it("are those that freight help json shows", () => {
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

describe("a flag of the page of terms", async () => {
  const all: [string, string, Flag][] = [
    ...Object.entries(GLOBAL_FLAGS).map(([name, flag]): [string, string, Flag] => [
      "",
      toFlagName(name),
      flag,
    ]),
    ...(await listFlags()),
  ]
  const rows = readTable("Flags").flatMap(([flags = ""]) => listCode(flags))

  it("is one whose meaning is held here", () => {
    expect(rows.filter((flag) => flag.startsWith("--")).sort()).toEqual(Object.keys(MEANINGS).sort())
  })

  it.each(Object.entries(MEANINGS))("%s means the same with every command", (name, { says, isAlone }) => {
    const found = all.filter(([, flag]) =>
      name.endsWith("…") ? flag.startsWith(name.slice(0, -1)) : flag === name,
    )
    expect(found).not.toEqual([])
    const other = found.filter(
      ([, , { about, takes }]) => !says.test(about) || (isAlone === true && takes !== undefined),
    )
    expect(other.map(([command, flag, { about }]) => `${command} ${flag}: ${about}`)).toEqual([])
  })
})
