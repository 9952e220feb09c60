/** Reads a carrier's statement of account from a table. */
import { Buffer } from "node:buffer"
import { counted } from "../../base/counted.ts"
import { type ErrorDetail, FreightError } from "../../base/errors.ts"
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import {
  createMapping,
  createTableQuestions,
  type CsvRecord,
  decodeText,
  describePlace,
  isPdf,
  mayBeMoney,
  openSheets,
  openTable,
  readBasis,
  readRecords,
  saysOfAccount,
  saysTotal,
  type TableInput,
  toRowError,
} from "../../input/index.ts"
import { findSource } from "../source.ts"
import { KINDS, readCell } from "../../contract/index.ts"
import { BILL_CURRENCY } from "../verdicts.ts"
import type { ReadOptions } from "../open.ts"
import { clean, readFacts, refuseForeign } from "../reading/facts.ts"
import { readDate } from "../reading/lines.ts"
import { readCents } from "../reading/row.ts"
import {
  readType,
  STATEMENT_COLUMNS,
  type StatementField,
  type StatementFieldName,
  type StatementLine,
} from "./columns.ts"

/** The position of a row, for people. */
export function describeRow({ page, row }: Pick<StatementLine, "page" | "row">): string {
  return describePlace({ ...(page !== undefined && { page }), line: row, row })
}

/** Enough bytes to tell a PDF from a table. */
const FIRST_BYTES = 5
/** Maximum number of row errors listed one by one. */
const MAX_ERRORS = 50

/**
 * Reads the rows of a statement, in their order.
 * @param file `-` for standard input
 */
