// Generates src/contract/generated/ from schemas/: the types of the contract (kept in git), and its validators,
// compiled ahead of time so that nothing loads ajv at run time. `--out DIR` writes elsewhere.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parseArgs } from "node:util"
import Ajv2020 from "ajv/dist/2020.js"
import { _, stringify } from "ajv/dist/compile/codegen/index.js"
import standaloneCode from "ajv/dist/standalone/index.js"
import { build } from "esbuild"
import { compile } from "json-schema-to-typescript"

const ROOT = path.resolve(import.meta.dirname, "..")
const FILES = ["freight", "direct-print", "booking-file"].map((name) => `${name}.schema.json`)
const HEADER =
  "// Generated from schemas/ by scripts/generate.mjs: change the schemas, then run `npm run generate`.\n"

/** What is sent, and so checked strictly. */
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
/** What comes back, errors included. */
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
/**
 * What a reply is not refused for: fields that are new, and the way its numbers and texts are written.
 * A booking that was made must not become unreadable over the form of a cut-off.
 */
const STRICT = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
])
/** What is for people who write files, and would only make the validators larger. */
const ANNOTATIONS = new Set(["title", "description", "examples"])

const { values } = parseArgs({ options: { out: { type: "string", default: "src/contract/generated" } } })
const out = path.resolve(ROOT, values.out)
const texts = FILES.map((file) => readFileSync(path.join(ROOT, "schemas", file), "utf8"))
const schemas = texts.map((text) => JSON.parse(text))

/** Every definition by its name, whichever file it is in. No two share one. */
const definitions = Object.assign({ BookingFile: schemas[2] }, ...schemas.map((schema) => schema.$defs))
const definitionOf = (ref) => definitions[ref.slice(ref.lastIndexOf("/") + 1)]

mkdirSync(out, { recursive: true })
const requests = await validators(REQUESTS, ANNOTATIONS)
const replies = await validators(REPLIES, new Set([...ANNOTATIONS, ...STRICT]))
write("requests.js", requests)
write("replies.js", replies)
write("requests.d.ts", declarations(REQUESTS))
write("replies.d.ts", declarations(REPLIES))
write("types.ts", await types())

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
  ajv.addVocabulary(["errorMessage"])
  tellMore(ajv)
  const refs = Object.entries(names).flatMap(([file, list]) => list.map((name) => [name, refTo(file, name)]))
  const bundle = await build({
    absWorkingDir: ROOT,
    stdin: { contents: standaloneCode(ajv, Object.fromEntries(refs)), resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    minifySyntax: true,
    legalComments: "none",
    logLevel: "warning",
  })
  return bundle.outputFiles[0].text
}

function refTo(file, name) {
  return definitions[name].$id === file ? file : `${file}#/$defs/${name}`
}

/** The schema without these keywords. A field may have the name of one, but then what it holds is a schema. */
function without(text, keywords) {
  const isSchema = (value) => typeof value === "object" && !Array.isArray(value)
  return JSON.parse(text, (key, value) => (keywords.has(key) && !isSchema(value) ? undefined : value))
}

/** Lets each fault carry what its message needs: the schema's own words, and the fields that are known. */
function tellMore(ajv) {
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
function flat({ $ref, ...schema }) {
  if ($ref === undefined) return schema
  const base = flat(definitionOf($ref))
  return {
    ...base,
    ...schema,
    properties: { ...base.properties, ...schema.properties },
    required: [...(base.required ?? []), ...(schema.required ?? [])],
  }
}

function declarations(names) {
  const list = Object.values(names).flat()
  const lines = list.map((name) => `export const ${name}: Validator<types.${name}>`)
  const imports = ['import type { Validator } from "../check.ts"', 'import type * as types from "./types.ts"']
  return [...imports, "", ...lines, ""].join("\n")
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

function isNamed(name) {
  return name === "Carrier" || (name !== "BookingFields" && "properties" in flat(definitions[name]))
}

function typeOf(name) {
  return compile(typeSchema(flat(definitions[name])), name, {
    bannerComment: "",
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { semi: false, printWidth: 110 },
  })
}

/** What the type generator understands of a schema; a reference becomes the name of the type that it names. */
function typeSchema({ $ref, description, type, enum: choices, const: constant, ...schema }) {
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1)
    return isNamed(name) ? { description, tsType: name } : typeSchema({ ...definitions[name], description })
  }
  if (schema.then?.$ref !== undefined)
    return { description, tsType: `${typeSchema(schema.then).tsType} | null` }
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

function write(name, text) {
  writeFileSync(path.join(out, name), HEADER + text)
}
