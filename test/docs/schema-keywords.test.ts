/**
 * The keywords that the invoice schema may use are enforced: each is put into a copy of the schema, which is built, and a
 * value that breaks it is reported.
 */
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fullInvoice } from "../invoice/samples.ts"
import { raw, written } from "../invoice/writer.ts"
import { copyTree, run } from "./tree-copy.ts"

type Node = Record<string, unknown>

/** A keyword, where it goes, and a value that breaks it. */
interface Case {
  name: string
  /** Names of the properties on the way to the schema below `$defs`, the definition first. */
  at: readonly string[]
  keywords: Node
  /** Where the value is in the document. */
  pointer: string
  wrong: unknown
  right: unknown
  rule: string
  property?: string
  /** `message — hint`, where the words are the point. */
  said?: string
}

/** A script of the build, which has no types. */
const GENERATOR = new URL("../../scripts/invoice-validators.mjs", import.meta.url).href
const LINE = "/data/lineItems/0"
const CASES: readonly Case[] = [
  {
    name: "pattern",
    at: ["InvoiceData", "invoiceNumber"],
    keywords: { pattern: "^[A-Z]+-\\d+$" },
    pointer: "/data/invoiceNumber",
    wrong: "INV 7",
    right: "INV-7",
    rule: "contract/pattern",
    said: 'invoice number: must match ^[A-Z]+-\\d+$, not "INV 7"',
  },
  {
    name: "pattern of counted characters",
    at: ["BankDetails", "bsb"],
    keywords: { pattern: "^\\d{3}-?[0-9]{3}$", examples: [] },
    pointer: "/data/remitTo/bankDetails/bsb",
    wrong: "62-000",
    right: "062-000",
    rule: "contract/pattern",
    said: 'remit to, bank details, BSB: must match ^\\d{3}-?[0-9]{3}$, not "62-000"',
  },
  {
    name: "pattern of alternatives",
    at: ["BankDetails", "swift"],
    keywords: { pattern: "^(?:[A-Z]{8}|[A-Z]{11})$", examples: ["HARBAU2S"] },
    pointer: "/data/remitTo/bankDetails/swift",
    wrong: "x",
    right: "HARBAUSS",
    rule: "contract/pattern",
    said: 'remit to, bank details, SWIFT code: must match ^(?:[A-Z]{8}|[A-Z]{11})$, not "x"',
  },
  {
    name: "const of true or false",
    at: ["InvoiceData", "isERS"],
    keywords: { const: false },
    pointer: "/data/isERS",
    wrong: true,
    right: false,
    rule: "contract/const",
    said: "evaluated receipt: must be false, not true — write false",
  },
  {
    name: "minLength",
    at: ["InvoiceData", "poNumber"],
    keywords: { minLength: 2 },
    pointer: "/data/poNumber",
    wrong: "😀",
    right: "PO",
    rule: "contract/minLength",
  },
  {
    name: "maxLength",
    at: ["Supplier", "name"],
    keywords: { maxLength: 3 },
    pointer: "/data/supplier/name",
    wrong: "😀😀😀😀",
    right: "😀😀😀",
    rule: "contract/maxLength",
  },
  {
    name: "minimum",
    at: ["LineItem", "quantity"],
    keywords: { minimum: 1 },
    pointer: `${LINE}/quantity`,
    wrong: raw("0.99"),
    right: 1,
    rule: "contract/minimum",
  },
  {
    name: "maximum, exactly",
    at: ["LineItem", "invoiceLineNumber"],
    keywords: { maximum: 900 },
    pointer: `${LINE}/invoiceLineNumber`,
    wrong: raw("901.0"),
    right: raw("900.00000000000000000"),
    rule: "contract/maximum",
  },
  {
    name: "exclusiveMaximum, exactly",
    at: ["LineItem", "unitPrice"],
    keywords: { exclusiveMaximum: 1000, multipleOf: 0.000001 },
    pointer: `${LINE}/unitPrice`,
    wrong: raw("1000.00000000000000"),
    right: raw("999.99999900000000000000"),
    rule: "contract/exclusiveMaximum",
  },
  {
    name: "minItems",
    at: ["LineItem", "serialNumbers"],
    keywords: { minItems: 1 },
    pointer: `${LINE}/serialNumbers`,
    wrong: [],
    right: ["A"],
    rule: "contract/minItems",
  },
  {
    name: "maxItems",
    at: ["LineItem", "serialNumbers"],
    keywords: { maxItems: 2 },
    pointer: `${LINE}/serialNumbers`,
    wrong: ["A", "B", "C"],
    right: ["A", "B"],
    rule: "contract/maxItems",
  },
  {
    name: "uniqueItems",
    at: ["LineItem", "serialNumbers"],
    keywords: { uniqueItems: true },
    pointer: `${LINE}/serialNumbers`,
    wrong: ["A", "A"],
    right: ["A", "a"],
    rule: "contract/uniqueItems",
  },
  {
    name: "const",
    at: ["InvoiceMetadata", "userAgent"],
    keywords: { const: "ledger/1" },
    pointer: "/metadata/userAgent",
    wrong: "ledger/2",
    right: "ledger/1",
    rule: "contract/const",
  },
  {
    name: "enum",
    at: ["InvoiceMetadata", "sourceVersion"],
    keywords: { enum: ["1.0", "1.1"] },
    pointer: "/metadata/sourceVersion",
    wrong: "2.0",
    right: "1.1",
    rule: "contract/enum",
  },
  {
    name: "multipleOf 0.25",
    at: ["LineItem", "discountAmount"],
    keywords: { multipleOf: 0.25 },
    pointer: `${LINE}/discountAmount`,
    wrong: raw("0.30"),
    right: raw("0.750"),
    rule: "contract/multipleOf",
    said: "line item 1, discount amount: 0.30 is not a multiple of 0.25 — write 0.25 or 0.50",
  },
  {
    name: "multipleOf 5",
    at: ["LineItem", "poLineReference"],
    keywords: { multipleOf: 5 },
    pointer: `${LINE}/poLineReference`,
    wrong: -12,
    right: 10,
    rule: "contract/multipleOf",
    said: "line item 1, purchase order line: -12 is not a multiple of 5 — write -15 or -10",
  },
  {
    name: "format beside maxLength: the length",
    at: ["PartyContact", "email"],
    keywords: { maxLength: 12 },
    pointer: "/data/supplier/contact/email",
    wrong: "accounts@example.com",
    right: "a@b.example",
    rule: "contract/maxLength",
  },
  {
    name: "format beside maxLength: the format",
    at: ["PartyContact", "email"],
    keywords: { maxLength: 12 },
    pointer: "/data/supplier/contact/email",
    wrong: "a at b",
    right: "",
    rule: "contract/format",
  },
  {
    name: "dependentRequired",
    at: ["ShipmentDetails"],
    keywords: { dependentRequired: { trackingNumber: ["carrier"] } },
    pointer: "/data/shipmentDetails",
    wrong: { trackingNumber: "T-1" },
    right: { trackingNumber: "T-1", carrier: "B" },
    rule: "contract/dependentRequired",
    property: "carrier",
  },
  {
    name: "if and then",
    at: ["AsnReference"],
    keywords: {
      if: {
        type: "object",
        properties: { shipmentId: { type: "string", const: "S-1" } },
        required: ["shipmentId"],
      },
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      then: { required: ["documentId"] },
    },
    pointer: "/data/asnReference",
    wrong: { shipmentId: "S-1" },
    right: { shipmentId: "S-2" },
    rule: "contract/required",
    property: "documentId",
  },
]

