/** Messages for fields that are missing, and for those that the contract does not know. */
import { editDistance, mostSlips } from "../contract/suggest.ts"
import { segmentsOf } from "../json/pointer.ts"
import { type Breach, type Clause, MOST_CHOICES, quoted } from "./breach.ts"
import { fieldInWords } from "./place.ts"
import { fieldOf, INVOICE, resolved, type SchemaNode, schemaAt } from "./schema.ts"

/**
 * Names that people give to fields, in small letters without blanks, and the fields that they may mean. A name that is
 * listed here means none but these.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  suburb: ["city"],
  town: ["city"],
  locality: ["city"],
  postcode: ["postalCode"],
  zip: ["postalCode"],
  zipcode: ["postalCode"],
  region: ["state"],
  province: ["state"],
  county: ["state"],
  statecode: ["state"],
  countrycode: ["country"],
  countryname: ["country"],
  street: ["street1"],
  streetaddress: ["street1"],
  address: ["street1"],
  address1: ["street1"],
  address2: ["street2"],
  address3: [],
  addressline: ["street1"],
  addressline1: ["street1"],
  addressline2: ["street2"],
  addr1: ["street1"],
  addr2: ["street2"],
  line1: ["street1"],
  line2: ["street2"],
  attention: ["addressee"],
  attn: ["addressee"],
  recipient: ["addressee"],
  company: ["addressee", "name"],
  companyname: ["addressee", "name"],
  tradingname: ["name"],
  qty: ["quantity"],
  price: ["unitPrice"],
  rate: ["unitPrice", "taxRate", "discountPercent"],
  percent: ["taxRate", "discountPercent"],
  discountrate: ["discountPercent"],
  days: ["netDays", "discountDays"],
  duedate: ["discountDueDate"],
  unit: ["unitOfMeasure"],
  uom: ["unitOfMeasure"],
  line: ["invoiceLineNumber"],
  lineno: ["invoiceLineNumber"],
  linenumber: ["invoiceLineNumber"],
  linetotal: ["subtotal"],
  lineamount: ["subtotal"],
  tax: ["taxAmount"],
  gst: ["taxAmount"],
  gstamount: ["taxAmount"],
  gstrate: ["taxRate"],
  gstpercent: ["taxRate"],
  taxpercent: ["taxRate"],
  taxpercentage: ["taxRate"],
  freight: ["shippingAmount"],
  shipping: ["shippingAmount"],
  shippingcost: ["shippingAmount"],
  amountdue: ["dueAmount"],
  totaldue: ["dueAmount"],
  balancedue: ["dueAmount"],
  amountpaid: ["depositAmount"],
  paidamount: ["depositAmount"],
  currencycode: ["currency"],
  item: ["description"],
  sku: ["supplierItemId"],
  itemid: ["supplierItemId"],
  itemcode: ["supplierItemId"],
  itemnumber: ["supplierItemId"],
  manufacturer: ["manufacturerName"],
  number: ["invoiceNumber", "invoiceLineNumber"],
  invoicenumber: ["invoiceId"],
  invoiceno: ["invoiceNumber", "invoiceId"],
  ordernumber: ["poNumber"],
  orderno: ["poNumber"],
  purchaseorder: ["poNumber"],
  po: ["poNumber"],
  date: ["invoiceDate", "orderDate", "shipmentDate", "shippingDate"],
  issuedate: ["invoiceDate"],
  podate: ["orderDate"],
  shipdate: ["shippingDate", "shipmentDate"],
  shippeddate: ["shippingDate", "shipmentDate"],
  shippingdetails: ["shipmentDetails"],
  items: ["lineItems"],
  lines: ["lineItems"],
  totals: ["invoiceSummary"],
  vendor: ["supplier"],
  seller: ["supplier"],
  customer: ["billTo"],
  buyer: ["billTo"],
  type: ["docType", "purpose", "role", "taxType"],
  abn: ["taxRegistrations"],
  registration: ["taxRegistrations"],
  accountholder: ["accountName"],
  bsbcode: ["bsb"],
  bsbnumber: ["bsb"],
  bic: ["swift"],
  swiftcode: ["swift"],
  mail: ["email"],
  emailaddress: ["email"],
  telephone: ["phone"],
  phonenumber: ["phone"],
  mobile: ["phone"],
  note: ["comments"],
  notes: ["comments"],
}

/** Words of names that people shorten. */
const SHORTENED: Readonly<Record<string, string>> = {
  acct: "account",
  amt: "amount",
  nr: "number",
  no: "number",
}

