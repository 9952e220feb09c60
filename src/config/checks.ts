/** What `doctor` finds out, one thing each: from facts to a finding. Nothing here looks anything up. */
import { FreightError } from "../errors.ts"
import { isKeyShaped } from "./keys.ts"
import { ENDPOINT } from "./known.ts"
import { type Resolved, sourceText } from "./resolve.ts"
import { API_NAMES, type Api, otherApi } from "./settings.ts"

/** `warn`: works, and may surprise; `fail`: something will not work. */
export type State = "ok" | "warn" | "fail"

export interface Check {
  check: string
  state: State
  message: string
  /** What to do about it. */
  remedy?: string
}

const OLDEST_NODE = [20, 19] as const
const CLOCK_WARNS_MS = 60_000
const CLOCK_FAILS_MS = 3_600_000

/** @param version such as `20.19.4` */
export function nodeCheck(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [least, leastMinor] = OLDEST_NODE
  if (major > least || (major === least && minor >= leastMinor))
    return { check: "node", state: "ok", message: `Node ${version}` }
  const remedy = `Install Node ${least}.${leastMinor} or newer.`
  return { check: "node", state: "fail", message: `Node ${version} is too old`, remedy }
}

/** @param error why the file cannot be read, if so; @param exists whether there is one */
export function settingsFileCheck(file: string, exists: boolean, error: FreightError | undefined): Check {
  const check = "settings-file"
  if (error) return { check, state: "fail", message: error.message, ...remedyOf(error) }
  return { check, state: "ok", message: exists ? file : `${file} is not there yet: nothing is saved` }
}

/** Who else may read the settings file, or put another in its place. Windows has no such bits. */
export function privacyCheck(
  file: string,
  folder: string,
  modes: { file: number | undefined; folder: number | undefined },
  platform: string,
): Check | undefined {
  const check = "settings-private"
  if (platform === "win32" || modes.file === undefined) return undefined
  if (modes.file & 0o077)
    return {
      check,
      state: "fail",
      message: `others may read ${file}, where the keys are`,
      remedy: `chmod 600 '${file}'; if others use this machine, replace the keys in the portal`,
    }
  if ((modes.folder ?? 0) & 0o022)
    return {
      check,
      state: "warn",
      message: `others may change what is in ${folder}, and so replace the settings file`,
      remedy: `chmod 700 '${folder}'`,
    }
  return { check, state: "ok", message: "only you may read the settings file" }
}

/** @param error why the profile cannot be used, if so */
export function profileCheck(name: string, error: FreightError | undefined): Check {
  const check = "profile"
  if (!error) return { check, state: "ok", message: `profile '${name}'` }
  return {
    check,
    state: "fail",
    message: error.message,
    ...remedyOf(error),
  }
}

/** What is set for an API, and what came of trying it. */
export interface ApiFacts {
  api: Api
  key: Resolved
  baseUrl: Resolved
  /** Why address and key cannot be used, found without asking the server. */
  unusable?: FreightError
  tried?: { outcome: "works" | "forbidden" | "refused" | "failed"; error?: FreightError }
  /** The key is refused by this API and accepted by the other. */
  swapped?: boolean
}

/** Address, key and what the key may do. Stops at the first thing that makes the rest meaningless. */
export function apiChecks(facts: ApiFacts): Check[] {
  const { api, key, baseUrl, unusable, tried } = facts
  if (api === "direct-print" && key.source === "none" && baseUrl.source === "none")
    return [
      {
        check: `${api}-key`,
        state: "ok",
        message: "the direct print API is not set up; only freight print pdf needs it",
      },
    ]
  const mixed = mixedCheck(facts)
  // Where the key is well, it is the address that cannot be used.
  if (!tried)
    return [...mixed, broken(key.value && isKeyShaped(key.value) ? "address" : "key", api, unusable)]
  if (tried.outcome === "failed") return [...mixed, broken("address", api, tried.error)]
  const address: Check = { check: `${api}-address`, state: "ok", message: `the ${API_NAMES[api]} answers` }
  return [...mixed, address, keyCheck(facts), ...accessChecks(facts)]
}

function broken(what: "address" | "key", api: Api, error: FreightError | undefined): Check {
  return {
    check: `${api}-${what}`,
    // It is there, and would rather be asked later.
    state: error?.kind === "rateLimited" ? "warn" : "fail",
    message: error?.message ?? "it was not tried",
    ...remedyOf(error),
  }
}

/** A key that is sent to an address which was not given with it. */
function mixedCheck({ api, key, baseUrl }: ApiFacts): Check[] {
  if (key.source === "none" || baseUrl.source === "none" || key.source === baseUrl.source) return []
  return [
    {
      check: `${api}-sources`,
      state: "warn",
      message: `the key of the ${API_NAMES[api]} comes from ${sourceText(key)}, its address from ${sourceText(baseUrl)}`,
      remedy: "Set both in one place, so that no key goes to another account's address.",
    },
  ]
}

