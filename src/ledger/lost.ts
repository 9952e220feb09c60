/**
 * Detects that the file of a ledger is missing, or is an older copy of itself: later bookings would be booked again.
 * The ledger counts its claims and outcomes, and the reserve keeps the last count.
 */
import { existsSync, statSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../base/errors.ts"
import { reasonOf } from "../base/system.ts"
import { type Database, type Statements, unusable } from "./database/database.ts"
import type { Mark, Reserve } from "./reserve.ts"

const REASONS = {
  gone: "is gone",
  empty: "is gone: the file is empty",
  older: "is an older copy of itself: its newest entries are missing",
  other: "is not the one that was there before",
} as const

export type Loss = keyof typeof REASONS

/** The ledger has fewer entries than when this machine last wrote to it; nothing was sent. */
export class LedgerLost extends FreightError {
  readonly file: string
  readonly loss: Loss
  /** Accepts the file as the ledger from the next command on. */
  readonly accept: () => void

  constructor(file: string, loss: Loss, accept: () => void) {
    super(
      "config",
      `the ledger in ${file} ${REASONS[loss]}; put it back, or orders that it had could be booked again`,
      {
        hint: "Put it back as it was last, with its -wal file if there is one. If that is not possible, go on without what it had: freight ledger accept.",
        next: "freight ledger accept",
      },
    )
    this.file = file
    this.loss = loss
    this.accept = accept
  }
}

export type Guard = ReturnType<typeof guardFile>

/**
 * Guards a ledger's file.
 * @param folder the state folder: files in it may move with it
 */
export function guardFile(file: string, folder: string, reserve: Reserve) {
  const place = path.relative(folder, file)
  // Read before the ledger: if others write meanwhile, the ledger is only further ahead.
  const known = reserve.read(place)
  const wasUsed = known !== undefined && known.count > 0
  const keep = (mark: Mark | undefined) => {
    try {
      if (mark) reserve.write(place, mark)
    } catch {
      // The ledger decides.
    }
  }
  const lost = (loss: Loss, mark?: Mark) =>
    new LedgerLost(file, loss, () => {
      try {
        reserve.write(place, mark)
      } catch (error) {
        throw unusable(file, `${reasonOf(error)} (${folder})`, error, false)
      }
    })
  return {
    /** The file is there, or was used. */
    isKnown: wasUsed || existsSync(file),
    /** Called before the file is opened, which may create it. */
    checkFile() {
      if (!wasUsed) return
      const size = statSync(file, { throwIfNoEntry: false })?.size
      if (!size) throw lost(size === undefined ? "gone" : "empty")
    },
    /** Called before its content is changed. */
    async check(database: Statements) {
      if (!wasUsed) return
      const [table] = await database.all("select name from sqlite_master where name = 'ledger_mark'")
      const mark = table && (await readMark(database))
      if (mark?.ledger === known.ledger && mark.count >= known.count) return
      throw lost(mark && mark.ledger !== known.ledger ? "other" : "older", mark)
    },
    /** Records the state of the ledger after a write. */
    note: async (database: Statements) => keep(await readMark(database)),
    watch: (database: Database): Database => ({
      ...database,
      async transaction(work) {
        let mark: Mark | undefined
        const result = await database.transaction(async (transaction) => {
          const done = await work(transaction)
          mark = await readMark(transaction)
          return done
        })
        keep(mark)
        return result
      },
    }),
  }
}

async function readMark(statements: Statements): Promise<Mark | undefined> {
  const [row] = await statements.all("select ledger, count from ledger_mark")
  return row && { ledger: String(row.ledger), count: Number(row.count) }
}
