/** One process at a time changes the settings file. */
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import type { Clock, Ids } from "../ports.ts"
import { hasCode } from "../system.ts"

const PAUSE_MS = 20
/** A change takes milliseconds: a lock that stays the same for this long is of a process that died. */
const PATIENCE_MS = 3_000

/**
 * Runs `act` while holding `<file>.lock`, which is made where it must not exist. A lock that a dead process left is
 * taken after three seconds, by watching it and not by comparing clocks, so that a shared folder works too.
 * @throws whatever making the lock fails with, such as EACCES, and what `act` throws
 */
export async function withLock<T>(
  file: string,
  { clock, ids }: { clock: Clock; ids: Ids },
  act: () => Promise<T>,
): Promise<T> {
  const lock = `${file}.lock`
  const own = ids.uuid()
  let seen: string | undefined
  let since = clock.now()
  while (!(await make(lock, own))) {
    const holder = await holderOf(lock)
    if (holder !== seen) {
      seen = holder
      since = clock.now()
    } else if (holder !== undefined && clock.now() - since >= PATIENCE_MS) {
      await dislodge(lock, holder, own)
    }
    await clock.sleep(PAUSE_MS)
  }
  try {
    return await act()
  } finally {
    if ((await holderOf(lock)) === own) await rm(lock, { force: true })
  }
}

async function make(lock: string, own: string): Promise<boolean> {
  try {
    await writeFile(lock, own, { flag: "wx", mode: 0o600 })
    return true
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
}

async function holderOf(lock: string): Promise<string | undefined> {
  try {
    return await readFile(lock, "utf8")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Takes a dead process's lock away. If another was quicker, what was moved is a living lock and goes back. */
async function dislodge(lock: string, dead: string, own: string): Promise<void> {
  const aside = `${lock}.${own}`
  try {
    await rename(lock, aside)
    const moved = await holderOf(aside)
    if (moved !== undefined && moved !== dead) await make(lock, moved)
    await rm(aside, { force: true })
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error
  }
}
