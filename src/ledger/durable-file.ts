/** Files that survive a power cut. */
import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs"
import path from "node:path"

/** Writes a file whole or not at all; it, and its name, are on the disk at the end. @throws what the system says */
export function writeDurably(file: string, text: string): void {
  const draft = `${file}.tmp`
  const descriptor = openSync(draft, "w", 0o600)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  renameSync(draft, file)
  syncFolder(path.dirname(file))
}

/** Windows has no folders to sync: it writes names through. */
function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, "r")
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // The file itself is on the disk.
  }
}
