/** Chooses the service of a row. */
import { toCarrier } from "../../../carriers/index.ts"
import { describeConnectors } from "../../booking/connector.ts"
import {
  findUnknownAvoided,
  isAvoided,
  type Limits,
  parseService,
  toWishes,
} from "../../booking/preferences.ts"
import { parseNames } from "../../../contract/index.ts"
import type { ConnectorSummary } from "../../../contract/generated/types.ts"
import { centsOf } from "../../../base/money.ts"
import { quoted } from "../../../base/parsed.ts"
import { suggest } from "../../../base/suggest.ts"
import { plainStatus } from "../columns/states.ts"
import type { RowDefaults } from "./defaults.ts"
import { type Draft, errorAt } from "./cells.ts"
import type { CellFinding } from "../../../input/index.ts"
import { parseShare } from "../../../machine/index.ts"

/**
 * The row's service, otherwise that of its shipping method, otherwise the default. The connector is filled in if only one
 * offers the service.
 */
export function chooseService(
  draft: Draft,
  { service: ofAll, limits, own: common, connectors, services }: RowDefaults,
  method?: string,
) {
  const findings: CellFinding[] = []
  const text = (name: string) => {
    const value = draft.values.get(name)?.value
    return value === undefined ? undefined : String(value)
  }
  const wrong = (field: string, rule: string, message: string, hint?: string) =>
    findings.push(errorAt(draft, field, rule, message, hint))

  const own = text("service")
  const word = method === undefined || own !== undefined ? undefined : plainStatus(method)
  const mapped = word === undefined ? undefined : services?.get(word)
  const openMethod = word === undefined || services?.has(word) ? undefined : method
  const service = own ?? mapped?.service ?? ofAll
  const named = text("connector") ?? mapped?.connectorId ?? limits.connectorId
  const connector = named === undefined ? undefined : findConnector(connectors, named)
  if (named !== undefined && connectors && !connector)
    wrong("connector", "connector", ...createNoConnector(connectors, named))
  const maxPrice = text("maxPrice")
  const arriveBy = text("arriveBy") ?? limits.arriveBy
  const ready = text("collectionDateTime")
  if (arriveBy !== undefined && ready !== undefined && arriveBy.slice(0, 10) < ready.slice(0, 10))
    wrong("arriveBy", "arriveBy", `is ${arriveBy}, before the collection on ${ready.slice(0, 10)}`)
  if (maxPrice !== undefined && !(Number(maxPrice) >= 0))
    wrong("maxPrice", "minimum", `${quoted(maxPrice)} is not a price`)
  else if (maxPrice !== undefined && Number(maxPrice) > 1e9)
    wrong("maxPrice", "maximum", "is too large a price")
  const withinDays = Number(text("within") ?? limits.withinDays)
  if (!Number.isNaN(withinDays) && !(Number.isInteger(withinDays) && withinDays >= 0 && withinDays < 1000))
    wrong("within", "type", `${quoted(String(withinDays))} is not a number of days`, "write it as 3")
  const share = text("onTime")
  const percent = share === undefined ? undefined : parseShare(share)
  if (percent && !percent.ok)
    wrong("onTime", "type", `${quoted(share ?? "")} is not a share`, "write it as 90%")
  const onTimePercent = percent?.ok ? percent.value : limits.onTimePercent
  const written = draft.values.get("avoid")?.value
  const avoid = written === undefined ? limits.avoid : [written].flat().map(String).flatMap(parseNames)
  const unknown = written === undefined || !connectors ? [] : findUnknownAvoided(avoid ?? [], connectors)
  for (const { name, hint } of unknown)
    wrong("avoid", "avoid", `${quoted(name)} is neither a service nor a carrier`, hint)

  if (service === undefined) {
    const hint = "give a code, cheapest or fastest, or --service for all rows"
    if (!draft.failed.has("service"))
      findings.push({
        ...errorAt(draft, "service", "required", "service is missing", hint),
        missing: "service",
      })
    return { wish: undefined, wishes: {}, carrier: toCarrier(connector?.carrier), openMethod, findings }
  }
  const chosen = parseService(service)
  const asked = connector ? [connector] : named === undefined ? connectors : undefined
  const offering =
    chosen.kind === "code" && asked ? findOffering(chosen.serviceCode, asked, connector) : undefined
  if (offering && asked && offering.length !== 1 && chosen.kind === "code")
    wrong("service", "service", ...explainOpenService(chosen.serviceCode, offering, asked, connector))
  const only = connector ?? (offering?.length === 1 ? offering[0] : undefined)
  const connectorId = only?.id ?? named
  if (chosen.kind === "code" && only && avoid) {
    const { serviceCode } = chosen
    const hint = "name another service, or write none in a column avoid"
    if (isAvoided({ serviceCode, connectorId: only.id, carrier: only.carrier }, { avoid }))
      wrong("service", "avoid", `${quoted(serviceCode)} of ${only.id} is on your avoid list`, hint)
  }
  const maxPriceCents =
    maxPrice !== undefined && findings.length === 0 ? centsOf(String(maxPrice)) : limits.maxPriceCents
  const wanted: Limits = {
    ...(connectorId !== undefined && { connectorId }),
    ...(maxPriceCents !== undefined && { maxPriceCents }),
    ...(arriveBy !== undefined && { arriveBy }),
    ...(!Number.isNaN(withinDays) && { withinDays }),
    ...(onTimePercent !== undefined && { onTimePercent }),
    ...(avoid !== undefined && { avoid }),
  }
  return {
    wish: { ...chosen, ...wanted },
    /** Preferences from cells or flags are kept with the order. */
    wishes: Object.fromEntries(
      Object.entries(toWishes(wanted)).filter(([name]) => name in common || text(name) !== undefined),
    ),
    carrier: toCarrier(only?.carrier),
    openMethod,
    findings,
  }
}

