/** Which connector a booking goes to, and which carrier's rules it must keep. */
import type { FreightApi } from "../api/freight.ts"
import { isCarrier } from "../contract/carrier-fields.ts"
import type { Carrier, ConnectorSummary } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import type { Seen } from "../memory/seen.ts"
import { checkAvoided, findUnknownAvoided, type Limits } from "./wishes.ts"

interface ConnectorDeps {
  seen: Pick<Seen, "connectors">
  freight(): Promise<Pick<FreightApi, "listConnectors">>
}

export async function fetchConnectors({
  freight,
}: Pick<ConnectorDeps, "freight">): Promise<ConnectorSummary[]> {
  return (await (await freight()).listConnectors()).connectors
}

/**
 * Asks for the account's services only where this machine has not seen what is to be avoided.
 * @throws FreightError `usage` for a name that is of no service, carrier or connector
 */
export async function checkAvoidedNames(deps: ConnectorDeps, { avoid = [] }: Limits): Promise<void> {
  if (avoid.length === 0 || findUnknownAvoided(avoid, await deps.seen.connectors()).length === 0) return
  checkAvoided({ avoid }, await fetchConnectors(deps))
}

/** The connectors that this machine has seen; where it has seen none, the account's. */
export async function findConnectors(deps: ConnectorDeps): Promise<ConnectorSummary[]> {
  const seen = await deps.seen.connectors()
  return seen.length > 0 ? seen : fetchConnectors(deps)
}

interface ConnectorChoice {
  connectorId: string | undefined
  /** As a kept rate names it. */
  carrier: string | undefined
  serviceCode: unknown
  /** Use only what this machine has seen. */
  offline: boolean
}

/**
 * The connector that was named, or the only one that offers the service: one service code can exist on several
 * connectors, and a tenant can have two connectors of one carrier.
 * @throws FreightError `usage` when the choice is open, `notFound` when there is no such connector
 */
export async function chooseConnector(
  deps: ConnectorDeps,
  choice: ConnectorChoice,
): Promise<{ id: string | undefined; carrier: Carrier | undefined }> {
  const { connectorId } = choice
  if (connectorId !== undefined && choice.carrier !== undefined && isCarrier(choice.carrier))
    return { id: connectorId, carrier: choice.carrier }

  const seen = await deps.seen.connectors()
  const known = seen.find(({ id }) => id === connectorId)
  if (known) return { id: known.id, carrier: known.carrier }
  return fromList(choice.offline ? seen : await fetchConnectors(deps), choice)
}

function fromList(
  connectors: readonly ConnectorSummary[],
  { connectorId, serviceCode, offline }: ConnectorChoice,
): { id: string | undefined; carrier: Carrier | undefined } {
  if (connectorId !== undefined) {
    const named = connectors.find(({ id }) => id === connectorId)
    if (named) return { id: named.id, carrier: named.carrier }
    if (offline) return { id: connectorId, carrier: undefined }
    throw noConnector(connectorId, connectors)
  }
  const offering = connectors.filter(({ services }) =>
    services.some((each) => each.serviceCode === serviceCode),
  )
  const [only, ...others] = offering
  if (only && others.length === 0) return { id: only.id, carrier: only.carrier }
  if (offering.length > 1)
    throw new FreightError(
      "usage",
      `service ${String(serviceCode)} is offered by ${offering.length} connectors: say which with --connector`,
      { hint: `They are: ${describeConnectors(offering)}.` },
    )
  return { id: undefined, carrier: undefined }
}

/** @param connectors those that there are */
export function noConnector(named: string, connectors: readonly ConnectorSummary[]): FreightError {
  return new FreightError("notFound", `there is no active connector '${named}'`, {
    hint: connectors.length ? `There are: ${describeConnectors(connectors)}.` : "This account has none.",
    next: "freight connectors",
  })
}

/** `connector-a (Main account), connector-b (Depot)` */
export function describeConnectors(connectors: readonly ConnectorSummary[]): string {
  return connectors.map(({ id, name }) => `${id} (${name})`).join(", ")
}
