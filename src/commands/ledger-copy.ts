import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { copyLedger } from "../ledger/admin.ts"
import { openDatabase } from "../ledger/open.ts"
import { migrate } from "../ledger/schema.ts"
import { print } from "../terminal/view.ts"

interface Options {
  to: string
}

export function define(command: Command): void {
  command
    .description(
      "Copies the ledger to another place: to a database that a team shares, or to a file. Entries that are already there stay " +
        "as they are, so it can be repeated. The ledger in use stays the same until the setting is changed.",
    )
    .requiredOption("--to <place>", "postgres://USER@HOST/DATABASE, or the full path of a file")
}

export const examples = ['freight ledger copy --sandbox --to "$PWD/ledger-copy.db"']

export async function run(deps: Deps, { to }: Options): Promise<undefined> {
  const { store } = await deps.readLedger()
  const target = await openDatabase(to, "--to", deps.ledgerPorts)
  try {
    if (target.place === store.place)
      throw new FreightError("usage", `the ledger is already in ${store.place}`)
    await migrate(target)
    const copied = await copyLedger(store.database, target)
    const rows = [{ from: store.place, to: target.place, ...copied }]
    const columns = ["from", "to", "entries", "copied"].map((key) => ({ key, title: key.toUpperCase() }))
    await print(deps, { rows, columns, single: true })
    await deps.note(`To use it from now on: freight config set ledger ${target.place}`)
  } finally {
    await target.close()
  }
}