function nodeAt(schema: Node, [definition = "", ...names]: readonly string[]): Node {
  const definitions = schema.$defs as Record<string, Node>
  return names.reduce(
    (node, name) => (node.properties as Record<string, Node>)[name] as Node,
    definitions[definition] as Node,
  )
}

/** The sound invoice with the right values of all cases, and the wrong one of this. */
function invoiceWith(wrong?: Case) {
  const document = fullInvoice() as unknown as Node
  for (const each of CASES) setAt(document, each.pointer, each.right)
  if (wrong) setAt(document, wrong.pointer, wrong.wrong)
  const data = document.data as { lineItems: Node[] }
  data.lineItems = data.lineItems.slice(0, 1)
  return written(document)
}

function setAt(document: Node, pointer: string, value: unknown): void {
  const names = pointer.slice(1).split("/")
  const last = names.pop() ?? ""
  const holder = names.reduce((at, name) => at[name] as Node, document)
  holder[last] = value
}

describe("a schema with more keywords", () => {
  let copy: Awaited<ReturnType<typeof copyTree>>
  const validate = (...files: string[]) =>
    run(
      process.execPath,
      ["bin/freight.js", "invoice", "validate", ...files, "--no-accounting", "--format", "json"],
      copy.folder,
    )
  const nameFile = (each?: Case) => `invoice-${each === undefined ? "right" : CASES.indexOf(each)}.json`
  /** The findings of each case's wrong invoice; all are validated at once. */
  let results: { file: string; findings: { message: string; hint: string }[] }[] = []

  beforeAll(async () => {
    copy = await copyTree()
    const file = path.join(copy.folder, "schemas/invoice.schema.json")
    const schema = JSON.parse(readFileSync(file, "utf8"))
    for (const { at, keywords } of CASES) Object.assign(nodeAt(schema, at), keywords)
    writeFileSync(file, JSON.stringify(schema))
    const built = await run(
      "sh",
      ["-ec", "node scripts/generate.mjs && node scripts/outputs.mjs && node scripts/bundle.mjs"],
      copy.folder,
    )
    expect(built.code, built.output).toBe(0)
    for (const each of [undefined, ...CASES])
      writeFileSync(path.join(copy.folder, nameFile(each)), invoiceWith(each).text)
    const { code, output } = await validate(...CASES.map(nameFile))
    expect(code, output).toBe(1)
    results = JSON.parse(output).items
  })
  afterAll(() => copy.remove())

  it("finds nothing in an invoice that keeps them", async () => {
    const { code, output } = await validate(nameFile())
    expect(JSON.parse(output).items[0].findings).toEqual([])
    expect(code).toBe(0)
  })

  it.each(CASES)("reports $name at its place", (each) => {
    const { place } = invoiceWith(each)
    const findings = results.find(({ file }) => file === nameFile(each))?.findings ?? []
    const path = each.pointer
      .slice(1)
      .split("/")
      .map((name) => (/^\d+$/.test(name) ? Number(name) : name))
    const { rule, pointer, property } = each
    const [first] = findings
    expect(`${first?.message} — ${first?.hint}`).toContain(each.said ?? "")
    expect(findings).toMatchObject([
      {
        ...{ rule, severity: "error", pointer, ...(property && { property }), ...place(path) },
        message: expect.not.stringContaining("breaks the contract's rule"),
      },
    ])
  })
})

