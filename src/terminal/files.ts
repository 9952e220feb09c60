import { randomBytes } from "node:crypto"
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"

/** The files of the machine, as commands touch them. */
export interface Files {
  /** @throws FreightError `input` naming the file, when it cannot be read. */
  read(file: string): Promise<Uint8Array>
  /** Written whole or not at all; folders are made as needed. @throws FreightError `input`. */
  write(file: string, data: string | Uint8Array): Promise<void>
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "that is a folder",
  EACCES: "you may not read or write it",
  EPERM: "you may not read or write it",
  EROFS: "that disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of that path is a file, not a folder",
  ENAMETOOLONG: "that name is too long",
}

/** A file-system failure in words: the file and why. */
export function fileError(action: "read" | "write", file: string, cause: unknown): FreightError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const reason = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
  return new FreightError("input", `cannot ${action} ${file}: ${reason}`, { cause })
}

export const files: Files = {
  async read(file) {
    try {
      return await readFile(file)
    } catch (error) {
      throw fileError("read", file, error)
    }
  },
  async write(name, data) {
    // A link is followed, and a device or pipe (/dev/stdout) is written to: neither is replaced by a plain file.
    const file = await realpath(name).catch(() => name)
    const there = await stat(file).catch(() => undefined)
    if (there && !there.isFile() && !there.isDirectory()) return writeFile(file, data)
    const draft = path.join(
      path.dirname(file),
      `.${path.basename(file)}.${randomBytes(6).toString("hex")}.tmp`,
    )
    try {
      if (there?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" })
      await mkdir(path.dirname(file), { recursive: true })
      const handle = await open(draft, "wx")
      try {
        await handle.writeFile(data)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await rename(draft, file)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw fileError("write", file, error)
    }
  },
}
