/**
 * The walk through the steps: forward to the next open one, back to the previous one, and from the review to any of them.
 */
import { placeParts } from "../../contract/index.ts"
import { BACK } from "../../output/index.ts"
import { start } from "./begin.ts"
import { applyConsequences } from "./consequences.ts"
import type { WizardContext } from "./context.ts"
import { type Draft, getPackages, getParty, SKIPPED_UNLESS_ASKED, STEPS, type StepName } from "./draft.ts"
import type { Step } from "./step.ts"
import { extras, payer, referenceStep } from "./steps/extras.ts"
import { goods, packages } from "./steps/goods.ts"
import { collection, receiver, sender } from "./steps/party.ts"
import { rates, residential } from "./steps/rates.ts"
import { describeUnchanged, review } from "./steps/review.ts"
import { times } from "./steps/times.ts"

const ALL: Readonly<Record<StepName, Step>> = {
  start,
  sender,
  collection,
  receiver,
  packages,
  goods,
  times,
  residential,
  rates,
  payer,
  reference: referenceStep,
  extras,
  review,
}

/**
 * Asks until the person has confirmed a complete booking, or leaves it for later.
 * @returns the draft, `at` the step `send` or `later`
 */
export async function walk(first: Draft, context: WizardContext): Promise<Draft> {
  const { conversation, keep } = context
  const behind: StepName[] = []
  /** Steps that the person went back from, the nearest last: they are asked again on the way forward. */
  const ahead: StepName[] = []
  let changing: StepName | undefined
  let draft = first
  /** The last description of the order, so that it is printed once. */
  let said = ""
  const take = async (answer: Draft) => {
    const { draft: settled, notes } = applyConsequences(draft, answer)
    for (const note of notes) await conversation.warn(note)
    draft = settled
    const order = nameOrder(draft)
    if (order === undefined || order === said) return
    said = order
    const recent = await context.findRecent(draft)
    if (recent !== undefined) await conversation.warn(recent)
  }
  const findOpen = () => STEPS.find((name) => ALL[name].isOpen(draft, context))
  const enter = async (step: StepName, isBack = false) => {
    draft = { ...draft, at: { step, ...(isBack && { isBack }) } }
    await keep(draft)
    return step
  }
  await take(first)
  let step = findFirstStep(first, findOpen())
  for (;;) {
    const answer = await ALL[step].ask(draft, context)
    if (answer === BACK) {
      const before = behind.pop() ?? findStepBefore(step)
      if (before === undefined)
        await conversation.say("This is the first question. Ctrl-C stops; your answers are kept.")
      else {
        const unchanged = step === changing ? describeUnchanged(step) : undefined
        if (unchanged !== undefined) await conversation.say(unchanged)
        changing = undefined
        ahead.push(step)
        step = await enter(before, true)
      }
      continue
    }
    await take(answer)
    const wanted = draft.at?.step
    behind.push(step)
    const open = findOpen()
    // A confirmation counts for a complete booking only.
    if (wanted === "later" || (wanted === "send" && open === undefined)) return draft
    const isElsewhere = wanted !== undefined && wanted !== "send" && wanted !== step
    if (isElsewhere) ahead.length = 0
    changing = step === "review" && isElsewhere ? wanted : undefined
    step = await enter(isElsewhere ? wanted : findNextStep(ahead, open))
  }
}

function nameOrder(draft: Draft): string | undefined {
  const packages = getPackages(draft)
  const [sender, receiver] = [getParty(draft, "sender"), getParty(draft, "receiver")]
  if (!sender || !receiver || packages.length === 0) return undefined
  return JSON.stringify([placeParts(sender), placeParts(receiver), packages])
}

/** The step that the person went back from, unless an earlier one is open. */
function findNextStep(ahead: StepName[], open: StepName = "review"): StepName {
  const next = ahead.pop() ?? "review"
  return STEPS.indexOf(open) < STEPS.indexOf(next) ? open : next
}

function findStepBefore(step: StepName): StepName | undefined {
  return STEPS.slice(0, STEPS.indexOf(step)).findLast((each) => !SKIPPED_UNLESS_ASKED.includes(each))
}

/** The step where a stored draft was left, unless an earlier one is open. A confirmation has to be repeated. */
function findFirstStep({ at }: Draft, open: StepName | undefined): StepName {
  const left = at?.step === "send" || at?.step === "later" ? "review" : at?.step
  if (left === undefined) return open ?? "review"
  return open !== undefined && STEPS.indexOf(open) < STEPS.indexOf(left) ? open : left
}
