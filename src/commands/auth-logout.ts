import type { Command } from "commander"
import { type Config, profileNamed, withProfile } from "../config/file.ts"
import { SETTINGS } from "../config/known.ts"
import { noProfile } from "../config/resolve.ts"
import { variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"

interface Options {
  all?: boolean
}

export function define(command: Command): void {
  command
    .description("Removes the keys of the profile in use from this machine. Its other settings stay.")
    .option("--all", "the keys of every profile")
}

export const examples = ["freight auth logout", "freight auth logout --all"]

/** The keys, and the commands that print them. */
const KEYS = SETTINGS.filter(({ kind }) => kind === "key" || kind === "command")

export async function run(deps: Deps, { all }: Options): Promise<undefined> {
  const { name, source } = deps.settings.profile()
  await deps.config.update((config) => {
    if (all) return Object.keys(config.profiles).reduce(withoutKeys, config)
    if (profileNamed(config, name)) return withoutKeys(config, name)
    if (source !== "default") throw noProfile(config, name)
    return config
  })
  await deps.note(all ? "No profile holds a key any more." : `Profile '${name}' holds no key any more.`)
  for (const { variable: name = "" } of KEYS)
    if (variable(deps.env, name) !== undefined)
      await deps.warn(`${name} is set in the environment, and still signs you in`)
}

function withoutKeys(config: Config, name: string): Config {
  return withProfile(config, name, Object.fromEntries(KEYS.map(({ key }) => [key, undefined])))
}
