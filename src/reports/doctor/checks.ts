/** The checks of this machine in `doctor`: from facts to findings. */
import { quoted } from "../../base/parsed.ts"
import { counted } from "../../base/counted.ts"
import { compareClocks } from "../../base/wall-clock.ts"
import { FreightError } from "../../base/errors.ts"
import type { Api } from "../../contract/index.ts"
import { stat } from "node:fs/promises"
import path from "node:path"
import { UNCHECKED } from "../../machine/index.ts"

/** `warn`: works, but may surprise; `fail`: something will not work. */
export type State = "ok" | "warn" | "fail"

export interface Check {
  check: string
  state: State
  message: string
  remedy?: string
  next?: string
}

export type Remedy = Pick<Check, "remedy" | "next">

export function ok(check: string, message: string): Check {
  return { check, state: "ok", message }
}

export function warn(check: string, message: string, remedy: Remedy): Check {
  return { check, state: "warn", message, ...remedy }
}

export function fail(check: string, message: string, remedy: Remedy): Check {
  return { check, state: "fail", message, ...remedy }
}

const OLDEST_NODE = [20, 19] as const
const CLOCK_WARNS_MS = 60_000
/** Typical for a wrong time zone or missed daylight saving. */
const CLOCK_FAILS_MS = 1_700_000

/** End of security fixes for each line of Node, by its release schedule. */
const SUPPORTED_UNTIL: Readonly<Record<number, string>> = {
  20: "2026-04-30",
  21: "2024-06-01",
  22: "2027-04-30",
  23: "2025-06-01",
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
}

/**
 * @param version such as `20.19.4`
 * @param today `yyyy-mm-dd`
 */
export function nodeCheck(version: string, platform: string, today: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const [least, leastMinor] = OLDEST_NODE
  const until = SUPPORTED_UNTIL[major]
  const next = INSTALL_NODE[platform]
  const where = next === undefined ? " from https://nodejs.org/en/download" : ""
  const renewal = {
    remedy: `Install a newer one${where} (with nvm: nvm install --lts), or ask the person who looks after this machine.`,
    ...(next !== undefined && { next }),
  }
  if (major < least || (major === least && minor < leastMinor))
    return fail("node", `Node ${version} is too old: freight needs ${least}.${leastMinor} or newer`, renewal)
  return until !== undefined && today > until
    ? warn("node", `Node ${version} has had no security fixes since ${until}; freight works with it`, renewal)
    : ok("node", `Node ${version}`)
}

/** Linux has no single command that installs a recent enough Node. */
const INSTALL_NODE: Readonly<Record<string, string>> = {
  darwin: "brew install node",
  win32: "winget install OpenJS.NodeJS.LTS",
}

/** @param error why the file cannot be read */
export function settingsFileCheck(
  file: string,
  exists: boolean,
  error: FreightError | undefined,
  platform: string,
): Check {
  const check = "settings-file"
  if (error)
    return fail(check, error.message, {
      ...getRemedy(error),
      next: platform === "win32" ? `move "${file}" "${file}.damaged"` : `mv '${file}' '${file}.damaged'`,
    })
  return ok(check, exists ? file : `${file} is not there yet: nothing is saved`)
}

/**
 * Who else can read or replace the settings file. Windows has no such permission bits: there, the user's own folder is
 * the one that others may not read.
 * @param own the user's folder and that of programs' settings, which a company may keep on a server; on Windows
 */
export function privacyCheck(
  file: string,
  folder: string,
  modes: { file: number | undefined; folder: number | undefined },
  platform: string,
  own: readonly (string | undefined)[] = [],
): Check | undefined {
  const check = "settings-private"
  if (modes.file === undefined) return undefined
  if (platform === "win32") {
    const isWithin = (home: string | undefined) =>
      home !== undefined && !/^\.\.|^[a-z]:|^\\\\/i.test(path.win32.relative(home, file))
    if (own.some(isWithin))
      return ok(check, "the settings file is in your user folder, which Windows keeps from other users")
    return warn(check, `${file} is not in your user folder: others may be able to read the keys in it`, {
      remedy: "Leave FREIGHT_CONFIG_DIR out, or let nobody else read that folder (icacls shows who may).",
      next: `icacls "${folder}"`,
    })
  }
  if (modes.file & 0o077)
    return fail(check, `others may read ${file}, where the keys are`, {
      remedy: "Make it yours alone. If others use this machine, have the keys replaced in the portal.",
      next: `chmod 600 '${file}'`,
    })
  if ((modes.folder ?? 0) & 0o022)
    return warn(check, `others may change what is in ${folder}, and so replace the settings file`, {
      remedy: "Make the folder yours alone.",
      next: `chmod 700 '${folder}'`,
    })
  return ok(check, "only you may read the settings file")
}

