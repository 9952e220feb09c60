/** Where things stand in a text, as editors count it. */

export const BOM = "\ufeff"

export interface Place {
  /** From 1. Lines end with LF, CRLF or CR. */
  line: number
  /** From 1, in characters: an emoji is one. A byte order mark is none. */
  column: number
  /** From 0, in UTF-16 code units of the text, or in bytes where bytes were given. */
  offset: number
}

/** Reads a text once; the function returned then turns each offset into a place in logarithmic time. */
export function placesIn(text: string): (offset: number) => Place {
  const first = text.startsWith(BOM) ? 1 : 0
  const lineStarts = [first]
  /** The second halves of surrogate pairs: code units that are no character of their own. */
  const halves: number[] = []
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lineStarts.push(at + 1)
    else if (code >= 0xd800 && code < 0xdc00 && text.charCodeAt(at + 1) >> 10 === 0xdc00 >> 10)
      halves.push(++at)
  }
  return (offset) => {
    const at = Math.max(offset, first)
    const line = countUpTo(lineStarts, at)
    const start = lineStarts[line - 1] ?? first
    const extra = countUpTo(halves, at - 1) - countUpTo(halves, start)
    return { line, column: at - start - extra + 1, offset: at }
  }
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
