/** Matches the headings of a table to fields: each column is used, converts others, is harmless, or is asked about. */
import { counted, grouped, listSome } from "../../base/counted.ts"
import { quoted } from "../../base/parsed.ts"
import { suggest } from "../../base/suggest.ts"
import type { Unit } from "../../base/units.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import { MAX_COLUMNS } from "../../base/limits.ts"
import { BEARINGS, findHarmless } from "./bearings.ts"
import type { BearingName, ColumnField, ColumnFindings, SheetColumns, Shop } from "./notation.ts"
import { argument, isNamed, listMeanings, plainHeader } from "./headings.ts"
import { listColumnNames, type Mapping, type Refusal, refuseUnknown } from "./mapping.ts"
import { findShop, findStatusShop, hasStatus, isStateOfOthers } from "./shops.ts"
import {
  type ColumnQuestion,
  describeAnswers,
  listOpenBearings,
  listReadable,
  listValues,
  nameField,
  questionUnknown,
  UnclearColumns,
} from "./questions.ts"

export interface Header<Field> {
  /** Undefined for columns that are not used. */
  fields: readonly (Field | undefined)[]
  /** Units of the numbers in a column, if its heading gives another than the field's. */
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
  /** The first rows below. */
  sample: readonly (readonly string[])[]
  /** The row that looks most like headings, if none were found. */
  likelyRow?: number | undefined
}

/** Judged headings: the caller decides about unclear ones. */
export interface JudgedHeader<Field> extends Header<Field> {
  /** Questions that only a person can answer. */
  questions: readonly ColumnQuestion[]
  /** Columns that are unknown and probably misspelt, or cannot be given, by their numbers. */
  refused: ReadonlyMap<number, Refusal>
  /** A heading means something, whether its column is used or not. */
  isRecognised: boolean
}

/**
 * The fields of a header line, and the questions about it.
 * @param row as a spreadsheet numbers it
 */
export function readHeader<Field extends ColumnField>(
  name: string,
  { line, row }: { line: number; row: number },
  headers: readonly string[],
  mapping: Mapping<Field>,
  { ignoreUnknown, sample, likelyRow }: HeaderOptions,
): JudgedHeader<Field> {
  const { help } = mapping.columns
  const judged = judgeHeader(headers, mapping, {
    ignoreUnknown,
    cells: headers.map((_, index) =>
      sample.map((cells) => (cells[index] ?? "").trim()).filter((text) => text !== ""),
    ),
    hasSample: sample.length > 0,
    sample,
  })
  const { questions, refused, fields, isRecognised } = judged
  const doubles = refuseDoubled(headers, fields, mapping)
  const left = doubles.flatMap(({ leaves }) => (leaves === undefined ? [] : [leaves.trim()]))
  const errors = [
    ...Array.from(refused, ([index, { error, hint }]) => {
      return { message: `${error}: ${hint}`, field: headers[index] ?? "" }
    }),
    ...doubles.map(({ error }) => error),
    ...refuseMissing(headers, mapping.named),
  ].map((error) => ({ ...error, line }))
  if (!isRecognised)
    throw new FreightError("input", `${name}: freight recognises no column of row ${row}`, {
      ...(errors.length > 0 && { errors }),
      ...help,
      ...(likelyRow !== undefined && {
        hint: `Are they in row ${likelyRow}? --header-row ${likelyRow} says so. ${help.hint}`,
      }),
    })
  if (errors.length > 0) {
    const unclear =
      questions.length > 0
        ? new UnclearColumns(name, questions, line, help.next, mapping.columns.fields)
        : undefined
    throw new FreightError("input", `${name}: the columns are ambiguous; nothing was done`, {
      errors: [...errors, ...(unclear?.errors ?? [])],
      ...(left.length > 0 &&
        describeAnswers([
          ...left.map((column) => [column, ""] as const),
          ...(unclear?.answers ?? []).filter(([column]) => !left.includes(column.trim())),
        ])),
      next: help.next,
    })
  }
  return judged
}

/**
 * The fields of headings, and all that is not clear about them.
 * @param cells the first ones of each column, without the empty ones; `hasSample`: there are rows whose cells these are
 */
