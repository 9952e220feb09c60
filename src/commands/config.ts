import { dirname } from "node:path"
import {
  CHANGE_COLUMNS,
  command,
  maskSetting,
  printChanges,
  printForPrograms,
  toChange,
} from "../command/index.ts"
import {
  isSettingKey,
  noProfile,
  profileNamed,
  type Resolved,
  saveSetting,
  type Setting,
  settingOf,
  SETTINGS,
  type Source,
  sourceText,
  variable,
  withProfile,
  workstation,
} from "../machine/index.ts"
import { quoted } from "../base/parsed.ts"
import { safeText } from "../base/safe-text.ts"
import { suggest } from "../base/suggest.ts"
import type { Session } from "../session/index.ts"
import { EXIT, FreightError } from "../base/errors.ts"
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
    const { before, profile, saved, isOthersToo } = await saveSetting(deps, setting, value)
    await deps.note(`${key} is saved in profile ${quoted(profile)}${isOthersToo ? `: ${saved}` : ""}.`)
    await printForPrograms(deps, toChange(before, profile, setting, saved), CHANGE_COLUMNS)
    if (setting.kind !== "ledger") return
    deps.settings.refresh()
    const left = await deps.findLeftLedger(undefined, saved)
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
