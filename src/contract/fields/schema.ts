/** The fields of a request by their dotted names, as the schema knows them. */
import freight from "../../../schemas/freight.schema.json" with { type: "json" }
import type { Carrier } from "../generated/types.ts"
import { isKind, type KindName } from "./kinds.ts"

export interface SchemaNode {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  format?: string
  minimum?: number
  maximum?: number
  required?: string[]
  examples?: unknown[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  allOf?: SchemaNode[]
  /** The carriers that read it; all if absent. */
  "x-carrier"?: readonly Carrier[]
  /** How the value is written, where type and format do not say it: see `kinds.ts`. */
  "x-kind"?: string
  /** Words for the values of `enum`, in its order. */
  "x-names"?: string[]
  /** Help beside its question. */
  "x-hint"?: string
  /** Set by the service: no sender gives it. */
  "x-managed"?: boolean
}

type Definitions = Readonly<Record<string, SchemaNode>>

const $DEFS = freight.$defs as unknown as Definitions

/** The schema at a path, or the point where the path leaves the schema. */
type Found =
  | { node: SchemaNode }
  /** The part at `at` is in a list, and is not a position. */
  | { list: true; at: number }
  /** There is no such field; `names` are the existing ones. */
  | { list: false; at: number; names: string[] }

export interface Fields {
  readonly root: SchemaNode
  find(path: readonly string[]): Found
  /** Every field without parts, in the schema's order; of a list, the first item's: `packages.0.count`. */
  leaves(): { path: readonly string[]; node: SchemaNode }[]
}

/**
 * The fields of a resource in the schema file.
 * @param name `ConsignmentBookingRequest`
 */
export function fieldsOf(name: string): Fields {
  return listFields($DEFS[name] ?? {}, $DEFS)
}

/**
 * The fields of a node of any schema.
 * @param definitions what its references name
 */
export function listFields(node: SchemaNode, definitions: Definitions): Fields {
  const root = resolve(node, definitions)
  return {
    root,
    find: (path) => find(root, path, definitions),
    leaves: () => [...listLeaves(root, [], definitions)],
  }
}

/** An object with an example for each required field, if the schema has one; undefined for other types. */
export function exampleOf({
  properties,
  required = [],
}: SchemaNode): Readonly<Record<string, unknown>> | undefined {
  if (!properties) return undefined
  return Object.fromEntries(
    required.flatMap((name) =>
      properties[name] ? [[name, resolve(properties[name]).examples?.[0] ?? "…"]] : [],
    ),
  )
}

/** The types that a node takes, by their JSON Schema names. */
export function typesOf(node: SchemaNode): string[] {
  return [node.type ?? (node.properties ? "object" : node.items ? "array" : "string")].flat()
}

function find(root: SchemaNode, path: readonly string[], definitions: Definitions): Found {
  let node = root
  for (const [at, part] of path.entries()) {
    if (node.items) {
      if (!/^\d{1,3}$/.test(part)) return { list: true, at }
      node = resolve(node.items, definitions)
      continue
    }
    if (node.type === "object" && !node.properties && part !== "") return { node: ANY_VALUE }
    const next = node.properties && Object.hasOwn(node.properties, part) ? node.properties[part] : undefined
    if (!next) return { list: false, at, names: Object.keys(node.properties ?? {}) }
    node = resolve(next, definitions)
  }
  return { node }
}

/** The value of an object with free names. */
export const ANY_VALUE: SchemaNode = { title: "any value" }

function* listLeaves(
  node: SchemaNode,
  path: readonly string[],
  definitions: Definitions,
): Generator<{ path: readonly string[]; node: SchemaNode }> {
  const below =
    node.properties ?? (node.items?.$ref || node.items?.properties ? { 0: node.items } : undefined)
  if (!below) yield { path, node }
  else
    for (const [name, each] of Object.entries(below))
      yield* listLeaves(resolve(each, definitions), [...path, name], definitions)
}

/** A node merged with its references and `allOf` parts; its properties are not resolved. */
export function resolve(node: SchemaNode, definitions: Definitions = $DEFS): SchemaNode {
  let merged = node
  if (node.$ref) {
    const target = definitions[node.$ref.split("/").at(-1) ?? ""]
    merged = { ...(target ? resolve(target, definitions) : {}), ...node }
  }
  for (const part of node.allOf ?? []) {
    const more = resolve(part, definitions)
    merged = { ...more, ...merged, properties: { ...more.properties, ...merged.properties } }
  }
  return merged
}

const TYPE_KINDS: readonly (readonly [type: string, kind: KindName])[] = [
  ["boolean", "yesNo"],
  ["integer", "whole"],
  ["number", "number"],
  ["string", "text"],
]

/** The kind of a field: as the schema says by `x-kind`, or by its format, choices and type. */
export function findKind(node: SchemaNode): KindName {
  const named = node["x-kind"] ?? node.format
  if (named !== undefined && isKind(named)) return named
  if (node.enum) return "choice"
  const types = typesOf(node)
  return TYPE_KINDS.find(([type]) => types.includes(type))?.[1] ?? "json"
}