/** Why a service cannot be booked, of a connector or of any, with a hint; undefined if it can. */
export function explainNotOffered(
  service: string,
  named: string | undefined,
  connectors: readonly ConnectorSummary[],
): [message: string, hint: string] | undefined {
  const connector = named === undefined ? undefined : findConnector(connectors, named)
  if (named !== undefined && !connector) return createNoConnector(connectors, named)
  const chosen = parseService(service)
  if (chosen.kind !== "code") return undefined
  const { serviceCode } = chosen
  const asked = connector ? [connector] : connectors
  const offering = findOffering(serviceCode, asked, connector)
  return offering.length === 1 ? undefined : explainOpenService(serviceCode, offering, asked, connector)
}

/** Connectors that offer a service. A named one whose services are not known may offer any. */
function findOffering(
  serviceCode: string,
  asked: readonly ConnectorSummary[],
  named: ConnectorSummary | undefined,
): readonly ConnectorSummary[] {
  if (named?.services.length === 0) return [named]
  return asked.filter(({ services }) => services.some((each) => each.serviceCode === serviceCode))
}

function findConnector(
  connectors: readonly ConnectorSummary[] | undefined,
  named: string,
): ConnectorSummary | undefined {
  const byId = connectors?.find(({ id }) => id === named)
  const byName = connectors?.filter(({ name }) => name.toLowerCase() === named.toLowerCase()) ?? []
  return byId ?? (byName.length === 1 ? byName[0] : undefined)
}

function createNoConnector(
  connectors: readonly ConnectorSummary[],
  named: string,
): [message: string, hint: string] {
  const ids = connectors.map(({ id }) => id)
  const near = suggest(named, ids)
  const known = near ? `did you mean ${near}?` : `there are: ${describeConnectors(connectors)}`
  return [`there is no active connector ${quoted(named)}`, known]
}

function explainOpenService(
  code: string,
  offering: readonly ConnectorSummary[],
  asked: readonly ConnectorSummary[],
  named: ConnectorSummary | undefined,
): [message: string, hint: string] {
  if (offering.length > 1)
    return [
      `${quoted(code)} is offered by ${offering.length} connectors`,
      `say which in a column connector, or with --connector: ${offering.map(({ id }) => id).join(", ")}`,
    ]
  const codes = [...new Set(asked.flatMap(({ services }) => services.map(({ serviceCode }) => serviceCode)))]
  const near = suggest(code, codes)
  const known = `the codes are ${codes.slice(0, 30).join(", ")}; or write cheapest or fastest`
  const who = named ? `${named.id} does not offer` : "no connector offers"
  return [`${who} the service ${quoted(code)}`, near ? `did you mean ${near}?` : known]
}
