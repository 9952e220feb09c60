/** A carrier's bill as CSV: one charge a row, or one consignment a row with a column for each kind of charge. */
import type { Charge } from "../contract/bills.ts"
import { counted } from "../contract/counted.ts"
import { centsOf, formatCents } from "../contract/money.ts"
import { wallClockNow } from "../contract/wall-clock.ts"
import { type ErrorDetail, FreightError } from "../errors.ts"
import { cleanText, readNumber, readSignedNumber, readText } from "../sheets/damage.ts"
import { readDay } from "../sheets/dates.ts"
import { createMapping } from "../sheets/header.ts"
import { saysTotal } from "../sheets/totals.ts"
import { isNote, openTable } from "../sheets/table.ts"
import { billColumns, type BillField, type BillFieldName, mayBeCharge } from "./columns.ts"
import { createSums, isTotalRow } from "./totals.ts"
import {
  type Amounts,
  type Bill,
  type BilledLine,
  type BillName,
  NO_AMOUNTS,
  type StatedGst,
  toCharge,
} from "./lines.ts"

export interface CsvOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  ignoreUnknown: boolean
  nowMs: number
  tell(note: string): Promise<void>
  warn(text: string): Promise<void>
}

/** A charge, or the GST that the bill states for all its charges. */
export type CsvPart = BilledLine | { bill: Bill; stated: StatedGst }

const NAMES = ["consignment", "shipment", "order", "reference"] as const
const TOTALS = ["amountExGst", "amountIncGst", "amount"] as const
const PARTS: Readonly<Partial<Record<BillFieldName, Charge>>> = {
  freight: "freight",
  fuel: "fuel",
  residential: "residential",
  dangerousGoods: "dangerous-goods",
  other: "other",
}
export type { BillFieldName }

/** Maximum number of row errors listed one by one. */
const MOST_ERRORS = 50

interface Cells {
  line: number
  row: number
  /** Clean text by field; empty cells are left out. */
  text: ReadonlyMap<BillFieldName, Cell>
  /** Cells of all fields, those of several columns of one field too. */
  used: readonly (Cell & { field: BillFieldName })[]
  /** Cells of columns that mean nothing to freight. */
  others: readonly Cell[]
}

interface Cell {
  text: string
  column: string
}

/**
 * Streams the charges of a bill.
 * @throws FreightError `input` when the columns are not clear, or when amounts cannot be read; `usage` for a wrong `--map`
 */
