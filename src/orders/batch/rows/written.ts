/** The rows of a CSV file, workbook, NDJSON or JSON source as written. */
import { readJsonRows } from "./json-rows.ts"
import { FreightError } from "../../../base/errors.ts"
import type { BatchField } from "../columns/fields.ts"
import type { RowDefaults } from "./defaults.ts"
import { toUnreadableFinding } from "./cells.ts"
import type { Cell, WrittenRow } from "./written-row.ts"
import {
  type CellFinding,
  decodeText,
  findStatusShop,
  hasStatus,
  isCountOfRecords,
  isTotalWord,
  type Mapping,
  openTable,
  readRecords,
  shownRows,
  type TableInput,
  type TextSource,
} from "../../../input/index.ts"
import { mergeCounts } from "./counts.ts"
import { createRowColumns, type ItemRow, joinItems } from "./join.ts"

export async function* readWrittenRows(
  source: TextSource,
  mapping: Mapping<BatchField>,
  defaults: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const { name, sheet, headerRow } = source
  if (sheet) return yield* fromTable(name, { sheet, headerRow }, mapping, defaults)
  const { isJson, text } = await detectFormat(source, defaults.tell)
  if (isJson) yield* fromJson(name, text, mapping, defaults)
  else yield* fromTable(name, { text, headerRow }, mapping, defaults)
}

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
  const joined: number[] = []
  yield* joinItems(tableRows(name, input, mapping, defaults), joined)
  await tellJoined(name, joined, defaults.tell)
}

async function* fromJson(
  name: string,
  text: AsyncGenerator<string>,
  mapping: Mapping<BatchField>,
  defaults: RowDefaults,
): AsyncGenerator<WrittenRow> {
  const joined: number[] = []
  yield* joinItems(readJsonRows(name, text, mapping, defaults), joined)
  await tellJoined(name, joined, defaults.tell)
}

async function tellJoined(name: string, joined: readonly number[], tell: RowDefaults["tell"]): Promise<void> {
  const [one, ...others] = joined
  if (one === undefined) return
  await tell(
    others.length === 0
      ? `row ${one} of ${name} is a further item of the order above it`
      : `rows ${shownRows(joined)} of ${name} are further items of the orders above them`,
    true,
  )
}

async function* tableRows(
  name: string,
  input: TableInput,
  mapping: Mapping<BatchField>,
  defaults: RowDefaults,
): AsyncGenerator<ItemRow> {
  const { tell } = defaults
  const table = await openTable(name, input, mapping, defaults)
  const { headers, fields, units } = table
  const statusShop = findStatusShop(mapping.columns.shops, headers)
  const columns = createRowColumns(headers, table, mapping, defaults.keep)
  const usedColumns = fields.flatMap((field, index) =>
    field && field.bearing?.as !== "state"
      ? [{ index, column: headers[index] ?? "", field, unit: units[index] }]
      : [],
  )
  const rows = readRecords<BatchField, Taken>(
    { ...table, ...(defaults.ignoreUnknown && { unused: [] }) },
    table.records,
    {
      ...{ what: "an order", readsUnreadable: true, isEnd: isCountOfRecords, tell },
      // A shop's export always has prices.
      isQuiet: table.shop !== undefined,
      isTotal: ({ used }, { cells }) => isTotal(cells, used),
      read({ cells, unreadable = [] }) {
        const { cells: used, findings: twice } = mergeCounts(
          usedColumns.map(({ index, column, field, unit }): Cell => {
            const value = cells[index] ?? ""
            const why = unreadable.find((each) => each.index === index)
            return { column, field, value, source: () => value, unit, ...(why && { unreadable: why }) }
          }),
        )
        const unknownStatuses = unreadable.flatMap((each) => {
          const column = headers[each.index] ?? ""
          const isStatus =
            fields[each.index]?.bearing?.as === "state" || (statusShop && hasStatus(statusShop, column))
          return isStatus ? [{ ...toUnreadableFinding(each), column }] : []
        })
        return { used, findings: [...twice, ...unknownStatuses] }
      },
    },
  )
  for await (const { record, row: taken, wrong } of rows) {
    const { line, row, cells } = record
    if (!taken) continue
    yield {
      ...{ line, row, columns, texts: cells },
      written: { columns: headers, texts: cells },
      cells: taken.used,
      // An unreadable cell only prevents reading its own field.
      findings: [...wrong, ...taken.findings],
    }
  }
}

interface Taken {
  used: readonly Cell[]
  findings: CellFinding[]
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
