/** The rows of a CSV file, workbook, NDJSON or JSON source as written. */
import type { Json } from "../../contract/fields/json.ts"
import { quoted } from "../../contract/parsed.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_CELL, MOST_COLUMNS } from "../../limits.ts"
import type { BatchField } from "../columns/fields.ts"
import type { BatchRow, RowDefaults } from "./row.ts"
import { type Cell, toUnreadableFinding } from "./cells.ts"
import { createStatusReader, type OrderStatus, readStatedCells } from "../shipping.ts"
import { type CellFinding, errorFinding, shownRows } from "../../input/sheets/findings.ts"
import { checkWidth, findShop, findStatusShop, hasStatus, unusedNote } from "../../input/columns/header.ts"
import { type Mapping, refuseUnknown } from "../../input/columns/mapping.ts"
import type { Meaning, Shop } from "../../input/columns/notation.ts"
import {
  type ColumnQuestion,
  listOpenBearings,
  listValues,
  questionUnknown,
  UnclearColumns,
} from "../../input/columns/questions.ts"
import { checkRecord, openTable, readAhead, type TableInput, tooLong } from "../../input/sheets/table.ts"
import { isTotalWord } from "../../input/sheets/totals.ts"
import { type JsonRecord, jsonRecords } from "./json.ts"
import { decodeText, type TextSource } from "../../input/sheets/source.ts"

export interface WrittenRow {
  line: number
  /** As a spreadsheet numbers it; in JSON the rows are counted from 1. */
  row: number
  written: BatchRow["cells"]
  cells: readonly Cell[]
  findings: readonly CellFinding[]
  /** What a shop says of the order. */
  statuses: readonly OrderStatus[]
}

/** @throws FreightError `input` if the source is not a batch */
export async function* readWrittenRows(
  source: TextSource,
  mapping: Mapping<BatchField>,
  defaults: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const { name, sheet } = source
  if (sheet) return yield* fromTable(name, { sheet }, mapping, defaults)
  const { isJson, text } = await detectFormat(source, defaults.tell)
  if (isJson) yield* fromJson(name, text, mapping, defaults)
  else yield* fromTable(name, { text }, mapping, defaults)
}

