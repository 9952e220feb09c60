/** Help pages of commands and topics, laid out by commander. */
import { Help } from "commander"
import { type OutputStream, paint, wrap } from "../../output/index.ts"

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

/** Meanings of longer terms are printed below them. */
const MAX_TERM_LENGTH = 40

/** Commander's layout of a page. Meanings are broken to that width; a narrower terminal breaks them itself. */
export const LAYOUT = {
  minWidthToWrap: 24,
  boxWrap: (text: string, width: number) =>
    text
      .split("\n")
      .flatMap((line) => wrap(line, width, { whole: true }))
      .join("\n"),
}

/** Longer lines are hard to read. */
function pageWidth({ columns }: Stdout): number {
  return Math.min(columns, 100)
}

export function pageText(blocks: readonly Block[], stdout: Stdout): string {
  const help = Object.assign(new Help(), LAYOUT, { helpWidth: pageWidth(stdout) })
  const terms = blocks.flatMap(({ list = [] }) => list.map(([term]) => term.length))
  const termWidth = Math.max(0, ...terms.filter((length) => length <= MAX_TERM_LENGTH))
  const sections = blocks.map(({ heading, text, list = [], lines = [] }) => [
    ...(heading === undefined ? [] : [heading]),
    ...(text === undefined ? [] : [text]),
    ...list.map(([term, meaning]) =>
      term.length <= MAX_TERM_LENGTH
        ? help.formatItem(term, termWidth, meaning, help)
        : `  ${term}\n${help.formatItem("", 2, meaning, help)}`,
    ),
    ...lines.map((line) => `  ${line}`),
  ])
  return finishPage(`${sections.map((section) => section.join("\n")).join("\n\n")}\n`, stdout)
}

/** Wraps unindented lines and the meanings of terms, and prints headings in bold. */
export function finishPage(page: string, stdout: Stdout): string {
  const width = pageWidth(stdout)
  const lines = page.split("\n").map((line) => {
    const [, term = "", meaning = line] = /^( +\S+ {2,})(\S.*)$/.exec(line) ?? []
    if (line.length <= width || (/^ /.test(line) && term === "")) return paintHeading(line, stdout)
    const wrapped = LAYOUT.boxWrap(meaning, Math.max(width - term.length, LAYOUT.minWidthToWrap))
    return paintHeading(term + wrapped.replaceAll("\n", `\n${" ".repeat(term.length)}`), stdout)
  })
  return lines.join("\n")
}

function paintHeading(text: string, stdout: Stdout): string {
  return /^[A-Z-][^.]*:$/.test(text) ? paint(stdout, "bold", text) : text
}
