/**
 * Outcomes that could not be written because the database was lost: one small file each in the state folder, which the
 * next command writes to the ledger.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs"
import path from "node:path"
import { makeFolder, writeWholeFile } from "../base/system.ts"
import type { FreightError } from "../base/errors.ts"
import { type Entry, toKeptError } from "./entry.ts"
import type { OwnOutcome } from "./outcomes.ts"
import { sharedShipment } from "./refusals.ts"
import { openReserve } from "./reserve.ts"
import type { Store } from "./store.ts"

/** An outcome, or that a claim was never sent; and its ledger. */
type Kept = ({ entry: Entry; token: string } | { unsent: string }) & { ledger?: string }

export type Outbox = ReturnType<typeof openOutbox>

/** The folder of these files; tests may replace it. */
export interface OutboxFiles {
  /** Names; none where they cannot be listed. */
  list(): readonly string[]
  read(name: string): string
  /** Returns when the whole file is on the disk. */
  write(name: string, text: string): void
  remove(name: string): void
}

/** @param ledger where the ledger is */
export function openOutbox(folder: string, ledger: string, files: OutboxFiles = openFolder(folder)) {
  const write = async (name: string, kept: Kept): Promise<string | undefined> => {
    const file = `${name}.json`
    try {
      files.write(file, `${JSON.stringify({ ...kept, ledger })}\n`)
      return path.join(folder, file)
    } catch {
      // The caller reports everything that is known.
      return undefined
    }
  }
  /** Its address may be spelled differently by now, or it may have been copied. */
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
    /** Writes the outcomes kept for this ledger into it; those for other ledgers stay. @returns the outcomes */
    async takeIn(store: Store) {
      const taken: { entry: Entry; isRecorded: boolean; error?: FreightError }[] = []
      for (const name of files.list().filter((each) => each.endsWith(".json"))) {
        const kept = readKept(files, name)
        if (!kept || !(await isFor(store, kept))) continue
        if ("unsent" in kept) await store.undo(kept.unsent)
        else taken.push(await recordKept(store, kept))
        files.remove(name)
      }
      return taken
    },
  }
}

/** @returns with an error where the outcome is not known after all */
export async function recordKept(store: Store, { entry, token }: OwnOutcome) {
  const recorded = await store.record(entry, token)
  if (typeof recorded !== "object") return { entry, isRecorded: recorded }
  const error = sharedShipment(entry, recorded.sharedWith)
  await store.recordFailure({ ...entry, error: toKeptError(error) }, token)
  return { entry, isRecorded: false, error }
}

/** @param write writes a whole file; a durable one survives a power cut */
export function openFolder(folder: string, write = writeWholeFile): OutboxFiles {
  return {
    list() {
      try {
        return readdirSync(folder)
      } catch {
        return []
      }
    },
    read: (name) => readFileSync(path.join(folder, name), "utf8"),
    write(name, text) {
      const attempt = () => {
        makeFolder(folder)
        write(path.join(folder, name), text, { isDurable: true })
      }
      try {
        attempt()
      } catch {
        openReserve(folder).free()
        attempt()
      }
    },
    remove: (name) => rmSync(path.join(folder, name), { force: true }),
  }
}

function readKept(files: OutboxFiles, name: string): Kept | undefined {
  try {
    const kept = Object(JSON.parse(files.read(name))) as Partial<
      Record<"entry" | "token" | "unsent", unknown>
    >
    const isWhole = typeof kept.unsent === "string" || (typeof kept.token === "string" && kept.entry)
    return isWhole ? (kept as Kept) : undefined
  } catch {
    return undefined
  }
}
