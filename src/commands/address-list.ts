import type { Command } from "commander"
import type { BookingAddress } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

/** A saved address with its name; a file edited by hand may lack any field. */
type Row = { name: string } & Partial<BookingAddress>

export function define(command: Command): void {
  command.description("Lists the saved addresses. All profiles share them.")
}

export const examples = ["freight address list", "freight address list --format csv"]

const columns: Column<Row>[] = [
  { key: "name", title: "NAME", rank: 1, gives: "nothing" },
  { key: "companyName", title: "COMPANY", rank: 2 },
  { key: "contactName", title: "CONTACT", rank: 8 },
  { key: "phoneAreaCode", title: "AREA", hidden: true },
  { key: "phoneNumber", title: "PHONE", hidden: true },
  { key: "address1", title: "STREET", rank: 6 },
  { key: "address2", title: "STREET 2", hidden: true },
  { key: "suburb", title: "SUBURB", rank: 3 },
  { key: "state", title: "STATE", rank: 4 },
  { key: "postcode", title: "POSTCODE", rank: 5, gives: "nothing" },
  { key: "email", title: "EMAIL", rank: 7 },
]

export async function run({ config, terminal, output }: Deps): Promise<undefined> {
  const saved = Object.entries(config.read().addresses)
  const rows = saved
    .map(([name, address]): Row => ({ ...Object(address), name }))
    .sort((one, other) => one.name.localeCompare(other.name))
  await print(
    { terminal, output },
    {
      json: rows.map(({ name, ...address }) => ({ name, ...address })),
      rows,
      columns,
      empty: "No address is saved. To save one: freight address add NAME",
    },
  )
}
