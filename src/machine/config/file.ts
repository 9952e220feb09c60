/**
 * The settings file: profiles and saved addresses, readable only by its owner. conf writes it, whole or not at all, under
 * a lock of ours (conf has none), and after reading what other processes saved. Reading needs neither.
 */
import { quoted } from "../../base/parsed.ts"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import type { Clock, Ids, ImportQuietly } from "../../base/ports.ts"
import {
  codeOf,
  hasCode,
  isHeld,
  makeFolder,
  readFileNow,
  reasonOf,
  retryWhileHeld,
} from "../../base/system.ts"
import { isSettingKey, type SettingKey } from "./known.ts"
import { getOwn } from "../../base/json.ts"

/** Settings of one profile. Unknown ones are kept. */
export type Profile = Readonly<Record<string, unknown>>

export interface Config {
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
  /** Checked when used. */
  readonly addresses: Readonly<Record<string, unknown>>
  /** Sizes of saved packages by name, as `--package` takes them: `1x30x20x10@2`. */
  readonly packages: Readonly<Record<string, string>>
  /** Names of saved packages by SKU, as written; each holds one piece. */
  readonly skus?: Readonly<Record<string, string>>
  /** Suppliers and customers of invoices by name: flags of `invoice new`. Checked when used. */
  readonly parties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Suppliers that were removed, with their bank account: it is compared when they are saved again. */
  readonly formerSuppliers?: readonly Readonly<Record<string, unknown>>[]
  /** Flags of `batch book` by the name of their map. Checked when used. */
  readonly maps?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

export interface ConfigFile {
  readonly file: string
  /** Empty if there is no file. @throws FreightError `config` for a file that is damaged, or cannot be read */
  read(): Config
}

export interface ConfigStore extends ConfigFile {
  /**
   * Changes the whole file, one process at a time.
   * @param change gets the file's present content
   * @throws FreightError `config` if the file is damaged or cannot be written; it is then unchanged
   * @throws what `change` throws, and the signal's reason when that is aborted while another process holds the file
   */
  update(change: (config: Config) => Config): Promise<void>
}

interface LockPorts {
  clock: Clock
  ids: Ids
  /** Ends waiting for the lock. */
  signal: AbortSignal
}

/** The settings file for commands that never change it. */
export function openConfigFile(folder: string): ConfigFile {
  const file = path.join(folder, "config.json")
  return {
    file,
    read() {
      let text: string
      try {
        text = readFileNow(file).toString("utf8")
      } catch (error) {
        if (hasCode(error, "ENOENT")) return { profiles: {}, addresses: {}, packages: {} }
        const why = codeOf(error) ?? "no reason given"
        if (isHeld(error))
          throw new FreightError("config", `the settings file ${file} cannot be read: ${reasonOf(error)}`, {
            cause: error,
          })
        throw new FreightError("config", `the settings file ${file} cannot be read (${why})`, {
          hint: "Fix its permissions, or name another folder in FREIGHT_CONFIG_DIR.",
          cause: error,
        })
      }
      return parseConfig(text, file)
    },
  }
}

export function openConfig(folder: string, ports: LockPorts & { importQuietly: ImportQuietly }): ConfigStore {
  const { file, read } = openConfigFile(folder)
  return {
    file,
    read,
    async update(change) {
      const { default: Conf } = await ports.importQuietly(() => import("conf"))
      try {
        makeFolder(folder)
        await withLock(file, ports, () => {
          // conf is given only readable files: its error for invalid JSON may quote a key.
          const changed = change(read())
          const conf = new Conf<Config>({
            cwd: folder,
            configFileMode: 0o600,
            accessPropertiesByDotNotation: false,
            deserialize: (text) => parseConfig(text, file),
            serialize: (config) => `${JSON.stringify(config, null, 2)}\n`,
          })
          conf.store = changed
        })
      } catch (error) {
        if (codeOf(error) === undefined || error instanceof FreightError) throw error
        throw new FreightError("config", `the settings file ${file} cannot be written: ${reasonOf(error)}`, {
          hint: "Fix that, or name another folder with FREIGHT_CONFIG_DIR.",
          cause: error,
        })
      }
    },
  }
}

export function profileValue(profile: Profile | undefined, key: SettingKey): string | undefined {
  const value = profile && getOwn(profile, key)
  return value === undefined || value === "" ? undefined : String(value)
}

/** Names are the user's, and may equal an inherited method's. */
export function profileNamed({ profiles }: Config, name: string): Profile | undefined {
  return getOwn(profiles, name)
}

/** Changes one profile; undefined removes a setting. The first profile becomes the current one. */
export function withProfile(
  config: Config,
  name: string,
  changes: Partial<Record<SettingKey, string | undefined>>,
): Config {
  const before = profileNamed(config, name)
  const kept = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)
  return {
    ...(!before && { current: name }),
    ...config,
    profiles: { ...config.profiles, [name]: Object.fromEntries(kept) },
  }
}

