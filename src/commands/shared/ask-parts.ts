/** Asking for parts of a booking that other commands need, with the wizard's own steps. */
import type { Json, JsonObject } from "../../booking/schema-fields.ts"
import { type Draft, getText, type Party } from "../../booking/wizard/draft.ts"
import { askInOrder, type Step } from "../../booking/wizard/step.ts"
import { placeQuestion } from "../../booking/wizard/steps/party.ts"
import { openWorld } from "../../booking/wizard/world.ts"
import { zoneHere } from "../../contract/wall-clock.ts"
import type { Deps } from "../../deps.ts"
import { listEarlier } from "../../lookup/earlier.ts"
import { BACK } from "../../terminal/conversation/conversation.ts"

/**
 * Asks the steps that are open, in order, until each is answered.
 * @param known what is known, in the shape of a booking
 */
export async function askParts(deps: Deps, known: JsonObject, steps: readonly Step[]): Promise<Draft> {
  const conversation = await deps.converse({ keepsAnswers: false })
  const opened = openWorld(deps, {
    zone: zoneHere(),
    sandbox: deps.globals.sandbox === true,
    dryRun: false,
    unicode: conversation.unicode,
    earlier: await listEarlier(await deps.readLedger()),
    lookUpKey: async () => ({}),
  })
  const world = { ...opened, keep: async () => {} }
  let draft: Draft = { version: 1, id: "", key: "", request: known }
  const open = steps.filter((step) => step.isOpen(draft, world))
  for (let at = 0; at < open.length; ) {
    const { at: _, ...fresh } = draft
    const answer = await open[at]?.ask(fresh, conversation, world)
    if (answer === undefined) break
    if (answer !== BACK) {
      draft = answer
      at += 1
    } else if (at > 0) at -= 1
    else await conversation.say("There is no question before this one. Ctrl-C stops.")
  }
  return draft
}

/** Where it comes from or goes to, as far as a price depends on it. */
export function placeStep(party: Party, words: string): Step {
  return {
    isOpen: (draft) => getText(draft, `${party}.postcode`) === "",
    ask: (draft, conversation, world) =>
      askInOrder(draft, party, world, [
        placeQuestion(party, conversation, { words, saved: world.addresses() }),
      ]),
  }
}

/** Objects only: what is not there is left out. */
export function known(parts: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as JsonObject
}
