/** The pieces that a run is made of, each done by one thread. */
import { Buffer } from "node:buffer"
import { fileTrouble } from "../terminal/files.ts"
import { type CheckSettings, createChecker, emptyPart, type Part, shift } from "./documents.ts"
import type { Input } from "./sources.ts"
import { PIECE, Reader, readStart, USUAL } from "./sources-reader.ts"

export type Task =
  /** Whole files, one after the other; those behind very large ones are given back. */
  | { kind: "files"; inputs: readonly Input[] }
  /** The lines of a file that start in a range of its bytes. */
  | { kind: "range"; file: string; start: number; end: number }
  /** Bytes of a stream: some of its lines, or all there is. */
  | { kind: "bytes"; file: string; buffer: ArrayBuffer; length: number; whole: boolean }

/** Bytes of files that one thread checks at a time: those behind are for another. */
const ENOUGH = 4 * PIECE

/**
 * @param breathe as `createChecker` takes it
 * @returns what does one task after the other; what is wrong with a file is told in its part, not thrown
 */
export function createTasks(
  settings: CheckSettings,
  breathe?: () => Promise<void>,
): (task: Task) => Promise<Part[]> {
  const checker = createChecker(settings, breathe)
  const reader = new Reader(checker.room)

  /**
   * What can be told of an input at once: how many bytes it has, if it was taken. Most are, being one document without
   * findings. Others are given back for a longer look.
   */
  function quickly({ file, trouble, stream }: Input): number | Part | Buffer {
    if (trouble !== undefined) return { ...emptyPart(file), trouble }
    if (stream) return { ...emptyPart(file), rest: "stream" }
    const room = checker.room(USUAL)
    const start = attempt(() => readStart(file, room, USUAL))
    if ("trouble" in start) return { ...emptyPart(file), trouble: start.trouble }
    const length = start.value
    if (length < USUAL && checker.takes(file, room, length)) return length
    const read = attempt(() => reader.whole(file))
    if ("trouble" in read) return { ...emptyPart(file), trouble: read.trouble }
    if (!Buffer.isBuffer(read.value)) return { ...emptyPart(file), rest: read.value }
    const bytes = read.value
    return bytes.length >= USUAL && checker.takes(file, bytes, bytes.length) ? bytes.length : bytes
  }

  async function several(inputs: readonly Input[]): Promise<Part[]> {
    const parts: (Part | undefined)[] = []
    let done = 0
    let bytes = 0
    for (const input of inputs) {
      if (bytes > ENOUGH) break
      done++
      const found = quickly(input)
      if (typeof found === "number") {
        bytes += found
        continue
      }
      const clean = checker.taken()
      const part = Buffer.isBuffer(found) ? await checker.whole(input.file, found) : found
      parts.push(clean, part)
      bytes += part.bytes
    }
    parts.push(checker.taken())
    const later = inputs.slice(done)
    const [next] = later
    if (next) parts.push({ ...emptyPart(next.file), rest: { later } })
    return parts.filter((part) => part !== undefined)
  }

  async function range(file: string, start: number, end: number): Promise<Part> {
    const read = attempt(() => reader.range(file, start, end))
    if ("trouble" in read) return { ...emptyPart(file, true), trouble: read.trouble }
    const part = await checker.lines(file, read.value.bytes)
    shift(part, read.value.before, 0)
    return { ...part, lines: read.value.lines(part.lines), bytes: end - start }
  }

  return async (task) => {
    switch (task.kind) {
      case "files":
        return several(task.inputs)
      case "range":
        return [await range(task.file, task.start, task.end)]
      case "bytes": {
        const bytes = Buffer.from(task.buffer, 0, task.length)
        if (!task.whole) return [await checker.lines(task.file, bytes)]
        const taken = checker.takes(task.file, bytes, bytes.length) ? checker.taken() : undefined
        return [taken ?? (await checker.whole(task.file, bytes))]
      }
    }
  }
}

function attempt<T>(read: () => T): { value: T } | { trouble: string } {
  try {
    return { value: read() }
  } catch (error) {
    return { trouble: fileTrouble(error) }
  }
}
