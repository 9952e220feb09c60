/** The database that the ledger is kept in: one port, and an adapter each for SQLite and PostgreSQL. */
import { FreightError } from "../../base/errors.ts"

export type Value = string | number | null
export type DatabaseRow = Readonly<Record<string, Value>>

export interface Statements {
  all(sql: string, parameters?: readonly Value[]): Promise<DatabaseRow[]>
  /** @returns how many rows were changed */
  run(sql: string, parameters?: readonly Value[]): Promise<number>
  /** The database's clock, in milliseconds since the epoch. */
  now(): Promise<number>
}

export interface Transaction extends Statements {
  /**
   * Holds these names until the transaction ends: other transactions that ask for one of them wait, and then see the
   * committed rows. SQLite has one writer at a time and needs no lock.
   */
  lock(names: readonly string[]): Promise<void>
  /** Holds a name together with others that share it; a transaction that locks it waits. */
  share(name: string): Promise<void>
}

export interface Database extends Statements {
  readonly dialect: "sqlite" | "postgres"
  /** The place for people: the file, or the address without its password. */
  readonly place: string
  /**
   * Commits all of `work` or nothing.
   * @param isLong a statement may take minutes: no time-out ends it
   * @throws FreightError for what goes wrong in the database, and what `work` throws
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, isLong?: boolean): Promise<T>
  /** Bytes on the disk, as far as known. @param tables the tables to count in a server's database */
  size(tables: readonly string[]): Promise<number | undefined>
  close(): Promise<void>
}

/** A constraint was violated: another process was faster. */
export class UniqueViolation extends Error {}

/** The connection broke. The last commit may have succeeded or not. */
export class ConnectionLost extends Error {}

const WITHOUT_DRIVER = {
  SQLite:
    "install Node 22.13 or newer, which has SQLite of its own, or install freight again on this machine",
  PostgreSQL: "install freight again on this machine, with its dependencies",
} as const

/** Loads the package of a database, which is missing where freight was installed on another platform or in part. */
export async function loadDriver<T>(name: keyof typeof WITHOUT_DRIVER, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const [why = ""] = String(Object(cause).message).split("\n")
    throw new FreightError("config", `the ${name} driver does not load (${why}): ${WITHOUT_DRIVER[name]}`, {
      hint: "Nothing was sent.",
      cause,
    })
  }
}

/** An error of the ledger itself, not of its content. */
export class LedgerUnusable extends FreightError {}

/**
 * The ledger cannot be used, and nothing was sent.
 * @param passes trying again later can help: it is locked, or cannot be reached
 */
export function unusable(place: string, reason: string, cause: unknown, passes: boolean): LedgerUnusable {
  return new LedgerUnusable(
    passes ? "unavailable" : "config",
    `the ledger in ${place} cannot be used: ${reason}`,
    {
      hint: passes
        ? "Without the ledger a booking could be sent twice. Run this again when the database answers."
        : "Without the ledger a booking could be sent twice. Fix that first; freight ledger status shows where the ledger is.",
      cause,
    },
  )
}
