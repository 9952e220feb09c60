import { command } from "../command/index.ts"
import { nameConnector } from "../contract/index.ts"
import type { ConnectorSummary } from "../contract/generated/types.ts"
import { BRIEF, type Column, print } from "../output/index.ts"

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

export default command({
  about: "Lists the carrier accounts and the services that each offers.",
  columns,
  examples: ["freight connectors --sandbox", "freight connectors --sandbox --json"],
  /** GET /connectors, which this machine remembers for choosing by service and for completion. */
  async run(deps) {
    const { connectors } = await (await deps.freight()).listConnectors()
    const empty = "This account has no active connectors: add one in the portal."
    await print(deps, { rows: connectors, items: connectors.map(nameConnector), columns, empty })
  },
})
