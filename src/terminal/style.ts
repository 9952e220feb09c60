import { styleText } from "node:util"
import type { OutputStream } from "./terminal.ts"

export type Style = Parameters<typeof styleText>[0]

/** Text in a colour or weight, on a stream that shows it; otherwise the text as it is. */
export function paint(stream: Pick<OutputStream, "colour">, style: Style, text: string): string {
  return stream.colour ? styleText(style, text, { validateStream: false }) : text
}
