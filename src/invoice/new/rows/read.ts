/** The rows of a CSV file with the lines of invoices: read cell by cell, with all that is wrong with them. */
import { quoted } from "../../../base/parsed.ts"
import { suggest } from "../../../base/suggest.ts"
import { FreightError } from "../../../base/errors.ts"
import {
  type ColumnQuestion,
  createMapping,
  type CsvRecord,
  decodeText,
  errorFinding,
  findCreditNote,
  isNote,
  type Mapping,
  openTable,
  plainHeader,
  readRecords,
  type RowFinding,
  saysTotalOf,
  type TextSource,
  unusedNote,
} from "../../../input/index.ts"
import { cleanText } from "../../../contract/index.ts"
import { negate, ZERO } from "../../accounting/amounts.ts"
import { readCells, type RowValues, type WrittenCell } from "./cells.ts"
import { PRICES, UNIT_PRICES } from "./price.ts"
import { getField, listHeadings, ROW_COLUMNS, type InvoiceField } from "./fields.ts"
import {
  countAsOne,
  findDescription,
  ONE,
  findOtherPrices,
  settleAmounts,
  settleQuantities,
  settleRows,
  unclear,
} from "./settle.ts"
import { checkTotals, isTotal, type TotalRow } from "./totals.ts"
import type { InvoiceRow, InvoiceRows } from "./row.ts"

export interface RowsOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  /** `--per`: the column or field whose values tell one invoice from another. */
  per: string | undefined
  ignoreUnknown: boolean
  nowMs: number
  /** Ends the reading between two rows. */
  signal: AbortSignal
  tell(note: string): Promise<void>
}

