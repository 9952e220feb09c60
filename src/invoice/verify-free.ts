/** JSON of any kind, in bytes: the values of `extrinsics`, about which the contract says nothing. */
import { textEnd } from "./verify-text.ts"

const DEPTH = 32
/** Names of the objects that are open at one time. */
const NAMES = 256

const starts = new Int32Array(NAMES)
const ends = new Int32Array(NAMES)

/**
 * Where the byte after a value is, or -1 when it is not certainly sound: no JSON, a repeated name, a name with unusual
 * escapes, or deeper or longer than usual.
 * @param first how many names are kept already
 */
export function freeEnd(bytes: Uint8Array, from: number, last: number, depth = 0, first = 0): number {
  const char = bytes[from] as number
  if (char === 34) return textEnd(bytes, from + 1, last) + 1 || -1
  if (char === 123) return depth < DEPTH ? objectEnd(bytes, from + 1, last, depth + 1, first) : -1
  if (char === 91) return depth < DEPTH ? listEnd(bytes, from + 1, last, depth + 1, first) : -1
  if (char === 116) return literalEnd(bytes, from, TRUE)
  if (char === 102) return literalEnd(bytes, from, FALSE)
  if (char === 110) return literalEnd(bytes, from, NULL)
  return numberEnd(bytes, from)
}

function objectEnd(bytes: Uint8Array, from: number, last: number, depth: number, first: number): number {
  let count = first
  let at = blankEnd(bytes, from)
  if (bytes[at] === 125) return at < last ? at + 1 : -1
  for (;;) {
    if (bytes[at] !== 34 || count === NAMES) return -1
    const start = at + 1
    const end = textEnd(bytes, start, last)
    if (end < 0 || !isNewName(bytes, start, end, first, count)) return -1
    starts[count] = start
    ends[count++] = end
    at = blankEnd(bytes, end + 1)
    if (bytes[at] !== 58) return -1
    at = freeEnd(bytes, blankEnd(bytes, at + 1), last, depth, count)
    if (at < 0) return -1
    at = blankEnd(bytes, at)
    if (bytes[at] === 125) return at < last ? at + 1 : -1
    if (bytes[at] !== 44) return -1
    at = blankEnd(bytes, at + 1)
  }
}

function listEnd(bytes: Uint8Array, from: number, last: number, depth: number, first: number): number {
  let at = blankEnd(bytes, from)
  if (bytes[at] === 93) return at + 1
  for (;;) {
    at = freeEnd(bytes, at, last, depth, first)
    if (at < 0) return -1
    at = blankEnd(bytes, at)
    if (bytes[at] === 93) return at + 1
    if (bytes[at] !== 44) return -1
    at = blankEnd(bytes, at + 1)
  }
}

function isNewName(bytes: Uint8Array, start: number, end: number, first: number, count: number): boolean {
  for (let at = start; at < end; at++) {
    if (bytes[at] !== 92) continue
    // What these two escape has another way to be written: such names are not compared by their bytes.
    const escaped = bytes[++at]
    if (escaped === 117 || escaped === 47) return false
  }
  for (let name = first; name < count; name++) {
    const other = starts[name] as number
    if ((ends[name] as number) - other !== end - start) continue
    let same = 0
    while (same < end - start && bytes[other + same] === bytes[start + same]) same++
    if (same === end - start) return false
  }
  return true
}

function numberEnd(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === 45 ? from + 1 : from
  let at = bytes[first] === 48 ? first + 1 : digitsEnd(bytes, first)
  if (at > 0 && bytes[at] === 46) at = digitsEnd(bytes, at + 1)
  if (at < 0 || ((bytes[at] as number) | 32) !== 101) return at
  const sign = bytes[at + 1]
  return digitsEnd(bytes, sign === 43 || sign === 45 ? at + 2 : at + 1)
}

/** Where the byte after one or more digits is, or -1. */
function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (isDigit(bytes[at] as number)) at++
  return at > from ? at : -1
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57
}

const TRUE = Uint8Array.of(116, 114, 117, 101)
const FALSE = Uint8Array.of(102, 97, 108, 115, 101)
const NULL = Uint8Array.of(110, 117, 108, 108)

function literalEnd(bytes: Uint8Array, from: number, literal: Uint8Array): number {
  for (let at = 0; at < literal.length; at++) if (bytes[from + at] !== literal[at]) return -1
  return from + literal.length
}

/** Where the next byte is that is no blank. */
export function blankEnd(bytes: Uint8Array, from: number): number {
  let at = from
  for (let char = bytes[at]; char === 32 || char === 10 || char === 13 || char === 9; ) char = bytes[++at]
  return at
}
