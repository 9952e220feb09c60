import type { Command } from "commander"
import { parseBaseUrl } from "../api/address.ts"
import { parseAmount, parseAvoided, parseWithin } from "../booking/wishes.ts"
import { parseLedgerAddress } from "../ledger/address.ts"
import { noAddress } from "../config/addresses.ts"
import { checkProfileName, profileNamed, profileValue, withProfile } from "../config/file.ts"
import { ENDPOINT, isSettingKey, SETTINGS, type Setting, settingOf } from "../config/known.ts"
import { timeoutMs } from "../config/settings.ts"
import { valueOrThrow } from "../contract/parsed.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import { noSetting } from "./shared/setting-rows.ts"

export function define(command: Command): void {
  const kept = SETTINGS.filter(({ kind }) => kind !== "key" && kind !== "command")
  const commands = SETTINGS.flatMap(({ kind, key }) => (kind === "command" ? [key] : []))
  const width = Math.max(...kept.map(({ key }) => key.length))
  command
    .description(
      "Saves a setting in the profile in use, which is created if it is new. Other profiles stay unchanged.",
    )
    .argument("<setting>", "what to set")
    .argument("[value]", "its value")
    .addHelpText(
      "after",
      `\nSettings:\n${kept.map(({ key, title }) => `  ${key.padEnd(width)}  ${title}`).join("\n")}\n` +
        `\nKeys are saved by freight auth login; ${commands.join(" and ")} hold a command that prints one instead.`,
    )
}

export const examples = [
  "freight config set timeout 60",
  "freight config set businessUnit UNIT_A --profile wholesale",
]

export async function run(deps: Deps, key: string, value: string | undefined): Promise<undefined> {
  if (!isSettingKey(key))
    throw noSetting(
      key,
      SETTINGS.map((each) => each.key),
    )
  const setting = settingOf(key)
  if (setting.kind === "key")
    throw new FreightError(
      "usage",
      "a key is never given on the command line, where the history and other users see it",
      {
        hint: "Type it at a hidden prompt, or pipe it into freight auth login --with-key. If you did give a whole key, replace it in the portal.",
        next: "freight auth login",
      },
    )
  if (value === undefined || value.trim() === "")
    throw new FreightError("usage", `the value for ${key} is missing`, {
      hint: `To remove it: freight config unset ${key}`,
    })
  const text = value.trim()
  const { name } = deps.settings.profile()
  checkProfileName(name)
  check(deps, setting, text)
  await warnOfMovedKey(deps, setting, name, text)
  await deps.config.update((config) => withProfile(config, name, { [key]: text }))
  await deps.note(`${key} is saved in profile '${name}'.`)
}

/** @throws FreightError when the value is not one that the setting can have */
function check(deps: Deps, { key, kind }: Setting, text: string): void {
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
    case "service":
      return
    case "days":
      valueOrThrow(parseWithin(text), key)
      return
    case "amount":
      parseAmount(text, key)
      return
    case "avoid":
      if (parseAvoided([text]).length === 0)
        throw new FreightError(
          "usage",
          `${key} takes service codes and carriers separated by commas, such as GEN,A`,
          {
            next: `freight config unset ${key}`,
          },
        )
      return
    case "switch":
      if (text !== "yes" && text !== "no")
        throw new FreightError("usage", `${key} takes yes or no, not '${text}'`)
      return
    case "businessUnit":
      if (text !== "UNIT_A" && text !== "UNIT_B")
        throw new FreightError("usage", `${key} takes UNIT_A or UNIT_B, not '${text}'`)
      return
    case "address": {
      const { addresses } = deps.config.read()
      if (!Object.hasOwn(addresses, text)) throw noAddress(Object.keys(addresses), text)
      return
    }
  }
}

/** A saved key is sent to its API's address, so warn when the address changes. */
async function warnOfMovedKey(
  deps: Deps,
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
