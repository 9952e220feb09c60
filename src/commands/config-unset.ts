import type { Command } from "commander"
import { profileNamed, withProfile } from "../config/file.ts"
import { isSettingKey, SETTINGS } from "../config/known.ts"
import { noProfile } from "../config/resolve.ts"
import type { Deps } from "../deps.ts"
import { noSetting } from "./shared/setting-rows.ts"

export function define(command: Command): void {
  command
    .description("Removes settings from the profile in use.")
    .argument("<setting...>", "their names, as freight config list shows them")
}

export const examples = ["freight config unset timeout", "freight config unset sender collection"]

export async function run(deps: Deps, keys: string[]): Promise<undefined> {
  const { name, source } = deps.settings.profile()
  const gone: Record<string, undefined> = {}
  for (const key of keys) {
    if (!isSettingKey(key))
      throw noSetting(
        key,
        SETTINGS.map((each) => each.key),
      )
    gone[key] = undefined
  }
  await deps.config.update((config) => {
    if (profileNamed(config, name)) return withProfile(config, name, gone)
    if (source !== "default") throw noProfile(config, name)
    return config
  })
  await deps.note(`${keys.join(", ")}: not set in profile '${name}' any more.`)
}
