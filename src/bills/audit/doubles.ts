/** Finds charges that are billed twice: in one bill, in another, or after an earlier audited bill. */
import path from "node:path"
import type { Charge } from "../verdicts.ts"
import { type Money, getChargedCents, NO_MONEY, sumCharges } from "../money.ts"
import type { BillLine } from "../bill.ts"

export interface EarlierCharge extends Money {
  number: string
  auditedAt: string
  charges: readonly Charge[]
}

export interface Doubles {
  /** The charges without the duplicates. */
  kept: Money
  doubled: readonly BillLine[]
  why: string
}

/** @param fits whether sums are at most the quote: a bill that agrees with it charges nothing twice */
export function findDoubles(
  charges: readonly BillLine[],
  before: readonly EarlierCharge[],
  fits: (kept: readonly Money[]) => boolean,
): Doubles {
  const none = { kept: sumCharges(charges), doubled: [], why: "" }
  if (fits([...before, none.kept])) return none

  const positive = withoutCredits(charges)
  const isOpen = before.reduce((sum, each) => sum + getChargedCents(each), 0) > 0
  const [first] = isOpen ? before.filter(({ charges: kinds }) => kinds.includes("freight")) : []
  if (first && positive.some(({ charge }) => charge === "freight")) {
    return {
      kept: NO_MONEY,
      doubled: positive,
      why: `${describeEarlier(first.number)}${first.auditedAt.slice(0, 10)}`,
    }
  }
  const repeated = findRepeats(positive)
  if (repeated.size > 0) {
    const isOneBill = new Set(positive.map(({ bill }) => bill)).size === 1
    return {
      kept: sumCharges(charges.filter((each) => !repeated.has(each))),
      doubled: [...repeated],
      why: `charged ${isOneBill ? "twice in this bill" : `again in ${listBills([...repeated])}`}`,
    }
  }
  return findSecondBill(positive, fits) ?? none
}

/** The beginning of the reason when an earlier bill charged it; the day follows. Disputes store this text, so do not change it. */
export function describeEarlier(number: string): string {
  return `charged before in ${number === "" ? "an earlier bill" : `bill ${number}`}, audited on `
}

/** Finds charges with another amount in a second bill: the bill that fits the quote counts, or the first. */
function findSecondBill(
  positive: readonly BillLine[],
  fits: (kept: readonly Money[]) => boolean,
): Doubles | undefined {
  const bills = new Set(positive.filter(({ charge }) => charge === "freight").map(({ bill }) => bill))
  const [first] = bills
  if (bills.size < 2) return undefined
  const right =
    [...bills].find((bill) => fits([sumCharges(positive.filter((each) => each.bill === bill))])) ?? first
  const doubled = positive.filter(({ bill }) => bill !== right && bills.has(bill))
  return {
    kept: sumCharges(positive.filter((each) => !doubled.includes(each))),
    doubled,
    why: `charged again in ${listBills(doubled)}`,
  }
}

/** By their numbers, or by their files where they have none. */
function listBills(lines: readonly BillLine[]): string {
  const names = lines.map(({ bill: { number, file } }) =>
    number === "" ? path.basename(file) : `bill ${number}`,
  )
  return [...new Set(names)].join(", ")
}

/** Leaves out credits, and charges that a credit of the same amount cancels. */
export function withoutCredits(charges: readonly BillLine[]): BillLine[] {
  const credits = charges.map(getChargedCents).filter((cents) => cents < 0)
  return charges.filter((each) => {
    const cents = getChargedCents(each)
    const at = credits.indexOf(-cents)
    if (cents > 0 && at >= 0) {
      credits.splice(at, 1)
      return false
    }
    return cents > 0
  })
}

/** Lines with the same words and amount as an earlier line, and for no other item of the consignment. */
function findRepeats(charges: readonly BillLine[]): Set<BillLine> {
  const seen = new Set<string>()
  const repeats = new Set<BillLine>()
  for (const each of charges) {
    const key = `${each.charge} ${each.label.toLowerCase()} ${each.grams ?? ""} ${each.item ?? ""} ${getChargedCents(each)}`
    if (seen.has(key)) repeats.add(each)
    seen.add(key)
  }
  // One charge of several may be for a second item; freight is charged once.
  return [...repeats].some(({ charge }) => charge === "freight") ? repeats : new Set()
}
