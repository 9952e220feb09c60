/** The fields of a request by their dotted names, as the schema knows them. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

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
  const { $defs } = (await import("../../schemas/freight.schema.json")).default as unknown as {
    $defs: Record<string, SchemaNode>
  }
  const root = resolve($defs, $defs[name] ?? {})
  return {
    find: (path) => find($defs, root, path),
    leaves: () => [...leavesOf($defs, root, [])],
  }
}

/** `packages[0].count` as its parts. */
export function segments(path: string): string[] {
  return path
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .map((part) => part.trim())
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

function* leavesOf(
  $defs: Record<string, SchemaNode>,
  node: SchemaNode,
  path: readonly string[],
): Generator<{ path: readonly string[]; node: SchemaNode }> {
  const below =
    node.properties ?? (node.items?.$ref || node.items?.properties ? { 0: node.items } : undefined)
  if (!below) yield { path, node }
  else
    for (const [name, each] of Object.entries(below))
      yield* leavesOf($defs, resolve($defs, each), [...path, name])
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

/** Puts a value at a path, making objects and lists on the way. */
export function put(target: JsonObject, path: readonly string[], value: Json): void {
  let here: Json = target
  for (const [at, part] of path.entries()) {
    const holder = here as Record<string, Json>
    if (at === path.length - 1) {
      define(holder, part, value)
      return
    }
    const next = Object.hasOwn(holder, part) ? holder[part] : undefined
    if (typeof next !== "object" || next === null)
      define(holder, part, /^\d+$/.test(path[at + 1] ?? "") ? [] : {})
    here = holder[part] as Json
  }
}

/** Plain assignment would run the setter of `__proto__`. */
function define(holder: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}
