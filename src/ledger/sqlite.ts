/** The ledger in one SQLite file. */
import { chmodSync, existsSync, statSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../errors.ts"
import type { Clock } from "../ports.ts"
import { codeOf, makeFolder } from "../system.ts"
import {
  type Database,
  type Row,
  type Transaction,
  UniqueViolation,
  unusable,
  type Value,
} from "./database.ts"

interface Statement {
  all(...parameters: Value[]): unknown[]
  run(...parameters: Value[]): { changes: number | bigint }
}

interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}

/** Opens a file: Node's own module where it has one without a flag, and the package `libsql` where not. */
export type Driver = (file: string) => Connection

/** Any command's transaction takes milliseconds; a program that holds the file for longer is told of. */
const BUSY_MS = 10_000

/** @param builtin Node's `node:sqlite`, where this Node has it */
export async function sqliteDriver(
  builtin: { DatabaseSync: new (file: string) => unknown } | undefined,
): Promise<Driver> {
  if (builtin) return (file) => new builtin.DatabaseSync(file) as Connection
  const { default: Libsql } = await import("libsql")
  return (file) => new Libsql(file) as unknown as Connection
}

interface SqliteOptions {
  driver: Driver
  clock: Clock
  /** Nothing will be written: a file that is not there is not made. */
  isRead?: boolean
  busyMs?: number
}

/** @throws FreightError `config` when the file cannot be opened, `unavailable` when it is locked */
export function openSqlite(
  file: string,
  { driver, clock, isRead, busyMs = BUSY_MS }: SqliteOptions,
): Database {
  const isMissing = isRead === true && !existsSync(file)
  const connection = opened(isMissing ? MEMORY : file, driver, busyMs)
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    const found = prepared.get(sql) ?? connection.prepare(sql)
    prepared.set(sql, found)
    return found
  }
  const guarded = <T>(act: () => T): T => {
    try {
      return act()
    } catch (error) {
      throw translated(file, error)
    }
  }
  let hasWritten = false
  const statements: Transaction = {
    all: async (sql, parameters = []) => guarded(() => prepare(sql).all(...parameters) as Row[]),
    run: async (sql, parameters = []) => guarded(() => Number(prepare(sql).run(...parameters).changes)),
    now: async () => clock.now(),
    lock: async () => {},
  }

  // One connection, one transaction at a time: whoever comes meanwhile waits for its turn.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  return {
    dialect: "sqlite",
    place: file,
    all: (sql, parameters) => inTurn(() => statements.all(sql, parameters)),
    run: (sql, parameters) => inTurn(() => statements.run(sql, parameters)),
    now: statements.now,
    transaction: (work) =>
      inTurn(async () => {
        guarded(() => connection.exec("begin immediate"))
        try {
          const result = await work(statements)
          guarded(() => connection.exec("commit"))
          hasWritten = true
          return result
        } catch (error) {
          try {
            connection.exec("rollback")
          } catch {
            // SQLite has rolled back by itself.
          }
          throw error
        }
      }),
    size: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    close: () =>
      inTurn(async () => {
        prepared.clear()
        // So that the file alone is the whole ledger, for whoever copies it.
        if (hasWritten) guarded(() => connection.prepare("pragma wal_checkpoint(passive)").all())
        connection.close()
      }),
  }
}

const MEMORY = ":memory:"

function opened(file: string, driver: Driver, busyMs: number): Connection {
  try {
    if (file !== MEMORY) makeFolder(path.dirname(file))
    // SQLite would say only that it cannot open it.
    if (file !== MEMORY && !statSync(path.dirname(file)).isDirectory())
      throw unusable(file, SYSTEM_REASONS.ENOTDIR ?? "", undefined, false)
    const connection = driver(file)
    connection.exec(`pragma busy_timeout = ${busyMs}`)
    // Where there is no shared memory, as on a network share, SQLite keeps its older journal: slower, as safe.
    connection.exec("pragma journal_mode = wal")
    connection.exec("pragma synchronous = full")
    if (file !== MEMORY && statSync(file).mode & 0o077) chmodSync(file, 0o600)
    return connection
  } catch (error) {
    throw translated(file, error)
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** SQLite's primary result codes that a person can do something about. */
const REASONS: Readonly<Record<number, { reason: string; passes: boolean }>> = {
  3: { reason: "you may not write there", passes: false },
  5: { reason: "another program has locked it", passes: true },
  6: { reason: "another program has locked it", passes: true },
  8: { reason: "the file or its disk is read-only", passes: false },
  10: { reason: "the disk reports an error", passes: false },
  11: { reason: "the file is damaged: put a copy of it back, or move it away", passes: false },
  13: { reason: "the disk is full", passes: false },
  14: { reason: "the file cannot be opened or made there", passes: false },
  26: { reason: "the file is not a ledger", passes: false },
}

const CONSTRAINT = 19
const UNIQUE = [2067, 1555]

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EROFS: "that disk is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  ENOTDIR: "a part of that path is a file, not a folder",
  EISDIR: "a folder is in its place",
}

function translated(file: string, error: unknown): Error {
  if (error instanceof FreightError) return error
  const {
    errcode,
    rawCode,
    message = "",
  } = Object(error) as { errcode?: number; rawCode?: number; message?: string }
  // libsql has no code where a file cannot be opened: it stands at the end of the message.
  const code =
    errcode ?? rawCode ?? Number(/^ConnectionFailed\(.*: (\d+)"?\)$/s.exec(message)?.[1] ?? Number.NaN)
  if (Number.isNaN(code)) {
    const reason = SYSTEM_REASONS[codeOf(error) ?? ""]
    if (reason !== undefined || codeOf(error) !== undefined)
      return unusable(file, reason ?? message, error, false)
    return error instanceof Error ? error : new Error(String(error))
  }
  if (UNIQUE.includes(code)) return new UniqueViolation(message)
  const known = REASONS[code & 0xff]
  if (known) return unusable(file, known.reason, error, known.passes)
  if ((code & 0xff) === CONSTRAINT) return error instanceof Error ? error : new Error(message)
  return unusable(file, message, error, false)
}
