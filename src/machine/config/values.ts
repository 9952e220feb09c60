/** The values of settings that are lists or wishes, as they are read when they are used. */
import { FreightError } from "../../base/errors.ts"
import { type Parsed, parsed, quoted, refused } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import { carrierLetter, isCarrier, listCarrierNames } from "../../carriers/index.ts"
import type { Settings } from "./resolve.ts"

/** The ways to choose a service, instead of its code. */
export const SERVICE_KINDS = ["cheapest", "best-value", "fastest", "reliable"] as const

/** The way to choose a service that is meant by a part of its name or a misspelt one: `cheap`, `fastst`. */
export function findMeantKind(text: string): string | undefined {
  const word = text.toLowerCase()
  if (SERVICE_KINDS.some((kind) => kind === word)) return undefined
  const near = suggest(word, [...SERVICE_KINDS])
  return SERVICE_KINDS.find((kind) => kind === near || (word.length >= 4 && kind.startsWith(word)))
}

/** Reads `90%` or `90`. */
export function parseShare(text: string): Parsed<number> {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?) ?%?$/.exec(text.trim())?.[1])
  return percent > 0 && percent <= 100
    ? parsed(percent)
    : refused(`${quoted(text)} is not a share: write it as 90%`)
}

type KnownBasis = "included" | "excluded"

/** Whether quotes include GST, by a carrier's letter or name or a connector's id, in small letters. */
type GstBases = ReadonlyMap<string, KnownBasis>

/** `A=excluded, connector-c=included`. @returns undefined if malformed */
export function parseGstBases(text: string): GstBases | undefined {
  const bases = new Map<string, KnownBasis>()
  for (const pair of text.split(",")) {
    const [, name, basis] = /^\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*(included|excluded)\s*$/i.exec(pair) ?? []
    if (name === undefined || basis === undefined) return undefined
    bases.set(name.toLowerCase(), basis.toLowerCase() === "included" ? "included" : "excluded")
  }
  return bases
}

/** The setting `gst`. */
export function readGstBases(settings: Pick<Settings, "resolve">): GstBases {
  const { value, from } = settings.resolve("gst")
  if (value === undefined) return new Map()
  const bases = parseGstBases(value)
  if (bases) return bases
  throw new FreightError(
    "config",
    `the setting gst of profile ${quoted(from ?? "")} is not carriers and bases`,
    {
      hint: "Such as A=excluded,C=included.",
      next: "freight config unset gst",
    },
  )
}

/** `A=StarTrack, B=TNT`, each by its letter or its whole name. @returns undefined if malformed */
export function parseCarrierNames(text: string): ReadonlyMap<string, string> | undefined {
  const names = new Map<string, string>()
  for (const pair of text.split(",")) {
    const [carrier = "", name = "", ...others] = pair.split("=").map((part) => part.trim())
    const letter = carrierLetter(carrier.toUpperCase())
    if (name === "" || others.length > 0 || !isCarrier(`CARRIER_${letter}_AU`)) return undefined
    names.set(letter, name)
  }
  return names
}

/** Carriers by name, or suppliers, and days: `Harbour Freight=14, Southline=30`. @returns undefined if malformed */
export function parseDisputeDays(text: string): ReadonlyMap<string, number> | undefined {
  const texts = parseByCarrier(text, /^0*[1-9]\d{0,2}$/)
  return texts && new Map(Array.from(texts, ([carrier, count]) => [carrier, Number(count)]))
}

/** The setting `disputeDays`: days after the bill's day, for each carrier or supplier. Empty if it is not set. */
export function readDisputeDays({ settings }: ByCarrier): ReadonlyMap<string, number> {
  return parseDisputeDays(settings.value("disputeDays") ?? "") ?? new Map()
}

interface ByCarrier {
  readonly settings: Pick<Settings, "value">
}

export function parseAccounts(text: string): ReadonlyMap<string, string> | undefined {
  return parseByCarrier(text, /^\S.{0,39}$/)
}

/** The setting `carrierAccounts`: our number with each carrier or supplier. Empty if it is not set. */
export function readCarrierAccounts({ settings }: ByCarrier): ReadonlyMap<string, string> {
  return parseAccounts(settings.value("carrierAccounts") ?? "") ?? new Map()
}

/** Carriers by name, or suppliers, each with a text: `A=10044, Southline=77-3`. @returns undefined if malformed */
function parseByCarrier(text: string, form: RegExp): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  for (const pair of text.split(",")) {
    const [, carrier = "", value = ""] = /^\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*(.*\S)\s*$/.exec(pair) ?? []
    if (!form.test(value)) return undefined
    found.set(plainCarrier(carrier), value)
  }
  return found
}

/** Looks up the value that a setting has for the carrier of a bill, by the carrier's name or the supplier's. */
export function findOfCarrier<T>(
  { carrier, supplier }: { carrier: string; supplier: string },
  known: ReadonlyMap<string, T>,
): T | undefined {
  const names = [...listCarrierNames(carrier), supplier]
  return names.map((name) => known.get(plainCarrier(name))).find((each) => each !== undefined)
}

function plainCarrier(name: string): string {
  return name.trim().toLowerCase()
}
