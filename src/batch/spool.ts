/** Where a batch's rows come from. Standard input is kept in a file meanwhile, for its rows are read more than once. */
import { randomBytes } from "node:crypto"
import { createWriteStream } from "node:fs"
import { rm } from "node:fs/promises"
import path from "node:path"
import { pipeline } from "node:stream/promises"
import { FreightError } from "../errors.ts"
import { makeFolder } from "../system.ts"
import { fileError } from "../terminal/files.ts"
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
 * @throws FreightError `usage` when standard input is the keyboard, `input` when it cannot be kept
 */
export async function openInput(
  stdin: InputStream,
  file: string,
  streams: boolean,
  folder: string,
  signal: AbortSignal,
): Promise<Input> {
  if (file !== "-") return { source: fileSource(file), close: async () => {} }
  if (stdin.isTTY)
    throw new FreightError("usage", "standard input is the keyboard: pipe the rows in, or name a file")
  const name = "standard input"
  if (streams) return { source: { name, chunks: () => stdin.chunks(signal) }, close: async () => {} }

  const kept = path.join(folder, `stdin-${randomBytes(6).toString("hex")}`)
  const close = () => rm(kept, { force: true }).catch(() => {})
  try {
    makeFolder(folder)
    await pipeline(stdin.chunks(signal), createWriteStream(kept, { mode: 0o600, flags: "wx" }))
  } catch (error) {
    await close()
    if (signal.aborted) throw signal.reason
    throw fileError("write", kept, error)
  }
  return { source: fileSource(kept, name), close }
}
