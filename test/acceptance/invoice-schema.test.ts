/** The output of `freight invoice schema`, used with another program's validator. */
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { beforeAll, describe, expect, it } from "vitest"
import { type Mutation, mutationsOf } from "../invoice/mutations.ts"
import { draftOf, fullDraft, fullInvoice, minimalDraft, minimalInvoice } from "../invoice/samples.ts"
import { withChange, written } from "../invoice/writer.ts"
import { desk } from "./freight.ts"

type Verdict = (document: unknown) => boolean

interface Schema {
  $id: string
  $schema: string
  title: string
  required: string[]
  properties: Record<string, { readOnly?: boolean }>
  $defs: Record<string, { properties: Record<string, { readOnly?: boolean }> }>
}

const { freight } = await desk()

async function schemaOf(...args: string[]): Promise<Schema> {
  return (await freight(["invoice", "schema", ...args])).json<Schema>()
}

/** The verdicts of ajv in strict mode. Multiples are judged to a millionth: its floats can do no better. */
function validatorOf(schema: Schema): Verdict {
  const ajv = new Ajv2020({ strict: true, multipleOfPrecision: 6, allErrors: true })
  formats.default(ajv)
  return ajv.compile(schema)
}

let canonical: Schema
let draft: Schema
let isInvoice: Verdict
let isDraft: Verdict
beforeAll(async () => {
  canonical = await schemaOf()
  draft = await schemaOf("--draft")
  isInvoice = validatorOf(canonical)
  isDraft = validatorOf(draft)
})

/** Whether other validators judge this differently: formats of dates and emails, and numbers too precise for a float. */
function isApart({ rule, value }: Mutation): boolean {
  const number = typeof value === "object" && value !== null && "raw" in value ? String(value.raw) : ""
  return rule === "contract/format" || /e-\d{3}|\d{16}/.test(number)
}

const faults = mutationsOf(fullInvoice()).filter((fault) => !isApart(fault))

function changed({ path, property, value }: Mutation): unknown {
  const { text } = written(
    withChange(fullInvoice(), property === undefined ? path : [...path, property], value),
  )
  return JSON.parse(text)
}

describe("freight invoice schema", () => {
  it("is JSON Schema 2020-12 with a name of its own for each stage", () => {
    expect([canonical.$schema, draft.$schema]).toEqual(
      Array(2).fill("https://json-schema.org/draft/2020-12/schema"),
    )
    expect([canonical.$id, draft.$id]).toEqual(["invoice.schema.json", "invoice-draft.schema.json"])
    expect([canonical.title, draft.title]).toEqual(["Invoice", "Invoice draft"])
  })

  it("marks what the service fills in as read only", () => {
    const readOnly = (properties: Record<string, { readOnly?: boolean }> = {}) =>
      Object.keys(properties).filter((name) => properties[name]?.readOnly)
    expect(readOnly(canonical.properties)).toEqual(["docType", "correlationId", "timestamp"])
    expect(readOnly(canonical.$defs.LineItem?.properties)).toEqual(["uniqueLineKey"])
  })

  it("has no keyword or format of this tool's own", () => {
    expect(JSON.stringify([canonical, draft])).not.toMatch(/x-managed|email-or-empty/)
  })

  it("differs for a draft in what must be there, and in $schema, alone", () => {
    const {
      $id: _,
      title: _title,
      description: _words,
      required,
      properties,
      ...rest
    } = draft as Schema & { description: string }
    expect(required).toEqual(["metadata", "data"])
    expect(canonical).toMatchObject(rest)
    const { $schema, ...others } = properties
    expect($schema).toMatchObject({ type: "string" })
    expect(others).toEqual(canonical.properties)
  })

  it.each([
    ["a full invoice", fullInvoice()],
    ["a minimal invoice", minimalInvoice()],
  ])("takes %s at both stages", (_, document) => {
    expect([isInvoice(document), isDraft(document)]).toEqual([true, true])
  })

  it.each([
    ["a full draft", fullDraft()],
    ["a minimal draft", minimalDraft()],
  ])("takes %s as a draft only", (_, document) => {
    expect([isInvoice(document), isDraft(document)]).toEqual([false, true])
  })

  it("refuses every invoice with one fault", () => {
    expect(faults.filter((fault) => isInvoice(changed(fault)))).toEqual([])
  })

  it("refuses as a draft every such invoice that lacks more than the service's part", () => {
    const managed = ["docType", "correlationId", "timestamp"]
    const others = faults.filter(
      ({ rule, property = "" }) => rule !== "contract/required" || !managed.includes(property),
    )
    expect(others.length).toBeGreaterThan(faults.length - 4)
    expect(others.filter((fault) => isDraft(changed(fault)))).toEqual([])
  })

  it.each([
    ["an id that is none", ["correlationId"], "7d0c9bd0"],
    ["a date without a time", ["data", "invoiceDate"], "2026-11-20"],
    ["a day that is none", ["data", "dueDate"], "2026-02-30T00:00:00Z"],
    ["a date in another form", ["data", "paymentTerms", "discountTerms", 0, "discountDueDate"], "4/12/2026"],
    ["an email address that is none", ["data", "contacts", 0, "email"], "mai"],
  ])("refuses %s", (_, path, value) => {
    expect(isInvoice(withChange(fullInvoice(), path, value))).toBe(false)
  })

  it("takes anything in the extension fields", () => {
    expect(isDraft(withChange(draftOf(fullInvoice()), ["data", "extrinsics", "x"], [null, { y: 1 }]))).toBe(
      true,
    )
  })

  it("is one line where that is asked for", async () => {
    const { stdout } = await freight(["invoice", "schema", "--format", "ndjson"])
    expect(stdout.trimEnd().split("\n")).toHaveLength(1)
    expect(JSON.parse(stdout)).toEqual(canonical)
  })
})
