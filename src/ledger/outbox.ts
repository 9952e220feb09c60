/**
 * What could not be written because the database was lost: one small file each, in the state folder, which the next
 * command takes in.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../system.ts"
import type { Entry } from "./entry.ts"
import type { Store } from "./store.ts"

/** An outcome, or that a claim was never sent. */
type Kept = { entry: Entry; token: string } | { unsent: string }

export interface Outbox {
  /** @returns the file; undefined where that cannot be written either */
  keep(entry: Entry, token: string): Promise<string | undefined>
  keepUnsent(token: string): Promise<void>
  /** Writes into the ledger what is kept. What cannot be written yet stays. @returns how many outcomes were taken in */
  takeIn(store: Store): Promise<number>
}

export function openOutbox(folder: string): Outbox {
  const write = async (name: string, kept: Kept): Promise<string | undefined> => {
    try {
      makeFolder(folder)
      const file = path.join(folder, `${name}.json`)
      writeWholeFile(file, `${JSON.stringify(kept, null, 2)}\n`, { isDurable: true })
      return file
    } catch {
      // The caller tells the person all that is known.
      return undefined
    }
  }
  return {
    keep: (entry, token) => write(entry.id, { entry, token }),
    async keepUnsent(token) {
      await write(`unsent-${token}`, { unsent: token })
    },
    async takeIn(store) {
      let taken = 0
      for (const name of namesIn(folder)) {
        const file = path.join(folder, name)
        const kept = readKept(file)
        if (!kept) continue
        if ("unsent" in kept) await store.undo(kept.unsent)
        else if (await store.record(kept.entry, kept.token)) taken++
        rmSync(file, { force: true })
      }
      return taken
    },
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"))
  } catch {
    return []
  }
}

function readKept(file: string): Kept | undefined {
  try {
    const kept = Object(JSON.parse(readFileSync(file, "utf8"))) as Partial<
      Record<"entry" | "token" | "unsent", unknown>
    >
    if (typeof kept.unsent === "string") return { unsent: kept.unsent }
    return typeof kept.token === "string" && kept.entry ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}
