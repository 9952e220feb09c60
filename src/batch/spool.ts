/** Where a batch's rows come from. Standard input and pipes are kept in a file meanwhile, for rows are read more than once. */
import { randomBytes } from "node:crypto"
import { closeSync, createReadStream, createWriteStream, openSync, rmSync, statSync } from "node:fs"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { FreightError } from "../errors.ts"
import { makeFolder } from "../system.ts"
import { fileError } from "../terminal/files.ts"
import { limited, openStream } from "../terminal/open-stream.ts"
import type { InputStream } from "../terminal/terminal.ts"
import type { BatchSource } from "./row.ts"
import { fileSource } from "./rows-text.ts"

interface Input {
  source: BatchSource
  /** Takes away what was kept of standard input. */
  close(): Promise<void>
}

/**
 * @param file `-` is standard input
 * @param streams standard input is read once, as it comes
 * @param folder where it is kept otherwise
 * @throws FreightError `usage` when standard input is the keyboard, `input` when it cannot be kept or is too long
 */
export async function openInput(
  stdin: InputStream,
  file: string,
  streams: boolean,
  folder: string,
  signal: AbortSignal,
): Promise<Input> {
  if (file !== "-" && !isStream(file)) return { source: fileSource(file, signal), close: async () => {} }
  if (file === "-" && stdin.isTTY)
    throw new FreightError("usage", "standard input is the keyboard: pipe the rows in, or name a file")
  const name = file === "-" ? "standard input" : file
  const chunks = async () => (file === "-" ? stdin.chunks(signal) : await openStream(file, signal))
  if (streams) return { source: { name, chunks: () => stdin.chunks(signal) }, close: async () => {} }

  const kept = path.join(folder, `stdin-${randomBytes(6).toString("hex")}.tmp`)
  const remove = () => rmSync(kept, { force: true })
  try {
    makeFolder(folder)
    await pipeline(limited(name, await chunks()), createWriteStream(kept, { mode: 0o600, flags: "wx" }))
    const fd = openSync(kept, "r")
    // Without a name it is gone when the process is, however that ends.
    remove()
    return {
      source: { name, chunks: () => createReadStream("", { fd, start: 0, autoClose: false }) },
      close: async () => closeSync(fd),
    }
  } catch (error) {
    remove()
    if (signal.aborted) throw signal.reason
    throw error instanceof FreightError ? error : fileError("write", kept, error)
  }
}

/** A pipe or device gives its bytes once. What is not there is told by whoever reads it. */
function isStream(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && !stats.isFile() && !stats.isDirectory()
}
