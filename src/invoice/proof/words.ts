/** Sets of words that are found in bytes without making a string: property names and enumerations. */
import { BACKSLASH, byteAt, CLOSING_BRACE, isSame, QUOTE } from "./bytes"
import { TABLES, WORDS_ENTRIES, WORDS_MASK, WORDS_TABLE } from "./tables"

/** The number of the word whose first byte is at `from`, closing quote included; -1 when it is none of them. */
export function wordAt(words: usize, from: usize): i32 {
  let end = from
  for (let char = byteAt(end); char !== QUOTE; char = byteAt(++end))
    if (char < 32 || char === BACKSLASH || char === CLOSING_BRACE) return -1
  const length = end + 1 - from
  const mask: u32 = load<u16>(words, WORDS_MASK)
  let cell = cellOf(from, length - 1) & mask
  while (true) {
    const number: i32 = load<i8>(words + WORDS_TABLE + cell)
    if (number < 0) return -1
    if (lengthOf(words, number) === length && isSame(startOf(words, number), from, length)) return number
    cell = (cell + 1) & mask
  }
  return -1
}

export function isWordAt(words: usize, number: i32, from: usize): bool {
  return isSame(startOf(words, number), from, lengthOf(words, number))
}

/** How many bytes a word has, its closing quote included. */
export function lengthOf(words: usize, number: i32): usize {
  return load<u16>(entry(words, number), 2)
}

function startOf(words: usize, number: i32): usize {
  return TABLES + load<u16>(entry(words, number))
}

function entry(words: usize, number: i32): usize {
  return TABLES + load<u16>(words, WORDS_ENTRIES) + ((<usize>number) << 2)
}

/** Of a word's length and three of its bytes: cheap. The build lays the tables out by it. */
export function cellOf(start: usize, length: usize): u32 {
  const last: u32 = length === 0 ? 0 : byteAt(start + length - 1)
  return byteAt(start) + 19 * last + 59 * byteAt(start + (length >> 1)) + 41 * <u32>length
}
