/** A row's cells as values by field, each read by its field's kind. */
import type { Json } from "../../contract/fields/json.ts"
import { parseWithin } from "../../booking/wishes.ts"
import type { Field, Kind } from "../columns/fields.ts"
import type { RowDefaults } from "./row.ts"
import type { BookingAddress, Package } from "../../contract/generated/types.ts"
import { describeConversion, parsePackage } from "../../contract/packages.ts"
import { packagingCode } from "../../contract/packaging.ts"
import { type Parsed, quoted } from "../../contract/parsed.ts"
import { parsePayer } from "../../contract/payer.ts"
import { suggest } from "../../contract/suggest.ts"
import { formatDate, formatWallClock, type WallClock, wallClockNow } from "../../contract/wall-clock.ts"
import { type ContractZone, DEFAULT_ZONE, zoneOfCollection, zoneOrDefault } from "../../contract/zones.ts"
import { FreightError } from "../../errors.ts"
import {
  reject,
  dateWarnings,
  accept,
  type Read,
  readAreaCode,
  readCountry,
  readNumber,
  readPhone,
  readPostcode,
  readState,
  readText,
  readUnNumber,
  type FindingText,
  textWarnings,
  cleanText,
} from "../../sheets/damage.ts"
import { type CellFinding, errorFinding, type RowFinding } from "../../sheets/findings.ts"
import { readClock, readCloseTime, readDay, readWhen } from "../../sheets/dates.ts"

export interface Cell {
  column: string
  field: Field
  value: Json
  /** The text of a JSON number, digit by digit. */
  source(): string
}

export interface Draft {
  /** By field name; empty cells are left out. */
  values: ReadonlyMap<string, { value: Json; field: Field }>
  /** Header by field name, also for empty cells. */
  columns: ReadonlyMap<string, string>
  failed: ReadonlyMap<string, Field>
  findings: readonly CellFinding[]
}

/** Reads a row's cells by the kind of their fields; a postcode with its address's state. */
export function readCells(cells: readonly Cell[], defaults: RowDefaults): Draft {
  const { address, nowMs } = defaults
  const now = () => wallClockNow(nowMs, zoneOfRow(cells, defaults))
  const values = new Map<string, { value: Json; field: Field }>()
  const failed = new Map<string, Field>()
  const findings: CellFinding[] = []
  const states = new Map(
    cells
      .filter(({ field }) => field.kind === "state")
      .map(({ field, value }) => [field.name, String(value ?? "")]),
  )
  for (const { column, field, value: written, source } of cells) {
    const state = states.get(field.name.replace(/\.postcode$/, ".state"))
    const { value, findings: said } = readCell(field, written, source, { state, nowMs, now, address })
    findings.push(...said.map((note) => ({ ...note, column })))
    if (value !== undefined) values.set(field.name, { value, field })
    else if (said.some(({ severity }) => severity === "error")) failed.set(field.name, field)
  }
  return {
    values,
    failed,
    findings,
    columns: new Map(cells.map(({ column, field }) => [field.name, column])),
  }
}

/** The zone of the place of collection, as far as the row and its defaults tell: the collection's, or else the sender's. */
function zoneOfRow(cells: readonly Cell[], { address, booking }: RowDefaults): ContractZone {
  for (const party of ["collection", "sender"]) {
    const of = (name: string) => cells.find(({ field, value }) => field.name === name && value)?.value
    const [state, name] = [of(`${party}.state`), of(party)]
    if (typeof state === "string") return zoneOrDefault(state)
    if (typeof name === "string")
      try {
        return zoneOrDefault(address(name).state)
      } catch {
        // The cell of the name tells.
        return DEFAULT_ZONE
      }
    if (booking[party] !== undefined) return zoneOfCollection({ [party]: booking[party] })
  }
  return DEFAULT_ZONE
}

export function errorAt(
  draft: Draft,
  field: string,
  rule: string,
  message: string,
  hint?: string,
): CellFinding {
  const column = draft.columns.get(field)
  return errorFinding(rule, message, {
    ...(column !== undefined && { column }),
    ...(hint !== undefined && { hint }),
  })
}

type ReadFinding = FindingText & Pick<RowFinding, "severity">

interface CellContext {
  state: string | undefined
  nowMs: number
  now: () => WallClock
  /** @throws FreightError for an unknown or invalid address */
  address(name: string): BookingAddress
}

/** Undefined for an empty cell, or one with an error. */
interface CellRead {
  value: Json | undefined
  findings: ReadFinding[]
}

/**
 * @param written text as it stands in the file, or a JSON value
 * @param source the text of a JSON number, digit by digit
 */
