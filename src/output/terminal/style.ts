import { styleText } from "node:util"
import type { OutputStream } from "./terminal.ts"

export type Style = Parameters<typeof styleText>[0]

/** States as the APIs, carriers and freight call them. */
const STATES: readonly (readonly [words: RegExp, style: Style])[] = [
  [/^(done|booked|delivered|consigned|settled|works|yes|ok|now|valid)$/i, "green"],
  [/^(failed|refused|invalid|cancelled|error|no|not valid|not json)$/i, "red"],
  [
    /^(unknown|none|several|in-flight|cannot-tell|reconcile_needed|waiting|on hold|warnings?|duplicate)$/i,
    "yellow",
  ],
]

/** The colour of a state; undefined for one that is neither good nor bad. */
export function stateStyle(state: string): Style | undefined {
  return STATES.find(([words]) => words.test(state.trim()))?.[1]
}

/** Text in a colour or weight, on a stream that shows it; otherwise the text as it is. */
export function paint(stream: Pick<OutputStream, "colour">, style: Style, text: string): string {
  return stream.colour ? styleText(style, text, { validateStream: false }) : text
}

/** Clears the cursor's line, such as progress. */
export const CLEAR_LINE = "\r\u001b[K"
