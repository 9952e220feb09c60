import { unescape as unescaped } from "node:querystring"
import { FreightError } from "../errors.ts"
import { isLoopback } from "./base-url.ts"

/** Environment variables, by name. */
export type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy to go through for an address, from the environment: `HTTPS_PROXY`, else `HTTP_PROXY`, unless `NO_PROXY`
 * names the host; lower case wins over upper case. This machine itself is never asked through a proxy.
 * @throws FreightError `config` when the proxy's address is not one.
 */
export function proxyFor(url: URL, env: Env): URL | undefined {
  if (isLoopback(url)) return undefined
  const value = either(env, "https_proxy") ?? either(env, "http_proxy")
  if (value === undefined || isExempt(url, either(env, "no_proxy") ?? "")) return undefined
  const text = value.includes("://") ? value : `http://${value}`
  // The value is not shown: it may hold a password.
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new FreightError(
      "config",
      "the proxy in HTTPS_PROXY or HTTP_PROXY is not an http or https address",
      {
        hint: "It looks like http://proxy.example.com:3128.",
      },
    )
  }
  return new URL(text)
}

/** The header with which a proxy's user signs in; undefined when its address names none. */
export function proxyLogin({ username, password }: URL): string | undefined {
  if (username === "") return undefined
  return `Basic ${Buffer.from(unescaped(`${username}:${password}`)).toString("base64")}`
}

function either(env: Env, name: string): string | undefined {
  return env[name]?.trim() || env[name.toUpperCase()]?.trim() || undefined
}

/** `NO_PROXY` as curl reads it: `*`, or hosts that also stand for what is below them, each with an optional port. */
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
