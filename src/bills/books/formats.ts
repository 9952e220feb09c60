/** The import files of accounting programs: columns, tax codes, limits, and how to write a bill for each. */
import { stringify } from "csv-stringify/sync"
import { formatDecimal } from "../../base/money.ts"
import type { Program } from "../programs.ts"
import { daysBetween, parseDate } from "../../base/wall-clock.ts"
import { cell } from "../../output/index.ts"
import type { Taxed } from "../money.ts"
import { FreightError } from "../../base/errors.ts"
import { sumEntries } from "../entries.ts"

/** A line of the import file. In cents. */
export interface BookRow extends Taxed {
  description: string
  account: string
  costCentre: string
}

export interface BookBill {
  /** As the books name the supplier. */
  supplier: string
  number: string
  /** `yyyy-mm-dd`. */
  date: string
  due: string
  rows: readonly BookRow[]
}

export interface BookOptions {
  /** Tax codes that override the program's own. */
  gstCode?: string | undefined
  freeCode?: string | undefined
  /** Xero: the tracking category whose options are the cost centres. */
  tracking: string
}

interface Format {
  title: string
  how: string
  /** The program's name for a bill with a negative total; undefined if the import rejects it and a person has to type it. */
  credit: string | undefined
  /** The import matches accounts by name, not by number. */
  namesAccounts: boolean
  /** The program's default tax codes. */
  codes: { gst: string; free: string }
  /** Maximum length of number and description, and maximum rows per import. */
  most: { number: number; description: number; rows: number }
  delimiter: "," | "\t"
  /** Separator between two bills. */
  between: string
  columns: readonly Column[]
}

interface Cells extends BookRow {
  bill: BookBill
  code: string
  tracking: string
}

/** Separates texts from numbers: a text must not become a formula. */
type Column = readonly [heading: string, write: (cells: Cells) => string]

const END = "\r\n"

const money = (cents: number) => formatDecimal({ units: BigInt(cents), places: 2 }, 2)
/** `23/11/2026`: the format of accounting programs in Australia. */
const day = (date: string) => date.split("-").reverse().join("/")
const text = (value: string) => cell(oneLine(value))
const empty = (...headings: string[]): Column[] => headings.map((heading) => [heading, () => ""])

/** MYOB: due in this many days. */
const IN_DAYS = "2"

export const BOOKS: Readonly<Record<Program, Format>> = {
  xero: {
    title: "Xero",
    how: "In Xero: Bills to pay, Import, and say that amounts are tax exclusive.",
    credit: "a credit note",
    namesAccounts: false,
    codes: { gst: "GST on Expenses", free: "GST Free Expenses" },
    most: { number: 255, description: 4000, rows: 500 },
    delimiter: ",",
    between: "",
    columns: [
      ["*ContactName", ({ bill }) => text(bill.supplier)],
      ...empty("EmailAddress", "POAddressLine1", "POAddressLine2", "POAddressLine3", "POAddressLine4"),
      ...empty("POCity", "PORegion", "POPostalCode", "POCountry"),
      ["*InvoiceNumber", ({ bill }) => text(bill.number)],
      ["*InvoiceDate", ({ bill }) => day(bill.date)],
      ["*DueDate", ({ bill }) => day(bill.due)],
      ...empty("Total", "InventoryItemCode"),
      ["Description", ({ description }) => text(description)],
      ["*Quantity", () => "1"],
      ["*UnitAmount", ({ exGst }) => money(exGst)],
      ["*AccountCode", ({ account }) => text(account)],
      ["*TaxType", ({ code }) => text(code)],
      ["TaxAmount", ({ gst }) => money(gst)],
      ["TrackingName1", ({ costCentre, tracking }) => (costCentre === "" ? "" : text(tracking))],
      ["TrackingOption1", ({ costCentre }) => text(costCentre)],
      ...empty("TrackingName2", "TrackingOption2"),
      ["Currency", () => "AUD"],
    ],
  },
  myob: {
    title: "MYOB",
    how: "In MYOB AccountRight: File, Import/Export, Import, Purchases, Service purchases; tab-delimited, the first record is headings.",
    credit: "a supplier debit",
    namesAccounts: false,
    codes: { gst: "GST", free: "FRE" },
    most: { number: 20, description: 255, rows: 10_000 },
    delimiter: "\t",
    between: END,
    columns: [
      ["Co./Last Name", ({ bill }) => text(bill.supplier)],
      // Empty: amounts exclude tax.
      ["Inclusive", () => ""],
      ["Purchase No.", () => ""],
      ["Date", ({ bill }) => day(bill.date)],
      ["Supplier Invoice No.", ({ bill }) => text(bill.number)],
      ["Description", ({ description }) => text(description)],
      ["Account No.", ({ account }) => text(account)],
      ["Amount", ({ exGst }) => money(exGst)],
      ["Job", ({ costCentre }) => text(costCentre)],
      ["Journal Memo", ({ bill }) => text(`Purchase; ${bill.supplier} ${bill.number}`)],
      ["Tax Code", ({ code }) => text(code)],
      ["Tax Amount", ({ gst }) => money(gst)],
      ["Purchase Status", () => "B"],
      ["Terms - Payment is Due", () => IN_DAYS],
      ["           - Balance Due Days", ({ bill }) => String(countDays(bill))],
    ],
  },
  quickbooks: {
    title: "QuickBooks Online",
    how: "In QuickBooks Online: Settings, Import data, Bills; dates are D/M/YYYY and amounts exclusive of tax.",
    credit: undefined,
    namesAccounts: true,
    codes: { gst: "GST on non-capital", free: "GST-free non-capital" },
    most: { number: 21, description: 4000, rows: 1000 },
    delimiter: ",",
    between: "",
    columns: [
      ["*BillNo", ({ bill }) => text(bill.number)],
      ["*Supplier", ({ bill }) => text(bill.supplier)],
      ["*BillDate", ({ bill }) => day(bill.date)],
      ["*DueDate", ({ bill }) => day(bill.due)],
      ["Terms", () => ""],
      ["Location", ({ costCentre }) => text(costCentre)],
      ["Memo", () => ""],
      ["*Account", ({ account }) => text(account)],
      ["LineDescription", ({ description }) => text(description)],
      ["*LineAmount", ({ exGst }) => money(exGst)],
      ["*LineTaxCode", ({ code }) => text(code)],
      ["LineTaxAmount", ({ gst }) => money(gst)],
      ["Currency", () => "AUD"],
    ],
  },
}

