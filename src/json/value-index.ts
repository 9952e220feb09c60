/** Where each value of a JSON text stands. */
import { endOfQuoted } from "./survey.ts"
import { QUOTE, skipSpace } from "./tokens.ts"

/** What is known of a value; offsets are in UTF-16 code units. */
export const FIELD = {
  /** Where the value starts. */
  start: 0,
  /** Where it ends. */
  end: 1,
  /** Where its name opens, for a member of an object; otherwise `NO_NAME`. */
  name: 2,
  /** The number of the first value that is not part of this one. */
  next: 3,
  /** The number of the array or object that it is in; -1 for the whole. */
  parent: 4,
} as const

/** Numbers to a value. */
export const WIDTH = 5
export const NO_NAME = -1

/** All values of a text in the order in which they begin, `WIDTH` numbers each: the first is the whole. */
export interface ValueIndex {
  values: Int32Array
  count: number
}

/** A value takes at least so many characters, names and blanks included, in nearly all documents. */
const CHARACTERS = 16
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b
const COMMA = 0x2c

/** @param text one that `JSON.parse` accepts: nothing is checked */
export function indexValues(text: string): ValueIndex {
  let values = new Int32Array(WIDTH * (64 + Math.floor(text.length / CHARACTERS)))
  let count = 0
  let parent = -1
  let isObject = false
  let at = skipSpace(text, 0)
  for (;;) {
    const name = isObject ? at : NO_NAME
    if (isObject) at = skipSpace(text, skipSpace(text, endOfQuoted(text, at)) + 1)
    if ((count + 1) * WIDTH > values.length) values = doubled(values)
    const field = count * WIDTH
    values[field + FIELD.start] = at
    values[field + FIELD.name] = name
    values[field + FIELD.parent] = parent
    const code = text.charCodeAt(at)
    if (code === OPENING_BRACE || code === OPENING_BRACKET) {
      parent = count++
      isObject = code === OPENING_BRACE
      at = skipSpace(text, at + 1)
      // In ASCII each closing bracket comes two after its opening one.
      if (text.charCodeAt(at) !== code + 2) continue
    } else {
      count++
      at = code === QUOTE ? endOfQuoted(text, at) : endOfScalar(text, at)
      values[field + FIELD.end] = at
      values[field + FIELD.next] = count
    }
    // Behind a value, or at the end of an empty array or object.
    for (;;) {
      at = skipSpace(text, at)
      if (parent < 0) return { values, count }
      if (text.charCodeAt(at++) === COMMA) break
      const closed = parent * WIDTH
      values[closed + FIELD.end] = at
      values[closed + FIELD.next] = count
      parent = values[closed + FIELD.parent] as number
      isObject =
        parent >= 0 && text.charCodeAt(values[parent * WIDTH + FIELD.start] as number) === OPENING_BRACE
    }
    at = skipSpace(text, at)
  }
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

/** The end of a number, `true`, `false` or `null`. */
function endOfScalar(text: string, at: number): number {
  for (let end = at + 1; ; end++) {
    const code = text.charCodeAt(end)
    // Past the text the code is NaN, which no comparison holds for.
    if (!(code > 0x20 && code !== COMMA && code !== 0x5d && code !== 0x7d)) return end
  }
}
