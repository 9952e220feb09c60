/** The schema of invoices. */
import schema from "../../schemas/invoice.schema.json" with { type: "json" }
import { parsePointer } from "../input/index.ts"
import { getOwn } from "../base/json.ts"

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

/** The targets of its references. */
export const DEFINITIONS: Readonly<Record<string, SchemaNode>> = schema.$defs

export const INVOICE: SchemaNode = schema

/** The schema itself, a reference to a definition followed. */
export function resolveSchema(node: SchemaNode): SchemaNode {
  return node.$ref === undefined ? node : (DEFINITIONS[node.$ref.replace("#/$defs/", "")] ?? {})
}

/** The field of an object with this name; undefined if any field is allowed, or none. */
export function getField(node: SchemaNode, name: string): SchemaNode | undefined {
  const field = getOwn(node.properties ?? {}, name)
  return field && resolveSchema(field)
}

/** The schema of the value at a JSON pointer; empty for an unknown one. */
export function getSchemaAt(pointer: string): SchemaNode {
  let node = INVOICE
  for (const segment of parsePointer(pointer))
    node = resolveSchema(node.items ?? getField(node, segment) ?? {})
  return node
}

/** Names the schema for an editor, at the top of a document. The contract has no such field. */
export const EDITOR_SCHEMA = "$schema"
