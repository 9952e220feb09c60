/** Every setting that a profile can hold, and every environment variable. */
import { CARRIERS, findReaders, nameCarriers } from "../../carriers/index.ts"
import type { Api } from "../../contract/index.ts"
import { PROGRAMS } from "../../bills/programs.ts"

/**
 * - `url`: the address of an API
 * - `key`: a secret; never taken from the command line, shown by its last four characters only
 * - `command`: a command of the system's shell that prints a key
 * - `address`: the name of a saved address
 * - `choice`: one of the setting's choices
 * - `seconds`: more than 0, at most 3600
 * - `service`, `days`, `amount`, `avoid`, `share`: wishes for a service
 * - `carrierDays`: days for each carrier
 * - `carrierAccounts`: the number of an account with each carrier
 * - `carrierGst`: whether GST is in its prices, for each carrier
 * - `carrierNames`: what customers call each carrier
 * - `account`: an account of the books, as they number or name it
 * - `ledger`: the address of a PostgreSQL database, or a file
 * - `name`: a short name
 */
type SettingKind =
  | ("url" | "key" | "command" | "address" | "choice" | "seconds" | "ledger" | "name")
  | (
      | "service"
      | "days"
      | "amount"
      | "avoid"
      | "share"
      | "carrierDays"
      | "carrierAccounts"
      | "carrierGst"
      | "carrierNames"
      | "account"
    )

interface SettingRow {
  readonly kind: SettingKind
  readonly title: string
  readonly choices?: readonly string[]
  readonly api?: Api
  readonly variable?: string
  /** The setting with the command that prints a key, which is run if the key itself is not set. */
  readonly command?: "freightApiKeyCommand" | "directPrintApiKeyCommand"
  /** The global flag that goes before environment and profile. */
  readonly flag?: "timeout"
  readonly fallback?: string
}

const setting = (kind: SettingKind, title: string, more: Partial<SettingRow> = {}): SettingRow => ({
  kind,
  title,
  ...more,
})

const TABLE = {
  freightBaseUrl: setting("url", "address of the freight API", {
    api: "freight",
    variable: "FREIGHT_BASE_URL",
  }),
  freightApiKey: setting("key", "key of the freight API", {
    api: "freight",
    variable: "FREIGHT_API_KEY",
    command: "freightApiKeyCommand",
  }),
  freightApiKeyCommand: setting(
    "command",
    "command that prints the key of the freight API, where the key is not set",
    { api: "freight", variable: "FREIGHT_API_KEY_COMMAND" },
  ),
  directPrintBaseUrl: setting("url", "address of the direct print API", {
    api: "direct-print",
    variable: "DIRECT_PRINT_BASE_URL",
  }),
  directPrintApiKey: setting("key", "key of the direct print API", {
    api: "direct-print",
    variable: "DIRECT_PRINT_API_KEY",
    command: "directPrintApiKeyCommand",
  }),
  directPrintApiKeyCommand: setting(
    "command",
    "command that prints the key of the direct print API, where the key is not set",
    { api: "direct-print", variable: "DIRECT_PRINT_API_KEY_COMMAND" },
  ),
  sender: setting("address", "saved address of the sender, when a booking gives none"),
  collection: setting("address", "saved address to collect from, when a booking gives none"),
  businessUnit: setting(
    "choice",
    `${nameCarriers(findReaders("ConsignmentBookingRequest", "businessUnit"))}'s business unit, when a request gives none`,
    {
      choices: ["UNIT_A", "UNIT_B"],
    },
  ),
  service: setting("service", "code, cheapest, best-value, fastest or reliable, for all"),
  within: setting("days", "only services that arrive within this many days: 3d"),
  maxPrice: setting("amount", "only services up to this price with GST: 90.00"),
  gst: setting("carrierGst", "GST in quotes without it stated: A=excluded,C=included"),
  avoid: setting("avoid", "services and carriers to avoid: GEN,A"),
  onTime: setting("share", "only services in time this often, where it is known: 90%"),
  evidenceDays: setting("days", "days that deliveries and bills count as evidence", {
    fallback: "180d",
  }),
  disputeDays: setting("carrierDays", `days to dispute a bill, by carrier: ${CARRIERS[0]}=30`),
  carrierAccounts: setting("carrierAccounts", `your account with each carrier: ${CARRIERS[0]}=10044`),
  books: setting("choice", "accounting program that freight post writes for", { choices: PROGRAMS }),
  freightAccount: setting("account", "account in the books for freight, where no rule of freight post fits"),
  clearingAccount: setting("account", "account in the books for what is disputed with carriers"),
  accrualAccount: setting("account", "account in the books for freight that is booked and not billed yet"),
  carrierNames: setting("carrierNames", "carriers as shops name them: A=StarTrack,B=TNT"),
  ledger: setting("ledger", "ledger: postgres://USER@HOST/DATABASE, or a full file name", {
    variable: "FREIGHT_LEDGER",
  }),
  account: setting("name", "account that the freight key belongs to, where several keys are in use"),
  lookElsewhere: setting("choice", "off: do not look for what was booked elsewhere", {
    choices: ["on", "off"],
    fallback: "on",
    variable: "FREIGHT_LOOK_ELSEWHERE",
  }),
  register: setting("choice", "yes: invoice validate registers invoices (--register)", {
    choices: ["yes", "no"],
    fallback: "no",
  }),
  confirm: setting("choice", "never: do not ask before something is booked (--yes)", {
    choices: ["always", "never"],
    variable: "FREIGHT_CONFIRM",
    fallback: "always",
  }),
  timeout: setting("seconds", "seconds to wait for a reply", {
    flag: "timeout",
    variable: "FREIGHT_TIMEOUT",
    fallback: "30",
  }),
}

