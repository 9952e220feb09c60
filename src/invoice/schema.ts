/** The schema of invoices, and what its places are called. */
import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import { safeText } from "../contract/safe-text.ts"
import { parsePointer } from "../json/pointer.ts"

/** What the invoice's schema says of one value. */
export interface SchemaNode {
  $ref?: string
  title?: string
  type?: string
  const?: string | boolean
  enum?: readonly string[]
  format?: string
  multipleOf?: number
  examples?: readonly string[]
  maxLength?: number
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  items?: SchemaNode
  /** Set by the service: a draft may lack it. */
  "x-managed"?: boolean
}

/** One way in which a document breaks the contract. */
export interface ContractError {
  /** The JSON Schema keyword that is broken. */
  keyword: string
  /** JSON Pointer of the value; of its object, where a property is missing or unknown. */
  pointer: string
  property?: string
  /** What the keyword asks for, by the names that ajv gives it: `{limit: 500}`. */
  params: Readonly<Record<string, unknown>>
}

/** An error with the value that it is about. */
export interface ErrorInContext extends ContractError {
  /** What the contract asks of the value. */
  schema: SchemaNode
  value: unknown
  /** The value as it is written. */
  source(): string
}

const DEFINITIONS: Readonly<Record<string, SchemaNode>> = schema.$defs

/** The whole document. */
export const INVOICE: SchemaNode = schema

/** The schema itself, a reference to a definition followed. */
export function resolveSchema(node: SchemaNode): SchemaNode {
  return node.$ref === undefined ? node : (DEFINITIONS[node.$ref.replace("#/$defs/", "")] ?? {})
}

/** The field of an object with this name; undefined where any field may stand, or none. */
export function getField(node: SchemaNode, name: string): SchemaNode | undefined {
  const field = lookUp(node.properties ?? {}, name)
  return field && resolveSchema(field)
}

/** What the schema says of the value at a JSON pointer; nothing of one that it does not know. */
export function getSchemaAt(pointer: string): SchemaNode {
  let node = INVOICE
  for (const segment of parsePointer(pointer))
    node = resolveSchema(node.items ?? getField(node, segment) ?? {})
  return node
}

/** The names of the fields that the service fills in. */
export const MANAGED_FIELDS = Object.entries(schema.properties)
  .filter(([, field]) => "x-managed" in field)
  .map(([name]) => name)

/** Names the schema for an editor, at the top of a document. The contract has no such field. */
export const EDITOR_SCHEMA = "$schema"

/** How many decimals a number may have: 2 for multiples of 0.01; undefined for multiples of 0.25 or 5. */
export function countDecimals({ multipleOf = 1 }: SchemaNode): number | undefined {
  const places = Math.round(-Math.log10(multipleOf))
  return places >= 0 && multipleOf === Number(`1e-${places}`) ? places : undefined
}

/** Lists, and what one element of each is called. */
const ELEMENTS: Readonly<Record<string, string>> = {
  lineItems: "line item",
  taxBreakdown: "tax part",
  poReferences: "purchase order",
  contacts: "contact",
  discountTerms: "discount",
  classification: "classification",
  serialNumbers: "serial number",
}

/** Names that say less than the words people use; an empty one goes without saying. */
const NAMES: Readonly<Record<string, string>> = {
  data: "",
  docType: "document type",
  invoiceSummary: "summary",
  invoiceLineNumber: "line number",
  poNumber: "purchase order number",
  poVersion: "purchase order version",
  poLineReference: "purchase order line",
  asnReference: "ship notice",
  asnLineReference: "ship notice line",
  taxRegistrations: "tax registration",
  buyerAcctNumber: "buyer account number",
  incoTerms: "incoterms",
  isERS: "evaluated receipt",
  isInformationOnly: "information only",
  extrinsics: "extension fields",
  bsb: "BSB",
  swift: "SWIFT code",
  iban: "IBAN",
}

/** An object whose names are free. */
const EXTRINSICS = "extrinsics"

/** `/data/lineItems/2/unitPrice` → `line item 3, unit price`; the document itself is `invoice`. */
export function describePlace(pointer: string): string {
  const segments = parsePointer(pointer)
  const words = segments.map((segment, index) => {
    const element = lookUp(ELEMENTS, segments[index - 1] ?? "")
    if (/^\d+$/.test(segment) && index > 0 && segments[index - 1] !== EXTRINSICS)
      return `${element ?? "entry"} ${Number(segment) + 1}`
    return lookUp(ELEMENTS, segment) && index < segments.length - 1 ? "" : describeField(segment)
  })
  return words.filter((word) => word !== "").join(", ") || "invoice"
}

/** `taxAmount` → `tax amount` */
export function describeField(name: string): string {
  const plain = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return lookUp(NAMES, name) ?? safeText(/^[a-zA-Z\d]+$/.test(name) ? plain : name, 40)
}

function lookUp<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}
