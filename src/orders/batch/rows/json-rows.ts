/** Rows of JSON as written: their names are judged like the headings of a table. */
import { createStep } from "../../../base/turns.ts"
import type { Json } from "../../../base/json.ts"
import { quoted } from "../../../base/parsed.ts"
import { MAX_CELL_LENGTH, MAX_COLUMNS } from "../../../base/limits.ts"
import {
  type CellFinding,
  checkWatched,
  checkWidth,
  errorFinding,
  type JudgedHeader,
  judgeHeader,
  judgeWritings,
  type Mapping,
  readAhead,
  tooLong,
  UnclearColumns,
  type UnreadableCell,
  unusedNote,
} from "../../../input/index.ts"
import type { BatchField } from "../columns/fields.ts"
import type { Cell } from "./written-row.ts"
import { mergeCounts } from "./counts.ts"
import { createRowColumns, type ItemRow, type RowColumns } from "./join.ts"
import { type JsonRecord, jsonRecords, type Member } from "./json.ts"
import { listCells } from "./row.ts"
import type { RowDefaults } from "./defaults.ts"

/** Rows of JSON that are read before their names are judged. */
const SAMPLE_ROWS = 200

export async function* readJsonRows(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping<BatchField>,
  { ignoreUnknown, isLookUp = false, keep, sampleRows = SAMPLE_ROWS, signal, tell }: RowDefaults,
): AsyncGenerator<ItemRow> {
  const step = createStep(signal)
  const { first, all } = await readAhead(jsonRecords(name, text), sampleRows)
  const names = createNames(mapping, ignoreUnknown, keep)
  const { columns } = mapping
  const judged = names.judge(first.flatMap(listMembers))
  const texts = createTexts(judged.headers, mapping, first, judged.fields)
  const { questions } = judged
  if (questions.length > 0 && !isLookUp) {
    await all.return(undefined)
    throw new UnclearColumns(name, questions, undefined, columns.help.next, columns.fields)
  }
  for (const note of texts.notes) await tell(`${name}: ${note}`)
  const unused = new Set<string>()
  let isOfShop = false
  let row = 0
  for await (const record of all) {
    await step()
    const header = names.judge(listMembers(record))
    // Limited: a hostile file can have any number of names.
    for (const each of header.unused) if (unused.size < MAX_COLUMNS) unused.add(each)
    isOfShop ||= header.shop !== undefined
    yield { row: ++row, ...readJsonRow(record, header, isLookUp, texts.settle(record, row)) }
  }
  // A shop's export always has them.
  if (unused.size > 0 && !ignoreUnknown) await tell(unusedNote(name, [...unused]), isOfShop)
}

/** A row's text in one settled form, or why there is none. */
type SettledTexts = ReadonlyMap<string, { text: string; unreadable: UnreadableCell | undefined }>

/**
 * Numbers and days that are written as text, judged by the names of the first rows. A number of JSON has one reading. Text
 * with two readings is an error of its row: a program cannot be asked, and can write it otherwise.
 */
function createTexts(
  headers: readonly string[],
  mapping: Mapping<BatchField>,
  first: readonly JsonRecord[],
  fields: readonly (BatchField | undefined)[],
) {
  const cellsOf = (record: JsonRecord): string[] => {
    const texts = new Map(
      listMembers(record).flatMap(({ name, value }) =>
        typeof value === "string" ? [[name, value] as const] : [],
      ),
    )
    return headers.map((header) => texts.get(header) ?? "")
  }
  const sample = first.map(cellsOf)
  const { notes, settle } = judgeWritings(mapping, { headers, names: headers, fields }, (index) =>
    sample.map((cells) => cells[index] ?? ""),
  )
  return {
    notes,
    settle(record: JsonRecord, row: number): SettledTexts {
      const { cells, unreadable = [] } = settle<Parameters<typeof settle>[0]>({ row, cells: cellsOf(record) })
      const find = (at: number) => unreadable.find(({ index }) => index === at)
      return new Map(headers.map((header, at) => [header, { text: cells[at] ?? "", unreadable: find(at) }]))
    },
  }
}

const listMembers = (record: JsonRecord): readonly Member[] => ("error" in record ? [] : record.members)

