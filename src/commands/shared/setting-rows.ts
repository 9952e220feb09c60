import path from "node:path"
import { maskAddress, maskKey } from "../../config/keys.ts"
import { type Setting, SETTINGS } from "../../config/known.ts"
import { type Resolved, type Source, sourceText } from "../../config/resolve.ts"
import { variable, workstation } from "../../config/settings.ts"
import { safeText } from "../../contract/safe-text.ts"
import { suggest } from "../../contract/suggest.ts"
import type { Deps } from "../../deps.ts"
import { FreightError } from "../../errors.ts"
import type { Column } from "../../terminal/columns.ts"

/** A setting as `config` shows it; keys are masked. */
interface SettingRow {
  key: string
  value: string | null
  source: Source
  /** The flag, the variable or the profile that gave it. */
  from: string | null
  title: string
}

/** How `config` shows settings. */
export const settingColumns: Column<SettingRow>[] = [
  { key: "key", title: "SETTING", gives: "nothing" },
  { key: "value", title: "VALUE" },
  { key: "source", title: "FROM", show: sourceText },
  { key: "from", title: "NAME", hidden: true },
  { key: "title", title: "WHAT IT IS", gives: "words" },
]

/** What a profile can hold, then what only flags and the environment say. */
export function settingRows(deps: Deps): SettingRow[] {
  const { settings, env } = deps
  const { name, ...chosen } = settings.profile()
  const inProfile = SETTINGS.map(({ key, title, kind }) => {
    const mask = MASKS[kind]
    const { value, ...found } = settings.resolve(key)
    return row(key, title, { ...found, value: value && mask ? mask(value) : value })
  })
  const around = (key: string, title: string, value: string, name: string) =>
    row(
      key,
      title,
      variable(env, name) === undefined
        ? { value, source: "default" }
        : { value, source: "environment", from: name },
    )
  return [
    row("profile", "profile in use", { value: name, ...chosen }),
    ...inProfile,
    around("workstation", "name of this desk", workstation(env), "FREIGHT_WORKSTATION"),
    around("configDir", "folder of the settings", path.dirname(deps.config.file), "FREIGHT_CONFIG_DIR"),
    around("stateDir", "folder of what this machine remembers", deps.stateDir, "FREIGHT_STATE_DIR"),
  ]
}

/** The error for a setting that does not exist. */
export function noSetting(key: string, keys: readonly string[]): FreightError {
  const near = suggest(key, keys)
  return new FreightError("usage", `there is no setting '${safeText(key, 60)}'`, {
    hint: near ? `Did you mean '${near}'?` : `The settings are: ${keys.join(", ")}.`,
    next: "freight config list",
  })
}

function row(key: string, title: string, { value, source, from }: Resolved): SettingRow {
  return { key, value: value ?? null, source, from: from ?? null, title }
}

/** How much of a value is shown, by its kind. */
const MASKS: Partial<Readonly<Record<Setting["kind"], (text: string) => string>>> = {
  key: maskKey,
  url: maskAddress,
  ledger: maskAddress,
}
