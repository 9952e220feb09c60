/** Messages for fields that are missing, and for those that the contract does not know. */
import { quoted } from "../../base/parsed.ts"
import {
  type Advice,
  type ErrorInContext,
  type Explanation,
  isWritable,
  MAX_CHOICES,
} from "../../contract/index.ts"
import { editDistance, getMaxEdits } from "../../base/suggest.ts"
import { parsePointer } from "../../input/index.ts"
import { EDITOR_SCHEMA, getField, getSchemaAt, INVOICE, resolveSchema, type SchemaNode } from "../schema.ts"

/**
 * Names that people give to each field, in small letters without blanks. A name that is listed here means none but
 * these fields, in this order; `address3` means none.
 */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  city: "suburb town locality",
  postalCode: "postcode zip zipcode",
  state: "region province county statecode",
  country: "countrycode countryname",
  street1: "street streetaddress address address1 addressline addressline1 addr addr1 line1",
  street2: "address2 addressline2 addr2 line2",
  addressee: "attention attn recipient company companyname",
  name: "company companyname tradingname",
  quantity: "qty",
  unitPrice: "price rate",
  taxRate: "rate percent gstrate gstpercent taxpercent taxpercentage",
  discountPercent: "rate percent discountrate discount",
  discountAmount: "discount",
  netDays: "days",
  discountDays: "days",
  discountDueDate: "duedate",
  unitOfMeasure: "unit uom",
  dueAmount: "amountdue totaldue balancedue amount",
  subtotal: "linetotal lineamount amount",
  taxAmount: "tax gst gstamount",
  shippingAmount: "freight shipping shippingcost",
  depositAmount: "amountpaid paidamount",
  currency: "currencycode",
  value: "abn abnnumber",
  description: "item",
  supplierItemId: "sku itemid itemcode itemnumber",
  manufacturerName: "manufacturer",
  invoiceNumber: "number invoiceno",
  invoiceLineNumber: "line lineno linenumber number",
  invoiceId: "invoicenumber invoiceno",
  poNumber: "ordernumber orderno purchaseorder po",
  invoiceDate: "date issuedate",
  orderDate: "date podate",
  shippingDate: "date shipdate shippeddate",
  shipmentDate: "date shipdate shippeddate",
  shipmentDetails: "shippingdetails",
  lineItems: "items lines",
  invoiceSummary: "totals summary",
  supplier: "vendor seller",
  billTo: "customer buyer",
  docType: "type",
  purpose: "type",
  role: "type",
  taxType: "type",
  taxRegistrations: "abn registration",
  accountName: "accountholder",
  bsb: "bsbcode bsbnumber",
  swift: "bic swiftcode",
  email: "mail emailaddress",
  phone: "telephone phonenumber mobile",
  comments: "note notes",
}

const SYNONYMS = new Map<string, string[]>([["address3", []]])
for (const [field, names] of Object.entries(FIELD_NAMES))
  for (const name of names.split(" ")) SYNONYMS.set(name, [...(SYNONYMS.get(name) ?? []), field])

/** Words of names that people shorten. */
const SHORTENED: Readonly<Record<string, string>> = {
  acct: "account",
  amt: "amount",
  nr: "number",
  no: "number",
}

/** Names that may mean a percentage, or another amount. */
const DOUBTFUL: ReadonlySet<string> = new Set(["amount", "discount"])

/** Names in several objects: they do not show where a field belongs. */
const VAGUE: ReadonlySet<string> = new Set(["id", "type", "amount", "code", "value"])

