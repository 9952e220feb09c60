import { quoted } from "../base/parsed.ts"
import { command, printForPrograms, savedThings } from "../command/index.ts"
import {
  DEFAULT_PROFILE,
  hasAccount,
  maskAddress,
  maskKey,
  noProfile,
  profileNamed,
  profileValue,
  SANDBOX_PROFILE,
  variable,
} from "../machine/index.ts"
import type { Session } from "../session/index.ts"
import { plainColumns } from "../output/index.ts"

export interface ProfileRow {
  name: string
  inUse: boolean
  freightBaseUrl: string | null
  freightApiKey: string | null
  directPrintBaseUrl: string | null
  directPrintApiKey: string | null
}

/** Listed while it is in use instead of an account. */
const SANDBOX: ProfileRow = {
  name: SANDBOX_PROFILE,
  inUse: true,
  freightBaseUrl: null,
  freightApiKey: null,
  directPrintBaseUrl: null,
  directPrintApiKey: null,
}

export const { list, remove } = savedThings({
  noun: "profile",
  list: "profiles",
  read: readProfiles,
  columns: [
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
  ],
  empty: "There are no profiles yet: freight auth login makes the first.",
  about: {
    list: "Lists the profiles, and which is in use. Keys are masked.",
    remove:
      "Removes profiles with their keys and settings from this machine. The account is not touched. Nothing is removed unless all of them exist.",
  },
  removeExample: "wholesale",
  async afterRemoval({ config, note }) {
    if (config.read().current === undefined)
      await note("No profile is in use now: freight profile use NAME chooses one.")
  },
})

function readProfiles({ config, globals, settings }: Session): ProfileRow[] {
  const { name: used } = settings.profile()
  const rows = Object.entries(config.read().profiles).map(([name, profile]): ProfileRow => {
    const mask = (value: string | undefined, hide: (text: string) => string) =>
      value === undefined ? null : hide(value)
    return {
      name,
      inUse: name === used && !globals.sandbox,
      freightBaseUrl: mask(profileValue(profile, "freightBaseUrl"), maskAddress),
      freightApiKey: mask(profileValue(profile, "freightApiKey"), maskKey),
      directPrintBaseUrl: mask(profileValue(profile, "directPrintBaseUrl"), maskAddress),
      directPrintApiKey: mask(profileValue(profile, "directPrintApiKey"), maskKey),
    }
  })
  return globals.sandbox ? [...rows, SANDBOX] : rows
}

export const use = command({
  about:
    "Chooses the profile that is used when neither --profile nor FREIGHT_PROFILE names one. The profile sandbox is the built-in sandbox: no account, and nothing is real.",
  args: [{ takes: "<name>", about: "a profile, as freight profile list shows it, or sandbox" }],
  columns: plainColumns(["profile", "before"]),
  examples: ["freight profile use wholesale", "freight profile use sandbox"],
  async run(deps, name) {
    const { config, env, note, warn } = deps
    let earlier = DEFAULT_PROFILE
    await config.update((before) => {
      earlier = before.current ?? DEFAULT_PROFILE
      if (profileNamed(before, name) || name === SANDBOX_PROFILE) return { ...before, current: name }
      if (name !== DEFAULT_PROFILE) throw noProfile(before, name, true)
      const { current: _, ...others } = before
      return others
    })
    const isSandbox = name === SANDBOX_PROFILE && !hasAccount(config.read())
    await note(
      isSandbox
        ? "The sandbox is in use: nothing is real. freight profile use NAME goes back to an account."
        : `Profile ${quoted(name)} is in use.`,
    )
    const named = variable(env, "FREIGHT_PROFILE")
    if (named !== undefined && named !== name)
      await warn(`FREIGHT_PROFILE is set in the environment, so ${quoted(named)} is used instead`)
    await printForPrograms(deps, { profile: name, before: earlier })
  },
})
