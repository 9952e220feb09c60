/** Packages whose weight does not fit their size: at a terminal the person is asked whether they are meant. */
import type { Allowances } from "../../contract/collection-times.ts"
import { DENSITY } from "../../contract/request-rules.ts"
import type { Asking, Session } from "../../deps.ts"
import { FreightError } from "../../base/errors.ts"

type Needs = Asking & Session

/**
 * Does some work that refuses such packages; where nothing else is wrong and the person means them, once more.
 * @param allowed the flags that the work goes by
 */
export async function askAboutDensity<T>(
  deps: Needs,
  allowed: Allowances,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!mayAsk(deps) || !isDensityError(error)) throw error
    for (const { message } of error.errors ?? []) await deps.warn(message)
    if (!(await (await deps.prompt()).confirm("Are these sizes and weights right?", false))) throw error
    allowed.allowDensity = "told"
    return work()
  }
}

/** Whether a person is at the terminal, and has not said `--yes`. */
export function mayAsk({ interactive, output, globals }: Needs): boolean {
  return interactive && output.format === "table" && !globals.yes
}

function isDensityError(error: unknown): error is FreightError {
  const errors = (error instanceof FreightError && error.errors) || []
  return errors.length > 0 && errors.every(({ code }) => code === DENSITY)
}
