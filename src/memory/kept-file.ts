import { randomBytes } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import path from "node:path"

/**
 * Keeps a small JSON file that only helps the next command: losing it costs nothing, so a failure to write it never
 * fails the command that did the work. Readers see the old file or the new one, never half of it.
 */
export async function keepJson(file: string, value: unknown): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.${randomBytes(4).toString("hex")}.tmp`
    await writeFile(draft, JSON.stringify(value), { mode: 0o600 })
    await rename(draft, file)
  } catch {
    // Nothing is lost but a convenience.
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
