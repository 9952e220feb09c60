import type { Command } from "commander"
import { amountOf } from "../contract/money.ts"
import type { Deps } from "../deps.ts"
import { readCounts } from "../ledger/admin.ts"
import { SCHEMA_VERSION } from "../ledger/schema.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

export function define(command: Command): void {
  command.description(
    "Shows where the ledger is, how many entries it has, how large it is, and what is open. It asks no server.",
  )
}

export const examples = ["freight ledger status --sandbox", "freight ledger status --sandbox --json"]

interface Status {
  place: string
  database: "sqlite" | "postgres"
  schema: number
  entries: number
  open: number
  /** Bytes on the disk, where that can be known. */
  bytes: number | null
  oldest: string | null
  newest: string | null
}

const columns: Column<Status>[] = [
  { key: "place", title: "LEDGER" },
  { key: "database", title: "DATABASE" },
  { key: "schema", title: "SCHEMA", align: "right" },
  { key: "entries", title: "ENTRIES", align: "right" },
  { key: "open", title: "OPEN", align: "right" },
  {
    key: "bytes",
    title: "SIZE",
    align: "right",
    show: ({ bytes }) => (bytes === null ? "" : `${amountOf(Math.round(bytes / 10_000))} MB`),
  },
  { key: "oldest", title: "FROM" },
  { key: "newest", title: "TO" },
]

export async function run(deps: Deps): Promise<undefined> {
  const { store } = await deps.readLedger()
  const { database } = store
  const status: Status = {
    place: store.place,
    database: database.dialect,
    schema: SCHEMA_VERSION,
    ...(await readCounts(database)),
    bytes: (await database.size()) ?? null,
  }
  await print(deps, { rows: [status], columns, single: true })
  if (status.open > 0)
    await deps.note(`${status.open} with an unknown outcome: freight reconcile looks for them.`)
}
