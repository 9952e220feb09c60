/** Flags that several commands have, and readers of flags' values. */
import type { Flags } from "./command.ts"
import { ALLOWANCES, APIS } from "../contract/index.ts"
import { type CreateKey, parseKey } from "../ledger/index.ts"
import { parsePast } from "../base/past.ts"
import { parseAmount, parsePercent } from "../base/money.ts"
import { type Parsed, valueOrThrow, quoted } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"

type ReadFlag<Value> = (text: string, flag: string) => Value

/** A reader of whole numbers. @param unit ` of days`, for the message */
export function wholeNumber(least: number, most: number, unit = ""): ReadFlag<number> {
  return (text, flag) => {
    const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
    if (number >= least && number <= most) return number
    throw new FreightError(
      "usage",
      `${flag} takes a whole number${unit} from ${least} to ${most}, not ${quoted(text)}`,
    )
  }
}

/** Reads seconds as milliseconds. */
export const milliseconds: ReadFlag<number> = (text, flag) => {
  const seconds = Number(text)
  if (text.trim() === "" || !(seconds >= 0 && seconds <= 86_400))
    throw new FreightError("usage", `${flag} takes seconds from 0 to 86400, not ${quoted(text)}`, {
      hint: `If ${quoted(text)} is what the command is for, put it before ${flag}.`,
    })
  return seconds * 1000
}

export const cents: ReadFlag<number> = parseAmount

/** Reads `2%`. */
export const percentage = readBy(parsePercent)

export const nonEmpty: ReadFlag<string> = (text, flag) => {
  if (text.trim() === "") throw new FreightError("usage", `${flag} is empty`)
  return text
}

export const readKey: ReadFlag<string> = (text, flag) => {
  const key = parseKey(text)
  if (!key.ok) throw new FreightError("usage", `${flag} ${key.reason}`)
  return key.value
}

/** Makes a reader from a parser of the contract. */
export function readBy<Value>(parse: (text: string) => Parsed<Value>): ReadFlag<Value> {
  return (text, flag) => valueOrThrow(parse(text), flag)
}

/**
 * Reads a day that is not in the future, in milliseconds since the epoch.
 * @throws FreightError `usage` for what is not a day, and for a future one
 */
export function pastDay(text: string, flag: string, now: number): number {
  const at = parsePast(text, flag, now)
  if (at > now) throw new FreightError("usage", `${flag} ${text} has not come yet`)
  return at
}

/** `--output`; each command says what it writes, and adds `FORCE_FLAG`. */
export const OUTPUT = { short: "-o", takes: "<file>", writes: "file" } as const

export function inGroup<const F extends Flags>(group: string, flags: F): F {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }])) as F
}

export const FORCE_FLAG = {
  force: { about: "overwrite a file that freight did not write" },
} as const satisfies Flags

/** For every command that books. */
export const LOOK_FLAG = {
  withoutLooking: { about: "do not look for what was booked elsewhere, which may then be booked twice" },
} as const satisfies Flags

/** For every command that spends money. */
export const YES_FLAG = { yes: { about: "do not ask before it is booked" } } as const satisfies Flags

export const ALLOW_DENSITY_FLAG = {
  allowDensity: { about: ALLOWANCES.allowDensity },
} as const satisfies Flags

export const ALLOW_FLAGS = {
  allowPast: { about: ALLOWANCES.allowPast },
  ...ALLOW_DENSITY_FLAG,
  acceptPlaces: { about: ALLOWANCES.acceptPlaces, formerly: ["--accept-places"] },
} as const satisfies Flags

/** For commands that choose between the rates of several carriers. */
export const MISSING_FLAG = {
  withoutMissing: { about: ALLOWANCES.withoutMissing },
} as const satisfies Flags

export const FIX_PLACES_FLAG = {
  fixPlaces: {
    about: "correct a suburb or postcode where it is plain which one is meant, and show each change",
  },
} as const satisfies Flags

/** `--wait` of commands that need a label. */
export const WAIT_FLAGS = {
  wait: {
    takes: "<seconds>",
    about: "wait this long for labels that are not ready",
    default: "120",
    read: milliseconds,
  },
  noWait: { about: "do not wait: exit 6 when a label is not ready" },
} as const satisfies Flags

/** `--api`, where a command can mean either or both. */
export function apiFlag(about = "only this API: labels go through the first, PDF files through the second") {
  return { api: { takes: "<api>", about, choices: APIS } } as const satisfies Flags
}

/** `--key` and `--again` among other flags. */
export function pickKey({ key, again }: CreateKey): CreateKey {
  return { key, again }
}
