import { open, readFile, realpath, rm, stat } from "node:fs/promises"
import path from "node:path"
import { FreightError } from "../errors.ts"
import { codeOf, draftName, hasCode, makeFolder, replaceFile } from "../system.ts"

/** The files of the machine, as commands touch them. */
export interface Files {
  /** @throws FreightError `input` naming the file, when it cannot be read. */
  read(file: string): Promise<Uint8Array>
  /** Whether there is something of that name. */
  has(file: string): Promise<boolean>
  /** Written whole or not at all; folders are made as needed. @throws FreightError `input`. */
  write(file: string, data: string | Uint8Array): Promise<void>
  /** A file that is written bit by bit, and is there once it is kept. @throws FreightError `input`. */
  create(file: string): Promise<Draft>
}

export interface Draft {
  /** @throws FreightError `input`. */
  write(data: string | Uint8Array): Promise<void>
  /** Takes the place of what had the name before. @throws FreightError `input`. */
  keep(): Promise<void>
  /** Leaves no trace; a draft that was kept stays. */
  discard(): Promise<void>
}

/** Folders of the user's own are open to whom the system opens new ones. */
const ANYBODY = 0o777

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
  const noFolder = action === "write" && hasCode(cause, "ENOENT")
  const why = noFolder ? "its folder cannot be made" : fileTrouble(cause)
  return new FreightError("input", `cannot ${action} ${file}: ${why}`, { cause })
}

/** Why the file system refused, in words. */
export function fileTrouble(cause: unknown): string {
  return REASONS[codeOf(cause) ?? ""] ?? (cause instanceof Error ? cause.message : String(cause))
}

export const files: Files = {
  async read(file) {
    try {
      return await readFile(file)
    } catch (error) {
      throw fileError("read", file, error)
    }
  },
  has: (file) =>
    stat(file).then(
      () => true,
      () => false,
    ),
  async write(name, data) {
    const draft = await files.create(name)
    try {
      await draft.write(data)
      await draft.keep()
    } finally {
      await draft.discard()
    }
  },
  async create(name) {
    // A link is followed, and a device or pipe (/dev/stdout) is written to: neither is replaced by a plain file.
    const file = await realpath(name).catch(() => name)
    const there = await stat(file).catch(() => undefined)
    const direct = there !== undefined && !there.isFile() && !there.isDirectory()
    const written = direct ? file : draftName(file)
    const telling = async <T>(action: () => Promise<T>): Promise<T> => {
      try {
        return await action()
      } catch (error) {
        throw fileError("write", file, error)
      }
    }
    const handle = await telling(async () => {
      if (there?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" })
      if (!direct) makeFolder(path.dirname(file), ANYBODY)
      return open(written, direct ? "w" : "wx")
    })
    return {
      write: (data) => telling(() => handle.writeFile(data)),
      keep: () =>
        telling(async () => {
          if (!direct) await handle.sync()
          await handle.close()
          if (!direct) replaceFile(written, file)
        }),
      async discard() {
        await handle.close().catch(() => {})
        if (!direct) await rm(written, { force: true }).catch(() => {})
      },
    }
  },
}
