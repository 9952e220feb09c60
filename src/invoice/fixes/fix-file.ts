/** Fixes the documents of a file: one, a list of them, or one on each line. */
import type { Buffer } from "node:buffer"
import { readJson } from "../../json/read.ts"
import { findElements, type Span } from "../../json/skip.ts"
import { decodeText, findShape, type InputKind, readLines } from "../documents.ts"
import type { Edit } from "../finding.ts"
import { createByteCounter } from "./edits.ts"
import { fixDocument, type FixSettings } from "./fix-document.ts"

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
  const shape = findShape(file, bytes, input)
  const edits: Edit[] = []
  for (const read of shape === "lines" ? readLines(bytes) : [decodeText(bytes)]) {
    if (!("text" in read)) continue
    const { text, before } = read
    const toBytes = createByteCounter(text, before.bytes + before.mark)
    const documents = shape === "list" ? findSoundElements(text) : undefined
    for (const { start, end } of documents ?? [{ start: 0, end: text.length }])
      for (const edit of fixDocument(text.slice(start, end), settings))
        edits.push(toBytes({ ...edit, offset: start + edit.offset }))
  }
  return edits
}

/** The documents of a list. In one that is not JSON, it is unknown where a document ends. */
function findSoundElements(text: string): Span[] | undefined {
  const elements = findElements(text)
  return elements?.every(({ start, end }) => !readJson(text.slice(start, end)).syntaxError)
    ? elements
    : undefined
}
