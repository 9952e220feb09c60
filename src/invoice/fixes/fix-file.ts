/** Fixes the documents of a file: one, a list of them, or one on each line. */
import type { Buffer } from "node:buffer"
import { decodeJsonBytes } from "../../json/bytes.ts"
import { findElements } from "../../json/skip.ts"
import { readJson } from "../../json/read.ts"
import { countMarkBytes, findShape, type InputKind } from "../documents.ts"
import type { Edit } from "../finding.ts"
import { createByteCounter } from "./edits.ts"
import { fixDocument, type FixSettings } from "./fix-document.ts"

/** A text of the file in which documents are, and where. */
interface TextOfFile {
  text: string
  /** Bytes of the file before the text. */
  base: number
  /** Offsets in the text, in UTF-16 code units. */
  documents: readonly { start: number; end: number }[]
}

/**
 * @param input what the file holds, where a person said so
 * @returns edits of the file, in bytes and in order
 */
export function fixFile(
  file: string,
  bytes: Buffer,
  settings: FixSettings,
  input: InputKind | undefined,
): Edit[] {
  const edits: Edit[] = []
  for (const { text, base, documents } of findTexts(file, bytes, input)) {
    const toBytes = createByteCounter(text, base)
    for (const { start, end } of documents)
      for (const edit of fixDocument(text.slice(start, end), settings))
        edits.push(toBytes({ ...edit, offset: start + edit.offset }))
  }
  return edits
}

function* findTexts(file: string, bytes: Buffer, input: InputKind | undefined): Generator<TextOfFile> {
  const shape = findShape(file, bytes, input)
  if (shape === "lines") {
    for (let start = 0; start < bytes.length; ) {
      const feed = bytes.indexOf(10, start)
      const end = feed < 0 ? bytes.length : feed
      const line = decode(bytes.subarray(start, end), start)
      if (line && line.text.trim() !== "") yield { ...line, documents: [{ start: 0, end: line.text.length }] }
      start = end + 1
    }
    return
  }
  const whole = decode(bytes, 0)
  if (!whole) return
  const { text } = whole
  const elements = shape === "list" ? findElements(text) : undefined
  // In a list that is not JSON, it is unknown where a document ends.
  const isSound = elements?.every(({ start, end }) => !readJson(text.slice(start, end)).syntaxError)
  yield { ...whole, documents: elements && isSound ? elements : [{ start: 0, end: text.length }] }
}

function decode(bytes: Buffer, start: number): { text: string; base: number } | undefined {
  const decoded = decodeJsonBytes(bytes)
  return "text" in decoded ? { text: decoded.text, base: start + countMarkBytes(bytes) } : undefined
}
