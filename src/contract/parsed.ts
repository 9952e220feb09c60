/** The result of parsing short text: a value, or the reason why there is none. */
import { FreightError } from "../errors.ts"
import { safeText } from "./safe-text.ts"

/** `reason` says what is wrong and how to write it. */
export type Parsed<T> = { ok: true; value: T } | Refused
type Refused = { ok: false; reason: string }

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

export function refused(reason: string): Refused {
  return { ok: false, reason }
}

/** @param where the bad text stood (`--package`, `row 7`). @throws FreightError `input` */
export function valueOrThrow<T>(result: Parsed<T>, where: string): T {
  if (result.ok) return result.value
  throw new FreightError("input", `${where}: ${result.reason}`)
}

/** Text as messages quote it: short and safe for a terminal. */
export function quoted(text: string): string {
  return `"${safeText(text, 60)}"`
}
