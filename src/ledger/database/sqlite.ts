import { chmodSync, existsSync, statSync } from "node:fs"
import path from "node:path"
import { setTimeout } from "node:timers/promises"
import { FreightError } from "../../base/errors.ts"
import type { Clock } from "../../base/ports.ts"
import { codeOf, findHold, findWriteError, isHeld, makeFolder, reasonOf } from "../../base/system.ts"
import {
  type Database,
  loadDriver,
  type DatabaseRow,
  type Transaction,
  UniqueViolation,
  unusable,
  type Value,
} from "./database.ts"

/** Node's own module does everything at once; of libsql, `exec` lets this thread go on while it waits. */
type Soon<T> = T | Promise<T>

interface Statement {
  all(...parameters: Value[]): Soon<unknown[]>
  run(...parameters: Value[]): Soon<{ changes: number | bigint }>
}

interface Connection {
  exec(sql: string): unknown
  prepare(sql: string): Soon<Statement>
  close(): void
}

/** Opens a file: Node's own module where it has one without a flag, and the package `libsql` where not. */
export type Driver = (file: string) => Connection

/** Transactions take milliseconds; a program that locks the file for longer is reported. */
const BUSY_MS = 30_000

/** They differ by how many rows they insert, and by the columns that are not empty. */
const MAX_STATEMENTS = 500

/** 16 MB. A batch writes the same pages of the indexes again and again: the fewer checkpoints, the less often to the file. */
const CHECKPOINT_PAGES = 4_000

/** @param builtin Node's `node:sqlite`, where this Node has it */
export async function sqliteDriver(
  builtin: { DatabaseSync: new (file: string) => unknown } | undefined,
): Promise<Driver> {
  if (builtin) return (file) => new builtin.DatabaseSync(file) as Connection
  const [{ default: Libsql }, { default: Waiting }] = await loadDriver("SQLite", () =>
    Promise.all([import("libsql"), import("libsql/promise")]),
  )
  // A transaction begins and ends with `exec`, which waits for a lock and for the disk. The statements between take no
  // longer than handing them to another thread.
  return (file) =>
    Object.assign(new Libsql(file, {}), { exec: Waiting.prototype.exec }) as unknown as Connection
}

interface SqliteOptions {
  driver: Driver
  clock: Clock
  /** The file is only read: a missing file is not created. */
  isRead?: boolean
  busyMs?: number
}

/**
 * Opens a file on first use, which throws FreightError `config` if it cannot be opened, and `unavailable` if it is
 * locked.
 */
export function openSqlite(
  file: string,
  { driver, clock, isRead, busyMs = BUSY_MS }: SqliteOptions,
): Database {
  const isMissing = isRead === true && !existsSync(file)
  const opening = openConnection(isMissing ? MEMORY : file, driver, busyMs)
  const prepared = new Map<string, Statement>()
  const on = async <T>(act: (connection: Connection) => Soon<T>): Promise<T> => {
    const connection = await opening
    try {
      return await act(connection)
    } catch (error) {
      throw translateError(file, error)
    }
  }
  const prepare = async (connection: Connection, sql: string): Promise<Statement> => {
    const known = prepared.get(sql)
    if (known) return known
    const statement = await connection.prepare(sql)
    if (prepared.size === MAX_STATEMENTS) prepared.clear()
    prepared.set(sql, statement)
    return statement
  }
  let hasWritten = false
  const statements: Transaction = {
    all: (sql, parameters = []) =>
      on(async (connection) => (await (await prepare(connection, sql)).all(...parameters)) as DatabaseRow[]),
    run: (sql, parameters = []) =>
      on(async (connection) => Number((await (await prepare(connection, sql)).run(...parameters)).changes)),
    now: async () => clock.now(),
    lock: async () => {},
    share: async () => {},
  }
  const execute = (sql: string) => on((connection) => connection.exec(sql))

  // One connection, one transaction at a time: others wait for their turn.
  let turn: Promise<unknown> = opening.catch(() => {})
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
        await execute("begin immediate")
        try {
          const result = await work(statements)
          await execute("commit")
          hasWritten = true
          return result
        } catch (error) {
          // SQLite may have rolled back by itself.
          await execute("rollback").catch(() => {})
          throw error
        }
      }),
    size: async () => getFileSize(file) + getFileSize(`${file}-wal`),
    close: () =>
      inTurn(async () => {
        prepared.clear()
        // After it, the file alone is the whole ledger and can be copied.
        if (hasWritten) await statements.all("pragma wal_checkpoint(passive)")
        prepared.clear()
        ;(await opening).close()
      }),
  }
}

