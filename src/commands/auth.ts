import { apiFlag, CHANGE_COLUMNS, command, printChanges, toChange } from "../command/index.ts"
import {
  askForKeys,
  checkNewName,
  type Config,
  ENDPOINT,
  type Given,
  isOthersKey,
  knownUrl,
  maskAddress,
  maskKey,
  noProfile,
  otherApi,
  type Probe,
  probe,
  profileNamed,
  readPipedKey,
  settingOf,
  SETTINGS,
  sourceText,
  type Tries,
  variable,
  withProfile,
} from "../machine/index.ts"
import { type Api, API_NAMES, APIS } from "../contract/index.ts"
import type { Deps } from "../session/index.ts"
import { FreightError, withOptions } from "../base/errors.ts"
import { type Column, print } from "../output/index.ts"
import { setUpDesk } from "../orders/index.ts"

interface LoginRow {
  profile: string
  api: Api
  baseUrl: string
  /** Masked. */
  apiKey: string
  checked: boolean
}

const loginColumns: Column<LoginRow>[] = [
  { key: "profile", title: "PROFILE" },
  { key: "api", title: "API" },
  { key: "baseUrl", title: "ADDRESS" },
  { key: "key", title: "KEY", value: ({ apiKey }) => apiKey },
  { key: "checked", title: "TRIED", show: ({ checked }) => (checked ? "works" : "no") },
]

export const login = command({
  about:
    "Saves the addresses and keys of the APIs in a profile, after trying them. On a terminal it asks for them, hides the " +
    "keys, and then offers to choose this workstation's print device and where your goods are collected; every " +
    "question may be skipped. In a script it reads one key from standard input.",
  flags: {
    apiKeyStdin: { formerly: ["--with-key"], about: "read one API key from standard input" },
    ...apiFlag("only this API; --api-key-stdin sets one API (default: freight)"),
    baseUrl: { takes: "<url>", about: "the API's address" },
    offline: { formerly: ["--no-check"], about: "do not ask the API: save without trying them" },
  },
  columns: loginColumns,
  examples: [
    "freight auth login",
    "freight auth login --profile wholesale --api direct-print",
    "freight auth login --api-key-stdin --base-url https://freight.example.com/v1",
  ],
  async run(deps, options) {
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

    await deps.note(`Saved in profile '${name}'.`)
    await warnOfOtherKeys(deps, name, given)
    const rows = [...given].map(([api, { baseUrl, key }]) => ({
      profile: name,
      api,
      baseUrl: maskAddress(baseUrl),
      apiKey: maskKey(key),
      checked: !options.offline,
    }))
    await print(deps, { rows, columns: loginColumns })
    if (!options.apiKeyStdin) await setUpDesk(deps, name, [...given.keys()])
  },
})

