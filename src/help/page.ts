/** A page of help: blocks of text laid out for a width. Every page, of a command or a topic, is made of them. */
import { paint } from "../terminal/style.ts"
import type { OutputStream } from "../terminal/terminal.ts"
import { wrap } from "../terminal/width.ts"

export interface Block {
  heading?: string
  /** Paragraphs, a line each; wrapped. */
  text?: string
  /** Terms and what they mean, in two columns. */
  list?: readonly (readonly [term: string, meaning: string])[]
  /** Commands and examples, each as it stands: whatever is copied must be whole. */
  lines?: readonly string[]
}

const WIDEST = 100
const INDENT = "  "
/** A column of meanings narrower than this is no longer read: they go below their terms. */
const NARROWEST = 24
const LONGEST_TERM = 40

/** Laid out for standard output; lines that are longer than a person reads with ease are broken on any terminal. */
export function pageText(blocks: readonly Block[], stdout: Pick<OutputStream, "columns" | "colour">): string {
  const broad = Math.min(stdout.columns, WIDEST)
  const terms = blocks.flatMap(({ list = [] }) => list.map(([term]) => term.length))
  const column = Math.max(0, ...terms.filter((length) => length <= LONGEST_TERM)) + 2
  const laidOut = blocks.map((block) => [
    ...(block.heading === undefined ? [] : [paint(stdout, "bold", block.heading)]),
    ...(block.text ?? "").split("\n").flatMap((text) => flowing(text, broad)),
    ...(block.list ?? []).flatMap((item) => listed(item, column, broad)),
    ...(block.lines ?? []).map((line) => INDENT + line),
  ])
  return `${laidOut.map((lines) => lines.join("\n")).join("\n\n")}\n`
}

function listed([term, meaning]: readonly [string, string], column: number, width: number): string[] {
  const room = width - INDENT.length - column
  if (room < NARROWEST || term.length > column - 2) {
    const below = `${INDENT}${INDENT}${INDENT}`
    return [INDENT + term, ...flowing(meaning, width - below.length).map((line) => below + line)]
  }
  const [first = "", ...rest] = flowing(meaning, room)
  const hanging = " ".repeat(INDENT.length + column)
  return [`${INDENT}${term.padEnd(column)}${first}`.trimEnd(), ...rest.map((line) => hanging + line)]
}

/** Whatever is copied must be whole; nothing is made of nothing. */
function flowing(text: string, width: number): string[] {
  return text === "" ? [] : wrap(text, width, { whole: true })
}

/** Text as commands write it below their flags: blocks with a blank line between, indented lines as they stand. */
export function blocksOf(text: string): Block[] {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((block) => {
      const lines = block.split("\n")
      const heading = lines[0]?.endsWith(":") ? lines.shift() : undefined
      const standing = lines
        .filter((line) => line.startsWith(INDENT))
        .map((line) => line.slice(INDENT.length))
      const paragraph = lines.filter((line) => !line.startsWith(INDENT))
      return {
        ...(heading !== undefined && { heading }),
        ...(paragraph.length > 0 && { text: paragraph.join("\n") }),
        ...(standing.length > 0 && { lines: standing }),
      }
    })
}
