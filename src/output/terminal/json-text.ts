import { UNSAFE } from "../../base/safe-text.ts"

/**
 * A value as JSON that is safe on a terminal: control characters that JSON need not escape are written as `\u009b`.
 * Parsing it gives the same value.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (mark) =>
    mark === "\n" ? mark : mark.split("").map(escapeUnit).join(""),
  )
}

/** JSON escapes a sign beyond the first 65,536 as its two halves. */
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
