/**
 * One pass over a document's bytes, along the shapes of the schema, without making objects. It proves that a document
 * is JSON without repeated names and keeps the contract, and leaves its values in cells; it never explains.
 *
 * No look ahead passes the closing brace that the document ends with: every loop stops at a brace, and every closing
 * brace before the last is checked not to be the last. That is why bytes are read without bounds.
 */
import { dayAt, instantOf } from "./verify-dates.ts"
import { blankEnd, freeEnd } from "./verify-free.ts"
import {
  BOOLEAN,
  DATE,
  DATE_TIME,
  EMAIL,
  LIST,
  NUMBER,
  OBJECT,
  SHORT_TEXT,
  type Shape,
  type Shapes,
  TEXT,
  UUID,
  WORD,
} from "./verify-shapes.ts"
import { isEmptyOrEmail, isUuid, isWithin, textEnd } from "./verify-text.ts"
import { wordAt } from "./verify-words.ts"

const QUOTE = 34
const COMMA = 44
const DASH = 45
const POINT = 46
const COLON = 58
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

/** Told of each object when it has been read. */
export interface Listener {
  /** A document begins. */
  begin(): void
  /** Whether the object can be free of findings, by its cells and the bits of the properties it has. */
  closed(bytes: Uint8Array, cells: Cells, shape: Shape, seen: number): boolean
}

/** One for each property: what the document holds there, or what the last of several objects does. */
export interface Cells {
  /** Where a text begins and ends, without its quotes. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Numbers in the smallest unit that their property allows; instants in milliseconds; the number of a word. */
  readonly values: Float64Array
}

export class Scan implements Cells {
  readonly shapes: Shapes
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly values: Float64Array
  private readonly listener: Listener
  /** Where the document's last byte, its closing brace, is. */
  private last = 0

  constructor(shapes: Shapes, listener: Listener) {
    this.shapes = shapes
    this.listener = listener
    this.starts = new Int32Array(shapes.cells)
    this.ends = new Int32Array(shapes.cells)
    this.values = new Float64Array(shapes.cells)
  }

  /** Whether `bytes` from `from` up to and with the closing brace at `last` are such a document, and nothing else. */
  document(bytes: Uint8Array, from: number, last: number): boolean {
    this.last = last
    this.listener.begin()
    return bytes[from] === OPENING_BRACE && this.objectEnd(bytes, from + 1, this.shapes.root) === last + 1
  }

  private objectEnd(bytes: Uint8Array, from: number, shape: Shape): number {
    const { bytes: known, starts } = shape.names
    const next = shape.next
    let at = from
    let char = bytes[at] as number
    if (char <= 32) {
      at = blankEnd(bytes, at)
      char = bytes[at] as number
    }
    let seen = 0
    let before = 0
    while (char === QUOTE) {
      at++
      let key = next[before] as number
      let same = starts[key] as number
      const end = starts[key + 1] as number
      const offset = at - same
      while (same < end && bytes[offset + same] === known[same]) same++
      if (same < end) {
        key = wordAt(shape.names, bytes, at)
        if (key < 0) return -1
        next[before] = key
        same = starts[key + 1] as number
        at += same - (starts[key] as number)
      } else at = offset + same
      before = key + 1
      const bit = 1 << key
      if ((seen & bit) !== 0) return -1
      seen |= bit
      char = bytes[at] as number
      if (char <= 32) {
        at = blankEnd(bytes, at)
        char = bytes[at] as number
      }
      if (char !== COLON) return -1
      char = bytes[++at] as number
      if (char <= 32) at = blankEnd(bytes, at)
      at = this.valueEnd(bytes, at, shape, key)
      if (at < 0) return -1
      char = bytes[at] as number
      if (char <= 32) {
        at = blankEnd(bytes, at)
        char = bytes[at] as number
      }
      if (char !== COMMA) break
      char = bytes[++at] as number
      if (char <= 32) {
        at = blankEnd(bytes, at)
        char = bytes[at] as number
      }
      if (char !== QUOTE) return -1
    }
    if (char !== CLOSING_BRACE || (seen & shape.required) !== shape.required) return -1
    if (at >= this.last && shape !== this.shapes.root) return -1
    return this.listener.closed(bytes, this, shape, seen) ? at + 1 : -1
  }

