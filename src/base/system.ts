/** Errors of the file system, missing folders, and files that are written whole or not at all. */
import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"

/** The system's error code, such as `ENOENT`; undefined for an error without one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined
}

export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code
}

const IS_WINDOWS = path.sep === "\\"

const REASONS: Record<string, string> = {
  EBUSY: "another program has it open: close it there",
  ENOENT: "there is no such file",
  EISDIR: "that is a folder",
  EACCES: "you may not read or write it",
  EPERM: "you may not read or write it",
  EROFS: "that disk is read-only",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of that path is a file, not a folder",
  ENAMETOOLONG: "that name is too long",
  ELOOP: "it is a link that leads back to itself",
  EFBIG: "it would be larger than a file may be here (ulimit -f)",
  EDQUOT: "your disk quota is used up",
}

/** Windows reports the same for a file that a program such as Excel has open. */
const HELD_OR_FORBIDDEN = "another program has it open (close it there), or you may not write it"

/** The system's reason, in words. */
export function reasonOf(cause: unknown, isWindows = IS_WINDOWS): string {
  const code = codeOf(cause) ?? ""
  if (isWindows && code === "EPERM") return HELD_OR_FORBIDDEN
  return REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause))
}

/**
 * Creates a folder and its parents, if missing. Node's own way hides the reason on a read-only disk, and never ends
 * where nothing can be created in an existing folder, as below /proc or an on-demand mount.
 * @param mode permissions of the created folders
 * @throws the file system's error; none if a file is in its place, which the next write reports
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

/** More than any single write needs. */
const PROBE_BYTES = 65_536

/**
 * Why a folder cannot be written, in words, by writing a file into it; undefined if it can. It is created if missing.
 */
export function findWriteError(folder: string): string | undefined {
  const probe = draftName(path.join(folder, "probe"))
  try {
    makeFolder(folder)
    try {
      writeFileSync(probe, new Uint8Array(PROBE_BYTES), { flag: "wx", mode: 0o600 })
    } finally {
      rmSync(probe, { force: true })
    }
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/**
 * Writes a file for its owner alone. Readers see the old file or the new one, never a part; a link stays a link.
 * @param isDurable whether file and name are on the disk at the end, to survive a power cut
 * @throws the file system's error; the file is then unchanged
 */
export function writeWholeFile(
  name: string,
  data: string | Uint8Array,
  { isDurable = false }: { isDurable?: boolean } = {},
): void {
  const file = followLinks(name)
  const draft = draftName(file)
  try {
    const descriptor = openSync(draft, "wx", 0o600)
    try {
      writeFileSync(descriptor, data)
      if (isDurable) fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    replaceFile(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  if (isDurable) syncFolder(path.dirname(file))
}

/** Whether two names are of one file, in any spelling. */
export function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map(findStats)
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev
}

/** One name per file, through whichever path its folder was reached. */
export function fullPath(file: string): string {
  const folder = path.dirname(path.resolve(file))
  try {
    return oneCase(path.join(realpathSync(folder), path.basename(file)))
  } catch {
    return oneCase(path.join(folder, path.basename(file)))
  }
}

/** On Windows `A.pdf` and `a.pdf` are one file. */
function oneCase(file: string): string {
  return path.sep === "\\" ? file.toLowerCase() : file
}

/** The entry under a name; undefined if there is none, or access is denied. */
export function findStats(name: string): BigIntStats | undefined {
  try {
    return statSync(name, { bigint: true })
  } catch {
    return undefined
  }
}

/** A name beside a file for its replacement. */
export function draftName(file: string): string {
  const random = Math.random().toString(36).slice(2)
  return path.join(path.dirname(file), `.${path.basename(file)}.${random}.tmp`)
}

interface Waiting {
  isWindows: boolean
  wait(ms: number): void
}

const SYSTEM: Waiting = {
  isWindows: IS_WINDOWS,
  wait: (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
}

/** Waits between tries, in milliseconds: about a second in all. */
const HELD_WAITS = [10, 20, 40, 80, 160, 320, 400]

/** On Windows: whether an error means, or may mean, that another program has the file open. */
export function isHeld(error: unknown, isWindows = IS_WINDOWS): boolean {
  return isWindows && /^(EPERM|EACCES|EBUSY)$/.test(codeOf(error) ?? "")
}

/**
 * Does something with a file. Windows refuses it while a virus scanner, an indexer or a reader holds the file, mostly
 * for a moment: it is retried for a second.
 * @throws the file system's error
 */
export function retryWhileHeld<T>(act: () => T, { isWindows, wait }: Waiting = SYSTEM): T {
  for (const ms of isWindows ? HELD_WAITS : [])
    try {
      return act()
    } catch (error) {
      if (!isHeld(error, isWindows)) throw error
      wait(ms)
    }
  return act()
}

/** The error that prevents replacing a file; undefined if there is none. Excel lets others read only. */
export function findHold(file: string): unknown {
  try {
    if (findStats(file)?.isFile()) closeSync(retryWhileHeld(() => openSync(file, "r+")))
    return undefined
  } catch (error) {
    return error
  }
}

/** Replaces a file by a finished draft. @throws the file system's error */
export function replaceFile(draft: string, file: string): void {
  retryWhileHeld(() => renameSync(draft, file))
}

/** Opens a file for reading. @throws the file system's error */
export function openToRead(file: string): number {
  return retryWhileHeld(() => openSync(file, "r"))
}

/** The bytes of a small file. @throws the file system's error */
export function readFileNow(file: string): Buffer {
  return retryWhileHeld(() => readFileSync(file))
}

function followLinks(name: string): string {
  try {
    return realpathSync(name)
  } catch {
    return name
  }
}

/** Windows has no folders to sync: it writes names through. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r")
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The file itself is on the disk.
  }
}