interface NamesHeader extends JudgedHeader<BatchField> {
  readonly headers: readonly string[]
  readonly indexes: ReadonlyMap<string, number>
  readonly columns: RowColumns
}

/** The names of the rows so far, as headings. They are judged again when a row is the first with a value for one. */
function createNames(mapping: Mapping<BatchField>, ignoreUnknown: boolean, keep: RowDefaults["keep"]) {
  const cells = new Map<string, string[]>()
  let judged: NamesHeader | undefined
  const judgeAll = (): NamesHeader => {
    const headers = [...cells.keys()]
    const options = { cells: [...cells.values()], ignoreUnknown, hasSample: true }
    const header = judgeHeader(headers, mapping, options)
    const indexes = new Map(headers.map((each, index) => [each, index]))
    return { ...header, headers, indexes, columns: createRowColumns(headers, header, mapping, keep) }
  }
  return {
    /** @param members of a row, or of the first rows */
    judge(members: readonly Member[]): NamesHeader {
      const texts = members.map((member) => [member.name, toText(member).trim()] as const)
      const isNew = texts.some(([name, text]) => {
        const known = cells.get(name)
        return known === undefined || (known.length === 0 && text !== "")
      })
      if (judged && !isNew) return judged
      // Limited: a hostile file can have any number of names. Those of a row are judged with it at the latest.
      if (judged && cells.size + texts.length > MAX_COLUMNS) cells.clear()
      for (const [name, text] of texts) {
        if (cells.size >= MAX_COLUMNS && !cells.has(name)) continue
        const known = cells.get(name) ?? []
        if (text !== "") known.push(text)
        cells.set(name, known)
      }
      judged = judgeAll()
      return judged
    },
  }
}

/** A value as the cell of a table; JSON has null for an empty one. */
function toText({ value, source }: Pick<Member, "value" | "source">): string {
  return value === null ? "" : toCellText(value, source)
}

function toCellText(value: Json, source: () => string): string {
  return typeof value === "string" ? value : typeof value === "number" ? source() : JSON.stringify(value)
}

function readJsonRow(
  record: JsonRecord,
  header: NamesHeader,
  isLookUp: boolean,
  settled: SettledTexts,
): Omit<ItemRow, "row"> {
  const { line } = record
  const { headers, indexes, fields, units, refused, watched, questions, columns } = header
  if ("error" in record) {
    const findings = [errorFinding("json", record.error)]
    return { line, written: { columns: [], texts: [] }, cells: [], findings, texts: [], columns }
  }
  checkWidth(`the row on line ${line}`, record.members.length)
  const findings: CellFinding[] = []
  const cells: Cell[] = []
  const texts: string[] = Array(headers.length).fill("")
  const taken = new Map<string, { column: string; isEmpty: boolean; at: number }>()
  for (const member of record.members) {
    const { name: column, value, source } = member
    const index = indexes.get(column) ?? -1
    texts[index] = toText(member)
    const refusal = refused.get(index)
    if (refusal) findings.push(errorFinding("unknown", refusal.error, { column, hint: refusal.hint }))
    const field = fields[index]
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
    const { text = "", unreadable } = (typeof value === "string" && settled.get(column)) || {}
    cells[at] = {
      ...{ column, field, source, unit: units[index], value: text === "" ? value : text },
      ...(unreadable && { unreadable }),
    }
  }
  const counted = mergeCounts(cells)
  findings.push(...counted.findings)
  const written = {
    // The names of all rows are the same texts.
    columns: record.members.map(({ name }) => headers[indexes.get(name) ?? -1] ?? name),
    texts: record.members.map(({ value, source }) => toCellText(value, source)),
  }
  for (const [column, { length }] of listCells(written))
    if (length > MAX_CELL_LENGTH) findings.push(tooLong(column, length))
  if (!isLookUp) {
    // These appeared after the rows that a person is asked about.
    const late = questions.map(({ column, why }) => {
      return [headers.indexOf(column), { column, why, isHarmless: () => false }] as const
    })
    findings.push(...checkWatched(new Map([...watched, ...late]), texts))
  }
  return { line, written, cells: counted.cells, findings, texts, columns }
}