/** Reads all rows; an error in one does not stop the reading. */
export async function readInvoiceRows(source: TextSource, options: RowsOptions): Promise<InvoiceRows> {
  const { name } = source
  const mapping = createMapping(ROW_COLUMNS, options.map)
  const { sheet, headerRow } = source
  const opened = sheet ? { sheet } : { text: refuseJson(name, decodeText(source, options.tell)) }
  const input = { ...opened, headerRow }
  const questions: ColumnQuestion[] = []
  const table = await openTable(name, input, mapping, { ...options, tellsUnused: false, questions })
  const { headers, names, unused, watched } = table
  const records: CsvRecord[] = []
  for await (const record of table.records) records.push(record)
  const known = withStreets(table.fields)
  const described = findDescription({ name, names, fields: known, records }, mapping)
  const setAside = unused.filter((header) => header !== headers[described ?? -1])
  if (setAside.length > 0 && !options.ignoreUnknown) await options.tell(unusedNote(name, setAside))
  if (described !== undefined) {
    known[described] = getField("description")
    await options.tell(`${name}: the column ${quoted(names[described] ?? "")} is taken as the description`)
  }
  const quantities = settleQuantities({ name, names, fields: known, records })
  const {
    fields,
    unused: left,
    questions: amounts,
  } = settleAmounts({ name, names, fields: quantities.fields, records })
  questions.push(...quantities.questions, ...amounts)
  const repeated = [...quantities.unused, ...left]
  if (repeated.length > 0) await options.tell(unusedNote(name, repeated))
  const columns = new Map(fields.flatMap((field, index) => (field ? [[field.name, names[index] ?? ""]] : [])))
  const columnOf = (field: string) => columns.get(field)
  if (questions.length === 0) checkColumns(name, fields, unused)
  const isAsked = (column: string) => questions.some((each) => each.column === column)
  const others = findOtherPrices({ name, names, fields, records }, mapping)
  questions.push(...others.filter(({ column }) => !isAsked(column)))
  if (questions.length > 0) throw unclear(name, questions)
  const per = options.per === undefined ? undefined : findColumn(options.per, headers, fields, mapping)

  const isCounted = columns.has("quantity")
  if (!isCounted) await options.tell(`${name}: no column is the quantity, so each line counts as one`)

  /** Names in totals are headings of groups: `Kitchen`, above `Subtotal Kitchen`. */
  const groups = new Set(
    records.flatMap(({ cells }) => cells.flatMap((cell) => saysTotalOf(cell)?.toLowerCase() ?? [])),
  )
  const rows: InvoiceRow[] = []
  const findings: RowFinding[] = []
  const totals: TotalRow[] = []
  let rowCount = 0
  let isWhole = true
  const taken = readRecords<InvoiceField, { written: WrittenCell[] }>(
    { headers, fields, watched, unused: options.ignoreUnknown ? [] : [...setAside, ...repeated] },
    records,
    {
      ...{ what: "a line", tell: options.tell },
      read: ({ cells }) => ({
        written: fields.flatMap((field, index) =>
          field ? [{ field, column: names[index] ?? "", text: cells[index] ?? "" }] : [],
        ),
      }),
      isTotal: ({ written }, { cells }) => isTotal(cells, written),
      onTotal: ({ written }, { row, line }) => totals.push({ row, line, cells: written, above: rows.length }),
      isNote: ({ written }, { cells, unreadable }) => !unreadable && isNoteRow(cells, written, groups),
    },
  )
  for await (const { record, row: read, wrong } of taken) {
    const { row, line, cells } = record
    const at = { row, line }
    rowCount++
    findings.push(...wrong.map((finding) => ({ ...finding, ...at })))
    if (wrong.length > 0 || !read) {
      isWhole = false
      continue
    }
    const { written } = read
    const values = readCells(written, options.nowMs)
    findings.push(...values.findings.map((finding) => ({ ...finding, ...at })))
    const counted = isCounted ? values.amounts : new Map([...values.amounts, ["quantity", ONE]])
    const amounts = values.texts.get("sign") === "credit" ? giveBack(counted) : counted
    const group = per === undefined ? "" : groupOf(values.texts, per, cells)
    if (per !== undefined && group === "" && !values.failed.has(per.field ?? "")) {
      const hint = "fill it in: each row names its own invoice"
      findings.push({ ...errorFinding("required", "it is empty", { column: per.column, hint }), ...at })
    }
    const failed = group === "" ? new Set([...values.failed, per?.field ?? ""]) : values.failed
    rows.push({ ...at, ...values, amounts, failed, group })
  }
  if (rowCount === 0) throw new FreightError("input", `${name} has headings and no rows`)
  const withOnes = countAsOne(rows)
  for (const { row } of withOnes.counted)
    await options.tell(`row ${row} has an amount and no quantity: it counts as one`)
  const settled = settleRows(name, withOnes.rows, columnOf)
  const creditNote = findCreditNote(table.above.map(({ cells }) => cells.map((cell) => cell.trim())))
  const read = { name, isGrouped: per !== undefined, rows: settled, rowCount, findings, columnOf, creditNote }
  if (isWhole) findings.push(...checkTotals(read, totals))
  return read
}

/** The amounts of a credit row: made negative if they are not. */
function giveBack(amounts: RowValues["amounts"]): RowValues["amounts"] {
  if ([...amounts.values()].some((amount) => amount < ZERO)) return amounts
  return new Map([...amounts].map(([name, amount]) => [name, SUMS.has(name) ? negate(amount) : amount]))
}

const SUMS: ReadonlySet<string> = new Set(["quantity", "subtotal", "amountIncGst", "amount", "taxAmount"])

