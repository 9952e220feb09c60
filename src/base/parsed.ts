/** The result of parsing short text: a value, or the reason why there is none. */
import { FreightError } from "./errors.ts"
import { safeText } from "./safe-text.ts"

/** The error of a text, or the repair in it. */
export interface FindingText {
  /** For grouping: `lost-zero`, `blanks`, `date`. */
  rule: string
  message: string
  hint?: string
}

/** A value with the repairs made to it, or the reason why there is none. */
export type Parsed<T> = { ok: true; value: T; repairs?: readonly FindingText[] } | Refused

/** `reason` is message and hint in one line: what is wrong, and how to write it. */
export interface Refused extends Partial<FindingText> {
  ok: false
  reason: string
}

/** A value with the repairs made to it; undefined ones are left out. */
export function parsed<T>(value: T, ...repairs: (FindingText | undefined)[]): Parsed<T> {
  const made = repairs.filter((each) => each !== undefined)
  return made.length > 0 ? { ok: true, value, repairs: made } : { ok: true, value }
}

/** `a: b`; after a whole sentence the hint is one of its own. */
export function withHint(message: string, hint: string | undefined): string {
  if (!hint) return message
  if (!/[.?!]$/.test(message)) return `${message}: ${hint}`
  return `${message} ${hint.replace(/^(?!freight\b)[a-z]/, (letter) => letter.toUpperCase())}`
}

/** A text that cannot be read. @param rule `type` where this is left out */
export function refused(message: string, hint?: string, rule?: string): Refused {
  if (hint === undefined && rule === undefined) return { ok: false, reason: message }
  return {
    ok: false,
    reason: withHint(message, hint),
    message,
    ...(hint !== undefined && { hint }),
    ...(rule !== undefined && { rule }),
  }
}

/** The result of a function, or its error as a refusal. */
export function refuseThrown<T>(read: () => Parsed<T>, rule?: string): Parsed<T> {
  try {
    return read()
  } catch (error) {
    if (error instanceof FreightError) return refused(error.message, error.hint, rule)
    throw error
  }
}

export function toFinding({ reason, rule = "type", message = reason, hint }: Refused): FindingText {
  return { rule, message, ...(hint !== undefined && { hint }) }
}

/** A repair: the written text, and how it is read. */
export function describeRepair(rule: string, text: string, as: string, why?: string): FindingText {
  return { rule, message: `${quoted(text)} is taken as ${quoted(as)}${why === undefined ? "" : `: ${why}`}` }
}

/** @param where the place of the bad text (`--package`, `row 7`). @throws FreightError `input` */
export function valueOrThrow<T>(result: Parsed<T>, where: string): T {
  if (result.ok) return result.value
  throw new FreightError("input", `${where}: ${result.reason}`)
}

/** Text as every message quotes it: in double quotes, short, and safe for a terminal. */
export function quoted(text: string): string {
  return `"${safeText(text, 60)}"`
}
