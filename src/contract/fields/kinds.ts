/**
 * The kinds of fields: how each is read from people's text (in a flag, `--set`, a question, a cell), and how
 * spreadsheets damage it.
 */
import { readYesNo } from "../../base/yes-no.ts"
import { saysNothing } from "../../base/nothing.ts"
import { parseEmail, parsePhone } from "../contacts.ts"
import { describeConversion, describeSides, type FindSize, parsePackages, parseSides } from "../packages.ts"
import { packagingCode, removeCounted } from "../packaging.ts"
import {
  describeRepair,
  type FindingText,
  type Parsed,
  parsed,
  quoted,
  refused,
  refuseThrown,
} from "../../base/parsed.ts"
import { parsePayer } from "../payer.ts"
import { parseAddress } from "../places.ts"
import { suggest } from "../../base/suggest.ts"
import {
  formatClock,
  formatDate,
  formatWallClock,
  parseCloseTime,
  parseTimeOfDay,
  type WallClock,
} from "../../base/wall-clock.ts"
import { COUNTED_UNIT, findUnit, type Unit, UNITS } from "../../base/units.ts"
import { parseDay, parseDays, parseMoment, parseWhen } from "../../base/when.ts"
import { stateCode } from "../zones.ts"
import {
  cleanText,
  readNumber,
  readText,
  removeFraction,
  repairPostcodeCell,
  restoreDay,
  restoreTime,
  restoreZeros,
  textWarnings,
  zeroWarnings,
} from "./damage.ts"
import type { Json } from "../../base/json.ts"

export interface KindContext {
  /** The local time at the collection; without it, `tomorrow` and days without a year are refused. */
  now?: (() => WallClock) | undefined
  /** Milliseconds since the epoch, to judge whether a spreadsheet's number for a day is plausible. */
  nowMs?: number | undefined
  /** The state of the same address. */
  state?: string | undefined
  /** The unit for numbers without one, from their heading or another column. */
  unit?: Unit | undefined
  choices?: readonly string[]
  /** @throws FreightError `input` for an unknown saved address, `config` for an invalid one */
  address?(name: string): object
  findSize?: FindSize | undefined
}

export interface Kind<Value = Json, Context = KindContext> {
  parse(text: string, context: Context): Parsed<Value>
  /** Repairs damage by spreadsheets; `parse` reads the result. */
  repair?(text: string, context: Context): Parsed<string>
  doubts?(text: string): FindingText[]
  /** Is stricter than the contract: for typed answers, which a person can correct at once. */
  checkTyped?(text: string): Parsed<unknown>
  /** A cell counts as written: `-` and `N/A` are not empty, and nothing is decoded. */
  isLiteral?: true
  /** `none` is a value, which overrides defaults. */
  takesNone?: true
  /** In JSON, its values may be numbers. */
  isNumber?: true
}

/** A program's text for a lost number: the cell is not empty, and no other value may replace it. */
const IS_DAMAGED = /^nan$/i
const IS_NONE = /^none$/i

export const KINDS = {
  text: { parse: asWritten, repair: readText, doubts: listDoubts },
  /** A key of the ledger. */
  reference: { parse: asWritten, repair: readText, doubts: listDoubts, isLiteral: true },
  /** The name of a person or a thing. */
  name: { parse: asWritten, repair: readText, doubts: listDoubts, checkTyped: checkName },
  /** Names, or `none`. */
  names: { parse: asWritten, repair: readText, takesNone: true },
  email: { parse: asWritten, repair: readText, doubts: textWarnings, checkTyped: parseEmail },
  phone: {
    parse: asWritten,
    repair: (text) => restoreZeros(text, /^[23478](?: ?\d){8}$/, 10),
    checkTyped: parsePhone,
  },
  areaCode: { parse: asWritten, repair: (text) => restoreZeros(text, /^[23478]$/, 2) },
  postcode: { parse: asWritten, repair: (text, { state }) => repairPostcodeCell(text, state) },
  state: { parse: parseState, checkTyped: parseKnownState },
  country: { parse: parseCountry },
  /** Fewer than four digits are never completed: 0012 is an explosive. */
  unNumber: { parse: (text) => parsed(text.replace(/^UN ?/i, "")), repair: removeFraction },
  yesNo: { parse: parseYesNo },
  whole: { parse: (text) => readNumber(text, { whole: true }), isNumber: true },
  count: { parse: parseCount, isNumber: true },
  number: { parse: (text) => readNumber(text, {}), isNumber: true },
  cm: { parse: (text, { unit }) => readNumber(text, { unit: "cm", givenUnit: unit }), isNumber: true },
  kg: { parse: (text, { unit }) => readNumber(text, { unit: "kg", givenUnit: unit }), isNumber: true },
  money: { parse: (text) => readNumber(text, { money: true }), isNumber: true },
  unit: { parse: parseUnit },
  currency: { parse: parseCurrency },
  days: { parse: parseDays, isNumber: true },
  day: {
    parse: (text, { now }) => parseDay(text, now),
    repair: (text, { nowMs = 0 }) => removeTime(restoreDay(text, nowMs)),
  },
  /** A day, or a day and time. */
  when: {
    parse: parseDayOrMoment,
    repair: (text, { nowMs = 0 }) => restoreDay(text, nowMs),
  },
  moment: {
    parse: (text, { now }) => mapParsed(parseMoment(text, now), formatWallClock),
    repair: (text, { nowMs = 0 }) => restoreDay(text, nowMs),
  },
  /** A time that may have an offset from UTC. */
  zonedMoment: {
    parse: (text, { now }) =>
      WITH_OFFSET.test(text) ? parsed(text) : mapParsed(parseMoment(text, now), formatWallClock),
    repair: (text, { nowMs = 0 }) => restoreDay(text, nowMs),
  },
  clock: { parse: (text) => mapParsed(parseTimeOfDay(text), formatClock, "time"), repair: restoreTime },
  /** A time without a colon. */
  closeTime: {
    parse: (text) => mapParsed(parseCloseTime(text), (time) => time, "time"),
    repair: restoreTime,
  },
  choice: { parse: (text, { choices }) => chooseFrom(text, text, choices) },
  packaging: { parse: (text, { choices }) => chooseFrom(text, packagingCode(text), choices) },
  /** As a person types them; for a cell, see `packages`. */
  package: { parse: parsePackageList },
  packages: { parse: parsePackageCell },
  /** Length, width and height of one package in a cell. */
  size: { parse: parseSize },
  /** Whether a place is residential. */
  home: { parse: parseHome },
  payer: { parse: (text) => mapParsed(parsePayer(text), (payer) => ({ ...payer })) },
  /** The name of a saved address, or an address in one line. */
  party: { parse: parseSavedAddress },
  json: { parse: parseJson },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS

export function getKind(name: KindName): Kind {
  return KINDS[name]
}

export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}

