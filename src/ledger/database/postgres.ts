/** The ledger in PostgreSQL, for all workstations of a tenant. */
import { Socket } from "node:net"
import { FreightError } from "../../base/errors.ts"
import type { Clock } from "../../base/ports.ts"
import { codeOf } from "../../base/system.ts"
import {
  ConnectionLost,
  type Database,
  loadDriver,
  type DatabaseRow,
  type Statements,
  type Transaction,
  UniqueViolation,
  unusable,
  type Value,
} from "./database.ts"
import type { PostgresAddress } from "./address.ts"
import { placeholders } from "./sql.ts"

interface PostgresOptions {
  clock: Clock
  /** Returns the password if the server needs one; undefined if there is none. */
  password(address: PostgresAddress): Promise<string | undefined>
}

const CONNECT_MS = 10_000
const STATEMENT_MS = 30_000
/** Building indexes of a large ledger may take this long; a dead connection ends by itself. */
const LONG_STATEMENT_MS = 24 * 3_600_000
/** A server that restarts is back within seconds: waits before the next tries of a process that was connected before. */
const PAUSES_MS = [100, 300, 1_000, 2_000, 4_000]
/** Pauses before the first connection is tried again (ms): it may have been cut by accident. */
const FIRST_PAUSES_MS = [200]
const MAX_CONNECTIONS = 4

interface Queries {
  query(
    sql: string | { text: string; values?: unknown[]; query_timeout: number },
    values?: unknown[],
  ): Promise<{ rows: unknown[]; rowCount: number | null }>
}

/** The part of the package's pool that is used; tests may replace it. */
export interface Connections extends Queries {
  connect(): Promise<Queries & { release(isBroken?: boolean): void }>
}

export async function openPostgres(address: PostgresAddress, options: PostgresOptions): Promise<Database> {
  const { default: pg } = await loadDriver("PostgreSQL", () => import("pg"))
  const { clock } = options
  const place = address.text
  const { host, port, user, database, tls } = address
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    host,
    port,
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.once("close", () => sockets.delete(socket))
    },
    ...(user !== undefined && { user }),
    ...(database !== undefined && { database }),
    password: async () => {
      const password = await options.password(address)
      if (password === undefined)
        throw new FreightError("config", `the ledger in ${place} needs a password, and none is set`, {
          hint: "Set PGPASSWORD, or add a line to ~/.pgpass, or run freight on a terminal to be asked for it.",
        })
      return password
    },
    ssl: tls === "none" ? false : { rejectUnauthorized: tls === "verified" },
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 5_000,
    // A client that hangs in a transaction must not hold up the others.
    idle_in_transaction_session_timeout: STATEMENT_MS,
    // To compile a statement takes the server longer than to run one of ours.
    options: "-c jit=off",
    keepAlive: true,
    application_name: "freight",
  })
  // A broken connection is reported by the query that needs it; an idle one is replaced.
  pool.on("error", () => {})
  pool.on("connect", (client) => client.on("error", () => {}))

  return {
    ...runOn(pool, place, clock),
    async close() {
      await pool.end()
      // One that could not log in, the pool leaves open.
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Runs statements and transactions on connections, again where one broke. Closes nothing. */
export function runOn(pool: Connections, place: string, clock: Clock): Omit<Database, "close"> {
  let wasConnected = false
  /** Runs again after a broken connection: everything that runs here may run twice. */
  const retried = async <T>(act: () => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        const result = await act()
        wasConnected = true
        return result
      } catch (error) {
        const known = translateError(place, error)
        if (!(known instanceof ConnectionLost)) throw known
        const pause = (wasConnected ? PAUSES_MS : FIRST_PAUSES_MS)[tries]
        if (pause === undefined) throw unusable(place, known.message, error, true)
        await clock.sleep(pause)
      }
    }
  }
  const direct = statementsOn(pool)

  return {
    dialect: "postgres",
    place,
    all: (sql, parameters) => retried(() => direct.all(sql, parameters)),
    run: (sql, parameters) => retried(() => direct.run(sql, parameters)),
    now: () => retried(direct.now),
    transaction: (work, isLong) => retried(() => inTransaction(pool, work, isLong)),
    size: (tables) =>
      retried(async () => {
        const sql = `select cast(sum(pg_total_relation_size(c.oid)) as text) as bytes from pg_catalog.pg_class c
          join pg_catalog.pg_namespace n on n.oid = c.relnamespace
          where n.nspname = current_schema() and c.relkind = 'r' and c.relname in (${placeholders(tables)})`
        const [row] = await direct.all(sql, tables)
        return Number(row?.bytes ?? 0)
      }),
  }
}