describe("a schema that cannot be enforced exactly fails the build", () => {
  const original = readFileSync(
    path.resolve(import.meta.dirname, "../../schemas/invoice.schema.json"),
    "utf8",
  )

  it.each<[string, readonly string[], Node, RegExp]>([
    ["a keyword that nobody knows", ["Supplier", "name"], { patern: "x" }, /Supplier.*name: patern/],
    ["anyOf", ["Supplier", "name"], { anyOf: [{}] }, /anyOf/],
    ["a list of types", ["LineItem", "quantity"], { type: ["integer", "null"] }, /quantity: type/],
    ["a number that is constant", ["LineItem", "quantity"], { const: 0.1 }, /quantity: const/],
    ["a choice of numbers", ["LineItem", "taxRate"], { enum: [0, 10] }, /taxRate: enum/],
    [
      "unique items that may be numbers",
      ["LineItem", "serialNumbers"],
      { items: { type: "number" }, uniqueItems: true },
      /serialNumbers: uniqueItems/,
    ],
    ["a format that nobody knows", ["Supplier", "name"], { format: "iban" }, /iban/],
    [
      "a managed field that is required further in",
      ["LineItem"],
      { required: ["uniqueLineKey"] },
      /uniqueLineKey/,
    ],
    ["an unknown field that is required", ["Supplier"], { required: ["nmae"] }, /Supplier: required .*nmae/],
    [
      "an unknown field that is required on a condition",
      ["AsnReference"],
      // biome-ignore lint/suspicious/noThenProperty: it is the keyword
      { if: { type: "object" }, then: { required: ["documentNr"] } },
      /required .*documentNr/,
    ],
    [
      "an unknown field that another needs",
      ["ShipmentDetails"],
      { dependentRequired: { trackingNumber: ["carier"] } },
      /dependentRequired .*carier/,
    ],
    [
      "a field without a title",
      ["Supplier"],
      { properties: { id: { type: "string" } } },
      /Supplier.*id: title/,
    ],
    ["a length of a number", ["LineItem", "quantity"], { maxLength: 3 }, /maxLength/],
    ["a limit that is a text", ["LineItem", "quantity"], { maximum: "3" }, /maximum/],
  ])("%s", async (_, at, keywords, says) => {
    const { invoiceValidators } = await import(GENERATOR)
    const schema = JSON.parse(original)
    Object.assign(nodeAt(schema, at), keywords)
    await expect(invoiceValidators(JSON.stringify(schema))).rejects.toThrow(says)
  })
})
