/** Asking which carrier account does something, and with which service, where the command line does not say. */
import { findConnectors } from "../../booking/connector.ts"
import { carrierName } from "../../contract/carrier-fields.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import type { Deps } from "../../deps.ts"
import { withoutBack } from "../../terminal/conversation/conversation.ts"
import { capital } from "../../terminal/said.ts"

interface ServiceChoice {
  connectorId: string
  /** Undefined where the carrier needs none for goods on their own. */
  serviceCode: string | undefined
}

/**
 * @param given what the command line says already
 * @returns undefined where nothing fits: the command says why
 */
export async function askService(
  deps: Deps,
  question: string,
  given: { connectorId: string | undefined; serviceCode: string | undefined },
): Promise<ServiceChoice | undefined> {
  const choices = (await findConnectors(deps))
    .filter(({ id }) => (given.connectorId ?? id) === id)
    .flatMap((connector) => listServices(connector, given.serviceCode))
  const [only, ...others] = choices
  if (!only || others.length === 0) return only?.value
  const { choose } = withoutBack(await deps.converse({ keepsAnswers: false }))
  return choose(question, choices)
}

function listServices({ id, name, carrier, services }: ConnectorSummary, code: string | undefined) {
  const whose = `${capital(carrierName(carrier))} (${name})`
  const anyService = { name: `${whose}: any service`, value: { connectorId: id, serviceCode: undefined } }
  if (carrier === "CARRIER_B_AU" && code === undefined) return [anyService]
  return services
    .filter(({ serviceCode }) => (code ?? serviceCode) === serviceCode)
    .map(({ serviceCode, description }) => ({
      name: `${whose}: ${description} (${serviceCode})`,
      value: { connectorId: id, serviceCode } as ServiceChoice,
    }))
}