/** @param error why the profile cannot be used */
export function profileCheck(name: string, error: FreightError | undefined): Check {
  const check = "profile"
  if (!error) return ok(check, `profile ${quoted(name)}`)
  return fail(check, error.message, getRemedy(error))
}

/** @param clocks milliseconds since the epoch: the server's Date, and this machine's clock when it came */
export function clockCheck({ server, here }: { server: number; here: number }, platform: string): Check {
  const check = "clock"
  const off = Math.abs(server - here)
  if (off <= CLOCK_WARNS_MS) return ok(check, "the clock agrees with the server's")
  const report = off > CLOCK_FAILS_MS ? fail : warn
  return report(check, `this machine's clock is ${compareClocks(here, server)} the server's`, {
    remedy: "Set it: the age of quotes, today's date and cut-off times depend on it.",
    next: SET_CLOCK[platform] ?? "date",
  })
}

const SET_CLOCK: Readonly<Record<string, string>> = {
  linux: "sudo timedatectl set-ntp true",
  darwin: "sudo sntp -sS time.apple.com",
  win32: "w32tm /resync",
}

/** @param trustsAny whether certificates are not checked */
export function certificatesCheck(trustsAny: boolean, platform: string): Check {
  const check = "certificates"
  if (!trustsAny) return ok(check, "certificates are checked")
  return fail(check, UNCHECKED, {
    remedy: "Name your network's own certificate in NODE_EXTRA_CA_CERTS instead.",
    next: formatUnset(platform, ["NODE_TLS_REJECT_UNAUTHORIZED"]),
  })
}

interface ProxyFacts {
  /** The proxies in use, without user names and passwords. */
  proxies: readonly string[]
  /** Hosts that answer only without the proxy. */
  barred: readonly string[]
  /** Hosts that answer neither way. */
  silent: readonly string[]
  exempt: string | undefined
}

export function proxyCheck(facts: ProxyFacts | FreightError, platform: string): Check {
  const check = "proxy"
  if (facts instanceof FreightError)
    return fail(check, facts.message, {
      ...getRemedy(facts),
      next: formatSetVariable(platform, "HTTPS_PROXY", "http://HOST:PORT"),
    })
  const { proxies, barred, silent, exempt } = facts
  const through = `through ${proxies.join(" and ")}`
  if (barred.length > 0)
    return fail(
      check,
      `the proxy ${proxies.join(" and ")} is in the way: ${barred.join(" and ")} answers without it`,
      {
        remedy: "Reach it without the proxy, where the rules of your network allow that.",
        next: formatSetVariable(platform, "NO_PROXY", [exempt, ...barred].filter(Boolean).join(",")),
      },
    )
  if (silent.length > 0)
    return warn(check, `${through}; ${silent.join(" and ")} answers neither through it nor without it`, {
      remedy: "Is the proxy's address right, and does it want a user name and password?",
      next: formatSetVariable(platform, "HTTPS_PROXY", "http://USER:PASSWORD@HOST:PORT"),
    })
  return ok(check, proxies.length > 0 ? through : "none")
}

/** For PowerShell on Windows, as `shellLine`. */
function formatSetVariable(platform: string, name: string, value: string): string {
  return platform === "win32" ? `$env:${name} = "${value}"` : `export ${name}=${value}`
}

/** The command that removes environment variables. */
export function formatUnset(platform: string, names: readonly string[]): string {
  if (platform === "win32") return `Remove-Item ${names.map((name) => `Env:${name}`).join(", ")}`
  return `unset ${names.join(" ")}`
}

/** @param why the system's reason */
export function stateFolderCheck(folder: string, why: string | undefined, platform: string): Check {
  const check = "state-folder"
  if (why === undefined) return ok(check, `${folder} can be written`)
  return fail(check, `${folder} cannot be written: ${why}; nothing can be booked without the ledger`, {
    remedy: "Fix its permissions or make room on the disk, or name another folder.",
    next: formatSetVariable(platform, "FREIGHT_STATE_DIR", "FOLDER"),
  })
}

/** @param open entries without a known outcome; @param error why the ledger cannot be read */
export function ledgerCheck(open: number, place: string, error: FreightError | undefined): Check {
  const check = "ledger"
  if (error) return fail(check, error.message, getRemedy(error))
  if (open === 0) return ok(check, `${place}: every outcome is known`)
  return warn(
    check,
    `${counted(open, "entry has", "entries have")} no known outcome: something may have been created`,
    { remedy: "Settle it before anything like it is sent again.", next: "freight reconcile" },
  )
}

