/**
 * Writes accruals as a journal for an accounting program, with its reversal on the first of the next month. Amounts
 * exclude GST, which is claimed with the bill. Pure, in exact cents.
 */
import { stringify } from "csv-stringify/sync"
import { formatDecimal } from "../../base/money.ts"
import { addDays, formatDate, parseDate } from "../../base/wall-clock.ts"
import { cell } from "../../output/index.ts"
import { BILL_CURRENCY, type Program, withoutGst } from "../../bills/index.ts"
import type { AccrualRow } from "./accruals.ts"

/** Cents without GST, by cost centre; the empty text is for bookings without one. */
export type AccruedByCentre = ReadonlyMap<string, number>

/** Adds up the journal. Bookings without a price, or with one in another currency, are left out. */
export function createJournalSums(unknownGst: "excluded" | "included" | undefined) {
  const cents = new Map<string, number>()
  const left = { unknown: 0, others: 0 }
  return {
    add(rows: readonly AccrualRow[]): void {
      for (const { amount, currency, gstBasis, costCentre } of rows) {
        const basis = gstBasis === "unknown" ? unknownGst : gstBasis
        if (amount === null || currency !== BILL_CURRENCY) left.others++
        else if (basis === undefined) left.unknown++
        else {
          const all = Math.round(amount * 100)
          const centre = costCentre ?? ""
          cents.set(centre, (cents.get(centre) ?? 0) + withoutGst(all, basis))
        }
      }
    },
    /** `unknown`: number of quotes without a stated GST basis, if nobody said how to read them. */
    get: (): { cents: AccruedByCentre; left: typeof left } => ({ cents, left }),
  }
}

export interface JournalOptions {
  expense: string
  accrued: string
  /** Xero: the tracking category whose options are the cost centres. */
  tracking: string
}

/** A positive amount is a debit. */
interface JournalRow {
  number: string
  /** `yyyy-mm-dd`. */
  date: string
  text: string
  account: string
  costCentre: string
  cents: number
  tracking: string
}

type JournalColumn = readonly [heading: string, write: (row: JournalRow) => string]

const money = (cents: number) => formatDecimal({ units: BigInt(cents), places: 2 }, 2)
const side = (sign: 1 | -1) => (row: JournalRow) => (row.cents * sign > 0 ? money(row.cents * sign) : "")
const day = ({ date }: JournalRow) => date.split("-").reverse().join("/")
const text = (name: "text" | "account" | "costCentre" | "tracking") => (row: JournalRow) => cell(row[name])

interface JournalFormat {
  delimiter: "," | "\t"
  /** Separator between two journals. */
  between: string
  columns: readonly JournalColumn[]
}

const JOURNALS: Readonly<Record<Program, JournalFormat>> = {
  xero: {
    ...{ delimiter: ",", between: "" },
    columns: [
      ["*Narration", text("text")],
      ["*Date", day],
      ["Description", text("text")],
      ["*AccountCode", text("account")],
      ["*TaxRate", () => "BAS Excluded"],
      ["*Amount", ({ cents }) => money(cents)],
      ["TrackingName1", (row) => (row.costCentre === "" ? "" : text("tracking")(row))],
      ["TrackingOption1", text("costCentre")],
      ["TrackingName2", () => ""],
      ["TrackingOption2", () => ""],
    ],
  },
  myob: {
    ...{ delimiter: "\t", between: "\r\n" },
    columns: [
      ["Journal Number", ({ number }) => number],
      ["Date", day],
      ["Memo", text("text")],
      ["Account Number", text("account")],
      ["Debit Ex-Tax Amount", side(1)],
      ["Credit Ex-Tax Amount", side(-1)],
      ["Job", text("costCentre")],
      ["Tax Code", () => "N-T"],
    ],
  },
  quickbooks: {
    ...{ delimiter: ",", between: "" },
    columns: [
      ["*JournalNo", ({ number }) => number],
      ["*JournalDate", day],
      ["*AccountName", text("account")],
      ["*Debits", side(1)],
      ["*Credits", side(-1)],
      ["Description", text("text")],
      ["Location", text("costCentre")],
    ],
  },
}

/** The first of the next month. @param date `yyyy-mm-dd` */
export function findReversalDay(date: string): string {
  const last = parseDate(date)
  if (!last.ok) throw new RangeError(`not a day: ${date}`)
  return formatDate({ ...addDays({ ...last.value, day: 1 }, 31), day: 1 })
}

/**
 * Two journals: the accruals of a day, and their reversal.
 * @param date `yyyy-mm-dd`
 */
export function writeJournal(
  program: Program,
  cents: AccruedByCentre,
  date: string,
  { expense, accrued, tracking }: JournalOptions,
): string {
  const { columns, delimiter, between } = JOURNALS[program]
  const reversal = findReversalDay(date)
  const toRows = (sign: 1 | -1): JournalRow[] => {
    const on = sign === 1 ? date : reversal
    const head = {
      // MYOB takes 8 characters.
      number: `${sign === 1 ? "FA" : "FR"}${on.replaceAll("-", "").slice(2)}`,
      date: on,
      text: `${sign === 1 ? "Freight" : "Reversal of freight"} booked and not billed by ${date}`,
      tracking,
    }
    const centres = [...cents].filter(([, sum]) => sum !== 0).sort(([one], [other]) => (one < other ? -1 : 1))
    const sum = centres.reduce((all, [, each]) => all + each, 0)
    return [
      ...centres.map(([costCentre, each]) => ({ ...head, account: expense, costCentre, cents: each * sign })),
      { ...head, account: accrued, costCentre: "", cents: -sum * sign },
    ]
  }
  const write = (rows: readonly (readonly string[])[]) =>
    stringify(
      rows.map((row) => [...row]),
      { delimiter, record_delimiter: "windows" },
    )
  const journals = [toRows(1), toRows(-1)].map((rows) =>
    write(rows.map((row) => columns.map(([, writeCell]) => writeCell(row)))),
  )
  return write([columns.map(([heading]) => heading)]) + journals.join(between)
}
