/** Asking for a field of the list. */
import { BACK, type Back, type Conversation } from "../../terminal/conversation/conversation.ts"
import { answerText, type Field, isObject, readAnswer } from "../field.ts"
import type { Json, JsonObject } from "../set.ts"
import { answerAt, answered, type Draft } from "./draft.ts"
import type { Question } from "./step.ts"

/** A question for one field at a path; an empty answer takes an optional one out. */
export function fieldQuestion(
  field: Field,
  path: string,
  conversation: Conversation,
  about?: string,
): Question {
  const words = about === undefined ? field.words : `${about}: ${field.words.toLowerCase()}`
  return {
    name: path,
    async ask(draft) {
      if (field.split) return askSplit({ ...field, words }, path, draft, conversation)
      const answer = await askField({ ...field, words }, path, answerAt(draft, path), conversation)
      return answer === BACK ? BACK : answered(draft, path, answer)
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
  const known = answerAt(draft, whole)
  const initial = isObject(known) ? (write?.(known) ?? "") : ""
  const text = await askText(field, path, initial, conversation)
  if (text === BACK) return BACK
  const read = readAnswer(field, path, text)
  const values: JsonObject = read.ok && isObject(read.value) ? read.value : {}
  return fields.reduce((next, name) => answered(next, `${whole}.${name}`, values[name]), draft)
}

function askText(
  field: Field,
  path: string,
  initial: string,
  conversation: Conversation,
): Promise<string | Back> {
  const { words, optional, hint } = field
  return conversation.text(`${words}${optional ? " (optional)" : ""}`, {
    ...(initial !== "" && { initial }),
    ...(hint !== undefined && { hint }),
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