async function* refuseJson(name: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  let start = ""
  for await (const piece of text) {
    start = start.trimStart() === "" ? piece : start
    // A text that MYOB exports begins with a line `{}`.
    if (/^\s*[[{]/.test(start) && !/^\s*\{\}[^\S\n]*(?:\r?\n|$)/.test(start))
      throw new FreightError(
        "input",
        `${name} is JSON: --lines-from takes a CSV file or workbook with a line of an invoice in each row`,
        {
          hint: "A file that is an invoice already can be checked: freight invoice validate",
        },
      )
    yield piece
  }
}

/** Beside columns for suburb and postcode, the `Billing address` is the street. */
function withStreets(fields: readonly (InvoiceField | undefined)[]): (InvoiceField | undefined)[] {
  const has = (name: string) => fields.some((field) => field?.name === name)
  return fields.map((field) =>
    field?.reads === "address" && has(`${field.name}.city`) && !has(`${field.name}.street1`)
      ? ROW_COLUMNS.fields.find(({ name }) => name === `${field.name}.street1`)
      : field,
  )
}

const NEEDED: readonly (readonly [what: string, fields: readonly string[]])[] = [
  ["the description", ["description", "supplierItemId"]],
  ["the price or amount", PRICES],
]

function checkColumns(
  name: string,
  fields: readonly (InvoiceField | undefined)[],
  unused: readonly string[],
): void {
  const has = (wanted: string) => fields.some((field) => field?.name === wanted)
  // Without a price of one, the amount is that of the whole line, and the line can be one of something.
  const isPriced = UNIT_PRICES.some(has)
  const needed = isPriced ? [...NEEDED, ["the quantity", ["quantity"]] as const] : NEEDED
  const missing = needed.filter(([, wanted]) => !wanted.some(has))
  if (missing.length === 0) return
  throw new FreightError(
    "input",
    `${name}: no column has ${missing.map(([what]) => what).join(", and none ")}`,
    {
      ...ROW_COLUMNS.help,
      errors: missing.flatMap(([, [field = ""]]) => {
        const near = unused.find((header) =>
          suggest(plainHeader(header), listHeadings(field).map(plainHeader)),
        )
        return near === undefined
          ? []
          : [{ message: `did you mean ${quoted(near)}? --map "${near}=${field}"` }]
      }),
    },
  )
}

interface GroupColumn {
  column: string
  index: number
  field: string | undefined
}

/** The column that `--per` names, by its heading or its field. */
function findColumn(
  per: string,
  headers: readonly string[],
  fields: readonly (InvoiceField | undefined)[],
  mapping: Mapping<InvoiceField>,
): GroupColumn {
  const plain = (text: string) => plainHeader(text) || text
  const meaning = mapping.meaning(per)
  const meant = "field" in meaning ? meaning.field?.name : undefined
  const byHeading = headers.findIndex((header) => plain(header) === plain(per))
  const index = byHeading >= 0 ? byHeading : fields.findIndex((field) => field && field.name === meant)
  if (index >= 0) return { index, column: headers[index] ?? "", field: fields[index]?.name }
  const near = suggest(per, headers)
  throw new FreightError(
    "usage",
    `--per: no column is ${quoted(per)}${near === undefined ? "" : `; did you mean ${quoted(near)}?`}`,
    { hint: `The columns are ${headers.filter(Boolean).map(quoted).join(", ")}.` },
  )
}

function groupOf(
  texts: ReadonlyMap<string, string>,
  { field, index }: GroupColumn,
  cells: readonly string[],
) {
  const read = field === undefined ? undefined : texts.get(field)
  if (read !== undefined || field !== undefined) return read ?? ""
  const clean = cleanText(cells[index] ?? "")
  return clean.ok ? clean.value : ""
}

/** Notes at the end of pages and files. */
const PAGE_NOTE = /^(?:page \d|continued|thank you|end of)/i

/** Whether a row is a note. A description alone may be a line that has lost its price. */
function isNoteRow(
  cells: readonly string[],
  used: readonly { field: InvoiceField; text: string }[],
  groups: ReadonlySet<string>,
): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "")
  if (filled.length === 1 && groups.has(filled[0]?.toLowerCase() ?? "")) return true
  const described = used.find(({ field, text }) => field.name === "description" && text.trim() !== "")
  return isNote(cells) && (described === undefined || PAGE_NOTE.test(described.text.trim()))
}
