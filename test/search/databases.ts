/**
 * The answers of a database while others write too.
 *
 * PostgreSQL, READ COMMITTED: each statement sees what was committed when it begins, and what its own transaction has
 * written. A row that a transaction has changed is locked until it ends; an update that meets such a row waits, then looks
 * at the row again, and never at rows that its first look had not found. An insert or update whose unique key another
 * transaction has just taken, or given up, waits for that one's end. Advisory locks are taken one by one in one order,
 * and kept. A ring of transactions that wait for each other is broken by ending one of them.
 *
 * SQLite: one transaction writes at a time (`begin immediate`), and no other sees its writes before its end.
 */
import type { DatabaseRow, Value } from "../../src/ledger/database/database.ts"
import type { Engine, Logged } from "./engine.ts"
import type { Failure } from "./process.ts"

/** A transaction that is open. */
export interface Transaction {
  log: Logged[]
  /** Ids of the rows that it has changed. */
  rows: string[]
  names: Record<string, "alone" | "shared">
  /** Ids of the rows that its waiting update has found. */
  found?: string[]
  hasFailed?: boolean
}

/** The contents of the databases at a moment. Changed in place. */
export interface Databases {
  /** The number of what is committed. */
  content: number
  open: Record<string, Transaction>
}

export interface Statement {
  /** The process, and which of its connections; 0 is one that commits each statement. */
  process: string
  connection: number
  sql: string
  values: readonly Value[]
}

export type Outcome =
  | { is: "answer"; rows: readonly DatabaseRow[]; changes: number }
  | { is: "failure"; failure: Failure }
  /** For the end of these transactions. */
  | { is: "waits"; on: readonly string[]; hasMoved: boolean }

const NOTHING: Outcome = { is: "answer", rows: [], changes: 0 }

export function isBegin(sql: string): boolean {
  return /^begin/.test(sql)
}

export function nameOf({ process, connection }: Pick<Statement, "process" | "connection">): string {
  return `${process}/${connection}`
}

/** Does a statement, or finds out for whom it waits: then `hasMoved` says whether it has got any further. */
export function execute(
  engine: Engine,
  databases: Databases,
  statement: Statement,
  now: number,
  isServer: boolean,
): Outcome {
  const { sql, values } = statement
  const name = nameOf(statement)
  const { open } = databases
  const others = Object.keys(open).filter((each) => each !== name)
  const own = open[name]
  if (/^begin/.test(sql)) {
    if (!isServer && others.length > 0) return { is: "waits", on: others, hasMoved: false }
    open[name] = { log: [], rows: [], names: {} }
    return NOTHING
  }
  if (sql === "rollback" || sql === "commit") {
    if (sql === "commit" && own && !own.hasFailed)
      databases.content = engine.commit(databases.content, own.log)
    delete open[name]
    return NOTHING
  }
  if (/clock_timestamp/.test(sql)) return { is: "answer", rows: [{ now: String(now) }], changes: 0 }
  // One that commits at once is a transaction of one statement; where it waits nothing of it stays but what it found.
  const transaction = own ?? { log: [], rows: [], names: {} }
  if (transaction.hasFailed) return fail("25P02", "current transaction is aborted", isServer)
  const wanted = isServer ? listNames(sql, values) : []
  const lacked = takeNames(databases, transaction, others, wanted)
  if (lacked) return { is: "waits", ...lacked }
  if (/pg_advisory/.test(sql)) return NOTHING
  if (/^\s*select\b/.test(sql)) {
    const { rows, fault } = engine.answer(databases.content, transaction.log, engine.numberOf(sql, values))
    if (fault !== undefined) return failWith(fault, own, isServer)
    return { is: "answer", rows, changes: 0 }
  }
  if (!own && !isServer && others.length > 0) return { is: "waits", on: others, hasMoved: false }
  return write(engine, databases, {
    ...statement,
    name,
    transaction,
    isOwn: own !== undefined,
    others,
    isServer,
  })
}

