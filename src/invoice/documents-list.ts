/** The elements of a JSON array, cut out of its bytes. */
import type { Buffer } from "node:buffer"
import { isSpace, markLength } from "./documents-shape.ts"

interface Element {
  start: number
  end: number
  /** How many lines end before it. */
  line: number
  /** Where the line begins that it starts in. */
  lineStart: number
  /** How many characters stand before it in that line. */
  indent: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Where the elements of the array are; what is in them is not looked at. Undefined when commas and brackets do not
 * make an array, so that nothing can be cut.
 */
export function elementsOf(bytes: Buffer): Element[] | undefined {
  const elements: Element[] = []
  let line = 0
  let lineStart = markLength(bytes)
  let at = lineStart
  let indent = 0
  let counted = lineStart
  const countIndent = () => {
    if (counted < lineStart) [indent, counted] = [0, lineStart]
    for (; counted < at; counted++) if (((bytes[counted] ?? 0) & 0xc0) !== 0x80) indent++
    return indent
  }
  const skipSpace = () => {
    for (; isSpace(bytes[at]); at++)
      if (bytes[at] === 10 || (bytes[at] === 13 && bytes[at + 1] !== 10)) {
        line++
        lineStart = at + 1
      }
  }
  const skipText = () => {
    for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++
    at++
  }
  skipSpace()
  at++
  skipSpace()
  if (bytes[at] === 0x5d) {
    at++
    skipSpace()
    return at === bytes.length ? elements : undefined
  }
  for (;;) {
    const element = { start: at, end: at, line, lineStart, indent: countIndent() }
    let depth = 0
    while (at < bytes.length) {
      const byte = bytes[at] as number
      if (byte === QUOTE) skipText()
      else if (isSpace(byte)) {
        skipSpace()
        continue
      } else {
        // Braces and brackets differ from each other in one bit, and what does not match is found by whoever reads it.
        if ((byte | 0x20) === 0x7b) depth++
        else if ((byte | 0x20) === 0x7d && depth-- === 0) break
        else if (byte === COMMA && depth === 0) break
        at++
      }
      element.end = at
    }
    if (at >= bytes.length || element.end === element.start) return undefined
    elements.push(element)
    const closing = bytes[at++]
    skipSpace()
    if (closing === 0x5d) return at === bytes.length ? elements : undefined
    if (closing !== COMMA) return undefined
  }
}
