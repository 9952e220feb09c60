/** Where each setting's value comes from: flag beats environment beats profile beats default. */
import { homedir, hostname } from "node:os"
import path from "node:path"
import { FreightError } from "../errors.ts"

/** The global flags, as the command line gave them. */
export interface Globals {
  profile?: string
  sandbox?: boolean
  format?: string
  json?: boolean
  fields?: string
  /** False when `--no-input` was given. */
  input?: boolean
  quiet?: boolean
  verbose?: boolean
  /** Seconds, as typed. */
  timeout?: string
  /** False when `--no-color` was given. */
  color?: boolean
}

export type Env = Readonly<Record<string, string | undefined>>

export type Api = "freight" | "direct-print"

export interface Endpoint {
  baseUrl: string
  key: string
}

export const DEFAULT_TIMEOUT_S = 30

/** An environment variable's value; an empty one counts as not set. */
export function variable(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === "" ? undefined : value
}

/**
 * The address and key of one API, from the environment.
 * @throws FreightError `unauthenticated` when there is no key, `config` when the address is missing or the key is
 * not shaped like one (Authentication 1 and 2: a prefix, then 64 hexadecimal characters).
 */
export function endpointOf(env: Env, api: Api): Endpoint {
  const prefix = api === "freight" ? "FREIGHT" : "DIRECT_PRINT"
  const key = variable(env, `${prefix}_API_KEY`)
  const baseUrl = variable(env, `${prefix}_BASE_URL`)
  if (!key) {
    throw new FreightError("unauthenticated", `not signed in: there is no key for the ${api} API`, {
      hint: `Set ${prefix}_API_KEY and ${prefix}_BASE_URL, or try the command on the built-in sandbox with --sandbox.`,
    })
  }
  if (!/^\S*[0-9a-f]{64}$/i.test(key)) {
    throw new FreightError("config", `${prefix}_API_KEY is not shaped like a key`, {
      hint: "A key ends with 64 hexadecimal characters and holds no spaces. Was it copied whole?",
    })
  }
  if (!baseUrl) {
    throw new FreightError("config", `the address of the ${api} API is not set`, {
      hint: `Set ${prefix}_BASE_URL to the address you were given with the key.`,
    })
  }
  return { baseUrl, key }
}

/** The folder for what this machine remembers: `FREIGHT_STATE_DIR`, or the platform's own place. */
export function stateDir(env: Env, platform: string): string {
  const own = variable(env, "FREIGHT_STATE_DIR")
  if (own) return path.resolve(own)
  if (platform === "win32") return path.join(variable(env, "LOCALAPPDATA") ?? homedir(), "freight", "state")
  return path.join(variable(env, "XDG_STATE_HOME") ?? path.join(homedir(), ".local", "state"), "freight")
}

/** The name of this desk: `FREIGHT_WORKSTATION`, or the host's name. */
export function workstation(env: Env): string {
  return variable(env, "FREIGHT_WORKSTATION") ?? hostname()
}

/** `--timeout` in milliseconds. @throws FreightError `usage`. */
export function timeoutMs(globals: Globals): number {
  if (globals.timeout === undefined) return DEFAULT_TIMEOUT_S * 1000
  const seconds = Number(globals.timeout)
  if (!(seconds > 0 && seconds <= 3600))
    throw new FreightError(
      "usage",
      `--timeout takes seconds, more than 0 and at most 3600, not '${globals.timeout}'`,
    )
  return seconds * 1000
}
