/** Rows of files and plans that were priced here and not booked, with the cutoffs of their carriers. */
import { hash } from "node:crypto"
import path from "node:path"
import { findStats, fullPath } from "../../base/system.ts"
import { openStore } from "./store.ts"

/** Rows with one collection and the same cutoffs. */
export interface WaitingGroup {
  collectionDateTime: string
  place: { suburb: string; state: string }
  /** They are second consignments of orders that were booked. */
  isSecond: boolean
  /** `HH:mm:ss`, in local time at the collection. */
  bookingCutoff?: string | undefined
  collectionCutoff?: string | undefined
  /** Keys of the ledger, without `key:`. */
  keys: string[]
}

export interface WaitingBatch {
  /** Full path of the plan, or of the file of orders. */
  file: string
  isPlan: boolean
  /** The flags that choose the orders, as a person would type them again. */
  words: string[]
  /** Its account, as in the ledger: see `ledger/accounts/`. */
  scope: string
  account: string
  /** Milliseconds since the epoch. */
  keptAt: number
  groups: WaitingGroup[]
}

/** The oldest are removed: their days have passed. */
const MAX_KEPT = 50

export type Waiting = ReturnType<typeof openWaiting>

/** @param folder of one service: one file there for each batch, so that concurrent commands do not collide */
export function openWaiting(folder: string) {
  const store = openStore({ folder, parse: parseBatch, limit: MAX_KEPT })
  return {
    /** Replaces what was kept of the same file; nothing if none of its rows waits. */
    keep(batch: WaitingBatch): void {
      const name = hash("sha256", JSON.stringify([batch.scope, fullPath(batch.file)])).slice(0, 16)
      if (batch.groups.length > 0) {
        store.keep(name, { ...batch, file: path.resolve(batch.file) })
        return
      }
      try {
        store.remove(name)
      } catch {
        // Its rows are looked up in the ledger.
      }
    },
    /** Batches whose files still exist, the newest first. */
    list: (): WaitingBatch[] =>
      Array.from(store.entries(), ([, batch]) => batch)
        .filter(({ file }) => findStats(file) !== undefined)
        .sort((one, other) => other.keptAt - one.keptAt),
  }
}

function parseBatch(kept: unknown): WaitingBatch | undefined {
  const { file, words, keptAt, groups } = Object(kept) as Partial<WaitingBatch>
  const isBatch = typeof file === "string" && typeof keptAt === "number" && Array.isArray(words)
  return isBatch && Array.isArray(groups) && groups.every(({ keys }) => Array.isArray(keys))
    ? (kept as WaitingBatch)
    : undefined
}
