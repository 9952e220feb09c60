/** What a step is, how its questions follow each other, and asking for a field of the list. */
import { BACK, type Back, type Conversation } from "../../terminal/conversation/conversation.ts"
import { answerText, type Field, readAnswer } from "../../contract/fields/field.ts"
import { isObject } from "../../contract/fields/json.ts"
import type { Json, JsonObject } from "../../contract/fields/json.ts"
import { getAnswer, setAnswer, type Draft, type Place, type StepName } from "./draft.ts"
import type { World } from "./world.ts"

export interface Step {
  /** Its answer is missing, or does not hold any more. */
  isOpen(draft: Draft, world: Pick<World, "now">): boolean
  /** Asks; BACK when the person steps back from its first question. */
  ask(draft: Draft, conversation: Conversation, world: World): Promise<Draft | Back>
}

export interface Question {
  name: string
  when?(draft: Draft): boolean
  ask(draft: Draft): Promise<Draft | Back>
}

/**
 * Asks the questions of a step in order, from the one that the draft was left at. Back goes to the one before; the draft
 * is kept before each, and so after every answer.
 */
export async function askInOrder(
  draft: Draft,
  step: StepName,
  world: Pick<World, "keep">,
  questions: readonly Question[],
): Promise<Draft | Back> {
  const { at: left } = draft
  const isLeft = ({ name }: Question) => left?.step === step && name === left.question
  let at = Math.max(0, questions.findIndex(isLeft))
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
export function goTo(draft: Draft, step: Place): Draft {
  return { ...draft, at: { step } }
}

/**
 * A question for one field at a path; an empty answer takes an optional one out.
 * @param lastTime an earlier request, whose answer is offered where there is none yet
 */
export function fieldQuestion(
  field: Field,
  path: string,
  conversation: Conversation,
  { lastTime }: { lastTime?: Record<string, unknown> | undefined } = {},
): Question {
  return {
    name: path,
    async ask(draft) {
      if (field.split) return askSplit(field, path, draft, conversation)
      const current = getAnswer(draft, path) ?? (lastTime?.[path] as Json | undefined)
      const answer = await askField(field, path, current, conversation)
      return answer === BACK ? BACK : setAnswer(draft, path, answer)
    },
  }
}

/** One answer for several fields of what the path is a part of. */
async function askSplit(
  field: Field,
  path: string,
  draft: Draft,
  conversation: Conversation,
): Promise<Draft | Back> {
  const { fields = [], write } = field.split ?? {}
  const whole = path.replace(/\.[^.]*$/, "")
  const known = getAnswer(draft, whole)
  const initial = isObject(known) ? (write?.(known) ?? "") : ""
  const text = await askText(field, path, initial, conversation)
  if (text === BACK) return BACK
  const read = readAnswer(field, path, text)
  const values: JsonObject = read.ok && isObject(read.value) ? read.value : {}
  return fields.reduce((next, name) => setAnswer(next, `${whole}.${name}`, values[name]), draft)
}

function askText(
  field: Field,
  path: string,
  initial: string,
  conversation: Conversation,
): Promise<string | Back> {
  const { words, optional, hint } = field
  return conversation.text(`${words}${optional ? " (optional)" : ""}`, {
    initial,
    hint,
    check: (typed) => readAnswer(field, path, typed),
  })
}

/** @returns undefined for nothing */
export async function askField(
  field: Field,
  path: string,
  current: Json | undefined,
  conversation: Conversation,
): Promise<Json | undefined | Back> {
  const { words, answer, optional } = field
  if (answer?.kind === "yes") return conversation.confirm(`${words}?`, current === true)
  if (answer?.kind === "one") {
    const choices = answer.of.map(([value, name]) => ({ name, value }))
    const none = optional ? [{ name: "none", value: "" }] : []
    const initial = typeof current === "string" ? current : optional && ""
    const chosen = await conversation.choose<string>(words, [...none, ...choices], initial)
    return chosen === "" ? undefined : chosen
  }
  const text = await askText(field, path, answerText(field, current), conversation)
  if (text === BACK) return BACK
  const read = readAnswer(field, path, text)
  return read.ok && read.value !== null ? read.value : undefined
}
