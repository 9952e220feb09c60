/** Matches the headings of a table to fields: each column is used, converts others, is harmless, or is asked about. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import type { Unit } from "../../contract/units.ts"
import { type ErrorDetail, FreightError } from "../../errors.ts"
import { MOST_COLUMNS } from "../../limits.ts"
import { BEARINGS } from "./bearings.ts"
import { argument, isNamed, plainHeader } from "./headings.ts"
import { listColumnNames, type Mapping, refuseUnknown } from "./mapping.ts"
import type { ColumnField, Shop } from "./notation.ts"
import {
  type ColumnQuestion,
  listOpenBearings,
  listValues,
  questionUnknown,
  UnclearColumns,
} from "./questions.ts"

export interface Header<Field> {
  /** Undefined for columns that are not used. */
  fields: readonly (Field | undefined)[]
  /** Units of the numbers in a column, where its heading gives another than the field's. */
  units: readonly (Unit | undefined)[]
  shop: Shop | undefined
  unused: readonly string[]
  /** Columns that are left out because their first cells are empty or change nothing; a later cell that is not so is an error. */
  watched: ReadonlyMap<number, WatchedColumn>
}

export interface WatchedColumn {
  column: string
  /** Why a cell that is not empty matters. */
  why: string
  isHarmless(text: string): boolean
}

interface HeaderOptions {
  ignoreUnknown: boolean
  /** Nothing will be sent: columns that are not clear are set aside. */
  isLookUp?: boolean
  /** The first rows below. */
  sample: readonly (readonly string[])[]
}

/**
 * The fields of a header line.
 * @param row as a spreadsheet numbers it
 * @throws FreightError `input` with every error; `UnclearColumns` where a person can answer them all
 */
