import { parseBaseUrl } from "../../api/index.ts"
import { type ConfigStore, profileNamed, profileValue } from "./file.ts"
import { isKeyShaped, maskAddress } from "./keys.ts"
import { ENDPOINT, settingOf } from "./known.ts"
import { type Endpoint, variable } from "./settings.ts"
import { type Api, API_NAMES, APIS } from "../../contract/index.ts"
import { type Parsed, parsed, refused, valueOrThrow } from "../../base/parsed.ts"
import type { Env, Notes } from "../../base/ports.ts"
import { FreightError } from "../../base/errors.ts"
import { askEach, BACK, type Back, type Conversation, insist, type Terminal } from "../../output/index.ts"

interface KeyEntry extends Notes {
  readonly env: Env
  readonly config: ConfigStore
  readonly terminal: Terminal
  readonly interactive: boolean
  converse(options: { keepsAnswers: boolean }): Promise<Conversation>
}

export interface Tries {
  /** Tries an address without a key. @returns why nothing can answer there; undefined if it may be right */
  address(api: Api, baseUrl: string): Promise<FreightError | undefined>
  /** Tries a key, and refuses one that does not work. */
  key(given: Given, api: Api): Promise<void>
}

/** Paths that people often leave out after the host of an address. */
const USUAL_PATHS: Readonly<Record<Api, readonly string[]>> = {
  freight: ["/v1", "/freight/v0"],
  "direct-print": ["/v1", "/direct-print/v0"],
}

export type Given = Map<Api, Endpoint>

export interface GivenOptions {
  api?: Api
  baseUrl?: string
}

/** One key from standard input. */
export async function readPipedKey(deps: KeyEntry, profile: string, options: GivenOptions): Promise<Given> {
  const api = options.api ?? "freight"
  if (deps.terminal.stdin.isTTY)
    throw new FreightError(
      "usage",
      "--api-key-stdin reads standard input, and that is the keyboard: pipe the key in",
      { hint: "Without --api-key-stdin you are asked, and what you type is hidden." },
    )
  const baseUrl = options.baseUrl ?? knownUrl(deps, profile, api)
  if (baseUrl === undefined)
    throw new FreightError(
      "usage",
      `the address of the ${API_NAMES[api]} is needed: --base-url ADDRESS, as it came with the key`,
    )
  const key = new TextDecoder()
    .decode(await deps.terminal.stdin.readAll())
    .replace(/^\ufeff/, "")
    .trim()
  if (key === "") throw new FreightError("input", "standard input is empty: there is no key in it")
  return new Map([
    [
      api,
      {
        baseUrl: valueOrThrow(address(baseUrl), "--base-url"),
        key: valueOrThrow(keyText(key), "standard input"),
      },
    ],
  ])
}

/**
 * Address and key of one or both APIs, at prompts; empty answers are skipped. A question whose answer does not work is
 * asked again.
 * @param tries undefined to try nothing
 */
export async function askForKeys(
  deps: KeyEntry,
  profile: string,
  options: GivenOptions,
  tries: Tries | undefined,
): Promise<Given> {
  if (!deps.interactive)
    throw new FreightError("usage", "there is no terminal to ask for the keys", {
      hint: "In a script, pipe a key into freight auth login --api-key-stdin --base-url ADDRESS, or set the environment variables.",
    })
  const conversation = await deps.converse({ keepsAnswers: false })
  const given: Given = new Map()
  const questions = (options.api ? [options.api] : APIS).flatMap((api) => {
    const named = api === (options.api ?? "freight") ? options.baseUrl : undefined
    let baseUrl = named ?? knownUrl(deps, profile, api) ?? ""
    return [
      {
        async ask() {
          const answer = await askAddress(deps, conversation, api, baseUrl, tries)
          if (answer === BACK) return BACK
          baseUrl = answer
          given.delete(api)
          return undefined
        },
      },
      {
        when: () => baseUrl !== "",
        ask: () => askKey(deps, conversation, { api, baseUrl, given }, tries),
      },
    ]
  })
  await insist(conversation, async () => (await askEach(questions)) ?? given)
  return given
}

