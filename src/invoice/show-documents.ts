/** The documents of a file, one at a time, each with its places in the file. */
import type { Buffer } from "node:buffer"
import { decodeJsonBytes } from "../json/bytes.ts"
import type { JsonProblem } from "../json/read.ts"
import { elementsOf } from "./documents-list.ts"
import { isBlank, shapeOf } from "./documents-shape.ts"

export interface Documents {
  count: number
  /** Whether the file is a list, or lines, of documents; of one that is not, `textOf(0)` is the whole. */
  several: boolean
  /**
   * A document's text with blanks and line breaks before it, so that its lines and columns are those of the file; or
   * what keeps its bytes from being text. `index` counts from 0.
   */
  textOf(index: number): { text: string } | { problem: JsonProblem }
}

interface Piece {
  start: number
  end: number
  line: number
  indent: number
}

export function documentsIn(file: string, bytes: Buffer): Documents {
  const shape = shapeOf(file, bytes)
  const pieces = shape === "list" ? elementsOf(bytes) : shape === "lines" ? linesOf(bytes) : undefined
  if (!pieces) return { count: 1, several: false, textOf: () => decodeJsonBytes(bytes) }
  return {
    count: pieces.length,
    several: true,
    textOf(index) {
      const { start, end, line, indent } = pieces[index] ?? { start: 0, end: 0, line: 0, indent: 0 }
      const decoded = decodeJsonBytes(bytes.subarray(start, end))
      if ("text" in decoded) return { text: `${"\n".repeat(line)}${" ".repeat(indent)}${decoded.text}` }
      const { problem } = decoded
      const column = problem.line === 1 ? problem.column + indent : problem.column
      return { problem: { ...problem, line: problem.line + line, column } }
    },
  }
}

function linesOf(bytes: Buffer): Piece[] {
  const pieces: Piece[] = []
  for (let start = 0, line = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    if (!isBlank(bytes, start, end)) pieces.push({ start, end, line, indent: 0 })
    start = end + 1
  }
  return pieces
}
