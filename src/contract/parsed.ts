/** Reading short text that a person typed: either a value, or the reason why there is none. */
import { FreightError } from "../errors.ts"
import { safeText } from "./safe-text.ts"

/** `reason` says what is wrong with the text and how to write it, for a message or for a prompt to show. */
export type Parsed<T> = { ok: true; value: T } | Refused
type Refused = { ok: false; reason: string }

export function parsed<T>(value: T): Parsed<T> {
  return { ok: true, value }
}

export function refused(reason: string): Refused {
  return { ok: false, reason }
}

/** The value, or a FreightError of kind `input` that says where the bad text stood (`--package`, `row 7`). */
export function valueOrThrow<T>(result: Parsed<T>, where: string): T {
  if (result.ok) return result.value
  throw new FreightError("input", `${where}: ${result.reason}`)
}

/** Text as a message repeats it: short, in quotes, harmless on a terminal. */
export function quoted(text: string): string {
  return `"${safeText(text, 60)}"`
}
