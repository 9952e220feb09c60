/**
 * One pass over a document's bytes, along the shapes of the schema, without making objects. It proves that a document
 * is JSON without repeated names and keeps the contract, and leaves its values in cells; it never explains.
 *
 * No look ahead passes the closing brace that the document ends with: every loop stops at a brace or knows the end,
 * and every closing brace before the last is checked not to be the last.
 */
import { begin, closed } from "./accounts"
import {
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
  POINT,
  QUOTE,
} from "./bytes"
import { setRange, setValue } from "./cells"
import { dayAt, instantOf } from "./dates"
import { booleanEnd, freeEnd } from "./free"
import {
  Kind,
  PROPERTY_BYTES,
  PROPERTY_CELL,
  PROPERTY_KIND,
  PROPERTY_LATEST,
  PROPERTY_LENGTH,
  PROPERTY_LIMIT,
  PROPERTY_NAME,
  PROPERTY_PART,
  ROOT,
  SHAPE_FILLED,
  SHAPE_NEXT,
  SHAPE_PROPERTIES,
  SHAPE_REQUIRED,
  SHAPE_REQUIRED_OF_DRAFT,
  SHAPE_WORDS,
  TABLES,
} from "./tables"
import { beginText, isEmptyOrEmail, isUuid, isWithin, textEnd } from "./text"
import { isWordAt, lengthOf, wordAt } from "./words"

const MAX_SAFE_INTEGER: u64 = 9_007_199_254_740_991

/** Where the document's last byte, its closing brace, is. */
let last: usize = 0
let requiredAt: usize = SHAPE_REQUIRED
let withAccounts = true

export function settle(draft: bool, accounting: bool): void {
  requiredAt = draft ? SHAPE_REQUIRED_OF_DRAFT : SHAPE_REQUIRED
  withAccounts = accounting
}

/** Whether the bytes from `from` up to and with the closing brace at `end` are such a document, and nothing else. */
export function isDocument(from: usize, end: usize): bool {
  last = end
  beginText()
  begin()
  return byteAt(from) === OPENING_BRACE && objectEnd(from + 1, TABLES + ROOT) === end + 1
}

function objectEnd(from: usize, shape: usize): usize {
  const words = TABLES + load<u16>(shape, SHAPE_WORDS)
  const next = shape + SHAPE_NEXT
  let at = blankEnd(from)
  let char = byteAt(at)
  let seen: u32 = 0
  let before: usize = 0
  while (char === QUOTE) {
    at++
    // Most objects of a shape have their properties in the order of the one before.
    let key: usize = load<u8>(next + before)
    let property = shape + SHAPE_PROPERTIES + key * PROPERTY_BYTES
    let length: usize = load<u8>(property, PROPERTY_LENGTH)
    if (!isSame(TABLES + load<u16>(property, PROPERTY_NAME), at, length)) {
      const found = wordAt(words, at)
      if (found < 0) return 0
      key = found
      store<u8>(next + before, <u8>key)
      property = shape + SHAPE_PROPERTIES + key * PROPERTY_BYTES
      length = load<u8>(property, PROPERTY_LENGTH)
    }
    before = key + 1
    const bit: u32 = 1 << (<u32>key)
    if ((seen & bit) !== 0) return 0
    seen |= bit
    at = blankEnd(at + length)
    if (byteAt(at) !== COLON) return 0
    at = valueEnd(blankEnd(at + 1), property)
    if (at === 0) return 0
    at = blankEnd(at)
    char = byteAt(at)
    if (char !== COMMA) break
    at = blankEnd(at + 1)
    char = byteAt(at)
    if (char !== QUOTE) return 0
  }
  const required = load<u32>(shape + requiredAt)
  if (char !== CLOSING_BRACE || (seen & required) !== required) return 0
  if (at >= last && shape !== TABLES + ROOT) return 0
  return !withAccounts || closed(shape - TABLES, seen) ? at + 1 : 0
}

