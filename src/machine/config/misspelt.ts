/** Refuses misspelt names of freight's variables: a try in the sandbox would otherwise go to the real account. */
import { FreightError } from "../../base/errors.ts"
import type { Env } from "../../base/ports.ts"
import { safeText } from "../../base/safe-text.ts"
import { suggest } from "../../base/suggest.ts"
import { OWN_VARIABLES } from "./known.ts"
import { variable } from "./settings.ts"

/** Variables that decide whether something is real, whose it is, and where it is remembered. */
const DECISIVE_VARIABLES = [
  ...["FREIGHT_SANDBOX", "FREIGHT_PROFILE", "FREIGHT_LEDGER", "FREIGHT_BASE_URL"],
  ...["FREIGHT_CONFIRM", "FREIGHT_STATE_DIR"],
]
const MAX_EDITS = 2

export function refuseMisspeltVariables(env: Env, platform: string): void {
  const known = OWN_VARIABLES.flatMap(({ names }) => names)
  for (const name of Object.keys(env)) {
    const isKnown = known.includes(platform === "win32" ? name.toUpperCase() : name)
    if (isKnown || variable(env, name) === undefined) continue
    const meant = suggest(name, DECISIVE_VARIABLES, MAX_EDITS)
    if (meant !== undefined)
      throw new FreightError(
        "config",
        `the environment has ${safeText(name, 60)}, which freight does not know: is ${meant} meant? Nothing was sent`,
        { hint: `Set ${meant} instead, or remove ${safeText(name, 60)}.` },
      )
  }
}
