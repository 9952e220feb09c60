/** `--set receiver.suburb=Fremantle`: any field of the contract, its value typed by the schema. */
import { suggest } from "../contract/suggest.ts"
import { FreightError } from "../errors.ts"
import {
  type Fields,
  fieldsOf,
  type Json,
  type JsonObject,
  put,
  type SchemaNode,
  segments,
  typesOf,
} from "./schema-fields.ts"

export type { Json, JsonObject } from "./schema-fields.ts"

/** Whether two values are the same JSON, their fields in the same order. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
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
  const fields = await fieldsOf(name)
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    put(result, path, typed(fields, path, value))
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

/** Reads the text as what the schema has at the path. */
function typed(fields: Fields, path: readonly string[], text: string): Json {
  const found = fields.find(path)
  if ("node" in found) return read(found.node, path.join("."), text)
  const above = path.slice(0, found.at)
  const so = path.slice(0, found.at + 1).join(".")
  if (found.list)
    throw new FreightError(
      "usage",
      `--set ${so}: '${above.join(".")}' is a list: name its item by number, from 0`,
    )
  const near = suggest(path[found.at] ?? "", found.names)
  throw new FreightError("usage", `--set ${so}: there is no such field`, {
    hint: near
      ? `Did you mean '${[...above, near].join(".")}'?`
      : `Known here: ${found.names.join(", ") || "nothing below this field"}.`,
  })
}

function read(node: SchemaNode, field: string, text: string): Json {
  const types = typesOf(node)
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
