/**
 * Strings in bytes: where they end, and whether they have the form that the contract asks for. Whatever is unusual is
 * refused here and left to the examiner. Each text is followed by a quote or a brace, so no look ahead leaves the bytes.
 */

const QUOTE = 34
const PLUS = 43
const DASH = 45
const POINT = 46
const AT_SIGN = 64
const BACKSLASH = 92
const CLOSING_BRACE = 125

/** 1 where the search for a string's end has to look closer: quotes, escapes, controls, and a brace. */
const STOPS = new Uint8Array(256).fill(1, 0, 32)
STOPS[QUOTE] = STOPS[BACKSLASH] = STOPS[CLOSING_BRACE] = 1

const SIMPLE_ESCAPES = new Uint8Array(256)
for (const char of '"\\/bfnrt') SIMPLE_ESCAPES[char.charCodeAt(0)] = 1

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

/**
 * Where the closing quote of a string is whose first character is at `from`, or -1.
 * @param last the document's closing brace: a string that reaches it is not closed
 */
export function textEnd(bytes: Uint8Array, from: number, last: number): number {
  let at = from
  for (;;) {
    const char = bytes[at] as number
    if (STOPS[char] === 0) at++
    else if (char === QUOTE) return at
    else if (char === CLOSING_BRACE && at < last) at++
    else if (char !== BACKSLASH) return -1
    else {
      at = escapeEnd(bytes, at)
      if (at < 0) return -1
    }
  }
}

/** Where the character after an escape is; a pair of surrogates is one escape, and half a pair is none. */
function escapeEnd(bytes: Uint8Array, at: number): number {
  if (SIMPLE_ESCAPES[bytes[at + 1] as number] === 1) return at + 2
  const unit = unitAt(bytes, at)
  if (unit < 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return -1
  if (unit < 0xd800 || unit > 0xdfff) return at + 6
  const low = unitAt(bytes, at + 6)
  return low >= 0xdc00 && low <= 0xdfff ? at + 12 : -1
}

/** The code unit of `\uXXXX`, or -1. */
function unitAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 117) return -1
  let unit = 0
  for (let next = at + 2; next < at + 6; next++) {
    const digit = HEX[bytes[next] as number] as number
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}

/** Whether a string, as `textEnd` found it, has at most `limit` characters. */
export function isWithin(bytes: Uint8Array, from: number, end: number, limit: number): boolean {
  if (end - from <= limit) return true
  let count = 0
  for (let at = from; at < end; ) {
    if (bytes[at] === BACKSLASH) {
      at = escapeEnd(bytes, at)
      count++
      continue
    }
    if (((bytes[at++] as number) & 0xc0) !== 0x80) count++
  }
  return count <= limit
}

/** Whether the text has no escapes: its bytes are what it says. */
export function isPlain(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (bytes[at] === BACKSLASH) return false
  return true
}

/** `3f2504e0-4f89-41d3-9a0c-0305e82c3301`, in capitals or not. */
export function isUuid(bytes: Uint8Array, from: number, end: number): boolean {
  if (end - from !== 36) return false
  for (let at = 0; at < 36; at++) {
    const char = bytes[from + at] as number
    const dash = at === 8 || at === 13 || at === 18 || at === 23
    if (dash ? char !== DASH : (HEX[char] as number) < 0) return false
  }
  return true
}

/** Empty, or an address of the plainest form: words with single points, `@`, a host name with a point. */
export function isEmptyOrEmail(bytes: Uint8Array, from: number, end: number): boolean {
  if (from === end) return true
  if (end - from > 254) return false
  let at = from
  while (at < end && isEmailPart(bytes, at, from)) at++
  if (bytes[at] !== AT_SIGN || at === from || at - from > 64 || bytes[at - 1] === POINT) return false
  const host = ++at
  let label = host
  for (; at <= end; at++) {
    const char = bytes[at] as number
    if (at === end || char === POINT) {
      if (at === label || at - label > 63 || bytes[label] === DASH || bytes[at - 1] === DASH) return false
      if (at === end) return label > host && at - label >= 2 && isLetters(bytes, label, end)
      label = at + 1
    } else if (char !== DASH && !isAlphanumeric(char)) return false
  }
  return false
}

/** Letters, digits, `_`, `+`, `-`, and points that do not follow one another or come first. */
function isEmailPart(bytes: Uint8Array, at: number, from: number): boolean {
  const char = bytes[at] as number
  if (char === POINT) return at > from && bytes[at - 1] !== POINT
  return isAlphanumeric(char) || char === 95 || char === PLUS || char === DASH
}

function isLetters(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at++)
    if (((bytes[at] as number) | 32) < 97 || ((bytes[at] as number) | 32) > 122) return false
  return true
}

function isAlphanumeric(char: number): boolean {
  const lower = char | 32
  return (char >= 48 && char <= 57) || (lower >= 97 && lower <= 122)
}

/** The weights of an ABN's digits. */
const WEIGHTS = Uint8Array.of(10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)

/** Eleven digits, with or without spaces between them, whose check digits are right. */
export function isAbn(bytes: Uint8Array, from: number, end: number): boolean {
  let sum = -10
  let count = 0
  for (let at = from; at < end; at++) {
    const char = bytes[at] as number
    if (char === 32) continue
    if (!isDigit(char) || count === 11) return false
    sum += (char - 48) * (WEIGHTS[count++] as number)
  }
  return count === 11 && sum % 89 === 0
}

/** Six digits, with or without a hyphen in the middle. */
export function isBsb(bytes: Uint8Array, from: number, end: number): boolean {
  const hyphen = end - from === 7 ? from + 3 : -1
  for (let at = from; at < end; at++)
    if (at === hyphen ? bytes[at] !== DASH : !isDigit(bytes[at] as number)) return false
  return end - from === 6 || hyphen > 0
}

function isDigit(char: number): boolean {
  return char >= 48 && char <= 57
}
