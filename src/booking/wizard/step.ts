/** What a step is, and how its questions follow each other. */
import { BACK, type Back, type Conversation } from "../../terminal/conversation/conversation.ts"
import type { Draft, StepName } from "./draft.ts"
import type { World } from "./world.ts"

export interface Step {
  /** Its answer is missing, or does not hold any more. */
  isOpen(draft: Draft, world: Pick<World, "now">): boolean
  /** Asks; BACK when the person steps back from its first question. */
  ask(draft: Draft, conversation: Conversation, world: World): Promise<Draft | Back>
}

export interface Question {
  name: string
  /** Whether it is asked at all. */
  when?(draft: Draft): boolean
  ask(draft: Draft): Promise<Draft | Back>
}

/**
 * Asks the questions of a step in order, from the one that the draft was left at. Back goes to the one before; the draft
 * is kept before each, and so after every answer.
 */
export async function inOrder(
  draft: Draft,
  step: StepName,
  world: Pick<World, "keep">,
  questions: readonly Question[],
): Promise<Draft | Back> {
  const { at: left } = draft
  let at =
    left?.step === step
      ? Math.max(
          0,
          questions.findIndex(({ name }) => name === left.question),
        )
      : 0
  let known = draft
  for (;;) {
    const question = questions[at]
    if (!question) return { ...known, at: { step } }
    if (question.when?.(known) === false) {
      at += 1
      continue
    }
    known = { ...known, at: { step, question: question.name } }
    await world.keep(known)
    const answer = await question.ask(known)
    if (answer !== BACK) {
      known = answer
      at += 1
      continue
    }
    const before = questions.slice(0, at).findLastIndex(({ when }) => when?.(known) !== false)
    if (before < 0) return BACK
    at = before
  }
}

/** Goes to a step next, whatever is open. */
export function goTo(draft: Draft, step: StepName | "send"): Draft {
  return { ...draft, at: { step } }
}
