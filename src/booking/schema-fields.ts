/** The fields of a request by their dotted names, as the schema knows them, and setting them: `--set receiver.suburb=Fremantle`. */
import { packagingCode } from "../contract/packaging.ts"
import { type Parsed, parsed, valueOrThrow } from "../contract/parsed.ts"
import { suggest } from "../contract/suggest.ts"
import {
  formatWallClock,
  parseCloseTime,
  type WallClock,
  formatClock,
  parseTimeOfDay,
} from "../contract/wall-clock.ts"
import { parseDay, parseMoment } from "../contract/when.ts"
import { FreightError } from "../errors.ts"

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
    leaves: () => [...listLeaves($defs, root, [])],
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

/** Whether two values are the same JSON, their fields in the same order. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * Sets fields of a request, in order, on a copy.
 * @param name the resource in the schema file: `ConsignmentBookingRequest`
 * @param now what the clock shows at the place of collection; with it, times and packaging are read as people write them
 * @throws FreightError `usage` for an unknown field, a value of the wrong type, or a time that cannot be read
 */
export async function applySets(
  target: JsonObject,
  sets: readonly string[],
  name: string,
  now?: () => WallClock,
): Promise<JsonObject> {
  if (sets.length === 0) return target
  const fields = await fieldsOf(name)
  const result = structuredClone(target)
  for (const text of sets) {
    const { path, value } = parts(text)
    const set = parseAtPath(fields, path, value)
    const read = now && READERS[path.join(".")]?.(value, now)
    put(result, path, read ? valueOrThrow(read, `--set ${path.join(".")}`) : set)
  }
  return result
}

const READERS: Readonly<Record<string, (text: string, now: () => WallClock) => Parsed<string>>> = {
  collectionDateTime: readMoment,
  collectionCloseTime: parseCloseTime,
  packagingCode: (text) => parsed(packagingCode(text)),
  date: parseDay,
  pickupDate: parseDay,
  "timeSensitive.timeslot.dateTime": readSlot,
  "timeSensitive.deliveryWindow.startDate": parseDay,
  "timeSensitive.deliveryWindow.endDate": parseDay,
  "timeSensitive.deliveryWindow.startTime": readClock,
  "timeSensitive.deliveryWindow.endTime": readClock,
}

/** A moment as the contract writes it: `2026-11-23T10:00:00`. */
export function readMoment(text: string, now: () => WallClock): Parsed<string> {
  const read = parseMoment(text, now)
  return read.ok ? parsed(formatWallClock(read.value)) : read
}

/** A slot may have the offset of its zone. */
function readSlot(text: string, now: () => WallClock): Parsed<string> {
  return WITH_OFFSET.test(text) ? parsed(text) : readMoment(text, now)
}

const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\S+(?:Z|[+-]\d\d:\d\d)$/

/** A time of day as the contract writes it: `10:00`. */
export function readClock(text: string): Parsed<string> {
  const time = parseTimeOfDay(text)
  return time.ok ? parsed(formatClock(time.value)) : time
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

function parseAtPath(fields: Fields, path: readonly string[], text: string): Json {
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