export async function* readCsvBill(
  name: string,
  text: AsyncIterator<string>,
  options: CsvOptions,
): AsyncGenerator<CsvPart> {
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
  const hasTotal = fields.some((field) => field && (TOTALS as readonly string[]).includes(field.name))
  const sums = createSums()
  let bill: Bill | undefined
  for await (const { line, row, cells } of records) {
    if (isNote(cells)) continue
    const read = readCells(line, row, fields, headers, cells)
    const amounts = readAmounts(read)
    if ("error" in amounts) {
      if (failed++ < MOST_ERRORS) errors.push(amounts.error)
      continue
    }
    const total = isTotalRow(describeRow(read), amounts, sums)
    if (total.is) {
      if (total.stated && bill) yield { bill: findBill(bills, read) ?? bill, stated: total.stated }
      if (total.differs !== undefined) await options.warn(`${name}: row ${row}: ${total.differs}`)
      continue
    }
    const found = readLines(read, amounts, hasTotal, options.nowMs)
    if (found.length === 0) without++
    bill = findOrAddBill(bills, name, read, options.nowMs)
    sums.add(describeRow(read), amounts, sumPieces(listExtras(read.others)))
    for (const each of found) yield { bill, line: { ...each, line } }
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
  const text = new Map<BillFieldName, Cell>()
  const used: (Cell & { field: BillFieldName })[] = []
  const others: Cell[] = []
  for (const [index, field] of fields.entries()) {
    const written = cells[index]
    if (written === undefined || written.trim() === "") continue
    const clean = cleanText(written)
    const value = "error" in clean ? written.trim() : clean.value
    if (value === "") continue
    const cell = { text: value, column: headers[index] ?? "" }
    if (!field) others.push(cell)
    else {
      const name = field.name as BillFieldName
      used.push({ ...cell, field: name })
      if (!text.has(name)) text.set(name, cell)
    }
  }
  return { line, row, text, used, others }
}

function describeRow({ text, used, others }: Cells) {
  const isName = ({ field }: { field: BillFieldName }) => (NAMES as readonly string[]).includes(field)
  return {
    names: used.filter(isName).map((cell) => cell.text),
    words: [...used.filter((cell) => !isName(cell) && !isAmount(cell)), ...others].map((cell) => cell.text),
    invoice: text.get("invoiceNumber")?.text ?? "",
  }
}

export type BillAmounts = ReadonlyMap<BillFieldName, number>

const AMOUNTS: readonly BillFieldName[] = [...TOTALS, "gst", ...(Object.keys(PARTS) as BillFieldName[])]

/** Words of a total stand where there is room, also under the heading of an amount. */
function isAmount({ field, text }: { field: BillFieldName; text: string }): boolean {
  return AMOUNTS.includes(field) && !saysTotal(text)
}

/** Cents by field; columns of one field are added up. */
function readAmounts({ used, row, line }: Cells): BillAmounts | { error: ErrorDetail } {
  const amounts = new Map<BillFieldName, number>()
  for (const { field, text, column } of used) {
    if (!isAmount({ field, text })) continue
    const cents = readCents(text)
    if (typeof cents === "string")
      return { error: { message: `row ${row}, ${column}: ${cents}`, field: column, line } }
    amounts.set(field, (amounts.get(field) ?? 0) + cents)
  }
  return amounts
}

interface Piece {
  charge: Charge
  label: string
  cents: number
}

function readLines(
  cells: Cells,
  amounts: BillAmounts,
  hasTotal: boolean,
  nowMs: number,
): Omit<BilledLine["line"], "line">[] {
  const { text, used, others } = cells
  const label = text.get("charge")?.text ?? ""
  const common = {
    ...readNames(cells),
    service: text.get("service")?.text ?? "",
    grams: readGrams(text.get("weight")?.text),
    shipped: readDate(text.get("shipDate")?.text, nowMs),
  }
  const whole = completeAmounts(amounts)
  const pieces = used.flatMap(({ field, text: written, column }): Piece[] => {
    const charge = PARTS[field]
    const cents = charge === undefined ? 0 : readCents(written)
    if (charge === undefined || typeof cents === "string" || cents === 0) return []
    return [{ charge, label: field === "other" ? column : field, cents }]
  })
  const extras = listExtras(others)
  const [first, ...more] = pieces
  if (!whole && first && extras.length > 0 && !hasTotal) {
    const unknown = extras.map((each) => `${each.column} ${formatCents(each.cents)}`)
    const [one, ...rest] = splitParts(undefined, [first, ...more])
    return [
      { ...common, ...(one as Amounts & Piece), unknown },
      ...rest.map((part) => ({ ...common, ...part })),
    ]
  }
  const charges = [[...pieces, ...extras], pieces].find(
    (each) => each.length > 1 && whole && isSplit(whole, each),
  )
  if (charges) return splitParts(whole, charges).map((part) => ({ ...common, ...part }))
  if (pieces.length > 0) return splitParts(whole, pieces).map((part) => ({ ...common, ...part }))
  return whole ? [{ ...common, ...whole, charge: toCharge(label), label }] : []
}

/** What may be charges in columns that freight does not know; `XC1 Name` beside `XC1 Charge` says what it is for. */
function listExtras(others: readonly Cell[]): (Piece & { column: string })[] {
  return others.flatMap(({ column, text }) => {
    const cents = mayBeCharge(column, text) ? readCents(text) : 0
    if (typeof cents === "string" || cents === 0) return []
    const nameColumn = column.replace(/charge|amount/i, "Name").toLowerCase()
    const named = others.find((each) => each.column !== column && each.column.toLowerCase() === nameColumn)
    const label = named?.text ?? column
    return [{ column, charge: toCharge(label), label, cents }]
  })
}

function sumPieces(pieces: readonly { cents: number }[]): number {
  return pieces.reduce((cents, each) => cents + each.cents, 0)
}

/** Whether these pieces are the whole amount, with or without its GST. */
function isSplit({ exGst, incGst, unsaid, gst }: Amounts, pieces: readonly Piece[]): boolean {
  return [exGst, incGst, unsaid, unsaid !== null && gst !== null ? unsaid - gst : null].includes(
    sumPieces(pieces),
  )
}

/** The total's own GST decides for all parts; what they lack of it is another charge. */
function splitParts(
  whole: Amounts | undefined,
  pieces: readonly Piece[],
): (Amounts & Omit<Piece, "cents">)[] {
  const sum = sumPieces(pieces)
  const lines = (amounts: (cents: number) => Amounts) =>
    pieces.map(({ cents, charge, label }) => ({ ...amounts(cents), charge, label }))
  const unsaid = (cents: number): Amounts => ({ ...NO_AMOUNTS, unsaid: cents })
  if (!whole) return lines(unsaid)
  const { gst, incGst } = whole
  // The pieces say of a total whether it holds the GST beside it.
  const exGst = whole.unsaid !== null && gst !== null && sum === whole.unsaid - gst ? sum : whole.exGst
  const without = (cents: number): Amounts => ({ ...NO_AMOUNTS, exGst: cents })
  if (exGst !== null && sum === exGst)
    return gst === null
      ? lines(without)
      : [...lines(without), { ...NO_AMOUNTS, gst, charge: "tax" as Charge, label: "gst" }]
  if (incGst !== null && sum === incGst) return lines((cents) => ({ ...NO_AMOUNTS, incGst: cents }))
  if (whole.unsaid !== null && sum === whole.unsaid && gst === null) return lines(unsaid)
  return [{ ...whole, charge: "freight" as Charge, label: "" }]
}

function completeAmounts(amounts: BillAmounts): Amounts | undefined {
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

function readNames({ used }: Cells): { names: BillName[]; damaged?: string } {
  const names: BillName[] = []
  let damaged: string | undefined
  for (const [name, cell] of NAMES.flatMap((each) =>
    used.flatMap((one) => (one.field === each ? [[each, one] as const] : [])),
  )) {
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

function billKey({ text }: Cells) {
  const number = text.get("invoiceNumber")?.text ?? ""
  const supplier = text.get("carrier")?.text ?? ""
  return { number, supplier, key: JSON.stringify([supplier, number]) }
}

function findBill(bills: ReadonlyMap<string, Bill>, cells: Cells): Bill | undefined {
  return bills.get(billKey(cells).key)
}

function findOrAddBill(bills: Map<string, Bill>, file: string, cells: Cells, nowMs: number): Bill {
  const { number, supplier, key } = billKey(cells)
  const known = bills.get(key)
  if (known) return known
  const bill: Bill = { file, number, supplier, date: readDate(cells.text.get("invoiceDate")?.text, nowMs) }
  bills.set(key, bill)
  return bill
}
