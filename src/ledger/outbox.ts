/**
 * What could not be written because the database was lost: one small file each, in the state folder, which the next
 * command takes in.
 */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { hasCode, makeFolder, writeWholeFile } from "../system.ts"
import { unusable } from "./database/database.ts"
import type { Entry } from "./entry.ts"
import type { Store } from "./store.ts"

/** An outcome, or that a claim was never sent. */
type Kept = { entry: Entry; token: string } | { unsent: string }

export interface Outbox {
  /** Sets room on the disk aside, for `keep` to use once it is full. @throws FreightError `config` when it is full now */
  reserve(): void
  /** @returns the file; undefined where that cannot be written either */
  keep(entry: Entry, token: string): Promise<string | undefined>
  keepUnsent(token: string): Promise<void>
  /** Writes into the ledger what is kept. What cannot be written yet stays. @returns how many outcomes were taken in */
  takeIn(store: Store): Promise<number>
}

/** Room for the outcomes of some bookings under way. */
const RESERVE_BYTES = 65_536

export function openOutbox(folder: string): Outbox {
  const reserve = `${folder}.reserve`
  const write = async (name: string, kept: Kept): Promise<string | undefined> => {
    const file = path.join(folder, `${name}.json`)
    const attempt = () => {
      makeFolder(folder)
      writeWholeFile(file, `${JSON.stringify(kept)}\n`, { isDurable: true })
    }
    try {
      try {
        attempt()
      } catch {
        rmSync(reserve, { force: true })
        attempt()
      }
      return file
    } catch {
      // The caller reports all that is known.
      return undefined
    }
  }
  return {
    reserve() {
      if (statSync(reserve, { throwIfNoEntry: false })?.size === RESERVE_BYTES) return
      try {
        makeFolder(path.dirname(reserve))
        writeFileSync(reserve, new Uint8Array(RESERVE_BYTES), { mode: 0o600 })
      } catch (error) {
        rmSync(reserve, { force: true })
        if (hasCode(error, "ENOSPC")) throw unusable(path.dirname(folder), "the disk is full", error, false)
        // A shared ledger does not need this folder.
      }
    },
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
