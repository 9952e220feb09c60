/** Finds the first thing that keeps a text from being JSON. */
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
import { endOfScalar, endOfString, QUOTE, skipSpace } from "./tokens.ts"

/** Arrays and objects nested deeper than this are refused, so that whatever reads the value may recurse. */
export const DEEPEST = 1000

const COLON = 0x3a
const COMMA = 0x2c

/** @throws JsonFault for the first thing that is not JSON (RFC 8259), or is nested deeper than `DEEPEST` */
export function checkSyntax(text: string): void {
  /** Where the arrays and objects open that are not closed yet. */
  const open: number[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const opener = open.at(-1)
    const name = opener !== undefined && text[opener] === "{" ? at : undefined
    if (opener !== undefined && name !== undefined) at = afterColon(text, at, opener)
    const char = text.charAt(at)
    if (char === "[" || char === "{") {
      if (open.push(at) > DEEPEST) throw tooDeep(at)
      at = skipSpace(text, at + 1)
      if (!isClosed(text, at, open)) continue
    } else {
      if (char === "" && opener !== undefined) throw unclosedFault(text, opener)
      if (char === "" || /[,:\]}]/.test(char)) throw missingValueFault(text, at, name)
      at = text.charCodeAt(at) === QUOTE ? endOfString(text, at) : endOfScalar(text, at)
    }
    for (at = skipSpace(text, at); isClosed(text, at, open); at = skipSpace(text, at + 1)) open.pop()
    const container = open.at(-1)
    if (container === undefined) {
      if (at < text.length) throw surplusFault(text, at)
      return
    }
    at = afterComma(text, at, container)
  }
}

/** Whether the innermost array or object closes here. In ASCII its closing bracket comes two after its opening one. */
function isClosed(text: string, at: number, open: readonly number[]): boolean {
  const opener = open.at(-1)
  return opener !== undefined && text.charCodeAt(at) === text.charCodeAt(opener) + 2
}

/** Past a member's name and colon, to its value. */
function afterColon(text: string, at: number, opener: number): number {
  if (at === text.length) throw unclosedFault(text, opener)
  if (text.charCodeAt(at) !== QUOTE) throw nameFault(text, at)
  const colon = skipSpace(text, endOfString(text, at))
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
