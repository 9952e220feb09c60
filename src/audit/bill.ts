/** What bills consist of, whatever their file format. Money is in integer cents. */
import type { Charge } from "../contract/bills.ts"
import { grouped } from "../contract/counted.ts"
import { groupBy } from "../contract/grouping.ts"
import { FreightError } from "../errors.ts"
import { MOST_CHARGES } from "../limits.ts"
import { findBasis } from "../input/columns/basis.ts"
import { saysTax, saysTotal } from "../input/sheets/totals.ts"
import { type Amounts, getAskedCents, getTaxCents, sumOf } from "./amounts.ts"
import { isGstOf, type StatedGst } from "./gst.ts"

export interface Bill {
  file: string
  /** Its position, from 0, in a file that holds several documents. */
  index?: number
  number: string
  supplier: string
  /** The supplier as it was spelled when the bill was audited first, where that was otherwise. */
  knownAs?: string
  /** It was audited before with another amount. */
  isChanged?: boolean
  /** `yyyy-mm-dd`; empty where the bill has none. */
  date: string
  /** Errors and warnings of an INV document; none where it was not checked. */
  findings?: { errors: number; warnings: number; first?: string }
  lines: BillLine[]
  /** Of a table: the column that has the numbers of its consignments, or names them otherwise. */
  numberColumn?: { column: string; field: string; isMapped: boolean } | undefined
  /** Why nothing of it is audited. */
  skipped?: string
  /** GST that it states for all its lines together. */
  stated?: StatedGst
  /** Of an INV document, which may name its supplier by a code and a name. */
  supplierName?: string
  /** `yyyy-mm-dd`, on which it is to be paid. */
  due?: string
  /** What the summary of an INV document asks for; shipping and discounts of all of it are in here only. */
  summary?: BillSummary
  /** Whether any of its lines states GST. */
  statesGst?: boolean
  /** Its lines add up to a lawful GST. */
  isGstRight?: boolean
}

/** In cents. */
export interface BillSummary {
  /** The lines, as the summary adds them up. */
  lines: number
  exGst: number
  /** Null where it does not say. */
  gst: number | null
}

/** A name that may be a consignment's, and the field or column in which it stands. */
export interface BillName {
  text: string
  field: string
  /** Of a table: whether its column is that of consignment numbers. */
  isNumber?: boolean
}

/** What is charged for a consignment. */
export interface BillLine extends Amounts {
  bill: Bill
  /** Its place among all lines of the audit, in the order of reading. */
  at: number
  /** Its place in the bill: a line of a CSV file, or a JSON pointer. */
  line?: number
  /** Of a workbook of which several sheets are read. */
  sheet?: string
  pointer?: string
  charge: Charge
  label: string
  service: string
  grams: number | null
}

/** What names a consignment. */
interface Naming {
  /** The likeliest first. */
  names: readonly BillName[]
  /** The consignment number that a spreadsheet destroyed. */
  damaged?: string | undefined
}

/** A line as it is read. */
export interface ReadLine extends Omit<BillLine, "bill" | "at">, Naming {
  /** `yyyy-mm-dd`; empty where the bill has none. */
  shipped: string
}

/** Lines with exactly the same names, which are of one consignment. */
export interface NamedLines extends Naming {
  /** Unlike that of other lines. */
  key: string
  /** A day that the bills give for it; empty where they give none. */
  day: string
  lines: BillLine[]
}

export type BillList = ReturnType<typeof createBillList>

/** Collects bills and their lines, in memory. */
export function createBillList() {
  const bills: Bill[] = []
  const byNames = new Map<string, NamedLines>()
  let count = 0
  return {
    bills,
    open(head: Omit<Bill, "lines">): Bill {
      const bill = { ...head, lines: [] }
      bills.push(bill)
      return bill
    },
    /** @throws FreightError `input` for more lines than an audit takes */
    add(bill: Bill, { names, damaged, shipped, ...read }: ReadLine): void {
      if (++count > MOST_CHARGES)
        throw new FreightError(
          "input",
          `these bills have more than ${grouped(MOST_CHARGES)} charges, the most that one audit takes`,
          {
            hint: "Audit them in parts, each with all lines of its consignments. What was audited is remembered, so nothing can be billed twice.",
          },
        )
      const line: BillLine = { ...read, bill, at: count }
      bill.lines.push(line)
      // What has no name is a consignment of its own, for each bill and words.
      const key = JSON.stringify(
        names.length === 0
          ? [bill.file, bill.index ?? bill.number, bill.supplier, line.label, damaged ?? ""]
          : names.map(({ text, field }) => [text, field]),
      )
      const same = byNames.get(key)
      if (same) same.lines.push(line)
      else byNames.set(key, { key, names, damaged, day: shipped || bill.date, lines: [line] })
    },
    /** The lines of all bills that are audited, by their names. */
    listNamed(): NamedLines[] {
      return [...byNames.values()].flatMap((each) => {
        const lines = each.lines.filter(({ bill }) => bill.skipped === undefined)
        return lines.length === 0 ? [] : [{ ...each, lines }]
      })
    },
  }
}

