/** The schema of invoices, as the checks read it. */
import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import { segmentsOf } from "../json/pointer.ts"

/** What the invoice's schema says of one value. */
export interface SchemaNode {
  $ref?: string
  title?: string
  type?: string
  const?: string
  enum?: readonly string[]
  format?: string
  multipleOf?: number
  maxLength?: number
  properties?: Readonly<Record<string, SchemaNode>>
  required?: readonly string[]
  items?: SchemaNode
  /** Set by the service: a draft may lack it. */
  "x-managed"?: boolean
}

const DEFINITIONS: Readonly<Record<string, SchemaNode>> = schema.$defs

/** The whole document. */
export const INVOICE: SchemaNode = schema

/** The schema itself, a reference to a definition followed. */
export function resolved(node: SchemaNode): SchemaNode {
  return node.$ref === undefined ? node : (DEFINITIONS[node.$ref.replace("#/$defs/", "")] ?? {})
}

/** The field of an object with this name; undefined where any field may stand, or none. */
export function fieldOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const { properties = {} } = node
  const field = Object.hasOwn(properties, name) ? properties[name] : undefined
  return field && resolved(field)
}

/** What the schema says of the value at a JSON pointer; nothing of one that it does not know. */
export function schemaAt(pointer: string): SchemaNode {
  let node = INVOICE
  for (const segment of segmentsOf(pointer)) node = resolved(node.items ?? fieldOf(node, segment) ?? {})
  return node
}

/** How many decimals a number may have: 2 for multiples of 0.01. */
export function placesOf({ multipleOf = 1 }: SchemaNode): number {
  return Math.round(-Math.log10(multipleOf))
}
