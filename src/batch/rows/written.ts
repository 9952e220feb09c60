/** The rows of a CSV file, workbook, NDJSON or JSON source as written. */
import { quoted } from "../../contract/parsed.ts"
import { FreightError } from "../../errors.ts"
import { LONGEST_CELL, MOST_COLUMNS } from "../../limits.ts"
import type { BatchField } from "../columns/fields.ts"
import type { BatchRow, RowDefaults } from "./row.ts"
import { type Cell, toUnreadableFinding } from "./cells.ts"
import { createStatusReader, type OrderStatus } from "../shipping.ts"
import { type CellFinding, errorFinding, shownRows } from "../../input/sheets/findings.ts"
import {
  checkWidth,
  findStatusShop,
  hasStatus,
  type Mapping,
  refuseUnknown,
  type Shop,
  unusedNote,
} from "../../input/columns/header.ts"
import { checkRecord, openTable, type TableInput, tooLong } from "../../input/sheets/table.ts"
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
  { ignoreUnknown, tell }: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const table = await openTable(name, input, mapping, { ignoreUnknown, tell })
  const { headers, fields, shop } = table
  const statusShop = findStatusShop(mapping.columns.shops, headers)
  const readStatuses = statusShop && createStatusReader(statusShop, headers, mapping)
  const joined: number[] = []
  let order: (WrittenRow & { lines: (readonly string[])[] }) | undefined
  const complete = ({ lines, ...row }: NonNullable<typeof order>) => ({
    ...row,
    statuses: readStatuses?.(lines) ?? [],
  })
  for await (const record of table.records) {
    const { line, row, cells } = record
    const { unreadable = [] } = record
    const used = fields.flatMap((field, index) => {
      const value = cells[index] ?? ""
      const why = unreadable.find((each) => each.index === index)
      const cell = { column: headers[index] ?? "", value, source: () => value }
      return field ? [{ ...cell, field, ...(why && { unreadable: why }) }] : []
    })
    const unknownStatuses = unreadable.flatMap((each) => {
      const column = headers[each.index] ?? ""
      return statusShop && hasStatus(statusShop, column) ? [{ ...toUnreadableFinding(each), column }] : []
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
      findings: [...checkRecord(table, { cells }), ...unknownStatuses],
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

async function* fromJson(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping<BatchField>,
  { ignoreUnknown, tell }: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const meanings = new Map<string, ReturnType<Mapping<BatchField>["meaning"]>>()
  const meaning = (header: string) => {
    const known = meanings.get(header) ?? mapping.meaning(header)
    // Limited: a hostile file can have any number of names.
    if (meanings.size < 1000) meanings.set(header, known)
    return known
  }
  // Rows have the same names one after the other.
  let last: { key: string; known: KnownShop | undefined } | undefined
  const findKnownShop = (headers: readonly string[]) => {
    const key = JSON.stringify(headers)
    if (last?.key === key) return last.known
    const shop = findStatusShop(mapping.columns.shops, headers)
    const known = shop && { shop, readStatuses: createStatusReader(shop, headers, mapping) }
    last = { key, known }
    return known
  }
  const unused = new Set<string>()
  let row = 0
  for await (const record of jsonRecords(name, text))
    yield { row: ++row, ...readJsonRow(record, meaning, findKnownShop, ignoreUnknown, unused) }
  if (unused.size > 0 && !ignoreUnknown) await tell(unusedNote(name, [...unused]))
}

interface KnownShop {
  shop: Shop
  readStatuses: ReturnType<typeof createStatusReader>
}

/** @param unused gets the names that mean nothing here */
function readJsonRow(
  record: JsonRecord,
  meaning: Mapping<BatchField>["meaning"],
  findKnownShop: (headers: readonly string[]) => KnownShop | undefined,
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
  const taken = new Map<string, string>()
  for (const { name: column, value, source } of record.members) {
    const means = meaning(column)
    if (!("field" in means)) {
      const refused = refuseUnknown(column, means, ignoreUnknown)
      if (refused) findings.push(errorFinding("unknown", refused.error, { column, hint: refused.hint }))
      // Limited: a hostile file can have any number of names.
      else if (unused.size < MOST_COLUMNS && !(known && hasStatus(known.shop, column))) unused.add(column)
    } else if (means.field) {
      const { field } = means
      const before = taken.get(field.name)
      taken.set(field.name, column)
      if (before === undefined) cells.push({ column, field, value, source })
      else {
        const message = `${quoted(before)} and ${quoted(column)} both mean ${field.name}`
        findings.push(errorFinding("twice", message, { column, hint: "leave one of them out" }))
      }
    }
  }
  const cellTexts = record.members.map(({ name, value, source }) => {
    const text =
      typeof value === "string" ? value : typeof value === "number" ? source() : JSON.stringify(value)
    return [name, text] as const
  })
  for (const [column, { length }] of cellTexts)
    if (length > LONGEST_CELL) findings.push(tooLong(column, length))
  const statuses = known?.readStatuses([cellTexts.map(([, text]) => text)]) ?? []
  return { line, written: cellTexts, cells, findings, statuses }
}
