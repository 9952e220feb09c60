import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as invoices from "../../../src/invoice/generated/validators.js"
import * as replies from "../../../src/contract/generated/replies.js"
import * as requests from "../../../src/contract/generated/requests.js"
import { REPLY_EXAMPLES, REQUEST_EXAMPLES } from "./examples.ts"

const ROOT = path.resolve(import.meta.dirname, "../../..")
const GENERATED = path.join(ROOT, "src/contract/generated")

interface Schema {
  $id?: string
  $ref?: string
  $defs?: Record<string, Schema>
  title?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, Schema>
  items?: Schema
}

const files = ["freight", "direct-print", "booking-file", "invoice"].map((name) => `${name}.schema.json`)
const schemas = files.map(
  (file): Schema => JSON.parse(readFileSync(path.join(ROOT, "schemas", file), "utf8")),
)

const ajv = new Ajv2020({ strict: true, strictRequired: false, validateFormats: false })
ajv.addVocabulary([
  "errorMessage",
  "x-managed",
  "x-carrier",
  "x-kind",
  "x-names",
  "x-hint",
  "x-needed",
  "x-else",
])
for (const schema of schemas) ajv.addSchema(schema)

/** Schemas that are a resource themselves, by file. */
const WHOLE: Record<string, string> = {
  "booking-file.schema.json": "BookingFile",
  "invoice.schema.json": "Invoice",
}

const definitions = schemas.flatMap((schema) => {
  const { $id = "", $defs = {} } = schema
  const whole = WHOLE[$id]
  const parts = Object.entries($defs).map(([name, definition]) => ({
    name,
    ref: `${$id}#/$defs/${name}`,
    definition,
  }))
  return whole === undefined ? parts : [{ name: whole, ref: $id, definition: schema }, ...parts]
})

/** Each field of a definition, those of its nested objects included, by its pointer. */
function fieldsOf(schema: Schema, pointer: string): { pointer: string; field: Schema }[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const below = `${pointer}/properties/${name.replaceAll("$", "%24")}`
    return [{ pointer: below, field }, ...fieldsOf(field, below)]
  })
  return schema.items ? [...own, ...fieldsOf(schema.items, `${pointer}/items`)] : own
}

const fields = definitions.flatMap(({ ref, definition }) =>
  fieldsOf(definition, ref.includes("#") ? ref : `${ref}#`),
)

describe("schemas", () => {
  it.each(schemas)("$$id is a valid 2020-12 schema", (schema) => {
    expect(ajv.validateSchema(schema)).toBe(true)
  })

  it.each(definitions)("$name compiles in strict mode", ({ ref }) => {
    expect(ajv.getSchema(ref)).toBeTypeOf("function")
  })

  it.each(definitions)("$name has a title and a description", ({ definition }) => {
    expect(definition).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    })
  })

  it.each(fields)("$pointer has a title and a description", ({ field }) => {
    expect(field).toMatchObject({
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    })
  })

  it.each(fields.filter(({ field }) => field.examples))("$pointer gives examples that are good", ({
    pointer,
    field,
  }) => {
    const validate = ajv.getSchema(pointer)
    expect(field.examples?.filter((example) => validate?.(example) !== true)).toEqual([])
  })

  it("cover every request that has a validator", () => {
    expect(Object.keys(REQUEST_EXAMPLES).sort()).toEqual(Object.keys(requests).sort())
  })

  it("cover an invoice at both stages", () => {
    expect(Object.keys(invoices).sort()).toEqual(["CanonicalInvoice", "DraftInvoice", "MANAGED_FIELDS"])
  })

  it("cover every reply that has a validator", () => {
    expect(Object.keys(REPLY_EXAMPLES).sort()).toEqual(Object.keys(replies).sort())
  })
})

describe("generated files", () => {
  let fresh: string
  beforeAll(() => {
    fresh = mkdtempSync(path.join(tmpdir(), "freight-generate-"))
    execFileSync(process.execPath, [path.join(ROOT, "scripts/generate.mjs"), "--out", fresh])
  })
  afterAll(() => rmSync(fresh, { recursive: true }))

  it.each([
    ...["types.ts", "requests.js", "requests.d.ts", "replies.js", "replies.d.ts"].map(
      (name) => `contract/generated/${name}`,
    ),
    ...["validators.js", "validators.d.ts"].map((name) => `invoice/generated/${name}`),
  ])("%s is what the schemas say now", (file) => {
    expect(readFileSync(path.join(ROOT, "src", file), "utf8")).toBe(
      readFileSync(path.join(fresh, file), "utf8"),
    )
  })

  it.each(["freight.yaml", "direct-print.yaml"])("openapi/%s is what the schemas say now", (file) => {
    execFileSync(process.execPath, [path.join(ROOT, "scripts/openapi.mjs"), "--out", fresh])
    expect(readFileSync(path.join(ROOT, "schemas/openapi", file), "utf8")).toBe(
      readFileSync(path.join(fresh, file), "utf8"),
    )
  })

  it.each(["requests.js", "replies.js"])("%s needs no other module", (file) => {
    const input = readFileSync(path.join(fresh, "contract/generated", file))
    const loaded = execFileSync(process.execPath, ["--input-type=module", "-"], { cwd: fresh, input })
    expect(loaded.toString()).toBe("")
  })

  it("exports each type once", () => {
    const names = exportedTypes()
    expect(names).toEqual([...new Set(names)])
  })

  it("exports a type for each resource and no numbered doubles", () => {
    const resources = definitions.map(({ name }) => name).filter((name) => !SCALARS.has(name))
    expect(exportedTypes().sort()).toEqual([...resources, "DraftInvoice", "Keyword"].sort())
  })

  it("gives no type an index signature", () => {
    expect(readFileSync(path.join(GENERATED, "types.ts"), "utf8")).not.toMatch(/\[\w+: string\]/)
  })
})

/** Definitions that are no resource: forms of text, and what both kinds of booking are built on. */
const SCALARS = new Set([
  "BusinessUnit",
  "PayerType",
  "LocalDate",
  "LocalDateTime",
  "LocalDateTimeSeconds",
  "DateTime",
  "ClockTime",
  "ClockTimeMinutes",
  "ClockTimeDigits",
  "BookingFields",
])

function exportedTypes(): (string | undefined)[] {
  const text = readFileSync(path.join(GENERATED, "types.ts"), "utf8")
  return [...text.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name)
}
