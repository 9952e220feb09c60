/** Help pages of commands and topics, laid out by commander. */
import { Help } from "commander"
import { paint } from "../../output/terminal/style.ts"
import type { OutputStream } from "../../output/terminal/terminal.ts"

type Stdout = Pick<OutputStream, "columns" | "colour">

export interface Block {
  heading?: string
  /** Paragraphs, one per line; wrapped. */
  text?: string
  /** Terms and meanings, in two columns. */
  list?: readonly (readonly [term: string, meaning: string])[]
  /** Commands and examples for copying; never wrapped. */
  lines?: readonly string[]
}

/** Meanings of longer terms stand below them. */
const LONGEST_TERM = 40

/** Longer lines are hard to read. */
function pageWidth({ columns }: Stdout): number {
  return Math.min(columns, 100)
}

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

/** Wraps unindented lines and prints headings in bold. */
export function finishPage(page: string, stdout: Stdout): string {
  const help = new Help()
  const lines = page.split("\n").map((line) => {
    if (/^[A-Z-][^.]*:$/.test(line)) return paint(stdout, "bold", line)
    return /^\S/.test(line) ? help.boxWrap(line, pageWidth(stdout)) : line
  })
  return lines.join("\n")
}
