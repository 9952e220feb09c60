/** Signing in to the APIs with their keys, and out. */
import { quoted } from "../../base/parsed.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import { type Api, API_NAMES, APIS } from "../../contract/index.ts"
import { type Config, profileNamed, withProfile } from "./file.ts"
import {
  askForKeys,
  type Given,
  type GivenOptions,
  knownUrl,
  readPipedKey,
  type Tries,
} from "./given-keys.ts"
import { maskAddress, maskKey } from "./keys.ts"
import { ENDPOINT, SETTINGS, settingOf } from "./known.ts"
import { isOthersKey, type Probe, probe } from "./probe.ts"
import { noProfile, type Settings, sourceText } from "./resolve.ts"
import { checkNewName } from "./saved.ts"
import { type Endpoint, otherApi, variable } from "./settings.ts"

type Signing = Parameters<typeof askForKeys>[0] &
  Parameters<typeof probe>[0] & { readonly settings: Settings; readonly globals: { sandbox?: boolean } }

interface LoginOptions extends GivenOptions {
  /** One key is read from standard input. */
  apiKeyStdin?: boolean
  offline?: boolean
}

/** The saved address and key of an API. */
export interface LoginRow {
  profile: string
  api: Api
  baseUrl: string
  /** Masked. */
  apiKey: string
  checked: boolean
}

/**
 * Saves addresses and keys in the profile in use, once they work: piped, or typed.
 * @throws FreightError `usage` in the sandbox, for a name that no profile can have, and if nothing was entered; else
 * the error of a key that is not right or does not work; nothing is saved then
 */
export async function signIn(deps: Signing, options: LoginOptions): Promise<LoginRow[]> {
  if (deps.globals.sandbox)
    throw new FreightError("usage", "the sandbox needs no sign-in", {
      hint: "To sign in to an account, name its profile, without --sandbox and FREIGHT_SANDBOX: freight auth login --profile NAME",
      next: "freight book --sandbox",
    })
  const { name } = deps.settings.profile()
  checkNewName("profiles", name)
  const tries: Tries | undefined = options.offline
    ? undefined
    : {
        address: (api, baseUrl) => tryAddress(deps, api, baseUrl),
        key: (given, api) => refuseFailingKey(deps, name, given, api),
      }
  const given = options.apiKeyStdin
    ? await readPipedKey(deps, name, options)
    : await askForKeys(deps, name, options, tries)
  if (given.size === 0)
    throw new FreightError(
      "usage",
      "nothing was entered, so nothing was changed: a key also needs its API's address",
    )
  if (options.apiKeyStdin) for (const api of given.keys()) await tries?.key(given, api)
  const changes = [...given].flatMap(([api, { baseUrl, key }]) => [
    [ENDPOINT[api].baseUrl, baseUrl],
    [ENDPOINT[api].key, key],
  ])
  await deps.config.update((config) => withProfile(config, name, Object.fromEntries(changes)))
  deps.settings.refresh()
  await deps.note(`Saved in profile ${quoted(name)}.`)
  await warnOfOtherKeys(deps, name, given)
  return [...given].map(([api, { baseUrl, key }]) => ({
    profile: name,
    api,
    baseUrl: maskAddress(baseUrl),
    apiKey: maskKey(key),
    checked: !options.offline,
  }))
}

/**
 * Why no API answers at an address. It is asked with a key that no account has: an API replies that it does not know the
 * key.
 */
async function tryAddress(deps: Signing, api: Api, baseUrl: string): Promise<FreightError | undefined> {
  const { outcome, error } = await probe(deps, api, { baseUrl, key: "none" })
  const isNoApi = outcome === "failed" && error && NO_API.includes(error.kind)
  return isNoApi ? error : undefined
}

/** Nothing is there, or something else. A server that is down may be the right one. */
const NO_API: readonly FreightError["kind"][] = [
  "notFound",
  "badReply",
  "unreadable",
  "unavailable",
  "timeout",
]

async function refuseFailingKey(deps: Signing, profile: string, given: Given, api: Api): Promise<void> {
  const endpoint = given.get(api)
  if (!endpoint) return
  const { outcome, error } = await probe(deps, api, endpoint)
  if (!error || outcome === "works") return
  if (outcome === "forbidden" && api === "direct-print")
    return deps.warn("this key is valid but may not list devices: it lacks the scope devices:read")
  const other = otherApi(api)
  const othersUrl = given.get(other)?.baseUrl ?? knownUrl(deps, profile, other)
  if (outcome === "refused" && (await isOthersKey(deps, api, endpoint.key, othersUrl)))
    throw new FreightError(
      "unauthenticated",
      `that is the key of the ${API_NAMES[other]}, not of the ${API_NAMES[api]}; nothing was saved`,
      { status: 401, hint: `Give it with --api ${other}.`, next: `freight auth login --api ${other}` },
    )
  const maybeSwapped =
    outcome === "refused" && othersUrl === undefined
      ? `Each API has a key of its own: is it that of the ${API_NAMES[other]}?`
      : undefined
  throw withOptions(error, {
    hint: [error.hint, maybeSwapped, "Nothing was saved; --offline saves without trying."]
      .filter(Boolean)
      .join(" "),
    next: "freight auth login",
  })
}