/** Names the missing field and its value, or the other name under which it was given. */
export function explainMissingField({ pointer, value, property, place }: ErrorInContext): Explanation {
  const schema = getSchemaAt(pointer)
  const field = getField(schema, property) ?? {}
  const message = place.sayMissing(property)
  const names = listNames(value)
  const misnamed = names.find((given) => findMeantField(given, schema, value) === property)
  if (misnamed !== undefined)
    return {
      message,
      hint: `rename ${quoted(misnamed)} to ${quoted(property)}`,
      answer: answerWithName(misnamed, property, schema, value),
    }
  if (field["x-managed"])
    return { message, hint: "use --draft to check a document before the service completes it" }
  if (
    names.some((given) => !getField(schema, given) && findHome(given, pointer) === describeHome(property))
  ) {
    const [open, close] = field.type === "array" ? ["[ {", "} ]"] : ["{", "}"]
    return {
      message,
      hint: `write "${property}": ${open} before the fields that belong inside it, and ${close} after them`,
    }
  }
  const [example, remark = ""] = writeExample(field)
  const comma = names.length > 0 || property !== findFirstField(schema) ? " and a comma" : ""
  return { message, hint: `after this {, write "${property}": ${example}${comma}${remark}` }
}

/** The first field that a sender must give. In an empty object it is written first, so it ends up last and needs no comma. */
function findFirstField(schema: SchemaNode): string | undefined {
  return schema.required?.find((name) => !getField(schema, name)?.["x-managed"])
}

/** A value in the field's notation, and its replacement. */
function writeExample(field: SchemaNode): [example: string, remark?: string] {
  const { type, enum: choices = [], format } = field
  const [first, ...others] = choices
  if (first !== undefined && others.length > 0 && choices.length <= MAX_CHOICES)
    return [quoted(first), `; or another of ${choices.map(quoted).join(", ")}`]
  if (format === "date-time") return [writeSample(field), "; put the right date and time"]
  if (type === "number" || type === "integer")
    return [type === "number" ? "0.00" : "1", "; put the right number"]
  return [writeSample(field, true)]
}

/** A sample value if only the type is known. */
export function writeSample(node: SchemaNode, isWhole = false): string {
  const field = resolveSchema(node)
  const { type, enum: choices = [], required = [], format } = field
  if (type === "array") return "[ ... ]"
  if (type === "object") {
    const inner = required.map((name) => `${quoted(name)}: ${writeSample(getField(field, name) ?? {})}`)
    return isWhole ? `{ ${inner.join(", ")} }` : "{ ... }"
  }
  if (choices.length > 0) return quoted(choices[0] ?? "")
  if (format === "date-time") return '"2026-11-20T09:30:00+10:00"'
  return type === "string" ? '"..."' : "..."
}

/** How to write an object: with its required fields, or else with the names that it may have. */
export function hintForObject(schema: SchemaNode): string {
  if (schema.required) return `write it as ${writeSample(schema, true)}`
  const names = Object.keys(schema.properties ?? {})
  const known = names.length > 0 ? `; the names here are ${names.join(", ")}` : ""
  return `write it in { }, each value after its name${known}`
}

/** Names the unknown field, and its right place or name. */
export function explainUnknownField({ pointer, value, property, place }: ErrorInContext): Explanation {
  const schema = getSchemaAt(pointer)
  if (pointer === "" && property === EDITOR_SCHEMA)
    return {
      message: place.say(`${quoted(property)} is for editors; the contract has no such field`),
      hint: "remove it before you send the invoice",
      answer: { safety: "safe", does: "remove" },
    }
  const message = place.sayUnknown(property)
  const abn = adviseAbn(schema, property, value)
  if (abn) return { message, ...abn }
  const known = Object.keys(schema.properties ?? {})
  const meant = findMeantField(property, schema, value)
  const home = findHome(property, pointer)
  if (home && !(meant && SYNONYMS.has(property.toLowerCase()))) return { message, hint: `it belongs ${home}` }
  if (meant)
    return {
      message,
      hint: `did you mean ${quoted(meant)}?`,
      answer: answerWithName(property, meant, schema, value),
    }
  const [close] = findSimilarFields(property, schema)
  if (close) return { message, hint: `${quoted(close)} is here already: remove this one` }
  const listed = known.length > MAX_CHOICES ? "" : `; the fields here are ${known.join(", ")}`
  return { message, hint: `remove it, or put it into data.extrinsics${listed}` }
}

