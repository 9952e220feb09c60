/** Small files, read and written synchronously: `fs/promises` takes milliseconds to load. */
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../system.ts"

/** Keeps a small JSON file for the next command. A failure to write it never fails the present one. */
export async function keepJson(file: string, value: unknown): Promise<void> {
  // Only a convenience is lost.
  await writeJson(file, value).catch(() => {})
}

/**
 * Writes a small JSON file. Readers see the old file or the new one, never half of it.
 * @throws whatever the system refuses with
 */
export async function writeJson(file: string, value: unknown): Promise<void> {
  makeFolder(path.dirname(file))
  writeWholeFile(file, JSON.stringify(value))
}

/** Undefined if there is nothing readable. */
export async function readKeptJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
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
    if (!last) writeFileSync(stamp, "", { mode: 0o600 })
    utimesSync(stamp, now / 1000, now / 1000)
    for (const folder of folders) clear(folder, now)
  } catch {
    // Missing or not ours: another run clears it.
  }
}

function clear(folder: string, now: number): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!UNFINISHED.test(name)) continue
    const file = path.join(folder, name)
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isFile() && now - stats.mtimeMs > OLD_MS) rmSync(file, { force: true })
  }
}
