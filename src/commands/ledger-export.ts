import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { pagesOf } from "../ledger/database/rows.ts"
import { exported } from "../ledger/maintenance/admin.ts"
import { jsonText } from "../terminal/json-text.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description(
      "Writes the whole ledger as NDJSON: one entry per line, with the column names of the database.",
    )
    .addHelpText("after", examples("freight ledger export --sandbox > ledger.ndjson"))
    .action(act(run))
}

const PAGE = 500

async function run(deps: Deps): Promise<undefined> {
  const { store } = await deps.readLedger()
  for await (const rows of pagesOf(store.database, PAGE)) {
    deps.signal.throwIfAborted()
    await deps.terminal.stdout.write(rows.map((row) => `${jsonText(exported(row))}\n`).join(""))
  }
  return
}
