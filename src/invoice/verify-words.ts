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
  for (const [number, word] of words.entries()) {
    const start = starts[number] ?? 0
    starts[number + 1] = start + word.length + 1
    let hash = 0
    for (let at = start; at < start + word.length; at++) hash = mixed(hash, bytes[at] as number)
    let cell = cellOf(hash)
    while (table[cell] !== -1) cell = (cell + 1) & 255
    table[cell] = number
  }
  return { bytes, starts, table }
}

/** The number of the word whose first byte is at `from`, closing quote included; -1 when it is none of them. */
export function wordAt({ bytes, starts, table }: Words, source: Uint8Array, from: number): number {
  let hash = 0
  let end = from
  for (let char = source[end] as number; char !== QUOTE; char = source[++end] as number) {
    if (char < 32 || char === BACKSLASH || char === CLOSING_BRACE) return -1
    hash = mixed(hash, char)
  }
  for (let cell = cellOf(hash); ; cell = (cell + 1) & 255) {
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

function mixed(hash: number, byte: number): number {
  return (Math.imul(hash, 31) + byte) | 0
}

function cellOf(hash: number): number {
  return (hash ^ (hash >>> 8)) & 255
}