function countDays({ date, due }: BookBill): number {
  const [from, to] = [parseDate(date), parseDate(due)]
  return from.ok && to.ok ? Math.max(0, daysBetween(from.value, to.value)) : 0
}

/** A bill as rows for the file, or, without headings, as lines for a person to type. */
export interface WrittenBill {
  head: string
  body: string
}

/** Whether a bill goes into the file (otherwise a person types it). */
export function isImported({ head }: WrittenBill): boolean {
  return head !== ""
}

/** Joins headings and the rows of each bill with the program's separator; empty if there is nothing to import. */
export function joinBills(program: Program, bills: readonly WrittenBill[]): string {
  const imported = bills.filter(isImported)
  return (imported[0]?.head ?? "") + imported.map(({ body }) => body).join(BOOKS[program].between)
}

/** Whether a person has to type a bill with this negative total. */
export function mustBeTyped(program: Program, cents: number): boolean {
  return cents < 0 && BOOKS[program].credit === undefined
}

export function writeBill(program: Program, bill: BookBill, options: BookOptions): WrittenBill {
  refuseLongNumber(bill.number, program)
  const { columns, delimiter, most } = BOOKS[program]
  const { exGst, gst } = sumEntries(bill.rows)
  if (mustBeTyped(program, exGst + gst)) return { head: "", body: writeEntry(program, bill, options) }
  const rows = bill.rows.map((row) => {
    const description = row.description.slice(0, most.description)
    const code = getCode(program, row, options)
    const cells = { ...row, bill, code, tracking: options.tracking, description }
    return columns.map(([, write]) => write(cells))
  })
  return {
    head: toText([columns.map(([heading]) => heading)], delimiter),
    body: toText(rows, delimiter),
  }
}

/** A bill with a negative total, for a person to type: amounts without a sign, as in the program's form. */
function writeEntry(
  program: Program,
  { supplier, number, date, rows }: BookBill,
  options: BookOptions,
): string {
  const sum = sumEntries(rows)
  return [
    `Supplier ${oneLine(supplier)}, number ${oneLine(number)}, date ${day(date)}, amounts exclusive of tax:`,
    ...rows.map((row) => {
      const where = [row.account, row.costCentre].filter(Boolean).map(oneLine).join(", ")
      const tax = `${getCode(program, row, options)} ${money(-row.gst)}`
      return `  ${where}: ${money(-row.exGst)}, ${tax}, ${oneLine(row.description)}`
    }),
    `  In all ${money(-sum.exGst)} and GST of ${money(-sum.gst)}: AUD ${money(-sum.exGst - sum.gst)}`,
  ].join("\n")
}

function getCode(program: Program, { gst }: Taxed, { gstCode, freeCode }: BookOptions): string {
  const { codes } = BOOKS[program]
  return gst === 0 ? (freeCode ?? codes.free) : (gstCode ?? codes.gst)
}

export function refuseLongNumber(number: string, program: Program): void {
  const { title, most } = BOOKS[program]
  if (number.length > most.number)
    throw new FreightError(
      "input",
      `${title} takes numbers of ${most.number} characters, and bill ${number} has ${number.length}`,
      { hint: "Give a shorter one with --number. Nothing was written." },
    )
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim()
}

function toText(rows: readonly (readonly string[])[], delimiter: string): string {
  return stringify(
    rows.map((row) => [...row]),
    { delimiter, record_delimiter: "windows" },
  )
}
