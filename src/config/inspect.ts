/** What the file system says about the folders and files that freight keeps. */
import { rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { codeOf, makeFolder } from "../system.ts"

/** Permission bits of a file or folder; undefined when there is none. */
export async function modeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && found.mode & 0o777
}

/**
 * Tries to write a file in a folder, which is made when it is not there, and removes it again.
 * @param mark makes the file's name its own
 * @returns the system's code for why not, such as `EROFS`; undefined when it can be written
 */
export async function whyNotWritable(folder: string, mark: string): Promise<string | undefined> {
  const file = path.join(folder, `doctor-${mark}.tmp`)
  try {
    makeFolder(folder)
    await writeFile(file, "freight doctor", { flag: "wx", mode: 0o600 })
    return undefined
  } catch (error) {
    return codeOf(error) ?? String(error)
  } finally {
    await rm(file, { force: true }).catch(() => {})
  }
}
