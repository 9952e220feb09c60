/** Rows of JSON as written: their names are judged as the headings of a table are. */
import type { Json } from "../../contract/fields/json.ts"
import { quoted } from "../../contract/parsed.ts"
import { LONGEST_CELL, MOST_COLUMNS } from "../../limits.ts"
import {
  checkWidth,
  findShop,
  findStatusShop,
  hasStatus,
  isStateOfOthers,
  unusedNote,
} from "../../input/columns/header.ts"
import { type Mapping, refuseUnknown } from "../../input/columns/mapping.ts"
import type { Judgement, Meaning, Shop } from "../../input/columns/notation.ts"
import {
  type ColumnQuestion,
  listOpenBearings,
  listValues,
  questionUnknown,
  UnclearColumns,
} from "../../input/columns/questions.ts"
import { type CellFinding, errorFinding } from "../../input/sheets/findings.ts"
import { readAhead, tooLong } from "../../input/sheets/table.ts"
import type { BatchField } from "../columns/fields.ts"
import { namesItem } from "../columns/items.ts"
import { createStatusReader, NO_SHOP } from "../shipping.ts"
import type { Cell } from "./cells.ts"
import { mergeCounts } from "./counts.ts"
import type { ItemRow, RowColumns } from "./join.ts"
import { type JsonRecord, jsonRecords } from "./json.ts"
import type { RowDefaults } from "./row.ts"

/** Rows of JSON that are read before their names are judged. */
const SAMPLE_ROWS = 200

/**
 * Rows of JSON, with what is wrong with each.
 * @throws FreightError `input` as `jsonRecords` does; `UnclearColumns` where names may change what others mean
 */
export async function* readJsonRows(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping<BatchField>,
  { ignoreUnknown, isLookUp = false, sampleRows = SAMPLE_ROWS, tell }: RowDefaults,
): AsyncGenerator<ItemRow> {
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
  const sample = cellsByName(first)
  const findKnownShop = (headers: readonly string[]) => {
    const key = JSON.stringify(headers)
    if (last?.key === key) return last.known
    const shop = findStatusShop(mapping.columns.shops, headers)
    const isOfShop = findShop(mapping.columns.shops, headers) !== undefined
    const all = headers.map((header) => {
      const means = meaning(header)
      const field = "field" in means ? means.field : undefined
      const isUnsaid = field?.bearing?.saysByEmpty && (sample.get(header) ?? []).length === 0
      return isUnsaid || (isOfShop && isStateOfOthers(field) && !mapping.isMapped(header)) ? undefined : field
    })
    const yielding = judgeNames(mapping, headers, all, sample).yielding
    const fields = all.map((field, index) => (yielding.includes(index) ? undefined : field))
    const columns: RowColumns = {
      ...{ headers, isOfShop, mayHaveItems: isOfShop || headers.some(namesItem) },
      mayDiffer: (index) =>
        fields[index]?.bearing?.as === "state" ||
        (fields[index] === undefined && mapping.isMapped(headers[index] ?? "")),
      readStatuses: createStatusReader(shop ?? NO_SHOP, headers, fields, mapping),
    }
    const known = { shop, fields, columns, yielding: new Set(yielding.map((index) => headers[index])) }
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

/** The cells of each name that are not empty. */
function cellsByName(records: readonly JsonRecord[]): Map<string, string[]> {
  const cells = new Map<string, string[]>()
  for (const record of records)
    for (const { name, value, source } of "error" in record ? [] : record.members) {
      // Limited: a hostile file can have any number of names.
      if (cells.size > MOST_COLUMNS && !cells.has(name)) continue
      const text = value === null ? "" : toCellText(value, source).trim()
      cells.set(name, [...(cells.get(name) ?? []), ...(text === "" ? [] : [text])])
    }
  return cells
}

function judgeNames(
  { columns, isMapped }: Mapping<BatchField>,
  names: readonly string[],
  fields: readonly (BatchField | undefined)[],
  sample: ReadonlyMap<string, readonly string[]>,
): Judgement {
  const table = names.map((header, index) => {
    return { header, field: fields[index], cells: sample.get(header) ?? [], isMapped: isMapped(header) }
  })
  return columns.judge?.(table, []) ?? { yielding: [], unclear: new Map() }
}

/** What is to be asked about the names of these records. @param asked names that were judged already */
function listQuestions(
  records: readonly JsonRecord[],
  mapping: Mapping<BatchField>,
  meaning: (header: string) => Meaning<BatchField>,
  ignoreUnknown: boolean,
  asked: ReadonlySet<string> = new Set(),
): ColumnQuestion[] {
  const { columns, isMapped } = mapping
  const sample = cellsByName(records)
  const cells = [...sample].filter(([name]) => !asked.has(name))
  if (cells.length === 0) return []
  const names = [...new Set(records.flatMap(listNames))]
  const used = names.map((name) => {
    const means = meaning(name)
    return "field" in means ? means.field : undefined
  })
  const isOfShop = findShop(columns.shops, names) !== undefined
  const open = listOpenBearings(columns, used, isOfShop)
  const { unclear } = judgeNames(mapping, names, used, sample)
  return cells.flatMap(([name, texts]): ColumnQuestion[] => {
    const doubt = unclear.get(names.indexOf(name))
    if (doubt && !isOfShop && !texts.every(doubt.isHarmless))
      return [{ column: name, values: listValues(texts), why: doubt.why, choices: doubt.choices }]
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
  fields: readonly (BatchField | undefined)[]
  columns: RowColumns
  /** Names that are not used, because others say it better. */
  yielding: ReadonlySet<string | undefined>
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
): Omit<ItemRow, "row"> {
  const { line } = record
  if ("error" in record)
    return {
      ...{ line, written: [], cells: [], findings: [errorFinding("json", record.error)] },
      ...{ texts: [], columns: findKnownShop([]).columns },
    }
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
    if (known.yielding.has(column)) {
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
  return { line, written: cellTexts, cells: counted.cells, findings, texts, columns: known.columns }
}
