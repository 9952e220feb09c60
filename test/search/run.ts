/** The search for `npm run search`. */
import { scenarios } from "./scenarios.ts"
import { type Dialect, searchScenario } from "./scenes.ts"
import type { Searched } from "./search.ts"
import type { Budget } from "./world.ts"

interface Part {
  name: string
  dialect: Dialect
  budget: Budget
  search(most: number): Promise<Searched>
}

/** What is searched up to a bound. @param name words in the name of scenarios; of all where there are none */
export function listParts(
  bound: "ci" | "long",
  name: string | undefined,
  dialect: string | undefined,
): Part[] {
  return scenarios
    .filter((each) => name === undefined || each.name.includes(name))
    .flatMap((scenario) =>
      (["sqlite", "postgres"] as const).flatMap((each) => {
        const budget = bound === "ci" ? scenario.bounds[each] : scenario.bounds.long
        if (!budget || (dialect !== undefined && dialect !== each)) return []
        const search = (most: number) => searchScenario(scenario, each, budget, most)
        return [{ name: scenario.name, dialect: each, budget, search }]
      }),
    )
}
