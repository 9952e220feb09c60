import { type Command, Option } from "commander"
import { checkProfileName, withProfile } from "../config/file.ts"
import { maskAddress, maskKey } from "../config/keys.ts"
import { ENDPOINT, settingOf } from "../config/known.ts"
import { API_NAMES, APIS, type Api, otherApi, variable } from "../config/settings.ts"
import type { Deps } from "../deps.ts"
import { FreightError, withOptions } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { setUpDesk } from "./shared/desk-setup.ts"
import { askedKeys, type Given, type GivenOptions, knownUrl, pipedKey } from "./shared/given-keys.ts"
import { isOthersKey, probe } from "./shared/probe.ts"

interface Options extends GivenOptions {
  withKey?: boolean
  /** False when `--no-check` was given. */
  check: boolean
}

interface Row {
  profile: string
  api: Api
  baseUrl: string
  key: string
  checked: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Saves the addresses and keys of the APIs in a profile, after trying them. On a terminal it asks for them, hides the " +
        "keys, and then offers to choose this workstation's print device and where your goods are collected; every " +
        "question may be skipped. In a script it reads one key from standard input.",
    )
    .option("--with-key", "read one key from standard input")
    .addOption(
      new Option("--api <api>", "only this API; --with-key sets one API (default: freight)").choices([
        ...APIS,
      ]),
    )
    .option("--base-url <url>", "the API's address")
    .option("--no-check", "save without trying them")
}

export const examples = [
  "freight auth login",
  "freight auth login --profile wholesale --api direct-print",
  "freight auth login --with-key --base-url https://freight.example.com/v1 < key.txt",
]

const columns: Column<Row>[] = [
  { key: "profile", title: "PROFILE" },
  { key: "api", title: "API" },
  { key: "baseUrl", title: "ADDRESS" },
  { key: "key", title: "KEY" },
  { key: "checked", title: "TRIED", show: ({ checked }) => (checked ? "works" : "no") },
]

export async function run(deps: Deps, options: Options): Promise<undefined> {
  if (deps.globals.sandbox)
    throw new FreightError("usage", "the sandbox needs no sign-in", {
      hint: "To sign in to an account, leave out --sandbox and FREIGHT_SANDBOX, and name the profile with --profile.",
      next: "freight book --sandbox",
    })
  const { name } = deps.settings.profile()
  checkProfileName(name)
  const tryOut = async (given: Given, api: Api) => {
    if (options.check) await mustWork(deps, name, given, api)
  }
  const given = options.withKey
    ? await pipedKey(deps, name, options)
    : await askedKeys(deps, name, options, tryOut)
  if (given.size === 0)
    throw new FreightError(
      "usage",
      "nothing was entered, so nothing was changed: a key also needs its API's address",
    )

  if (options.withKey) for (const api of given.keys()) await tryOut(given, api)
  const changes = [...given].flatMap(([api, { baseUrl, key }]) => [
    [ENDPOINT[api].baseUrl, baseUrl],
    [ENDPOINT[api].key, key],
  ])
  await deps.config.update((config) => withProfile(config, name, Object.fromEntries(changes)))
  deps.settings.refresh()

  await deps.note(`Saved in profile '${name}'.`)
  await tellOfOthers(deps, name, given)
  const rows = [...given].map(([api, { baseUrl, key }]) => ({
    profile: name,
    api,
    baseUrl: maskAddress(baseUrl),
    key: maskKey(key),
    checked: options.check,
  }))
  await print(deps, { rows, columns })
  if (!options.withKey) await setUpDesk(deps, name, [...given.keys()])
}

/** @throws FreightError when the key does not work with its API; nothing is saved then */
async function mustWork(deps: Deps, profile: string, given: Given, api: Api): Promise<void> {
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
      {
        status: 401,
        hint: `Give it with --api ${other}.`,
        next: `freight auth login --api ${other}`,
      },
    )
  const maybeSwapped =
    outcome === "refused" && othersUrl === undefined
      ? `Each API has a key of its own: is it that of the ${API_NAMES[other]}?`
      : undefined
  throw withOptions(error, {
    hint: [error.hint, maybeSwapped, "Nothing was saved; --no-check saves without trying."]
      .filter(Boolean)
      .join(" "),
    next: "freight auth login",
  })
}

/** What else decides which key is used: another current profile, or the environment. */
async function tellOfOthers(deps: Deps, name: string, given: Given): Promise<void> {
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
