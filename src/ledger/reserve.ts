/**
 * A file beside the outbox: room for outcomes when the disk is full, and the state of each ledger that is used from
 * here. Its blocks are allocated in advance, so that both can be written on a full disk.
 */
import { hash } from "node:crypto"
import { appendFileSync, closeSync, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs"
import path from "node:path"
import { codeOf, makeFolder, reasonOf } from "../base/system.ts"
import { unusable } from "./database/database.ts"

/** The state of a ledger: its own name, and how many claims and outcomes were written into it. */
export interface Mark {
  ledger: string
  count: number
}

export type Reserve = ReturnType<typeof openReserve>

const LINE_BYTES = 64
const MARKS_BYTES = 64 * LINE_BYTES
/** With room for the outcomes of some bookings under way. */
const RESERVE_BYTES = MARKS_BYTES + 65_536

/** @param outbox its folder */
export function openReserve(outbox: string) {
  const file = `${outbox}.reserve`
  const getSize = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  /** Gives the room back to the disk; the marks stay. */
  const free = () => {
    try {
      if (getSize() > MARKS_BYTES) truncateSync(file, MARKS_BYTES)
    } catch {
      // The next write reports it.
    }
  }
  /** @param act gets the line of a place, empty if it has none, and where it belongs */
  const onLine = <T>(
    flags: string,
    place: string,
    act: (line: string, descriptor: number, position: number) => T,
  ): T => {
    const descriptor = openSync(file, flags)
    try {
      const bytes = Buffer.alloc(MARKS_BYTES)
      readSync(descriptor, bytes, 0, MARKS_BYTES, 0)
      const lines = bytes.toString("latin1").match(/[\s\S]{64}/g) ?? []
      const name = nameOf(place)
      const own = lines.findIndex((line) => line.startsWith(name))
      const free = lines.findIndex((line) => line.startsWith("\0"))
      const at = [own, free].find((n) => n >= 0) ?? lines.length - 1
      return act(lines[own] ?? "", descriptor, at * LINE_BYTES)
    } finally {
      closeSync(descriptor)
    }
  }
  return {
    /** Makes the file, or fills it up again. */
    setAside() {
      try {
        makeFolder(path.dirname(file))
        const missing = RESERVE_BYTES - getSize()
        if (missing > 0) appendFileSync(file, new Uint8Array(missing), { mode: 0o600 })
      } catch (error) {
        free()
        if (/^(ENOSPC|EDQUOT)$/.test(codeOf(error) ?? ""))
          throw unusable(path.dirname(file), reasonOf(error), error, false)
        // A shared ledger does not need this folder.
      }
    },
    free,
    /** The state of the ledger in a place when this machine last wrote to it; undefined if unknown. */
    read(place: string): Mark | undefined {
      try {
        const line = onLine("r", place, (line) => line)
        const [, ledger = "", count] = /^\w+ (\w+) +(\d+)\n$/.exec(line) ?? []
        return count === undefined ? undefined : { ledger, count: Number(count) }
      } catch {
        return undefined
      }
    },
    /** Not synced: after a power cut the mark may be older than the ledger, never newer. */
    write(place: string, mark: Mark | undefined): void {
      const line = mark ? `${nameOf(place)} ${mark.ledger} ${String(mark.count).padStart(29)}\n` : ""
      onLine("r+", place, (known, descriptor, position) => {
        if (known !== "" || mark) writeSync(descriptor, line.padEnd(LINE_BYTES, "\0"), position, "latin1")
      })
    },
  }
}

function nameOf(place: string): string {
  return hash("sha256", place).slice(0, 16)
}
