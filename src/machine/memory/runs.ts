/** Unfinished runs of batches that were begun at this workstation, and what each was asked to do. */
import { hash } from "node:crypto"
import path from "node:path"
import { findStats, fullPath } from "../../base/system.ts"
import { openStore } from "./store.ts"

/** The steps after the bookings of a run, in their order. */
export const RUN_STEPS = ["labels", "merge", "print", "pickup", "results", "dispatched"] as const
export type RunStep = (typeof RUN_STEPS)[number]

export interface BegunRun {
  /** Full path of the plan, or of the file of orders. */
  file: string
  /** The command line as it was typed, without `freight`, and its folder. */
  words: string[]
  folder: string
  /** Its account, as in the ledger: see `ledger/accounts/`. */
  scope: string
  account: string
  /** Milliseconds since the epoch. */
  begunAt: number
  orders: { key: string; reference: string; isSecond: boolean }[]
  /** The folder or file of each requested step; a device, or empty if it has none. */
  steps: Partial<Record<RunStep, string>>
  /** See `label-files.ts`. */
  labelName?: string
  done: RunStep[]
}

const MAX_KEPT = 50

export type Runs = ReturnType<typeof openRuns>

/** @param folder of one service: one file there for each run, so that concurrent commands do not collide */
export function openRuns(folder: string) {
  const store = openStore({ folder, parse: parseRun, limit: MAX_KEPT })
  const nameOf = ({ scope, file }: Pick<BegunRun, "scope" | "file">) =>
    hash("sha256", JSON.stringify([scope, fullPath(file)])).slice(0, 16)
  return {
    /** Replaces an earlier run of the same file. */
    keep(run: BegunRun): void {
      store.keep(nameOf(run), run)
    },
    end(run: Pick<BegunRun, "scope" | "file">): void {
      try {
        store.remove(nameOf(run))
      } catch {
        // A run that could not be removed is looked up again, and blocks nothing.
      }
    },
    /** Runs whose files still exist, the newest first. */
    list: (): BegunRun[] =>
      Array.from(store.entries(), ([, run]) => run)
        .filter(({ file }) => findStats(file) !== undefined)
        .sort((one, other) => other.begunAt - one.begunAt),
    ofFile(file: string): BegunRun[] {
      const whole = fullPath(path.resolve(file))
      return this.list().filter((run) => fullPath(run.file) === whole)
    },
  }
}

function parseRun(kept: unknown): BegunRun | undefined {
  const { file, words, begunAt, orders, steps, done } = Object(kept) as Partial<BegunRun>
  const isRun = typeof file === "string" && typeof begunAt === "number" && typeof steps === "object"
  return isRun && [words, orders, done].every(Array.isArray) ? (kept as BegunRun) : undefined
}
