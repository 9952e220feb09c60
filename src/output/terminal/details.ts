import { safeText } from "../../base/safe-text.ts"
import { paint, stateStyle } from "./style.ts"
import type { Terminal } from "./terminal.ts"
import { wrap } from "./width.ts"

const GAP = "  "
/** A narrower column of values would have a word a line. */
const MIN_VALUE_WIDTH = 20

const MAX_NAME_LENGTH = 60

/** The third part marks the value as a state, which has a colour. */
export type Detail = readonly [name: string, value: string | null | undefined, isState?: "state"]

/** Names and values, a line each, broken between words on a terminal; missing values are left out. */
export function details({ stdout }: Terminal, lines: readonly Detail[]): string {
  const shown = lines
    .filter(([, value]) => value)
    .map(([name, ...rest]): Detail => [safeText(name, MAX_NAME_LENGTH), ...rest])
  const width = Math.max(...shown.map(([name]) => name.length))
  const room = stdout.isTTY ? stdout.columns - width - GAP.length : Number.POSITIVE_INFINITY
  return shown
    .map(([name, value, isState]) => {
      const style = isState && stateStyle(value ?? "")
      const lines = wrap(safeText(value ?? "", 500), Math.max(room, MIN_VALUE_WIDTH), { whole: true })
      const heading = paint(stdout, "bold", name.padEnd(width))
      return lines
        .map(
          (line, at) =>
            `${at === 0 ? heading : " ".repeat(width)}${GAP}${style ? paint(stdout, style, line) : line}\n`,
        )
        .join("")
    })
    .join("")
}