/** An ABN beside the supplier's name, as a text or a number. */
function adviseAbn(schema: SchemaNode, property: string, holder: unknown): Advice | undefined {
  const value: unknown = Object(holder)[property]
  if (!/^abn(?:[_ ]?(?:no|number))?$/i.test(property) || !getField(schema, "taxRegistrations"))
    return undefined
  if (
    (typeof value !== "string" && typeof value !== "number") ||
    Object.hasOwn(Object(holder), "taxRegistrations")
  )
    return undefined
  return {
    hint: `write "taxRegistrations": { "type": "ABN", "value": ${quoted(String(value))} } in its place`,
  }
}

/** The field of an object that an unknown name means, if it is not there yet. */
function findMeantField(name: string, schema: SchemaNode, value: unknown): string | undefined {
  return findSimilarFields(name, schema).find((each) => !Object.hasOwn(Object(value), each))
}

/** The names of an object's fields, listed once: each of very many may be reported. */
function listNames(holder: unknown): readonly string[] {
  if (typeof holder !== "object" || holder === null) return []
  const names = NAMES.get(holder) ?? Object.keys(holder)
  NAMES.set(holder, names)
  return names
}

const NAMES = new WeakMap<object, readonly string[]>()

/** An object with more names than this is not looked through for another that means the same field. */
const MAX_NAMES = 200

/** Replaces another name with the field's own. Safe if no other field, and no other name, can be meant. */
function answerWithName(
  given: string,
  meant: string,
  schema: SchemaNode,
  holder: unknown,
): NonNullable<Advice["answer"]> {
  const names = listNames(holder)
  const field = getField(schema, meant) ?? {}
  const isOnly =
    names.length <= MAX_NAMES &&
    findSimilarFields(given, schema).length === 1 &&
    names.every((name) => name === given || findSimilarFields(name, schema)[0] !== meant)
  const fits = isWritable(Object(holder)[given], field.type, `/${meant}`)
  const isSure = isOnly && fits && !field["x-managed"] && !DOUBTFUL.has(given.toLowerCase())
  const safety = isSure ? "safe" : "suggestion"
  return { safety, rename: [given, meant] }
}

/** Names that a document repeats on every line are compared once. */
const LIKENESSES = new Map<SchemaNode, Map<string, readonly string[]>>()
const MAX_REMEMBERED = 1000
/** Longer names are not compared. */
const MAX_NAME_LENGTH = 60

/** The fields of an object that an unknown name may mean, the likeliest first. */
function findSimilarFields(name: string, schema: SchemaNode): readonly string[] {
  if (name.length > MAX_NAME_LENGTH) return []
  const known = LIKENESSES.get(schema) ?? new Map<string, readonly string[]>()
  LIKENESSES.set(schema, known)
  const before = known.get(name)
  if (before) return before
  if (known.size >= MAX_REMEMBERED) known.clear()
  const found = compareWithFields(name, Object.keys(schema.properties ?? {}))
  known.set(name, found)
  return found
}

function compareWithFields(name: string, fields: readonly string[]): string[] {
  if (fields.includes(name)) return []
  const folded = name.toLowerCase().replace(/[^a-z\d]/g, "")
  const same = fields.find((field) => field.toLowerCase() === folded)
  if (same !== undefined) return [same]
  const meant = SYNONYMS.get(folded)
  if (meant) return meant.filter((field) => fields.includes(field))
  const edits = fields.map((field) => countEditsInName(name, field))
  const fewest = Math.min(...edits)
  return fewest < Number.POSITIVE_INFINITY ? fields.filter((_, index) => edits[index] === fewest) : []
}