  private listEnd(bytes: Uint8Array, from: number, shape: Shape): number {
    let at = blankEnd(bytes, from)
    if (bytes[at] === 93) return shape.filled ? -1 : at + 1
    for (;;) {
      at = this.valueEnd(bytes, at, shape, 0)
      if (at < 0) return -1
      at = blankEnd(bytes, at)
      if (bytes[at] === 93) return at + 1
      if (bytes[at] !== COMMA) return -1
      at = blankEnd(bytes, at + 1)
    }
  }

  /** Where the byte after a value is whose first byte is at `at`, or -1. */
  private valueEnd(bytes: Uint8Array, at: number, shape: Shape, key: number): number {
    const kind = shape.kinds[key] as number
    if (kind === NUMBER) return this.numberEnd(bytes, at, shape.limits[key] as number, shape.cells + key)
    if (kind === OBJECT)
      return bytes[at] === OPENING_BRACE ? this.objectEnd(bytes, at + 1, shape.parts[key] as Shape) : -1
    if (kind === LIST) return bytes[at] === 91 ? this.listEnd(bytes, at + 1, shape.parts[key] as Shape) : -1
    if (kind === BOOLEAN) return this.booleanEnd(bytes, at, shape.cells + key)
    if (bytes[at] === QUOTE) return this.quotedEnd(bytes, at + 1, shape, key, kind)
    return kind > LIST && bytes[at] === OPENING_BRACE ? freeEnd(bytes, at, this.last) : -1
  }

  private quotedEnd(bytes: Uint8Array, from: number, shape: Shape, key: number, kind: number): number {
    const cell = shape.cells + key
    if (kind === WORD) {
      const words = shape.words[key] as Shape["names"]
      const word = wordAt(words, bytes, from)
      if (word < 0) return -1
      this.values[cell] = word
      return from + (words.starts[word + 1] as number) - (words.starts[word] as number)
    }
    const end = textEnd(bytes, from, this.last)
    if (end < 0) return -1
    this.starts[cell] = from
    this.ends[cell] = end
    return kind === TEXT || this.hasForm(bytes, from, end, shape, key, kind) ? end + 1 : -1
  }

  private hasForm(
    bytes: Uint8Array,
    from: number,
    end: number,
    shape: Shape,
    key: number,
    kind: number,
  ): boolean {
    if (kind === SHORT_TEXT) return isWithin(bytes, from, end, shape.limits[key] as number)
    if (kind === UUID) return isUuid(bytes, from, end)
    if (kind === EMAIL) return isEmptyOrEmail(bytes, from, end)
    let value = Number.NaN
    if (kind === DATE_TIME) value = instantOf(bytes, from, end)
    else if (kind === DATE && end - from === 10) value = dayAt(bytes, from)
    this.values[shape.cells + key] = value
    return !Number.isNaN(value)
  }

  /** Digits as written, without an exponent; decimals beyond `places` must be zeros. */
  private numberEnd(bytes: Uint8Array, from: number, places: number, cell: number): number {
    let at = from
    let char = bytes[at] as number
    const negative = char === DASH
    if (negative) char = bytes[++at] as number
    if (char < 48 || char > 57) return -1
    let value = char - 48
    char = bytes[++at] as number
    // After a leading zero no digit may stand, and whoever goes on from here expects none.
    if (value !== 0)
      while (char >= 48 && char <= 57) {
        value = value * 10 + (char - 48)
        char = bytes[++at] as number
      }
    let left = places
    if (char === POINT) {
      const first = ++at
      for (char = bytes[at] as number; char >= 48 && char <= 57; char = bytes[++at] as number) {
        if (left > 0) {
          value = value * 10 + (char - 48)
          left--
        } else if (char !== 48) return -1
      }
      if (at === first) return -1
    }
    for (; left > 0; left--) value *= 10
    if (value > Number.MAX_SAFE_INTEGER) return -1
    this.values[cell] = negative ? -value : value
    return at
  }

  private booleanEnd(bytes: Uint8Array, at: number, cell: number): number {
    const isTrue = bytes[at] === 116
    const end = freeEnd(bytes, at, this.last)
    this.values[cell] = isTrue ? 1 : 0
    return isTrue || bytes[at] === 102 ? end : -1
  }
}
