import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"

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
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomBytes(4).toString("hex")}.tmp`
  try {
    await writeFile(draft, JSON.stringify(value), { mode: 0o600 })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

/** What was kept, or undefined when there is nothing readable. */
export async function keptJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"))
  } catch {
    return undefined
  }
}
