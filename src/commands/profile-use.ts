import type { Command } from "commander"
import { profileNamed } from "../config/file.ts"
import { DEFAULT_PROFILE, noProfile } from "../config/resolve.ts"
import { hasAccount, SANDBOX_PROFILE } from "../config/sandbox-mode.ts"
import { variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"

export function define(command: Command): void {
  command
    .description(
      "Chooses the profile that is used when neither --profile nor FREIGHT_PROFILE names one. The profile sandbox is the built-in sandbox: no account, and nothing is real.",
    )
    .argument("<name>", "a profile, as freight profile list shows it, or sandbox")
}

export const examples = ["freight profile use wholesale", "freight profile use sandbox"]

export async function run(deps: Deps, name: string): Promise<undefined> {
  await deps.config.update((config) => {
    if (profileNamed(config, name) || name === SANDBOX_PROFILE) return { ...config, current: name }
    if (name !== DEFAULT_PROFILE) throw noProfile(config, name)
    const { current: _, ...others } = config
    return others
  })
  const isSandbox = name === SANDBOX_PROFILE && !hasAccount(deps.config.read())
  await deps.note(
    isSandbox
      ? "The sandbox is in use: nothing is real. freight profile use NAME goes back to an account."
      : `Profile '${name}' is in use.`,
  )
  const named = variable(deps.env, "FREIGHT_PROFILE")
  if (named !== undefined && named !== name)
    await deps.warn(`FREIGHT_PROFILE is set in the environment, so '${named}' is used instead`)
}
