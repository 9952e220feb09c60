/** The window that questions are drawn in, the marks that all of them use, and drawing again at another size. */
import { stripVTControlCharacters } from "node:util"
import { useEffect, useRef, useState } from "@inquirer/core"
import { safeText } from "../../contract/safe-text.ts"
import { asking } from "../sanitize.ts"
import { paint, type Style } from "../style.ts"
import { cut, widthOf, wrap } from "../width.ts"

export interface Window {
  readonly columns: number
  readonly rows: number
  readonly colour: boolean
  readonly unicode: boolean
  /** What was answered is kept when the person leaves. */
  readonly keepsAnswers: boolean
  /** The lines that stand above a question, fitted to the window. */
  before(): readonly string[]
  /** Calls back after each change of size. @returns what ends that */
  onResize(listener: () => void): () => void
}

const UNICODE = {
  asked: "?",
  answered: "✔",
  wrong: "✖",
  pointer: "❯",
  above: "↑",
  below: "↓",
  ellipsis: "…",
  between: " · ",
  spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
}
const ASCII: typeof UNICODE = {
  asked: "?",
  answered: "*",
  wrong: "!",
  pointer: ">",
  above: "^",
  below: "v",
  ellipsis: "...",
  between: " | ",
  spinner: ["|", "/", "-", "\\"],
}

export function marks({ unicode }: Window): typeof UNICODE {
  return unicode ? UNICODE : ASCII
}

/** What a line may hold: the last column stays free, since terminals differ in what they do after it. */
export function room(window: Window): number {
  return Math.max(window.columns, 12) - 1
}

export function fitted(window: Window, text: string, width = room(window)): string {
  return cut(text, width, marks(window).ellipsis)
}

/** Text below a question, indented, in at most that many lines. */
export function note(window: Window, style: Style, text: string, lines: number, indent = "  "): string[] {
  const width = room(window) - indent.length
  const wrapped = wrap(safeText(text), width)
  const kept = wrapped.slice(0, lines - 1)
  if (wrapped.length >= lines) kept.push(fitted(window, wrapped.slice(lines - 1).join(" "), width))
  return kept.map((line) => paint(window, style, indent + line))
}

/** A question in as many lines as it needs, up to three. */
export function heading(window: Window, question: string): string[] {
  const lines = wrap(asking(question), room(window) - 2).slice(0, 3)
  const mark = paint(window, "cyan", marks(window).asked)
  return lines.map((line, at) => `${at === 0 ? mark : " "} ${paint(window, "bold", line)}`)
}

/**
 * The question, and what is to stand beside it: in the same line or, where that leaves too little, in a line below.
 * @param needed columns for what stands beside it
 */
export function head(
  window: Window,
  question: string,
  needed: number,
): { above: string[]; lead: string; room: number } {
  const lines = heading(window, question)
  const [only = ""] = lines
  const left = room(window) - widthOf(only) - 1
  return lines.length === 1 && left >= needed
    ? { above: [], lead: `${only} `, room: left }
    : { above: lines, lead: "  ", room: room(window) - 2 }
}

/** A question that was answered, in one line; in two where the window is too narrow for both. */
export function answered(
  window: Window,
  question: string,
  answer: string,
): { above: string[]; line: string } {
  const width = room(window) - 2
  const mark = paint(window, "green", marks(window).answered)
  const asked = fitted(window, asking(question), width)
  const shown = safeText(answer, 200)
  const given = (columns: number) =>
    shown === "" ? paint(window, "dim", "none") : paint(window, "cyan", fitted(window, shown, columns))
  return widthOf(asked) + 1 + widthOf(shown || "none") <= width
    ? { above: [], line: `${mark} ${asked} ${given(width)}` }
    : { above: [`${mark} ${asked}`], line: `  ${given(width)}` }
}

/** What stands where a question was stepped back from, until that line is cleared. */
export const LEFT = "<"

/** The line that tells the keys: as much of it as there is room for; the first keys are the last left out. */
export function keyLine(window: Window, ...keys: readonly string[]): string {
  const { between } = marks(window)
  const width = room(window) - 2
  const lines = [
    ...(window.keepsAnswers ? [[...keys, "Esc back", "Ctrl-C stops, your answers are kept"]] : []),
    ...[...keys, ""].map((_, left) => [...keys.slice(0, keys.length - left), "Esc back", "Ctrl-C stops"]),
  ].map((words) => words.join(between))
  const line = lines.find((each) => widthOf(each) <= width) ?? "Esc back"
  return paint(window, "dim", `  ${fitted(window, line, width)}`)
}

const HIDE_CURSOR = "\u001b[?25l"
const CLEAR_WINDOW = "\u001b[H\u001b[2J"

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
    // The question reports a failed terminal; without a listener the error would end the process.
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
