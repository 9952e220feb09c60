/** Files with `$schema`, as people write them in an editor: what the editor says of them, and what freight does. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Ajv } from "ajv"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { beforeAll, describe, expect, it } from "vitest"
import { getLanguageService, TextDocument } from "vscode-json-languageservice"
import { exampleBooking } from "../../src/orders/booking/example.ts"
import { mutationsOf } from "../invoice/mutations.ts"
import { fullDraft, fullInvoice, minimalDraft, textOf } from "../invoice/samples.ts"
import { withChange, written } from "../invoice/writer.ts"
import { desk } from "./freight.ts"
import { invoiceDesk } from "./invoices.ts"
import { order } from "./orders.ts"

const ROOT = path.resolve(import.meta.dirname, "../..")
const BOOKING = exampleBooking(Date.now())

const { folder, freight } = await desk()
const printed = { booking: "booking.schema.json", invoice: "draft.schema.json" }
beforeAll(async () => {
  writeFileSync(path.join(folder, printed.booking), (await freight(["book", "--schema"])).stdout)
  writeFileSync(path.join(folder, printed.invoice), (await freight(["invoice", "schema", "--draft"])).stdout)
})

/** The part of Visual Studio Code that checks JSON. Schemas are read from files. */
const createEditor = () =>
  getLanguageService({
    schemaRequestService: async (uri) => readFileSync(fileURLToPath(uri), "utf8"),
    workspaceContext: { resolveRelativePath: (relative, base) => new URL(relative, base).href },
  })
const editor = createEditor()

/** A document in the folder of the test, that names its schema in its first member. */
function open(schema: string, document: object) {
  const text = JSON.stringify({ $schema: schema, ...document }, null, 2)
  const file = pathToFileURL(path.join(folder, "document.json")).href
  const opened = TextDocument.create(file, "json", 1, text)
  return { text, opened, json: editor.parseJSONDocument(opened) }
}

/** Texts that the editor underlines, each with its message. */
async function underlined(schema: string, document: object): Promise<string[]> {
  const { opened, json } = open(schema, document)
  const found = await editor.doValidation(opened, json, { schemaValidation: "error", schemaRequest: "error" })
  return found.map(({ range, message }) => `${opened.getText(range)}: ${message}`)
}

async function offered(schema: string, document: object, after: string): Promise<string[]> {
  const { text, opened, json } = open(schema, document)
  const position = opened.positionAt(text.indexOf(after) + after.length)
  return (await editor.doComplete(opened, position, json))?.items.map(({ label }) => label) ?? []
}

const BOOKING_SCHEMAS = [
  ["as it is printed", `./${printed.booking}`],
  ["of the package", pathToFileURL(path.join(ROOT, "schemas/booking-file.schema.json")).href],
] as const

describe("an editor with the schema of a booking file", () => {
  it.each(
    BOOKING_SCHEMAS,
  )("%s: marks what is wrong alone, and offers fields and values", async (_, schema) => {
    expect(await underlined(schema, BOOKING)).toEqual([])
    const { payer: _payer, ...rest } = BOOKING
    const wrong = { ...rest, payr: BOOKING.payer, collectionDateTime: "2026-02-30T10:00" }
    expect((await underlined(schema, wrong)).sort()).toEqual([
      '"2026-02-30T10:00": must be a day and a time without a zone, written like 2026-11-23T10:00:00',
      '"payr": Property payr is not allowed.',
      '{: Missing property "payer".',
    ])
    expect(await underlined(schema, { ...BOOKING, dangerousGoods: true })).toEqual([
      expect.stringContaining('Missing property "dangerousGoodsDetails"'),
    ])
    const document = { payer: { type: "" } }
    expect(await offered(schema, document, '"payer": {')).toContain("accountNumber")
    const types = ["Receiver", "Sender", "ThirdParty"].map((type) => `"${type}"`)
    expect((await offered(schema, document, '"type": "')).sort()).toEqual(types)
  })
})

