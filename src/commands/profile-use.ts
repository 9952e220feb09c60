import type { Command } from "commander"
import { profileNamed } from "../config/file.ts"
import { noProfile } from "../config/resolve.ts"
import { variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import type { Act } from "./shared/act.ts"
import { examples } from "./shared/examples.ts"

export function define(command: Command, act: Act): void {
  command
    .description("Chooses the profile that is used when neither --profile nor FREIGHT_PROFILE names one.")
    .argument("<name>", "a profile, as freight profile list has it")
    .addHelpText("after", examples("freight profile use wholesale"))
    .action(act(run))
}

async function run(deps: Deps, name: string): Promise<undefined> {
  await deps.config.update((config) => {
    if (!profileNamed(config, name)) throw noProfile(config, name)
    return { ...config, current: name }
  })
  await deps.note(`Profile '${name}' is in use.`)
  const named = variable(deps.env, "FREIGHT_PROFILE")
  if (named !== undefined && named !== name)
    await deps.warn(`FREIGHT_PROFILE is set in the environment, and '${named}' goes before it`)
  return
}
