/** What killed processes left: files that were being written, with addresses in them. */
import { readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import path from "node:path"

/** Longer than any file is written. */
const OLD_MS = 3_600_000
const DAY_MS = 24 * OLD_MS
/** Files have such a name until they are whole; `conf` adds to it. */
const UNFINISHED = /\.tmp(-\w+)?$/

/** Removes what was left in these folders and below, once a day. The first holds when that was. Never throws. */
export function clearLeftovers(folders: readonly [string, ...string[]], now: number): void {
  const stamp = path.join(folders[0], "cleared")
  try {
    const last = statSync(stamp, { throwIfNoEntry: false })
    if (last && Math.abs(now - last.mtimeMs) < DAY_MS) return
    if (!last) writeFileSync(stamp, "", { mode: 0o600 })
    utimesSync(stamp, now / 1000, now / 1000)
    for (const folder of folders) clear(folder, now)
  } catch {
    // There is no such folder yet, or it is not ours: another run clears it.
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
