/** The walk through the steps: on to what is open, back to where one came from, and from the review to any of them. */
import { BACK, type Conversation } from "../../terminal/conversation/conversation.ts"
import { applyConsequences } from "./consequences.ts"
import { type Draft, STEPS, type StepName } from "./draft.ts"
import type { Step } from "./step.ts"
import { review } from "./steps/review.ts"
import { extras, payer, reference } from "./steps/extras.ts"
import { goods, packages } from "./steps/goods.ts"
import { homes, rates } from "./steps/rates.ts"
import { collection, receiver, sender } from "./steps/party.ts"
import { times } from "./steps/times.ts"
import type { World } from "./world.ts"

const ALL: Readonly<Record<StepName, Step>> = {
  sender,
  collection,
  receiver,
  packages,
  goods,
  times,
  homes,
  rates,
  payer,
  reference,
  extras,
  review,
}

/**
 * Asks until the person has confirmed a booking of which nothing is open, or leaves it for later.
 * @returns the draft, `at` the step `send` or `later`
 * @throws FreightError `interrupted` when the person leaves: the draft is kept as it then was
 */
export async function walk(start: Draft, conversation: Conversation, world: World): Promise<Draft> {
  const trail: StepName[] = []
  let draft = start
  const take = async (answer: Draft) => {
    const { draft: settled, said } = applyConsequences(draft, answer)
    for (const line of said) await conversation.warn(line)
    draft = settled
  }
  const firstOpen = () => STEPS.find((name) => ALL[name].isOpen(draft, world))
  await take(start)
  let next = findFirstStep(start, firstOpen())
  for (;;) {
    const answer = await ALL[next].ask(draft, conversation, world)
    if (answer === BACK) {
      const before = trail.pop() ?? STEPS[STEPS.indexOf(next) - 1]
      if (before === undefined)
        await conversation.say("This is the first question. Ctrl-C stops; your answers are kept.")
      else next = before
      draft = { ...draft, at: { step: next } }
      await world.keep(draft)
      continue
    }
    await take(answer)
    const wanted = draft.at?.step
    trail.push(next)
    const open = firstOpen()
    // A confirmation counts for a whole booking only.
    if (wanted === "later" || (wanted === "send" && open === undefined)) return draft
    next = wanted !== undefined && wanted !== "send" && wanted !== next ? wanted : (open ?? "review")
    draft = { ...draft, at: { step: next } }
    await world.keep(draft)
  }
}

/** Where a kept draft was left, unless something before that is open. What was confirmed is looked at again. */
function findFirstStep({ at }: Draft, open: StepName | undefined): StepName {
  const left = at?.step === "send" || at?.step === "later" ? "review" : at?.step
  if (left === undefined) return open ?? "review"
  return open !== undefined && STEPS.indexOf(open) < STEPS.indexOf(left) ? open : left
}