/** Names that say too little to tell which object they belong to. */
const VAGUE: ReadonlySet<string> = new Set(["id", "type", "amount", "code", "value"])

/** Names the missing field and what to write, or the other name that it was given. */
export function explainMissingField({ pointer, schema, value, property = "" }: Breach): Clause {
  const field = fieldOf(schema, property) ?? {}
  const name = fieldInWords(property) || "the invoice itself"
  const clause = `${name} ${field.type === "array" ? "are" : "is"} missing`
  const names = Object.keys(Object(value))
  const misnamed = names.find((given) => findMeantField(given, schema, value) === property)
  if (misnamed !== undefined) return { clause, hint: `rename ${quoted(misnamed)} to ${quoted(property)}` }
  if (field["x-managed"])
    return { clause, hint: "use --draft to check a document before the service completes it" }
  if (names.some((given) => !fieldOf(schema, given) && findHome(given, pointer) === describeHome(property))) {
    const [open, close] = field.type === "array" ? ["[ {", "} ]"] : ["{", "}"]
    return {
      clause,
      hint: `write "${property}": ${open} before the fields that belong inside it, and ${close} after them`,
    }
  }
  const [example, remark = ""] = writeExample(field)
  const comma = names.length > 0 || property !== findFirstField(schema) ? " and a comma" : ""
  return { clause, hint: `after this {, write "${property}": ${example}${comma}${remark}` }
}

/** The first field that a sender must give. In an empty object it is written first, so it ends up last and needs no comma. */
function findFirstField(schema: SchemaNode): string | undefined {
  return schema.required?.find((name) => !fieldOf(schema, name)?.["x-managed"])
}

/** A value as a field wants it, and what to put into its place. */
function writeExample(field: SchemaNode): [example: string, remark?: string] {
  const { type, enum: choices = [], format } = field
  const [first, ...others] = choices
  if (first !== undefined && others.length > 0 && choices.length <= MOST_CHOICES)
    return [quoted(first), `; or another of ${choices.map(quoted).join(", ")}`]
  if (format === "date-time") return [writeSample(field), "; put the right date and time"]
  if (type === "number" || type === "integer")
    return [type === "number" ? "0.00" : "1", "; put the right number"]
  return [writeSample(field, true)]
}

