/** A document that is something else as a whole: an invoice within another object, or lines without their invoice. */
import { quoted } from "../../base/parsed.ts"
import type { Explanation } from "../../contract/index.ts"
import { EDITOR_SCHEMA, getSchemaAt, INVOICE, type SchemaNode } from "../schema.ts"
import { writeSample } from "./fields.ts"
import { getOwn } from "../../base/json.ts"

interface OtherDocument extends Explanation {
  /** The keyword of the contract that it breaks first. */
  keyword: "type" | "required" | "additionalProperties"
  property?: string
}

/** The kind of a document that is not an invoice, in the words of one finding; undefined for one that has to be read. */
export function explainOtherDocument(document: unknown): OtherDocument | undefined {
  if (isLine(document)) return { keyword: "required", property: "data", ...explainLines("a line item") }
  if (Array.isArray(document))
    return document.length > 0 && document.every(isLine)
      ? { keyword: "type", ...explainLines("a list of line items") }
      : undefined
  const names = Object.keys(Object(document)).filter((name) => name !== EDITOR_SCHEMA)
  const [name] = names
  if (name === undefined || names.length > 1 || getOwn(INVOICE.properties ?? {}, name)) return undefined
  const inner: unknown = Object(document)[name]
  const at = { keyword: "additionalProperties", property: name } as const
  if (hasRequired(inner, INVOICE, ["data"]))
    return {
      ...at,
      message: `invoice: the document is wrapped in ${quoted(name)}`,
      hint: `remove the { ${quoted(name)}: before it, and the last }`,
    }
  if (!hasRequired(inner, getSchemaAt("/data"), ["invoiceNumber", "lineItems"])) return undefined
  const metadata = `"metadata": ${writeSample(getSchemaAt("/metadata"), true)}`
  return {
    ...at,
    message: `invoice: the document has ${quoted(name)} where "data" belongs`,
    hint: `rename ${quoted(name)} to "data", and write "metadata" beside it: ${metadata}`,
  }
}

function explainLines(what: string): Explanation {
  return {
    message: `invoice: this is ${what}, not an invoice`,
    hint: 'put the lines into "lineItems" of "data"; or make an invoice of them: freight invoice new',
  }
}

function isLine(value: unknown): boolean {
  return hasRequired(value, getSchemaAt("/data/lineItems/0"), ["quantity", "unitPrice"])
}

/** Whether an object has these fields, and none that such an object cannot have. */
function hasRequired(value: unknown, { properties = {} }: SchemaNode, names: readonly string[]): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  return (
    names.every((name) => Object.hasOwn(value, name)) &&
    Object.keys(value).every((name) => Object.hasOwn(properties, name))
  )
}