function keyCheck({ api, tried, swapped }: ApiFacts): Check {
  const check = `${api}-key`
  if (tried?.outcome !== "refused")
    return { check, state: "ok", message: `the ${API_NAMES[api]} accepts the key` }
  if (swapped)
    return {
      check,
      state: "fail",
      message: `${ENDPOINT[api].key} holds the key of the ${API_NAMES[otherApi(api)]}: the two keys are swapped`,
      remedy: "freight auth login, with each key at its own API",
    }
  return {
    check,
    state: "fail",
    message: `the ${API_NAMES[api]} does not accept the key`,
    remedy: "It may be cut short, expired or revoked: look in the portal, then freight auth login.",
  }
}

function accessChecks({ api, tried }: ApiFacts): Check[] {
  if (tried?.outcome === "refused") return []
  const allowed = tried?.outcome === "works"
  if (api === "freight")
    return allowed
      ? [{ check: "freight-access", state: "ok", message: "freight access is active" }]
      : [
          {
            check: "freight-access",
            state: "fail",
            message: "freight access is not active for this account",
            remedy: "Ask whoever runs the account to have it activated.",
          },
        ]
  return [
    allowed
      ? {
          check: "print-scopes",
          state: "ok",
          message: "devices:read is there; print-jobs:write shows only when something is printed",
        }
      : {
          check: "print-scopes",
          state: "warn",
          message: "the key lacks devices:read: devices cannot be listed, and print pdf needs --device",
          remedy: "Have a key issued with devices:read and print-jobs:write.",
        },
  ]
}

/** @param clocks milliseconds since the epoch: the server's Date, and this machine's clock when it came */
export function clockCheck({ server, here }: { server: number; here: number }): Check {
  const check = "clock"
  const off = Math.abs(server - here)
  if (off <= CLOCK_WARNS_MS) return { check, state: "ok", message: "the clock agrees with the server's" }
  const amount =
    off < CLOCK_FAILS_MS ? `${Math.round(off / 60_000)} min` : `${(off / 3_600_000).toFixed(1)} h`
  return {
    check,
    state: off > CLOCK_FAILS_MS ? "fail" : "warn",
    message: `this machine's clock is ${amount} ${here > server ? "ahead of" : "behind"} the server's`,
    remedy: "Set it: the age of quotes, today's date and cut-off times are reckoned by it.",
  }
}

/** @param hosts the proxies in use, without user names and passwords */
export function proxyCheck(hosts: readonly string[], error: FreightError | undefined): Check {
  const check = "proxy"
  if (error) return { check, state: "fail", message: error.message, ...remedyOf(error) }
  return { check, state: "ok", message: hosts.length > 0 ? `through ${hosts.join(" and ")}` : "none" }
}

/** @param why the system's code for why it cannot be written */
export function stateFolderCheck(folder: string, why: string | undefined): Check {
  const check = "state-folder"
  if (why === undefined) return { check, state: "ok", message: `${folder} can be written` }
  return {
    check,
    state: "fail",
    message: `${folder} cannot be written (${why}): nothing can be booked without the ledger`,
    remedy: "Mend its permissions or make room on the disk, or name another folder in FREIGHT_STATE_DIR.",
  }
}

/** @param open entries without a known outcome; @param error why the ledger cannot be read */
export function ledgerCheck(open: number, error: FreightError | undefined): Check {
  const check = "ledger"
  if (error) return { check, state: "fail", message: error.message, ...remedyOf(error) }
  if (open === 0) return { check, state: "ok", message: "every outcome is known" }
  return {
    check,
    state: "warn",
    message: `${open} ${open === 1 ? "entry has" : "entries have"} no known outcome: something may have been created`,
    remedy: "freight reconcile",
  }
}

/**
 * Whether the print device that this workstation keeps for an API is still there.
 * @param devices ids of those that there are now, or why they cannot be listed
 */
export function deviceCheck(api: Api, chosen: string, devices: readonly string[] | FreightError): Check {
  const check = `${api}-device`
  if (devices instanceof FreightError)
    return {
      check,
      state: "warn",
      message: `whether ${chosen} is still there is not known: ${devices.message}`,
      ...remedyOf(devices),
    }
  if (devices.includes(chosen)) return { check, state: "ok", message: `this workstation prints on ${chosen}` }
  return {
    check,
    state: "fail",
    message: `this workstation's device ${chosen} is not there any more: it was revoked or replaced`,
    remedy: `freight devices use --api ${api}`,
  }
}

/** What an error says to do, and the command that does it. */
function remedyOf(error: FreightError | undefined): Pick<Check, "remedy"> {
  const remedy = [error?.hint, error?.next && `Run: ${error.next}`].filter(Boolean).join(" ")
  return remedy ? { remedy } : {}
}
