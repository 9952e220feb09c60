/** The values of a document, each with its path. */
import { getField, INVOICE, resolveSchema, type SchemaNode } from "../../src/invoice/schema.ts"

/** Each value that a sender may give, as text; of lists and of extension fields one by one. */
export function listValues(
  value: unknown,
  node: SchemaNode = INVOICE,
  path = "",
): [path: string, text: string][] {
  if (node["x-managed"]) return []
  if (typeof value !== "object" || value === null)
    // The values of extension fields are JSON.
    return [[path, node.type === undefined ? JSON.stringify(value) : String(value)]]
  return Object.entries(value).flatMap(([name, member]) => {
    const field = node.items ? resolveSchema(node.items) : (getField(node, name) ?? {})
    return listValues(member, field, path === "" ? name : `${path}.${name}`)
  })
}
