import type { Command } from "commander"
import { withoutNames } from "../config/saved.ts"
import type { Deps } from "../deps.ts"
import { noParty } from "../invoice/new/parties.ts"

export function define(command: Command): void {
  command
    .description("Removes saved suppliers and customers. Nothing is removed unless all of them are there.")
    .argument("<name...>", "parties, as freight party list has them")
}

export const examples = ["freight party remove harbour"]

export async function run(deps: Deps, names: string[]): Promise<undefined> {
  const gone = new Set(names)
  await deps.config.update((config) => ({
    ...config,
    parties: withoutNames(config.parties ?? {}, gone, noParty),
  }))
  await deps.note(`Removed: ${[...gone].join(", ")}.`)
}