function listEnd(from: usize, shape: usize): usize {
  let at = blankEnd(from)
  if (byteAt(at) === CLOSING_BRACKET) return load<u8>(shape, SHAPE_FILLED) ? 0 : at + 1
  while (true) {
    at = valueEnd(at, shape + SHAPE_PROPERTIES)
    if (at === 0) break
    at = blankEnd(at)
    if (byteAt(at) === CLOSING_BRACKET) return at + 1
    if (byteAt(at) !== COMMA) break
    at = blankEnd(at + 1)
  }
  return 0
}

/** Where the byte after a value is whose first byte is at `at`. */
function valueEnd(at: usize, property: usize): usize {
  const kind: u32 = load<u8>(property, PROPERTY_KIND)
  const first = byteAt(at)
  if (kind === Kind.NUMBER) return numberEnd(at, load<u16>(property, PROPERTY_LIMIT), cellOf(property))
  if (kind === Kind.OBJECT) return first === OPENING_BRACE ? objectEnd(at + 1, partOf(property)) : 0
  if (kind === Kind.LIST) return first === OPENING_BRACKET ? listEnd(at + 1, partOf(property)) : 0
  if (kind === Kind.BOOLEAN) return booleanEnd(at)
  if (kind === Kind.FREE) return first === OPENING_BRACE ? freeEnd(at, last) : 0
  return first === QUOTE ? quotedEnd(at + 1, property, kind) : 0
}

function cellOf(property: usize): u32 {
  return load<u16>(property, PROPERTY_CELL)
}

/** The shape of its objects or lists, or its words. */
function partOf(property: usize): usize {
  return TABLES + load<u16>(property, PROPERTY_PART)
}

function quotedEnd(from: usize, property: usize, kind: u32): usize {
  const cell = cellOf(property)
  if (kind === Kind.WORD) {
    const words = partOf(property)
    let word: i32 = load<u8>(property, PROPERTY_LATEST)
    if (!isWordAt(words, word, from)) {
      word = wordAt(words, from)
      if (word < 0) return 0
      store<u8>(property, <u8>word, PROPERTY_LATEST)
    }
    setValue(cell, word)
    return from + lengthOf(words, word)
  }
  const end = textEnd(from, last)
  if (end === 0) return 0
  setRange(cell, from, end)
  return kind === Kind.TEXT || hasForm(from, end, property, kind) ? end + 1 : 0
}

function hasForm(from: usize, end: usize, property: usize, kind: u32): bool {
  if (kind === Kind.SHORT_TEXT) return isWithin(from, end, load<u16>(property, PROPERTY_LIMIT))
  if (kind === Kind.UUID) return isUuid(from, end)
  if (kind === Kind.EMAIL) return isEmptyOrEmail(from, end)
  let value = NaN
  if (kind === Kind.DATE_TIME) value = instantOf(from, end)
  else if (kind === Kind.DATE && end - from === 10) value = dayAt(from)
  setValue(cellOf(property), value)
  return !Number.isNaN(value)
}

/** Digits as written, without an exponent; decimals beyond `places` must be zeros. */
function numberEnd(from: usize, places: u32, cell: u32): usize {
  const negative = byteAt(from) === DASH
  let at = negative ? from + 1 : from
  let digit = digitAt(at)
  if (digit > 9) return 0
  let value: u64 = digit
  digit = digitAt(++at)
  // After a leading zero no digit may stand, and whoever goes on from here expects none.
  if (value !== 0)
    while (digit < 10) {
      value = value * 10 + digit
      if (value > MAX_SAFE_INTEGER) return 0
      digit = digitAt(++at)
    }
  let left = places
  if (byteAt(at) === POINT) {
    const first = ++at
    for (digit = digitAt(at); digit < 10; digit = digitAt(++at)) {
      if (left > 0) {
        value = value * 10 + digit
        if (value > MAX_SAFE_INTEGER) return 0
        left--
      } else if (digit !== 0) return 0
    }
    if (at === first) return 0
  }
  for (; left > 0; left--) {
    value *= 10
    if (value > MAX_SAFE_INTEGER) return 0
  }
  setValue(cell, negative ? -(<f64>value) : <f64>value)
  return at
}
