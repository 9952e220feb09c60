/** Asking for a field of the list. */
import { BACK, type Back, type Conversation } from "../../terminal/conversation.ts"
import { answerText, type Field, readAnswer } from "../field.ts"
import type { Json } from "../set.ts"
import { answerAt, answered } from "./draft.ts"
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
      const answer = await askField({ ...field, words }, path, answerAt(draft, path), conversation)
      return answer === BACK ? BACK : answered(draft, path, answer)
    },
  }
}

/** @returns undefined for nothing */
export async function askField(
  field: Field,
  path: string,
  current: Json | undefined,
  conversation: Conversation,
): Promise<Json | undefined | Back> {
  const { words, answer, optional, hint } = field
  if (answer?.kind === "yes") return conversation.confirm(`${words}?`, current === true)
  if (answer?.kind === "one") {
    const choices = answer.of.map(([value, name]) => ({ name, value }))
    const none = optional ? [{ name: "none", value: "" }] : []
    const initial = typeof current === "string" ? current : optional && ""
    const chosen = await conversation.choose<string>(words, [...none, ...choices], initial)
    return chosen === "" ? undefined : chosen
  }
  const initial = answerText(field, current)
  const text = await conversation.text(`${words}${optional ? " (optional)" : ""}`, {
    ...(initial !== "" && { initial }),
    ...(hint !== undefined && { hint }),
    check: (typed) => readAnswer(field, path, typed),
  })
  if (text === BACK) return BACK
  const read = readAnswer(field, path, text)
  return read.ok && read.value !== null ? read.value : undefined
}
