/** Setting fields by their dotted names: `--set receiver.suburb=Fremantle`. */
import { FreightError } from "../../base/errors.ts"
import { type Parsed, parsed, quoted, valueOrThrow } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import type { WallClock } from "../../base/wall-clock.ts"
import { type Json, type JsonObject, put, segments } from "../../base/json.ts"
import { getKind } from "./kinds.ts"
import { findOwnReader } from "./own.ts"
import { ANY_VALUE, type Fields, fieldsOf, findKind, type SchemaNode, typesOf } from "./schema.ts"

/**
 * Sets fields of a request, in order, on a copy.
 * @param resource its name in the schema file: `ConsignmentBookingRequest`
 * @param now local time at the place of collection; with it, times and packaging are read as people write them
 * @throws FreightError `usage` for an unknown field or a value of the wrong type, `input` for a time or another text
 * that cannot be read
 */
export function applySets(
  target: JsonObject,
  sets: readonly string[],
  resource: string,
  now?: () => WallClock,
): JsonObject {
  if (sets.length === 0) return target
  const fields = fieldsOf(resource)
  const assignments = readSets(sets, (path) => {
    const readOwn = findOwnReader(resource, path.join("."))
    if (readOwn) return readOwn
    const node = findNode(fields, path)
    return now && typesOf(node).includes("string")
      ? (text) => getKind(findKind(node)).parse(text, { now })
      : (text) => parsed(readTyped(node, path.join("."), text))
  })
  return assignFields(target, assignments)
}

export interface Assignment {
  path: readonly string[]
  value: Json
}

/**
 * Writes values at their paths, in order, on a copy.
 * @throws FreightError `usage` where an element of a list is set, and one before it is missing
 */
export function assignFields(target: JsonObject, assignments: readonly Assignment[]): JsonObject {
  const result = structuredClone(target)
  for (const { path, value } of assignments) put(result, path, structuredClone(value))
  for (const { path } of assignments) refuseGap(result, path)
  return result
}

function refuseGap(target: JsonObject, path: readonly string[]): void {
  let here: Json | undefined = target
  for (const [at, part] of path.entries()) {
    const holder = here as Record<string, Json>
    if (Array.isArray(here)) {
      let next = 0
      while (next < Number(part) && Object.hasOwn(holder, String(next))) next++
      if (next < Number(part))
        throw new FreightError(
          "usage",
          `--set ${path.join(".")}: ${quoted(path.slice(0, at).join("."))} has no element ${next}: the next one is ${[...path.slice(0, at), next].join(".")}`,
        )
    }
    here = holder[part]
  }
}

/**
 * Reads what `--set` sets.
 * @param findReader gives how the text of the field at a path is read
 * @throws FreightError `usage` for a text that is not FIELD=VALUE, `input` or `usage` for a value that cannot be read
 */
export function readSets(
  sets: readonly string[],
  findReader: (path: readonly string[]) => (text: string) => Parsed<Json>,
): Assignment[] {
  return sets.map((text) => {
    const { path, value } = parts(text)
    return { path, value: valueOrThrow(findReader(path)(value), `--set ${path.join(".")}`) }
  })
}

/**
 * Sets fields of any JSON object, in order, on a copy. A value that parses as JSON is JSON; any other is text.
 * @throws FreightError `usage` for a place that cannot be
 */
export function applyPlainSets(target: JsonObject, sets: readonly string[]): JsonObject {
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    if (path.some((part) => part === "" || /^\d{4,}$/.test(part)))
      throw new FreightError("usage", `--set ${path.join(".")}: this is not a field name`)
    put(result, path, jsonOrText(value))
  }
  return result
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
  if (equals < 1) throw new FreightError("usage", `--set takes FIELD=VALUE, not ${quoted(text)}`)
  return { path: segments(text.slice(0, equals)), value: text.slice(equals + 1) }
}

/** Finds the schema of the field at a path. @throws FreightError `usage` where there is no such field */
export function findNode(fields: Fields, path: readonly string[]): SchemaNode {
  const found = fields.find(path)
  if ("node" in found) return found.node
  const above = path.slice(0, found.at)
  const so = path.slice(0, found.at + 1).join(".")
  if (found.list)
    throw new FreightError(
      "usage",
      `--set ${so}: ${quoted(above.join("."))} is a list: name its item by number, from 0`,
    )
  const near = suggest(path[found.at] ?? "", found.names)
  throw new FreightError("usage", `--set ${so}: there is no such field`, {
    hint: near
      ? `Did you mean ${quoted([...above, near].join("."))}?`
      : `The fields here are: ${found.names.join(", ") || "none"}.`,
  })
}

/** Reads a value by the type of its field. @throws FreightError `usage` for one of another type */
export function readTyped(node: SchemaNode, field: string, text: string): Json {
  if (node === ANY_VALUE) return jsonOrText(text)
  const types = typesOf(node)
  if (types.includes("null") && text === "null") return null
  if (types.includes("string")) return text
  if (types.includes("boolean")) {
    if (text === "true" || text === "false") return text === "true"
    throw new FreightError("usage", `--set ${field}: takes true or false, not ${quoted(text)}`)
  }
  if (types.includes("integer") || types.includes("number")) {
    const whole = !types.includes("number")
    if ((whole ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d+)?$/).test(text)) return Number(text)
    throw new FreightError(
      "usage",
      `--set ${field}: takes a ${whole ? "whole number" : "number"}, not ${quoted(text)}`,
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
