/** A carrier's bill as CSV: one charge a row, or one consignment a row with a column for each kind of charge. */
import type { Charge } from "../contract/bills.ts"
import { counted } from "../contract/counted.ts"
import { centsOf } from "../contract/money.ts"
import { wallClockNow } from "../contract/wall-clock.ts"
import { type ErrorDetail, FreightError } from "../errors.ts"
import { cleanText, readNumber, readSignedNumber, readText } from "../sheets/damage.ts"
import { readDay } from "../sheets/dates.ts"
import { createMapping } from "../sheets/header.ts"
import { isTotalWord, openTable } from "../sheets/table.ts"
import { billColumns, type BillField, type BillFieldName } from "./columns.ts"
import { type Amounts, type Bill, type BilledLine, type BillName, NO_AMOUNTS, toCharge } from "./lines.ts"

export interface CsvOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  ignoreUnknown: boolean
  nowMs: number
  tell(note: string): Promise<void>
}

const NAMES = ["consignment", "shipment", "order", "reference"] as const
const TOTALS = ["amountExGst", "amountIncGst", "amount"] as const
const PARTS: Readonly<Partial<Record<BillFieldName, Charge>>> = {
  freight: "freight",
  fuel: "fuel",
  residential: "residential",
  dangerousGoods: "dangerous-goods",
  other: "other",
}
/** Maximum number of row errors listed one by one. */
const MOST_ERRORS = 50

interface Cells {
  line: number
  row: number
  /** Clean text by field; empty cells are left out. */
  text: ReadonlyMap<BillFieldName, { text: string; column: string }>
}

/**
 * Streams the charges of a bill.
 * @throws FreightError `input` when the columns are not clear, or when amounts cannot be read; `usage` for a wrong `--map`
 */
export async function* readCsvBill(
  name: string,
  text: AsyncIterator<string>,
  options: CsvOptions,
): AsyncGenerator<BilledLine> {
  const mapping = createMapping(billColumns(), options.map)
  const { headers, fields, records } = await openTable(name, text, mapping, {
    ignoreUnknown: options.ignoreUnknown,
    tell: options.tell,
  })
  checkFields(name, fields)

  const bills = new Map<string, Bill>()
  const errors: ErrorDetail[] = []
  let failed = 0
  let without = 0
  const parts = fields.flatMap((field) =>
    field && PARTS[field.name as BillFieldName] ? [field.name as BillFieldName] : [],
  )
  for await (const { line, row, cells } of records) {
    const read = readCells(line, row, fields, headers, cells)
    if (isTotal(read)) continue
    const found = readRow(read, parts, options.nowMs)
    if ("error" in found) {
      if (failed++ < MOST_ERRORS) errors.push(found.error)
      continue
    }
    if (found.lines.length === 0) without++
    const bill = findOrAddBill(bills, name, read, options.nowMs)
    for (const each of found.lines) yield { bill, line: { ...each, line } }
  }
  if (failed > 0)
    throw new FreightError("input", `${name}: the amounts of ${counted(failed, "row")} cannot be read`, {
      errors,
      hint: "Fix them, and audit the bill again. Rows are numbered as a spreadsheet shows them.",
    })
  if (without > 0) await options.tell(`${name}: ${counted(without, "row")} without an amount left out`)
}

function checkFields(name: string, fields: readonly (BillField | undefined)[]): void {
  const has = (...names: readonly string[]) => fields.some((field) => field && names.includes(field.name))
  const missing = [
    ...(has(...NAMES) ? [] : ["a consignment number or a reference"]),
    ...(has(...TOTALS, ...Object.keys(PARTS)) ? [] : ["an amount"]),
  ]
  if (missing.length > 0)
    throw new FreightError(
      "input",
      `${name}: no column has ${missing.join(", and none ")}`,
      billColumns().help,
    )
}

function readCells(
  line: number,
  row: number,
  fields: readonly (BillField | undefined)[],
  headers: readonly string[],
  cells: readonly string[],
): Cells {
  const text = new Map<BillFieldName, { text: string; column: string }>()
  for (const [index, field] of fields.entries()) {
    const written = cells[index]
    if (!field || written === undefined || written.trim() === "") continue
    const clean = cleanText(written)
    const value = "error" in clean ? written.trim() : clean.value
    if (value !== "") text.set(field.name as BillFieldName, { text: value, column: headers[index] ?? "" })
  }
  return { line, row, text }
}

/** A sum below the lines: it says so, or it names neither consignment nor charge. */
function isTotal({ text }: Cells): boolean {
  if (NAMES.some((name) => text.has(name) && !isTotalWord(text.get(name)?.text ?? ""))) return false
  return [...text.values()].some(({ text: said }) => isTotalWord(said))
}

type Read = { lines: Omit<BilledLine["line"], "line">[] } | { error: ErrorDetail }

