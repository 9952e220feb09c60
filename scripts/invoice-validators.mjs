// Generates what checks invoices from their JSON Schema, with ajv: src/invoice/generated/validators.js. Numbers are
// judged as they are written, and texts by freight's own formats. What cannot be enforced exactly fails the build.

import Ajv2020 from "ajv/dist/2020.js"
import { _, getProperty } from "ajv/dist/compile/codegen/index.js"
import standaloneCode from "ajv/dist/standalone/index.js"
import { fromSource } from "./from-source.mjs"

/** Keywords that say nothing of what is allowed. */
const ANNOTATIONS = new Set(["title", "description", "examples", "default", "x-managed", "$id", "$schema"])
/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE_SCHEMA = new Set(["items", "if", "then", "else"])
const SCHEMA_LIST = new Set(["allOf"])
const SCHEMA_MAP = new Set(["properties", "$defs"])
/** Keywords that are enforced besides, and can be put into words for each finding. */
const ENFORCED = new Set([
  ...["$ref", "type", "const", "enum", "required", "additionalProperties", "dependentRequired"],
  ...["minProperties", "maxProperties", "minItems", "maxItems", "uniqueItems"],
  ...["minLength", "maxLength", "pattern", "format"],
  ...["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
])
const MAX_STEP_DIGITS = 14

/**
 * The source of a module that exports `CanonicalInvoice`, `DraftInvoice` and `MANAGED_FIELDS`. The validators are called with the document
 * as `this`, which says how its numbers are written.
 * @param text the schema of whole invoices
 * @throws Error for a keyword, or a combination, that cannot be enforced exactly; it says which, and where
 */
export async function invoiceValidators(text) {
  const schema = JSON.parse(text)
  const runtime = await fromSource("src/invoice/schema-checks.ts", (loaded) => loaded)
  if (runtime.mayHaveInexactNumbers(text))
    throw new Error("the invoice schema: a number has an exponent or more than 15 digits")
  new Ajv2020({ strict: false, validateFormats: false }).validateSchema(schema, true)
  checkEnforceable(schema, "#", { isRoot: true })
  const ajv = new Ajv2020({
    // Checked above: with freight's own keywords ajv could not read the schema of schemas.
    meta: false,
    validateSchema: false,
    strict: true,
    strictNumbers: false,
    strictRequired: false,
    allErrors: true,
    inlineRefs: false,
    messages: false,
    passContext: true,
    code: { source: true, esm: true, formats: _`FORMAT_CHECKS` },
  })
  for (const [name, isValid] of Object.entries(runtime.FORMAT_CHECKS)) ajv.addFormat(name, isValid)
  for (const [keyword, check] of Object.entries(runtime.NUMBER_CHECKS)) addNumberKeyword(ajv, keyword, check)
  ajv.addSchema(forAjv(schema))
  ajv.addSchema(forAjv(draftOf(schema)))
  const fields = Object.keys(schema.properties).filter((name) => schema.properties[name]["x-managed"])
  const managed = `\nexport const MANAGED_FIELDS = ${JSON.stringify(fields)}`
  const source = standaloneCode(ajv, { CanonicalInvoice: schema.$id, DraftInvoice: DRAFT_ID })
  return `import { appendErrors, FORMAT_CHECKS, NUMBER_CHECKS } from "${SCHEMA_CHECKS}"\n${appending(source)}${managed}`
}

/** Where one validator calls another ajv copies all errors so far, which takes quadratic time when each line has one. */
function appending(source) {
  const concat = /vErrors\.concat\((\w+\.errors)\)/g
  if (!concat.test(source)) throw new Error("ajv joins errors in another way than this build knows")
  return source.replace(concat, "appendErrors(vErrors, $1)")
}

/** Where the generated module finds freight's own formats and number checks. */
export const SCHEMA_CHECKS = "../schema-checks.ts"

const DRAFT_ID = "invoice-draft"

/** The schema of the same document before the service has filled in its fields. */
export function draftOf({ $defs: _shared, ...whole }) {
  const properties = Object.entries(whole.properties).map(([name, { $ref, ...field }]) => [
    name,
    { ...field, ...($ref && { $ref: whole.$id + $ref }) },
  ])
  return {
    ...whole,
    $id: DRAFT_ID,
    description: "An invoice as its sender holds it: what the service fills in may be absent.",
    properties: Object.fromEntries(properties),
    required: whole.required.filter((name) => !whole.properties[name]["x-managed"]),
  }
}

/** Takes the place of ajv's own keyword. */
function addNumberKeyword(ajv, keyword, check) {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword,
    type: "number",
    schemaType: "number",
    code(cxt) {
      const { gen, data, schema, it } = cxt
      const isKept = gen.scopeValue("func", { ref: check, code: _`NUMBER_CHECKS${getProperty(keyword)}` })
      cxt.pass(_`${isKept}(${data}, ${schema}, this, ${it.parentData}, ${it.parentDataProperty})`)
    },
    error: { message: "", params: ({ schema }) => _`{limit: ${schema}}` },
  })
}

