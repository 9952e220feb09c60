import { safeText } from "../../base/safe-text.ts"
import { describeDetail, type ErrorDetail, type ErrorKind, type FreightError } from "../../base/errors.ts"
import { paint } from "./style.ts"
import type { OutputStream } from "./terminal.ts"
import { fitLine } from "./width.ts"

const MAX_SHOWN = 50
/** Errors that may pass without action. */
const OUT_OF_REACH: readonly ErrorKind[] = ["unavailable", "timeout"]

/**
 * An error for people: what is wrong, each detail with its place, what to do, the command to run next. On a terminal it
 * is broken between words, except the command, so that it can be pasted.
 */
export function errorText(stream: OutputStream, error: FreightError): string {
  const fitted = (text: string, hanging?: string) => fitLine(stream, text, hanging)
  // Leaving is not an error.
  const label = error.kind === "interrupted" ? "" : `${paint(stream, ["bold", "red"], "error:")} `
  const lines = [fitted(`${label}${safeText(error.message, 2000)}`)]
  const details = error.errors ?? []
  for (const detail of details.slice(0, MAX_SHOWN)) {
    const place = [
      // A spreadsheet row already contains its place.
      !/^(all \d+ )?rows?\b/.test(detail.message) &&
        detail.line &&
        `line ${detail.line}${detail.column ? `, column ${detail.column}` : ""}`,
      safeText(getShownCode(detail)),
    ]
    const marks = place.filter(Boolean).join("; ")
    lines.push(
      fitted(
        `  - ${safeText(describeDetail(detail), 500)}${marks ? paint(stream, "dim", ` (${marks})`) : ""}`,
        "  ",
      ),
    )
    // A single step has its command below.
    if (detail.next && details.length > 1) lines.push(`    next: ${safeText(detail.next, 500)}`)
  }
  if (details.length > MAX_SHOWN) lines.push(`  … and ${details.length - MAX_SHOWN} more`)
  if (error.hint) lines.push(fitted(safeText(error.hint, 2000)))
  if (error.retryAfter !== undefined && error.retry === "after")
    lines.push(`It may be run again after ${Math.ceil(error.retryAfter)} s.`)
  else if (error.retry === "safe" && OUT_OF_REACH.includes(error.kind))
    lines.push("It is safe to run it again.")
  if (error.next) lines.push(`${paint(stream, "bold", "next:")} ${safeText(error.next, 500)}`)
  return `${lines.join("\n")}\n`
}

/** A code that only scripts need is not shown to people. */
function getShownCode({ apiCode, kind, code }: ErrorDetail): string {
  return apiCode ?? (kind === undefined ? code : undefined) ?? ""
}
