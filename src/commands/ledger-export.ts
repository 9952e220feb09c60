import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { pagesOf } from "../ledger/rows.ts"
import { exported } from "../ledger/admin.ts"
import { jsonText } from "../terminal/json-text.ts"

export function define(command: Command): void {
  command.description(
    "Writes the whole ledger as NDJSON: one entry per line, with the column names of the database.",
  )
}

export const examples = ["freight ledger export --sandbox > ledger.ndjson"]

const PAGE = 500

export async function run(deps: Deps): Promise<undefined> {
  const { store } = await deps.readLedger()
  for await (const rows of pagesOf(store.database, PAGE)) {
    deps.signal.throwIfAborted()
    await deps.terminal.stdout.write(rows.map((row) => `${jsonText(exported(row))}\n`).join(""))
  }
}
