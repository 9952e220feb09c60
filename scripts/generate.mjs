// Generates from schemas/ the types of the contracts (kept in git), and their validators, compiled ahead of time so
// that nothing loads ajv at run time; and packs the places of data/. `--out DIR` writes elsewhere, `--schemas DIR` reads from elsewhere.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import { brotliCompressSync, constants } from "node:zlib"
import Ajv2020 from "ajv/dist/2020.js"
import { _, stringify } from "ajv/dist/compile/codegen/index.js"
import standaloneCode from "ajv/dist/standalone/index.js"
import { fullFormats } from "ajv-formats/dist/formats.js"
import Holidays from "date-holidays"
import { compile } from "json-schema-to-typescript"
import { rolldown } from "rolldown"
import { draftOf, invoiceValidators, SCHEMA_CHECKS } from "./invoice-validators.mjs"
import { STRICT } from "./strict-keywords.mjs"

const ROOT = path.resolve(import.meta.dirname, "..")
const FILES = ["freight", "direct-print", "booking-file", "invoice"].map((name) => `${name}.schema.json`)
const HEADER =
  "// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.\n"

/** Requests: checked strictly. */
const REQUESTS = {
  "freight.schema.json": [
    "RateRequest",
    "ConsignmentBookingRequest",
    "PickupBookingRequest",
    "PrintRequest",
    "BookingAddress",
  ],
  "direct-print.schema.json": ["PrintJobRequest"],
  "booking-file.schema.json": ["BookingFile"],
}
/** Replies, errors included. */
const REPLIES = {
  "freight.schema.json": [
    "ConnectorListResponse",
    "AggregatedRateResponse",
    "SingleConnectorRateResponse",
    "BookingResponse",
    "ShipmentListResponse",
    "ShipmentDetailResponse",
    "TrackingResponse",
    "PickupBookingResponse",
    "PickupBookingDetailResponse",
    "PrintDeviceListResponse",
    "PrintJobCreated",
    "ErrorBody",
    "LabelNotAvailableError",
    "PrintNotFoundError",
    "PickupServerError",
  ],
  "direct-print.schema.json": [
    "DeviceListResponse",
    "DirectPrintJobCreated",
    "ForbiddenError",
    "RateLimitError",
  ],
}
/** The document of the invoice contract, whole and as a sender holds it. */
const INVOICES = { "invoice.schema.json": ["CanonicalInvoice"], "invoice-draft": ["DraftInvoice"] }
/** Keywords for people who write files: they would only make the validators larger. */
const ANNOTATIONS = new Set([
  ...["title", "description", "examples"],
  // See docs/architecture.md: the carriers that alone read a field, how it is written, and words for its question.
  ...["x-carrier", "x-kind", "x-names", "x-hint"],
  // The fields that a reply needs to mean anything, and the values for fields that it lacks: see src/contract/shape.ts.
  ...["x-needed", "x-else"],
])
/** Maximum size of the packed places: 250 kB as base64. */
const MAX_PLACE_BYTES = 187_000
/** The years whose public holidays are known. */
const [FIRST_YEAR, LAST_YEAR] = [2026, 2040]
/** After so many errors a validator leaves lists and objects: those of millions would take all time and memory. */
const MAX_ERRORS = 1000

const { values } = parseArgs({
  options: { out: { type: "string", default: "src" }, schemas: { type: "string", default: "schemas" } },
})
const out = path.resolve(ROOT, values.out)
const texts = FILES.map((file) => readFileSync(path.resolve(ROOT, values.schemas, file), "utf8"))
const schemas = texts.map((text) => JSON.parse(text))

/** Every definition by its name, whichever file it is in. No two share one. */
const [, , bookingFile, invoice] = schemas
const draft = draftOf(invoice)
const definitions = Object.assign(
  { BookingFile: bookingFile, Invoice: invoice, DraftInvoice: draft },
  ...schemas.map((schema) => schema.$defs),
)
const definitionOf = (ref) => definitions[ref.slice(ref.lastIndexOf("/") + 1)]

/** A plan; the requests in it are checked by their own validators. */
const planText = readFileSync(path.resolve(ROOT, values.schemas, "plan.schema.json"), "utf8")