/** Warns about other sources of the key in use: another current profile, or the environment. */
async function warnOfOtherKeys(deps: Signing, name: string, given: Given): Promise<void> {
  const { current } = deps.config.read()
  if (current !== name)
    await deps.note(
      `The profile in use is ${quoted(current ?? "")}: freight profile use ${name} changes that.`,
    )
  for (const [api, endpoint] of given)
    for (const part of ["baseUrl", "key"] as const) {
      const { variable: name = "" } = settingOf(ENDPOINT[api][part])
      const set = variable(deps.env, name)
      if (set !== undefined && set !== endpoint[part])
        await deps.warn(`${name} is set in the environment, and overrides what is saved`)
    }
}

/** Printing cannot be tried without printing. */
type Permission = boolean | "unknown"

export interface ApiStatus {
  api: Api
  baseUrl: string | null
  /** Masked. */
  apiKey: string | null
  from: string | null
  signedIn: boolean
  /** Null if it could not be tried. */
  works: boolean | null
  /** For the Direct Print API; null for the other, and if no key is set. */
  scopes: Record<"devices:read" | "print-jobs:write", Permission> | null
  message: string
}

/**
 * The key of each API, and whether it works.
 * @returns also the exit code if no command, or not every command, would work: 4 (unauthenticated) or 6 (unavailable)
 */
export async function readSignedIn(
  deps: Connecting,
): Promise<{ statuses: ApiStatus[]; problem: FreightError | undefined }> {
  const statuses: ApiStatus[] = []
  for (const api of APIS) statuses.push(await getStatus(deps, api))
  return { statuses, problem: findProblem(statuses) }
}

function findProblem(statuses: readonly ApiStatus[]): FreightError | undefined {
  const signedIn = statuses.filter((each) => each.signedIn)
  if (signedIn.length === 0)
    return new FreightError("unauthenticated", "not signed in: there is no key for any API", {
      hint: "Sign in, or try any command with --sandbox.",
      next: "freight auth login",
    })
  const refused = signedIn.find(({ works }) => works === false)
  if (refused)
    return new FreightError(
      "unauthenticated",
      `the key for the ${API_NAMES[refused.api]} does not work: ${refused.message}`,
      { hint: `It comes from ${refused.from}: correct it there, or sign in again.` },
    )
  const untried = signedIn.find(({ works }) => works === null)
  return untried
    ? new FreightError(
        "unavailable",
        `the key for the ${API_NAMES[untried.api]} could not be tried: ${untried.message}`,
      )
    : undefined
}

type Connecting = Parameters<typeof probe>[0] & {
  readonly settings: Settings
  endpoint(api: Api): Promise<Endpoint>
}

async function getStatus(deps: Connecting, api: Api): Promise<ApiStatus> {
  const key = deps.settings.resolve(ENDPOINT[api].key)
  const baseUrl = deps.settings.value(ENDPOINT[api].baseUrl)
  const status: ApiStatus = {
    api,
    baseUrl: baseUrl === undefined ? null : maskAddress(baseUrl),
    apiKey: key.value === undefined ? null : maskKey(key.value),
    from: key.source === "none" ? null : sourceText(key),
    signedIn: key.source !== "none",
    works: null,
    scopes: null,
    message: "not signed in",
  }
  if (!status.signedIn) return status
  try {
    const endpoint = await deps.endpoint(api)
    const tried = await probe(deps, api, endpoint)
    return { ...status, baseUrl: endpoint.baseUrl, apiKey: maskKey(endpoint.key), ...toStatus(api, tried) }
  } catch (error) {
    // The key or the address cannot be used at all; the other API may still work.
    if (!(error instanceof FreightError) || error.kind !== "config") throw error
    return { ...status, works: false, message: error.message }
  }
}

function toStatus(api: Api, { outcome, error }: Probe): Pick<ApiStatus, "works" | "message" | "scopes"> {
  const findScopes = (read: Permission) =>
    api === "direct-print" ? { "devices:read": read, "print-jobs:write": "unknown" as const } : null
  if (outcome === "works") return { works: true, message: "works", scopes: findScopes(true) }
  const message = error?.message ?? "no answer"
  if (outcome === "forbidden" && api === "direct-print")
    return { works: true, message: "valid, but may not list devices", scopes: findScopes(false) }
  if (outcome === "failed") return { works: null, message, scopes: findScopes("unknown") }
  return { works: false, message, scopes: findScopes("unknown") }
}

export const KEY_SETTINGS = SETTINGS.filter(({ kind }) => kind === "key" || kind === "command")

/**
 * Removes the keys of the profile in use, or of every profile.
 * @returns the settings as they were, and the profiles that hold no key any more
 * @throws FreightError `config` if a named profile does not exist
 */
export async function signOut(
  {
    settings,
    config: store,
    note,
    warn,
    env,
  }: Pick<Signing, "settings" | "config" | "note" | "warn" | "env">,
  isAll: boolean,
): Promise<{ before: Config; profiles: string[] }> {
  const { name, source } = settings.profile()
  let before = store.read()
  await store.update((config) => {
    before = config
    if (isAll) return Object.keys(config.profiles).reduce(withoutKeys, config)
    if (profileNamed(config, name)) return withoutKeys(config, name)
    if (source !== "default") throw noProfile(config, name)
    return config
  })
  await note(isAll ? "No profile holds a key any more." : `Profile ${quoted(name)} holds no key any more.`)
  for (const { variable: name = "" } of KEY_SETTINGS)
    if (variable(env, name) !== undefined)
      await warn(`${name} is set in the environment, and still signs you in`)
  return { before, profiles: isAll ? Object.keys(before.profiles) : [name] }
}

function withoutKeys(config: Config, name: string): Config {
  return withProfile(config, name, Object.fromEntries(KEY_SETTINGS.map(({ key }) => [key, undefined])))
}
