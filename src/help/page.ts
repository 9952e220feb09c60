/** Pages of help, laid out by commander: those of commands by its own help, those of topics by its parts. */
import { Help } from "commander"
import { paint } from "../terminal/style.ts"
import type { OutputStream } from "../terminal/terminal.ts"

type Stdout = Pick<OutputStream, "columns" | "colour">

export interface Block {
  heading?: string
  /** Paragraphs, a line each; wrapped. */
  text?: string
  /** Terms and what they mean, in two columns. */
  list?: readonly (readonly [term: string, meaning: string])[]
  /** Commands and examples, never wrapped: they are for copying. */
  lines?: readonly string[]
}

/** The meaning of a longer term stands below it. */
const LONGEST_TERM = 40

/** Columns of a page: longer lines are hard to read. */
function pageWidth({ columns }: Stdout): number {
  return Math.min(columns, 100)
}

/** The page of a topic. */
export function pageText(blocks: readonly Block[], stdout: Stdout): string {
  const help = new Help()
  help.helpWidth = pageWidth(stdout)
  const terms = blocks.flatMap(({ list = [] }) => list.map(([term]) => term.length))
  const termWidth = Math.max(0, ...terms.filter((length) => length <= LONGEST_TERM))
  const sections = blocks.map(({ heading, text, list = [], lines = [] }) => [
    ...(heading === undefined ? [] : [heading]),
    ...(text === undefined ? [] : [text]),
    ...list.map(([term, meaning]) =>
      term.length <= LONGEST_TERM
        ? help.formatItem(term, termWidth, meaning, help)
        : `  ${term}\n${help.formatItem("", 2, meaning, help)}`,
    ),
    ...lines.map((line) => `  ${line}`),
  ])
  return finishPage(`${sections.map((section) => section.join("\n")).join("\n\n")}\n`, stdout)
}

/** Wraps lines that are not indented, and shows headings in bold. */
export function finishPage(page: string, stdout: Stdout): string {
  const help = new Help()
  const lines = page.split("\n").map((line) => {
    if (/^[A-Z-][^.]*:$/.test(line)) return paint(stdout, "bold", line)
    return /^\S/.test(line) ? help.boxWrap(line, pageWidth(stdout)) : line
  })
  return lines.join("\n")
}