/** How to write a value of which only the type is known. */
function writeSample(node: SchemaNode, isWhole = false): string {
  const field = resolved(node)
  const { type, enum: choices = [], required = [], format } = field
  if (type === "array") return "[ ... ]"
  if (type === "object") {
    const inner = required.map((name) => `${quoted(name)}: ${writeSample(fieldOf(field, name) ?? {})}`)
    return isWhole ? `{ ${inner.join(", ")} }` : "{ ... }"
  }
  if (choices.length > 0) return quoted(choices[0])
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

/** Names the unknown field, and where it belongs or which field was meant. */
export function explainUnknownField({ pointer, schema, value, property = "" }: Breach): Clause {
  const known = Object.keys(schema.properties ?? {})
  const clause = `there is no field ${quoted(property)} here`
  const meant = findMeantField(property, schema, value)
  const home = findHome(property, pointer)
  if (home && !(meant && isSynonym(property))) return { clause, hint: `it belongs ${home}` }
  if (meant) return { clause, hint: `did you mean ${quoted(meant)}?` }
  const [close] = findSimilarFields(property, schema)
  if (close) return { clause, hint: `${quoted(close)} is here already: remove this one` }
  const listed = known.length > MOST_CHOICES ? "" : `; the fields here are ${known.join(", ")}`
  return { clause, hint: `remove it, or put it into data.extrinsics${listed}` }
}

function isSynonym(name: string): boolean {
  return Object.hasOwn(SYNONYMS, name.toLowerCase())
}

/** The field of an object that an unknown name is meant for, if it is not there yet. */
function findMeantField(name: string, schema: SchemaNode, value: unknown): string | undefined {
  return findSimilarFields(name, schema).find((each) => !Object.hasOwn(Object(value), each))
}

/** Names that a document repeats on every line are compared once. */
const LIKENESSES = new Map<SchemaNode, Map<string, readonly string[]>>()
const MOST_REMEMBERED = 1000
/** Longer names are not compared. */
const LONGEST_NAME = 60

/** The fields of an object that an unknown name may mean, the likeliest first. */
function findSimilarFields(name: string, schema: SchemaNode): readonly string[] {
  if (name.length > LONGEST_NAME) return []
  const known = LIKENESSES.get(schema) ?? new Map<string, readonly string[]>()
  LIKENESSES.set(schema, known)
  const before = known.get(name)
  if (before) return before
  if (known.size >= MOST_REMEMBERED) known.clear()
  const found = compareWithFields(name, Object.keys(schema.properties ?? {}))
  known.set(name, found)
  return found
}

function compareWithFields(name: string, fields: readonly string[]): string[] {
  if (fields.includes(name)) return []
  const folded = name.toLowerCase().replace(/[^a-z\d]/g, "")
  const same = fields.find((field) => field.toLowerCase() === folded)
  if (same !== undefined) return [same]
  if (Object.hasOwn(SYNONYMS, folded))
    return (SYNONYMS[folded] ?? []).filter((field) => fields.includes(field))
  const slips = fields.map((field) => countSlipsInName(name, field))
  const fewest = Math.min(...slips)
  return fewest < Number.POSITIVE_INFINITY ? fields.filter((_, index) => slips[index] === fewest) : []
}

/**
 * How many slips of the finger turn a field's name into the one that is given; infinity where it is another name. Word
 * by word, because `accountNo` and `paidAmount` are only some letters away from `accountName` and `taxAmount`.
 */
function countSlipsInName(name: string, field: string): number {
  const digits = field.replace(/\D/g, "")
  if (digits !== "" && digits !== name.replace(/\D/g, "")) return Number.POSITIVE_INFINITY
  const [given, wanted] = [splitIntoWords(name), splitIntoWords(field)]
  if (given.length === wanted.length)
    return wanted.reduce((sum, word, index) => sum + countSlipsInWord(given[index] ?? "", word), 0)
  const [whole, right] = [given.join(""), wanted.join("")]
  const slips = editDistance(whole, right)
  return slips <= mostSlips(whole) ? slips : Number.POSITIVE_INFINITY
}

function countSlipsInWord(given: string, wanted: string): number {
  if (given === wanted || SHORTENED[given] === wanted) return 0
  if (given.length >= 3 && wanted.startsWith(given)) return 1
  // A short word with another first letter is another word: date, rate.
  const isOther = given.length < 4 || (given.length < 6 && given[0] !== wanted[0])
  const slips = isOther ? Number.POSITIVE_INFINITY : editDistance(given, wanted)
  return slips <= mostSlips(given) ? slips : Number.POSITIVE_INFINITY
}

/** `taxAmount` → `tax`, `amount`; digits are left out. */
function splitIntoWords(name: string): string[] {
  const spaced = name.replace(/([a-z\d])([A-Z])/g, "$1 $2")
  return spaced.toLowerCase().match(/[a-z]+/g) ?? []
}

/** Where a field of this name belongs, if that is further in or further out: `inside "data"`. */
function findHome(name: string, pointer: string): string | undefined {
  if (VAGUE.has(name)) return undefined
  const here = segmentsOf(pointer).filter((segment) => !/^\d+$/.test(segment))
  const startsWith = (path: readonly string[], start: readonly string[]) =>
    start.every((segment, index) => path[index] === segment)
  const steps = (path: readonly string[]) => Math.abs(path.length - here.length)
  const homes = findHolders(name)
    .filter((path) => startsWith(path, here) || startsWith(here, path))
    .sort((one, other) => steps(one) - steps(other))
  const [nearest, next] = homes
  if (!nearest || (next && steps(next) === steps(nearest))) return undefined
  return nearest.length === 0 ? 'at the top of the document, beside "data"' : describeHome(nearest.at(-1))
}

function describeHome(name: string | undefined): string {
  return `inside ${quoted(name)}`
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
    const node = resolved(schema)
    if (node.items) look(node.items, path)
    for (const [field, inner] of Object.entries(node.properties ?? {})) {
      found.set(field, [...(found.get(field) ?? []), path])
      look(inner, [...path, field])
    }
  }
  look(INVOICE, [])
  return found
}

/** What to do about an empty value: a field without a value is left out. */
export function hintForBlank(pointer: string): string | undefined {
  const segments = segmentsOf(pointer)
  const name = segments.pop() ?? ""
  const holder = schemaAt(segments.map((segment) => `/${segment}`).join(""))
  if (holder.items) return "remove it"
  if (fieldOf(holder, name)?.["x-managed"]) return "leave it out: the service fills it in (--draft)"
  return holder.required?.includes(name)
    ? "it may not be empty: fill it in"
    : "leave it out when there is nothing to say"
}
