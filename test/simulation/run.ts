/** The simulation for `npm run simulate`, with whichever SQLite this Node has. */
import { systemSqlite } from "../../src/builtin-sqlite.ts"
import { sqliteDriver } from "../../src/ledger/sqlite.ts"
import { type Report, simulate } from "./simulate.ts"

export async function run(seed: number, steps: number): Promise<Report> {
  return simulate(seed, steps, await sqliteDriver(systemSqlite()))
}
