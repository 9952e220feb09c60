/** Settings of profiles that a command has changed, as it prints them. */
import {
  type Config,
  maskAddress,
  maskKey,
  profileNamed,
  profileValue,
  type Setting,
  withoutKeys,
} from "../machine/index.ts"
import type { Column } from "../output/index.ts"

interface SettingChange {
  profile: string
  setting: string
  /** The value before; null if it was not set. Keys are masked. */
  before: string | null
  /** The value now; null if it is no longer set. */
  value: string | null
}

export const CHANGE_COLUMNS: readonly Column<SettingChange>[] = [
  { key: "profile", title: "PROFILE" },
  { key: "key", title: "SETTING", value: ({ setting }) => setting },
  { key: "before", title: "BEFORE" },
  { key: "value", title: "VALUE" },
]

/** @param before the settings file as it was; `value` is undefined where the setting is removed */
export function toChange(
  before: Config,
  profile: string,
  setting: Pick<Setting, "key" | "kind">,
  value: string | undefined,
): SettingChange {
  const earlier = profileValue(profileNamed(before, profile), setting.key)
  return {
    ...{ profile, setting: setting.key },
    before: maskSetting(setting, earlier) ?? null,
    value: maskSetting(setting, value) ?? null,
  }
}

/** How values are masked, by kind. */
const MASKS: Partial<Readonly<Record<Setting["kind"], (text: string) => string>>> = {
  key: maskKey,
  // It may contain the key that it prints.
  command: withoutKeys,
  url: maskAddress,
  ledger: maskAddress,
}

export function maskSetting({ kind }: Pick<Setting, "kind">, value: string | undefined): string | undefined {
  const mask = MASKS[kind]
  return value && mask ? mask(value) : value
}