export function readHeader<Field extends ColumnField>(
  name: string,
  { line, row }: { line: number; row: number },
  headers: readonly string[],
  mapping: Mapping<Field>,
  { ignoreUnknown, isLookUp = false, sample }: HeaderOptions,
): Header<Field> {
  const errors: ErrorDetail[] = []
  const questions: ColumnQuestion[] = []
  const at = (message: string, column: string) => errors.push({ message, field: column, line })
  const unknown = new Set<number>()
  const unused = new Set<number>()
  const watched = new Map<number, WatchedColumn>()
  const { columns } = mapping
  const shop = findShop(columns.shops, headers)
  const statusShop = findStatusShop(columns.shops, headers)
  const names = listColumnNames(headers)
  const cellsOf = (index: number) =>
    sample.map((cells) => (cells[index] ?? "").trim()).filter((text) => text !== "")
  const units: (Unit | undefined)[] = headers.map(() => undefined)
  const isMapped = (index: number) =>
    mapping.isMapped(names[index] ?? "") || mapping.isMapped(headers[index] ?? "")
  const fields = headers.map((header, index) => {
    if (header.trim() === "") return undefined
    const column = names[index] ?? header
    const meaning = mapping.isMapped(column) ? mapping.meaning(column) : mapping.meaning(header, shop)
    if ("field" in meaning) {
      // A shop's entry says which of its columns tell a state.
      if (shop && meaning.field?.bearing?.as === "state" && !isMapped(index)) {
        if (!hasStatus(shop, header)) unused.add(index)
        return undefined
      }
      if ("unit" in meaning) units[index] = meaning.unit
      return meaning.field
    }
    const refused = refuseUnknown(column, meaning, ignoreUnknown)
    if (refused && "choices" in meaning && meaning.choices) {
      const why = refused.error.replace(/^the column "[^"]*" /, "")
      const { choices } = meaning
      questions.push({ column, values: listValues(cellsOf(index)), why, choices, hint: refused.hint })
    } else if (refused) at(`${refused.error}: ${refused.hint}`, header)
    else if (!statusShop || !hasStatus(statusShop, header)) unknown.add(index)
    return undefined
  })
  const isRecognised = fields.some((field) => field !== undefined)
  const yielding = shop?.yielding ?? columns.yielding ?? []
  for (const index of yieldingColumns(yielding, headers, fields, mapping)) {
    fields[index] = undefined
    unused.add(index)
  }
  const rankOf = (index: number) => {
    const field = fields[index]
    return field && !isMapped(index) ? (columns.rank?.(headers[index] ?? "", field) ?? 0) : 0
  }
  const groups = fields.map((field) => field && (columns.group?.(field) ?? field.name))
  for (const index of lowerRanked(groups, rankOf)) {
    fields[index] = undefined
    units[index] = undefined
    unused.add(index)
  }
  for (const [index, twin] of emptyTwins(fields, (at) => cellsOf(at).length === 0, sample.length > 0)) {
    const why = `means ${fields[index]?.name}, as the column ${quoted(headers[twin] ?? "")} does`
    watched.set(index, { column: names[index] ?? "", why, isHarmless: () => false })
    fields[index] = undefined
    units[index] = undefined
  }
  const first = new Map<string, number>()
  for (const [index, header] of headers.entries()) {
    const key = fields[index]?.name
    if (key === undefined || fields[index]?.mayRepeat) continue
    const before = first.get(key)
    if (before === undefined) first.set(key, index)
    else {
      const leaves = names[rankOf(before) < rankOf(index) ? before : index] ?? header
      at(doubled(headers, before, index, key, leaves), header)
    }
  }
  for (const wanted of mapping.named)
    if (!isNamed([...headers, ...names], wanted)) {
      const near = suggest(wanted, headers)
      at(
        `--map: there is no column ${quoted(wanted)}${near ? `; did you mean ${quoted(near)}?` : ""}`,
        wanted,
      )
    }
  const open = listOpenBearings(columns, fields, shop !== undefined)
  for (const [index, field] of fields.entries()) {
    const bearing = field?.bearing
    if (!field || !bearing || sample.length === 0) continue
    const column = names[index] ?? ""
    const cells = cellsOf(index)
    const { what, on } = BEARINGS[bearing.as]
    if (on !== "row" && (cells.length === 0 || !open.includes(bearing.as))) {
      if (open.includes(bearing.as))
        watched.set(index, { column, why: `may say ${what}`, isHarmless: () => false })
      else unused.add(index)
      fields[index] = undefined
    } else if (cells.length > 0 && bearing.knows && !isMapped(index) && !cells.some(bearing.knows)) {
      const choices = [field.name]
      questions.push({ column, values: listValues(cells), why: `may say ${what}`, choices })
    }
  }
  for (const index of unknown) {
    const header = headers[index] ?? ""
    const cells = cellsOf(index)
    const question = questionUnknown(columns, names[index] ?? header, header, cells, open)
    if (!question) {
      unused.add(index)
      const { says, what } = BEARINGS.state
      const isHarmless = (text: string) => !says?.(text)
      if (open.includes("state"))
        watched.set(index, { column: names[index] ?? header, why: `may say ${what}`, isHarmless })
    } else if (cells.length > 0 || sample.length === 0) questions.push(question)
    else {
      unused.add(index)
      watched.set(index, { column: question.column, why: question.why, isHarmless: () => false })
    }
  }
  if (!isRecognised)
    throw new FreightError("input", `${name}: freight recognises no column of row ${row}`, {
      ...(errors.length > 0 && { errors }),
      ...columns.help,
    })
  const unclear =
    questions.length > 0 ? new UnclearColumns(name, questions, line, columns.help.next) : undefined
  if (errors.length > 0)
    throw new FreightError("input", `${name}: the columns are ambiguous; nothing was done`, {
      errors: [...errors, ...(unclear?.errors ?? [])],
      next: columns.help.next,
    })
  if (unclear && !isLookUp) throw unclear
  return { fields, units, shop, unused: headers.filter((_, index) => unused.has(index)), watched }
}

/** Columns that give way to another of the same field, which says better whose it is. */
function lowerRanked(groups: readonly (string | undefined)[], rankOf: (index: number) => number): number[] {
  return groups.flatMap((group, index) =>
    group !== undefined &&
    rankOf(index) < 0 &&
    groups.some((other, at) => other === group && rankOf(at) > rankOf(index))
      ? [index]
      : [],
  )
}