function listDoubts(text: string): FindingText[] {
  return [...textWarnings(text), ...zeroWarnings(text)]
}

function asWritten(text: string): Parsed<string> {
  return parsed(text)
}

/** Reads a cell of a spreadsheet; undefined if it is empty. Its repairs come with the value. */
export function readCell<Value, Context>(
  { parse, repair, isLiteral, takesNone, isNumber }: Kind<Value, Context>,
  written: string,
  context: Context,
): Parsed<Value | undefined> {
  const clean = cleanText(written, isLiteral)
  if (!clean.ok) return clean
  const counts =
    isLiteral ||
    (takesNone && IS_NONE.test(clean.value)) ||
    (isNumber && IS_DAMAGED.test(clean.value)) ||
    !saysNothing(clean.value)
  if (clean.value === "" || !counts) return parsed(undefined)
  const repaired = repair?.(clean.value, context) ?? parsed(clean.value)
  if (!repaired.ok) return repaired
  const read = parse(repaired.value, context)
  if (!read.ok) return read
  return parsed(read.value, ...[clean, repaired, read].flatMap(({ repairs = [] }) => repairs))
}

const SOME_DAY: WallClock = { year: 2026, month: 1, day: 1, hour: 12, minute: 0, second: 0 }

/** A number is often an answer to the question before or after it. */
function checkName(text: string): Parsed<string> {
  return /\p{L}.*\p{L}/u.test(text) ? parsed(text) : refused(`${quoted(text)} is not a name`)
}

/** Whether a cell's text may be of a kind. */
export function mayBe(name: KindName, text: string, choices?: readonly string[]): boolean {
  const kind = getKind(name)
  const read = readCell(kind, text, { now: () => SOME_DAY, ...(choices && { choices }) })
  // A spreadsheet's number for a day has a year.
  if (!read.ok) return read.rule === "serial"
  return kind.checkTyped?.(text).ok ?? true
}

/** @param rule of an error that has none */
function mapParsed<From, To>(read: Parsed<From>, map: (value: From) => To, rule?: string): Parsed<To> {
  if (read.ok) return { ...read, value: map(read.value) }
  return rule === undefined || read.rule !== undefined ? read : refused(read.reason, undefined, rule)
}

/** Reads `western australia` as WA. Unknown states are left to the contract check. */
function parseState(text: string): Parsed<string> {
  // `Western Australia (AU)`, `AU-WA`
  const code = stateCode(text.replace(/^AU-|(?<!\s)\s*\((?:AU|Australia)\)$/i, ""))
  const repair = code && code !== text ? describeRepair("state", text, code, "its short form") : undefined
  return parsed(code ?? text, repair)
}

function parseKnownState(text: string): Parsed<string> {
  const read = parseState(text)
  return read.ok && stateCode(read.value) === undefined
    ? refused(`${quoted(text)} is not a state of Australia`)
    : read
}

/** Only Australian addresses can be booked. */
function parseCountry(text: string): Parsed<string> {
  return /^(?:au|aus|australia|commonwealth of australia)$/i.test(text)
    ? parsed("AU")
    : refused(`${quoted(text)} is not Australia`, "only addresses in Australia can be booked", "country")
}

