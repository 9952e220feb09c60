import { type Config, profileNamed, profileValue } from "../config/file.ts"
import { maskAddress, maskKey } from "../config/keys.ts"
import type { SettingKey } from "../config/known.ts"
import { DEFAULT_PROFILE, noProfile } from "../config/resolve.ts"
import { hasAccount, SANDBOX_PROFILE } from "../config/sandbox-mode.ts"
import { variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"

interface Row {
  name: string
  inUse: boolean
  freightBaseUrl: string | null
  freightApiKey: string | null
  directPrintBaseUrl: string | null
  directPrintApiKey: string | null
}

export const list: OldCommand = {
  define: (command) => command.description("Lists the profiles, and which is in use. Keys are masked."),
  examples: ["freight profile list", "freight profile list --json"],
  run: listProfiles,
}

/** Listed while it is in use instead of an account. */
const SANDBOX: Row = {
  name: SANDBOX_PROFILE,
  inUse: true,
  freightBaseUrl: null,
  freightApiKey: null,
  directPrintBaseUrl: null,
  directPrintApiKey: null,
}

const columns: Column<Row>[] = [
  { key: "inUse", title: " ", show: ({ inUse }) => (inUse ? "*" : " ") },
  { key: "name", title: "PROFILE" },
  {
    key: "freightBaseUrl",
    title: "FREIGHT API",
    show: (row) => (row === SANDBOX ? "built in" : (row.freightBaseUrl ?? "")),
  },
  { key: "freightApiKey", title: "KEY", gives: "nothing" },
  { key: "directPrintBaseUrl", title: "DIRECT PRINT API" },
  { key: "directPrintApiKey", title: "KEY", gives: "nothing" },
]

async function listProfiles(deps: Deps): Promise<undefined> {
  const { config, globals, settings } = deps
  const { name: used } = settings.profile()
  const { profiles } = config.read()
  const rows = Object.entries(profiles).map(([name, profile]): Row => {
    const masked = (key: SettingKey, mask: (text: string) => string) => {
      const value = profileValue(profile, key)
      return value === undefined ? null : mask(value)
    }
    return {
      name,
      inUse: name === used && !globals.sandbox,
      freightBaseUrl: masked("freightBaseUrl", maskAddress),
      freightApiKey: masked("freightApiKey", maskKey),
      directPrintBaseUrl: masked("directPrintBaseUrl", maskAddress),
      directPrintApiKey: masked("directPrintApiKey", maskKey),
    }
  })
  if (globals.sandbox) rows.push(SANDBOX)
  await print(deps, {
    rows,
    columns,
    empty: "There are no profiles yet: freight auth login makes the first.",
  })
}

export const use: OldCommand = {
  define: (command) =>
    command
      .description(
        "Chooses the profile that is used when neither --profile nor FREIGHT_PROFILE names one. The profile sandbox is the built-in sandbox: no account, and nothing is real.",
      )
      .argument("<name>", "a profile, as freight profile list shows it, or sandbox"),
  examples: ["freight profile use wholesale", "freight profile use sandbox"],
  run: useProfile,
}

async function useProfile(deps: Deps, name: string): Promise<undefined> {
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

export const remove: OldCommand = {
  define: (command) =>
    command
      .description(
        "Removes a profile with its keys and settings from this machine. The account is not touched.",
      )
      .argument("<name>", "a profile, as freight profile list shows it"),
  examples: ["freight profile remove wholesale"],
  run: removeProfile,
}

async function removeProfile(deps: Deps, name: string): Promise<undefined> {
  await deps.config.update((config) => withoutProfile(config, name))
  await deps.note(`Profile '${name}' is removed.`)
  const { current } = deps.config.read()
  if (current === undefined)
    await deps.note("No profile is in use now: freight profile use NAME chooses one.")
}

function withoutProfile(config: Config, name: string): Config {
  if (!profileNamed(config, name)) throw noProfile(config, name)
  const { current, profiles, ...rest } = config
  return {
    ...rest,
    ...(current !== undefined && current !== name && { current }),
    profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
  }
}