export async function readStatement(file: string, options: ReadOptions): Promise<StatementLine[]> {
  const given = findSource(file, options)
  const chunks = given.chunks()[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < FIRST_BYTES) {
    const { value, done } = await chunks.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  async function* all() {
    if (start.length > 0) yield start
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  if (isPdf(start)) return readPdf(given.name, all(), options)
  const { signal } = options
  const sources = await openSheets({ ...given, chunks: all }, { ...options.choices, signal })
  const lines: StatementLine[] = []
  const questions = createTableQuestions()
  for (const source of sources) {
    const { sheet, sheetName, headerRow } = source
    const name = sheetName === undefined ? file : `${file}, sheet ${quoted(sheetName)}`
    await questions.read(options, async (reading) => {
      const table = sheet ? { sheet } : { text: decodeText(source, reading.tell) }
      lines.push(...(await readTable(name, { ...table, headerRow }, reading)))
    })
  }
  questions.ask()
  return lines
}

async function readPdf(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<StatementLine[]> {
  const [{ openStatementPdf }, { refuseSheetFlags }] = await Promise.all([
    import("./pdf.ts"),
    import("../reading/pdf/open.ts"),
  ])
  refuseSheetFlags(name, options.choices)
  const mapping = createMapping(STATEMENT_COLUMNS, options.map)
  const { tables, prove } = await openStatementPdf(name, chunks, mapping, options)
  const lines: StatementLine[] = []
  const questions = createTableQuestions()
  for (const table of tables)
    await questions.read(options, async (reading) => {
      lines.push(...(await readTable(name, table, reading)))
    })
  questions.ask()
  await prove(lines, options)
  return lines
}

async function readTable(
  name: string,
  input: TableInput,
  { map, ignoreUnknown, nowMs, signal, tell, warn }: ReadOptions,
): Promise<StatementLine[]> {
  const table = await openTable(name, input, createMapping(STATEMENT_COLUMNS, map), {
    ignoreUnknown,
    signal,
    tell,
  })
  refuseForeign(name, table.above)
  const context = { fields: table.fields, supplier: readFacts(table.above, nowMs).supplier }
  await checkFields(name, context.fields, tell)
  const lines: StatementLine[] = []
  const errors: ErrorDetail[] = []
  let isPdf = false
  let total = 0
  const rows = readRecords<StatementField, StatementRow>(
    { ...table, ...(ignoreUnknown && { unused: [] }) },
    table.records,
    {
      ...{ what: "an invoice", isAmount: mayBeMoney, takes: "payment" },
      tell: (text) => warn(`${name}: ${text}`),
      read: (record) => readRow(record, context),
      listLabels: ({ number, label }) => ({ names: [number].filter((text) => text !== ""), label }),
    },
  )
  for await (const { record, row, wrong } of rows) {
    const { cells, line, page } = record
    isPdf ||= page !== undefined
    const place = describePlace(record)
    if (!row) {
      errors.push(...wrong.map((each) => toRowError(record, each)))
      continue
    }
    const { invoiced = 0, label: _, ...read } = row
    if (read.number === "" && cells.some(saysTotal)) {
      if (invoiced !== 0 && invoiced !== total && errors.length === 0)
        await warn(
          `${name}: ${place}: the total is ${formatCents(invoiced)}, and the rows above come to ${formatCents(total)}`,
        )
      continue
    }
    total += invoiced
    if (read.number === "" && read.type !== "payment") {
      errors.push({
        message: `${place}: it has ${formatCents(read.cents)}, and no number of an invoice`,
        line,
      })
      continue
    }
    lines.push({ ...read, ...(page !== undefined && { page }) })
  }
  if (errors.length === 0)
    return lines.map((line) => ({ ...line, date: readDate(line.date, nowMs) || line.date }))
  throw new FreightError("input", `${name}: ${counted(errors.length, "row")} cannot be read`, {
    errors: errors.slice(0, MAX_ERRORS),
    hint: isPdf
      ? "Ask the carrier for a spreadsheet, with the number of the invoice on each row."
      : "Fix them, or remove them, and try again. Rows are numbered as a spreadsheet shows them.",
  })
}

type Fields = readonly (StatementField | undefined)[]

async function checkFields(name: string, fields: Fields, tell: ReadOptions["tell"]): Promise<void> {
  const has = (...names: StatementFieldName[]) =>
    fields.some((field) => names.some((each) => each === field?.name))
  const missing = [
    ...(has("number") ? [] : ["the number of an invoice"]),
    ...(has("amount", "debit", "outstanding") ? [] : ["an amount"]),
  ]
  if (missing.length > 0)
    throw new FreightError(
      "input",
      `${name}: no column has ${missing.join(", and none ")}`,
      STATEMENT_COLUMNS.help,
    )
  if (!has("amount", "debit"))
    await tell(`${name} has no column of what was invoiced: what is outstanding is compared`)
}

interface RowContext {
  fields: Fields
  supplier: string
}

interface StatementRow extends StatementLine {
  /** The amount in the invoiced column. */
  invoiced: number | undefined
  /** The text of its type. */
  label: string
}

/** @returns undefined for a row without an amount */
function readRow(
  { cells, page, line, row }: CsvRecord,
  { fields, supplier }: RowContext,
): StatementRow | { error: { column: string; message: string } } | undefined {
  const text = (name: StatementFieldName) => {
    const at = fields.findIndex((field, index) => field?.name === name && (cells[index] ?? "").trim() !== "")
    return at < 0 ? "" : clean(cells[at] ?? "")
  }
  const currency = text("currency")
  if (currency !== "" && !readCell(KINDS.currency, currency, {}).ok)
    return {
      error: {
        column: "currency",
        message: `${quoted(currency)} is not ${BILL_CURRENCY}, in which bills are compared`,
      },
    }
  const amounts = new Map<StatementFieldName, number>()
  for (const name of ["amount", "debit", "credit", "paid", "outstanding"] as const) {
    const cents = text(name) === "" || saysTotal(text(name)) ? undefined : readCents(text(name))
    if (typeof cents === "string") return { error: { column: name, message: cents } }
    if (cents !== undefined) amounts.set(name, cents)
  }
  const [amount, debit, credit, outstanding] = (["amount", "debit", "credit", "outstanding"] as const).map(
    (name) => amounts.get(name),
  )
  const invoiced = amount ?? (debit || undefined)
  const asked = invoiced ?? (credit ? 0 - Math.abs(credit) : (debit ?? outstanding))
  if (asked === undefined) return undefined
  const isPaid = saysOfAccount(text("number")) === "payment"
  const said = readType(text("type")) ?? (isPaid ? "payment" : undefined)
  const type = said ?? (asked < 0 ? "credit" : "invoice")
  const isBack = type !== "invoice" && asked > 0
  const paid =
    amounts.get("paid") ??
    (invoiced !== undefined && outstanding !== undefined ? invoiced - outstanding : undefined)
  const basisOfCell = readBasis(text("basis"))
  return {
    type,
    number: isPaid || saysTotal(text("number")) ? "" : text("number"),
    date: text("date"),
    supplier: text("carrier") || supplier,
    cents: isBack ? 0 - asked : asked,
    basis:
      basisOfCell ??
      fields.find((field) => field?.name === (amount === undefined ? "debit" : "amount"))?.basis,
    paidCents: paid === undefined ? undefined : Math.abs(paid),
    row: page === undefined ? row : line,
    invoiced,
    label: text("type"),
  }
}
