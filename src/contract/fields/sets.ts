/** Setting fields by their dotted names: `--set receiver.suburb=Fremantle`. */
import { FreightError } from "../../base/errors.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import type { WallClock } from "../../base/wall-clock.ts"
import { type Json, type JsonObject, put, segments } from "../../base/json.ts"
import { getKind } from "./kinds.ts"
import { findOwnReader } from "./own.ts"
import { type Fields, fieldsOf, findKind, type SchemaNode, typesOf } from "./schema.ts"

/**
 * Sets fields of a request, in order, on a copy.
 * @param resource its name in the schema file: `ConsignmentBookingRequest`
 * @param now what the clock shows at the place of collection; with it, times and packaging are read as people write them
 * @throws FreightError `usage` for an unknown field, a value of the wrong type, or a time that cannot be read
 */
export function applySets(
  target: JsonObject,
  sets: readonly string[],
  resource: string,
  now?: () => WallClock,
): JsonObject {
  if (sets.length === 0) return target
  const fields = fieldsOf(resource)
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    const readOwn = findOwnReader(resource, path.join("."))
    if (readOwn) {
      put(result, path, valueOrThrow(readOwn(value), `--set ${path.join(".")}`))
      continue
    }
    const node = findNode(fields, path)
    const name = path.join(".")
    const isText = typesOf(node).includes("string")
    const parsedText = now && isText ? getKind(findKind(node)).parse(value, { now }) : undefined
    put(result, path, parsedText ? valueOrThrow(parsedText, `--set ${name}`) : read(node, name, value))
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
  if (equals < 1) throw new FreightError("usage", `--set takes FIELD=VALUE, not '${text}'`)
  return { path: segments(text.slice(0, equals)), value: text.slice(equals + 1) }
}

function findNode(fields: Fields, path: readonly string[]): SchemaNode {
  const found = fields.find(path)
  if ("node" in found) return found.node
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
      : `The fields here are: ${found.names.join(", ") || "none"}.`,
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