export function judgeHeader<Field extends ColumnField>(
  headers: readonly string[],
  mapping: Mapping<Field>,
  {
    cells,
    sample = [],
    ...options
  }: {
    cells: readonly (readonly string[])[]
    ignoreUnknown: boolean
    hasSample: boolean
    sample?: readonly (readonly string[])[]
  },
): JudgedHeader<Field> {
  const { columns } = mapping
  const { hasSample } = options
  const shop = findShop(columns.shops, headers)
  const draft = createDraft(headers, cells, sample, mapping)
  const unknown = placeHeadings(draft, mapping, shop, options)
  const isRecognised = draft.fields.some((field) => field !== undefined)
  leaveOutLesser(draft, columns, shop)
  for (const index of misfitTwins(draft, columns)) {
    draft.fields[index] = undefined
    draft.units[index] = undefined
    unknown.push(index)
  }
  const open = listOpenBearings(columns, draft.fields, shop !== undefined)
  if (hasSample) judgeBearings(draft, columns, open)
  // A shop's entry says which of its columns count.
  if (!shop) judgeUnclear(draft, columns)
  judgeUnknown(draft, columns, unknown, open, hasSample)
  dropTaken(draft)
  const { fields, units, unused, watched, questions, refused } = draft
  const ofItems = (shop && columns.itemHeadings) ?? []
  const named = headers.filter((header, index) => unused.has(index) && !isNamed(ofItems, header))
  return { fields, units, shop, unused: named, watched, questions, refused, isRecognised }
}

/** Facts about the columns, by their numbers. */
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
  readonly refused: Map<number, Refusal>
  isMapped(index: number): boolean
  /** The first cells of a column that are not empty. */
  cellsOf(index: number): readonly string[]
}

function createDraft<Field extends ColumnField>(
  headers: readonly string[],
  cells: readonly (readonly string[])[],
  sample: readonly (readonly string[])[],
  { isMapped }: Mapping<Field>,
): HeaderDraft<Field> {
  const names = listColumnNames(headers)
  return {
    ...{ headers, names, sample, fields: [], units: headers.map(() => undefined) },
    ...{ unused: new Set(), watched: new Map(), questions: [], refused: new Map() },
    isMapped: (index) => isMapped(names[index] ?? "") || isMapped(headers[index] ?? ""),
    cellsOf: (index) => cells[index] ?? [],
  }
}

/** Sets the fields by `--map` and by the meanings of headings. @returns unknown columns */
function placeHeadings<Field extends ColumnField>(
  {
    headers,
    names,
    fields,
    units,
    unused,
    watched,
    questions,
    refused,
    isMapped,
    cellsOf,
  }: HeaderDraft<Field>,
  mapping: Mapping<Field>,
  shop: Shop | undefined,
  { ignoreUnknown, hasSample }: { ignoreUnknown: boolean; hasSample: boolean },
): number[] {
  const statusShop = findStatusShop(mapping.columns.shops, headers)
  const unknown: number[] = []
  const place = (header: string, index: number): Field | undefined => {
    if (header.trim() === "") return undefined
    const column = names[index] ?? header
    if (shop?.isFirstOfTwins && column !== header && !isMapped(index)) {
      unused.add(index)
      return undefined
    }
    const meaning = mapping.isMapped(column) ? mapping.meaning(column) : mapping.meaning(header, shop)
    const isRefined = "refine" in meaning && !isMapped(index) && ("field" in meaning || !ignoreUnknown)
    const refined = isRefined ? meaning.refine?.(cellsOf(index)) : undefined
    if ("field" in meaning) {
      if (shop && isStateOfOthers(shop, meaning.field) && !isMapped(index)) {
        if (!hasStatus(shop, header)) unused.add(index)
        return undefined
      }
      if ("unit" in meaning) units[index] = meaning.unit
      return refined ?? meaning.field
    }
    const decided = "byCells" in meaning ? meaning.byCells?.(cellsOf(index)) : refined
    if (refined && "unit" in meaning) units[index] = meaning.unit
    if (decided === "unused") unused.add(index)
    if (decided !== undefined) return decided === "unused" ? undefined : decided
    const fits = (field: string) => mayHold(mapping.columns, field, cellsOf(index))
    if (statusShop && hasStatus(statusShop, header)) return undefined
    const titleOf = (field: string) => nameField(mapping.columns.fields, field)
    const refusal = refuseUnknown(column, meaning, ignoreUnknown, fits, titleOf)
    if (refusal && "choices" in meaning && meaning.choices) {
      const choices = listReadable(mapping.columns, meaning.choices.filter(fits), cellsOf(index))
      // A hint with its own words describes the answers.
      const isOwn = !refusal.hint.startsWith("say which")
      const why = isOwn
        ? refusal.error.replace(/^the column "[^"]*" /, "")
        : listMeanings(meaning.choices.map(titleOf))
      questions.push({
        ...{ column, values: listValues(cellsOf(index)), why, choices, leftOut: meaning.leftOut },
        ...(isOwn && { hint: refusal.hint }),
      })
    } else if (refusal && hasSample && cellsOf(index).length === 0) {
      unused.add(index)
      watched.set(index, { column, why: "is not used", isHarmless: () => false })
    } else if (refusal) refused.set(index, refusal)
    else unknown.push(index)
    return undefined
  }
  for (const [index, header] of headers.entries()) fields.push(place(header, index))
  return unknown
}

