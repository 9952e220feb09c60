/**
 * Files that survive a power cut. What only touches the system's cache is done at once, for a detour over other threads
 * costs more than it saves; what waits for the disk holds up nothing else.
 */
import { randomBytes } from "node:crypto"
import { closeSync, fsync, linkSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"
import { hasCode, makeFolder } from "../system.ts"

const onDisk = promisify(fsync)

/** A name that a file is to have. */
export interface Name {
  file: string
  /**
   * What to do where there is a file already: give up (`claim`), let it stand (`keep`), or take its place (`point`;
   * `replace` where one is sure to be there).
   */
  how: "claim" | "keep" | "point" | "replace"
}

/**
 * Writes one text under several names, which all lead to one file: a name costs the system much less than a file. It is
 * on the disk before it has a name, and its names are on the disk at the end: a journaling file system writes a file's
 * own names, and the folders that they need, no later than the file.
 * @returns whether each has its name: a `claim` has not where there was a file already
 */
export async function writeUnder(names: readonly Name[], text: string): Promise<boolean[]> {
  const [first] = names
  if (!first) return []
  const draft = draftName(first.file)
  const descriptor = inFolder(draft, () => openSync(draft, "wx", 0o600))
  try {
    writeFileSync(descriptor, text)
    await onDisk(descriptor)
    const had = new Set<string>()
    const named = names.map((each) => {
      // What leads to this very file cannot take its own place.
      const has = (each.how !== "claim" && had.has(each.file)) || name(draft, each)
      had.add(each.file)
      return has
    })
    await onDisk(descriptor)
    return named
  } finally {
    closeSync(descriptor)
    unname(draft)
  }
}

/** A link is made by one process alone; a file's place is taken in one step. */
function name(draft: string, { file, how }: Name): boolean {
  if (how !== "replace")
    try {
      inFolder(file, () => linkSync(draft, file))
      return true
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error
      if (how !== "point") return how === "keep"
    }
  const spare = draftName(file)
  try {
    linkSync(draft, spare)
    renameSync(spare, file)
    return true
  } catch (error) {
    unname(spare)
    throw error
  }
}

/** This process, among those that write at the same time. */
let mark: string | undefined
let drafts = 0

function draftName(target: string): string {
  mark ??= randomBytes(6).toString("hex")
  return `${target}.${mark}${(drafts++).toString(36)}.tmp`
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

/** Takes a file's name away, where it has one. */
export function unname(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}