/** The schema without annotations, `integer` as a number that is whole. */
function forAjv(schema) {
  return mapSchemas(schema, (node) => {
    const kept = Object.entries(node).filter(([keyword]) => !ANNOTATIONS.has(keyword) || keyword === "$id")
    const { type, ...rest } = Object.fromEntries(kept)
    if (type === undefined) return rest
    return type === "integer" ? { type: "number", wholeNumber: 1, ...rest } : { type, ...rest }
  })
}

/** Each schema within a schema, and the schema itself, replaced from the inside out. */
function mapSchemas(schema, map) {
  const inner = (value) => mapSchemas(value, map)
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (ONE_SCHEMA.has(keyword)) return [keyword, inner(value)]
    if (SCHEMA_LIST.has(keyword)) return [keyword, value.map(inner)]
    if (!SCHEMA_MAP.has(keyword)) return [keyword, value]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))]
  })
  return map(Object.fromEntries(entries))
}

/** @param names of the fields of the object that a condition is about */
function checkEnforceable(schema, at, { isRoot = false, names } = {}) {
  const fail = (keyword, why) => {
    throw new Error(`the invoice schema, ${at}: ${keyword} cannot be enforced exactly: ${why}`)
  }
  if (typeof schema !== "object" || Array.isArray(schema)) fail(String(schema), "a schema is an object here")
  const known = names ?? Object.keys(schema.properties ?? {})
  for (const [keyword, value] of Object.entries(schema)) {
    const below = `${at}/${keyword}`
    const within = keyword === "items" ? {} : { names: known }
    if (ONE_SCHEMA.has(keyword)) checkEnforceable(value, below, within)
    else if (SCHEMA_LIST.has(keyword))
      for (const [index, each] of value.entries()) checkEnforceable(each, `${below}/${index}`, within)
    else if (SCHEMA_MAP.has(keyword))
      for (const [name, each] of Object.entries(value)) {
        checkEnforceable(each, `${below}/${name}`)
        // People are told what a field is called; conditions only name it again.
        if (names === undefined && !each.title) fail(`${keyword}/${name}: title`, "it has none")
      }
    else if (!ENFORCED.has(keyword) && !ANNOTATIONS.has(keyword)) fail(keyword, "the build does not know it")
  }
  const { type, items, multipleOf, required = [], properties = {} } = schema
  if (Array.isArray(type)) fail("type", "a list of types leaves open how a number is judged")
  if (typeof schema.additionalProperties === "object")
    fail("additionalProperties", "only true and false are known")
  for (const keyword of ["const", "enum"])
    if (hasNumber(schema[keyword])) fail(keyword, "it would compare numbers as doubles")
  if (schema.uniqueItems && !["string", "boolean"].includes(items?.type))
    fail(
      "uniqueItems",
      'it would compare numbers as doubles, unless the items are of type "string" or "boolean"',
    )
  if (multipleOf !== undefined && String(multipleOf).replace(/\D/g, "").length > MAX_STEP_DIGITS)
    fail("multipleOf", `it has more than ${MAX_STEP_DIGITS} digits`)
  const needed = [
    ["required", required],
    ...Object.values(schema.dependentRequired ?? {}).map((each) => ["dependentRequired", each]),
  ]
  for (const [keyword, fields] of needed) {
    const unknown = fields.find((name) => !known.includes(name))
    if (unknown !== undefined) fail(keyword, `there is no field ${unknown}`)
  }
  const managed = required.find((name) => properties[name]?.["x-managed"])
  if (managed !== undefined && !isRoot)
    fail(
      "required",
      `${managed} is managed by the service, and drafts are known at the top of the document only`,
    )
}

function hasNumber(value) {
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasNumber)
  return typeof value === "number"
}
