/** Shows edits of a file as people read changes: the lines that go and the lines that come. */
import type { Buffer } from "node:buffer"
import { grouped } from "../../base/counted.ts"
import { safeText } from "../../base/safe-text.ts"
import { paint, type ReportLayout } from "../../output/index.ts"
import type { Edit } from "../finding.ts"
import { applyToBytes } from "./splice.ts"

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
/** Longer lines are cut around their edits: a document on a line of its own is not read as a line. */
const MAX_LINE_LENGTH = 200
/** Characters of a long line that are shown before and after an edit. */
const AROUND = 40
const MAX_SHOWN = 100

/** A stretch of the file, and the edits in it. */
interface Change {
  start: number
  end: number
  edits: Edit[]
}

/** @param edits in bytes, in order */
export function formatDiff(
  file: string,
  bytes: Buffer,
  edits: readonly Edit[],
  layout: ReportLayout,
): string {
  const dots = layout.unicode ? "…" : "..."
  const name = safeText(file, 1000)
  const lines = [paint(layout, "bold", `--- ${name}`), paint(layout, "bold", `+++ ${name} (fixed)`)]
  const changes = findChanges(bytes, edits)
  let number = 1
  let counted = 0
  for (const { start, end, edits: those } of changes.slice(0, MAX_SHOWN)) {
    number += countFeeds(bytes.subarray(counted, start))
    counted = start
    const before = bytes.subarray(start, end)
    const after = applyToBytes(
      before,
      those.map((edit) => ({ ...edit, offset: edit.offset - start })),
    )
    const head = isLineStart(bytes, start) ? "" : dots
    const tail = isLineEnd(bytes, end) ? "" : dots
    const show = (sign: string, text: Buffer) =>
      text.length === 0
        ? []
        : text
            .toString()
            .split(/\r?\n/)
            .map(
              (line, at, all) =>
                `${sign}${at === 0 ? head : ""}${safeText(line, MAX_LINE_LENGTH)}${at === all.length - 1 ? tail : ""}`,
            )
    lines.push(
      paint(layout, "cyan", `@@ line ${number} @@`),
      ...show("-", before).map((line) => paint(layout, "red", line)),
      ...show("+", after).map((line) => paint(layout, "green", line)),
    )
  }
  const more = changes.length - MAX_SHOWN
  if (more > 0) lines.push(`${dots} and ${grouped(more)} more of this file`)
  return `${lines.join("\n")}\n`
}

/** The lines with edits; for a long line, only the text around each edit. */
function findChanges(bytes: Buffer, edits: readonly Edit[]): Change[] {
  const changes: Change[] = []
  for (const edit of edits) {
    const last = changes.at(-1)
    const end = edit.offset + edit.length
    const line = findShortLine(bytes, edit.offset, end)
    const change = line ?? {
      start: toCharacter(bytes, Math.max(0, edit.offset - AROUND)),
      end: toCharacter(bytes, Math.min(bytes.length, end + AROUND)),
    }
    if (last && change.start <= last.end) {
      last.end = Math.max(last.end, change.end)
      last.edits.push(edit)
    } else changes.push({ ...change, edits: [edit] })
  }
  return changes
}

/** The whole line or lines of a stretch; undefined if they are long. */
function findShortLine(bytes: Buffer, from: number, to: number): Omit<Change, "edits"> | undefined {
  const first = Math.max(0, from - MAX_LINE_LENGTH)
  const feedBefore = bytes.subarray(first, from).lastIndexOf(LINE_FEED)
  const feedAfter = bytes.subarray(to, to + MAX_LINE_LENGTH).indexOf(LINE_FEED)
  if ((feedBefore < 0 && first > 0) || (feedAfter < 0 && to + MAX_LINE_LENGTH < bytes.length))
    return undefined
  const start = first + feedBefore + 1
  const feed = feedAfter < 0 ? bytes.length : to + feedAfter
  const end = feed > to && bytes[feed - 1] === CARRIAGE_RETURN ? feed - 1 : feed
  return end - start > MAX_LINE_LENGTH ? undefined : { start, end }
}

/** The start of the character that a byte is part of. */
function toCharacter(bytes: Buffer, at: number): number {
  let start = at
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--
  return start
}

function isLineStart(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes[at - 1] === LINE_FEED
}

function isLineEnd(bytes: Buffer, at: number): boolean {
  return at >= bytes.length || bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN
}

function countFeeds(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) count++
  return count
}
