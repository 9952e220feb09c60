/** Resolves settings: flag, then environment, then profile, then default. */
import { nextCommand } from "../../base/command-line.ts"
import { grouped } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import { suggest } from "../../base/suggest.ts"
import { FreightError } from "../../base/errors.ts"
import { MAX_KEY_OUTPUT_BYTES } from "../../base/limits.ts"
import { hasCode } from "../../base/system.ts"
import { type Config, type ConfigFile, type Profile, profileNamed, profileValue } from "./file.ts"
import { isKeyShaped, withoutKeys } from "./keys.ts"
import { SANDBOX_PROFILE } from "./sandbox-mode.ts"
import { ENDPOINT, type Setting, type SettingKey, settingOf } from "./known.ts"
import { type Endpoint, type Globals, timeoutMs, variable } from "./settings.ts"
import { type Api, API_NAMES } from "../../contract/index.ts"
import type { Env } from "../../base/ports.ts"
import { encodeFileName } from "../../base/file-names.ts"

export const DEFAULT_PROFILE = "default"

/** `sandbox`: `--sandbox` brings its own; `none`: it has no value. */
export type Source = "flag" | "environment" | "profile" | "default" | "sandbox" | "none"

export interface Resolved {
  value: string | undefined
  source: Source
  from?: string
  /** Why the command for it printed nothing. */
  error?: FreightError
}

/** Runs a command in the system's shell. @returns what it prints; throws where it fails */
export type RunCommand = (command: string, env: Env) => string

/** The source of a value, for people. */
export function sourceText({ source, from }: { source: Source; from?: string | null }): string {
  if (source === "none") return "not set"
  if (source === "sandbox") return "the sandbox"
  if (source === "profile") return `profile ${from}`
  return from ?? source
}

export type Settings = ReturnType<typeof openSettings>

export function openSettings(
  globals: Globals,
  env: Env,
  store: ConfigFile,
  runCommand: RunCommand = () => "",
) {
  let read: Config | undefined
  const config = () => {
    read ??= store.read()
    return read
  }

  const profile = (): { name: string; source: Source; from?: string } => {
    if (globals.profile !== undefined) return { name: globals.profile, source: "flag", from: "--profile" }
    const named = variable(env, "FREIGHT_PROFILE")
    if (named !== undefined) return { name: named, source: "environment", from: "FREIGHT_PROFILE" }
    const { current } = config()
    if (current !== undefined) return { name: current, source: "profile", from: current }
    return { name: DEFAULT_PROFILE, source: "default" }
  }

  const inProfile = (): Profile | undefined => {
    const { name, source } = profile()
    const found = profileNamed(config(), name)
    // With nothing saved there is no default profile to miss. Variables may override the sandbox's, which is never saved:
    // see `findSandboxSwitch`.
    if (!found && source !== "default" && name !== SANDBOX_PROFILE) throw noProfile(config(), name)
    return found
  }

  /** Each command is run once, when the key is first needed. */
  const printed = new Map<string, Pick<Resolved, "value" | "error">>()
  const print = (command: string, where: string) => {
    const result = printed.get(command) ?? printKey(command, where, (text) => runCommand(text, env))
    printed.set(command, result)
    return result
  }

  const resolve = (key: SettingKey, saved = inProfile): Resolved => {
    const { api, flag, fallback, command } = settingOf(key)
    if (api && globals.sandbox) return { value: undefined, source: "sandbox" }
    const flagged = flag && globals[flag]
    if (flagged !== undefined) return { value: flagged, source: "flag", from: `--${flag}` }
    const places = [settingOf(key), ...(command ? [settingOf(command)] : [])]
    const read = (text: string, place: Setting, where: string) =>
      place.key === command ? print(text, where) : { value: text }
    for (const place of places) {
      const given = place.variable && variable(env, place.variable)
      if (place.variable && given)
        return { ...read(given, place, place.variable), source: "environment", from: place.variable }
    }
    for (const place of places) {
      const kept = profileValue(saved(), place.key)
      if (kept !== undefined)
        return { ...read(kept, place, place.key), source: "profile", from: profile().name }
    }
    return { value: fallback, source: fallback === undefined ? "none" : "default" }
  }
  const value = (key: SettingKey) => resolve(key).value

  return {
    /** The profile in use, whether it exists or not. @throws FreightError `config` for a damaged file */
    profile,
    /** @throws FreightError `config` for a damaged file or an unknown profile */
    resolve: (key: SettingKey) => resolve(key),
    value,
    /**
     * The address and key of one API.
     * @throws FreightError `unauthenticated` when there is no key; `config` when the address is missing, the command
     * for the key fails, or the key is not shaped like one (Authentication 1 and 2: a prefix, then 64 hexadecimal
     * characters); as `resolve`
     */
    endpoint(api: Api): Endpoint {
      // A named profile must exist, even if the environment has everything.
      inProfile()
      const keySetting = settingOf(ENDPOINT[api].key)
      const urlSetting = settingOf(ENDPOINT[api].baseUrl)
      const { value: key, source, from, error } = resolve(ENDPOINT[api].key)
      if (error) throw error
      if (!key)
        throw new FreightError(
          "unauthenticated",
          `not signed in: there is no key for the ${API_NAMES[api]}`,
          {
            hint: `Sign in, or set ${keySetting.variable} and ${urlSetting.variable}, or try the command on the built-in sandbox with --sandbox.`,
            next: "freight auth login",
          },
        )
      if (!isKeyShaped(key)) {
        const where = source === "profile" ? `the ${keySetting.title} in profile ${quoted(from ?? "")}` : from
        throw new FreightError("config", `${where} is not shaped like a key`, {
          hint: "A key ends with 64 hexadecimal characters and holds no spaces. Was it copied whole?",
        })
      }
      const baseUrl = value(ENDPOINT[api].baseUrl)
      if (!baseUrl)
        throw new FreightError("config", `the address of the ${API_NAMES[api]} is not set`, {
          hint: `Set ${urlSetting.variable} to the address you were given with the key, or save it.`,
          next: `freight config set ${urlSetting.key} ADDRESS`,
        })
      return { baseUrl, key }
    },
    /** Environment variables that override `--profile` for an API, or the sandbox that is in use. */
    overridden(api: Api): string[] {
      if (globals.sandbox) return []
      const saved = inProfile()
      if (profile().name === SANDBOX_PROFILE && !saved)
        return Object.values(ENDPOINT[api]).flatMap((key) => resolve(key).from ?? [])
      if (globals.profile === undefined) return []
      return Object.values(ENDPOINT[api]).flatMap((key) => {
        const { value: used, source, from } = resolve(key)
        const own = profileValue(saved, key)
        return source === "environment" && from && own !== undefined && own !== used ? [from] : []
      })
    },
    /** Every key of both APIs that is known without running a command, including overridden ones. */
    knownKeys(): string[] {
      // The profile may be about to be created.
      const saved = profileNamed(config(), profile().name)
      const given = Object.values(ENDPOINT).flatMap(({ key }) => {
        const { variable: name } = settingOf(key)
        return [name && variable(env, name), profileValue(saved, key)]
      })
      return [...given, ...[...printed.values()].map(({ value: key }) => key)].filter(
        (key) => key !== undefined,
      )
    },
    refresh() {
      read = undefined
    },
    /** In milliseconds. @throws FreightError `usage` or `config` */
    timeoutMs(): number {
      // The profile may be about to be created.
      const {
        value: seconds = "",
        source,
        from,
      } = resolve("timeout", () => profileNamed(config(), profile().name))
      const name = source === "profile" ? `the timeout in profile ${quoted(from ?? "")}` : from
      return timeoutMs(seconds, name, source === "flag" ? "usage" : "config")
    },
  }
}

