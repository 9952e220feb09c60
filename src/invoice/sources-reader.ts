/** Files into memory that is used again, whole or by ranges of lines. */
import { Buffer } from "node:buffer"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { type InputKind, shapeSoFar } from "./documents-shape.ts"

/** Bytes of lines that one thread checks at a time: enough to make the hand-over cheap, few enough for the cache. */
export const PIECE = 2 ** 18
/** A file of lines larger than this is checked by pieces. */
const LARGE = 4 * PIECE
/** Longer than any text can be: who decodes it says that it is too large. */
export const LONGEST_LINE = 2 ** 29 + 2 ** 16
const LONGEST_FILE = 2 ** 31 - 1
/** A range is read with so much of what follows, where its last line probably ends. */
const BEYOND = 2 ** 16
/** Few files are larger. */
const USUAL = 2 ** 18
const LINE_FEED = 10

/** The lines that start in a range. */
interface LineRange {
  bytes: Buffer
  /** How many lines end in the range before the first of these. */
  before: number
  /** How many lines end in the range. */
  lines: (ending: number) => number
}

function reading<T>(file: string, read: (fd: number) => T): T {
  const fd = openSync(file, "r")
  try {
    return read(fd)
  } finally {
    closeSync(fd)
  }
}

/** What it reads is valid until it reads again: files are read into the same memory, one after the other. */
export class Reader {
  readonly #input: InputKind | undefined
  readonly #memory = Buffer.allocUnsafeSlow(2 * PIECE)

  /** @param input what all files hold, where a person said so */
  constructor(input?: InputKind) {
    this.#input = input
  }

  /**
   * A whole plain file; or, of many lines, how large it is.
   * @throws what the file system says
   */
  whole(file: string): Buffer | { lines: number } {
    return reading(file, (fd) => {
      const start = this.#read(fd, USUAL, 0)
      if (start.length < USUAL) return start
      const { size } = fstatSync(fd)
      if (size > LARGE && shapeSoFar(file, this.#read(fd, PIECE, 0), this.#input) === "lines")
        return { lines: size }
      if (size > LONGEST_FILE)
        throw new Error("it has more than 2 GB; only files with one document on each line can be so large")
      return this.#read(fd, Math.max(size, USUAL), 0)
    })
  }

  /** The lines that start at `start` or later, and before `end`. The last may reach far beyond. @throws as `whole` */
  range(file: string, start: number, end: number): LineRange {
    return reading(file, (fd) => {
      // The byte before tells whether a line starts at the very start.
      const from = Math.max(0, start - 1)
      const last = end - 1 - from
      let bytes = this.#read(fd, last + 1 + BEYOND, from)
      const found = start === 0 ? -1 : bytes.indexOf(LINE_FEED)
      const first = found + 1
      if (first > last || (start > 0 && found < 0)) {
        const ends = bytes[last] === LINE_FEED ? 1 : 0
        return { bytes: bytes.subarray(0, 0), before: 0, lines: () => ends }
      }
      let stop = bytes.indexOf(LINE_FEED, last)
      for (let size = last + 1 + BEYOND; stop < 0 && bytes.length === size && size < LONGEST_LINE; ) {
        size *= 2
        bytes = this.#read(fd, size, from)
        stop = bytes.indexOf(LINE_FEED, last)
      }
      const before = found > 0 ? 1 : 0
      // A line that ends beyond the range is counted by the range that it ends in.
      const beyond = stop > last ? 1 : 0
      return {
        bytes: bytes.subarray(first, stop < 0 ? bytes.length : stop + 1),
        before,
        lines: (ending) => before + ending - beyond,
      }
    })
  }

  /** As many bytes as there are, up to `size`. */
  #read(fd: number, size: number, from: number): Buffer {
    const buffer = size <= this.#memory.length ? this.#memory : Buffer.allocUnsafeSlow(size)
    let length = readSync(fd, buffer, 0, size, from)
    // A short read of a plain file is its end, save that none gives more than 2 GB.
    for (let count = length; count > 0 && length < size && length >= PIECE; length += count)
      count = readSync(fd, buffer, length, size - length, from + length)
    return buffer.subarray(0, length)
  }
}
