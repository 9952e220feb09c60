/** Finds the connector of a booking, and the carrier whose rules it must keep. */
import type { FreightApi } from "../../api/index.ts"
import { carrierLetter, isCarrier, toCarrier } from "../../carriers/index.ts"
import type { Carrier, ConnectorSummary } from "../../contract/generated/types.ts"
import { quoted } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import { FreightError } from "../../base/errors.ts"
import type { Seen } from "../../machine/index.ts"
import { checkAvoided, findUnknownAvoided, type Limits } from "./preferences.ts"

interface ConnectorSource {
  seen: Pick<Seen, "connectors">
  freight(): Promise<Pick<FreightApi, "listConnectors">>
}

export async function fetchConnectors({
  freight,
}: Pick<ConnectorSource, "freight">): Promise<ConnectorSummary[]> {
  return (await (await freight()).listConnectors()).connectors
}

/** Asks for the account's services only if this machine has not seen the names to be avoided. */
export async function checkAvoidedNames(deps: ConnectorSource, { avoid = [] }: Limits): Promise<void> {
  if (avoid.length === 0 || findUnknownAvoided(avoid, await deps.seen.connectors()).length === 0) return
  checkAvoided({ avoid }, await fetchConnectors(deps))
}

/** The connectors that this machine has seen; if none, the account's. */
export async function findConnectors(deps: ConnectorSource): Promise<ConnectorSummary[]> {
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
 */
export async function chooseConnector(
  deps: ConnectorSource,
  choice: ConnectorChoice,
): Promise<{ id: string | undefined; carrier: Carrier | undefined }> {
  const { connectorId } = choice
  if (connectorId !== undefined && choice.carrier !== undefined && isCarrier(choice.carrier))
    return { id: connectorId, carrier: choice.carrier }

  const seen = await deps.seen.connectors()
  const known = seen.find(({ id }) => id === connectorId)
  if (known && hasService(known, choice.serviceCode))
    return { id: known.id, carrier: toCarrier(known.carrier) }
  return fromList(choice.offline ? seen : await fetchConnectors(deps), choice)
}

/**
 * The connector and its carrier, whose rules the order must keep. Asks the API if this machine has not seen them; a dry
 * run continues if that fails.
 */
export async function previewConnector(
  deps: ConnectorSource,
  choice: ConnectorChoice,
): ReturnType<typeof chooseConnector> {
  const seen = await chooseConnector(deps, { ...choice, offline: true })
  if (seen.carrier !== undefined || choice.offline) return seen
  try {
    return await chooseConnector(deps, choice)
  } catch (error) {
    if (error instanceof FreightError && !["interrupted", "usage", "notFound"].includes(error.kind))
      return seen
    throw error
  }
}

export function requireConnector(id: string | undefined): string {
  if (id !== undefined) return id
  throw new FreightError("usage", "the connector is not known: give --connector ID", {
    next: "freight connectors",
  })
}

function fromList(
  connectors: readonly ConnectorSummary[],
  { connectorId, serviceCode, offline }: ConnectorChoice,
): { id: string | undefined; carrier: Carrier | undefined } {
  if (connectorId !== undefined) {
    const named = connectors.find(({ id }) => id === connectorId)
    if (named && hasService(named, serviceCode)) return { id: named.id, carrier: toCarrier(named.carrier) }
    if (named && !offline) throw noService(serviceCode, [named])
    if (named) return { id: undefined, carrier: undefined }
    if (offline) return { id: connectorId, carrier: undefined }
    throw noConnector(connectorId, connectors)
  }
  const offering = connectors.filter(({ services }) =>
    services.some((each) => each.serviceCode === serviceCode),
  )
  const [only, ...others] = offering
  if (only && others.length === 0) return { id: only.id, carrier: toCarrier(only.carrier) }
  if (offering.length > 1)
    throw new FreightError(
      "usage",
      `service ${String(serviceCode)} is offered by ${offering.length} connectors: say which with --connector`,
      { hint: `They are: ${describeConnectors(offering)}.` },
    )
  const isKnown = connectors.length > 0 && connectors.every((each) => !hasService(each, serviceCode))
  if (!offline && isKnown) throw noService(serviceCode, connectors)
  return { id: undefined, carrier: undefined }
}

function hasService({ services }: ConnectorSummary, code: unknown): boolean {
  return (
    typeof code !== "string" ||
    services.length === 0 ||
    services.some(({ serviceCode }) => serviceCode === code)
  )
}

export async function checkServiceName(deps: ConnectorSource, code: string): Promise<void> {
  const isOffered = (connectors: readonly ConnectorSummary[]) =>
    connectors.length === 0 || connectors.some((each) => hasService(each, code))
  const seen = await deps.seen.connectors()
  if (seen.length > 0 && isOffered(seen)) return
  const connectors = await fetchConnectors(deps)
  if (!isOffered(connectors)) throw noService(code, connectors)
}

const MAX_SERVICES = 30

function noService(code: unknown, connectors: readonly ConnectorSummary[]): FreightError {
  const services = connectors.flatMap(({ carrier, services }) =>
    services.map(({ serviceCode, description }) => ({
      serviceCode,
      text: `${serviceCode} (${description}, carrier ${carrierLetter(carrier)})`,
    })),
  )
  const codes = services.map(({ serviceCode }) => serviceCode)
  const near = suggest(String(code), codes)
  const [only] = connectors.length === 1 ? connectors : []
  const who = only
    ? `${only.id} (carrier ${carrierLetter(only.carrier)}) does not offer`
    : "no carrier offers"
  const shown = services.slice(0, MAX_SERVICES).map(({ text }) => text)
  return new FreightError("usage", `${who} service ${quoted(String(code))}`, {
    hint: `${near === undefined ? "" : `Did you mean ${near}? `}Services: ${shown.join(", ")}; or write cheapest or fastest.`,
    next: "freight connectors",
  })
}

/** @param connectors those that there are */
export function noConnector(named: string, connectors: readonly ConnectorSummary[]): FreightError {
  return new FreightError("notFound", `there is no active connector ${quoted(named)}`, {
    hint: connectors.length ? `There are: ${describeConnectors(connectors)}.` : "This account has none.",
    next: "freight connectors",
  })
}

/** `connector-a (Main account), connector-b (Depot)` */
export function describeConnectors(connectors: readonly ConnectorSummary[]): string {
  return connectors.map(({ id, name }) => `${id} (${name})`).join(", ")
}
