import type { Command } from "commander"
import { type Config, profileNamed } from "../config/file.ts"
import { noProfile } from "../config/resolve.ts"
import type { Deps } from "../deps.ts"

export function define(command: Command): void {
  command
    .description(
      "Removes a profile with its keys and settings from this machine. The account is not touched.",
    )
    .argument("<name>", "a profile, as freight profile list shows it")
}

export const examples = ["freight profile remove wholesale"]

export async function run(deps: Deps, name: string): Promise<undefined> {
  await deps.config.update((config) => without(config, name))
  await deps.note(`Profile '${name}' is removed.`)
  const { current } = deps.config.read()
  if (current === undefined)
    await deps.note("No profile is in use now: freight profile use NAME chooses one.")
}

function without(config: Config, name: string): Config {
  if (!profileNamed(config, name)) throw noProfile(config, name)
  const { current, profiles, ...rest } = config
  return {
    ...rest,
    ...(current !== undefined && current !== name && { current }),
    profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
  }
}