const MEMORY = ":memory:"

async function openConnection(file: string, driver: Driver, busyMs: number): Promise<Connection> {
  try {
    if (file !== MEMORY) makeFolder(path.dirname(file))
    // SQLite would say only that it cannot open it.
    if (file !== MEMORY && !statSync(path.dirname(file)).isDirectory())
      throw unusable(file, SYSTEM_REASONS.ENOTDIR ?? "", undefined, false)
    const connection = driver(file)
    await connection.exec(`pragma busy_timeout = ${busyMs}`)
    await keepWriteAheadLog(connection, busyMs)
    await connection.exec("pragma synchronous = full")
    await connection.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    // Windows has no such bits: there the folder's permissions decide.
    if (file !== MEMORY && path.sep === "/" && statSync(file).mode & 0o077) chmodSync(file, 0o600)
    return connection
  } catch (error) {
    throw translateError(file, error)
  }
}

/**
 * SQLite does not wait by itself while another process creates the same file (it fears a deadlock). Without shared
 * memory, as on a network share, it keeps its older journal: slower, but as safe.
 */
async function keepWriteAheadLog(connection: Connection, busyMs: number): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += BUSY_PAUSE_MS) {
    try {
      await connection.exec("pragma journal_mode = wal")
      return
    } catch (error) {
      if (((sqliteCode(error) ?? 0) & 0xff) !== BUSY || waitedMs >= busyMs) throw error
      await setTimeout(BUSY_PAUSE_MS)
    }
  }
}

const BUSY_PAUSE_MS = 20

function getFileSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

const BUSY = 5

/** SQLite's primary result codes that a person can act on. */
const REASONS: Readonly<Record<number, { reason: string; passes: boolean }>> = {
  3: { reason: "you may not write there", passes: false },
  [BUSY]: { reason: "another program has locked it", passes: true },
  6: { reason: "another program has locked it", passes: true },
  8: { reason: "the file or its disk is read-only", passes: false },
  10: { reason: "the disk reports an error", passes: false },
  11: { reason: "the file is damaged: put a copy of it back, or move it away", passes: false },
  13: { reason: "the disk is full", passes: false },
  14: { reason: "the file cannot be opened or made there", passes: false },
  26: { reason: "the file is not a ledger", passes: false },
}

/** These SQLite gives for a full disk too, where it makes or grows a file beside the ledger's. */
const DISK_ERRORS = [10, 14]

const CONSTRAINT = 19
/** SQLite codes: unique index, primary key, and the error that our trigger raises. */
const UNIQUE = [2067, 1555, 1811]

const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  EROFS: "that disk is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  ENOTDIR: "a part of that path is a file, not a folder",
  EISDIR: "a folder is in its place",
}

/** SQLite's code, in Node's own module and in libsql. */
function sqliteCode(error: unknown): number | undefined {
  const { errcode, rawCode } = Object(error) as { errcode?: number; rawCode?: number }
  return errcode ?? rawCode
}

function translateError(file: string, error: unknown): Error {
  if (error instanceof FreightError) return error
  const { message = "" } = Object(error) as { message?: string }
  // libsql has no code if a file cannot be opened: it is at the end of the message.
  const code =
    sqliteCode(error) ?? Number(/^ConnectionFailed\(.*: (\d+)"?\)$/s.exec(message)?.[1] ?? Number.NaN)
  if (Number.isNaN(code)) {
    const reason = SYSTEM_REASONS[codeOf(error) ?? ""]
    if (reason !== undefined || codeOf(error) !== undefined)
      return unusable(file, reason ?? message, error, false)
    return error instanceof Error ? error : new Error(String(error))
  }
  if (UNIQUE.includes(code)) return new UniqueViolation(message)
  const why = DISK_ERRORS.includes(code & 0xff) ? findWriteError(path.dirname(file)) : undefined
  if (why !== undefined) return unusable(file, why, error, false)
  const hold = DISK_ERRORS.includes(code & 0xff) ? findHold(file) : undefined
  if (isHeld(hold)) return unusable(file, reasonOf(hold), error, true)
  const known = REASONS[code & 0xff]
  if (known) return unusable(file, known.reason, error, known.passes)
  if ((code & 0xff) === CONSTRAINT) return error instanceof Error ? error : new Error(message)
  return unusable(file, message, error, false)
}
