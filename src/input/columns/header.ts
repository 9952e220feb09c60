/** Matches the headings of a table to fields: each column is used, converts others, is harmless, or is asked about. */
import { counted, grouped } from "../../contract/counted.ts"
import { quoted } from "../../contract/parsed.ts"
import { suggest } from "../../contract/suggest.ts"
import type { Unit } from "../../contract/units.ts"
import { type ErrorDetail, FreightError } from "../../errors.ts"
import { MOST_COLUMNS } from "../../limits.ts"
import { BEARINGS, type BearingName } from "./bearings.ts"
import { argument, isNamed, plainHeader } from "./headings.ts"
import { listColumnNames, type Mapping, refuseUnknown } from "./mapping.ts"
import type { ColumnField, Judgement, Shop } from "./notation.ts"
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
  const { columns } = mapping
  const shop = findShop(columns.shops, headers)
  const draft = createDraft(headers, sample, mapping)
  const unknown = placeHeadings(draft, mapping, shop, { ignoreUnknown, line, hasSample: sample.length > 0 })
  const isRecognised = draft.fields.some((field) => field !== undefined)
  leaveOutLesser(draft, columns, shop)
  draft.errors.push(
    ...refuseDoubled(draft).map((error) => ({ ...error, line })),
    ...refuseMissing(draft, mapping.named).map((error) => ({ ...error, line })),
  )
  const open = listOpenBearings(columns, draft.fields, shop !== undefined)
  if (sample.length > 0) judgeBearings(draft, open)
  // A shop's entry says which of its columns count.
  if (!shop) judgeUnclear(draft, columns)
  judgeUnknown(draft, columns, unknown, open, sample.length > 0)

  const { fields, units, unused, watched, questions, errors } = draft
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

/** What is found out of the columns, by their numbers. */
interface HeaderDraft<Field> {
  readonly headers: readonly string[]
  /** The first rows below. */
  readonly sample: readonly (readonly string[])[]
  /** As `--map` names them. */
  readonly names: readonly string[]
  readonly fields: (Field | undefined)[]
  readonly units: (Unit | undefined)[]
  readonly unused: Set<number>
  readonly watched: Map<number, WatchedColumn>
  readonly questions: ColumnQuestion[]
  readonly errors: ErrorDetail[]
  isMapped(index: number): boolean
  /** The first cells of a column that are not empty. */
  cellsOf(index: number): string[]
}

function createDraft<Field extends ColumnField>(
  headers: readonly string[],
  sample: readonly (readonly string[])[],
  { isMapped }: Mapping<Field>,
): HeaderDraft<Field> {
  const names = listColumnNames(headers)
  return {
    ...{ headers, names, sample, fields: [], units: headers.map(() => undefined) },
    ...{ unused: new Set(), watched: new Map(), questions: [], errors: [] },
    isMapped: (index) => isMapped(names[index] ?? "") || isMapped(headers[index] ?? ""),
    cellsOf: (index) => sample.map((cells) => (cells[index] ?? "").trim()).filter((text) => text !== ""),
  }
}

/** Fills in the fields by `--map` and by what the headings mean. @returns columns that mean nothing */
function placeHeadings<Field extends ColumnField>(
  {
    headers,
    names,
    fields,
    units,
    unused,
    watched,
    questions,
    errors,
    isMapped,
    cellsOf,
  }: HeaderDraft<Field>,
  mapping: Mapping<Field>,
  shop: Shop | undefined,
  { ignoreUnknown, line, hasSample }: { ignoreUnknown: boolean; line: number; hasSample: boolean },
): number[] {
  const statusShop = findStatusShop(mapping.columns.shops, headers)
  const unknown: number[] = []
  const place = (header: string, index: number): Field | undefined => {
    if (header.trim() === "") return undefined
    const column = names[index] ?? header
    const meaning = mapping.isMapped(column) ? mapping.meaning(column) : mapping.meaning(header, shop)
    if ("field" in meaning) {
      if (shop && isStateOfOthers(meaning.field) && !isMapped(index)) {
        if (!hasStatus(shop, header)) unused.add(index)
        return undefined
      }
      if ("unit" in meaning) units[index] = meaning.unit
      return meaning.field
    }
    const decided = "byCells" in meaning ? meaning.byCells?.(cellsOf(index)) : undefined
    if (decided === "unused") unused.add(index)
    if (decided !== undefined) return decided === "unused" ? undefined : decided
    const refused = refuseUnknown(column, meaning, ignoreUnknown)
    if (refused && "choices" in meaning && meaning.choices) {
      const why = refused.error.replace(/^the column "[^"]*" /, "")
      const { choices } = meaning
      questions.push({ column, values: listValues(cellsOf(index)), why, choices, hint: refused.hint })
    } else if (refused && hasSample && cellsOf(index).length === 0) {
      unused.add(index)
      watched.set(index, { column, why: "is not used", isHarmless: () => false })
    } else if (refused) errors.push({ message: `${refused.error}: ${refused.hint}`, field: header, line })
    else if (!statusShop || !hasStatus(statusShop, header)) unknown.push(index)
    return undefined
  }
  for (const [index, header] of headers.entries()) fields.push(place(header, index))
  return unknown
}

