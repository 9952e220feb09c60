/** What is refused because it would spend money for nothing, or more than it need: at a terminal the person is asked whether it is meant. */
import { FreightError } from "../../base/errors.ts"
import { NO_ANSWER } from "./carrier-rates.ts"
import { TOO_LATE } from "./preferences.ts"
import type { Allowances } from "../../contract/collection-times.ts"
import { BEFORE_READY, DENSITY, PLACE_RULES } from "../../contract/request-rules.ts"
import type { Asking, Session } from "../../command/deps.ts"
import { mayAsk } from "../../command/may-ask.ts"

/** The question about what is too late for what was wished. */
export const BOOK_LATE = "Book it all the same, although it may go later?"

/** What may be meant, by the codes of its errors. */
const DOUBTS: readonly { codes: readonly string[]; question: string; allowance: keyof Allowances }[] = [
  { codes: [DENSITY], question: "Are these sizes and weights right?", allowance: "allowDensity" },
  { codes: PLACE_RULES, question: "Are these places right?", allowance: "acceptPlaces" },
  { codes: [BEFORE_READY], question: "Are the goods ready by then?", allowance: "allowPast" },
  { codes: [TOO_LATE], question: BOOK_LATE, allowance: "pastCutoff" },
  { codes: [NO_ANSWER], question: "Choose from the carriers that answered?", allowance: "withoutMissing" },
]

/**
 * Does some work that refuses what may not be meant; where nothing else is wrong and the person means it, once more.
 * @param allowed the flags that the work goes by
 */
export async function askAboutDoubts<T>(
  deps: Asking & Session,
  allowed: Allowances,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const doubts = findDoubts(error)
    if (!mayAsk(deps) || doubts.length === 0 || !(error instanceof FreightError)) throw error
    for (const { codes, question, allowance } of doubts) {
      for (const { code = "", message } of error.errors ?? [])
        if (codes.includes(code)) await deps.warn(message)
      if (!(await (await deps.prompt()).confirm(question, false))) throw error
      Object.assign(allowed, { [allowance]: allowance === "allowPast" ? true : "told" })
    }
    return work()
  }
}

/** The doubts that an error is about; none where anything else is wrong. */
function findDoubts(error: unknown): typeof DOUBTS {
  const codes = ((error instanceof FreightError && error.errors) || []).map(({ code = "" }) => code)
  const isDoubt = (code: string) => DOUBTS.some((each) => each.codes.includes(code))
  return codes.every(isDoubt) ? DOUBTS.filter((each) => each.codes.some((code) => codes.includes(code))) : []
}