/** From `PGPASSWORD`, or the line of `~/.pgpass` (or `PGPASSFILE`) that fits; undefined where neither has one. */
export async function passwordFor(
  { host, port, user, database }: PostgresAddress,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const given = env.PGPASSWORD
  if (given !== undefined && given !== "") return given
  const { default: pgpass } = await loadDriver("PostgreSQL", () => import("pgpass"))
  return new Promise((resolve) =>
    pgpass({ host, port, user, database }, (found) => resolve(found || undefined)),
  )
}

async function inTransaction<T>(
  pool: Connections,
  work: (transaction: Transaction) => Promise<T>,
  isLong = false,
): Promise<T> {
  const client = await pool.connect()
  const queries = isLong ? withoutTimeout(client) : client
  try {
    await client.query("begin")
    if (isLong) await client.query("set local statement_timeout = 0")
    const result = await work({
      ...statementsOn(queries),
      async lock(names) {
        // In one order everywhere, so that two transactions never wait for each other.
        await queries.query(
          `select pg_advisory_xact_lock(key) from
            (select distinct hashtextextended(name, 0) as key from unnest($1::text[]) as name order by 1) as keys`,
          [names],
        )
      },
      async share(name) {
        await queries.query("select pg_advisory_xact_lock_shared(hashtextextended($1, 0))", [name])
      },
    })
    await client.query("commit")
    client.release()
    return result
  } catch (error) {
    // A connection that cannot roll back is thrown away, and the server rolls back.
    const isBroken = await client.query("rollback").then(
      () => false,
      () => true,
    )
    client.release(isBroken)
    throw error
  }
}

function withoutTimeout(client: Queries): Queries {
  return {
    query: (sql, values = []) =>
      client.query(typeof sql === "string" ? { text: sql, values, query_timeout: LONG_STATEMENT_MS } : sql),
  }
}

function statementsOn(client: Queries): Statements {
  const query = (sql: string, parameters: readonly Value[] = []) =>
    client.query(numberParameters(sql), parameters.map(storable))
  return {
    all: async (sql, parameters) => (await query(sql, parameters)).rows as DatabaseRow[],
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
    async now() {
      const { rows } = await query(
        "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)::text as now",
      )
      return Number((rows as DatabaseRow[])[0]?.now)
    },
  }
}

/** Turns `?` into `$1`, `$2`, …: none of our statements has a question mark in a text. */
function numberParameters(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => `$${++count}`)
}

/** PostgreSQL's text has no NUL. */
function storable(value: Value): Value {
  return typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value
}

/** PostgreSQL codes after which a retry can help: connections, restarts, deadlocks, too many connections. */
const PASSING = /^(08...|57P0[1-5]|40001|40P01|53300|55P03)$/
const BROKEN = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/

function translateError(place: string, error: unknown): Error {
  if (error instanceof FreightError || error instanceof UniqueViolation || error instanceof ConnectionLost)
    return error
  const code = codeOf(error) ?? ""
  const message = error instanceof Error && error.message !== "" ? error.message : code
  if (code === "23505") return new UniqueViolation(message)
  if (PASSING.test(code) || BROKEN.test(code)) return new ConnectionLost(explainCode(code, message))
  if (code === "" && /connection|timeout|terminated|ended/i.test(message)) return new ConnectionLost(message)
  if (code === "53100" || code === "53200")
    return unusable(place, "the database's disk or memory is full", error, true)
  if (code === "57014") return unusable(place, "the database did not answer in time", error, true)
  if (code === "25006") return unusable(place, "the database is read-only", error, true)
  if (code.startsWith("28")) return unusable(place, "the user or the password is wrong", error, false)
  if (/CERT|UNABLE_TO_|SSL|TLS/.test(code) || /does not support SSL/.test(message))
    return unusable(
      place,
      `no connection with TLS that can be trusted (${message}); add ?sslmode=disable or ?sslmode=require to its address only where the network is your own`,
      error,
      false,
    )
  return unusable(place, message, error, false)
}

function explainCode(code: string, message: string): string {
  if (code === "ECONNREFUSED") return "nothing answers at that address"
  if (code === "ENOTFOUND") return "there is no such host"
  return message
}
