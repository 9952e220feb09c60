/** One fault at a time for any invoice, and what must be found of it. */
import { type Field, fieldsOf, type Kind } from "./contract-tables.ts"
import { raw } from "./writer.ts"

export type Path = readonly (string | number)[]

export interface Mutation {
  /** For the test's title. */
  what: string
  /** The value that is replaced, or the object that loses or gains a property. */
  path: Path
  property?: string
  /** The new value; undefined removes the old one. */
  value: unknown
  rule: string
  /** Whether the finding stands at the property's name. */
  atName?: boolean
}

/** A value of a document, its kind, and for a member of an object its field. */
interface Spot {
  path: Path
  kind: Kind
  value: unknown
}

/** Every value of a document that the tables speak of, the document first. */
export function spotsOf(
  value: unknown,
  kind: Kind = { is: "object", table: "Document" },
  path: Path = [],
): Spot[] {
  const below: Spot[] = []
  if (kind.is === "object")
    for (const { name, kind: its } of fieldsOf(kind.table))
      if (Object.hasOwn(Object(value), name))
        below.push(...spotsOf(Object(value)[name], its, [...path, name]))
  if (kind.is === "list" && Array.isArray(value))
    below.push(...value.flatMap((each, index) => spotsOf(each, kind.of, [...path, index])))
  return [{ path, kind, value }, ...below]
}

/** Every single fault that the contract's tables know for a document. */
export function mutationsOf(document: unknown): Mutation[] {
  return spotsOf(document).flatMap((spot) => [
    ...objectFaults(spot),
    ...typeFaults(spot),
    ...valueFaults(spot),
  ])
}

function objectFaults({ path, kind, value }: Spot): Mutation[] {
  if (kind.is !== "object") return []
  const fields = fieldsOf(kind.table)
  const present = (field: Field) => Object.hasOwn(Object(value), field.name)
  return [
    ...fields
      .filter((field) => field.required && present(field))
      .map(({ name }) => ({
        what: "missing",
        path,
        property: name,
        value: undefined,
        rule: "contract/required",
      })),
    ...["notAField", "__proto__", "constructor", "a/b~c", ""].map((name) => ({
      what: `unknown ${JSON.stringify(name)}`,
      path,
      property: name,
      value: 1,
      rule: "contract/additionalProperties",
      atName: true,
    })),
  ]
}

const OTHERS: Readonly<Record<string, unknown>> = {
  text: "text",
  number: raw("1.00"),
  boolean: true,
  object: {},
  list: [],
  null: null,
}

function typeFaults({ path, kind }: Spot): Mutation[] {
  const own = { text: "text", choice: "text", form: "text", anything: "object" }[kind.is as string] ?? kind.is
  return Object.entries(OTHERS)
    .filter(([type]) => type !== own)
    .map(([type, value]) => ({ what: `${type} for ${own}`, path, value, rule: "contract/type" }))
}

const MISFORMS = {
  "date-time": ["2026-11-20", "2026-11-20 09:30:00Z", "2026-02-31T00:00:00Z", "2026-11-20T09:30:00+1000", ""],
  date: ["04/12/2026", "2026-02-29", "2026-12-04T00:00:00Z", ""],
  uuid: ["7d0c9bd05c3f4a808a3c0f6f0a4f5d11", ""],
  email: ["a b@c", "joe", "a@b@c", " "],
}

function valueFaults({ path, kind }: Spot): Mutation[] {
  const bad = (rule: string, ...values: unknown[]) =>
    values.map((value) => ({ what: rule, path, value, rule: `contract/${rule}` }))
  switch (kind.is) {
    case "choice": {
      const rule = path.at(-1) === "docType" ? "const" : "enum"
      const [first = ""] = kind.of
      const otherCase = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase()
      return bad(rule, "", "no choice", `${first} `, otherCase)
    }
    case "number": {
      const { places } = kind
      if (places === undefined) return []
      const nines = `9007199254740993.${"0".repeat(places)}1`
      const values = [
        raw(`1e-${places + 1}`),
        raw(`-0.${"0".repeat(places)}4`),
        raw(nines),
        raw("1e-999999999"),
      ]
      return bad(places === 0 ? "type" : "multipleOf", ...values)
    }
    case "form":
      return bad("format", ...MISFORMS[kind.form])
    case "text":
      return kind.longest === undefined ? [] : bad("maxLength", "😀".repeat(kind.longest + 1))
    case "list":
      return kind.filled ? bad("minItems", []) : []
    default:
      return []
  }
}
