/**
 * GST on bills: 10 % of the value of a taxable supply, rounded on the total of an invoice or on each line, half a cent
 * upwards (A New Tax System (Goods and Services Tax) Act 1999, sections 9-70 and 9-90).
 */
import { formatCents, toGst } from "../base/money.ts"
import { getChargedCents, type Money, type StatedGst, sumOf, sumTaxLines, type Taxed } from "./money.ts"
import type { BillLine } from "./bill.ts"

/** Whether GST is a tenth, rounded on the total or by at most half a cent on each line. */
export function isGstOf({ exGst, gst, lines }: StatedGst): boolean {
  return isWithin({ exGst, gst, lines }, 0.5)
}

/** GST below 10 % may be lawful: some charges may be GST-free. */
export function checkStatedGst(stated: StatedGst): "agrees" | "wrong" | "below" | "none" {
  if (stated.gst === 0) return "none"
  if (isGstOf(stated)) return "agrees"
  return Math.abs(stated.gst) * 10 > Math.abs(stated.exGst) ? "wrong" : "below"
}

function isWithin({ exGst, gst, lines }: StatedGst, cents: number): boolean {
  // In tenths of a cent, so that all numbers are whole.
  return Math.abs(gst * 10 - exGst) <= Math.max(lines, 1) * cents * 10
}

/** The result of checking the GST of a consignment. */
export interface GstCheck {
  is: "agrees" | "wrong" | "none" | "unknown"
  /** Cents of GST above 10 %; negative where it is below. */
  excess: number
  why?: string
  /** Charges that are GST-free by the words of the bill. */
  free: readonly string[]
}

type GstLine = Money & Pick<BillLine, "charge" | "label" | "bill">

/** @param charges of one consignment */
export function checkGst(charges: readonly GstLine[]): GstCheck {
  const unknown: GstCheck = { is: "unknown", excess: 0, free: [] }
  const taxes = charges.filter(({ charge }) => charge === "tax")
  const others = charges.filter((each) => each.charge !== "tax" && getChargedCents(each) !== 0)
  const isStatedApart = others.some(({ gst }) => gst === null) && !others.some(({ gst }) => gst)
  if (others.length === 0) return unknown
  if (taxes.length > 0) {
    if (
      others.some(
        ({ exGst, unspecifiedGstCents, gst }) =>
          exGst === null && (unspecifiedGstCents === null || gst !== null),
      )
    )
      return unknown
    const wrong = others.map(findMismatch).find((each) => each !== undefined)
    if (wrong) return { is: "wrong", free: [], ...wrong }
    // GST may be a separate line for one row and included for another: together they are the consignment's.
    const exGst = others.reduce((sum, each) => sum + getChargedCents(each), 0)
    const gst = sumOf(others, "gst") + sumTaxLines(taxes)
    return judgeGst({ exGst, gst, lines: others.length }, [], charges)
  }
  if (isStatedApart && !others.some(({ bill }) => bill.statesGst)) return unknown
  const wrong = others.map(findMismatch).find((each) => each !== undefined)
  if (wrong) return { is: "wrong", free: [], ...wrong }
  const isFree = ({ gst }: GstLine) => gst === null || gst === 0
  const taxed = others.filter((each) => !isFree(each)).map(toTaxed)
  const exGst = taxed.reduce((sum, each) => sum + each.exGst, 0)
  const gst = taxed.reduce((sum, each) => sum + each.gst, 0)
  const free = others.filter(isFree).map(({ label }) => label)
  return judgeGst({ exGst, gst, lines: taxed.length }, free, charges)
}

function judgeGst(sum: StatedGst, free: readonly string[], charges: readonly GstLine[]): GstCheck {
  const { exGst, gst } = sum
  if (gst === 0) return { is: "none", excess: 0, free }
  const isRight = isGstOf(sum) || (charges.every(({ bill }) => bill.isGstRight) && isWithin(sum, 1))
  if (isRight) return { is: "agrees", excess: 0, free }
  return { is: "wrong", excess: gst - toGst(exGst), why: describeRate(exGst, gst), free }
}

export function describeRate(exGst: number, gst: number): string {
  // A share of an amount with the opposite sign means nothing.
  const percent = gst * exGst < 0 ? "" : exGst === 0 ? "all" : `${Number(((gst / exGst) * 100).toFixed(1))} %`
  const of = percent === "" ? `, beside ${formatCents(exGst)}` : `, ${percent} of ${formatCents(exGst)}`
  return `GST is ${formatCents(gst)}${of}; 10 % is ${formatCents(toGst(exGst))}`
}

/** Amounts of one line that contradict each other, and the difference in cents. */
export function findMismatch({ exGst, gst, incGst }: Money) {
  if (exGst === null || gst === null || incGst === null || exGst + gst === incGst) return undefined
  return {
    cents: incGst - exGst - gst,
    excess: Math.max(incGst - exGst, gst) - toGst(exGst),
    why: `${formatCents(exGst)} and GST of ${formatCents(gst)} are not ${formatCents(incGst)} with GST`,
  }
}

/** If a bill does not say whether an amount holds its GST, use the reading nearer to 10 %. */
function toTaxed({ exGst, gst, incGst, unspecifiedGstCents }: Money): Taxed {
  const tax = gst ?? 0
  if (exGst !== null) return { exGst, gst: tax }
  if (incGst !== null) return { exGst: incGst - tax, gst: tax }
  const amount = unspecifiedGstCents ?? 0
  const isOnTop = Math.abs(tax * 10 - amount) <= Math.abs(tax * 11 - amount)
  return { exGst: isOnTop ? amount : amount - tax, gst: tax }
}
