/**
 * What could not be written because the database was lost: one small file each, in the state folder, which the next
 * command takes in.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../system.ts"
import type { Entry } from "./entry.ts"
import { openReserve } from "./reserve.ts"
import type { Store } from "./store.ts"

/** An outcome, or that a claim was never sent; and in which ledger. */
type Kept = ({ entry: Entry; token: string } | { unsent: string }) & { ledger?: string }

export type Outbox = ReturnType<typeof openOutbox>

/** @param ledger where the ledger is */
export function openOutbox(folder: string, ledger: string) {
  const write = async (name: string, kept: Kept): Promise<string | undefined> => {
    const file = path.join(folder, `${name}.json`)
    const attempt = () => {
      makeFolder(folder)
      writeWholeFile(file, `${JSON.stringify({ ...kept, ledger })}\n`, { isDurable: true })
    }
    try {
      try {
        attempt()
      } catch {
        openReserve(folder).free()
        attempt()
      }
      return file
    } catch {
      // The caller reports all that is known.
      return undefined
    }
  }
  /** It may be spelled in another way by now, or have been copied. */
  const isFor = async ({ database }: Store, kept: Kept) => {
    if ((kept.ledger ?? ledger) === ledger) return true
    const token = "unsent" in kept ? kept.unsent : kept.token
    return (await database.all("select id from sends where claim_token = ?", [token])).length > 0
  }
  return {
    /** @returns the file; undefined where that cannot be written either */
    keep: (entry: Entry, token: string) => write(entry.id, { entry, token }),
    async keepUnsent(token: string): Promise<void> {
      await write(`unsent-${token}`, { unsent: token })
    },
    /** Writes into the ledger what is kept for it; what is for another ledger stays. @returns the outcomes */
    async takeIn(store: Store) {
      const taken: { entry: Entry; isRecorded: boolean }[] = []
      for (const name of namesIn(folder)) {
        const file = path.join(folder, name)
        const kept = readKept(file)
        if (!kept || !(await isFor(store, kept))) continue
        if ("unsent" in kept) await store.undo(kept.unsent)
        else taken.push({ entry: kept.entry, isRecorded: await store.record(kept.entry, kept.token) })
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
    const isWhole = typeof kept.unsent === "string" || (typeof kept.token === "string" && kept.entry)
    return isWhole ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}
