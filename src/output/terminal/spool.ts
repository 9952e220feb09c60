/** Rows of a list that is written more than once: its totals before it, its widths before its lines. */
import { randomUUID } from "node:crypto"
import { rmSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import path from "node:path"
import { makeFolder } from "../../base/system.ts"
import { turns } from "../../base/turns.ts"
import { fileError } from "./files.ts"

export interface Spool<Row> {
  /** @throws FreightError `input` when the file cannot be written */
  add(rows: readonly Row[]): Promise<void>
  /** All rows in their order, as often as they are asked for. @throws the signal's reason */
  pages(): AsyncGenerator<readonly Row[]>
  /** Leaves no trace. */
  close(): Promise<void>
}

/** Rows kept in memory; a longer list is in a file. */
const ROWS_KEPT = 10_000

interface FilePage {
  at: number
  bytes: number
}

/**
 * Keeps rows, which must be JSON, in constant memory.
 * @param folder for the file of a long list
 * @param signal aborts reading
 */
export function createSpool<Row>(folder: string, signal: AbortSignal): Spool<Row> {
  const file = path.join(folder, `rows-${randomUUID()}`)
  const kept: (readonly Row[])[] = []
  const written: FilePage[] = []
  let count = 0
  let size = 0
  let handle: FileHandle | undefined

  const openFile = async (): Promise<FileHandle> => {
    makeFolder(folder)
    const opened = await open(file, "wx+", 0o600)
    // If the system allows removing an open file, nothing is left of it even if this process is killed.
    removeFile(file)
    return opened
  }
  const readPage = async ({ at, bytes }: FilePage): Promise<readonly Row[]> => {
    const page = Buffer.alloc(bytes)
    await handle?.read(page, 0, bytes, at)
    return JSON.parse(page.toString())
  }
  return {
    async add(rows) {
      if (rows.length === 0) return
      count += rows.length
      if (count <= ROWS_KEPT) {
        kept.push(rows)
        return
      }
      try {
        handle ??= await openFile()
        const page = Buffer.from(JSON.stringify(rows))
        await handle.writeFile(page)
        written.push({ at: size, bytes: page.length })
        size += page.length
      } catch (error) {
        throw fileError("write", file, error)
      }
    },
    async *pages() {
      for (const page of [...kept, ...written]) {
        await turns(1)
        signal.throwIfAborted()
        yield "bytes" in page ? await readPage(page) : page
      }
    },
    async close() {
      await handle?.close()
      if (handle) removeFile(file)
    },
  }
}

function removeFile(file: string): void {
  try {
    rmSync(file, { force: true })
  } catch {
    // Windows may hold it while it is open.
  }
}
