import { dirname } from "node:path"
import { parseBaseUrl } from "../api/index.ts"
import { findMeantKind, parseCarrierNames, parseGstBases, parseShare } from "../orders/index.ts"
import { nextCommand } from "../base/command-line.ts"
import { parseNames } from "../contract/index.ts"
import { parseDays } from "../base/when.ts"
import { CARRIERS, keepOtherCarriers } from "../carriers/index.ts"
import {
  CHANGE_COLUMNS,
  command,
  maskSetting,
  printChanges,
  printForPrograms,
  toChange,
} from "../command/index.ts"
import { parseAmount } from "../base/money.ts"
import {
  checkNewName,
  ENDPOINT,
  isSettingKey,
  noProfile,
  notSaved,
  profileNamed,
  profileValue,
  type Resolved,
  type Setting,
  settingOf,
  SETTINGS,
  type Source,
  sourceText,
  timeoutMs,
  variable,
  withProfile,
  workstation,
} from "../machine/index.ts"
import { valueOrThrow, quoted } from "../base/parsed.ts"
import { safeText } from "../base/safe-text.ts"
import { suggest } from "../base/suggest.ts"
import type { Session } from "../session/index.ts"
import { ACCOUNT_NUMBER, parseByCarrier, parseDisputeDays } from "../bills/index.ts"
import { EXIT, FreightError } from "../base/errors.ts"
import { parseLedgerAddress } from "../ledger/index.ts"
import { type Column, details, fitLine, isForPeople, plainColumns, print } from "../output/index.ts"

/** A setting as `config` shows it; keys are masked. */
interface SettingRow {
  setting: string
  value: string | null
  source: Source
  /** The flag, the variable or the profile that gave it. */
  from: string | null
  title: string
}

const settingColumns: Column<SettingRow>[] = [
  { key: "key", title: "SETTING", gives: "nothing", value: ({ setting }) => setting },
  { key: "value", title: "VALUE" },
  { key: "source", title: "FROM", show: sourceText },
  { key: "from", title: "NAME", hidden: true },
  { key: "title", title: "WHAT IT IS", gives: "words" },
]

export const list = command({
  about:
    "Lists every setting, its value and its source: a flag beats the environment, which beats the profile, " +
    "which beats the default. Keys are masked.",
  columns: settingColumns,
  examples: ["freight config list", "freight config list --json"],
  async run(deps) {
    const rows = listSettings(deps)
    await print(deps, { rows, columns: settingColumns, text: () => formatList(deps, rows) })
  },
})

/** The settings with a value, a line each with its source; only the names of the others. */
function formatList({ terminal }: Session, rows: readonly SettingRow[]): string {
  const set = rows.filter(({ source }) => source !== "none")
  const others = rows.filter(({ source }) => source === "none").map(({ setting }) => setting)
  const lines = details(
    terminal,
    set.map((each) => [each.setting, [each.value, `(${sourceText(each)})`].filter(Boolean).join(" ")]),
  )
  if (others.length === 0) return lines
  const rest = fitLine(terminal.stdout, `Not set: ${others.join(", ")}.`)
  return `${lines}\n${rest}\nWhat each is: freight help config set\n`
}

export const get = command({
  about: "Prints the value of one setting that is in effect here. A key is masked.",
  args: [{ takes: "<setting>", about: "its name, as freight config list shows it" }],
  columns: settingColumns,
  examples: ["freight config get timeout", "freight config get stateDir --json"],
  /** @returns 1 when it is not set */
  async run(deps, key) {
    const rows = listSettings(deps)
    const found = rows.find((each) => each.setting === key)
    if (!found)
      throw noSetting(
        key,
        rows.map(({ setting }) => setting),
      )
    const { value } = found
    const text = () => (value === null ? "" : `${safeText(value)}\n`)
    await print(deps, { rows: [found], columns: settingColumns, single: true, text })
    if (value === null && isForPeople(deps.output)) await deps.note(`${key} is not set.`)
    return value === null ? EXIT.no : EXIT.done
  },
})

