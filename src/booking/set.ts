/** `--set receiver.suburb=Fremantle`: any field of the contract, its value typed by the schema. */
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

interface SchemaNode {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, SchemaNode>
  items?: SchemaNode
  allOf?: SchemaNode[]
}

interface SchemaFile {
  $defs: Record<string, SchemaNode>
}

/**
 * Sets fields of a request, in order, on a copy.
 * @param name the resource in the schema file: `ConsignmentBookingRequest`
 * @throws FreightError `usage` for an unknown field or a value of the wrong type
 */
export async function applySets(
  target: JsonObject,
  sets: readonly string[],
  name: string,
): Promise<JsonObject> {
  if (sets.length === 0) return target
  const schema = (await import("../../schemas/freight.schema.json")).default as unknown as SchemaFile
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    put(result, path, typed(schema, schema.$defs[name] ?? {}, path, value))
  }
  return result
}

/**
 * Sets fields of any JSON object, in order, on a copy. A value that reads as JSON is that; any other is text.
 * @throws FreightError `usage` for a place that cannot be
 */
export function applyPlainSets(target: JsonObject, sets: readonly string[]): JsonObject {
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    if (path.some((part) => part === "" || /^\d{4,}$/.test(part)))
      throw new FreightError("usage", `--set ${path.join(".")}: there can be no such field`)
    put(result, path, jsonOrText(value))
  }
  return result
}

/** Puts a value at a dotted path, in place, making objects and lists on the way: `alertAddresses.0.email`. */
export function putAt(target: JsonObject, path: string, value: Json): void {
  put(target, segments(path), value)
}

function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function parts(text: string): { path: string[]; value: string } {
  const equals = text.indexOf("=")
  if (equals < 1) throw new FreightError("usage", `--set takes FIELD=VALUE, not '${text}'`)
  return { path: segments(text.slice(0, equals)), value: text.slice(equals + 1) }
}

function segments(path: string): string[] {
  return path
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .map((part) => part.trim())
}

/** Walks the schema along the path, then reads the text as what stands there. */
function typed(schema: SchemaFile, root: SchemaNode, path: readonly string[], text: string): Json {
  let node = resolve(schema, root)
  for (const [at, part] of path.entries()) {
    const so = path.slice(0, at + 1).join(".")
    if (node.items) {
      if (!/^\d{1,3}$/.test(part))
        throw new FreightError(
          "usage",
          `--set ${so}: '${path.slice(0, at).join(".")}' is a list: name its item by number, from 0`,
        )
      node = resolve(schema, node.items)
      continue
    }
    const next = node.properties && Object.hasOwn(node.properties, part) ? node.properties[part] : undefined
    if (!next) {
      const names = Object.keys(node.properties ?? {})
      const near = suggest(part, names)
      throw new FreightError("usage", `--set ${so}: there is no such field`, {
        hint: near
          ? `Did you mean '${[...path.slice(0, at), near].join(".")}'?`
          : `Known here: ${names.join(", ") || "nothing below this field"}.`,
      })
    }
    node = resolve(schema, next)
  }
  return read(node, path.join("."), text)
}

/** A node with its references and `allOf` parts laid over each other. */
function resolve(schema: SchemaFile, node: SchemaNode): SchemaNode {
  let merged = node
  if (node.$ref) {
    const target = schema.$defs[node.$ref.split("/").at(-1) ?? ""]
    merged = { ...(target ? resolve(schema, target) : {}), ...node }
  }
  for (const part of node.allOf ?? []) {
    const more = resolve(schema, part)
    merged = { ...more, ...merged, properties: { ...more.properties, ...merged.properties } }
  }
  return merged
}

function read(node: SchemaNode, field: string, text: string): Json {
  const types = [node.type ?? (node.properties ? "object" : node.items ? "array" : "string")].flat()
  if (types.includes("null") && text === "null") return null
  if (types.includes("string")) return text
  if (types.includes("boolean")) {
    if (text === "true" || text === "false") return text === "true"
    throw new FreightError("usage", `--set ${field}: takes true or false, not '${text}'`)
  }
  if (types.includes("integer") || types.includes("number")) {
    const whole = !types.includes("number")
    if ((whole ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d+)?$/).test(text)) return Number(text)
    throw new FreightError(
      "usage",
      `--set ${field}: takes a ${whole ? "whole number" : "number"}, not '${text}'`,
    )
  }
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new FreightError(
      "usage",
      `--set ${field}: takes JSON, such as ${types.includes("array") ? '["A","B"]' : '{"…":"…"}'}, or set its fields one by one`,
    )
  }
}

/** Puts a value at a path, making objects and lists on the way. */
function put(target: JsonObject, path: readonly string[], value: Json): void {
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