function parseConfig(text: string, file: string): Config {
  // Never quote the file's content: it may be part of a key.
  const broken = (what: string) =>
    new FreightError("config", `the settings file ${file} is damaged: ${what}`, {
      hint: "Fix it, or move it away and sign in again. freight never overwrites a file that it cannot read.",
    })
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""))
  } catch {
    throw broken("it is not JSON")
  }
  if (!isRecord(value)) throw broken("it is not a JSON object")
  const { current, profiles = {}, addresses = {}, packages = {} } = value
  if (current !== undefined && typeof current !== "string") throw broken(`"current" is not a profile's name`)
  for (const [list, [what, isSound]] of Object.entries(LISTS)) {
    const { [list]: named = {} } = value
    if (!isRecord(named) || !Object.values(named).every(isSound))
      throw broken(`${quoted(list)} does not hold ${what} by their names`)
  }
  const { formerSuppliers = [] } = value
  if (!Array.isArray(formerSuppliers) || !formerSuppliers.every(isRecord))
    throw broken('"formerSuppliers" is not a list of suppliers')
  for (const [name, profile] of Object.entries(profiles as Config["profiles"]))
    for (const [key, setting] of Object.entries(profile))
      if (isSettingKey(key) && typeof setting !== "string" && typeof setting !== "number")
        throw broken(`${quoted(key)} of profile ${quoted(name)} is not text`)
  return { ...value, profiles, addresses, packages } as Config
}

/** Parts of the file that are saved by name, with their names in messages and a check. */
const LISTS: Readonly<Record<string, [what: string, isSound: (value: unknown) => boolean]>> = {
  profiles: ["profiles", isRecord],
  addresses: ["addresses", () => true],
  packages: ["sizes", (size) => typeof size === "string"],
  skus: ["packages", (name) => typeof name === "string"],
  parties: ["suppliers and customers", isRecord],
  maps: ["maps", isRecord],
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

const PAUSE_MS = 20
/** Changes take milliseconds: a lock that is unchanged after this long belongs to a dead process. */
const STALE_LOCK_MS = 3_000

/**
 * Runs `act` while holding `<file>.lock`. A dead process's lock is removed after three seconds of watching it; clocks are
 * not compared, so a shared folder works too. Only the holder of the lock's own lock removes it, after looking again:
 * otherwise the second of two that wait could remove the lock that the first has made since.
 */
export async function withLock<T>(file: string, ports: LockPorts, act: () => T | Promise<T>): Promise<T> {
  const lock = `${file}.lock`
  const own = ports.ids.uuid()
  let seen: string | undefined
  let unchangedMs = 0
  while (!createLock(lock, own)) {
    const holder = findLockHolder(lock)
    unchangedMs = holder === seen ? unchangedMs + PAUSE_MS : 0
    seen = holder
    if (holder !== undefined && unchangedMs >= STALE_LOCK_MS)
      await withLock(lock, ports, () => removeLock(lock, holder))
    await ports.clock.sleep(PAUSE_MS, ports.signal)
  }
  try {
    return await act()
  } finally {
    removeLock(lock, own)
  }
}

function createLock(lock: string, own: string): boolean {
  try {
    writeFileSync(lock, own, { flag: "wx", mode: 0o600 })
    return true
  } catch (error) {
    // On Windows a lock that another process removes right now may be neither made nor read.
    if (hasCode(error, "EEXIST") || (hasCode(error, "EPERM") && existsSync(lock))) return false
    throw error
  }
}

function findLockHolder(lock: string): string | undefined {
  try {
    return readFileNow(lock).toString("utf8")
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

function removeLock(lock: string, holder: string): void {
  if (findLockHolder(lock) === holder) retryWhileHeld(() => rmSync(lock, { force: true }))
}
