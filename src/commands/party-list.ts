import type { Command } from "commander"
import type { Deps } from "../deps.ts"
import type { Party } from "../invoice/new/parties.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

/** A file that was edited by hand may lack any field. */
type Row = { name: string } & Party

export function define(command: Command): void {
  command.description("Lists the saved suppliers and customers. All profiles share them.")
}

export const examples = ["freight party list", "freight party list --format csv"]

const columns: Column<Row>[] = [
  { key: "name", title: "NAME", rank: 1, gives: "nothing" },
  { key: "supplierName", title: "SUPPLIER", rank: 2 },
  { key: "supplierId", title: "CODE", rank: 4 },
  { key: "abn", title: "ABN", rank: 5 },
  { key: "billTo", title: "BILL TO", rank: 3 },
  { key: "shipTo", title: "SHIP TO", hidden: true },
]

export async function run({ config, terminal, output }: Deps): Promise<undefined> {
  const rows = Object.entries(config.read().parties ?? {})
    .map(([name, party]): Row => ({ ...party, name }))
    .sort((one, other) => one.name.localeCompare(other.name))
  await print(
    { terminal, output },
    {
      json: rows.map(({ name, ...party }) => ({ name, ...party })),
      rows,
      columns,
      empty: "No party is saved: freight party add NAME saves a supplier or a customer.",
    },
  )
}
