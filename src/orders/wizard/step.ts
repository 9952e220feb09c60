/** The steps of the wizard, the order of their questions, and asking for a field of the list. */
import { BACK, type Back } from "../../output/index.ts"
import { answerText, type Field, readAnswer } from "./field.ts"
import { isObject, type Json, type JsonObject } from "../../base/json.ts"
import { type Parsed, refused } from "../../base/parsed.ts"
import type { WallClock } from "../../base/wall-clock.ts"
import type { WizardContext } from "./context.ts"
import { type Destination, type Draft, getAnswer, setAnswer, type StepName } from "./draft.ts"

export interface Step {
  /** Its answer is missing, or no longer valid. */
  isOpen(draft: Draft, context: Pick<WizardContext, "now" | "earlier">): boolean
  /** Asks; BACK if the person goes back from its first question. */
  ask(draft: Draft, context: WizardContext): Promise<Draft | Back>
}

interface Asker extends Pick<WizardContext, "conversation"> {
  /** The clock for reading `sat 28/11`. */
  clock?: () => WallClock
  /** The error that rules of the whole form find for the field at a path; undefined if none. */
  findProblem?(draft: Draft, path: string): string | undefined
}

export interface Question {
  name: string
  when?(draft: Draft): boolean
  ask(draft: Draft): Promise<Draft | Back>
}

/**
 * Asks the questions of a step in order, from the one that the draft was left at; after going back to the step, from the
 * last. Back goes to the previous question. The draft is stored before each, and so after every answer.
 */
export async function askInOrder(
  draft: Draft,
  step: StepName,
  { keep }: Pick<WizardContext, "keep">,
  questions: readonly Question[],
): Promise<Draft | Back> {
  const { at: left } = draft
  const isLeft = ({ name }: Question) => left?.step === step && name === left.question
  const findLastBefore = (end: number) =>
    questions.slice(0, end).findLastIndex(({ when }) => when?.(known) !== false)
  let known = draft
  let at = Math.max(
    0,
    left?.step === step && left.isBack ? findLastBefore(questions.length) : questions.findIndex(isLeft),
  )
  for (;;) {
    const question = questions[at]
    if (!question) return goTo(known, step)
    if (question.when?.(known) === false) {
      at += 1
      continue
    }
    known = { ...known, at: { step, question: question.name } }
    await keep(known)
    const answer = await question.ask(known)
    if (answer === BACK) at = findLastBefore(at)
    else {
      known = answer
      at += 1
    }
    if (at < 0) return BACK
  }
}

export function goTo(draft: Draft, step: Destination): Draft {
  return { ...draft, at: { step } }
}

export async function unlessBack<T, U>(
  asked: Promise<T | Back>,
  next: (answer: T) => U | Promise<U>,
): Promise<U | Back> {
  const answer = await asked
  return answer === BACK ? BACK : next(answer)
}

/**
 * A question for one field at a path; an empty answer removes an optional one.
 * @param lastTime an earlier request, whose answer is offered if there is none yet
 */
export function fieldQuestion(
  field: Field,
  path: string,
  context: Asker,
  lastTime?: Record<string, unknown>,
): Question {
  return {
    name: path,
    ask(draft) {
      if (field.split) return askSplit(field, path, draft, context)
      const current = getAnswer(draft, path) ?? (lastTime?.[path] as Json | undefined)
      const asked = askField(field, path, current, context, draft)
      return unlessBack(asked, (answer) => setAnswer(draft, path, answer))
    },
  }
}

/** One answer for several fields under the path's parent. */
function askSplit(field: Field, path: string, draft: Draft, context: Asker): Promise<Draft | Back> {
  const { fields = [], write } = field.split ?? {}
  const whole = path.replace(/\.[^.]*$/, "")
  const known = getAnswer(draft, whole)
  const initial = isObject(known) ? (write?.(known) ?? "") : ""
  return unlessBack(askText(field, path, initial, context), (value) => {
    const values: JsonObject = isObject(value) ? value : {}
    return fields.reduce((next, name) => setAnswer(next, `${whole}.${name}`, values[name]), draft)
  })
}

function askText(
  field: Field,
  path: string,
  initial: string,
  { conversation, clock, findProblem }: Asker,
  draft?: Draft,
): Promise<Json | undefined | Back> {
  const { words, optional, hint } = field
  const read = (typed: string): Parsed<Json> => {
    const answer = readAnswer(field, path, typed, clock && { now: clock })
    if (!answer.ok || draft === undefined) return answer
    const problem = findProblem?.(setAnswer(draft, path, answer.value ?? undefined), path)
    return problem === undefined ? answer : refused(problem)
  }
  const asked = conversation.text(`${words}${optional ? " (optional)" : ""}`, { initial, hint, check: read })
  return unlessBack(asked, (text) => {
    const answer = read(text)
    return answer.ok && answer.value !== null ? answer.value : undefined
  })
}

/**
 * @param draft in which the answer is checked, if the asker checks any
 * @returns undefined for an empty answer
 */
export async function askField(
  field: Field,
  path: string,
  current: Json | undefined,
  context: Asker,
  draft?: Draft,
): Promise<Json | undefined | Back> {
  const { words, answer, optional } = field
  if (answer?.kind === "yes") return context.conversation.confirm(`${words}?`, current === true)
  if (answer?.kind !== "one") return askText(field, path, answerText(field, current), context, draft)
  const choices = answer.of.map(([value, name]) => ({ name, value }))
  const none = optional ? [{ name: "none", value: "" }] : []
  const initial = typeof current === "string" ? current : optional && ""
  const chosen = await context.conversation.choose<string>(words, [...choices, ...none], initial)
  return chosen === "" ? undefined : chosen
}