function readCell(field: Field, written: Json, source: () => string, context: CellContext): CellRead {
  if (written === null) return { value: undefined, findings: [] }
  if (typeof written !== "string") {
    const figures = ["whole", "number", "money", "days"].includes(field.kind)
    if (typeof written === "number" && !figures) return readCell(field, source(), source, context)
    return { value: written, findings: [] }
  }
  const text = cleanText(written)
  if ("error" in text) return { value: undefined, findings: [{ ...text.error, severity: "error" }] }
  const repairs = text.repairs.map(withSeverity("repaired"))
  if (text.value === "") return { value: undefined, findings: [] }
  const read = READERS[field.kind](text.value, field, context)
  if ("error" in read) return { value: undefined, findings: [...repairs, withSeverity("error")(read.error)] }
  const said = [...repairs, ...read.repairs.map(withSeverity("repaired"))]
  const doubts = field.kind === "text" ? textWarnings(text.value) : []
  if (field.name === "reference") doubts.push(...dateWarnings(text.value))
  return { value: read.value, findings: [...said, ...doubts.map(withSeverity("warning"))] }
}

function withSeverity(severity: RowFinding["severity"]): (said: FindingText) => ReadFinding {
  return (said) => ({ ...said, severity })
}

type Reader = (text: string, field: Field, context: CellContext) => Read<Json>

const READERS: Readonly<Record<Kind, Reader>> = {
  text: readText,
  postcode: (text, _, { state }) => readPostcode(text, state),
  state: readState,
  country: readCountry,
  phone: readPhone,
  areaCode: readAreaCode,
  unNumber: readUnNumber,
  yesNo,
  whole: (text) => readNumber(text, { whole: true }),
  number: (text, { name }) => {
    const unit = /(Kg|Cm)$/.exec(name)?.[1]?.toLowerCase()
    return readNumber(text, unit === "kg" || unit === "cm" ? { unit } : {})
  },
  money: (text) => readNumber(text, { money: true }),
  days: (text) => fromParsed(parseWithin(text), (days) => days),
  day: (text, _, { nowMs, now }) => readDay(text, nowMs, now),
  when: (text, _, { nowMs, now }) => {
    const when = readWhen(text, nowMs, now)
    if ("error" in when) return when
    const { date, time } = when.value
    return accept(time ? formatWallClock({ ...date, ...time }) : formatDate(date), ...when.repairs)
  },
  time: readClock,
  closeTime: readCloseTime,
  choice,
  packages,
  payer: (text) => fromParsed(parsePayer(text), ({ ...payer }) => payer),
  party: (text, _, { address }) => {
    try {
      return accept<Json>({ ...address(text) })
    } catch (error) {
      if (error instanceof FreightError) return reject("address", error.message, error.hint)
      throw error
    }
  },
  json: (text) => {
    try {
      return accept(JSON.parse(text) as Json)
    } catch {
      return reject("type", `${quoted(text)} is not JSON`, 'write a list as ["A","B"]')
    }
  },
}

function fromParsed<T>(parsed: Parsed<T>, value: (parsed: T) => Json): Read<Json> {
  return parsed.ok ? accept(value(parsed.value)) : reject("type", parsed.reason)
}

function yesNo(text: string): Read<boolean> {
  const answer = /^(?:(true|yes|y|1)|false|no|n|0)$/i.exec(text)
  return answer ? accept(answer[1] !== undefined) : reject("type", `${quoted(text)} must be yes or no`)
}

function choice(text: string, { name, choices }: Field): Read<string> {
  const meant = name === "packagingCode" ? packagingCode(text) : text
  const found = choices.find((each) => each.toLowerCase() === meant.toLowerCase())
  if (found !== undefined) return accept(found)
  const near = suggest(text, choices)
  return reject(
    "enum",
    `${quoted(text)} is not one of ${choices.join(", ")}`,
    near && `did you mean ${near}?`,
  )
}

/** `2x40x30x20@5.5; 1x10x10x10@1`. */
function packages(text: string): Read<Json> {
  const lines: Package[] = []
  for (const spec of text.split(";").filter((each) => each.trim() !== "")) {
    const line = parsePackage(spec.trim())
    if (!line.ok) return reject("package", line.reason)
    lines.push(line.value)
  }
  const converted = describeConversion(text, lines)
  const repair = converted === undefined ? undefined : { rule: "unit", message: converted }
  return lines.length > 0
    ? accept<Json>(
        lines.map((line) => ({ ...line })),
        repair,
      )
    : reject("package", `${quoted(text)} contains no package`)
}
