/** The command line's global flags and the environment. */
import { quoted } from "../../base/parsed.ts"
import { homedir, hostname } from "node:os"
import path from "node:path"
import type { Api } from "../../contract/index.ts"
import { FreightError } from "../../base/errors.ts"
import type { Env } from "../../base/ports.ts"

export interface Globals {
  profile?: string
  sandbox?: boolean
  format?: string
  json?: boolean
  fields?: string
  /** False when `--no-header` was given. */
  header?: boolean
  /** False when `--no-input` was given. */
  input?: boolean
  plain?: boolean
  quiet?: boolean
  verbose?: boolean
  /** Seconds, as typed. */
  timeout?: string
  /** False when `--no-color` was given. */
  color?: boolean
  /** Commands that spend money or change files do not ask first. */
  yes?: boolean
}

export function otherApi(api: Api): Api {
  return api === "freight" ? "direct-print" : "freight"
}

export interface Endpoint {
  baseUrl: string
  key: string
}

/** An environment variable; an empty one counts as not set. */
export function variable(env: Env, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === "" ? undefined : value
}

/** A variable that says yes or no. @param use the meaning of each @throws FreightError `config` for another word */
export function isVariableOn(env: Env, name: string, use: string): boolean {
  const value = variable(env, name) ?? "no"
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off)$/i.test(value)) return false
  throw new FreightError("config", `${name} must be 1 or 0, not ${quoted(value)}`, { hint: use })
}

/** @throws FreightError `config` if HOME is not set and the system knows none */
export function homeFolder(): string {
  let found = ""
  try {
    found = homedir()
  } catch {
    // There is no such user.
  }
  if (found !== "") return found
  throw new FreightError("config", "your home folder is not known: HOME is not set, and this user has none", {
    hint: "Set HOME; or FREIGHT_STATE_DIR and FREIGHT_CONFIG_DIR, to folders that may be written.",
  })
}

/** The state folder: `FREIGHT_STATE_DIR` or the platform's default. */
export function stateDir(env: Env, platform: string): string {
  const own = variable(env, "FREIGHT_STATE_DIR")
  if (own) return path.resolve(own)
  if (platform === "win32")
    return path.join(variable(env, "LOCALAPPDATA") ?? homeFolder(), "freight", "state")
  return path.join(xdgFolder(env, "XDG_STATE_HOME") ?? path.join(homeFolder(), ".local", "state"), "freight")
}

/** The folder of the settings file: `FREIGHT_CONFIG_DIR` or the platform's default. */
export function configDir(env: Env, platform: string): string {
  const own = variable(env, "FREIGHT_CONFIG_DIR")
  if (own) return path.resolve(own)
  if (platform === "win32") return path.join(variable(env, "APPDATA") ?? homeFolder(), "freight", "config")
  return path.join(xdgFolder(env, "XDG_CONFIG_HOME") ?? path.join(homeFolder(), ".config"), "freight")
}

function xdgFolder(env: Env, name: "XDG_STATE_HOME" | "XDG_CONFIG_HOME"): string | undefined {
  const folder = variable(env, name)
  if (folder === undefined || path.isAbsolute(folder)) return folder
  throw new FreightError("config", `${name} must be a full path, not ${folder}; nothing was done`, {
    hint: `Set it to a path from the root on, or remove it: freight then uses ${name === "XDG_STATE_HOME" ? "~/.local/state" : "~/.config"}.`,
  })
}

/** Whether Node accepts any certificate, which exposes the keys. */
export function trustsAnyCertificate(env: Env): boolean {
  return env.NODE_TLS_REJECT_UNAUTHORIZED === "0"
}

export const UNCHECKED =
  "NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is checked, and anyone on the way can read and use your keys"

export function workstation(env: Env): string {
  return variable(env, "FREIGHT_WORKSTATION") ?? hostname()
}

/**
 * Parses seconds into milliseconds.
 * @param name for messages: `--timeout`
 * @throws FreightError of the kind
 */
export function timeoutMs(text: string, name = "--timeout", kind: "usage" | "config" = "usage"): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 3600))
    throw new FreightError(kind, `${name} takes seconds, more than 0 and at most 3600, not ${quoted(text)}`)
  return seconds * 1000
}
