/** A carrier's bill as CSV: one charge a row, or one consignment a row with a column for each kind of charge. */
import { counted } from "../contract/counted.ts"
import { formatCents } from "../contract/money.ts"
import { wallClockNow } from "../contract/wall-clock.ts"
import { type ErrorDetail, FreightError } from "../errors.ts"
import { readNumber, readText } from "../contract/fields/damage.ts"
import { KINDS, readCell } from "../contract/fields/kinds.ts"
import { createMapping } from "../input/columns/mapping.ts"
import { checkUnreadable, isNote, openTable, type TableInput } from "../input/sheets/table.ts"
import { type Amounts, NO_AMOUNTS } from "./amounts.ts"
import { type Bill, type BillList, type BillName, type ReadLine, toCharge } from "./bill.ts"
import { BILL_COLUMNS, type BillField, type BillFieldName } from "./columns.ts"
import { type BillRow, getText, type Part, readRow, sumParts } from "./row.ts"
import { createSums, isTotalRow } from "./totals.ts"

export interface CsvOptions {
  /** `--map COLUMN=FIELD`, as typed. */
  map: readonly string[]
  ignoreUnknown: boolean
  nowMs: number
  tell(note: string): Promise<void>
  warn(text: string): Promise<void>
}

/** Maximum number of row errors listed one by one. */
const MOST_ERRORS = 50

/**
 * Reads the charges of a bill.
 * @throws FreightError `input` when the columns are not clear, or when amounts cannot be read; `usage` for a wrong `--map`
 */
export async function readCsvBill(
  name: string,
  input: TableInput,
  { map, ignoreUnknown, nowMs, tell, warn }: CsvOptions,
  list: BillList,
): Promise<void> {
  const table = await openTable(name, input, createMapping(BILL_COLUMNS, map), { ignoreUnknown, tell })
  const { headers, fields, records } = table
  checkFields(name, fields)

  const bills = new Map<string, Bill>()
  const errors: ErrorDetail[] = []
  let failed = 0
  let without = 0
  const hasTotal = fields.some((field) => field?.holds === "total")
  const sums = createSums()
  let bill: Bill | undefined
  for await (const record of records) {
    const { line, row: number, cells } = record
    const [unreadable] = checkUnreadable(table, record)
    if (!unreadable && isNote(cells)) continue
    const row = unreadable ? { error: unreadable } : readRow(fields, headers, cells)
    if ("error" in row) {
      const { column, message } = row.error
      if (failed++ < MOST_ERRORS)
        errors.push({ message: `row ${number}, ${column}: ${message}`, field: column, line })
      continue
    }
    const key = JSON.stringify([getText(row, "carrier"), row.invoice])
    const total = isTotalRow(row, sums)
    if (total.is) {
      const totalled = bills.get(key) ?? bill
      if (total.stated && totalled) totalled.stated = total.stated
      if (total.differs !== undefined) await warn(`${name}: row ${number}: ${total.differs}`)
      continue
    }
    bill = bills.get(key) ?? list.open(readHead(row, name, nowMs))
    bills.set(key, bill)
    sums.add(row)
    const found = readLines(row, hasTotal, nowMs)
    if (found.length === 0) without++
    for (const each of found) list.add(bill, { ...each, line })
  }
  if (failed > 0)
    throw new FreightError("input", `${name}: the amounts of ${counted(failed, "row")} cannot be read`, {
      errors,
      hint: "Fix them, and audit the bill again. Rows are numbered as a spreadsheet shows them.",
    })
  if (without > 0) await tell(`${name}: ${counted(without, "row")} without an amount left out`)
}

function checkFields(name: string, fields: readonly (BillField | undefined)[]): void {
  const has = (...kinds: BillField["holds"][]) =>
    fields.some((field) => field?.holds && kinds.includes(field.holds))
  const missing = [
    ...(has("name") ? [] : ["a consignment number or a reference"]),
    ...(has("total", "part") ? [] : ["an amount"]),
  ]
  if (missing.length > 0)
    throw new FreightError(
      "input",
      `${name}: no column has ${missing.join(", and none ")}`,
      BILL_COLUMNS.help,
    )
}

