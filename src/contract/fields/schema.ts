/** The fields of a request by their dotted names, as the schema knows them. */

export interface SchemaNode {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  allOf?: SchemaNode[]
}

/** What stands at a path, or where the path leaves the schema. */
type Found =
  | { node: SchemaNode }
  /** The part at `at` is in a list, and no position. */
  | { list: true; at: number }
  /** There is no such field; `names` are those that there are. */
  | { list: false; at: number; names: string[] }

export interface Fields {
  find(path: readonly string[]): Found
  /** Every field that holds no other, in the schema's order; of a list the first item's: `packages.0.count`. */
  leaves(): { path: readonly string[]; node: SchemaNode }[]
}

/**
 * The fields of a resource in the schema file.
 * @param name `ConsignmentBookingRequest`
 */
export async function fieldsOf(name: string): Promise<Fields> {
  const { $defs } = (await import("../../../schemas/freight.schema.json")).default as unknown as {
    $defs: Record<string, SchemaNode>
  }
  const root = resolve($defs, $defs[name] ?? {})
  return {
    find: (path) => find($defs, root, path),
    leaves: () => [...listLeaves($defs, root, [])],
  }
}

/** The types that a node takes, by their JSON Schema names. */
export function typesOf(node: SchemaNode): string[] {
  return [node.type ?? (node.properties ? "object" : node.items ? "array" : "string")].flat()
}

function find($defs: Record<string, SchemaNode>, root: SchemaNode, path: readonly string[]): Found {
  let node = root
  for (const [at, part] of path.entries()) {
    if (node.items) {
      if (!/^\d{1,3}$/.test(part)) return { list: true, at }
      node = resolve($defs, node.items)
      continue
    }
    const next = node.properties && Object.hasOwn(node.properties, part) ? node.properties[part] : undefined
    if (!next) return { list: false, at, names: Object.keys(node.properties ?? {}) }
    node = resolve($defs, next)
  }
  return { node }
}

function* listLeaves(
  $defs: Record<string, SchemaNode>,
  node: SchemaNode,
  path: readonly string[],
): Generator<{ path: readonly string[]; node: SchemaNode }> {
  const below =
    node.properties ?? (node.items?.$ref || node.items?.properties ? { 0: node.items } : undefined)
  if (!below) yield { path, node }
  else
    for (const [name, each] of Object.entries(below))
      yield* listLeaves($defs, resolve($defs, each), [...path, name])
}

/** A node with its references and `allOf` parts laid over each other. */
function resolve($defs: Record<string, SchemaNode>, node: SchemaNode): SchemaNode {
  let merged = node
  if (node.$ref) {
    const target = $defs[node.$ref.split("/").at(-1) ?? ""]
    merged = { ...(target ? resolve($defs, target) : {}), ...node }
  }
  for (const part of node.allOf ?? []) {
    const more = resolve($defs, part)
    merged = { ...more, ...merged, properties: { ...more.properties, ...merged.properties } }
  }
  return merged
}