/** Peeks at the first characters. @throws FreightError `input` for an empty source */
async function detectFormat(
  source: TextSource,
  tell: RowDefaults["tell"],
): Promise<{ isJson: boolean; text: AsyncGenerator<string> }> {
  const text = decodeText(source, tell)
  let start = ""
  while (start.trim() === "") {
    const { value, done } = await text.next()
    if (done) throw new FreightError("input", `${source.name} is empty`)
    start += value
  }
  async function* all() {
    yield start
    yield* text
  }
  return { isJson: /^\s*[[{]/.test(start), text: all() }
}

async function* fromTable(
  name: string,
  input: TableInput,
  mapping: Mapping<BatchField>,
  defaults: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const { tell } = defaults
  const table = await openTable(name, input, mapping, defaults)
  const { headers, fields, units, shop, watched } = table
  const statusShop = findStatusShop(mapping.columns.shops, headers)
  const readStatuses = createStatusReader(statusShop ?? NO_SHOP, headers, fields, mapping)
  const joined: number[] = []
  let order: (WrittenRow & { lines: (readonly string[])[] }) | undefined
  const complete = ({ lines, ...row }: NonNullable<typeof order>) => ({
    ...row,
    statuses: [...readStatuses(lines), ...readStatedCells(row.cells)],
  })
  for await (const record of table.records) {
    const { line, row, cells } = record
    const { unreadable = [] } = record
    const { cells: used, findings: twice } = mergeCounts(
      fields.flatMap((field, index): Cell[] => {
        const value = cells[index] ?? ""
        const why = unreadable.find((each) => each.index === index)
        const cell = { column: headers[index] ?? "", value, source: () => value, unit: units[index] }
        if (!field || field.bearing?.as === "state") return []
        return [{ ...cell, field, ...(why && { unreadable: why }) }]
      }),
    )
    const unknownStatuses = unreadable.flatMap((each) => {
      const column = headers[each.index] ?? ""
      const isStatus =
        fields[each.index]?.bearing?.as === "state" || (statusShop && hasStatus(statusShop, column))
      return isStatus ? [{ ...toUnreadableFinding(each), column }] : []
    })
    if (isTotal(cells, used)) {
      await tell(`row ${row} is a total, not an order: it is left out`)
      continue
    }
    const current = {
      line,
      row,
      written: headers.map((each, index) => [each, cells[index] ?? ""] as const),
      cells: used,
      // What a cell without a value keeps from being read is its own field alone.
      findings: [...checkRecord({ headers, fields, watched }, { cells }), ...twice, ...unknownStatuses],
      statuses: [],
      lines: [cells],
    }
    if (!shop) yield complete(current)
    else if (order && addsNothing(current, order)) {
      joined.push(row)
      order.lines.push(cells)
    } else {
      if (order) yield complete(order)
      order = current
    }
  }
  if (order) yield complete(order)
  const [one, ...others] = joined
  if (one !== undefined)
    await tell(
      others.length === 0
        ? `row ${one} of ${name} is a further item of the order above it`
        : `rows ${shownRows(joined)} of ${name} are further items of the orders above them`,
      true,
    )
}

const NO_SHOP = { statuses: {} }

/** Of several columns that count a row's packages, the one that is filled in; an error where two say something else. */
function mergeCounts(cells: readonly Cell[]): { cells: readonly Cell[]; findings: CellFinding[] } {
  const counts = cells.filter(({ field }) => field.bearing?.as === "count")
  if (counts.length < 2) return { cells, findings: [] }
  const textOf = ({ value }: Cell) => (value === null ? "" : String(value).trim())
  const filled = counts.filter((cell) => !/^(?:0*|-)$/.test(textOf(cell)))
  const [first = counts[0], ...others] = filled
  const other = others.find((cell) => first && textOf(cell) !== textOf(first))
  const merged = cells.filter((cell) => cell === first || !counts.includes(cell))
  if (!first || !other) return { cells: merged, findings: [] }
  const message = `is ${textOf(other)}, and ${quoted(first.column)} is ${textOf(first)}: both count the packages`
  const hint = `leave the one that counts goods out with --map COLUMN=, or write packages of several kinds in a column Packages: 2x40x30x20@5; 1x120x100x150@300`
  return { cells: merged, findings: [errorFinding("twice", message, { column: other.column, hint })] }
}

/** A sum below the table: it says so, and names neither an order nor a receiver. */
function isTotal(cells: readonly string[], used: readonly Cell[]): boolean {
  return (
    cells.some(isTotalWord) &&
    used.every(({ field, value, unreadable }) => {
      const text = unreadable?.message ?? String(value)
      return (
        text.trim() === "" ||
        isTotalWord(text) ||
        !(field.name === "reference" || field.name.startsWith("receiver"))
      )
    })
  )
}

/** Whether a shop's row only names another item of the order above: its other cells are empty or the same. */
function addsNothing({ cells, findings }: WrittenRow, order: WrittenRow): boolean {
  const isReference = ({ field }: Cell) => field.name === "reference"
  const own = cells.find(isReference)?.value
  return (
    findings.length === 0 &&
    cells.every(({ unreadable }) => !unreadable) &&
    typeof own === "string" &&
    own.trim() !== "" &&
    own === order.cells.find(isReference)?.value &&
    cells.every(({ value }, index) => String(value).trim() === "" || value === order.cells[index]?.value)
  )
}

/** Rows of JSON that are read before their names are judged. */
const SAMPLE_ROWS = 200

async function* fromJson(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping<BatchField>,
  { ignoreUnknown, isLookUp = false, sampleRows = SAMPLE_ROWS, tell }: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const meanings = new Map<string, Meaning<BatchField>>()
  const meaning = (header: string) => {
    const known = meanings.get(header) ?? mapping.meaning(header)
    // Limited: a hostile file can have any number of names.
    if (meanings.size < 1000) meanings.set(header, known)
    return known
  }
  const { first, all } = await readAhead(jsonRecords(name, text), sampleRows)
  const questions = isLookUp ? [] : listQuestions(first, mapping, meaning, ignoreUnknown)
  if (questions.length > 0) throw new UnclearColumns(name, questions, undefined, mapping.columns.help.next)
  const asked = new Set(isLookUp ? [] : first.flatMap((record) => listNames(record)))
  // Rows have the same names one after the other.
  let last: { key: string; known: KnownShop } | undefined
  const findKnownShop = (headers: readonly string[]) => {
    const key = JSON.stringify(headers)
    if (last?.key === key) return last.known
    const shop = findStatusShop(mapping.columns.shops, headers)
    const isOfShop = findShop(mapping.columns.shops, headers) !== undefined
    const fields = headers.map((header) => {
      const means = meaning(header)
      const field = "field" in means ? means.field : undefined
      // A shop's entry says which of its columns tell a state.
      return isOfShop && field?.bearing?.as === "state" && !mapping.isMapped(header) ? undefined : field
    })
    const readStatuses = createStatusReader(shop ?? NO_SHOP, headers, fields, mapping)
    const known = { shop, isOfShop, fields, readStatuses }
    last = { key, known }
    return known
  }
  const unused = new Set<string>()
  let row = 0
  for await (const record of all) {
    const read = readJsonRow(record, meaning, findKnownShop, ignoreUnknown, unused)
    const late = isLookUp ? [] : listQuestions([record], mapping, meaning, ignoreUnknown, asked)
    const findings = late.map(({ column, why }) =>
      errorFinding("column", why, {
        column,
        hint: "say what it is with --map COLUMN=FIELD, or leave it out",
      }),
    )
    yield { row: ++row, ...read, findings: [...read.findings, ...findings] }
  }
  if (unused.size > 0 && !ignoreUnknown) await tell(unusedNote(name, [...unused]))
}

function listNames(record: JsonRecord): string[] {
  return "error" in record ? [] : record.members.map(({ name }) => name)
}

/** What is to be asked about the names of these records. @param asked names that were judged already */
function listQuestions(
  records: readonly JsonRecord[],
  { columns, isMapped }: Mapping<BatchField>,
  meaning: (header: string) => Meaning<BatchField>,
  ignoreUnknown: boolean,
  asked: ReadonlySet<string> = new Set(),
): ColumnQuestion[] {
  const cells = new Map<string, string[]>()
  for (const record of records)
    for (const { name, value, source } of "error" in record ? [] : record.members) {
      if (cells.size > MOST_COLUMNS || asked.has(name)) continue
      const text = toCellText(value, source).trim()
      cells.set(name, [...(cells.get(name) ?? []), ...(text === "" || value === null ? [] : [text])])
    }
  if (cells.size === 0) return []
  const names = [...new Set(records.flatMap(listNames))]
  const used = names.map((name) => {
    const means = meaning(name)
    return "field" in means ? means.field : undefined
  })
  const isOfShop = findShop(columns.shops, names) !== undefined
  const open = listOpenBearings(columns, used, isOfShop)
  return [...cells].flatMap(([name, texts]): ColumnQuestion[] => {
    const means = meaning(name)
    if (!("field" in means)) {
      if (refuseUnknown(name, means, ignoreUnknown) || texts.length === 0) return []
      const question = questionUnknown(columns, name, name, texts, open)
      return question ? [question] : []
    }
    const { knows } = means.field?.bearing ?? {}
    if (!knows || isOfShop || isMapped(name) || texts.length === 0 || texts.some(knows)) return []
    const choices = means.field ? [means.field.name] : []
    return [
      { column: name, values: listValues(texts), why: "may say whether an order is to be sent", choices },
    ]
  })
}

interface KnownShop {
  shop: Shop | undefined
  isOfShop: boolean
  fields: readonly (BatchField | undefined)[]
  readStatuses: ReturnType<typeof createStatusReader>
}

function toCellText(value: Json, source: () => string): string {
  return typeof value === "string" ? value : typeof value === "number" ? source() : JSON.stringify(value)
}

/** @param unused gets the names that mean nothing here */
function readJsonRow(
  record: JsonRecord,
  meaning: Mapping<BatchField>["meaning"],
  findKnownShop: (headers: readonly string[]) => KnownShop,
  ignoreUnknown: boolean,
  unused: Set<string>,
): Omit<WrittenRow, "row"> {
  const { line } = record
  if ("error" in record)
    return { line, written: [], cells: [], findings: [errorFinding("json", record.error)], statuses: [] }
  checkWidth(`the row on line ${line}`, record.members.length)
  const known = findKnownShop(record.members.map(({ name }) => name))
  const cells: Cell[] = []
  const findings: CellFinding[] = []
  const taken = new Map<string, { column: string; isEmpty: boolean; at: number }>()
  for (const { name: column, value, source } of record.members) {
    const means = meaning(column)
    if (!("field" in means)) {
      const refused = refuseUnknown(column, means, ignoreUnknown)
      if (refused) findings.push(errorFinding("unknown", refused.error, { column, hint: refused.hint }))
      // Limited: a hostile file can have any number of names.
      else if (unused.size < MOST_COLUMNS && !(known.shop && hasStatus(known.shop, column)))
        unused.add(column)
      continue
    }
    const { field } = means
    const unit = "unit" in means ? means.unit : undefined
    if (!field || field.bearing?.as === "state") continue
    const before = field.mayRepeat ? undefined : taken.get(field.name)
    const isEmpty = value === null || value === ""
    if (before && isEmpty) continue
    if (before && !before.isEmpty) {
      const message = `${quoted(before.column)} and ${quoted(column)} both mean ${field.name}`
      findings.push(errorFinding("twice", message, { column, hint: "leave one of them out" }))
      continue
    }
    const at = before?.at ?? cells.length
    taken.set(field.name, { column, isEmpty, at })
    cells[at] = { column, field, value, source, unit }
  }
  const counted = mergeCounts(cells)
  findings.push(...counted.findings)
  const cellTexts = record.members.map(
    ({ name, value, source }) => [name, toCellText(value, source)] as const,
  )
  for (const [column, { length }] of cellTexts)
    if (length > LONGEST_CELL) findings.push(tooLong(column, length))
  // JSON has null for an empty cell.
  const texts = record.members.map(({ value }, index) =>
    value === null ? "" : (cellTexts[index]?.[1] ?? ""),
  )
  return {
    line,
    written: cellTexts,
    cells: counted.cells,
    findings,
    statuses: [...known.readStatuses([texts]), ...readStatedCells(cells)],
  }
}
