/** JSON of any kind: the values of `extrinsics`, about which the contract says nothing. */
import {
  BACKSLASH,
  blankEnd,
  byteAt,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  DASH,
  digitAt,
  isSame,
  OPENING_BRACE,
  OPENING_BRACKET,
  PLUS,
  POINT,
  QUOTE,
} from "./bytes"
import { textEnd } from "./text"

const DEPTH: u32 = 32
/** Names of the objects that are open at one time. */
const NAMES: u32 = 256
/** For each of them where it begins and where it ends. */
const STARTS = memory.data(256 * sizeof<usize>())
const ENDS = memory.data(256 * sizeof<usize>())

/**
 * Where the byte after a value is; 0 when it is not certainly sound: no JSON, a repeated name, a name with unusual
 * escapes, or deeper or longer than usual.
 * @param first how many names are kept already
 */
export function freeEnd(from: usize, last: usize, depth: u32 = 0, first: u32 = 0): usize {
  const char = byteAt(from)
  if (char === QUOTE) {
    const end = textEnd(from + 1, last)
    return end === 0 ? 0 : end + 1
  }
  if (char === OPENING_BRACE) return depth < DEPTH ? objectEnd(from + 1, last, depth + 1, first) : 0
  if (char === OPENING_BRACKET) return depth < DEPTH ? listEnd(from + 1, last, depth + 1, first) : 0
  if (char === 116 || char === 102) return booleanEnd(from)
  if (char === 110) return load<u32>(from) === NULL ? from + 4 : 0
  return numberEnd(from)
}

function objectEnd(from: usize, last: usize, depth: u32, first: u32): usize {
  let count = first
  let at = blankEnd(from)
  if (byteAt(at) === CLOSING_BRACE) return at < last ? at + 1 : 0
  while (byteAt(at) === QUOTE && count < NAMES) {
    const start = at + 1
    const end = textEnd(start, last)
    if (end === 0 || !isNewName(start, end, first, count)) return 0
    store<usize>(STARTS + count * sizeof<usize>(), start)
    store<usize>(ENDS + count * sizeof<usize>(), end)
    count++
    at = blankEnd(end + 1)
    if (byteAt(at) !== COLON) return 0
    at = freeEnd(blankEnd(at + 1), last, depth, count)
    if (at === 0) return 0
    at = blankEnd(at)
    if (byteAt(at) === CLOSING_BRACE) return at < last ? at + 1 : 0
    if (byteAt(at) !== COMMA) return 0
    at = blankEnd(at + 1)
  }
  return 0
}

function listEnd(from: usize, last: usize, depth: u32, first: u32): usize {
  let at = blankEnd(from)
  if (byteAt(at) === CLOSING_BRACKET) return at + 1
  while (true) {
    at = freeEnd(at, last, depth, first)
    if (at === 0) break
    at = blankEnd(at)
    if (byteAt(at) === CLOSING_BRACKET) return at + 1
    if (byteAt(at) !== COMMA) break
    at = blankEnd(at + 1)
  }
  return 0
}

function isNewName(start: usize, end: usize, first: u32, count: u32): bool {
  for (let at = start; at < end; at++) {
    if (byteAt(at) !== BACKSLASH) continue
    // What these two escape has another way to be written: such names are not compared by their bytes.
    const escaped = byteAt(++at)
    if (escaped === 117 || escaped === 47) return false
  }
  for (let name = first; name < count; name++) {
    const other = load<usize>(STARTS + name * sizeof<usize>())
    const length = load<usize>(ENDS + name * sizeof<usize>()) - other
    if (length === end - start && isSame(other, start, length)) return false
  }
  return true
}

function numberEnd(from: usize): usize {
  const first = byteAt(from) === DASH ? from + 1 : from
  let at = digitAt(first) === 0 ? first + 1 : digitsEnd(first)
  if (at !== 0 && byteAt(at) === POINT) at = digitsEnd(at + 1)
  if (at === 0 || (byteAt(at) | 32) !== 101) return at
  const sign = byteAt(at + 1)
  return digitsEnd(sign === PLUS || sign === DASH ? at + 2 : at + 1)
}

/** Where the byte after one or more digits is. */
function digitsEnd(from: usize): usize {
  let at = from
  while (digitAt(at) < 10) at++
  return at > from ? at : 0
}

/** `true`, `null` and the end of `false`, as numbers of four bytes. */
const TRUE: u32 = 0x65757274
const NULL: u32 = 0x6c6c756e
const ALSE: u32 = 0x65736c61

/** Where the byte after `true` or `false` is. */
export function booleanEnd(from: usize): usize {
  if (load<u32>(from) === TRUE) return from + 4
  return byteAt(from) === 102 && load<u32>(from + 1) === ALSE ? from + 5 : 0
}
