/** Drawing a question, and drawing it again when the window has another size. */
import { stripVTControlCharacters } from "node:util"
import { useEffect, useRef, useState } from "@inquirer/core"
import type { Window } from "./window.ts"

const HIDE_CURSOR = "\u001b[?25l"
const CLEAR_WINDOW = "\u001b[H\u001b[2J"

/** Lines that each fit the window. */
interface Frame {
  above?: readonly string[]
  /** The line with the cursor. */
  line: string
  /** Column of the cursor; it is hidden where there is none. */
  cursor?: number
  /** The most needed first: where the window is too low, the last are left out. */
  below?: readonly string[]
  /** The very last line, where there is room for it. */
  keys?: string
}

interface Drawn {
  above: number
  below: number
  cursor: { rows: number; cols: number }
}

/** @returns what a prompt's view gives back for a frame */
export function useFrame(window: Window): (frame: Frame) => [string, string] {
  const [, drawAgain] = useState(0)
  const drawn = useRef<Drawn>({ above: 0, below: 0, cursor: { rows: 0, cols: 0 } })

  useEffect((reader) => {
    // The reader itself reckons with a line that is shown whole; here it may be scrolled.
    reader.getCursorPos = () => drawn.current.cursor
    // A terminal that fails is told by whoever asks; unheard, the reader would end the process.
    reader.on("error", () => {})
    return window.onResize(() => {
      reader.output.unmute()
      reader.output.write(afresh(window, drawn.current))
      reader.output.mute()
      drawAgain((times) => times + 1)
    })
  }, [])

  return (frame) => {
    const above = (frame.above ?? []).slice(0, window.rows - 1)
    const spare = window.rows - above.length - 1
    const below = (frame.below ?? []).slice(0, spare)
    if (frame.keys !== undefined && below.length < spare) below.push(frame.keys)
    // Inquirer takes the line's length for its width: it then sees a row more than there is, or a full one.
    const line = frame.cursor === undefined ? frame.line.trimEnd() : frame.line
    const { length } = stripVTControlCharacters(line)
    const filled = length % window.columns === 0 ? `${line} ` : line
    const cursor = { rows: Math.floor(length / window.columns), cols: frame.cursor ?? 0 }
    drawn.current = { above: above.length, below: below.length, cursor }
    const hidden = frame.cursor === undefined ? HIDE_CURSOR : ""
    return [[...above, filled + hidden].join("\n"), below.join("\n")]
  }
}

/**
 * Clears the window and writes again what was said before the question: terminals break lines in their own ways when
 * they become narrower, and what stands where is then unknown. Leaves the cursor where the next drawing expects it.
 */
function afresh(window: Window, { above, below }: Drawn): string {
  const height = above + 1 + below
  const before = window.before().slice(-Math.max(window.rows - height, 1))
  const up = below > 0 ? `\u001b[${below}A` : ""
  return `${CLEAR_WINDOW}${before.map((line) => `${line}\n`).join("")}${"\n".repeat(height - 1)}${up}`
}