describe("an editor with the schema of a draft invoice", () => {
  const schema = `./${printed.invoice}`

  it.each([
    ["a draft", minimalDraft()],
    ["a full draft", fullDraft()],
    ["what the service has filled in", fullInvoice()],
  ])("has nothing against %s, nor against $schema", async (_, document) => {
    expect(await underlined(schema, document)).toEqual([])
  })

  it("marks what is wrong", async () => {
    const wrong = withChange(minimalDraft(), ["data", "purpose"], "gift")
    expect(await underlined(schema, { ...Object(wrong), dta: {} })).toEqual([
      expect.stringMatching(/^"gift": Value is not accepted\. Valid values: "standard"/),
      '"dta": Property dta is not allowed.',
    ])
  })

  it("offers fields and values, and says what they are", async () => {
    const document = { metadata: { sourceLanguage: "" }, data: {} }
    expect(await offered(schema, document, '"data": {')).toContain("invoiceNumber")
    expect((await offered(schema, document, '"sourceLanguage": "')).sort()).toEqual(['"cxml"', '"json"'])
    const { text, opened, json } = open(schema, document)
    const hover = await editor.doHover(opened, opened.positionAt(text.indexOf("sourceLanguage")), json)
    expect(JSON.stringify(hover?.contents)).toContain("The format that the invoice was first written in")
  })
})

