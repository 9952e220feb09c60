import { parseBaseUrl } from "../../api/address.ts"
import { type ConfigStore, profileNamed, profileValue } from "./file.ts"
import { isKeyShaped } from "./keys.ts"
import { ENDPOINT, settingOf } from "./known.ts"
import { type Endpoint, variable } from "./settings.ts"
import { API_NAMES, APIS, type Api } from "../../contract/endpoints.ts"
import { type Parsed, parsed, refused, valueOrThrow } from "../../base/parsed.ts"
import type { Env } from "../../base/ports.ts"
import { FreightError } from "../../base/errors.ts"
import type { Questions } from "../../output/terminal/conversation/conversation.ts"
import type { Terminal } from "../../output/terminal/terminal.ts"

interface Needs {
  readonly env: Env
  readonly config: ConfigStore
  readonly terminal: Terminal
  readonly interactive: boolean
  prompt(): Promise<Questions>
}

/** What was typed or piped in, for each API that is signed in to. */
export type Given = Map<Api, Endpoint>

export interface GivenOptions {
  api?: Api
  baseUrl?: string
}

/** One key from standard input. @throws FreightError `usage` or `input`. */
export async function readPipedKey(deps: Needs, profile: string, options: GivenOptions): Promise<Given> {
  const api = options.api ?? "freight"
  if (deps.terminal.stdin.isTTY)
    throw new FreightError(
      "usage",
      "--with-key reads standard input, and that is the keyboard: pipe the key in",
      { hint: "Without --with-key you are asked, and what you type is hidden." },
    )
  const baseUrl = options.baseUrl ?? knownUrl(deps, profile, api)
  if (baseUrl === undefined)
    throw new FreightError("usage", `the address of the ${API_NAMES[api]} is needed: --base-url https://…`)
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
 * Address and key of one or both APIs, at prompts; what is left empty is skipped.
 * @param tryOut is called with each as soon as it is given, before the next is asked for
 */
export async function askForKeys(
  deps: Needs,
  profile: string,
  options: GivenOptions,
  tryOut: (given: Given, api: Api) => Promise<void>,
): Promise<Given> {
  if (!deps.interactive)
    throw new FreightError("usage", "there is no terminal to ask for the keys", {
      hint: "In a script, pipe a key into freight auth login --with-key --base-url https://…, or set the environment variables.",
    })
  const ask = await deps.prompt()
  const orNothing = (check: (text: string) => Parsed<string>) => (text: string) =>
    text === "" ? parsed("") : check(text)
  const given: Given = new Map()
  for (const api of options.api ? [options.api] : APIS) {
    const named = api === (options.api ?? "freight") ? options.baseUrl : undefined
    const known = named ?? knownUrl(deps, profile, api)
    const baseUrl = await ask.text(`Address of the ${API_NAMES[api]}${known ? "" : " (Enter skips it)"}:`, {
      initial: known,
      check: orNothing(address),
    })
    if (baseUrl === "") continue
    const key = await ask.text("Its key, hidden (Enter skips it):", {
      isHidden: true,
      check: orNothing(keyText),
    })
    if (key === "") continue
    given.set(api, { baseUrl, key })
    await tryOut(given, api)
  }
  return given
}

/** The address that is already known for an API, where the profile may be a new one. */
export function knownUrl(deps: Needs, profile: string, api: Api): string | undefined {
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
