/** The first and last bytes of a PDF. */
import { Buffer } from "node:buffer"

/** Readers search this many bytes for the header and the end mark (ISO 32000-1, annexes H.3.4.1 and H.3.18). */
const SEARCHED = 1024

/** Blanks, a byte order mark and NUL may come before the header. */
export function hasPdfHeader(bytes: Uint8Array): boolean {
  return /^(?:\xEF\xBB\xBF)?[\s\0]*%PDF-/.test(toText(bytes.subarray(0, SEARCHED)))
}

/** A truncated file has no end mark. Padding after it does not count. */
export function hasPdfEnd(bytes: Uint8Array): boolean {
  let end = bytes.length
  while (end > 0 && PADDING.has(bytes[end - 1] ?? 0)) end--
  return toText(bytes.subarray(Math.max(0, end - SEARCHED), end)).includes("%%EOF")
}

const PADDING: ReadonlySet<number> = new Set([0, 9, 10, 12, 13, 32])

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")
}
