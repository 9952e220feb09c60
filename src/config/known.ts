/** Every setting that a profile can hold, and every environment variable. */
import type { Api } from "../contract/endpoints.ts"

/**
 * - `url`: the address of an API
 * - `key`: a secret; never taken from the command line, shown by its last four characters only
 * - `command`: a command of the system's shell that prints a key
 * - `address`: the name of a saved address
 * - `businessUnit`: one of the contract's two
 * - `seconds`: more than 0, at most 3600
 * - `service`, `days`, `amount`, `avoid`: wishes for a service
 * - `switch`: yes or no
 * - `confirm`: always or never
 * - `ledger`: the address of a PostgreSQL database, or a file
 * - `name`: a short name
 */
type SettingKind =
  | "url"
  | "key"
  | "command"
  | "address"
  | "businessUnit"
  | "seconds"
  | "ledger"
  | "name"
  | "switch"
  | "confirm"
  | WishKind
type WishKind = "service" | "days" | "amount" | "avoid"

export interface Setting {
  readonly key: string
  readonly title: string
  readonly kind: SettingKind
  readonly api?: Api
  readonly variable?: string
  /** Of a key: the setting with the command that prints it, which is run where the key itself is not set. */
  readonly command?: "freightApiKeyCommand" | "directPrintApiKeyCommand"
  /** The global flag that beats environment and profile. */
  readonly flag?: "timeout"
  readonly fallback?: string
}

function setting<const Key extends string>(
  key: Key,
  kind: SettingKind,
  title: string,
  more: Omit<Setting, "key" | "kind" | "title"> = {},
) {
  return { key, kind, title, ...more }
}

const TABLE = [
  setting("freightBaseUrl", "url", "address of the freight API", {
    api: "freight",
    variable: "FREIGHT_BASE_URL",
  }),
  setting("freightApiKey", "key", "key of the freight API", {
    api: "freight",
    variable: "FREIGHT_API_KEY",
    command: "freightApiKeyCommand",
  }),
  setting(
    "freightApiKeyCommand",
    "command",
    "command that prints the key of the freight API, where the key is not set",
    { api: "freight", variable: "FREIGHT_API_KEY_COMMAND" },
  ),
  setting("directPrintBaseUrl", "url", "address of the direct print API", {
    api: "direct-print",
    variable: "DIRECT_PRINT_BASE_URL",
  }),
  setting("directPrintApiKey", "key", "key of the direct print API", {
    api: "direct-print",
    variable: "DIRECT_PRINT_API_KEY",
    command: "directPrintApiKeyCommand",
  }),
  setting(
    "directPrintApiKeyCommand",
    "command",
    "command that prints the key of the direct print API, where the key is not set",
    { api: "direct-print", variable: "DIRECT_PRINT_API_KEY_COMMAND" },
  ),
  setting("sender", "address", "saved address of the sender, when a booking gives none"),
  setting("collection", "address", "saved address to collect from, when a booking gives none"),
  setting("businessUnit", "businessUnit", "carrier C's business unit, when a request gives none"),
  setting("service", "service", "service where none is named: a code, cheapest or fastest"),
  setting("within", "days", "only services that arrive within this many days: 3d"),
  setting("maxPrice", "amount", "only services up to this quoted price: 90.00"),
  setting("avoid", "avoid", "services and carriers to avoid: GEN,A"),
  setting("ledger", "ledger", "ledger: postgres://USER@HOST/DATABASE, or a full file name", {
    variable: "FREIGHT_LEDGER",
  }),
  setting("account", "name", "account that the freight key belongs to, where several keys are in use"),
  setting("register", "switch", "yes: invoice validate registers invoices (--register)", { fallback: "no" }),
  setting("confirm", "confirm", "never: do not ask before something is booked (--yes)", {
    variable: "FREIGHT_CONFIRM",
    fallback: "always",
  }),
  setting("timeout", "seconds", "seconds to wait for a reply", { flag: "timeout", fallback: "30" }),
] as const satisfies readonly Setting[]

export const SETTINGS: readonly (Setting & { key: SettingKey })[] = TABLE

export type SettingKey = (typeof TABLE)[number]["key"]

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

export interface Variable {
  /** Several names mean the same; the first that is set counts. */
  names: readonly string[]
  title: string
}

const one = (name: string, title: string): Variable => ({ names: [name], title })

/** Freight's own; flags beat them, and they beat the profile. */
export const OWN_VARIABLES: readonly Variable[] = [
  ...SETTINGS.flatMap(({ variable, title }) => (variable ? [one(variable, title)] : [])),
  one("FREIGHT_PROFILE", "the profile to use without --profile"),
  one("FREIGHT_SANDBOX", "1: use the built-in sandbox, as --sandbox does"),
  one("FREIGHT_WORKSTATION", "name of this desk, for its print device (default: the host's name)"),
  one("FREIGHT_CONFIG_DIR", "folder of the settings file"),
  one("FREIGHT_STATE_DIR", "folder of what this machine remembers: ledger, quotes, devices"),
]

/** Of the network, the terminal and the system. */
export const SHARED_VARIABLES: readonly Variable[] = [
  { names: ["PGPASSWORD", "PGPASSFILE"], title: "password of a ledger in PostgreSQL, or a file with it" },
  { names: ["HTTPS_PROXY", "HTTP_PROXY"], title: "proxy to reach the APIs through" },
  one("NO_PROXY", "hosts to reach without the proxy, separated by commas; * means all"),
  one("NODE_EXTRA_CA_CERTS", "file of certificate authorities to trust besides Node's own"),
  one("NODE_TLS_REJECT_UNAUTHORIZED", "0: no certificate is checked; freight warns about it"),
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
