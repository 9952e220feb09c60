/** Every setting that a profile can hold: what it is called, what it takes, and where else its value can come from. */
import type { Api } from "./settings.ts"

/**
 * - `url`: the address of an API
 * - `key`: a secret; never taken from the command line, shown by its last four characters only
 * - `address`: the name of a saved address
 * - `businessUnit`: one of the contract's two
 * - `seconds`: more than 0, at most 3600
 * - `ledger`: the address of a PostgreSQL database, or a file
 */
type SettingKind = "url" | "key" | "address" | "businessUnit" | "seconds" | "ledger"

export interface Setting {
  readonly key: string
  readonly title: string
  readonly kind: SettingKind
  readonly api?: Api
  /** The environment variable that beats the profile. */
  readonly variable?: string
  /** The global flag that beats both. */
  readonly flag?: "timeout"
  readonly fallback?: string
}

const TABLE = [
  {
    key: "freightBaseUrl",
    title: "address of the freight API",
    kind: "url",
    api: "freight",
    variable: "FREIGHT_BASE_URL",
  },
  {
    key: "freightApiKey",
    title: "key of the freight API",
    kind: "key",
    api: "freight",
    variable: "FREIGHT_API_KEY",
  },
  {
    key: "directPrintBaseUrl",
    title: "address of the direct print API",
    kind: "url",
    api: "direct-print",
    variable: "DIRECT_PRINT_BASE_URL",
  },
  {
    key: "directPrintApiKey",
    title: "key of the direct print API",
    kind: "key",
    api: "direct-print",
    variable: "DIRECT_PRINT_API_KEY",
  },
  { key: "sender", title: "saved address of the sender, when a booking gives none", kind: "address" },
  { key: "collection", title: "saved address to collect from, when a booking gives none", kind: "address" },
  {
    key: "businessUnit",
    title: "carrier C's business unit, when a request gives none",
    kind: "businessUnit",
  },
  {
    key: "ledger",
    title: "ledger: postgres://USER@HOST/DATABASE, or a full file name",
    kind: "ledger",
    variable: "FREIGHT_LEDGER",
  },
  { key: "timeout", title: "seconds to wait for a reply", kind: "seconds", flag: "timeout", fallback: "30" },
] as const satisfies readonly Setting[]

export const SETTINGS: readonly (Setting & { key: SettingKey })[] = TABLE

export type SettingKey = (typeof TABLE)[number]["key"]

/** The two settings of each API. */
export const ENDPOINT = {
  freight: { baseUrl: "freightBaseUrl", key: "freightApiKey" },
  "direct-print": { baseUrl: "directPrintBaseUrl", key: "directPrintApiKey" },
} as const satisfies Record<Api, { baseUrl: SettingKey; key: SettingKey }>

const BY_KEY = new Map(SETTINGS.map((setting) => [setting.key, setting]))

export function settingOf(key: SettingKey): Setting & { key: SettingKey } {
  const setting = BY_KEY.get(key)
  if (!setting) throw new TypeError(`no setting ${key}`)
  return setting
}

export function isSettingKey(text: string): text is SettingKey {
  return BY_KEY.has(text as SettingKey)
}
