/** Where things stand in a text, as editors count it. */

export interface Place {
  /** From 1. Lines end with LF, CRLF or CR. */
  line: number
  /** From 1, in characters: an emoji is one. */
  column: number
  /** From 0, in UTF-16 code units of the text, or in bytes where bytes were given. */
  offset: number
}

const LINE_END = /\r\n?|\n/g
const SECOND_HALF = /[\ud800-\udbff][\udc00-\udfff]/
const ALL_SECOND_HALVES = /[\ud800-\udbff][\udc00-\udfff]/g

/** Reads a text as far as it is asked about, once; an offset in what was read is found in logarithmic time. */
export function placesIn(text: string): (offset: number) => Place {
  const lineStarts = [0]
  /** The second halves of surrogate pairs: code units that are not a character of their own. */
  const halves: number[] = []
  const lineEnds = text.includes("\r") ? /\r\n?|\n/g : /\n/g
  const pairs = SECOND_HALF.test(text) ? text.matchAll(ALL_SECOND_HALVES) : []
  for (const { index } of pairs) halves.push(index + 1)
  let isRead = false
  return (offset) => {
    while (!isRead && (lineStarts.at(-1) ?? 0) <= offset) {
      if (lineEnds.test(text)) lineStarts.push(lineEnds.lastIndex)
      else isRead = true
    }
    const line = countUpTo(lineStarts, offset)
    const start = lineStarts[line - 1] ?? 0
    const extra = countUpTo(halves, offset - 1) - countUpTo(halves, start)
    return { line, column: offset - start - extra + 1, offset }
  }
}

/** One place, for which only the text before it is read. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const lines = before.includes("\r") ? before.split(LINE_END) : before.split("\n")
  const last = lines.at(-1) ?? ""
  const halves = last.match(ALL_SECOND_HALVES)?.length ?? 0
  return { line: lines.length, column: last.length - halves + 1, offset }
}

/** `line 3, column 7`. */
export function inWords({ line, column }: Place): string {
  return `line ${line}, column ${column}`
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
