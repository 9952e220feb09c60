/**
 * Assesses charges for the whole bill. They are compared with what its consignments are below their quotes in total,
 * and never spread over them.
 */
import { BILL_CURRENCY } from "../verdicts.ts"
import { formatCents } from "../../base/money.ts"
import { getAmount, sumCharges, withoutGst } from "../money.ts"
import type { BillLine } from "../bill.ts"
import { checkGst } from "../gst.ts"
import { comparePrice, type PriceComparison, type Tolerance } from "./price.ts"
import { type Assessment, describeLabels } from "./verdicts.ts"

/** By how much the consignments of a bill are below their quotes, in cents without GST. Each assessed charge reduces it. */
export interface Lack {
  cents: number
  /**
   * The same with an allowance for the consignments that are overcharged or unknown, if the charge is a share of what
   * is billed.
   */
  mostCents: number
  isKnown: boolean
}

/** A consignment's price comparison: amounts on the basis `gst`. */
interface AssessedPrice {
  gst: string
  billedCents: number
  /** Undefined if nothing was quoted. */
  differenceCents: number | undefined
}

export function findLack(consignments: readonly AssessedPrice[]): Lack {
  let [cents, billed, others] = [0, 0, 0]
  let lacking = 0
  for (const { gst, billedCents, differenceCents = 0 } of consignments) {
    if (differenceCents < 0) {
      cents += withoutGst(-differenceCents, gst)
      billed += withoutGst(billedCents, gst)
      lacking++
    } else others += withoutGst(billedCents, gst)
  }
  const isUsual = lacking * 2 >= consignments.length && billed > 0
  return {
    cents,
    mostCents: cents + (isUsual ? Math.round((others * cents) / billed) : 0),
    isKnown: isUsual || consignments.every(({ differenceCents }) => differenceCents !== undefined),
  }
}

/**
 * Compares charges with the shortfall of the consignments. `fits` also if consignments that are not under would have to
 * lack as much.
 */
function compareWithLack(charges: readonly BillLine[], lack: Lack, tolerance: Tolerance): PriceComparison {
  const total = sumCharges(charges)
  const compare = (cents: number) =>
    comparePrice({ cents, basis: "excluded", currency: BILL_CURRENCY }, [total], tolerance)
  const least = compare(lack.cents)
  if (least.is !== "over" || lack.mostCents === lack.cents) return least
  const most = compare(lack.mostCents)
  return most.is === "over" ? most : { ...most, is: "fits" }
}

/**
 * Assesses charges of a whole bill; undefined if nothing can be said.
 * @param all the bill's charges without a consignment: together they may be what the consignments lack
 * @param lack reduced by what the charges take
 */
export function assessOfBill(
  charges: readonly BillLine[],
  all: readonly BillLine[],
  lack: Lack,
  tolerance: Tolerance,
): Assessment | undefined {
  const { cents } = lack
  const billed = getAmount("excluded", sumCharges(charges))
  if (billed <= 0) return undefined
  const isWhole = compareWithLack(all, lack, tolerance).is === "fits"
  const price = compareWithLack(charges, lack, tolerance)
  const labels = describeLabels(charges)
  const gst = checkGst(charges)
  const common = { gst: "excluded", quoted: null, billed, gstCheck: gst.is } as const
  if (isWhole || price.is === "fits") {
    if (!isWhole) Object.assign(lack, { cents: 0, mostCents: 0 })
    const isWrong = gst.is === "wrong"
    const why = `${labels} is for the whole bill, whose consignments lack ${formatCents(cents)} of their quotes`
    return {
      ...common,
      verdicts: isWrong ? ["wrong-gst"] : ["agrees"],
      why: isWrong ? `${gst.why}; ${why}` : why,
      difference: null,
      ...{ disputed: 0, disputedGst: 0, disputedCharges: [] },
    }
  }
  if (price.is !== "over" || !lack.isKnown) return undefined
  Object.assign(lack, { cents: 0, mostCents: 0 })
  return {
    ...common,
    verdicts: ["over"],
    why: `${labels} is for the whole bill: ${formatCents(price.difference)} more than its consignments lack of their quotes, ${formatCents(cents)}`,
    difference: price.difference,
    disputed: Math.min(price.difference, billed),
    disputedGst: 0,
    disputedCharges: [],
  }
}
