/** Ledgers as builds of their time made them: see scripts/ledger-fixture.mjs. */
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import pg from "pg"
import type { Database, Value } from "../../src/ledger/database/database.ts"
import { synchronousDriver } from "../simulation/driver.ts"
import { newDatabase } from "./postgres.ts"
import { temporaryDir } from "./setup.ts"

export interface LedgerFixture {
  readonly version: number
  /** When it was kept. */
  readonly at: string
  /** The statements that made its tables. */
  readonly sqlite: readonly string[]
  readonly postgres: readonly string[]
  /** Statements of a desk of that build while it booked PO-9. The rows show PO-9 while it was being sent. */
  readonly statements: Readonly<Record<"claim" | "renewal" | "outcome", readonly [sql: string, Value[]]>>
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>
}

const FOLDER = path.join(import.meta.dirname, "versions")

/** The versions that there is a ledger of, the oldest first. */
export const VERSIONS = readdirSync(FOLDER)
  .flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

/** @param changes texts in it, and what stands for them: the address of a server */
export function readFixture(version: number, changes: Readonly<Record<string, string>> = {}): LedgerFixture {
  const text = readFileSync(path.join(FOLDER, `${version}.json`), "utf8")
  return JSON.parse(Object.entries(changes).reduce((all, [from, to]) => all.replaceAll(from, to), text))
}

/** Tables that only one of the databases has. */
const SQLITE_ONLY = ["ledger_mark"]

/** @returns statements with their parameters, for a database of that kind */
function listStatements(fixture: LedgerFixture, dialect: "sqlite" | "postgres"): [string, Value[]][] {
  const triggers = fixture[dialect].filter((sql) => /^create trigger/i.test(sql))
  const inserts = Object.entries(fixture.rows).flatMap(([table, rows]) =>
    dialect === "postgres" && SQLITE_ONLY.includes(table)
      ? []
      : rows.map((row): [string, Value[]] => {
          const columns = Object.keys(row)
          const places = columns.map((_, n) => (dialect === "postgres" ? `$${n + 1}` : "?"))
          const values = Object.values(row)
          return [`insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})`, values]
        }),
  )
  return [
    ...fixture[dialect].filter((sql) => !triggers.includes(sql)).map((sql): [string, Value[]] => [sql, []]),
    // A trigger would count the rows that are put in.
    ...inserts,
    ...triggers.map((sql): [string, Value[]] => [sql, []]),
  ]
}

/** @returns the file */
export async function loadIntoFile(fixture: LedgerFixture): Promise<string> {
  const file = path.join(temporaryDir(), "ledger.db")
  const connection = synchronousDriver(file)
  await connection.exec("begin")
  for (const [sql, parameters] of listStatements(fixture, "sqlite")) {
    const statement = await connection.prepare(sql)
    await statement.run(...parameters)
  }
  await connection.exec("commit")
  connection.close()
  return file
}

/** @returns the address of a database of its own */
export async function loadIntoPostgres(fixture: LedgerFixture): Promise<string> {
  const address = await newDatabase()
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    for (const [sql, parameters] of listStatements(fixture, "postgres")) await client.query(sql, parameters)
  } finally {
    await client.end()
  }
  return address
}

const POSTGRES_SCHEMA = `
  select concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default) as part
    from information_schema.columns where table_schema = current_schema()
  union all select concat_ws(' ', cast(conrelid::regclass as text), pg_get_constraintdef(oid))
    from pg_catalog.pg_constraint where connamespace = current_schema()::regnamespace
  union all select indexdef from pg_catalog.pg_indexes where schemaname = current_schema()
  union all select prosrc from pg_catalog.pg_proc where pronamespace = current_schema()::regnamespace
  union all select pg_get_triggerdef(oid) from pg_catalog.pg_trigger where not tgisinternal`

/**
 * All that a database has been made of: columns with their types and constraints, indexes, triggers and functions. A
 * column that a step added is the last one of its table; where it stands says nothing.
 */
export async function describeSchema(database: Database): Promise<string[]> {
  if (database.dialect === "postgres") {
    const rows = await database.all(POSTGRES_SCHEMA)
    return rows.map(({ part }) => String(part).replace(/\s+/g, " ")).sort()
  }
  const made = await database.all("select sql from sqlite_master where sql is not null")
  return made.flatMap(({ sql }) => partsOf(String(sql).replace(/\s+/g, " "))).sort()
}

/** A statement; one that makes a table in parts, one for each column and constraint. */
function partsOf(sql: string): string[] {
  const [, table, body] = /^create table (\w+) ?\((.*)\)$/i.exec(sql) ?? []
  if (table === undefined || body === undefined) return [sql.replace(/^create/i, "create")]
  return body.split(/,(?![^(]*\))/).map((part) => `${table}: ${part.trim()}`)
}
