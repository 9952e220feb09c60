import { safeText } from "../contract/safe-text.ts"
import { paint } from "./style.ts"
import type { Terminal } from "./terminal.ts"

/** Names and values of one thing, a line each; what is absent is left out. */
export function details(
  { stdout }: Terminal,
  lines: readonly (readonly [string, string | null | undefined])[],
): string {
  const shown = lines.filter(([, value]) => value)
  const width = Math.max(...shown.map(([name]) => name.length))
  return shown
    .map(([name, value]) => `${paint(stdout, "bold", name.padEnd(width))}  ${safeText(value ?? "", 500)}\n`)
    .join("")
}
