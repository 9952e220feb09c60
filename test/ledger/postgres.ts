/**
 * A PostgreSQL for tests: each gets a database of its own. `FREIGHT_TEST_POSTGRES` names a server; CI starts one. A test
 * that needs it is declared with `it.runIf(SERVER)`, or in a row with `isThere: SERVER !== undefined`: without one it is skipped.
 */
import { randomBytes } from "node:crypto"
import pg from "pg"
import { onTestFinished } from "vitest"
import { systemClock } from "../../src/machine/host.ts"
import { parseLedgerAddress } from "../../src/ledger/database/address.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { openPostgres } from "../../src/ledger/database/postgres.ts"
import { migrate } from "../../src/ledger/schema.ts"

/** `postgres://freight@127.0.0.1:5432/postgres`; undefined where there is none. */
export const SERVER = process.env.FREIGHT_TEST_POSTGRES

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The address of a new, empty database, which goes away with the test. */
export async function newDatabase(keep = false): Promise<string> {
  if (SERVER === undefined)
    throw new Error("FREIGHT_TEST_POSTGRES names no server: declare the test with it.runIf(SERVER)")
  const name = `freight_${randomBytes(6).toString("hex")}`
  await administer(`create database ${name}`)
  if (!keep) onTestFinished(() => administer(`drop database ${name} with (force)`))
  const address = new URL(SERVER)
  address.pathname = `/${name}`
  return address.href
}

export async function cutConnections(address: string): Promise<void> {
  const name = new URL(address).pathname.slice(1)
  await administer(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  )
}

export async function connectTo(address: string): Promise<Database> {
  const parsed = parseLedgerAddress(address, "address")
  if (parsed.dialect !== "postgres") throw new Error("not PostgreSQL")
  const database = await openPostgres(parsed.address, { clock: systemClock, password: async () => undefined })
  onTestFinished(() => database.close())
  await migrate(database)
  return database
}