export const set = command({
  about:
    "Saves a setting in the profile in use, which is created if it is new. Other profiles stay unchanged.",
  args: [
    { takes: "<setting>", about: "what to set" },
    { takes: "[value]", about: "its value" },
  ],
  columns: CHANGE_COLUMNS,
  examples: ["freight config set timeout 60", "freight config set businessUnit UNIT_A --profile wholesale"],
  notes: describeSettings(),
  async run(deps, key, value) {
    const setting = findSetting(key)
    if (setting.kind === "key")
      throw new FreightError(
        "usage",
        "a key is never given on the command line, where the history and other users see it",
        {
          hint: "Type it at a hidden prompt, or pipe it into freight auth login --api-key-stdin. If you did give a whole key, replace it in the portal.",
          next: "freight auth login",
        },
      )
    if (value === undefined || value.trim() === "")
      throw new FreightError("usage", `the value for ${key} is missing`, {
        hint: `To remove it: freight config unset ${key}`,
      })
    const text = value.trim()
    const { name } = deps.settings.profile()
    checkNewName("profiles", name)
    checkValue(deps, setting, text)
    await warnOfMovedKey(deps, setting, name, text)
    let before = deps.config.read()
    let saved = text
    await deps.config.update((config) => {
      before = config
      saved = keepOthers(setting, profileValue(profileNamed(config, name), setting.key), text)
      return withProfile(config, name, { [key]: saved })
    })
    await deps.note(`${key} is saved in profile ${quoted(name)}${saved === text ? "" : `: ${saved}`}.`)
    await printForPrograms(deps, toChange(before, name, setting, saved), CHANGE_COLUMNS)
    if (setting.kind !== "ledger") return
    deps.settings.refresh()
    const left = await deps.findLeftLedger(undefined, text)
    if (left) await deps.warn(`${left.message}, unless it was copied. ${left.how}`)
  },
})

function describeSettings(): string {
  const kept = SETTINGS.filter(({ kind }) => kind !== "key" && kind !== "command")
  const commands = SETTINGS.flatMap(({ kind, key }) => (kind === "command" ? [key] : []))
  const width = Math.max(...kept.map(({ key }) => key.length))
  const lines = kept.map(({ key, title }) => `  ${key.padEnd(width)}  ${title}`)
  return `Settings:
${lines.join("\n")}

Keys are saved by freight auth login; ${commands.join(" and ")} hold a command that prints one instead.`
}

/** Settings with a value for each carrier: how they are read, and their values. */
const BY_CARRIER: Partial<
  Readonly<Record<Setting["kind"], { parse(text: string): unknown; takes: string }>>
> = {
  carrierDays: {
    parse: parseDisputeDays,
    takes: `carriers or suppliers and days: ${CARRIERS[0]}=30,Harbour Freight=14`,
  },
  carrierAccounts: {
    parse: (text) => parseByCarrier(text, ACCOUNT_NUMBER),
    takes: `carriers or suppliers and account numbers: ${CARRIERS[0]}=10044,Harbour Freight=77-3`,
  },
  carrierGst: {
    parse: parseGstBases,
    takes: "carriers or connectors, and included or excluded: A=excluded,C=included",
  },
  carrierNames: { parse: parseCarrierNames, takes: "carriers and their names: A=StarTrack,B=TNT" },
}

/** Other carriers' values of a setting by carrier stay; unreadable ones do not. */
function keepOthers({ kind }: Setting, before: string | undefined, text: string): string {
  const { parse } = BY_CARRIER[kind] ?? {}
  return before === undefined || !parse?.(before) ? text : keepOtherCarriers(before, text)
}

function checkValue(deps: Session, { key, kind, title, choices = [] }: Setting, text: string): void {
  switch (kind) {
    case "url":
      parseBaseUrl(text, key)
      return
    case "ledger":
      parseLedgerAddress(text, key)
      return
    case "seconds":
      timeoutMs(text, key)
      return
    case "days":
      valueOrThrow(parseDays(text), key)
      return
    case "share":
      valueOrThrow(parseShare(text), key)
      return
    case "carrierDays":
    case "carrierAccounts":
    case "carrierGst":
    case "carrierNames": {
      const { parse, takes } = BY_CARRIER[kind] ?? {}
      if (!parse?.(text)) throw new FreightError("usage", `${key} takes ${takes}`)
      return
    }
    case "account":
      return
    case "amount":
      parseAmount(text, key)
      return
    case "avoid":
      if (parseNames(text).length === 0)
        throw new FreightError(
          "usage",
          `${key} takes service codes and carriers separated by commas, such as GEN,A`,
          { next: `freight config unset ${key}` },
        )
      return
    case "name":
      checkNewName("profiles", text)
      return
    case "choice":
      if (!choices.includes(text))
        throw new FreightError("usage", `${key} takes ${choices.join(" or ")}, not ${quoted(text)}`)
      return
    case "service": {
      const meant = findMeantKind(text)
      if (meant !== undefined)
        throw new FreightError(
          "usage",
          `${key} takes a ${title.replace(/, for all$/, "")}, not ${quoted(text)}`,
          {
            hint: `Did you mean ${meant}?`,
            ...nextCommand("freight", "config", "set", key, meant),
          },
        )
      return
    }
    case "address": {
      const { addresses } = deps.config.read()
      if (!Object.hasOwn(addresses, text)) throw notSaved("addresses", Object.keys(addresses), text)
      return
    }
  }
}