/** Columns whose first cells are all empty, beside one that means the same and is not empty. */
function emptyTwins(
  fields: readonly (ColumnField | undefined)[],
  isEmpty: (index: number) => boolean,
  hasSample: boolean,
): [index: number, twin: number][] {
  if (!hasSample) return []
  return fields.flatMap((field, index): [number, number][] => {
    if (!field || field.mayRepeat || !isEmpty(index)) return []
    const twin = fields.findIndex(
      (other, at) => at !== index && other?.name === field.name && (!isEmpty(at) || at < index),
    )
    return twin < 0 ? [] : [[index, twin]]
  })
}

/** What a later row says in columns that were left out by its first rows. */
export function findWatched(watched: Header<unknown>["watched"], cells: readonly string[]): WatchedColumn[] {
  return [...watched].flatMap(([index, column]) => {
    const text = (cells[index] ?? "").trim()
    return text === "" || column.isHarmless(text) ? [] : [column]
  })
}

/** More unused columns than this are counted and not named. */
const MOST_LISTED = 3

/** Whether a column says if an order is to be shipped. */
export function hasStatus({ statuses, signs = [] }: Shop, header: string): boolean {
  return [...Object.keys(statuses), ...signs.map((sign) => sign.header)].some((word) =>
    isNamed([header], word),
  )
}

export function unusedNote(name: string, headers: readonly string[]): string {
  const shown = headers.slice(0, MOST_LISTED).map((header) => quoted(header))
  const more = headers.length > shown.length ? ` and ${headers.length - shown.length} more` : ""
  const are = headers.length === 1 ? "is" : "are"
  return `${name}: ${counted(headers.length, "column")} ${are} not used: ${shown.join(", ")}${more}. --map COLUMN=FIELD uses one.`
}

/** The shop whose statuses a file with these headers has. */
export function findStatusShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return (
    findShop(shops, headers) ?? shops.find(({ own = [] }) => own.some((header) => isNamed(headers, header)))
  )
}

export function findShop(shops: readonly Shop[], headers: readonly string[]): Shop | undefined {
  return shops.find(
    ({ all, oneOf }) =>
      all.every((header) => isNamed(headers, header)) && oneOf.some((header) => isNamed(headers, header)),
  )
}

/** Columns whose field another column holds better. */
function yieldingColumns(
  yielding: readonly string[],
  headers: readonly string[],
  fields: readonly (ColumnField | undefined)[],
  mapping: Pick<Mapping<ColumnField>, "isMapped">,
): number[] {
  const names = fields.map((field) => field?.name)
  const yields = (header: string) => isNamed(yielding, header) && !mapping.isMapped(header)
  return headers.flatMap((header, index) =>
    names[index] !== undefined &&
    yields(header) &&
    names.some((other, at) => other === names[index] && !yields(headers[at] ?? ""))
      ? [index]
      : [],
  )
}

/** @throws FreightError `input` where there are more columns than a batch may have */
export function checkWidth(place: string, columns: number): void {
  if (columns <= MOST_COLUMNS) return
  throw new FreightError(
    "input",
    `${place} has ${grouped(columns)} columns, and freight reads at most ${grouped(MOST_COLUMNS)}`,
    { hint: "Is it the right file, and the right delimiter? Remove the columns that are not needed." },
  )
}

function doubled(
  headers: readonly string[],
  before: number,
  index: number,
  field: string,
  leaves: string,
): string {
  const [one = "", other = ""] = [headers[before], headers[index]]
  const places = `number ${before + 1} and ${index + 1}`
  const leave = `leave one out with --map ${argument(`${leaves.trim()}=`)}`
  if (plainHeader(one) === plainHeader(other))
    return `the column ${quoted(other)} appears twice: as ${places}: ${leave}`
  return `the columns ${quoted(one)} and ${quoted(other)} both mean ${field} (${places}): ${leave}`
}
