/** Questions to the person at the terminal, drawn on standard error. Loaded when the first is asked. */
import { confirm, input, password, select } from "@inquirer/prompts"
import type { Parsed } from "../contract/parsed.ts"
import { safeText } from "../contract/safe-text.ts"
import { ask as asking, type Streams } from "./asking.ts"

interface TextOptions {
  /** The answer when nothing is typed. */
  initial?: string
  /** Says no with a reason; the question is then asked again. Gets the answer without blanks around it. */
  check?: (answer: string) => Parsed<unknown>
}

export interface Choice<T> {
  name: string
  value: T
  /** Shown below the list while the choice is the highlighted one. */
  description?: string
  /** Why it cannot be chosen; shown beside it. */
  disabled?: string
}

/** Every question throws FreightError `interrupted` when it is left with Ctrl-C or Ctrl-D, or the terminal goes away. */
export interface Prompter {
  text(question: string, options?: TextOptions): Promise<string>
  /** What is typed is never shown. */
  secret(question: string, options?: Pick<TextOptions, "check">): Promise<string>
  confirm(question: string, initial: boolean): Promise<boolean>
  /** One of several; `initial` is the value that is highlighted first. */
  choose<T>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T>
}

export function createPrompter(streams: Streams): Prompter {
  const ask = <T>(question: (context: Streams) => Promise<T>) => asking(streams, question)
  const message = (question: string) => safeText(question, 200)

  return {
    async text(question, { initial, check } = {}) {
      const answer = await ask((context) =>
        input(
          {
            message: message(question),
            ...(initial !== undefined && { default: initial }),
            validate: validation(check),
          },
          context,
        ),
      )
      return answer.trim()
    },
    async secret(question, { check } = {}) {
      const answer = await ask((context) =>
        password({ message: message(question), toggleMask: false, validate: validation(check) }, context),
      )
      return answer.trim()
    },
    confirm: (question, initial) =>
      ask((context) => confirm({ message: message(question), default: initial }, context)),
    choose: (question, choices, initial) =>
      ask((context) =>
        select(
          {
            message: message(question),
            choices: choices.map(({ name, value, description, disabled }) => ({
              name: safeText(name, 200),
              value,
              ...(disabled !== undefined && { disabled: safeText(disabled) }),
              ...(description !== undefined && { description: safeText(description) }),
            })),
            ...(initial !== undefined && { default: initial }),
          },
          context,
        ),
      ),
  }
}

/** A check in the form that the prompts take. */
function validation(check: TextOptions["check"]): (answer: string) => true | string {
  return (answer) => {
    const result = check?.(answer.trim())
    return !result || result.ok || result.reason
  }
}