function write(
  engine: Engine,
  databases: Databases,
  {
    sql,
    values,
    name,
    transaction,
    isOwn,
    others,
    isServer,
  }: Statement & {
    name: string
    transaction: Transaction
    isOwn: boolean
    others: readonly string[]
    isServer: boolean
  },
): Outcome {
  const { content, open } = databases
  let text = sql
  let changed: string[] = []
  const [, condition] = /^update sends set .*? where (.*)$/s.exec(sql) ?? []
  if (condition !== undefined && isServer) {
    const select = `select id from sends where ${condition}`
    const { rows } = engine.answer(content, transaction.log, engine.numberOf(select, values))
    const ids = rows.map(({ id }) => String(id))
    const found = transaction.found
    // It changes only rows of its first look that still fit.
    changed = found ? ids.filter((id) => found.includes(id)) : ids
    const on = others.filter((each) => changed.some((id) => open[each]?.rows.includes(id)))
    if (on.length > 0) {
      if (isOwn && !found) transaction.found = ids
      return { is: "waits", on, hasMoved: isOwn && !found }
    }
    if (found) text = `${sql} and id in (${changed.map((id) => `'${id}'`).join(", ")})`
    delete transaction.found
  }
  const logged = engine.numberOf(text, values)
  const result = engine.answer(content, transaction.log, logged)
  if (result.fault !== undefined) return failWith(result.fault, isOwn ? transaction : undefined, isServer)
  if (isServer) {
    const isRefusedBeside = (each: string): boolean => {
      const beside = engine.answerBeside(content, open[each]?.log ?? [], transaction.log, logged)
      return beside !== (result.violation !== undefined)
    }
    const on = others.filter(isRefusedBeside)
    if (on.length > 0) return { is: "waits", on, hasMoved: false }
  }
  if (result.violation !== undefined) {
    if (isOwn && isServer) transaction.hasFailed = true
    return isServer
      ? fail("23505", result.violation, true)
      : { is: "failure", failure: { is: "driver", rawCode: 2067, message: result.violation } }
  }
  if (/^insert into sends /.test(sql)) changed = readInserted(sql, values).map(({ id }) => String(id))
  transaction.log.push(logged)
  transaction.rows.push(...changed)
  if (!isOwn) {
    databases.content = engine.commit(content, transaction.log)
    delete open[name]
  }
  return { is: "answer", rows: [], changes: result.changes }
}

export function fail(code: string, message: string, isServer = true): Outcome {
  return { is: "failure", failure: { is: "driver", ...(isServer && { code }), message } }
}

/** On a server, a statement that the database cannot run ends the transaction. */
function failWith(fault: string, own: Transaction | undefined, isServer: boolean): Outcome {
  if (own && isServer) own.hasFailed = true
  if (isServer) return fail("42601", fault)
  return { is: "failure", failure: { is: "driver", rawCode: 1, message: fault } }
}

/** The names that a statement locks: those that it states, and those that the trigger of inserts locks. */
function listNames(sql: string, values: readonly Value[]): [name: string, how: "alone" | "shared"][] {
  if (/pg_advisory_xact_lock_shared/.test(sql)) return [[String(values[0]), "shared"]]
  if (/pg_advisory_xact_lock/.test(sql)) {
    const [names] = values as unknown as [string[]]
    return [...new Set(names)].sort().map((name) => [name, "alone"])
  }
  if (!/^insert into sends /.test(sql)) return []
  return readInserted(sql, values)
    .filter((row) => row.state === "unknown" && row.lease_until != null)
    .map((row) => [`${row.kind}/content:${row.content_hash}`, "alone"])
}

/** The rows that an insert writes. */
function readInserted(sql: string, values: readonly Value[]): DatabaseRow[] {
  const columns = (/\(([^)]*)\) values/.exec(sql)?.[1] ?? "").split(", ")
  return Array.from({ length: values.length / columns.length }, (_, n) =>
    Object.fromEntries(columns.map((column, at) => [column, values[n * columns.length + at] ?? null])),
  )
}

/** Takes one name after the other. @returns who holds the next one; undefined once it has all */
function takeNames(
  { open }: Databases,
  transaction: Transaction,
  others: readonly string[],
  wanted: readonly [name: string, how: "alone" | "shared"][],
): { on: string[]; hasMoved: boolean } | undefined {
  let hasMoved = false
  for (const [name, how] of wanted) {
    const held = transaction.names[name]
    if (held === "alone" || held === how) continue
    const on = others.filter((each) => {
      const theirs = open[each]?.names[name]
      return theirs === "alone" || (theirs === "shared" && how === "alone")
    })
    if (on.length > 0) return { on, hasMoved }
    transaction.names[name] = how
    hasMoved = true
  }
  return undefined
}