const orNothing = (check: (text: string) => Parsed<string>) => (text: string) =>
  text === "" ? parsed("") : check(text)

/** @returns the address of an API at which it answers; empty if it is skipped */
async function askAddress(
  deps: KeyEntry,
  conversation: Conversation,
  api: Api,
  known: string,
  tries: Tries | undefined,
): Promise<string | Back> {
  for (let initial = known; ; ) {
    const typed = await conversation.text(
      `Address of the ${API_NAMES[api]}${initial ? "" : " (Enter skips it)"}:`,
      {
        initial,
        check: orNothing(address),
        hint: "as it came with the key, with its path: https://api.example.com/v1",
      },
    )
    if (typed === BACK || typed === "" || !tries) return typed
    await deps.note(`Trying ${maskAddress(typed)}, without a key.`)
    const found = await findAddress(tries, api, typed)
    if (typeof found === "string") {
      if (found !== typed) await deps.note(`The ${API_NAMES[api]} answers at ${found}.`)
      return found
    }
    const isDown = DOWN.includes(found.kind)
    await deps.warn(
      isDown
        ? `${maskAddress(typed)} cannot be tried now: ${found.message}. Enter tries it again; freight auth login --offline saves without trying`
        : `nothing of freight answers at ${maskAddress(typed)}: ${found.message}`,
    )
    initial = isDown ? typed : ""
  }
}

async function askKey(
  deps: KeyEntry,
  conversation: Conversation,
  { api, baseUrl, given }: { api: Api; baseUrl: string; given: Given },
  tries: Tries | undefined,
): Promise<Back | undefined> {
  for (;;) {
    const key = await conversation.text("Its key, hidden (Enter skips it):", {
      isHidden: true,
      check: orNothing(keyText),
    })
    given.delete(api)
    if (key === BACK) return BACK
    if (key === "") return undefined
    given.set(api, { baseUrl, key })
    try {
      await tries?.key(given, api)
      return undefined
    } catch (error) {
      // Another key does not help if the service is what fails.
      if (!(error instanceof FreightError) || !OF_KEY.includes(error.kind)) throw error
      given.delete(api)
      await deps.warn([error.message, error.hint].filter(Boolean).join(". "))
    }
  }
}

/** Nothing answered: the address may be right. */
const DOWN: readonly FreightError["kind"][] = ["unavailable", "timeout"]
const OF_KEY: readonly FreightError["kind"][] = ["unauthenticated", "forbidden"]

/** The address at which an API answers: as typed, or with a path that is often left out. */
async function findAddress(tries: Tries, api: Api, baseUrl: string): Promise<string | FreightError> {
  const error = await tries.address(api, baseUrl)
  if (!error) return baseUrl
  if (error.kind !== "notFound" && error.kind !== "badReply") return error
  for (const path of USUAL_PATHS[api]) {
    const longer = `${baseUrl.replace(/(?<!\/)\/+$/, "")}${path}`
    if (!(await tries.address(api, longer))) return longer
  }
  return error
}

export function knownUrl(deps: KeyEntry, profile: string, api: Api): string | undefined {
  const { key, variable: name = "" } = settingOf(ENDPOINT[api].baseUrl)
  return variable(deps.env, name) ?? profileValue(profileNamed(deps.config.read(), profile), key)
}

function address(text: string): Parsed<string> {
  try {
    parseBaseUrl(text, "the address")
    return parsed(text)
  } catch (error) {
    if (error instanceof FreightError) return refused(error.message)
    throw error
  }
}

function keyText(text: string): Parsed<string> {
  return isKeyShaped(text)
    ? parsed(text)
    : refused(
        "that does not look like a key: a key ends with 64 hexadecimal characters and contains no spaces",
      )
}