function parseYesNo(text: string): Parsed<boolean> {
  const answer = readYesNo(text)
  return answer === undefined ? refused(`${quoted(text)} must be yes or no`) : parsed(answer)
}

/** `yes`, `Residential`, `Business` */
function parseHome(text: string): Parsed<boolean> {
  const word =
    /^(?:(home|house|private|resi(?:dential|dence)?)|business|commercial|company|office|work)(?: (?:address|delivery))?$/i
  const said = word.exec(text)
  return said ? parsed(said[1] !== undefined) : parseYesNo(text)
}

/** `40 x 30 x 20 cm`, `400x300x200` in a column of mm */
function parseSize(text: string, { unit }: KindContext): Parsed<Json> {
  const read = parseSides(text, unit)
  if (!read.ok) return read
  const converted = describeSides(text, read.value, unit)
  return parsed<Json>(
    { ...read.value },
    converted === undefined ? undefined : { rule: "unit", message: converted },
  )
}

/** `3`, `3 ctns` */
function parseCount(text: string): Parsed<number> {
  const read = readNumber(removeCounted(text), { whole: true })
  if (read.ok || !/\d\s*(?:[,;&+/]|and|x)\s*\d/i.test(text)) return read
  const hint = "for packages of several sizes, write them in a column Packages: 1x40x30x20@5; 2x30x20x10@2"
  return refused(`${quoted(text)} is not a whole number`, hint)
}

const SYSTEMS = ["metric", "imperial"]

function parseUnit(text: string): Parsed<string> {
  const system = SYSTEMS.find((each) => each === text.toLowerCase())
  const name = system ?? findUnit(text)?.name
  if (name !== undefined) return parsed(name)
  // A word for counted goods.
  if (removeCounted(`1 ${text}`) === "1") return parsed(COUNTED_UNIT)
  const known = UNITS.map((each) => each.name).join(", ")
  return refused(`${quoted(text)} is not a unit that freight knows`, `write one of ${known}`, "unit")
}

/** Only amounts in AUD can be compared with the carriers' prices. */
function parseCurrency(text: string): Parsed<string> {
  return /^(?:aud|au?\$|\$)$/i.test(text)
    ? parsed("AUD")
    : refused(`${quoted(text)} is not AUD`, "write amounts in AUD", "currency")
}

/** Spreadsheets add a time to every day. */
function removeTime(day: Parsed<string>): Parsed<string> {
  return mapParsed(day, (text) => text.replace(/(?<=\d)[T ,]+\d{1,2}:\d\d[:.\d]*(?: ?[ap]m)?$/i, ""))
}

function parseDayOrMoment(text: string, { now }: KindContext): Parsed<string> {
  return mapParsed(parseWhen(text, now), ({ date, time }) =>
    time ? formatWallClock({ ...date, ...time }) : formatDate(date),
  )
}

const WITH_OFFSET = /^\d{4}-\d\d-\d\dT\S+(?:Z|[+-]\d\d:\d\d)$/

/** Without `choices`, the contract's check rejects other values. */
function chooseFrom(text: string, meant: string, choices: readonly string[] | undefined): Parsed<string> {
  if (!choices) return parsed(meant)
  const found = choices.find((each) => each.toLowerCase() === meant.toLowerCase())
  if (found !== undefined) return parsed(found)
  const near = suggest(text, choices)
  const message = `${quoted(text)} is not one of ${choices.join(", ")}`
  return refused(message, near && `did you mean ${near}?`, "enum")
}

/** The heading of their number resembles that of packages. */
function parsePackageCell(text: string, context: KindContext): Parsed<Json> {
  if (/^\d{1,6}(?:\.0+)?$/.test(text))
    return refused(
      `${quoted(text)} is a number, and not packages with their sizes`,
      "write 2x40x30x20@5.5, or map the column to package.count if it is their number",
      "package",
    )
  return parsePackageList(text, context)
}

/** `2x40x30x20@5.5; 3xsmall` */
function parsePackageList(text: string, { findSize }: KindContext): Parsed<Json> {
  const read = refuseThrown(() => parsePackages(text, findSize), "package")
  if (!read.ok) return read
  const converted = describeConversion(text, read.value)
  const repair = converted === undefined ? undefined : { rule: "unit", message: converted }
  return parsed<Json>(
    read.value.map((line) => ({ ...line })),
    repair,
  )
}

function parseSavedAddress(text: string, { address }: KindContext): Parsed<Json> {
  const saved = refuseThrown(() => parsed<Json>({ ...address?.(text) }), "address")
  if (saved.ok) return saved
  const line = parseAddress(text)
  if (!line.ok) return text.includes(",") ? { ...line, rule: "address" } : saved
  const message = `${quoted(text)} is taken as street, suburb, state and postcode`
  return parsed<Json>({ ...line.value }, { rule: "address", message })
}

function parseJson(text: string): Parsed<Json> {
  try {
    return parsed<Json>(JSON.parse(text))
  } catch {
    return refused(`${quoted(text)} is not JSON`, 'write a list as ["A","B"]')
  }
}
