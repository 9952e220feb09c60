import type { Command } from "commander"
import { noPackage } from "../config/packages.ts"
import { withoutNames } from "../config/saved.ts"
import type { Deps } from "../deps.ts"

export function define(command: Command): void {
  command
    .description("Removes saved packages. Nothing is removed unless all of them exist.")
    .argument("<name...>", "packages, as freight package list shows them")
}

export const examples = ["freight package remove small"]

export async function run(deps: Deps, names: string[]): Promise<undefined> {
  const gone = new Set(names)
  await deps.config.update((config) => ({
    ...config,
    packages: withoutNames(config.packages, gone, noPackage),
  }))
  await deps.note(`Removed: ${[...gone].join(", ")}.`)
}