/** Why no API answers at an address. Asked with a key that no account has, an API says that it knows no such key. */
async function tryAddress(deps: Deps, api: Api, baseUrl: string): Promise<FreightError | undefined> {
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

/** @throws FreightError when the key does not work with its API; nothing is saved then */
async function refuseFailingKey(deps: Deps, profile: string, given: Given, api: Api): Promise<void> {
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

/** What else decides which key is used: another current profile, or the environment. */
async function warnOfOtherKeys(deps: Deps, name: string, given: Given): Promise<void> {
  const { current } = deps.config.read()
  if (current !== name)
    await deps.note(`The profile in use is '${current}': freight profile use ${name} changes that.`)
  for (const [api, endpoint] of given)
    for (const part of ["baseUrl", "key"] as const) {
      const { variable: name = "" } = settingOf(ENDPOINT[api][part])
      const set = variable(deps.env, name)
      if (set !== undefined && set !== endpoint[part])
        await deps.warn(`${name} is set in the environment, and overrides what is saved`)
    }
}

/** Whether a key may do something; printing cannot be tried without printing. */
type Permission = boolean | "unknown"

interface ApiStatus {
  api: Api
  baseUrl: string | null
  /** Masked. */
  apiKey: string | null
  from: string | null
  signedIn: boolean
  /** Null when it could not be tried. */
  works: boolean | null
  /** Of the Direct Print API; null of the other, and where no key is set. */
  scopes: Record<"devices:read" | "print-jobs:write", Permission> | null
  message: string
}

const statusColumns: Column<ApiStatus>[] = [
  { key: "api", title: "API", rank: 1, gives: "nothing" },
  { key: "baseUrl", title: "ADDRESS", rank: 6 },
  { key: "key", title: "KEY", rank: 4, value: ({ apiKey }) => apiKey },
  { key: "from", title: "FROM", rank: 5, gives: "words" },
  {
    key: "works",
    title: "WORKS",
    rank: 2,
    isState: true,
    show: ({ works }) => (works === null ? "-" : works ? "yes" : "no"),
  },
  {
    key: "scopes",
    title: "SCOPES",
    rank: 7,
    gives: "words",
    show: ({ scopes }) =>
      Object.entries(scopes ?? {})
        .map(([name, has]) => `${name}: ${PERMISSION_WORDS[String(has)]}`)
        .join(", ") || "-",
  },
  { key: "message", title: "STATUS", rank: 3, gives: "words" },
]

const PERMISSION_WORDS: Readonly<Record<string, string>> = { true: "yes", false: "no", unknown: "unknown" }

export const status = command({
  about: "Shows, for each API, which key is used, where it comes from, and whether it works.",
  columns: statusColumns,
  examples: ["freight auth status --sandbox", "freight auth status --sandbox --json"],
  /** @throws FreightError unauthenticated (4) without a key or with one that does not work, unavailable (6) where one could not be tried */
  async run(deps) {
    const statuses: ApiStatus[] = []
    for (const api of APIS) statuses.push(await getStatus(deps, api))
    const { name } = deps.settings.profile()
    await print(deps, {
      summary: { profile: deps.globals.sandbox ? null : name },
      rows: statuses,
      columns: statusColumns,
    })
    const problem = findProblem(statuses)
    if (problem) throw problem
  },
})

/** Why no command, or not every command, would work with these keys. */
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

async function getStatus(deps: Deps, api: Api): Promise<ApiStatus> {
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
    // The key or the address cannot be used at all; the other API may still be fine.
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

/** The keys, and the commands that print them. */
const KEYS = SETTINGS.filter(({ kind }) => kind === "key" || kind === "command")

export const logout = command({
  about: "Removes the keys of the profile in use from this machine. Its other settings stay.",
  flags: { all: { about: "the keys of every profile" } },
  columns: CHANGE_COLUMNS,
  examples: ["freight auth logout", "freight auth logout --all"],
  async run(deps, { all }) {
    const { name, source } = deps.settings.profile()
    let before = deps.config.read()
    await deps.config.update((config) => {
      before = config
      if (all) return Object.keys(config.profiles).reduce(withoutKeys, config)
      if (profileNamed(config, name)) return withoutKeys(config, name)
      if (source !== "default") throw noProfile(config, name)
      return config
    })
    await deps.note(all ? "No profile holds a key any more." : `Profile '${name}' holds no key any more.`)
    for (const { variable: name = "" } of KEYS)
      if (variable(deps.env, name) !== undefined)
        await deps.warn(`${name} is set in the environment, and still signs you in`)
    const profiles = all ? Object.keys(before.profiles) : [name]
    const removed = profiles.flatMap((profile) =>
      KEYS.flatMap((setting) => {
        const change = toChange(before, profile, setting, undefined)
        return change.before === null ? [] : [change]
      }),
    )
    await printChanges(deps, removed, CHANGE_COLUMNS)
  },
})

function withoutKeys(config: Config, name: string): Config {
  return withProfile(config, name, Object.fromEntries(KEYS.map(({ key }) => [key, undefined])))
}
