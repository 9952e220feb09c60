/**
 * Strings: where they end, and whether they have the form that the contract asks for. Whatever is unusual is refused
 * here and left to the examiner.
 */
import { AT_SIGN, BACKSLASH, byteAt, DASH, digitAt, PLUS, POINT, QUOTE } from "./bytes"

/** Whether all texts so far are certainly of ASCII, and so need not be looked at as UTF-8. */
export let isAscii = true

export function beginText(): void {
  isAscii = true
}

/**
 * Where the closing quote of a string is whose first character is at `from`.
 * @param last the document's closing brace: a string that reaches it is not closed
 */
export function textEnd(from: usize, last: usize): usize {
  let at = from
  while (at < last) {
    const part = v128.load(at)
    const stops = v128.or(
      v128.or(i8x16.eq(part, i8x16.splat(34)), i8x16.eq(part, i8x16.splat(92))),
      i8x16.lt_u(part, i8x16.splat(32)),
    )
    const mask = i8x16.bitmask(stops)
    if (i8x16.bitmask(part) !== 0) isAscii = false
    if (mask === 0) {
      at += 16
      continue
    }
    at += ctz(mask)
    if (at >= last) return 0
    if (byteAt(at) === QUOTE) return at
    if (byteAt(at) !== BACKSLASH) return 0
    at = escapeEnd(at)
    if (at === 0) return 0
  }
  return 0
}

/** Where the character after an escape is; a pair of surrogates is one escape, and half a pair is none. */
function escapeEnd(at: usize): usize {
  if (isSimpleEscape(byteAt(at + 1))) return at + 2
  const unit = unitAt(at)
  if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return 0
  if (unit < 0xd800 || unit > 0xdfff) return at + 6
  const low = unitAt(at + 6)
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : 0
}

/** One of `"\/bfnrt`. */
function isSimpleEscape(char: u32): bool {
  return (
    char === 34 ||
    char === 92 ||
    char === 47 ||
    char === 98 ||
    char === 102 ||
    char === 110 ||
    char === 114 ||
    char === 116
  )
}

/** The code unit of `\uXXXX`, or -1. */
function unitAt(at: usize): i32 {
  if (byteAt(at) !== BACKSLASH || byteAt(at + 1) !== 117) return -1
  let unit: i32 = 0
  for (let next = at + 2; next < at + 6; next++) {
    const digit = hexOf(byteAt(next))
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}

function hexOf(char: u32): i32 {
  if (char - 48 < 10) return char - 48
  const letter = (char | 32) - 97
  return letter < 6 ? letter + 10 : -1
}

/** Whether a string, as `textEnd` found it, has at most `limit` characters. */
export function isWithin(from: usize, end: usize, limit: u32): bool {
  if (end - from <= limit) return true
  let count: u32 = 0
  for (let at = from; at < end; ) {
    if (byteAt(at) === BACKSLASH) {
      at = escapeEnd(at)
      count++
    } else if ((byteAt(at++) & 0xc0) !== 0x80) count++
  }
  return count <= limit
}

/** Whether the text has no escapes: its bytes are what it says. */
export function isPlain(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) if (byteAt(at) === BACKSLASH) return false
  return true
}

/** `3f2504e0-4f89-41d3-9a0c-0305e82c3301`, in capitals or not. */
export function isUuid(from: usize, end: usize): bool {
  if (end - from !== 36) return false
  for (let at: usize = 0; at < 36; at++) {
    const char = byteAt(from + at)
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (char !== DASH) return false
    } else if (hexOf(char) < 0) return false
  }
  return true
}

/** Empty, or an address of the plainest form: words with single points, `@`, a host name with a point. */
export function isEmptyOrEmail(from: usize, end: usize): bool {
  if (from === end) return true
  if (end - from > 254) return false
  let at = from
  while (at < end && isEmailPart(at, from)) at++
  if (byteAt(at) !== AT_SIGN || at === from || at - from > 64 || byteAt(at - 1) === POINT) return false
  const host = ++at
  let label = host
  for (; at <= end; at++) {
    const char = byteAt(at)
    if (at === end || char === POINT) {
      if (at === label || at - label > 63 || byteAt(label) === DASH || byteAt(at - 1) === DASH) return false
      if (at === end) return label > host && at - label >= 2 && isLetters(label, end)
      label = at + 1
    } else if (char !== DASH && !isAlphanumeric(char)) return false
  }
  return false
}

/** Letters, digits, `_`, `+`, `-`, and points that do not follow one another or come first. */
function isEmailPart(at: usize, from: usize): bool {
  const char = byteAt(at)
  if (char === POINT) return at > from && byteAt(at - 1) !== POINT
  return isAlphanumeric(char) || char === 95 || char === PLUS || char === DASH
}

function isLetters(from: usize, end: usize): bool {
  for (let at = from; at < end; at++) if ((byteAt(at) | 32) - 97 > 25) return false
  return true
}

function isAlphanumeric(char: u32): bool {
  return char - 48 < 10 || (char | 32) - 97 < 26
}

/** The weights of an ABN's digits. */
const WEIGHTS = memory.data<u8>([10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19])

/** Eleven digits, with or without spaces between them, whose check digits are right. */
export function isAbn(from: usize, end: usize): bool {
  let sum: u32 = 79 // Ten, the first digit's weight, is taken off: here modulo 89.
  let count: usize = 0
  for (let at = from; at < end; at++) {
    if (byteAt(at) === 32) continue
    if (digitAt(at) > 9 || count === 11) return false
    sum += digitAt(at) * load<u8>(WEIGHTS + count++)
  }
  return count === 11 && sum % 89 === 0
}

/** Six digits, with or without a hyphen in the middle. */
export function isBsb(from: usize, end: usize): bool {
  const hyphen = end - from === 7 ? from + 3 : 0
  for (let at = from; at < end; at++) if (at === hyphen ? byteAt(at) !== DASH : digitAt(at) > 9) return false
  return end - from === 6 || hyphen > 0
}