/** Whether most cells of a column may be of a field. */
function mayHold(
  { mayBe }: Pick<SheetColumns<ColumnField>, "mayBe">,
  field: string,
  cells: readonly string[],
): boolean {
  return !mayBe || cells.filter((text) => mayBe(field, text)).length * 2 >= cells.length
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
  const fallbackHeadings = [...(shop?.fallbackHeadings ?? []), ...(columns.fallbackHeadings ?? [])]
  for (const index of listFallbackColumns(fallbackHeadings, headers, fields, isMapped)) {
    leaveOut(index)
    unused.add(index)
  }
  for (const index of judge(draft, columns)?.fallbackColumns ?? []) {
    leaveOut(index)
    unused.add(index)
  }
  for (const [index, twin] of emptyTwins(fields, (at) => cellsOf(at).length === 0)) {
    const why = `means ${fields[index]?.title ?? fields[index]?.name}, as the column ${quoted(headers[twin] ?? "")} does`
    watched.set(index, { column: names[index] ?? "", why, isHarmless: () => false })
    leaveOut(index)
  }
}

function judge<Field extends ColumnField>(
  { headers, fields, isMapped, cellsOf, sample }: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
): ColumnFindings | undefined {
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
  for (const { at, about = at, why, choices, isHarmless } of judge(draft, columns)?.unclear ?? []) {
    const column = names[about] ?? ""
    watched.set(at, { column, why, isHarmless })
    if (cellsOf(at).every(isHarmless) || questions.some((each) => each.column === column)) continue
    questions.push({ column, values: listValues(cellsOf(about)), why, choices })
  }
}

/** Errors for columns that mean one field, and which one of each two is left out more easily. */
function refuseDoubled<Field extends ColumnField>(
  headers: readonly string[],
  fields: readonly (Field | undefined)[],
  { isMapped }: Mapping<Field>,
): { error: ErrorDetail; leaves?: string }[] {
  const names = listColumnNames(headers)
  const isMappedAt = (index: number) => isMapped(names[index] ?? "") || isMapped(headers[index] ?? "")
  const first = new Map<string, number>()
  return headers.flatMap((header, index) => {
    const key = fields[index]?.name
    if (key === undefined || fields[index]?.mayRepeat) return []
    const before = first.get(key)
    if (before === undefined) {
      first.set(key, index)
      return []
    }
    // A column that a person mapped is meant.
    const leaves = names[isMappedAt(index) ? before : index] ?? header
    const message = doubled(headers, before, index, fields[index]?.title ?? key, leaves)
    return fields[index]?.addsUp
      ? [
          {
            error: {
              message: `${message} if it is in the other, or add the two up in one column`,
              field: header,
            },
          },
        ]
      : [{ error: { message, field: header }, leaves }]
  })
}

/** Errors for columns of `--map` that the table does not have. */
function refuseMissing(headers: readonly string[], wanted: readonly string[]): ErrorDetail[] {
  const names = [...headers, ...listColumnNames(headers)]
  return wanted
    .filter((each) => !isNamed(names, each))
    .map((each) => {
      const near = suggest(each, headers)
      const hint = near ? `; did you mean ${quoted(near)}?` : ""
      return { message: `--map: there is no column ${quoted(each)}${hint}`, field: each }
    })
}

