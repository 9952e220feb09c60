/** Whether the built-in sandbox takes the place of both APIs. */
import { FreightError } from "../errors.ts"
import { type Config, type ConfigFile, profileNamed, profileValue } from "./file.ts"
import { ENDPOINT } from "./known.ts"
import { type Globals, variable } from "./settings.ts"
import type { Env } from "../ports.ts"

/** The profile that stands for the sandbox, unless someone has saved an account under this name. */
export const SANDBOX_PROFILE = "sandbox"
const VARIABLE = "FREIGHT_SANDBOX"

/**
 * What switches the sandbox on: `--sandbox`, then FREIGHT_SANDBOX, then the profile in use; `--profile` goes before the
 * environment.
 * @returns the flag, the variable or the profile; undefined where the APIs are real
 * @throws FreightError `config` for a FREIGHT_SANDBOX that says neither yes nor no
 */
export function findSandboxSwitch(globals: Globals, env: Env, store: ConfigFile): string | undefined {
  if (globals.sandbox) return "--sandbox"
  if (globals.profile === undefined && isOn(variable(env, VARIABLE))) return VARIABLE
  const named = globals.profile ?? variable(env, "FREIGHT_PROFILE")
  if (named !== undefined && named !== SANDBOX_PROFILE) return undefined
  const config = readIfSound(store)
  const isSandbox = config && (named ?? config.current) === SANDBOX_PROFILE && !hasAccount(config)
  return isSandbox ? `profile ${SANDBOX_PROFILE}` : undefined
}

/** Whether a person keeps an account under the sandbox's name: then it is theirs. */
export function hasAccount(config: Config): boolean {
  const profile = profileNamed(config, SANDBOX_PROFILE)
  return Object.values(ENDPOINT).some(
    ({ baseUrl, key }) =>
      profileValue(profile, baseUrl) !== undefined || profileValue(profile, key) !== undefined,
  )
}

function isOn(value = "no"): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off)$/i.test(value)) return false
  throw new FreightError("config", `${VARIABLE} must be 1 or 0, not '${value}'`, {
    hint: "1 uses the built-in sandbox with every command, 0 the account that is set up.",
  })
}

/** A damaged file is reported when a value from it is needed. */
function readIfSound(store: ConfigFile): Config | undefined {
  try {
    return store.read()
  } catch (error) {
    if (error instanceof FreightError) return undefined
    throw error
  }
}
