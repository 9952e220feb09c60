/** The pieces that a run is made of, each done by one thread. */
import { Buffer } from "node:buffer"
import { reasonOf } from "../system.ts"
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

/** Bytes of files that one thread checks at a time: those behind are for another. */
const ENOUGH = 4 * PIECE

/**
 * @param yieldToEventLoop as `createChecker` takes it
 * @returns what does one task after the other; why a file cannot be read is in its part, not thrown
 */
export function createTasks(
  settings: CheckSettings,
  yieldToEventLoop?: () => Promise<void>,
): (task: Task) => Promise<Part[]> {
  const checker = createChecker(settings, yieldToEventLoop)
  const reader = new Reader(settings.input)

  async function one({ file, trouble, stream, isEmpty }: Input): Promise<Part> {
    if (trouble !== undefined) return { ...emptyPart(file), unreadable: trouble }
    if (isEmpty) return emptyPart(file)
    if (stream) return { ...emptyPart(file), rest: "stream" }
    const read = attempt(() => reader.whole(file))
    if ("unreadable" in read) return { ...emptyPart(file), ...read }
    return Buffer.isBuffer(read.value)
      ? checker.whole(file, read.value)
      : { ...emptyPart(file), rest: read.value }
  }

  async function several(inputs: readonly Input[]): Promise<Part[]> {
    const parts: Part[] = []
    let bytes = 0
    for (const [index, input] of inputs.entries()) {
      if (bytes > ENOUGH) {
        parts.push({ ...emptyPart(input.file), rest: { later: inputs.slice(index) } })
        break
      }
      const part = await one(input)
      parts.push(part)
      bytes += part.bytes
    }
    return parts
  }

  async function range(file: string, start: number, end: number): Promise<Part> {
    const read = attempt(() => reader.range(file, start, end))
    if ("unreadable" in read) return { ...emptyPart(file, true), ...read }
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
        return [await checker[task.whole ? "whole" : "lines"](task.file, bytes)]
      }
    }
  }
}

function attempt<T>(read: () => T): { value: T } | { unreadable: string } {
  try {
    return { value: read() }
  } catch (error) {
    return { unreadable: reasonOf(error) }
  }
}
