/** Small files, read and written synchronously: `fs/promises` takes milliseconds to load. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../../base/system.ts"

/** JSON files of one folder by their names. A file that cannot be read or kept is only a lost convenience. */
export interface Store<Value> {
  fileOf(name: string): string
  /** Undefined if there is nothing readable. */
  read(name: string): Value | undefined
  /** All readable files, the last name first. */
  entries(): Iterable<readonly [name: string, value: Value]>
  keep(name: string, value: Value): void
  /** Readers see the old file or the new one, never half of it. */
  write(name: string, value: Value): void
  remove(name: string): void
}

/**
 * @param parse returns undefined for other values
 * @param limit the oldest files are removed when there are a tenth more
 */
export function openStore<Value>({
  folder,
  parse,
  limit = Number.POSITIVE_INFINITY,
}: {
  folder: string
  parse: (kept: unknown) => Value | undefined
  limit?: number
}): Store<Value> {
  const fileOf = (name: string) => path.join(folder, `${name}.json`)
  const read = (name: string) => {
    try {
      return parse(JSON.parse(readFileSync(fileOf(name), "utf8")))
    } catch {
      return undefined
    }
  }
  const write = (name: string, value: Value) => {
    makeFolder(folder)
    writeWholeFile(fileOf(name), JSON.stringify(value))
  }
  return {
    fileOf,
    read,
    *entries() {
      for (const name of listNames(folder).sort().reverse()) {
        const value = read(name)
        if (value !== undefined) yield [name, value]
      }
    },
    keep(name, value) {
      try {
        const isNew = statSync(fileOf(name), { throwIfNoEntry: false }) === undefined
        write(name, value)
        if (isNew && limit < Number.POSITIVE_INFINITY) removeOldest(listNames(folder).map(fileOf), limit)
      } catch {
        // Only a convenience is lost.
      }
    },
    write,
    remove: (name) => rmSync(fileOf(name), { force: true }),
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? [])
  } catch {
    return []
  }
}

function removeOldest(files: readonly string[], limit: number): void {
  if (files.length <= limit * 1.1) return
  const aged = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
  aged.sort((one, other) => other.at - one.at)
  for (const { file } of aged.slice(limit)) rmSync(file, { force: true })
}

/** No file takes this long to write. */
const OLD_MS = 3_600_000
const DAY_MS = 24 * OLD_MS
/** Names of incomplete files; `conf` appends to it. */
const UNFINISHED = /\.tmp(-\w+)?$/

/** Removes leftovers in these folders once a day. The first folder records when. Never throws. */
export function clearLeftovers(folders: readonly [string, ...string[]], now: number): void {
  const stamp = path.join(folders[0], "cleared")
  try {
    const last = statSync(stamp, { throwIfNoEntry: false })
    if (last && Math.abs(now - last.mtimeMs) < DAY_MS) return
    writeFileSync(stamp, "\n", { mode: 0o600 })
    // A file's age is taken from the file system's clock: by another clock a file that is being written could look old.
    const { mtimeMs } = statSync(stamp)
    utimesSync(stamp, now / 1000, now / 1000)
    for (const folder of folders) clear(folder, mtimeMs)
  } catch {
    // Missing or not ours: another run clears it.
  }
}

function clear(folder: string, fileTime: number): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!UNFINISHED.test(name)) continue
    const file = path.join(folder, name)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isFile() && fileTime - stats.mtimeMs > OLD_MS) rmSync(file, { force: true })
  }
}
