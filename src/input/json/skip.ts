/** Goes through a text without checking it: one that `JSON.parse` accepts, or one that is cut up as far as it can be. */
const LINE_FEED = 0x0a
export const QUOTE = 0x22
export const COMMA = 0x2c
export const BACKSLASH = 0x5c
export const OPENING_BRACKET = 0x5b
export const OPENING_BRACE = 0x7b

/** Offsets in UTF-16 code units. */
export interface Span {
  start: number
  end: number
}

/** The first offset that is not JSON whitespace. */
export function skipSpace(text: string, at: number): number {
  for (; ; at++) {
    const code = text.charCodeAt(at)
    if (code > 0x20 || (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09)) return at
  }
}

/** Behind the string that starts here. One that is not closed ends with its line, or with the text. */
export function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === LINE_FEED) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}

/** The comma or closing bracket after the value here, or the text's end. */
export function skipValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = skipString(text, at) - 1
    // `[` and `{`, `]` and `}`: they differ in this bit only.
    else if ((code | 0x20) === OPENING_BRACE) depth++
    else if ((code | 0x20) === 0x7d) {
      if (depth-- === 0) return at
    } else if (code === COMMA && depth === 0) return at
  }
  return text.length
}

export interface Member extends Span {
  /** The start of its name; undefined in an array. */
  name: number | undefined
}

/** The values of the array or object that starts here, by name or index, and none of a scalar; of a repeated name the last. */
export function listMembers(text: string, start: number): Map<string, Member> {
  const members = new Map<string, Member>()
  const opening = text.charCodeAt(start)
  const isObject = opening === OPENING_BRACE
  if (!isObject && opening !== OPENING_BRACKET) return members
  let at = skipSpace(text, start + 1)
  // In ASCII a closing bracket comes two after its opening one.
  if (text.charCodeAt(at) === opening + 2) return members
  for (; ; at = skipSpace(text, at + 1)) {
    const name = isObject ? at : undefined
    const value = isObject ? skipSpace(text, skipSpace(text, skipString(text, at)) + 1) : at
    at = skipValue(text, value)
    const segment = name === undefined ? String(members.size) : readString(text, name)
    members.set(segment, { name, start: value, end: passBack(text, at) })
    if (text.charCodeAt(at) !== COMMA) return members
  }
}

/** The start of the JSON whitespace before an offset. */
function passBack(text: string, at: number): number {
  let end = at
  while (text.charCodeAt(end - 1) <= 0x20) end--
  return end
}

/** The text of a string that starts here, without its quotes and escapes. */
export function readString(text: string, start: number): string {
  const source = text.slice(start, skipString(text, start))
  return source.includes("\\") ? String(JSON.parse(source)) : source.slice(1, -1)
}

/**
 * The text between the brackets and commas of a list, with the blanks around it; whether it is JSON is for others
 * to find out. Undefined for a text that does not begin and end with the brackets.
 */
export function findElements(text: string): Span[] | undefined {
  const opening = skipSpace(text, 0)
  const closing = text.trimEnd().length - 1
  if (text[opening] !== "[" || text[closing] !== "]" || opening === closing) return undefined
  if (skipSpace(text, opening + 1) === closing) return []
  const elements: Span[] = []
  let start = opening + 1
  for (let at = skipValue(text, start); ; at = skipValue(text, at + 1)) {
    if (at < closing && text.charCodeAt(at) !== COMMA) continue
    elements.push({ start, end: Math.min(at, closing) })
    if (at >= closing) return elements
    start = at + 1
  }
}