/** Leaves out columns whose field another column holds better, or holds at all. */
function leaveOutLesser<Field extends ColumnField>(
  draft: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
  shop: Shop | undefined,
): void {
  const { headers, names, fields, units, unused, watched, isMapped, cellsOf } = draft
  const leaveOut = (index: number) => {
    fields[index] = undefined
    units[index] = undefined
  }
  const yielding = [...(shop?.yielding ?? []), ...(columns.yielding ?? [])]
  for (const index of yieldingColumns(yielding, headers, fields, isMapped)) {
    leaveOut(index)
    unused.add(index)
  }
  for (const index of judge(draft, columns)?.yielding ?? []) {
    leaveOut(index)
    unused.add(index)
  }
  for (const [index, twin] of emptyTwins(fields, (at) => cellsOf(at).length === 0)) {
    const why = `means ${fields[index]?.name}, as the column ${quoted(headers[twin] ?? "")} does`
    watched.set(index, { column: names[index] ?? "", why, isHarmless: () => false })
    leaveOut(index)
  }
}

function judge<Field extends ColumnField>(
  { headers, fields, isMapped, cellsOf, sample }: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
): Judgement | undefined {
  return columns.judge?.(
    headers.map((header, index) => {
      return { header, field: fields[index], cells: cellsOf(index), isMapped: isMapped(index) }
    }),
    sample,
  )
}

/** Asks about columns that mean something else beside some others. */
function judgeUnclear<Field extends ColumnField>(
  draft: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
): void {
  const { names, watched, questions, cellsOf } = draft
  for (const [index, { why, choices, isHarmless }] of judge(draft, columns)?.unclear ?? []) {
    const column = names[index] ?? ""
    if (questions.some((each) => each.column === column)) continue
    watched.set(index, { column, why, isHarmless })
    if (cellsOf(index).every(isHarmless)) continue
    questions.push({ column, values: listValues(cellsOf(index)), why, choices })
  }
}

function refuseDoubled<Field extends ColumnField>({
  headers,
  names,
  fields,
  isMapped,
}: HeaderDraft<Field>): ErrorDetail[] {
  const first = new Map<string, number>()
  return headers.flatMap((header, index): ErrorDetail[] => {
    const key = fields[index]?.name
    if (key === undefined || fields[index]?.mayRepeat) return []
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, index)
      return []
    }
    // Whoever mapped one of them means it.
    const leaves = names[isMapped(index) ? before : index] ?? header
    return [{ message: doubled(headers, before, index, key, leaves), field: header }]
  })
}

/** Errors for columns of `--map` that the table does not have. */
function refuseMissing(
  { headers, names }: Pick<HeaderDraft<unknown>, "headers" | "names">,
  wanted: readonly string[],
): ErrorDetail[] {
  return wanted
    .filter((each) => !isNamed([...headers, ...names], each))
    .map((each) => {
      const near = suggest(each, headers)
      const hint = near ? `; did you mean ${quoted(near)}?` : ""
      return { message: `--map: there is no column ${quoted(each)}${hint}`, field: each }
    })
}

/** Leaves out known columns that have nothing to bear on, and asks about those of which freight knows no cell. */
function judgeBearings<Field extends ColumnField>(
  { names, fields, unused, watched, questions, isMapped, cellsOf }: HeaderDraft<Field>,
  open: readonly BearingName[],
): void {
  for (const [index, field] of fields.entries()) {
    const bearing = field?.bearing
    if (!field || !bearing) continue
    const column = names[index] ?? ""
    const cells = cellsOf(index)
    const { what, on } = BEARINGS[bearing.as]
    const why = `may say ${what}`
    const isUnsaid = cells.length === 0 && bearing.saysByEmpty === true
    if (isUnsaid || (on !== "row" && (cells.length === 0 || !open.includes(bearing.as)))) {
      if (isUnsaid || open.includes(bearing.as)) watched.set(index, { column, why, isHarmless: () => false })
      else unused.add(index)
      fields[index] = undefined
    } else if (cells.length > 0 && bearing.knows && !isMapped(index) && !cells.some(bearing.knows))
      questions.push({ column, values: listValues(cells), why, choices: [field.name] })
  }
}

/** Asks about unknown columns that may change what others mean, and sets the others aside. */
function judgeUnknown<Field extends ColumnField>(
  { headers, names, unused, watched, questions, cellsOf }: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
  unknown: readonly number[],
  open: readonly BearingName[],
  hasSample: boolean,
): void {
  for (const index of unknown) {
    const column = names[index] ?? ""
    if (questions.some((each) => each.column === column)) continue
    const cells = cellsOf(index)
    const question = questionUnknown(columns, column, headers[index] ?? "", cells, open)
    if (question && (cells.length > 0 || !hasSample)) {
      questions.push(question)
      continue
    }
    unused.add(index)
    const { says, what } = BEARINGS.state
    if (question) watched.set(index, { column, why: question.why, isHarmless: () => false })
    else if (open.includes("state"))
      watched.set(index, { column, why: `may say ${what}`, isHarmless: (text) => !says?.(text) })
  }
}

/** A shop's entry says which of its columns tell a state. */
export function isStateOfOthers(field: ColumnField | undefined): boolean {
  return field?.bearing?.as === "state" && !field.bearing.inShops
}

/** Columns whose first cells are all empty, beside one that means the same and is not empty. */
function emptyTwins(
  fields: readonly (ColumnField | undefined)[],
  isEmpty: (index: number) => boolean,
): [index: number, twin: number][] {
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
  isMapped: (index: number) => boolean,
): number[] {
  const names = fields.map((field) => field?.name)
  const yields = (index: number) => isNamed(yielding, headers[index] ?? "") && !isMapped(index)
  return headers.flatMap((_, index) =>
    names[index] !== undefined &&
    yields(index) &&
    names.some((other, at) => other === names[index] && !yields(at))
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