/** Leaves out known columns that affect nothing, and asks about those whose cells are all unknown. */
function judgeBearings<Field extends ColumnField>(
  { names, fields, unused, watched, questions, isMapped, cellsOf }: HeaderDraft<Field>,
  columns: Mapping<Field>["columns"],
  open: readonly BearingName[],
): void {
  for (const [index, field] of fields.entries()) {
    const bearing = field?.bearing
    if (!field || !bearing) continue
    const column = names[index] ?? ""
    const cells = cellsOf(index)
    const { what, on, without: leftOut } = BEARINGS[bearing.as]
    const why = `may say ${what}`
    const isUnsaid = cells.length === 0 && bearing.saysByEmpty === true
    if (isUnsaid || (on !== "row" && (cells.length === 0 || !open.includes(bearing.as)))) {
      if (isUnsaid || open.includes(bearing.as)) watched.set(index, { column, why, isHarmless: () => false })
      else unused.add(index)
      fields[index] = undefined
    } else if (cells.length > 0 && bearing.knows && !isMapped(index) && !cells.some(bearing.knows))
      questions.push({
        ...{ column, values: listValues(cells), why, leftOut },
        choices: listReadable(columns, [field.name], cells),
      })
  }
}

/** Asks about unknown columns that may change the meaning of others, and sets the others aside. */
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
    const sofar = findHarmless(headers[index] ?? "", cells, open)
    if (question) watched.set(index, { column, why: question.why, isHarmless: () => false })
    else if (sofar) watched.set(index, { column, why: `may say ${sofar.what}`, isHarmless: sofar.isHarmless })
    else if (open.includes("state"))
      watched.set(index, { column, why: `may say ${what}`, isHarmless: (text) => !says?.(text) })
  }
}

/** Removes choices from the questions that another column already has, if only one can have them. */
function dropTaken<Field extends ColumnField>({ fields, names, questions }: HeaderDraft<Field>): void {
  for (const [at, question] of questions.entries()) {
    const own = fields[names.indexOf(question.column)]?.name
    // Which of two columns keeps the field of both is asked by itself.
    const isTaken = (choice: string) =>
      choice !== own &&
      fields.some(
        (field, index) => field?.name === choice && !field.mayRepeat && names[index] !== question.column,
      )
    questions[at] = { ...question, choices: question.choices.filter((choice) => !isTaken(choice)) }
  }
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

/**
 * Columns with cells that do not fit their field, beside one with the same meaning whose cells do: a `deliveryState`
 * that says `shipped`.
 */
function misfitTwins<Field extends ColumnField>(
  { fields, isMapped, cellsOf }: HeaderDraft<Field>,
  columns: Pick<SheetColumns<ColumnField>, "mayBe">,
): number[] {
  const holds = (name: string, index: number) => mayHold(columns, name, cellsOf(index))
  return fields.flatMap((field, index) => {
    if (!field || field.mayRepeat || isMapped(index)) return []
    const hasTwin = fields.some(
      (other, at) => at !== index && other?.name === field.name && holds(field.name, at),
    )
    return hasTwin && !holds(field.name, index) ? [index] : []
  })
}

/** Texts of a row in columns that were left out because of the first rows. */
export function findWatched(watched: Header<unknown>["watched"], cells: readonly string[]): WatchedColumn[] {
  return [...watched].flatMap(([index, column]) => {
    const text = (cells[index] ?? "").trim()
    return text === "" || column.isHarmless(text) ? [] : [column]
  })
}

/** More unused columns than this are counted and not named. */
export function unusedNote(name: string, headers: readonly string[]): string {
  const shown = listSome(headers.map((header) => quoted(header)))
  const are = headers.length === 1 ? "is" : "are"
  return `${name}: ${counted(headers.length, "column")} ${are} not used: ${shown}. --map COLUMN=FIELD uses one.`
}

/** Columns whose field another column holds better. */
function listFallbackColumns(
  headings: readonly string[],
  headers: readonly string[],
  fields: readonly (ColumnField | undefined)[],
  isMapped: (index: number) => boolean,
): number[] {
  const names = fields.map((field) => field?.name)
  const isFallback = (index: number) => isNamed(headings, headers[index] ?? "") && !isMapped(index)
  return headers.flatMap((_, index) =>
    names[index] !== undefined &&
    isFallback(index) &&
    names.some((other, at) => other === names[index] && !isFallback(at))
      ? [index]
      : [],
  )
}

/** @throws FreightError `input` for more columns than freight reads */
export function checkWidth(place: string, columns: number): void {
  if (columns <= MAX_COLUMNS) return
  throw new FreightError(
    "input",
    `${place} has ${grouped(columns)} columns, and freight reads at most ${grouped(MAX_COLUMNS)}`,
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
