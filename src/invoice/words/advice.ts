/** How messages quote what is there; and the right answer, stated once: in words, and as what takes the value's place. */
import { safeText } from "../../contract/safe-text.ts"
import type { Advice, Fix } from "../finding.ts"

/** Longest text that a message quotes, in characters. */
export const LONGEST_QUOTE = 40
/** Choices beyond this many are not listed in a sentence. */
export const MOST_CHOICES = 16

export function quoteShort(text: string | undefined): string {
  return `"${safeText(text ?? "", LONGEST_QUOTE)}"`
}

/** Longest text that a hint shows whole, in characters. */
const LONGEST = 100

interface Saying {
  safety?: Fix["safety"]
  /** The words before the answer. */
  lead?: string
  /** The words after it. */
  more?: string
}

/** A text in double quotes: `write "AUD"`. */
export function adviseText(
  text: string,
  { safety = "safe", lead = "write", more = "" }: Saying = {},
): Advice {
  return {
    hint: `${lead} "${safeText(text, LONGEST)}"${more}`,
    answer: { safety, value: JSON.stringify(text) },
  }
}

/** A number, or true or false, as it is written: `write 40.15 without quotes`. */
export function adviseLiteral(
  literal: string,
  { safety = "safe", lead = "write", more = "" }: Saying = {},
): Advice {
  return { hint: `${lead} ${literal}${more}`, answer: { safety, value: literal } }
}

/** A choice that was probably meant. */
export function adviseChoice(choice: string, safety: Fix["safety"]): Advice {
  return adviseText(choice, { safety, lead: "did you mean", more: "?" })
}
