/** Checks a text against the grammar of JSON (RFC 8259) and collects the positions of its values, in order of their start. */
import { grouped } from "../../base/counted.ts"
import { DEEPEST } from "../../base/limits.ts"
import {
  JsonSyntaxError,
  createMissingColonError,
  createMissingCommaError,
  createMissingValueError,
  createNameError,
  createNumberError,
  removeCharacter,
  createSurplusError,
  createUnclosedError,
  createValueError,
} from "./errors.ts"
import { BACKSLASH, COMMA, OPENING_BRACE, OPENING_BRACKET, QUOTE, skipSpace } from "./skip.ts"
import type { JsonNode } from "./node.ts"

const COLON = 0x3a

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![-+.\w])/y
const WORD = /(?:true|false|null)(?![-+.\w])/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

export function scanJson(text: string): JsonNode[] {
  const nodes: JsonNode[] = []
  const open: JsonNode[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const parent = open.at(-1)
    const isMember = parent !== undefined && text.charCodeAt(parent.start) === OPENING_BRACE
    const ordinal = parent?.children?.length ?? 0
    const node: JsonNode = { start: at, end: 0, name: isMember ? at : undefined, parent, ordinal }
    nodes.push(node)
    parent?.children?.push(node)
    if (isMember) {
      at = passColon(text, at, parent.start, nodes)
      node.start = at
    }
    const code = text.charCodeAt(at)
    if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      node.children = []
      if (open.push(node) > DEEPEST) throw createTooDeepError(at)
      at = skipSpace(text, at + 1)
      if (!isCloser(text, at, open)) continue
    } else {
      at = passScalar(text, at, node, nodes)
      node.end = at
    }
    for (at = skipSpace(text, at); isCloser(text, at, open); at = skipSpace(text, at)) {
      at++
      const closed = open.pop()
      if (closed) closed.end = at
    }
    const holder = open.at(-1)
    if (holder === undefined) {
      if (at < text.length) throw createSurplusError(text, at, nodes)
      return nodes
    }
    at = passComma(text, at, holder.start, nodes)
  }
}

/** Whether the innermost array or object closes here. In ASCII its closing bracket comes two after its opening one. */
function isCloser(text: string, at: number, open: readonly JsonNode[]): boolean {
  const last = open.at(-1)
  return last !== undefined && text.charCodeAt(at) === text.charCodeAt(last.start) + 2
}

/** @returns the start of the value of the member whose name starts at `at` */
function passColon(text: string, at: number, opener: number, nodes: readonly JsonNode[]): number {
  if (at === text.length) throw createUnclosedError(text, opener, nodes)
  if (text.charCodeAt(at) !== QUOTE) throw createNameError(text, at)
  const colon = skipSpace(text, passString(text, at))
  if (colon === text.length) throw createUnclosedError(text, opener, nodes)
  if (text.charCodeAt(colon) !== COLON) throw createMissingColonError(text, colon, at)
  return skipSpace(text, colon + 1)
}

/** @returns the start of the next member or element */
function passComma(text: string, at: number, opener: number, nodes: readonly JsonNode[]): number {
  if (at === text.length) throw createUnclosedError(text, opener, nodes)
  if (text.charCodeAt(at) !== COMMA) throw createMissingCommaError(text, at, opener, nodes)
  const next = skipSpace(text, at + 1)
  if (text.charCodeAt(next) !== text.charCodeAt(opener) + 2) return next
  const closer = text.charAt(next)
  throw new JsonSyntaxError(
    at,
    `trailing comma: nothing follows it before the ${closer}`,
    "remove the comma",
    removeCharacter(at),
  )
}

/** @returns the end of a string, a number, `true`, `false` or `null` */
function passScalar(
  text: string,
  at: number,
  { name, parent }: JsonNode,
  nodes: readonly JsonNode[],
): number {
  const code = text.charCodeAt(at)
  if (code === QUOTE) return passString(text, at)
  const isNumber = code === 0x2d || (code >= 0x30 && code <= 0x39)
  const pattern = isNumber ? NUMBER : WORD
  pattern.lastIndex = at
  if (pattern.test(text)) return pattern.lastIndex
  if (at === text.length && parent) throw createUnclosedError(text, parent.start, nodes)
  if (at === text.length || /[,:\]}]/.test(text.charAt(at))) throw createMissingValueError(text, at, name)
  throw isNumber ? createNumberError(text, at) : createValueError(text, at)
}

function passString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) at = passEscape(text, at, start) - 1
    else if (!(code >= 0x20)) {
      // Past the text the code is NaN.
      const isUnclosed = at === text.length || code === 0x0a || code === 0x0d
      throw isUnclosed ? createUnclosedStringError(text, start) : createControlCharacterError(at, code)
    }
  }
}

function passEscape(text: string, at: number, start: number): number {
  ESCAPE.lastIndex = at
  if (ESCAPE.test(text)) return ESCAPE.lastIndex
  const next = text.charAt(at + 1)
  if (next === "u") throw new JsonSyntaxError(at, "\\u is not followed by four hexadecimal digits")
  if (next > " ")
    throw new JsonSyntaxError(at, `\\${next} means nothing in JSON`, "a backslash itself is written \\\\")
  throw new JsonSyntaxError(start, "this quote is not closed", "the text breaks off after a backslash")
}

function createUnclosedStringError(text: string, start: number): JsonSyntaxError {
  const [, curly] = /^[^\r\n]{0,1000}?([“”„])/.exec(text.slice(start, start + 1001)) ?? []
  const hint = curly
    ? `${curly} does not close it: use straight double quotes everywhere, "like this"`
    : "close the text on its line with a double quote; a line break inside it is written \\n"
  return new JsonSyntaxError(start, "this quote is not closed", hint)
}

function createControlCharacterError(at: number, code: number): JsonSyntaxError {
  const [name, written] =
    code === 0x09 ? ["a tab", "\\t"] : ["a control character", `\\u${code.toString(16).padStart(4, "0")}`]
  return new JsonSyntaxError(at, `${name} is inside a text`, `remove it, or write it as ${written}`)
}

function createTooDeepError(at: number): JsonSyntaxError {
  const most = grouped(DEEPEST)
  return new JsonSyntaxError(
    at,
    `arrays and objects are nested more than ${most} deep here, more than is read`,
  )
}
