/** JSON values, and their fields by dotted path. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

/** A value after it was written as JSON and parsed again: an independent copy. */
export type Plain<Value> = Value extends { toJSON(): infer Written }
  ? Plain<Written>
  : Value extends object
    ? { -readonly [Key in keyof Value]: Plain<Value[Key]> }
    : Value

/** The parsed value of a text; undefined if it is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a value is a JSON object, and not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Whether a value is a JSON object with fields of these types: `string`, `number|undefined`, `string|null`. */
export function hasTypes(value: unknown, types: Readonly<Record<string, string>>): boolean {
  const fields: Readonly<Record<string, unknown>> = Object(value)
  return Object.entries(types).every(([name, type]) =>
    type.split("|").includes(fields[name] === null ? "null" : typeof fields[name]),
  )
}

/** The value under a name from outside, which may be `constructor` or another name that every object has. */
export function getOwn<Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Whether two values are the same JSON, their fields in the same order. */
export function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** `packages[0].count` as its parts. */
export function segments(path: string): string[] {
  return path
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .map((part) => part.trim())
}

/** Puts a value at a path, in place, creating objects and lists on the way. */
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

function define(holder: Record<string, Json>, key: string, value: Json): void {
  // Plain assignment, which is faster, would run the setter of `__proto__`.
  if (key !== "__proto__") holder[key] = value
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Puts a value at a dotted path, in place, creating objects and lists on the way: `alertAddresses.0.email`. */
export function putAt(target: JsonObject, path: string, value: Json): void {
  put(target, segments(path), value)
}