function readRow(cells: Cells, parts: readonly BillFieldName[], nowMs: number): Read {
  const { text, row, line } = cells
  const failed = ({ column, message }: { column: string; message: string }): Read => ({
    error: { message: `row ${row}, ${column}: ${message}`, field: column, line },
  })
  const amounts = new Map<BillFieldName, number>()
  for (const name of [...TOTALS, "gst", ...parts] as const) {
    const cell = text.get(name)
    if (!cell) continue
    const cents = readCents(cell.text)
    if (typeof cents === "string") return failed({ column: cell.column, message: cents })
    amounts.set(name, cents)
  }
  const label = text.get("charge")?.text ?? ""
  const common = {
    ...readNames(cells),
    service: text.get("service")?.text ?? "",
    grams: readGrams(text.get("weight")?.text),
    shipped: readDate(text.get("shipDate")?.text, nowMs),
  }
  const whole = completeAmounts(amounts)
  const pieces = parts.flatMap((name) => {
    const cents = amounts.get(name)
    return cents === undefined || cents === 0 ? [] : [{ name, cents }]
  })
  if (pieces.length === 0)
    return { lines: whole ? [{ ...common, ...whole, charge: toCharge(label), label }] : [] }
  return { lines: splitParts(whole, pieces).map((part) => ({ ...common, ...part })) }
}

/** The total's own GST decides for all parts; what they lack of it is another charge. */
function splitParts(whole: Amounts | undefined, pieces: readonly { name: BillFieldName; cents: number }[]) {
  const sum = pieces.reduce((cents, each) => cents + each.cents, 0)
  const lines = (amounts: (cents: number) => Amounts) =>
    pieces.map(({ name, cents }) => ({
      ...amounts(cents),
      charge: PARTS[name] ?? ("other" as Charge),
      label: name,
    }))
  const unsaid = (cents: number): Amounts => ({ ...NO_AMOUNTS, unsaid: cents })
  if (!whole) return lines(unsaid)
  const { exGst, gst, incGst } = whole
  const without = (cents: number): Amounts => ({ ...NO_AMOUNTS, exGst: cents })
  if (exGst !== null && sum === exGst)
    return gst === null
      ? lines(without)
      : [...lines(without), { ...NO_AMOUNTS, gst, charge: "tax" as Charge, label: "gst" }]
  if (incGst !== null && sum === incGst) return lines((cents) => ({ ...NO_AMOUNTS, incGst: cents }))
  return [{ ...whole, charge: "freight" as Charge, label: "" }]
}

function completeAmounts(amounts: ReadonlyMap<BillFieldName, number>): Amounts | undefined {
  const [ex, gst, inc, unsaid] = (["amountExGst", "gst", "amountIncGst", "amount"] as const).map((name) =>
    amounts.get(name),
  )
  if (ex === undefined && inc === undefined)
    return unsaid === undefined ? undefined : { ...NO_AMOUNTS, gst: gst ?? null, unsaid }
  const exGst = ex ?? (inc !== undefined && gst !== undefined ? inc - gst : null)
  const incGst = inc ?? (ex !== undefined && gst !== undefined ? ex + gst : null)
  const tax = gst ?? (exGst !== null && incGst !== null ? incGst - exGst : null)
  return { exGst, gst: tax, incGst, unsaid: null }
}

function readNames({ text }: Cells): { names: BillName[]; damaged?: string } {
  const names: BillName[] = []
  let damaged: string | undefined
  for (const name of NAMES) {
    const cell = text.get(name)
    if (!cell) continue
    const whole = cell.text.replace(/^(\d+)\.0+$/, "$1")
    if ("error" in readText(whole)) damaged = name === "consignment" ? whole : damaged
    else names.push({ text: whole, field: cell.column })
  }
  return { names, ...(damaged !== undefined && { damaged }) }
}

/** Cents of an amount in any form that spreadsheets and accountants write; a text says what is wrong. */
function readCents(text: string): number | string {
  const read = readSignedNumber(text, { money: true })
  return "error" in read ? read.error.message : centsOf(String(read.value))
}

function readGrams(text: string | undefined): number | null {
  const read = text === undefined ? undefined : readNumber(text, { unit: "kg" })
  return read && "value" in read ? Math.round(read.value * 1000) : null
}

/** A day that can be read in one way only; otherwise nothing, for no verdict rests on it. */
function readDate(text: string | undefined, nowMs: number): string {
  if (text === undefined) return ""
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const read = readDay(text, nowMs, () => wallClockNow(nowMs))
  return "value" in read ? read.value : ""
}

function findOrAddBill(bills: Map<string, Bill>, file: string, { text }: Cells, nowMs: number): Bill {
  const number = text.get("invoiceNumber")?.text ?? ""
  const supplier = text.get("carrier")?.text ?? ""
  const key = JSON.stringify([supplier, number])
  const known = bills.get(key)
  if (known) return known
  const bill: Bill = { file, number, supplier, date: readDate(text.get("invoiceDate")?.text, nowMs) }
  bills.set(key, bill)
  return bill
}
