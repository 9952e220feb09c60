/** Asks for parts that the command line lacks: parts of a booking, with the wizard's own steps, and a service. */
import { findConnectors } from "../booking/connector.ts"
import type { Json, JsonObject } from "../../base/json.ts"
import { createContext } from "./context.ts"
import { type Draft, getText, type Party, toDraft } from "./draft.ts"
import { askInOrder, type Step } from "./step.ts"
import { placeQuestion } from "./steps/party.ts"
import { carrierName, getCarrierFacts, toCarrier } from "../../carriers/index.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import type { Deps } from "../../session/index.ts"
import { listEarlier } from "../lookup/earlier.ts"
import { askEach, BACK, capital, insist, withoutBack } from "../../output/index.ts"

/**
 * Asks the open steps, in order, until each is answered.
 * @param known the known parts, in the shape of a booking
 */
export async function askParts(deps: Deps, known: JsonObject, steps: readonly Step[]): Promise<Draft> {
  const conversation = await deps.converse({ keepsAnswers: false })
  const context = createContext(deps, conversation, {
    sandbox: deps.globals.sandbox === true,
    earlier: await listEarlier(await deps.readLedger()),
  })
  let draft = toDraft(known)
  const questions = steps
    .filter((step) => step.isOpen(draft, context))
    .map((step) => {
      /** The question at which the step ended: going back asks it again. */
      let end: Draft["at"]
      return {
        async ask() {
          const answer = await step.ask({ ...draft, ...(end && { at: { ...end, isBack: true } }) }, context)
          if (answer === BACK) return BACK
          draft = answer
          end = answer.at
          return undefined
        },
      }
    })
  return insist(conversation, async () => (await askEach(questions)) ?? draft)
}

/** Origin or destination, as far as a price depends on it. */
export function placeStep(party: Party, words: string): Step {
  return {
    isOpen: (draft) => getText(draft, `${party}.postcode`) === "",
    ask: (draft, context) =>
      askInOrder(draft, party, context, [
        placeQuestion(party, context, { words, saved: context.addresses() }),
      ]),
  }
}

/** Keeps objects only; other values are left out. */
export function known(parts: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as JsonObject
}

interface ServiceChoice {
  connectorId: string
  /** Undefined if the carrier needs none for a standalone pickup. */
  serviceCode: string | undefined
}

/**
 * @param given parts that the command line has already
 * @returns undefined if nothing fits: the command says why
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
  if (getCarrierFacts(toCarrier(carrier))?.needsServiceForPickup === false && code === undefined)
    return [anyService]
  return services
    .filter(({ serviceCode }) => (code ?? serviceCode) === serviceCode)
    .map(({ serviceCode, description }) => ({
      name: `${whose}: ${description} (${serviceCode})`,
      value: { connectorId: id, serviceCode } as ServiceChoice,
    }))
}
