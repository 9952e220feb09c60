/** Finds where each value of a JSON text stands, and the first thing that keeps a text from being JSON. */
import { grouped } from "../contract/counted.ts"
import {
  commaFault,
  JsonFault,
  missingValueFault,
  nameFault,
  surplusFault,
  unclosedFault,
  wrongColonFault,
} from "./fault.ts"
import { endOfQuoted } from "./survey.ts"
import { endOfKnownScalar, endOfScalar, endOfString, QUOTE, skipSpace } from "./tokens.ts"

/** Arrays and objects nested deeper than this are refused, so that whatever reads the value may recurse. */
export const DEEPEST = 1000

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
  /** The number of the array or object that it is in. */
  parent: 4,
} as const

/** Numbers to a value. */
export const WIDTH = 5
export const NO_NAME = -1

const COLON = 0x3a
const COMMA = 0x2c
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b

/** All values of a text in the order in which they begin, `WIDTH` numbers each: the first is the whole. */
export interface Scan {
  values: Int32Array
  count: number
}

/**
 * @param isJson whether `JSON.parse` has accepted the text already: then its strings and numbers are not checked again
 * @throws JsonFault for the first thing that is not JSON (RFC 8259), or is nested deeper than `DEEPEST`
 */
export function scan(text: string, isJson: boolean): Scan {
  const endOfText = isJson ? endOfQuoted : endOfString
  const endOfOther = isJson ? endOfKnownScalar : endOfScalar
  let values = new Int32Array(WIDTH * 64)
  let count = 0
  const open: number[] = []
  let container = -1
  let isObject = false
  let closer = 0
  let at = skipSpace(text, 0)

  const reopen = () => {
    container = open.at(-1) ?? -1
    const opener = container < 0 ? 0 : text.charCodeAt(startOf(container))
    isObject = opener === OPENING_BRACE
    // In ASCII each closing bracket comes two after its opening one.
    closer = opener + 2
  }
  const startOf = (value: number) => values[value * WIDTH + FIELD.start] as number
  const close = (value: number) => {
    values[value * WIDTH + FIELD.end] = at
    values[value * WIDTH + FIELD.next] = count
  }

  for (;;) {
    const name = isObject ? at : NO_NAME
    if (isObject) at = afterColon(text, at, startOf(container), endOfText)
    if ((count + 1) * WIDTH > values.length) values = doubled(values)
    const value = count++
    const field = value * WIDTH
    values[field + FIELD.start] = at
    values[field + FIELD.name] = name
    values[field + FIELD.parent] = container
    const code = text.charCodeAt(at)
    if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      if (open.push(value) > DEEPEST) throw tooDeep(at)
      reopen()
      at = skipSpace(text, at + 1)
      if (text.charCodeAt(at) !== closer) continue
    } else {
      if (at === text.length && container >= 0) throw unclosedFault(text, startOf(container))
      if (at === text.length || /[,:\]}]/.test(text.charAt(at)))
        throw missingValueFault(text, at, name === NO_NAME ? undefined : name)
      at = code === QUOTE ? endOfText(text, at) : endOfOther(text, at)
      close(value)
    }
    for (;;) {
      at = skipSpace(text, at)
      if (container < 0) {
        if (at < text.length) throw surplusFault(text, at)
        return { values, count }
      }
      if (text.charCodeAt(at) !== closer) break
      at++
      close(container)
      open.pop()
      reopen()
    }
    at = afterComma(text, at, startOf(container))
  }
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2)
  larger.set(values)
  return larger
}

/** Past a member's name and colon, to its value. */
function afterColon(
  text: string,
  at: number,
  opener: number,
  endOfText: (text: string, start: number) => number,
): number {
  if (at === text.length) throw unclosedFault(text, opener)
  if (text.charCodeAt(at) !== QUOTE) throw nameFault(text, at)
  const colon = skipSpace(text, endOfText(text, at))
  if (colon === text.length) throw unclosedFault(text, opener)
  if (text.charCodeAt(colon) !== COLON) throw wrongColonFault(text, colon, at)
  return skipSpace(text, colon + 1)
}

/** Past the comma that must stand here, to the next member or element. */
function afterComma(text: string, at: number, opener: number): number {
  if (at === text.length) throw unclosedFault(text, opener)
  if (text.charCodeAt(at) !== COMMA) throw commaFault(text, at, opener)
  const next = skipSpace(text, at + 1)
  if (text.charCodeAt(next) !== text.charCodeAt(opener) + 2) return next
  const closer = text.charAt(next)
  throw new JsonFault(at, `trailing comma: nothing follows it before the ${closer}`, "remove the comma")
}

function tooDeep(at: number): JsonFault {
  const most = grouped(DEEPEST)
  return new JsonFault(at, `arrays and objects are nested more than ${most} deep here, more than is read`)
}