describe("a schema that is printed for editors", () => {
  const read = (name: string) => JSON.parse(readFileSync(path.join(folder, name), "utf8"))
  const compile = (ajv: Ajv | Ajv2020, schema: object) => {
    formats.default(ajv)
    ajv.addVocabulary(["errorMessage"])
    return ajv.compile(schema)
  }

  it.each(Object.entries(printed))("%s: is sound, and needs no other file", (_, name) => {
    const schema = read(name)
    expect(JSON.stringify(schema)).not.toMatch(/"\$ref":"[^#]/)
    expect(compile(new Ajv2020({ strict: true, strictRequired: false }), schema)).toBeTypeOf("function")
  })

  it.each([
    ["booking", BOOKING],
    ["invoice", fullDraft()],
  ] as const)("%s: says the same to who knows draft 07 only", (kind, document) => {
    const schema = read(printed[kind])
    const options = { strict: false, multipleOfPrecision: 6 }
    const now = compile(new Ajv2020(options), schema)
    const before = compile(new Ajv(options), {
      ...schema,
      $schema: "http://json-schema.org/draft-07/schema#",
    })
    const faults = mutationsOf(fullInvoice()).map(({ path: at, property, value }) =>
      JSON.parse(written(withChange(document, property === undefined ? at : [...at, property], value)).text),
    )
    const all = kind === "invoice" ? faults : [{ ...BOOKING, x: 1 }, { ...BOOKING, dangerousGoods: true }, {}]
    expect(all.length).toBeGreaterThan(2)
    for (const each of [document, { $schema: "x", ...document }, { ...document, $schema: 1 }, ...all])
      expect(before(each)).toBe(now(each))
    expect([now({ $schema: "x", ...document }), now({ ...document, $schema: 1 })]).toEqual([true, false])
  })
})

describe("the schemas of the package", () => {
  it("have an $id each, the name of the file, and are sound", () => {
    const names = readdirSync(path.join(ROOT, "schemas")).filter((name) => name.endsWith(".schema.json"))
    expect(names).toHaveLength(6)
    for (const name of names) {
      const schema = JSON.parse(readFileSync(path.join(ROOT, "schemas", name), "utf8"))
      const ajv = new Ajv2020()
      expect([schema.$id, ajv.validateSchema(schema), ajv.errors]).toEqual([name, true, null])
    }
  })

  interface Catalog {
    schemas: { name: string; description: string; fileMatch: string[]; url: string }[]
  }
  const catalog: Catalog = JSON.parse(readFileSync(path.join(ROOT, "schemas/catalog.json"), "utf8"))
  const page = readFileSync(path.join(ROOT, "docs/editors.md"), "utf8")

  it("are ready for SchemaStore: an entry each for what people write, in the order of names", () => {
    const names = catalog.schemas.map(({ name }) => name)
    expect(names).toEqual([...names].sort())
    for (const entry of catalog.schemas) {
      expect(Object.keys(entry)).toEqual(["name", "description", "fileMatch", "url"])
      const [, file = ""] = /^https:\/\/json\.schemastore\.org\/([\w-]+\.json)$/.exec(entry.url) ?? []
      expect(entry.fileMatch).toEqual([`*.${file}`])
      expect(page).toContain(`src/schemas/json/${file}`)
    }
  })

  it("are found by the names of files, as docs/editors.md has it", async () => {
    const [, settings = ""] = /```json\n(\{\n {2}"json\.schemas"[^`]*)```/.exec(page) ?? []
    const mappings: { fileMatch: string[]; url: string }[] = JSON.parse(settings)["json.schemas"]
    const schemas = {
      "./.vscode/invoice.schema.json": printed.invoice,
      "./.vscode/booking.schema.json": printed.booking,
    }
    expect(mappings.map(({ url }) => url)).toEqual(Object.keys(schemas))
    const service = createEditor()
    service.configure({
      schemas: mappings.map(({ fileMatch, url }) => ({
        fileMatch,
        uri: pathToFileURL(path.join(folder, schemas[url as keyof typeof schemas])).href,
      })),
    })
    const marks = async (name: string): Promise<boolean> => {
      const file = pathToFileURL(path.join(folder, name)).href
      const opened = TextDocument.create(file, "json", 1, '{"x":1}')
      return (await service.doValidation(opened, service.parseJSONDocument(opened))).length > 0
    }
    for (const name of [
      "invoices/INV-1.json",
      "a.freight-invoice.json",
      "bookings/b.json",
      "in/b.freight-booking.json",
    ])
      expect([name, await marks(name)]).toEqual([name, true])
    expect(await marks("package.json")).toBe(false)
  })
})

const SCHEMA = { $schema: "./draft.schema.json" }
const DRAFT = textOf({ ...SCHEMA, ...fullDraft() })
const CANONICAL = textOf({ ...SCHEMA, ...fullInvoice() })

describe("an invoice with $schema", () => {
  it("is valid as a draft, with a warning that it has to go", async () => {
    const { validate } = await invoiceDesk({ "a.json": DRAFT })
    const { code, stdout } = await validate(["a.json"])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "a.json:2:3 (INV-1001)  warning  contract/additionalProperties
        invoice: "$schema" is for editors; the contract has no such field
            "$schema": "./draft.schema.json",
            ^
        → remove it before you send the invoice

      a.json: valid, 1 warning
      --fix fixes this: it shows the changes and asks.
      "
    `)
  })

  it.each([
    ["one of a file", "a.json", DRAFT, 2],
    ["one of a list", "a.json", `[${DRAFT}]`, 2],
    ["one of lines", "a.ndjson", JSON.stringify(JSON.parse(DRAFT)), 1],
  ])("is the same as %s", async (_, name, text, line) => {
    const { validate } = await invoiceDesk({ [name]: text })
    const { code, items } = await validate([name, "--json"])
    expect([code, items<{ findings: object[] }>()[0]?.findings]).toEqual([
      0,
      [expect.objectContaining({ rule: "contract/additionalProperties", severity: "warning", line })],
    ])
  })

  it("is not valid where the service has filled it in, or warnings are errors, or it names none", async () => {
    const { verdicts, validate } = await invoiceDesk({
      "a.json": DRAFT,
      "b.json": CANONICAL,
      "c.json": textOf({ $schema: 7, ...fullDraft() }),
      "d.json": textOf(withChange(fullDraft(), ["data", "$schema"], "x")),
    })
    for (const name of ["b.json", "c.json"])
      expect(await verdicts([name])).toEqual([1, `${name} contract/additionalProperties 2:3`])
    for (const words of ["b.json", "c.json", "d.json", "a.json --strict", "a.json --complete"])
      expect((await validate(words.split(" "))).code).toBe(1)
  })

  it.each([
    ["a draft", DRAFT, fullDraft()],
    ["what the service has filled in", CANONICAL, fullInvoice()],
  ])("is fixed by --fix: %s", async (_, text, fixed) => {
    const { folder: own, validate } = await invoiceDesk({ "a.json": text })
    const { code, stdout } = await validate(["a.json", "--fix", "--yes"])
    expect([code, stdout.includes("valid")]).toEqual([0, true])
    expect(readFileSync(path.join(own, "a.json"), "utf8")).toBe(textOf(fixed))
  })
})

describe("a booking with $schema", () => {
  it("is booked without it from a file", async () => {
    const own = await desk()
    writeFileSync(path.join(own.folder, "b.json"), JSON.stringify({ ...SCHEMA, ...BOOKING }))
    const args = ["book", "--sandbox", "--file", "b.json", "--dry-run", "--json"]
    const { code, stdout } = await own.freight(args)
    expect(code).toBe(0)
    expect(stdout).not.toContain("$schema")
  })

  it.each([
    ["a list", "rows.json", (rows: object[]) => JSON.stringify(rows)],
    ["lines", "rows.ndjson", (rows: object[]) => rows.map((row) => JSON.stringify(row)).join("\n")],
  ])("is a row without it in %s, and nothing is said of it", async (_, name, write) => {
    const own = await desk()
    const rows = [order("W-1"), order("W-2")].map((row) => ({ ...SCHEMA, ...row }))
    writeFileSync(path.join(own.folder, name), write(rows))
    const { code, stdout, stderr } = await own.freight(["batch", "book", name, "--sandbox", "--dry-run"])
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain("$schema")
  })
})