/** The first line that a command prints, which must be a key. Its output is never shown. */
function printKey(
  command: string,
  where: string,
  run: (command: string) => string,
): Pick<Resolved, "value" | "error"> {
  const failed = (
    why: string,
    hint = "It must print the key alone: a prefix, then 64 hexadecimal characters.",
  ) => ({
    value: undefined,
    error: new FreightError("config", `${where} ${why}`, { hint }),
  })
  try {
    const [key = ""] = run(command).trim().split(/\r?\n/)
    if (isKeyShaped(key)) return { value: key }
    return failed(key === "" ? "printed nothing" : "printed something that is not shaped like a key")
  } catch (error) {
    if (hasCode(error, "ENOBUFS"))
      return failed(`was stopped: it printed more than ${grouped(MAX_KEY_OUTPUT_BYTES)} bytes`)
    const { status, stderr } = Object(error) as { status?: number | null; stderr?: unknown }
    const said = withoutKeys(safeText(String(stderr ?? ""), 300)).trim()
    return failed(
      status == null ? "was stopped, or took longer than a minute" : `failed with exit code ${status}`,
      said === "" ? "Run the command by hand to see why." : `It said: ${said}`,
    )
  }
}

export function noProfile({ profiles }: Config, name: string, isChosen = false): FreightError {
  const names = Object.keys(profiles)
  const near = suggest(name, [...names, SANDBOX_PROFILE])
  const known = names.length > 0 ? `The profiles are: ${names.join(", ")}.` : "There are no profiles yet."
  return new FreightError("config", `there is no profile ${quoted(name)}`, {
    hint: near ? `Did you mean ${quoted(near)}? ${known}` : known,
    ...(near !== undefined
      ? nextCommand("freight", "profile", ...(isChosen ? ["use", near] : ["list"]))
      : /^[a-z0-9][\w.-]*$/i.test(name) && { next: `freight auth login --profile ${name}` }),
  })
}

/**
 * The folder of an API's service, below the state folder. It is named by the address, not the key: after a change of
 * key the ledger must still know its bookings.
 * @throws FreightError as `Settings.resolve` does
 */
export function serviceFolder(globals: Globals, settings: Settings, api: Api): string {
  if (globals.sandbox) return "sandbox"
  const baseUrl = settings.value(ENDPOINT[api].baseUrl)
  // The transport reports a missing or wrong address.
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return "no-service"
  const { host, pathname } = new URL(baseUrl)
  return encodeFileName(withoutKeys(`${host}${pathname.replace(/(?<!\/)\/+$/, "")}`))
}
