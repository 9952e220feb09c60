/** The data of a bill, in any file format. Money is in integer cents. */
import type { Basis } from "../input/index.ts"
import type { Charge } from "./verdicts.ts"
import { groupBy } from "../base/grouping.ts"
import { addMixed, type Money, type StatedGst, sumOf } from "./money.ts"

/** Words outside the columns that apply to all amounts of a bill. */
export interface BasisWords {
  readonly basis: Basis
  /** As it stands in the bill. */
  readonly text: string
}

/** Rows below words that state the GST basis of their amounts. */
export interface BasisPart {
  readonly words: BasisWords
  readonly sheet: string | undefined
  /** The lines of its first and its last row. */
  readonly from: number
  to: number
}

/** A stated sum that is reached only if some rows include GST and some do not. */
export interface MixedSum {
  readonly label: string
  readonly cents: number
  /** How amounts without a stated basis are read. */
  readonly openAs: Basis
}

export interface Bill {
  readonly file: string
  /** Its position, from 0, in a file that holds several documents. */
  readonly index?: number
  /** Read by position: an unknown number may be misread. */
  readonly isPdf?: boolean
  readonly number: string
  readonly supplier: string
  /** `yyyy-mm-dd`; empty where the bill has none. */
  readonly date: string
  /** The last day of the billed period, if the bill has no day of its own. */
  readonly period?: { label: string; date: string } | undefined
  /** Errors and warnings of an INV document; absent if it was not checked. */
  readonly findings?: { errors: number; warnings: number; first?: string }
  readonly lines: readonly BillLine[]
  /** In a table: the column with the consignment numbers or other names. */
  readonly numberColumn?: { column: string; field: string; isMapped: boolean } | undefined
  readonly skipped?: string
  /** GST stated for all its lines together. */
  readonly stated?: StatedGst
  /** In an INV document, which may give both a code and a name. */
  readonly supplierName?: string
  /** Due date: `yyyy-mm-dd`. */
  readonly due?: string
  /** The sums of an INV document; shipping and discounts of the whole bill stand only here. */
  readonly summary?: BillSummary
  /** Whether any of its lines states GST. */
  readonly statesGst: boolean
  /** Its lines add up to a lawful GST. */
  readonly isGstRight: boolean
  /** The stated basis of all amounts that have none of their own. */
  readonly basisWords?: BasisWords
  /** In the order of its rows; absent if no words between the rows state a GST basis. */
  readonly parts?: readonly BasisPart[]
  readonly mixedSum?: MixedSum
  /** The words above its rows by which it is a credit note; absent if it is not, or its rows say themselves what they are. */
  readonly creditNote?: string | undefined
  /** Other findings about the bill, for people. */
  readonly evidence?: readonly string[]
}

/** In cents. */
export interface BillSummary {
  /** As the summary adds them up. */
  readonly lines: number
  readonly exGst: number
  /** Null where it does not say. */
  readonly gst: number | null
}

/** A possible name of a consignment, and its field or column. */
export interface BillName {
  readonly text: string
  readonly field: string
  /** In a table: whether it stands in the column of consignment numbers. */
  readonly isNumber?: boolean
}

export interface BillLine extends Money {
  readonly bill: Bill
  /** Its position among all lines of the audit, in reading order. */
  readonly at: number
  /** Its place in the bill: a line of a CSV file, or a JSON pointer. */
  readonly line?: number | undefined
  /** In a workbook, if several sheets are read. */
  readonly sheet?: string | undefined
  /** In a PDF, from 1: `line` is the line on that page. */
  readonly page?: number | undefined
  readonly pointer?: string | undefined
  readonly charge: Charge
  readonly label: string
  readonly service: string
  readonly grams: number | null
  /** The item of its consignment, as its row counts: `1 of 2`. */
  readonly item?: string | undefined
}

interface Naming {
  /** Likeliest first. */
  readonly names: readonly BillName[]
  /** The consignment number that a spreadsheet destroyed. */
  readonly damaged?: string | undefined
}

export interface ReadLine extends Omit<BillLine, "bill" | "at">, Naming {
  /** `yyyy-mm-dd`; empty where the bill has none. */
  readonly shipped: string
}

/** Lines with exactly the same names: they belong to one consignment. */
export interface NamedLines extends Naming {
  /** Unique among the lines. */
  readonly key: string
  /** A day from the bills; empty if they give none. */
  readonly day: string
  readonly lines: readonly BillLine[]
  /** The name of the shipment that a person linked it to. */
  readonly link?: BillName
}

/** The total of a bill, as far as all its lines state it. */
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
    // The stated GST is rounded once, not for each consignment.
    exGst: sum("exGst") ?? (mixed !== null && incGst !== null && stated ? incGst - stated.gst : mixed),
    gst: sum("gst"),
    incGst,
    // Lines on different bases add up to the amount to pay, on no basis that has a name.
    unspecifiedGstCents:
      isUnsaid || hasTax
        ? sumOf(lines, "unspecifiedGstCents") + sumOf(lines, "exGst") + (hasTax ? sumOf(lines, "gst") : 0)
        : null,
  }
}

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

/** The lines of each bill, the last bill first: charges that span several bills are disputed with the last of them. */
export function groupLastFirst(charges: readonly BillLine[]): [Bill, readonly BillLine[]][] {
  const bills = [...groupBy(charges, ({ bill }) => bill)].toReversed()
  if (bills.some(([{ date }]) => date === "")) return bills
  return bills.sort(([one], [other]) => (one.date === other.date ? 0 : one.date < other.date ? 1 : -1))
}
