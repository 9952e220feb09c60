/**
 * A file of events, one JSON value a line, that several processes append to at once without a lock.
 *
 * Each record is one write to a file opened for appending, so records never mix, and their order in the file is the
 * order for everybody. A record begins with a line break as well as ending with one: when a writer was killed in the
 * middle, its torn line ends there and is skipped, rather than swallowing the next record.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../base/errors.ts"
import { tryParseJson } from "../base/json.ts"
import { makeFolder, reasonOf } from "../base/system.ts"

/** Where a record stands in the file, in bytes. */
export interface Entry {
  readonly offset: number
  readonly length: number
}

export interface JournalReader {
  /** The next record, in file order, this process's own included. */
  event(value: unknown, entry: Entry): void
  /** The file was removed or cut: all that was read is void. */
  reset(): void
}

const LINE_BREAK = 0x0a
const CHUNK = 1 << 18
const CLOSED = -1

export function openJournal(file: string, reader: JournalReader) {
  let descriptor = open(file)
  let offset = 0
  let buffer = Buffer.allocUnsafe(CHUNK)

  function catchUp(): void {
    let { size, nlink } = fstatSync(descriptor)
    if (nlink === 0 || size < offset) {
      close()
      descriptor = open(file)
      offset = 0
      size = fstatSync(descriptor).size
      reader.reset()
    }
    while (offset < size) {
      const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, size - offset), offset)
      const end = buffer.subarray(0, length).lastIndexOf(LINE_BREAK) + 1
      if (end > 0) {
        readLines(end)
        offset += end
      } else if (length === buffer.length) buffer = Buffer.allocUnsafe(buffer.length * 2)
      else return
    }
  }

  function readLines(end: number): void {
    for (let start = 0; start < end; ) {
      const next = buffer.indexOf(LINE_BREAK, start)
      if (next > start) {
        const value = tryParseJson(buffer.toString("utf8", start, next))
        if (value !== undefined) reader.event(value, { offset: offset + start, length: next - start })
      }
      start = next + 1
    }
  }

  function close(): void {
    if (descriptor !== CLOSED) closeSync(descriptor)
    // The system reuses the number for the next file, which a late record must not reach.
    descriptor = CLOSED
  }

  return {
    /** Reads what any process has appended since the last time. */
    catchUp,
    /** Appends one record and reads it back, with all that others appended before it. */
    append(value: unknown) {
      const record = Buffer.from(`\n${JSON.stringify(value)}\n`)
      try {
        // A nearly full disk takes only a part of it: a torn line, which is skipped.
        if (writeSync(descriptor, record) !== record.length) throw new Error("the disk is full")
      } catch (error) {
        throw new FreightError("config", `the sandbox cannot write to ${file}: ${reasonOf(error)}`, {
          cause: error,
        })
      }
      catchUp()
    },
    read({ offset: position, length }: Entry): unknown {
      const bytes = Buffer.allocUnsafe(length)
      readSync(descriptor, bytes, 0, length, position)
      return JSON.parse(bytes.toString("utf8"))
    },
    /** Later lines throw. */
    close,
  }
}

function open(file: string): number {
  makeFolder(path.dirname(file))
  return openSync(file, "a+", 0o600)
}