function readLines(row: BillRow, hasTotal: boolean, nowMs: number): ReadLine[] {
  const { parts, extras } = row
  const common = {
    ...readNames(row),
    service: getText(row, "service"),
    grams: readGrams(getText(row, "weight")),
    shipped: readDate(getText(row, "shipDate"), nowMs),
  }
  const whole = completeAmounts(row)
  const toLines = (some: readonly Part[]) => splitParts(whole, some).map((part) => ({ ...common, ...part }))
  if (!whole && parts.length > 0 && extras.length > 0 && !hasTotal) {
    const unknown = extras.map(({ column, cents }) => `${column} ${formatCents(cents)}`)
    return toLines(parts).map((line, index) => (index === 0 ? { ...line, unknown } : line))
  }
  const all = [...parts, ...extras]
  if (whole && all.length > 1 && isSplit(whole, all)) return toLines(all)
  if (parts.length > 0) return toLines(parts)
  const label = getText(row, "charge")
  return whole ? [{ ...common, ...whole, charge: toCharge(label), label }] : []
}

/** Whether these parts are the whole amount, with or without its GST. */
function isSplit({ exGst, incGst, unsaid, gst }: Amounts, parts: readonly Part[]): boolean {
  const unsaidExGst = unsaid !== null && gst !== null ? unsaid - gst : null
  return [exGst, incGst, unsaid, unsaidExGst].includes(sumParts(parts))
}

/** The total's own GST decides for all parts; what they lack of it is another charge. */
function splitParts(
  whole: Amounts | undefined,
  parts: readonly Part[],
): (Amounts & Pick<Part, "charge" | "label">)[] {
  const sum = sumParts(parts)
  const lines = (name: keyof Amounts) =>
    parts.map(({ cents, charge, label }) => ({ ...NO_AMOUNTS, [name]: cents, charge, label }))
  if (!whole) return lines("unsaid")
  const { gst, incGst, unsaid } = whole
  // The parts say of a total whether it holds the GST beside it.
  const exGst = unsaid !== null && gst !== null && sum === unsaid - gst ? sum : whole.exGst
  if (exGst !== null && sum === exGst)
    return gst === null
      ? lines("exGst")
      : [...lines("exGst"), { ...NO_AMOUNTS, gst, charge: "tax", label: "gst" }]
  if (incGst !== null && sum === incGst) return lines("incGst")
  if (unsaid !== null && sum === unsaid && gst === null) return lines("unsaid")
  return [{ ...whole, charge: "freight", label: "" }]
}

function completeAmounts({ amounts }: BillRow): Amounts | undefined {
  const [ex, gst, inc, unsaid] = ["amountExGst", "gst", "amountIncGst", "amount"].map((name) =>
    amounts.get(name),
  )
  if (ex === undefined && inc === undefined)
    return unsaid === undefined ? undefined : { ...NO_AMOUNTS, gst: gst ?? null, unsaid }
  const exGst = ex ?? (inc !== undefined && gst !== undefined ? inc - gst : null)
  const incGst = inc ?? (ex !== undefined && gst !== undefined ? ex + gst : null)
  const tax = gst ?? (exGst !== null && incGst !== null ? incGst - exGst : null)
  return { exGst, gst: tax, incGst, unsaid: null }
}

const NAMES: readonly BillFieldName[] = ["consignment", "shipment", "order", "reference"]

function readNames({ cells }: BillRow): { names: BillName[]; damaged?: string } {
  const names: BillName[] = []
  let damaged: string | undefined
  for (const name of NAMES)
    for (const { text, column, field } of cells) {
      if (field?.name !== name) continue
      const whole = text.replace(/^(\d+)\.0+$/, "$1")
      if (readText(whole).ok) names.push({ text: whole, field: column })
      else if (name === "consignment") damaged = whole
    }
  return { names, ...(damaged !== undefined && { damaged }) }
}

function readGrams(text: string): number | null {
  const read = text === "" ? undefined : readNumber(text, { unit: "kg" })
  return read?.ok ? Math.round(read.value * 1000) : null
}

/** A day that can be read in one way only; otherwise nothing, for no verdict rests on it. */
function readDate(text: string, nowMs: number): string {
  if (text === "" || /^\d{4}-\d\d-\d\d$/.test(text)) return text
  const read = readCell(KINDS.day, text, { nowMs, now: () => wallClockNow(nowMs) })
  return (read.ok && read.value) || ""
}

function readHead(row: BillRow, file: string, nowMs: number): Omit<Bill, "lines"> {
  const date = readDate(getText(row, "invoiceDate"), nowMs)
  return { file, number: row.invoice, supplier: getText(row, "carrier"), date }
}
