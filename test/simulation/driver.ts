/** SQLite that does everything at once: in a simulation nothing may depend on how long the disk takes. */
import Libsql from "libsql"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { type Driver, sqliteDriver } from "../../src/ledger/database/sqlite.ts"

const builtin = systemSqlite()
export const synchronousDriver: Driver = builtin
  ? await sqliteDriver(builtin)
  : (file) => new Libsql(file) as unknown as ReturnType<Driver>
