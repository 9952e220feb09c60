/** What the file system says, and the folders that files are about to be written in. */
import { mkdirSync } from "node:fs"
import path from "node:path"

/** Why the system says no, in its own word, such as `ENOENT`; undefined for an error that has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined
}

export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
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
  EFBIG: "it would be larger than a file may be here (ulimit -f)",
  EDQUOT: "your disk quota is used up",
}

/** Why the system refused, in words. */
export function reasonOf(cause: unknown): string {
  return REASONS[codeOf(cause) ?? ""] ?? (cause instanceof Error ? cause.message : String(cause))
}

/**
 * Makes a folder and those above it, where they are missing. Node's own way hides why a read-only disk says no, and
 * never ends where nothing can be made in a folder that is there, as below /proc or a mount on demand.
 * @param mode who may do what in those that are made
 * @throws what the file system says; nothing where a file is in its place, which whoever writes there finds out
 */
export function makeFolder(folder: string, mode = 0o700): void {
  const make = () => mkdirSync(folder, { mode })
  try {
    try {
      make()
    } catch (error) {
      if (!hasCode(error, "ENOENT") || path.dirname(folder) === folder) throw error
      makeFolder(path.dirname(folder), mode)
      make()
    }
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  }
}
