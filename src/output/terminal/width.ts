/**
 * The width of text on a terminal, and fitting text to a width. Widths are in columns; styles have none.
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

/** Sequences that a reader takes for one character: an emoji with its skin tone, a letter with its accents; and styles. */
export function graphemes(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  const segments = segmenter
  return text
    .split(STYLE)
    .flatMap((part, at) => (at % 2 ? [part] : Array.from(segments.segment(part), ({ segment }) => segment)))
}

/** The text if it fits, otherwise its beginning and an ellipsis. */
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
 * A line broken between words into lines of at most that width, each indented as the first. A command in a sentence
 * stays in one piece if it fits in a line. A longer word or command is broken as well, unless it has to stay `whole`,
 * so that an address or a command can be copied.
 */
export function wrap(text: string, width: number, { whole = false } = {}): string[] {
  if (widthOf(text) <= width) return [text]
  const indent = /^ */.exec(text)?.[0].slice(0, width / 2) ?? ""
  const room = width - indent.length
  const [first = "", ...words] = splitAroundCommands(text.trim()).flatMap((unit) => {
    if (whole || widthOf(unit) <= room) return [unit]
    return unit.split(" ").flatMap((word) => pieces(word, room))
  })
  const lines = [first]
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`
    if (widthOf(longer) <= room) lines.splice(-1, 1, longer)
    else lines.push(word)
  }
  return lines.map((line) => indent + line)
}

/**
 * `freight rate-shop --to "Perth WA 6000"` in a sentence: its name, then flags with their values, quoted texts, files
 * and NAMES, and the word before NAME=VALUE. A word of the sentence that looks like a part of it stays with it. A
 * single flag keeps its quoted value.
 */
const COMMAND =
  /\bfreight(?: [a-z][a-z-]*(?![\w.:/@]))(?: [a-z][a-z-]*(?![\w.:/@]))?(?:(?: -{1,2}[a-z][\w-]*(?:=\S+)?(?: (?:"[^"]*"|'[^']*'|[^\s-]\S*))?)|(?: (?:"[^"]*"|'[^']*'|[A-Z][A-Z0-9_]+(?![a-z])\S*|(?=\S*\w[.\d/=@:_]\w)\S+|[a-z][\w-]*(?= [\w.-]+=\w))))*|(?<![\w-])--[a-z][\w-]*[ =]"[^"]*"/g

/** The words of a text, each command with its blanks as one. */
function splitAroundCommands(text: string): string[] {
  const words: string[] = []
  let end = 0
  for (const { 0: command, index } of text.matchAll(COMMAND)) {
    // Text directly before the command already belongs to its word.
    if (index < end) continue
    const before = text.slice(end, index)
    words.push(...before.split(" ").filter((word, at, all) => word !== "" || at < all.length - 1))
    // Text directly behind the command, such as a bracket or a comma, belongs to its word.
    end = index + command.length
    const stuck = before !== "" && !before.endsWith(" ") ? (words.pop() ?? "") : ""
    const tail = /^\S*/.exec(text.slice(end))?.[0] ?? ""
    words.push(`${stuck}${command}${tail}`)
    end += tail.length + (text[end + tail.length] === " " ? 1 : 0)
  }
  return [...words, ...(end < text.length ? text.slice(end).split(" ") : [])]
}

/**
 * A command, or flags with their values, at the end of a line will be pasted, so it stays in one piece. It does not
 * contain the end of a sentence, and after `error:` there is always a sentence: `error: freight book has no flag --x`.
 */
const COMMAND_AT_END =
  /^(?<before>.*:)(?<!error:) (?<command>freight (?:[^.]|\.(?! ))*|--[a-z][\w-]*(?: (?:--[a-z][\w-]*|"[^"]*"|(?<=--[\w-]+ )[^\s"-]\S*))*)$/

/** A line for a stream: on a terminal broken between words, with further lines below `hanging`. */
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
