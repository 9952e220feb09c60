import type { Command } from "commander"
import { noAddress } from "../config/addresses.ts"
import { profileValue } from "../config/file.ts"
import { withoutNames } from "../config/saved.ts"
import type { Deps } from "../deps.ts"

export function define(command: Command): void {
  command
    .description("Removes saved addresses. Nothing is removed unless all of them exist.")
    .argument("<name...>", "addresses, as freight address list shows them")
}

export const examples = ["freight address remove perth"]

export async function run(deps: Deps, names: string[]): Promise<undefined> {
  const gone = new Set(names)
  await deps.config.update((config) => ({
    ...config,
    addresses: withoutNames(config.addresses, gone, noAddress),
  }))
  await deps.note(`Removed: ${[...gone].join(", ")}.`)
  for (const [profile, settings] of Object.entries(deps.config.read().profiles))
    for (const key of ["sender", "collection"] as const) {
      const named = profileValue(settings, key)
      if (named !== undefined && gone.has(named))
        await deps.warn(
          `profile '${profile}' still names '${named}' as its ${key}: freight config unset ${key} --profile ${profile}`,
        )
    }
}
