/**
 * How wide text stands on a terminal, and text made to fit a width. Widths are in columns; styles have none.
 *
 * Not fast-wrap-ansi: it breaks an emoji of several characters apart, and changes the text that it wraps (to NFC).
 */
import stringWidth from "fast-string-width"

export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text)
}

/** It takes milliseconds to make, and most text is plain. */
let segmenter: Intl.Segmenter | undefined
const STYLE = /(\p{Cc}\[[\d;]*m)/u

/** What a reader takes for one character each: an emoji with its skin tone, a letter with its accents; and styles. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  const segments = segmenter
  return text
    .split(STYLE)
    .flatMap((part, at) => (at % 2 ? [part] : Array.from(segments.segment(part), ({ segment }) => segment)))
}

/** The text where it fits, otherwise its beginning and an ellipsis. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (widthOf(text) <= width) return text
  const room = width - widthOf(ellipsis)
  if (room < 0) return ""
  let kept = ""
  let used = 0
  for (const each of graphemes(text)) {
    used += widthOf(each)
    if (used > room) break
    kept += each
  }
  return `${kept.trimEnd()}${ellipsis}`
}

/**
 * A line broken between words into lines of at most that width, each indented as the first; a word that is longer is
 * broken as well, unless words are to stay `whole`, so that an address or a command can be copied.
 */
export function wrap(text: string, width: number, { whole = false }: { whole?: boolean } = {}): string[] {
  if (widthOf(text) <= width) return [text]
  const indent = /^ */.exec(text)?.[0].slice(0, width / 2) ?? ""
  const room = width - indent.length
  const [first = "", ...words] = text
    .trim()
    .split(" ")
    .flatMap((word) => (whole ? [word] : pieces(word, room)))
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (widthOf(longer) <= room) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines.map((line) => indent + line)
}

/** A command that ends a line is to be pasted, so it stays in one piece. No sentence ends in it. */
const COMMAND_AT_END = /^(?<before>.*:) (?<command>freight (?:[^.]|\.(?! ))*)$/

/** A line as it stands on a stream: on a terminal broken between words, the further lines below `hanging`. */
export function fitLine(
  { isTTY, columns }: { isTTY: boolean; columns: number },
  text: string,
  hanging = "",
): string {
  if (!isTTY || widthOf(text) <= columns) return text
  const { before = text, command } = COMMAND_AT_END.exec(text)?.groups ?? {}
  const lines = wrap(before, columns - hanging.length, { whole: true })
  return [...lines, ...(command === undefined ? [] : [command])].join(`\n${hanging}`)
}

function pieces(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const made: string[] = []
  let piece = ""
  for (const each of graphemes(word)) {
    if (piece !== "" && widthOf(piece) + widthOf(each) > width) {
      made.push(piece)
      piece = ""
    }
    piece += each
  }
  return [...made, piece]
}
