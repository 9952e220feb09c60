/** Quotes values in messages, and states a fix once: in words, and as the value to write instead. */
import { safeText } from "../../base/safe-text.ts"

/** `safe`: there is one right answer, and the document says it. `suggestion`: a person has to agree. */
export type Safety = "safe" | "suggestion"

/** The right answer to an error, if there is one. */
export type Answer = { safety: Safety } & (
  | {
      /** JSON text that replaces the value. */
      value: string
    }
  | {
      /** The given name of a field, and the right one. The error's pointer is their object's. */
      rename: readonly [from: string, to: string]
    }
  | {
      /** Remove the value and its name; put the value into a list; or take it out of a list of one. */
      does: "remove" | "wrap" | "unwrap"
    }
)

export interface Advice {
  hint?: string | undefined
  answer?: Answer | undefined
}

/** The error, and its fix if one is obvious. */
export interface Explanation extends Advice {
  message: string
}

/** Longest number or code that a message repeats, in characters. */
export const MAX_QUOTE_LENGTH = 40
/** Choices beyond this many are not listed in a sentence. */
export const MAX_CHOICES = 16
/** Longest text that a hint shows whole, in characters. */
const MAX_HINT_LENGTH = 100

interface Wording {
  safety?: Safety
  /** The words before the answer. */
  lead?: string
  /** The words after it. */
  more?: string
}

export function adviseText(
  text: string,
  { safety = "safe", lead = "write", more = "" }: Wording = {},
): Advice {
  return {
    hint: `${lead} "${safeText(text, MAX_HINT_LENGTH)}"${more}`,
    answer: { safety, value: JSON.stringify(text) },
  }
}

/** A number, or true or false, as it is written: `write 40.15 without quotes`. */
export function adviseLiteral(
  literal: string,
  { safety = "safe", lead = "write", more = "" }: Wording = {},
): Advice {
  return { hint: `${lead} ${literal}${more}`, answer: { safety, value: literal } }
}

/** A choice that was probably meant. */
export function adviseChoice(choice: string, safety: Safety): Advice {
  return adviseText(choice, { safety, lead: "did you mean", more: "?" })
}
