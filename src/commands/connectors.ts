import type { Command } from "commander"
import type { ConnectorSummary } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"

export function define(command: Command): void {
  command.description("Lists the carrier accounts and the services that each offers.")
}

export const examples = ["freight connectors --sandbox", "freight connectors --sandbox --json"]

const columns: Column<ConnectorSummary>[] = [
  { key: "id", title: "ID", gives: "nothing" },
  { key: "carrier", title: "CARRIER", brief: BRIEF.carrier },
  { key: "name", title: "NAME" },
  {
    key: "services",
    title: "SERVICES",
    gives: "words",
    value: ({ services }) => services.map((each) => each.serviceCode).join(" "),
  },
]

/** GET /connectors: the tenant's carrier accounts, which this machine remembers for choosing by service and for completion. */
export async function run(deps: Deps): Promise<undefined> {
  const reply = await (await deps.freight()).listConnectors()
  const empty = "This account has no active connectors: add one in the portal."
  await print(deps, { json: reply, rows: reply.connectors, columns, empty })
}