/** A saved key is sent to its API's address, so warn when the address changes. */
async function warnOfMovedKey(
  deps: Session,
  { api, key, kind }: Setting,
  name: string,
  text: string,
): Promise<void> {
  if (!api || kind !== "url") return
  const profile = profileNamed(deps.config.read(), name)
  const before = profileValue(profile, ENDPOINT[api].baseUrl)
  if (before === undefined || profileValue(profile, ENDPOINT[api].key) === undefined) return
  if (URL.canParse(before) && new URL(before).origin === new URL(text).origin) return
  await deps.warn(`the key saved beside ${key} is now sent to ${new URL(text).host}`)
}

export const unset = command({
  about: "Removes settings from the profile in use.",
  args: [{ takes: "<setting...>", about: "their names, as freight config list shows them" }],
  columns: CHANGE_COLUMNS,
  examples: ["freight config unset timeout", "freight config unset sender collection"],
  async run(deps, keys) {
    const { name, source } = deps.settings.profile()
    const settings = keys.map(findSetting)
    const gone = Object.fromEntries(settings.map(({ key }) => [key, undefined]))
    let before = deps.config.read()
    await deps.config.update((config) => {
      before = config
      if (profileNamed(config, name)) return withProfile(config, name, gone)
      if (source !== "default") throw noProfile(config, name)
      return config
    })
    await deps.note(`${keys.join(", ")}: not set in profile ${quoted(name)} any more.`)
    const changes = settings.map((setting) => toChange(before, name, setting, undefined))
    await printChanges(deps, changes, CHANGE_COLUMNS)
  },
})

const pathColumns = plainColumns(["file"])

export const path = command({
  about: "Prints where the settings file is, whether it exists or not.",
  columns: pathColumns,
  examples: ["freight config path"],
  async run(deps) {
    const { file } = deps.config
    await print(deps, { rows: [{ file }], columns: pathColumns, single: true, text: () => `${file}\n` })
  },
})

/** The settings of a profile, then those of flags and environment only. */
function listSettings(deps: Session): SettingRow[] {
  const { settings, env } = deps
  const { name, ...chosen } = settings.profile()
  const inProfile = SETTINGS.map((setting) => {
    const { key, title } = setting
    const { value, ...found } = settings.resolve(key)
    return toSettingRow(key, title, { ...found, value: maskSetting(setting, value) })
  })
  const around = (key: string, title: string, value: string, name: string) =>
    toSettingRow(
      key,
      title,
      variable(env, name) === undefined
        ? { value, source: "default" }
        : { value, source: "environment", from: name },
    )
  return [
    toSettingRow("profile", "profile in use", { value: name, ...chosen }),
    ...inProfile,
    around("workstation", "name of this workstation", workstation(env), "FREIGHT_WORKSTATION"),
    around("configDir", "folder of the settings", dirname(deps.config.file), "FREIGHT_CONFIG_DIR"),
    around("stateDir", "folder of what this machine remembers", deps.stateDir, "FREIGHT_STATE_DIR"),
  ]
}

function findSetting(key: string): Setting {
  if (isSettingKey(key)) return settingOf(key)
  throw noSetting(
    key,
    SETTINGS.map((each) => each.key),
  )
}

function noSetting(key: string, keys: readonly string[]): FreightError {
  const near = suggest(key, keys)
  return new FreightError("usage", `there is no setting ${quoted(key)}`, {
    hint: near ? `Did you mean ${quoted(near)}?` : `The settings are: ${keys.join(", ")}.`,
    next: "freight config list",
  })
}

function toSettingRow(setting: string, title: string, { value, source, from }: Resolved): SettingRow {
  return { setting, value: value ?? null, source, from: from ?? null, title }
}
