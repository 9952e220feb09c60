/** Reads JSON into a tree of places: slower than `JSON.parse`, so done only once a place is asked for. */
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
import { BOM } from "./place.ts"
import { endOfScalar, endOfString, QUOTE, skipSpace } from "./tokens.ts"

/** Arrays and objects nested deeper than this are refused, so that whatever reads the value may recurse. */
export const DEEPEST = 1000

/** A value and where it stands: offsets in UTF-16 code units. */
export interface JsonNode {
  start: number
  end: number
  /** Where the name opens, of a member of an object. */
  name: number | undefined
  /** Elements or members in the text's order, repeated names included. */
  children: JsonNode[]
}

const COLON = 0x3a
const COMMA = 0x2c
const CHILDLESS: JsonNode[] = []

/**
 * The tree of a text that is JSON as RFC 8259 has it; a byte order mark may come first.
 * @throws JsonFault for the first thing that is not JSON, or is nested deeper than `DEEPEST`
 */
export function scan(text: string): JsonNode {
  const open: JsonNode[] = []
  let at = skipSpace(text, text.startsWith(BOM) ? 1 : 0)
  for (;;) {
    const parent = open.at(-1)
    const name = parent && isObject(text, parent) ? at : undefined
    if (parent && name !== undefined) at = afterColon(text, at, parent)
    let node: JsonNode = { start: at, end: at, name, children: CHILDLESS }
    parent?.children.push(node)
    const code = text.charCodeAt(at)
    if (code === 0x5b || code === 0x7b) {
      node.children = []
      if (open.push(node) > DEEPEST) throw tooDeep(at)
      at = skipSpace(text, at + 1)
      if (text.charCodeAt(at) !== closerOf(text, node)) continue
    } else {
      if (at === text.length && parent) throw unclosedFault(text, parent.start)
      if (at === text.length || /[,:\]}]/.test(text.charAt(at))) throw missingValueFault(text, at, name)
      at = code === QUOTE ? endOfString(text, at) : endOfScalar(text, at)
      node.end = at
    }
    for (;;) {
      at = skipSpace(text, at)
      const container = open.at(-1)
      if (!container) {
        if (at < text.length) throw surplusFault(text, at)
        return node
      }
      if (text.charCodeAt(at) !== closerOf(text, container)) break
      open.pop()
      node = container
      node.end = ++at
    }
    at = afterComma(text, at, open.at(-1) ?? node)
  }
}

/** Whether a node is an object; an array is the other node that has children. */
export function isObject(text: string, node: JsonNode): boolean {
  return text.charCodeAt(node.start) === 0x7b
}

/** In ASCII each closing bracket comes two after its opening one. */
function closerOf(text: string, node: JsonNode): number {
  return text.charCodeAt(node.start) + 2
}

/** Past a member's name and colon, to its value. */
function afterColon(text: string, at: number, parent: JsonNode): number {
  if (at === text.length) throw unclosedFault(text, parent.start)
  if (text.charCodeAt(at) !== QUOTE) throw nameFault(text, at)
  const colon = skipSpace(text, endOfString(text, at))
  if (colon === text.length) throw unclosedFault(text, parent.start)
  if (text.charCodeAt(colon) !== COLON) throw wrongColonFault(text, colon, at)
  return skipSpace(text, colon + 1)
}

/** Past the comma that must stand here, to the next member or element. */
function afterComma(text: string, at: number, container: JsonNode): number {
  if (at === text.length) throw unclosedFault(text, container.start)
  if (text.charCodeAt(at) !== COMMA) throw commaFault(text, at, container.start)
  const next = skipSpace(text, at + 1)
  if (text.charCodeAt(next) !== closerOf(text, container)) return next
  const closer = text.charAt(next)
  throw new JsonFault(at, `trailing comma: nothing follows it before the ${closer}`, "remove the comma")
}

function tooDeep(at: number): JsonFault {
  const most = grouped(DEEPEST)
  return new JsonFault(at, `arrays and objects are nested more than ${most} deep here, more than is read`)
}
