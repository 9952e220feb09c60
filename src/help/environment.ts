import { variable } from "../config/settings.ts"
import { OWN_VARIABLES, SHARED_VARIABLES, type Variable } from "../config/known.ts"
import type { Deps } from "../deps.ts"
import type { Block } from "./page.ts"

export function topic({ env }: Deps): Block[] {
  const rows = (variables: readonly Variable[]) =>
    variables.map(({ names, title }): [string, string] => [
      names.join(", "),
      names.some((name) => variable(env, name) !== undefined) ? `${title} (set here)` : title,
    ])
  return [
    {
      text: "A flag beats a variable, a variable beats the profile, the profile beats the default. An empty variable counts as not set.",
    },
    { heading: "Of freight:", list: rows(OWN_VARIABLES) },
    { heading: "Of the network, the terminal and the system:", list: rows(SHARED_VARIABLES) },
    {
      text: "A key in the environment is sent to the address in the environment: set both, or neither.",
    },
    { heading: "What is used here, and where each value comes from:", lines: ["freight config list"] },
  ]
}
