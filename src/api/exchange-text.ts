import type { Wire } from "./dispatcher.ts"
import type { Outcome } from "./outcome.ts"

const SHOWN_BODY = 4_000

/**
 * One exchange, for `--verbose`: request, reply and how long it took.
 * @param safe makes text safe to show and masks the key
 */
export function exchangeText(
  origin: string,
  { method, path, headers, body }: Wire,
  outcome: Outcome,
  tookMs: number,
  safe: (text: string, longest?: number) => string,
): string {
  const lines = [`> ${method} ${origin}${path}`, ...fields(">", headers)]
  if (body !== undefined) lines.push(`> ${body}`)
  if (outcome.end === "answered") {
    lines.push(`< ${outcome.status} after ${tookMs} ms`, ...fields("<", outcome.headers))
    const type = outcome.headers["content-type"] ?? ""
    if (/json|text/.test(type))
      lines.push(`< ${new TextDecoder().decode(outcome.body.subarray(0, SHOWN_BODY * 4))}`)
    else if (outcome.body.length > 0) lines.push(`< ${outcome.body.length} bytes`)
  } else {
    const { name, code } = outcome.trouble
    lines.push(`! ${outcome.end === "unsent" ? "not sent" : "no reply"} after ${tookMs} ms: ${name} ${code}`)
  }
  return lines.map((line) => safe(line, SHOWN_BODY)).join("\n")
}

function fields(mark: string, headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`)
}
