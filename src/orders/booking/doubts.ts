/** Refusals that protect from wasted money: at a terminal the person is asked to confirm instead. */
import { FreightError } from "../../base/errors.ts"
import { NO_ANSWER } from "./carrier-rates.ts"
import { TOO_LATE } from "./preferences.ts"
import { type Allowances, findAllowance, saysFix } from "../../contract/index.ts"
import type { Asking, Session } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"

export const BOOK_LATE = "Book it anyway, although it may go later?"

const DOUBTS: readonly { question: string; allowance: keyof Allowances }[] = [
  { question: "Are these sizes and weights right?", allowance: "allowDensity" },
  { question: "Are these places right?", allowance: "acceptPlaces" },
  { question: "Are the goods ready by then?", allowance: "allowPast" },
  { question: BOOK_LATE, allowance: "pastCutoff" },
  { question: "Choose from the carriers that answered?", allowance: "withoutMissing" },
]

function getAllowance(code = ""): keyof Allowances | undefined {
  if (code === TOO_LATE) return "pastCutoff"
  return code === NO_ANSWER ? "withoutMissing" : findAllowance(code)
}

/** Flags that the work reads. `fixPlaces`, once set, makes it correct places as `--fix-places` does. */
type Allowed = Allowances & { fixPlaces?: boolean | undefined }

/**
 * Does some work that may refuse unusual values. If nothing else is wrong and the person confirms, does it once more.
 * @param allowed the flags that the work reads
 */
export async function askAboutDoubts<T>(
  deps: Asking & Session,
  allowed: Allowed,
  work: () => Promise<T>,
  { fixesPlaces = false }: { fixesPlaces?: boolean } = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const doubts = findDoubts(error)
    if (!mayAsk(deps) || doubts.length === 0 || !(error instanceof FreightError)) throw error
    for (const { question, allowance } of doubts) {
      for (const { code, message } of error.errors ?? [])
        if (getAllowance(code) === allowance) await deps.warn(message)
      const isFixed =
        fixesPlaces &&
        !allowed.fixPlaces &&
        allowance === "acceptPlaces" &&
        (error.errors ?? []).some(isFixable)
      const answer = await (isFixed ? askAboutFix(deps, question) : confirmDoubt(deps, question))
      if (answer === "no") throw error
      if (answer === "fix") {
        allowed.fixPlaces = true
        // Then asks about the places that it does not fix.
        return askAboutDoubts(deps, allowed, work, { fixesPlaces })
      }
      Object.assign(allowed, { [allowance]: allowance === "allowPast" ? true : "told" })
    }
    return work()
  }
}

function findDoubts(error: unknown): typeof DOUBTS {
  const errors = (error instanceof FreightError && error.errors) || []
  const allowances = errors.map(({ code }) => getAllowance(code))
  return allowances.includes(undefined)
    ? []
    : DOUBTS.filter(({ allowance }) => allowances.includes(allowance))
}

type DoubtAnswer = "meant" | "fix" | "no"

const isFixable = ({ message }: { message: string }) => saysFix(message)

async function confirmDoubt(deps: Asking & Session, question: string): Promise<DoubtAnswer> {
  return (await (await deps.prompt()).confirm(question, false)) ? "meant" : "no"
}

async function askAboutFix(deps: Asking & Session, question: string): Promise<DoubtAnswer> {
  return (await deps.prompt()).choose<DoubtAnswer>(question, [
    { name: "No, write them as --fix-places does", value: "fix" },
    { name: "Yes, take them as they are", value: "meant" },
    { name: "No, stop and send nothing", value: "no" },
  ])
}