/** Leaves out a bill that is given twice, as a file and in a folder of another format. */
export function leaveOutRepeated(bills: readonly Bill[]): void {
  const fileOf = new Map<string, string>()
  for (const bill of bills) {
    if (bill.number === "" || bill.skipped !== undefined || bill.lines.length === 0) continue
    const key = JSON.stringify([bill.number, bill.lines.length, getAskedCents(sumBill(bill))])
    const file = fileOf.get(key)
    if (file === undefined) fileOf.set(key, bill.file)
    else Object.assign(bill, { lines: [], skipped: `it is the same bill as in ${file}` })
  }
}

/** Notes whether a bill states GST, and whether that is right for all its lines together. */
export function checkBillGst(bill: Bill): void {
  applyStatedGst(bill)
  const lines = bill.lines.filter(({ charge }) => charge !== "tax")
  const taxes = bill.lines.filter(({ charge }) => charge === "tax")
  const gst = sumOf(lines, "gst") + taxes.reduce((sum, line) => sum + getTaxCents(line), 0)
  bill.statesGst = taxes.length > 0 || lines.some((line) => line.gst !== null)
  bill.isGstRight = isGstOf({ exGst: sumOf(lines, "exGst"), gst, lines: lines.length })
}

/** GST that is stated for all lines together says whether their amounts hold it. */
function applyStatedGst({ lines, stated }: Bill): void {
  if (
    !stated ||
    stated.gst === 0 ||
    lines.some(({ unsaid, gst, charge }) => unsaid === null || gst !== null || charge === "tax")
  )
    return
  const sum = sumOf(lines, "unsaid")
  const isNear = (cents: number) => Math.abs(cents - sum) * 2 <= lines.length
  const name = isNear(stated.exGst) ? "exGst" : isNear(stated.exGst + stated.gst) ? "incGst" : undefined
  if (name) for (const line of lines) Object.assign(line, { [name]: line.unsaid, unsaid: null })
}

/** What a bill asks for, as far as all its lines say it. */
export function sumBill({ lines }: Bill): Amounts {
  const hasTax = lines.some(({ charge }) => charge === "tax")
  const isUnsaid = lines.some(({ unsaid }) => unsaid !== null)
  const sum = (name: "exGst" | "gst" | "incGst") =>
    lines.length > 0 && !isUnsaid && !hasTax && lines.every((line) => line[name] !== null)
      ? sumOf(lines, name)
      : null
  return {
    exGst: sum("exGst"),
    gst: sum("gst"),
    incGst: sum("incGst"),
    // Lines of several kinds add up to what asks for the money, on no basis that could be named.
    unsaid:
      isUnsaid || hasTax
        ? sumOf(lines, "unsaid") + sumOf(lines, "exGst") + (hasTax ? sumOf(lines, "gst") : 0)
        : null,
  }
}

const KINDS: readonly (readonly [kind: Charge, pattern: RegExp])[] = [
  ["fuel", /\bfuel|\bfsc\b/i],
  ["residential", /\bresid|\bhome\b|\bprivate address|\brs[pd]\b/i],
  ["dangerous-goods", /\bdanger|\bhazard|\bdgs?\b/i],
  [
    "freight",
    /\bfreight|\bfr?gh?t\b|\bfrt\b|\bcartage|\bcarriage|\blinehaul|\bline haul|\btransport|\bbas(?:e|ic)\b|\bconsignment|\bcon ?note|\bdelivery charge|^(?:net +)?(?:weight )?(?:cost|charge|price|amount)$/i,
  ],
]

/** `GST on freight` and `Freight GST`, but not what is charged and has GST. */
const GST_OF = /^\W*gst (?:on|of|for)\b|\bgst\W*$/i
const BESIDE_GST = /\b(?:plus|and|with|subject|to|attracts|applicable|before|after|for)\b.*\bgst\b|[+&]/i

/** What a charge is for, by what the bill calls it. Without any words, or as a total, it is freight; GST is so called alone. */
export function toCharge(label: string): Charge {
  if (saysTax(label)) return "tax"
  const basis = findBasis(label)
  const text = basis?.rest ?? label
  if (!basis && GST_OF.test(label) && !BESIDE_GST.test(label)) return "tax"
  if (text.trim() === "" || saysTotal(text)) return "freight"
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "other"
}

/** The lines of each bill, the last bill first: what several charge together is disputed with the last of them. */
export function groupLastFirst(charges: readonly BillLine[]): [Bill, readonly BillLine[]][] {
  const bills = [...groupBy(charges, ({ bill }) => bill)].toReversed()
  if (bills.some(([{ date }]) => date === "")) return bills
  return bills.sort(([one], [other]) => (one.date === other.date ? 0 : one.date < other.date ? 1 : -1))
}