const requests = await validators(REQUESTS, ANNOTATIONS)
const replies = await validators(REPLIES, new Set([...ANNOTATIONS, ...STRICT]))
const [, , , invoiceText] = texts
const invoices = await selfContained(await invoiceValidators(invoiceText), SCHEMA_CHECKS)
write("contract/generated/requests.js", requests)
write("contract/generated/replies.js", replies)
write("contract/generated/requests.d.ts", declarations(REQUESTS))
write("contract/generated/replies.d.ts", declarations(REPLIES))
write("contract/generated/shapes.ts", shapes())
write("contract/generated/types.ts", await types())
write("contract/generated/formats.ts", formats())
write("contract/generated/carrier-fields.ts", carrierFields())
write("invoice/generated/validators.js", invoices)
write("invoice/generated/validators.d.ts", invoiceDeclarations())
write("orders/batch/plan/generated/plan.js", await planValidator())
write("orders/batch/plan/generated/plan.d.ts", "export function Plan(value: unknown): boolean\n")
write("machine/places/generated/holidays.js", holidaysOfStates(), "")
write("machine/places/generated/packed.js", `export const packed = "${packPlaces()}"\n`, "")

/**
 * The localities of data/ in a form that is small and quickly read: see src/machine/places/list.ts. A line for each postcode and
 * its states, with the names, and after a blank line the number of addresses of each.
 */
function packPlaces() {
  const lines = ["localities.csv", "names-in-use.csv"].flatMap((name) =>
    readFileSync(path.resolve(ROOT, "data", name), "utf8")
      .trim()
      .split(/\r?\n/)
      .slice(1),
  )
  const byPostcode = new Map()
  for (const line of lines) {
    const [name, states, postcode, count = "0"] = line.split(",")
    const key = `${postcode} ${states}`
    byPostcode.set(key, [...(byPostcode.get(key) ?? []), { name, count }])
  }
  const groups = [...byPostcode].sort(([one], [other]) => (one < other ? -1 : 1))
  const names = groups.map(([key, places]) => `${key}:${places.map(({ name }) => name).join(",")}`)
  const counts = groups.flatMap(([, places]) => places.map(({ count }) => count))
  const text = [...names, "", counts.join(" ")].join("\n")
  const packed = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } })
  if (packed.length > MAX_PLACE_BYTES) throw new Error(`the places take ${packed.length} bytes`)
  return packed.toString("base64")
}

/**
 * The public holidays of each state, as date-holidays knows them: the whole package is 12 MB. Those that begin in the
 * evening are left out.
 */
function holidaysOfStates() {
  const holidays = new Holidays()
  const found = new Map()
  for (const state of Object.keys(holidays.getStates("AU"))) {
    holidays.init("AU", state)
    for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
      for (const { date, name, type } of holidays.getHolidays(year, "en")) {
        if (type !== "public" || !date.endsWith("00:00:00")) continue
        const key = `${date.slice(0, 10)} ${name.replace(" (substitute day)", "")}`
        found.set(key, [...(found.get(key) ?? []), state])
      }
  }
  const lines = [...found].map(([key, states]) => `${key}|${states.sort().join(" ")}`).sort()
  return `export const holidays = ${JSON.stringify(lines.join("\n"))}\n`
}

/** One self-contained module that exports a validator for each of the names; they know nothing of what is left out. */
async function validators(names, leftOut) {
  const ajv = new Ajv2020({
    schemas: texts.map((text) => without(text, leftOut)),
    strict: true,
    strictRequired: false,
    allErrors: true,
    inlineRefs: false,
    validateFormats: false,
    code: { source: true, esm: true, lines: true },
  })
  ajv.addVocabulary(["errorMessage", "x-managed"])
  extendErrors(ajv)
  const refs = Object.entries(names).flatMap(([file, list]) => list.map((name) => [name, refTo(file, name)]))
  return selfContained(limited(standaloneCode(ajv, Object.fromEntries(refs))))
}

async function planValidator() {
  const own = planText.replaceAll(/"\$ref": "freight\.[^"]*"/g, '"type": "object"')
  const ajv = new Ajv2020({
    schemas: [without(own, ANNOTATIONS)],
    strict: true,
    strictRequired: false,
    inlineRefs: false,
    messages: false,
    code: { source: true, esm: true, lines: true },
  })
  return selfContained(standaloneCode(ajv, { Plan: "plan.schema.json" }))
}