/** The ledger's data on a key: see `listAccounts`. */
interface KnownKey {
  account: number
  name: string | null
  apiKey: string
  workstation: string
  why: string
  isUnclear: boolean
}

/** The accounts of the ledger, if it knows several keys. @param rows a row for each key */
export function accountsCheck(rows: readonly KnownKey[]): Check {
  const check = "accounts"
  const texts = [...new Set(rows.map(({ account }) => account))].map((account) => {
    const keys = rows.filter((row) => row.account === account)
    const each = keys.map(
      ({ apiKey, workstation, why }) => `${apiKey} (${[workstation, why].filter(Boolean).join("; ")})`,
    )
    return `account ${account}${keys[0]?.name == null ? "" : ` ${keys[0].name}`}: ${each.join(", ")}`
  })
  const message = texts.join(". ")
  return rows.some(({ isUnclear }) => isUnclear)
    ? warn(check, message, {
        remedy:
          "Say in the profile of each key which account it is of: the same name means one account, two names mean two.",
        next: "freight config set account NAME",
      })
    : ok(check, message)
}

/**
 * Whether the workstation's print device still exists, or which one it would print on.
 * @param devices ids, or why they cannot be listed
 */
export function deviceCheck(
  api: Api,
  chosen: string | undefined,
  devices: readonly string[] | FreightError,
): Check {
  const check = `${api}-device`
  if (devices instanceof FreightError)
    return warn(
      check,
      `${chosen ?? "print devices"} could not be checked: ${devices.message}`,
      getRemedy(devices),
    )
  const next = `freight devices use --api ${api}`
  if (chosen === undefined && devices.length > 1)
    return warn(
      check,
      `this workstation has chosen none of the ${devices.length} print devices: freight asks on a terminal, and scripts need --device`,
      { remedy: "Choose the one that it prints on.", next },
    )
  if (chosen === undefined)
    return ok(check, devices[0] ? `prints on ${devices[0]}, the only one` : "there is none")
  if (devices.includes(chosen)) return ok(check, `this workstation prints on ${chosen}`)
  return fail(
    check,
    `this workstation's device ${chosen} is not there any more: it was revoked or replaced`,
    { remedy: "Choose another.", next },
  )
}

/** Why a saved item cannot be used, or may be wrong; undefined if it is fine. */
export type SavedFault = { error: string } | { doubt: string } | undefined

/**
 * @param what `address`
 * @param toNext the command that helps with one, by its name
 * @returns undefined where none is saved
 */
export function savedCheck(
  check: string,
  what: string,
  saved: ReadonlyMap<string, SavedFault>,
  toNext: (name: string) => string,
): Check | undefined {
  if (saved.size === 0) return undefined
  const found = [...saved].flatMap(([name, fault]) => (fault ? [{ name, fault }] : []))
  const worst = found.find(({ fault }) => "error" in fault) ?? found[0]
  if (!worst) return ok(check, `${saved.size} saved, all valid`)
  const { name, fault } = worst
  const next = toNext(/^[\w.-]+$/.test(name) ? name : JSON.stringify(name))
  const remedy = { remedy: "Save it again without the error.", next }
  return "error" in fault
    ? fail(check, `the saved ${what} ${quoted(name)}: ${fault.error}`, remedy)
    : warn(check, `the saved ${what} ${quoted(name)}: ${fault.doubt}`, remedy)
}

/**
 * Saved addresses, and which of them a profile names.
 * @param named each setting that names an address, with the name
 */
export function addressesCheck(
  addresses: ReadonlyMap<string, SavedFault>,
  named: readonly { setting: string; name: string }[],
): Check {
  const check = "addresses"
  const lost = named.find(({ name }) => !addresses.has(name))
  if (lost)
    return fail(check, `${lost.setting} names the address ${quoted(lost.name)}, which is not saved`, {
      remedy: "Save an address under that name, or take the setting out.",
      next: `freight config unset ${lost.setting}`,
    })
  const toNext = (name: string) => `freight address add ${name} --replace`
  return savedCheck(check, "address", addresses, toNext) ?? ok(check, "none is saved")
}

export function getRemedy(error: FreightError | undefined): Remedy {
  return { ...(error?.hint && { remedy: error.hint }), ...(error?.next && { next: error.next }) }
}

/** Permission bits; undefined if the file does not exist. */
export async function modeOf(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found && found.mode & 0o777
}
