/** What bills consist of, whatever their file format. Money is in integer cents. */
import type { Basis } from "../input/index.ts"
import type { Charge } from "./verdicts.ts"
import { groupBy } from "../base/grouping.ts"
import { addMixed, type Money, type StatedGst, sumOf } from "./money.ts"

/** What words outside the columns say of all amounts of a bill. */
export interface BasisWords {
  readonly basis: Basis
  /** As it stands in the bill. */
  readonly text: string
}

/** Rows below words that say of their amounts whether they hold GST. */
export interface BasisPart {
  readonly words: BasisWords
  readonly sheet: string | undefined
  /** The lines of its first and its last row. */
  readonly from: number
  to: number
}

/** A stated sum that some rows with GST and some without come to, and no others. */
export interface MixedSum {
  /** Its words. */
  readonly label: string
  readonly cents: number
  /** How amounts are read that do not say it. */
  readonly openAs: Basis
}

export interface Bill {
  readonly file: string
  /** Its position, from 0, in a file that holds several documents. */
  readonly index?: number
  /** Read by the places of its texts: a number that nobody knows may be read wrongly. */
  readonly isPdf?: boolean
  readonly number: string
  readonly supplier: string
  /** `yyyy-mm-dd`; empty where the bill has none. */
  readonly date: string
  /** The last day of what it bills, where it does not say its own. */
  readonly period?: { label: string; date: string } | undefined
  /** Errors and warnings of an INV document; none where it was not checked. */
  readonly findings?: { errors: number; warnings: number; first?: string }
  readonly lines: readonly BillLine[]
  /** Of a table: the column that has the numbers of its consignments, or names them otherwise. */
  readonly numberColumn?: { column: string; field: string; isMapped: boolean } | undefined
  /** Why nothing of it is audited. */
  readonly skipped?: string
  /** GST that it states for all its lines together. */
  readonly stated?: StatedGst
  /** Of an INV document, which may name its supplier by a code and a name. */
  readonly supplierName?: string
  /** `yyyy-mm-dd`, on which it is to be paid. */
  readonly due?: string
  /** What the summary of an INV document asks for; shipping and discounts of all of it are in here only. */
  readonly summary?: BillSummary
  /** Whether any of its lines states GST. */
  readonly statesGst: boolean
  /** Its lines add up to a lawful GST. */
  readonly isGstRight: boolean
  /** What its words say of all amounts that do not say it themselves. */
  readonly basisWords?: BasisWords
  /** In the order of its rows; none where nothing between them says of amounts whether they hold GST. */
  readonly parts?: readonly BasisPart[]
  readonly mixedSum?: MixedSum
  /** What else was found out of it as a whole, for people. */
  readonly evidence?: readonly string[]
}

/** In cents. */
export interface BillSummary {
  /** The lines, as the summary adds them up. */
  readonly lines: number
  readonly exGst: number
  /** Null where it does not say. */
  readonly gst: number | null
}

/** A name that may be a consignment's, and the field or column in which it stands. */
export interface BillName {
  readonly text: string
  readonly field: string
  /** Of a table: whether its column is that of consignment numbers. */
  readonly isNumber?: boolean
}

/** What is charged for a consignment. */
export interface BillLine extends Money {
  readonly bill: Bill
  /** Its place among all lines of the audit, in the order of reading. */
  readonly at: number
  /** Its place in the bill: a line of a CSV file, or a JSON pointer. */
  readonly line?: number | undefined
  /** Of a workbook of which several sheets are read. */
  readonly sheet?: string | undefined
  /** Of a PDF, from 1: `line` is the line on that page. */
  readonly page?: number | undefined
  readonly pointer?: string | undefined
  readonly charge: Charge
  readonly label: string
  readonly service: string
  readonly grams: number | null
  /** Which of the items of its consignment it is for, as its row counts them: `1 of 2`. */
  readonly item?: string | undefined
}

/** What names a consignment. */
interface Naming {
  /** The likeliest first. */
  readonly names: readonly BillName[]
  /** The consignment number that a spreadsheet destroyed. */
  readonly damaged?: string | undefined
}

/** A line as it is read. */
export interface ReadLine extends Omit<BillLine, "bill" | "at">, Naming {
  /** `yyyy-mm-dd`; empty where the bill has none. */
  readonly shipped: string
}

/** Lines with exactly the same names, which are of one consignment. */
export interface NamedLines extends Naming {
  /** Unlike that of other lines. */
  readonly key: string
  /** A day that the bills give for it; empty where they give none. */
  readonly day: string
  readonly lines: readonly BillLine[]
  /** The name of the shipment that a person says it is. */
  readonly link?: BillName
}

/** What a bill asks for, as far as all its lines say it. */
export function sumBill({ lines, stated }: Bill): Money {
  const hasTax = lines.some(({ charge }) => charge === "tax")
  const isUnsaid = lines.some(({ unspecifiedGstCents }) => unspecifiedGstCents !== null)
  const sum = (name: "exGst" | "gst" | "incGst") =>
    lines.length > 0 && !isUnsaid && !hasTax && lines.every((line) => line[name] !== null)
      ? sumOf(lines, name)
      : null
  const mixed = isUnsaid || hasTax ? null : addMixed(lines)
  const incGst = sum("incGst")
  return {
    // The GST that is stated is rounded once, and not for each consignment.
    exGst: sum("exGst") ?? (mixed !== null && incGst !== null && stated ? incGst - stated.gst : mixed),
    gst: sum("gst"),
    incGst,
    // Lines of several kinds add up to what asks for the money, on no basis that could be named.
    unspecifiedGstCents:
      isUnsaid || hasTax
        ? sumOf(lines, "unspecifiedGstCents") + sumOf(lines, "exGst") + (hasTax ? sumOf(lines, "gst") : 0)
        : null,
  }
}

/** The lines of each bill, by consignment. */
export function splitByBill(
  consignments: readonly { readonly charges: readonly BillLine[] }[],
): Map<Bill, (readonly BillLine[])[]> {
  const byBill = new Map<Bill, (readonly BillLine[])[]>()
  for (const { charges } of consignments)
    for (const [bill, own] of groupBy(charges, (charge) => charge.bill)) {
      const there = byBill.get(bill)
      if (there) there.push(own)
      else byBill.set(bill, [own])
    }
  return byBill
}

/** The lines of each bill, the last bill first: what several charge together is disputed with the last of them. */
export function groupLastFirst(charges: readonly BillLine[]): [Bill, readonly BillLine[]][] {
  const bills = [...groupBy(charges, ({ bill }) => bill)].toReversed()
  if (bills.some(([{ date }]) => date === "")) return bills
  return bills.sort(([one], [other]) => (one.date === other.date ? 0 : one.date < other.date ? 1 : -1))
}
