/** Whether the built-in sandbox replaces both APIs. */
import { FreightError } from "../../base/errors.ts"
import { type Config, type ConfigFile, profileNamed, profileValue } from "./file.ts"
import { ENDPOINT, SETTINGS, type Setting, settingOf } from "./known.ts"
import { type Globals, isVariableOn, variable } from "./settings.ts"
import type { Env } from "../../base/ports.ts"

/** The profile that means the sandbox, unless someone has saved an account under this name. */
export const SANDBOX_PROFILE = "sandbox"
const VARIABLE = "FREIGHT_SANDBOX"
const USE = "1 uses the built-in sandbox with every command, 0 the account that is set up."

/**
 * Sources of sandbox mode: `--sandbox`, then FREIGHT_SANDBOX, then the profile in use; `--profile` goes before the
 * environment. Variables that name an account override the profile in use.
 * @returns the flag, the variable or the profile; undefined if the APIs are real
 * @throws FreightError `config` for a FREIGHT_SANDBOX that says neither yes nor no, and if both the sandbox and variables
 * of an account are given
 */
export function findSandboxSwitch(globals: Globals, env: Env, store: ConfigFile): string | undefined {
  if (globals.sandbox) return "--sandbox"
  const named = findNamedSandbox(globals, env, store)
  const account = listAccountVariables(env)
  if (named === undefined || account.length === 0) return named?.by
  if (named.isInUse && namesAccount(env)) return undefined
  throw new FreightError(
    "config",
    `${named.by} chooses the sandbox, and ${account.join(", ")} in the environment an account: which of them is meant?`,
    {
      hint: `Nothing was sent. For the sandbox, add --sandbox, or remove ${account.length > 1 ? "those variables" : "that variable"}. For the account, ${named.isInUse ? "set both its address and its key, or choose its profile with freight profile use" : `leave out ${named.from}`}.`,
    },
  )
}

interface NamedSandbox {
  by: string
  from?: string
  /** The profile was chosen with `profile use`: neither a flag nor a variable names it. */
  isInUse?: boolean
}

function findNamedSandbox(globals: Globals, env: Env, store: ConfigFile): NamedSandbox | undefined {
  if (globals.profile === undefined && isVariableOn(env, VARIABLE, USE))
    return { by: VARIABLE, from: VARIABLE }
  const named = globals.profile ?? variable(env, "FREIGHT_PROFILE")
  if (named !== undefined && named !== SANDBOX_PROFILE) return undefined
  const config = readIfSound(store)
  if (!config || (named ?? config.current) !== SANDBOX_PROFILE || hasAccount(config)) return undefined
  const by = `profile ${SANDBOX_PROFILE}`
  if (named === undefined) return { by, isInUse: true }
  return { by, from: globals.profile === undefined ? "FREIGHT_PROFILE" : "--profile" }
}

function listAccountVariables(env: Env): string[] {
  return SETTINGS.flatMap(({ api, variable: name }) =>
    api !== undefined && name !== undefined && variable(env, name) !== undefined ? [name] : [],
  )
}

function namesAccount(env: Env): boolean {
  const isSet = (setting: Setting) =>
    setting.variable !== undefined && variable(env, setting.variable) !== undefined
  return Object.values(ENDPOINT).some(({ baseUrl, key }) => {
    const { command } = settingOf(key)
    return (
      isSet(settingOf(baseUrl)) && [key, ...(command ? [command] : [])].some((each) => isSet(settingOf(each)))
    )
  })
}

/** Marks JSON of everything made in the sandbox, because it is not real. */
export function sandboxMark({ sandbox }: Pick<Globals, "sandbox">): { sandbox: boolean } {
  return { sandbox: sandbox === true }
}

/** Whether a person keeps an account under the sandbox's name: then the name means that. */
export function hasAccount(config: Config): boolean {
  const profile = profileNamed(config, SANDBOX_PROFILE)
  return Object.values(ENDPOINT).some(
    ({ baseUrl, key }) =>
      profileValue(profile, baseUrl) !== undefined || profileValue(profile, key) !== undefined,
  )
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
