/** The documents of a file, one at a time, each with its places in the file. */
import type { Buffer } from "node:buffer"
import { decodeJsonBytes } from "../json/bytes.ts"
import { type Place, placesIn } from "../json/place.ts"
import { type JsonDocument, type JsonProblem, readJson } from "../json/read.ts"
import { elementsOf } from "./documents-list.ts"
import { shapeOf } from "./documents-shape.ts"

export interface Documents {
  count: number
  /** Whether the file is a list, or lines, of documents. */
  several: boolean
  /** @param index from 0 */
  read(index: number): JsonDocument
  /** The text of the file, in which the places are. */
  text: string
}

/** @returns a problem where the bytes are not text */
export function documentsIn(file: string, bytes: Buffer): Documents | { problem: JsonProblem } {
  const decoded = decodeJsonBytes(bytes)
  if ("problem" in decoded) return decoded
  const { text } = decoded
  const shape = shapeOf(file, bytes)
  const pieces = shape === "list" ? elementsOf(text) : shape === "lines" ? linesOf(text) : undefined
  const placeOf = placesIn(text)
  return {
    count: pieces?.length ?? 1,
    several: pieces !== undefined,
    text,
    read(index) {
      const { start, end } = pieces?.[index] ?? { start: 0, end: text.length }
      return readJson(text.slice(start, end), { placeOf: (offset): Place => placeOf(start + offset) })
    },
  }
}

function linesOf(text: string): { start: number; end: number }[] {
  return Array.from(text.matchAll(/[^\n]*[^\s][^\n]*/g), ({ 0: line, index }) => ({
    start: index,
    end: index + line.length,
  }))
}