function limited(source) {
  const loop = /for\((let (\w+)=0; \2<\w+; \2\+\+|const \w+ in \w+)\)\{/g
  if (!loop.test(source)) throw new Error("ajv goes through lists in another way than this build knows")
  return source.replace(loop, `$& if (errors >= ${MAX_ERRORS}) break;`)
}

/** The module with what it takes from ajv written into it. @param external what stays an import */
async function selfContained(source, ...external) {
  // A file that is not on the disk, in the place where what it imports is found.
  const file = path.join(ROOT, "validators.js")
  const bundle = await rolldown({
    input: file,
    platform: "node",
    external,
    // No comments with the paths of modules: they are others in a copy of the source.
    experimental: { attachDebugInfo: "none" },
    plugins: [
      {
        name: "validators",
        resolveId: (id) => (id === file ? id : undefined),
        load: (id) => (id === file ? source : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({
    format: "esm",
    minify: { compress: true, mangle: false, codegen: false },
  })
  return output[0].code
}

function refTo(file, name) {
  return definitions[typeNameOf(name)].$id === file ? file : `${file}#/$defs/${name}`
}

function typeNameOf(name) {
  return name === "CanonicalInvoice" ? "Invoice" : name
}

/** The schema without these keywords. A field may have the name of one, but then what it holds is a schema. */
function without(text, keywords) {
  const isSchema = (value) => typeof value === "object" && !Array.isArray(value)
  return JSON.parse(text, (key, value) =>
    keywords.has(key) && (key.startsWith("x-") || !isSchema(value)) ? undefined : value,
  )
}

/** Lets each fault carry what its message needs: the schema's own words, and the fields that are known. */
function extendErrors(ajv) {
  for (const { definition } of Object.values(ajv.RULES.all)) {
    if (!definition?.error) continue
    const message = ({ parentSchema }) => _`${parentSchema.errorMessage ?? null}`
    definition.error = { ...definition.error, message }
  }
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    const { error } = ajv.getKeyword(keyword)
    const params = (cxt) =>
      _`Object.assign(${error.params(cxt)}, {known: ${stringify(namesIn(cxt.parentSchema))}})`
    ajv.getKeyword(keyword).error = { ...error, params }
  }
}

function namesIn(schema) {
  return Object.keys(flat(schema).properties)
}

/** The definition with what it builds upon written out. */
function flat({ $ref, allOf, ...schema }) {
  const ref = $ref ?? allOf?.[0].$ref
  if (ref === undefined) return schema
  const base = flat(definitionOf(ref))
  return {
    ...base,
    ...schema,
    properties: { ...base.properties, ...schema.properties },
    required: [...(base.required ?? []), ...(schema.required ?? [])],
  }
}

function declarations(names) {
  const list = Object.values(names).flat()
  const lines = list.map((name) => `export const ${name}: Validator<types.${typeNameOf(name)}>`)
  const imports = [
    'import type { Validator } from "../schema-errors.ts"',
    'import type * as types from "./types.ts"',
  ]
  return [...imports, "", ...lines, ""].join("\n")
}

/**
 * How an email is written, as ajv-formats has it. It is in no schema: the contract gives these texts no form, so that one
 * of another form is a warning.
 */
function formats() {
  return `export const email = ${fullFormats.email}\n`
}

function invoiceDeclarations() {
  const lines = Object.values(INVOICES)
    .flat()
    .map((name) => `export const ${name}: InvoiceValidator`)
  const managed = [
    "/** The names of the fields that the service fills in. */",
    "export const MANAGED_FIELDS: readonly string[]",
  ]
  return [`import type { InvoiceValidator } from "${SCHEMA_CHECKS}"`, "", ...lines, ...managed, ""].join("\n")
}

/** One exported type for each definition that is an object or a carrier, and the keywords that validators report. */
async function types() {
  const named = Object.keys(definitions).filter(isNamed)
  const parts = await Promise.all(named.map(typeOf))
  const keywords = new Set(
    [...`${requests}${replies}`.matchAll(/keyword: "(\w+)"/g)].map(([, keyword]) => keyword),
  )
  const union = [...keywords].sort().map((keyword) => `\n  | "${keyword}"`)
  return [
    ...parts,
    `/** The JSON Schema keywords that a validator can report. */\nexport type Keyword =${union.join("")}\n`,
  ].join("\n")
}

/** The carriers; and the fields of each request that only some of them read, by their dotted paths. */
function carrierFields() {
  const requests = ["ConsignmentBookingRequest", "RateRequest", "PickupBookingRequest"]
  const fields = requests.map((name) => {
    const lines = [...listCarrierFields(flat(definitions[name]), "")].map(
      ([path, carriers]) => `    ${JSON.stringify(path)}: ${JSON.stringify(carriers)},\n`,
    )
    return `  ${name}: {\n${lines.join("")}  },\n`
  })
  return [
    'import type { Carrier } from "./types.ts"\n',
    `export const CARRIERS = ${JSON.stringify(definitions.Carrier.enum)} as const satisfies readonly Carrier[]\n`,
    `export const CARRIER_FIELDS = {\n${fields.join("")}} as const satisfies Record<string, Record<string, readonly Carrier[]>>\n`,
  ].join("\n")
}

function* listCarrierFields(schema, above) {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const path = above === "" ? name : `${above}.${name}`
    if (field["x-carrier"]) yield [path, field["x-carrier"]]
    else yield* listCarrierFields(field.$ref ? flat(definitionOf(field.$ref)) : field, path)
  }
}

function isNamed(name) {
  return name === "Carrier" || (name !== "BookingFields" && "properties" in flat(definitions[name]))
}

/** The replies as the tolerant reader takes them: see src/contract/shape.ts. Each stands below what it is made of. */
function shapes() {
  const made = new Map()
  const refer = (ref) => {
    const name = ref.slice(ref.lastIndexOf("/") + 1)
    if (!isNamed(name) || name === "Carrier") return toShape(definitions[name], refer)
    if (!made.has(name)) {
      const shape = toShape(flat(definitions[name]), refer)
      made.set(name, `export const ${name}: ReplyShape<types.${name}> = ${shape}\n`)
    }
    return name
  }
  for (const [file, names] of Object.entries(REPLIES))
    for (const name of names) if (flat(definitions[name])["x-needed"]) refer(`${file}#/$defs/${name}`)
  const imports = [
    'import type { ReplyShape } from "../shape.ts"',
    'import type * as types from "./types.ts"',
    "",
  ]
  return [...imports, ...made.values()].join("\n")
}

/** A schema as source text. @param refer gives the text for a reference */
function toShape(schema, refer) {
  const {
    $ref,
    type,
    properties,
    items,
    then,
    const: constant,
    enum: choices = constant && [constant],
  } = schema
  const isNullable = Array.isArray(type) && type.includes("null")
  const common = isNullable ? "isNullable: true, " : ""
  if (then?.$ref !== undefined) return `{ ...${refer(then.$ref)}, isNullable: true }`
  if ($ref !== undefined) return refer($ref)
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `    ${JSON.stringify(name)}: ${toShape(field, refer)},\n`,
    )
    const { required = [], "x-needed": needed = required, "x-else": otherwise = {} } = schema
    const lists = { required, needed, otherwise }
    const texts = Object.entries(lists).map(([name, list]) => `  ${name}: ${JSON.stringify(list)},\n`)
    return `{\n  is: "object",\n  fields: {\n${fields.join("")}  },\n${texts.join("")}}`
  }
  if (items) return `{ ${common}is: "list", of: ${toShape(items, refer)} }`
  if (choices) return `{ ${common}is: "text", choices: ${JSON.stringify(choices)} }`
  const [is] = [type].flat().filter((each) => each !== "null")
  return `{ ${common}is: ${JSON.stringify(is === "string" ? "text" : is)} }`
}

function typeOf(name) {
  return compile(typeSchema(flat(definitions[name])), name, {
    bannerComment: "",
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { semi: false, printWidth: 110 },
  })
}

/**
 * Reduces a schema to the keywords that the type generator understands. A reference becomes the name of its type. The type
 * of a reply is what the tolerant reader promises: the fields that it needs or fills, and any text for listed values.
 */
function typeSchema({ $ref, description, type, enum: choices, const: constant, ...schema }) {
  const needed = schema["x-needed"]
  if (needed) {
    const open = (field) => {
      const { enum: listed, const: only } = field.$ref ? definitionOf(field.$ref) : field
      return listed || only ? { description: field.description, type: "string" } : field
    }
    const required = [...needed, ...Object.keys(schema["x-else"] ?? {})]
    const { "x-needed": _, ...rest } = schema
    return typeSchema({
      ...rest,
      description,
      type,
      required,
      properties: mapValues(schema.properties, open),
    })
  }
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1)
    return isNamed(name) ? { description, tsType: name } : typeSchema({ ...definitions[name], description })
  }
  if (schema.then?.$ref !== undefined)
    return { description, tsType: `${typeSchema(schema.then).tsType} | null` }
  if (type === "object" && !schema.properties) return { description, tsType: "Record<string, unknown>" }
  return {
    ...(description && { description }),
    ...(type && { type }),
    ...(choices && { enum: choices }),
    ...(constant !== undefined && { const: constant }),
    ...(schema.items && { items: typeSchema(schema.items) }),
    ...(schema.properties && { properties: mapValues(schema.properties, typeSchema) }),
    ...(schema.required && { required: schema.required }),
  }
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

function write(name, text, header = HEADER) {
  const file = path.join(out, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, header + text)
}