/**
 * The number of typing mistakes between a field's name and the given one; infinity for another name. Compares word by
 * word, because `accountNo` and `paidAmount` are only some letters away from `accountName` and `taxAmount`.
 */
function countEditsInName(name: string, field: string): number {
  const digits = field.replace(/\D/g, "")
  if (digits !== "" && digits !== name.replace(/\D/g, "")) return Number.POSITIVE_INFINITY
  const [given, wanted] = [splitIntoWords(name), splitIntoWords(field)]
  if (given.length === wanted.length)
    return wanted.reduce((sum, word, index) => sum + countEditsInWord(given[index] ?? "", word), 0)
  const [whole, right] = [given.join(""), wanted.join("")]
  const edits = editDistance(whole, right)
  return edits <= getMaxEdits(whole) ? edits : Number.POSITIVE_INFINITY
}

function countEditsInWord(given: string, wanted: string): number {
  if (given === wanted || SHORTENED[given] === wanted) return 0
  if (given.length >= 3 && wanted.startsWith(given)) return 1
  // A short word with another first letter is another word: date, rate.
  const isOther = given.length < 4 || (given.length < 6 && given[0] !== wanted[0])
  const edits = isOther ? Number.POSITIVE_INFINITY : editDistance(given, wanted)
  return edits <= getMaxEdits(given) ? edits : Number.POSITIVE_INFINITY
}

/** `taxAmount` → `tax`, `amount`; digits are left out. */
function splitIntoWords(name: string): string[] {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2")
  return spaced.toLowerCase().match(/[a-z]+/g) ?? []
}

/** Where a field of this name belongs, if it is in another object: `inside "data"`. */
function findHome(name: string, pointer: string): string | undefined {
  if (VAGUE.has(name)) return undefined
  const here = parsePointer(pointer).filter((segment) => !/^\d+$/.test(segment))
  const startsWith = (path: readonly string[], start: readonly string[]) =>
    start.every((segment, index) => path[index] === segment)
  const steps = (path: readonly string[]) => Math.abs(path.length - here.length)
  const holders = findHolders(name)
    .filter((path) => startsWith(path, here) || startsWith(here, path))
    .sort((one, other) => steps(one) - steps(other))
  const [nearest, next] = holders
  if (!nearest || (next && steps(next) === steps(nearest))) return undefined
  return nearest.length === 0 ? 'at the top of the document, beside "data"' : describeHome(nearest.at(-1))
}

function describeHome(name: string | undefined): string {
  return `inside ${quoted(name ?? "")}`
}

let holders: Map<string, string[][]> | undefined

/** The paths, without indexes, of the objects that have a field of this name. */
function findHolders(name: string): readonly string[][] {
  holders ??= collectHolders()
  return holders.get(name) ?? []
}

function collectHolders(): Map<string, string[][]> {
  const found = new Map<string, string[][]>()
  const look = (schema: SchemaNode, path: string[]) => {
    const node = resolveSchema(schema)
    if (node.items) look(node.items, path)
    for (const [field, inner] of Object.entries(node.properties ?? {})) {
      found.set(field, [...(found.get(field) ?? []), path])
      look(inner, [...path, field])
    }
  }
  look(INVOICE, [])
  return found
}

/** The advice for an empty value: a field without a value is left out. */
export function adviseBlank(pointer: string): Advice {
  const segments = parsePointer(pointer)
  const name = segments.pop() ?? ""
  const holder = getSchemaAt(segments.map((segment) => `/${segment}`).join(""))
  const remove = (safety: "safe" | "suggestion", hint: string): Advice => ({
    hint,
    answer: { safety, does: "remove" },
  })
  if (holder.items) return remove("suggestion", "remove it")
  if (getField(holder, name)?.["x-managed"])
    return remove("suggestion", "leave it out: the service fills it in (--draft)")
  return holder.required?.includes(name)
    ? { hint: "it must not be empty: fill it in" }
    : remove("safe", "leave the field out when it has no value")
}
