/** A conversation whose answers stand in a script: each is for the question that has its words in it. */
import { stripVTControlCharacters } from "node:util"
import {
  BACK,
  type Back,
  type Conversation,
  type TextOptions,
} from "../../../src/output/terminal/conversation/conversation.ts"
import type { Choice } from "../../../src/output/terminal/conversation/conversation.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { findApiWords } from "../../api-words.ts"

/** The person presses Ctrl-C. */
export const LEAVE = Symbol("leave")
/** The person takes what is highlighted, or what stands in the line already. */
export const ENTER = Symbol("enter")

/** Typed text, words of the choice, yes or no. `type`: what is typed to find a choice. */
export type Reply = string | boolean | Back | typeof LEAVE | typeof ENTER | { type: string; take: string }
export type Line = readonly [question: string, reply: Reply]

interface Scripted extends Conversation {
  /** All that was said. */
  said: string[]
  /** Every question, with its choices. */
  asked: (TextOptions & { question: string; choices: string[] })[]
  /** Why answers were refused. */
  refusals: string[]
  /** The lines that were not come to. */
  left: Line[]
}

export function scripted(lines: readonly Line[], options: Partial<Conversation> = {}): Scripted {
  const left = [...lines]
  const said: string[] = []
  const asked: Scripted["asked"] = []
  const refusals: string[] = []

  /** Whatever a person reads in any test of the conversation. */
  const read = (text: string) => {
    // A list of columns explains what a connector is, a question does not.
    const words = [...findApiWords(text), ...(/\bconnectors?\b(?!-)/.exec(text) ?? [])]
    if (words.length > 0) throw new Error(`"${text}" has words of the API: ${words.join(", ")}`)
    return text
  }
  const reply = (
    question: string,
    choices: readonly Choice<unknown>[] = [],
    options: TextOptions = {},
  ): Exclude<Reply, typeof LEAVE> => {
    const shown = choices.flatMap(({ name, description = "", disabled = "" }) => [
      name,
      description,
      disabled,
    ])
    for (const text of [question, options.hint ?? "", ...shown]) read(text)
    asked.push({ ...options, question, choices: choices.map(({ name }) => name) })
    const next = left.shift()
    if (!next) throw new Error(`no answer is left for: ${question}`)
    if (!question.includes(next[0])) throw new Error(`asked "${question}", and the script has "${next[0]}"`)
    if (next[1] === LEAVE) throw new FreightError("interrupted", "interrupted")
    return next[1]
  }
  const oneOf = <T>(
    question: string,
    choices: readonly Choice<T>[],
    answer: Reply,
    initial?: T,
  ): T | Back => {
    if (answer === BACK) return BACK
    if (answer === ENTER) {
      const first =
        choices.find(({ value }) => value === initial) ?? choices.find(({ disabled }) => !disabled)
      if (!first) throw new Error(`nothing can be chosen: ${question}`)
      return first.value
    }
    const words = typeof answer === "object" ? answer.take : String(answer)
    const found = choices.find(({ name }) => name.includes(words))
    if (!found) throw new Error(`"${words}" is none of: ${choices.map(({ name }) => name).join(" | ")}`)
    if (found.disabled) throw new Error(`"${found.name}" cannot be chosen: ${found.disabled}`)
    return found.value
  }

  return {
    plain: false,
    columns: 80,
    unicode: true,
    said,
    asked,
    refusals,
    left,
    async text(question, options: TextOptions = {}) {
      const { initial = "", check } = options
      for (;;) {
        const answer = reply(question, [], options)
        if (answer === BACK) return BACK
        const text = answer === ENTER ? initial : String(answer)
        const result = check?.(text)
        if (!result || result.ok) return text
        refusals.push(read(result.reason))
      }
    },
    async confirm(question, initial) {
      const answer = reply(question)
      return answer === BACK ? BACK : answer === ENTER ? initial : answer === true
    },
    async choose(question, choices, initial) {
      return oneOf(question, choices, reply(question, choices), initial)
    },
    async pick(question, find) {
      const answer = reply(question, find(""))
      const typed = typeof answer === "object" ? answer.type : ""
      return oneOf(question, find(typed), answer)
    },
    async during(_, work) {
      return work((line) => said.push(read(line)))
    },
    async say(text) {
      said.push(read(stripVTControlCharacters(text)))
    },
    async warn(text) {
      said.push(read(text))
    },
    ...options,
  }
}
