import { quoted } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"
import type { Env } from "../base/ports.ts"
import { unescape as unescaped } from "node:querystring"

/** Addresses of this machine: 127.0.0.0/8, ::1, localhost. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}

/**
 * The base address of an API, with an optional path.
 * @param setting its name in messages
 * @throws FreightError `config` for anything but an https address (http on this machine) without user, password, `?`
 * and `#`
 */
export function parseBaseUrl(text: string, setting: string): URL {
  const wrong = (what: string, hint?: string) =>
    new FreightError("config", `${setting} ${what}`, hint === undefined ? {} : { hint })
  if (!URL.canParse(text))
    throw wrong(
      "is not a full address",
      "Enter the full address that you were given with the key, such as https://api.example.com/v1.",
    )
  const url = new URL(text)
  // The value is not shown: it may be a secret.
  if (url.username || url.password)
    throw wrong("contains a user name or password: leave them out, the key signs you in")
  if (url.search || url.hash) throw wrong('contains a "?" or "#": give the address up to its path')
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url)))
    throw wrong(
      "must start with https://",
      "Plain http would show your key to the network; it is allowed on this machine only.",
    )
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, "")
  return url
}

export type Query = Readonly<Record<string, string | number | undefined>>

/** Path and query of a request, below the base's own path. */
export function buildTarget(base: URL, path: string, query: Query = {}): string {
  const prefix = base.pathname.replace(/\/$/, "")
  if (!path.startsWith("/")) throw new FreightError("usage", "a path starts with /, as in /shipments")
  const url = new URL(`${base.origin}${prefix}${path}`)
  if (url.hash || !url.pathname.startsWith(`${prefix}/`))
    throw new FreightError("usage", 'a path must not contain "#" or lead out of the API with ".."')
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  return url.pathname + url.search
}

/**
 * Builds a path from a template; each value becomes one encoded segment.
 * @throws FreightError `usage` for an invalid segment
 */
export function route(parts: TemplateStringsArray, ...ids: readonly string[]): string {
  return parts.reduce((path, part, at) => path + encodeSegment(ids[at - 1] ?? "") + part)
}

function encodeSegment(id: string): string {
  if (/^\.{0,2}$|\p{Cs}/u.test(id))
    throw new FreightError("usage", id === "" ? "an id is empty" : `${quoted(id)} is not an id`)
  return encodeURIComponent(id)
}

/**
 * The proxy for an address: `HTTPS_PROXY`, else `HTTP_PROXY`, unless `NO_PROXY` names the host; lower case wins.
 * Never for this machine itself.
 * @throws FreightError `config` for an invalid proxy address
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  if (isLoopback(url)) return undefined
  const value = getVariable(env, "https_proxy") ?? getVariable(env, "http_proxy")
  if (value === undefined || isExempt(url, getVariable(env, "no_proxy") ?? "")) return undefined
  const text = value.includes("://") ? value : `http://${value}`
  // The value is not shown: it may hold a password.
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new FreightError(
      "config",
      "the proxy in HTTPS_PROXY or HTTP_PROXY is not an http or https address",
      { hint: "Write it as http://proxy.example.com:3128." },
    )
  return new URL(text)
}

export function proxyVariable(env: Env): string {
  const names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]
  return names.find((name) => env[name]?.trim()) ?? "HTTPS_PROXY"
}

/**
 * The proxy's password in every form in which it may be repeated: plain, as in its address, and in `Proxy-Authorization`.
 */
export function listProxySecrets(proxy: URL | undefined): string[] {
  if (!proxy?.password) return []
  const login = proxyLogin(proxy)?.replace(/^Basic /, "") ?? ""
  return [proxy.password, unescaped(proxy.password), login]
}

/** `Proxy-Authorization` for a proxy whose address has a user; otherwise undefined. */
export function proxyLogin({ username, password }: URL): string | undefined {
  if (username === "") return undefined
  return `Basic ${Buffer.from(unescaped(`${username}:${password}`)).toString("base64")}`
}

function getVariable(env: Env, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined
}

/** `NO_PROXY` as curl reads it: `*`, or hosts and their subdomains, each with an optional port. */
function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || "443"
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, host, onPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? []
      if (entry === "*") return true
      if (!host || (onPort !== undefined && onPort !== port)) return false
      return url.hostname === host || url.hostname.endsWith(`.${host}`)
    })
}
