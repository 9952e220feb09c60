/**
 * Files that survive a power cut. What only touches the system's cache is done at once, for a detour over other threads
 * costs more than it saves; what waits for the disk holds up nothing else.
 */
import { randomBytes } from "node:crypto"
import {
  closeSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import path from "node:path"
import { promisify } from "node:util"

const onDisk = promisify(fsync)

/** A file to be made, or to take the place of one. */
export interface Placed {
  file: string
  /** It must not exist yet. */
  isNew: boolean
}

/**
 * Writes one text under several names. It is on the disk before it has a name, and its names are on the disk at the end:
 * a journaling file system writes a file's own names, and the folders that they need, no later than the file.
 * @param folders whose names are to be on the disk before
 * @returns whether each has its name: a new one has not where there was a file already
 */
export async function writeUnder(
  places: readonly Placed[],
  text: string,
  folders: readonly string[] = [],
): Promise<boolean[]> {
  const [first] = places
  if (!first) return []
  const draft = draftName(first.file)
  const descriptor = inFolder(draft, () => openSync(draft, "wx", 0o600))
  try {
    writeFileSync(descriptor, text)
    await all([onDisk(descriptor), ...folders.map(syncFolder)])
    const named = places.map((place) => name(draft, place))
    if (named.includes(true)) await onDisk(descriptor)
    return named
  } finally {
    closeSync(descriptor)
    rmSync(draft, { force: true })
  }
}

/** Waits for all, so that nothing goes on when one fails. */
async function all(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === "rejected")
  if (failed?.status === "rejected") throw failed.reason
}

/** A link is made by one process alone; a file's place is taken in one step. */
function name(draft: string, { file, isNew }: Placed): boolean {
  if (isNew)
    try {
      inFolder(file, () => linkSync(draft, file))
      return true
    } catch (error) {
      if (hasCode(error, "EEXIST")) return false
      throw error
    }
  const spare = draftName(file)
  try {
    linkSync(draft, spare)
    renameSync(spare, file)
    return true
  } catch (error) {
    rmSync(spare, { force: true })
    throw error
  }
}

/** An empty file. It is on the disk once its folder is. */
export function touch(file: string): void {
  closeSync(inFolder(file, () => openSync(file, "w", 0o600)))
}

/** What a link can hold on every system. */
const LINKABLE = /^[\w.-]{1,200}$/
/** The system, or this disk, has no links of that kind. */
const NO_LINKS = ["EPERM", "ENOSYS", "EOPNOTSUPP", "ENOTSUP"]

/**
 * A short text under a name, as a link that leads nowhere: one call of the system, whole or not at all. Where there are
 * no such links, a file. It is on the disk once its folder is.
 */
export async function keepWord(file: string, word: string): Promise<void> {
  try {
    if (LINKABLE.test(word)) return inFolder(file, () => symlinkSync(word, file))
  } catch (error) {
    if (hasCode(error, "EEXIST")) return replaceWord(file, word)
    if (!NO_LINKS.some((code) => hasCode(error, code))) throw error
  }
  await writeUnder([{ file, isNew: false }], word)
}

function replaceWord(file: string, word: string): void {
  const draft = draftName(file)
  try {
    symlinkSync(word, draft)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** What `keepWord` kept, or undefined. */
export function keptWord(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    if (hasCode(error, "EINVAL") || hasCode(error, "UNKNOWN")) return readFileSync(file, "utf8")
    throw error
  }
}

function draftName(target: string): string {
  return `${target}.${randomBytes(6).toString("hex")}.tmp`
}

/** Makes something in a folder, which is made when it is missing. */
function inFolder<T>(file: string, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
    makeFolder(path.dirname(file))
    return make()
  }
}

/** A folder and those above it. Node's own recursive mkdir hides why a read-only disk says no. */
function makeFolder(folder: string): void {
  const make = () => mkdirSync(folder, { mode: 0o700 })
  try {
    try {
      make()
    } catch (error) {
      if (!hasCode(error, "ENOENT") || path.dirname(folder) === folder) throw error
      makeFolder(path.dirname(folder))
      make()
    }
  } catch (error) {
    // A file in its place is found out by whoever writes there.
    if (!hasCode(error, "EEXIST")) throw error
  }
}

/** Windows has no such call, and needs none. */
async function syncFolder(folder: string): Promise<void> {
  let descriptor: number
  try {
    descriptor = openSync(folder, "r")
  } catch (error) {
    if (["EISDIR", "EPERM", "EACCES"].some((code) => hasCode(error, code))) return
    throw error
  }
  try {
    await onDisk(descriptor)
  } catch (error) {
    if (!hasCode(error, "EPERM") && !hasCode(error, "EINVAL")) throw error
  } finally {
    closeSync(descriptor)
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code
}
