/** Checks a program's options of library functions, before anything is done. */
import { quoted } from "./parsed.ts"
import { FreightError } from "./errors.ts"

/**
 * @param call whose options they are, for people
 * @throws FreightError `usage` for what is not an object, and for an option that the call does not know
 */
export function refuseUnknownOptions(call: string, options: object, known: readonly string[]): void {
  requireKind(call, "an object", options)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new FreightError("usage", `${call}: there is no option ${quoted(unknown)}`, {
    hint: known.length > 0 ? `The options are: ${known.join(", ")}.` : "It takes no options.",
  })
}

const KINDS = {
  text: (value: unknown) => typeof value === "string" && value.trim() !== "",
  "a number": Number.isFinite,
  "true or false": (value: unknown) => typeof value === "boolean",
  "a list": Array.isArray,
  "a function": (value: unknown) => typeof value === "function",
  // A map, a date or a promise has no fields: it would count as empty.
  "an object": (value: unknown) => Object.prototype.toString.call(value) === "[object Object]",
} as const satisfies Record<string, (value: unknown) => boolean>

/**
 * @param where the call and the option, for people: `book: key`
 * @throws FreightError `usage` for a value of another kind, and for an empty text
 */
export function requireKind(where: string, kind: keyof typeof KINDS, value: unknown, hint?: string): void {
  if (KINDS[kind](value)) return
  throw new FreightError("usage", `${where} takes ${kind}, not ${describeKind(value)}; nothing was sent`, {
    hint: hint ?? "Leave it out where there is none.",
  })
}

/** Names the type only: the value itself may be a key. */
export function describeKind(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === "number") return Number.isFinite(value) ? "a number" : String(value)
  if (typeof value === "string") return value.trim() === "" ? "an empty text" : "text"
  if (typeof value === "boolean") return String(value)
  if (typeof value === "object") return Array.isArray(value) ? "a list" : toObjectName(value)
  return `a ${typeof value}`
}

/** `a promise`, `a map` */
function toObjectName(value: object): string {
  const name = Object.prototype.toString.call(value).slice("[object ".length, -1).toLowerCase()
  return name === "object" ? "an object" : `the object ${quoted(name)}`
}
