import type { Command } from "commander"
import { noPackage } from "../config/packages.ts"
import type { Deps } from "../deps.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description("Removes saved packages. Nothing is removed unless all of them are there.")
    .argument("<name...>", "packages, as freight package list has them")
    .addHelpText("after", examples("freight package remove small"))
    .action(act(run))
}

async function run(deps: Deps, names: string[]): Promise<undefined> {
  const gone = new Set(names)
  await deps.config.update((config) => {
    for (const name of gone)
      if (!Object.hasOwn(config.packages, name)) throw noPackage(Object.keys(config.packages), name)
    const kept = Object.entries(config.packages).filter(([name]) => !gone.has(name))
    return { ...config, packages: Object.fromEntries(kept) }
  })
  await deps.note(`Removed: ${[...gone].join(", ")}.`)
  return
}
