/** Small files, read and written at once: Node's other way to do it takes milliseconds to load. */
import { readFileSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../system.ts"

/**
 * Keeps a small JSON file that only helps the next command: losing it costs nothing, so a failure to write it never
 * fails the command that did the work.
 */
export async function keepJson(file: string, value: unknown): Promise<void> {
  // Nothing is lost but a convenience.
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

/** What was kept, or undefined when there is nothing readable. */
export async function keptJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
}
