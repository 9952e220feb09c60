/** Sets of words that are found in bytes without making a string: property names and enumerations. */
import { Buffer } from "node:buffer"

const QUOTE = 34
const BACKSLASH = 92
const CLOSING_BRACE = 125

export interface Words {
  /** All words, one after the other, each with the quote that closes it. */
  readonly bytes: Uint8Array
  /** Where each word begins in `bytes`; one more entry for the end of the last. */
  readonly starts: Uint16Array
  /** Hash table with open addressing: the number of a word, or -1. */
  readonly table: Int8Array
}

/** At most 127 words of plain ASCII, each different. */
export function wordsOf(words: readonly string[]): Words {
  const bytes = Buffer.from(words.map((word) => `${word}"`).join(""), "latin1")
  const starts = new Uint16Array(words.length + 1)
  const table = new Int8Array(256).fill(-1)
  for (let number = 0; number < words.length; number++) {
    const word = words[number] as string
    const start = starts[number] ?? 0
    starts[number + 1] = start + word.length + 1
    let cell = cellOf(bytes, start, word.length)
    while (table[cell] !== -1) cell = (cell + 1) & 255
    table[cell] = number
  }
  return { bytes, starts, table }
}

/** The number of the word whose first byte is at `from`, closing quote included; -1 when it is none of them. */
export function wordAt({ bytes, starts, table }: Words, source: Uint8Array, from: number): number {
  let end = from
  for (let char = source[end] as number; char !== QUOTE; char = source[++end] as number)
    if (char < 32 || char === BACKSLASH || char === CLOSING_BRACE) return -1
  for (let cell = cellOf(source, from, end - from); ; cell = (cell + 1) & 255) {
    const number = table[cell] as number
    if (number < 0) return -1
    const start = starts[number] as number
    const length = (starts[number + 1] as number) - start
    if (length !== end + 1 - from) continue
    let same = 0
    while (same < length && bytes[start + same] === source[from + same]) same++
    if (same === length) return number
  }
}

/** Of a word's length and three of its bytes: cheap, and no two names or words of one set of the schema share a cell. */
function cellOf(bytes: Uint8Array, start: number, length: number): number {
  const first = bytes[start] as number
  const middle = bytes[start + (length >> 1)] as number
  const last = length === 0 ? 0 : (bytes[start + length - 1] as number)
  return (first + 19 * last + 59 * middle + 41 * length) & 255
}