export type SettingKey = keyof typeof TABLE

export interface Setting extends SettingRow {
  readonly key: SettingKey
}

/** Every setting that a profile can hold, in the order in which they are listed. */
export const SETTINGS: readonly Setting[] = (Object.keys(TABLE) as SettingKey[]).map(settingOf)

export const ENDPOINT = {
  freight: { baseUrl: "freightBaseUrl", key: "freightApiKey" },
  "direct-print": { baseUrl: "directPrintBaseUrl", key: "directPrintApiKey" },
} as const satisfies Record<Api, { baseUrl: SettingKey; key: SettingKey }>

export function settingOf(key: SettingKey): Setting {
  return { key, ...TABLE[key] }
}

export function isSettingKey(text: string): text is SettingKey {
  return Object.hasOwn(TABLE, text)
}

export interface Variable {
  /** Several names mean the same; the first that is set counts. */
  names: readonly string[]
  title: string
}

const one = (name: string, title: string): Variable => ({ names: [name], title })

/** Freight's own variables; flags go before them, and they before the profile. */
export const OWN_VARIABLES: readonly Variable[] = [
  ...SETTINGS.flatMap(({ variable, title }) => (variable ? [one(variable, title)] : [])),
  one("FREIGHT_PROFILE", "the profile to use without --profile"),
  one("FREIGHT_SANDBOX", "1: use the built-in sandbox, as --sandbox does"),
  one("FREIGHT_FORMAT", "table, json, ndjson or csv: the format of commands that can write it"),
  one("FREIGHT_NO_INPUT", "1: never ask, as --no-input does"),
  one("FREIGHT_WORKSTATION", "name of this workstation, for its print device (default: the host's name)"),
  one("FREIGHT_CONFIG_DIR", "folder of the settings file"),
  one("FREIGHT_STATE_DIR", "folder of what this machine remembers: ledger, quotes, devices"),
]

/** Variables of the network, the terminal and the system. */
export const SHARED_VARIABLES: readonly Variable[] = [
  { names: ["PGPASSWORD", "PGPASSFILE"], title: "password of a ledger in PostgreSQL, or a file with it" },
  { names: ["HTTPS_PROXY", "HTTP_PROXY"], title: "proxy to reach the APIs through" },
  one("NO_PROXY", "hosts to reach without the proxy, separated by commas; * means all"),
  one("NODE_EXTRA_CA_CERTS", "file of certificate authorities to trust besides Node's own"),
  one("NODE_TLS_REJECT_UNAUTHORIZED", "0: no certificate is checked; freight warns about it"),
  one("GITHUB_WORKSPACE", "folder that --format github names files from"),
  one("NO_COLOR", "set to anything: no colour"),
  one("FORCE_COLOR", "colour even without a terminal, unless it is 0"),
  one("TERM", "dumb: no colour, and questions in plain lines"),
  { names: ["LC_ALL", "LC_CTYPE", "LANG"], title: "with UTF-8 in it: characters beyond ASCII are used" },
  { names: ["XDG_CONFIG_HOME", "APPDATA"], title: "folder of all programs' settings; APPDATA on Windows" },
  {
    names: ["XDG_STATE_HOME", "LOCALAPPDATA"],
    title: "folder of all programs' state; LOCALAPPDATA on Windows",
  },
  {
    names: ["USER", "LOGNAME", "USERNAME"],
    title: "your user name, which keeps your unfinished bookings apart from others",
  },
  { names: ["DISPLAY", "WAYLAND_DISPLAY"], title: "the screen to open a label on" },
  {
    names: ["HOME", "XDG_DATA_HOME", "BASH_COMPLETION_USER_DIR", "ZDOTDIR"],
    title: "where freight completion --install puts its script",
  },
]
