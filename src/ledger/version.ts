/**
 * The version of the ledger's tables. The tables are created in `schema.ts`, which is loaded for a ledger of another
 * version.
 */
import type { Database } from "./database/database.ts"

/** The version that this freight makes and reads. */
export const SCHEMA_VERSION = 22

/** The version of the tables, whatever it is; 0 where there are none. */
export async function findVersion(database: Database): Promise<number> {
  const found = await database.all(
    database.dialect === "sqlite"
      ? "select name from sqlite_master where type = 'table' and name = 'ledger_schema'"
      : "select tablename from pg_catalog.pg_tables where schemaname = current_schema() and tablename = 'ledger_schema'",
  )
  if (found.length === 0) return 0
  const [row] = await database.all("select version from ledger_schema")
  return Number(row?.version ?? 0)
}
