/** The pieces that a run is made of, each done by one thread. */
import { Buffer } from "node:buffer"
import { fileTrouble } from "../terminal/files.ts"
import { type CheckSettings, createChecker, emptyPart, type Part, shift } from "./documents.ts"
import type { Input } from "./sources.ts"
import { PIECE, Reader } from "./sources-reader.ts"

export type Task =
  /** Whole files, one after the other; those behind very large ones are given back. */
  | { kind: "files"; inputs: readonly Input[] }
  /** The lines of a file that start in a range of its bytes. */
  | { kind: "range"; file: string; start: number; end: number }
  /** Bytes of a stream: some of its lines, or all there is. */
  | { kind: "bytes"; file: string; buffer: ArrayBuffer; length: number; whole: boolean }

/**
 * @param breathe as `createChecker` takes it
 * @returns what does one task after the other; what is wrong with a file is told in its part, not thrown
 */
export function createTasks(
  settings: CheckSettings,
  breathe?: () => Promise<void>,
): (task: Task) => Promise<Part[]> {
  const checker = createChecker(settings, breathe)
  const reader = new Reader()

  async function whole({ file, trouble, stream }: Input): Promise<Part> {
    if (trouble !== undefined) return { ...emptyPart(file), trouble }
    if (stream) return { ...emptyPart(file), rest: "stream" }
    const read = attempt(() => reader.whole(file))
    if ("trouble" in read) return { ...emptyPart(file), trouble: read.trouble }
    if (!Buffer.isBuffer(read.value)) return { ...emptyPart(file), rest: read.value }
    return checker.whole(file, read.value)
  }

  async function several(inputs: readonly Input[]): Promise<Part[]> {
    const parts: Part[] = []
    let bytes = 0
    for (const input of inputs) {
      if (bytes > PIECE) break
      const part = await whole(input)
      parts.push(part)
      bytes += part.bytes
    }
    const later = inputs.slice(parts.length)
    const [next] = later
    return next ? [...parts, { ...emptyPart(next.file), rest: { later } }] : parts
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
        return [await (task.whole ? checker.whole(task.file, bytes) : checker.lines(task.file, bytes))]
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
