/** Saves a setting: what each takes, and what it means for others. */
import { parseBaseUrl } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { parseAmount } from "../../base/money.ts"
import { quoted, valueOrThrow } from "../../base/parsed.ts"
import type { Notes } from "../../base/ports.ts"
import { parseDays } from "../../base/when.ts"
import { CARRIERS, keepOtherCarriers } from "../../carriers/index.ts"
import { parseNames } from "../../contract/index.ts"
import { parseLedgerAddress } from "../../ledger/index.ts"
import { type ConfigStore, profileNamed, profileValue, withProfile } from "./file.ts"
import { ENDPOINT, type Setting } from "./known.ts"
import type { Settings } from "./resolve.ts"
import { checkNewName, notSaved } from "./saved.ts"
import { timeoutMs } from "./settings.ts"
import {
  findMeantKind,
  parseAccounts,
  parseCarrierNames,
  parseDisputeDays,
  parseGstBases,
  parseShare,
} from "./values.ts"

interface Saving extends Pick<Notes, "warn"> {
  readonly config: ConfigStore
  readonly settings: Pick<Settings, "profile">
}

/**
 * Saves a setting in the profile in use, which is created if it is new. Other carriers' values of a setting by carrier
 * stay.
 * @returns the settings before, and what the profile has now; `isOthersToo` if that is more than was given
 * @throws FreightError `usage` for a key, a missing value, or one that the setting does not take
 */
export async function saveSetting(deps: Saving, setting: Setting, value: string | undefined) {
  const { config: file, settings } = deps
  const { key, kind } = setting
  if (kind === "key")
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
  const { name: profile } = settings.profile()
  checkNewName("profiles", profile)
  checkValue(file, setting, text)
  await warnOfMovedKey(deps, setting, profile, text)
  let before = file.read()
  let saved = text
  await file.update((config) => {
    before = config
    saved = keepOthers(setting, profileValue(profileNamed(config, profile), key), text)
    return withProfile(config, profile, { [key]: saved })
  })
  return { before, profile, saved, isOthersToo: saved !== text }
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
    parse: parseAccounts,
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

function checkValue(config: ConfigStore, { key, kind, title, choices = [] }: Setting, text: string): void {
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
      const { addresses } = config.read()
      if (!Object.hasOwn(addresses, text)) throw notSaved("addresses", Object.keys(addresses), text)
      return
    }
  }
}

/** A saved key is sent to its API's address, so warn when the address changes. */
async function warnOfMovedKey(
  { config, warn }: Saving,
  { api, key, kind }: Setting,
  name: string,
  text: string,
): Promise<void> {
  if (!api || kind !== "url") return
  const profile = profileNamed(config.read(), name)
  const before = profileValue(profile, ENDPOINT[api].baseUrl)
  if (before === undefined || profileValue(profile, ENDPOINT[api].key) === undefined) return
  if (URL.canParse(before) && new URL(before).origin === new URL(text).origin) return
  await warn(`the key saved beside ${key} is now sent to ${new URL(text).host}`)
}
