/** Finds what is wrong with the charges of a consignment, by its booking: pure, in exact cents. */
import { BILL_CURRENCY, type Charge, isDisputed, VERDICT_ORDER, type Verdict } from "../verdicts.ts"
import { listSome } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatCents } from "../../base/money.ts"
import type { GstBasis } from "../../ledger/index.ts"
import { getAmount, getChargedCents, getGstBasis, sumCharges } from "../money.ts"
import type { BillLine } from "../bill.ts"
import type { Booking, Quote } from "../matching/booking.ts"
import { type Doubles, type EarlierCharge, findDoubles, withoutCredits } from "./doubles.ts"
import { checkGst, type GstCheck } from "../gst.ts"
import { bookingOf, type Consignment, type Unmatched } from "../matching/match.ts"
import { comparePrice, describeReading, getAllowed, type PriceComparison, type Tolerance } from "./price.ts"

/** A consignment with its charges, and its charges on earlier audited bills. */
export interface ChargedConsignment extends Pick<Consignment, "match"> {
  charges: readonly BillLine[]
  before: readonly EarlierCharge[]
  /** The billed service if it differs from the booked one; undefined if that is unknown. */
  otherService?: string | undefined
}

export interface Assessment {
  /** Worst first. */
  verdicts: readonly Verdict[]
  why: string
  /** Whether `quoted`, `billed` and the others hold GST. */
  gst: GstBasis
  quoted: number | null
  billed: number
  difference: number | null
  disputed: number
  /** The GST above 10 % in `disputed`. */
  disputedGst: number
  /** The charges that are disputed, if they are known. */
  disputedCharges: readonly BillLine[]
  gstCheck: GstCheck["is"]
}

interface Compared extends ChargedConsignment {
  booked: Booking | undefined
  tolerance: Tolerance
  quote: Quote | undefined
  doubles: Doubles
  /** Undefined if no price was quoted. */
  price: PriceComparison | undefined
  basis: GstBasis
  billed: number
  gst: GstCheck
}

/** The reason, and the cents to dispute. */
interface Finding {
  why: string
  disputed?: number
  charges?: readonly BillLine[]
}

const ALL = Number.POSITIVE_INFINITY

/** @param isRight nothing worse than GST was found */
type Check = (compared: Compared, isRight: boolean) => Finding | false | undefined

/** Texts that letters to carriers replace. */
export const NOT_KNOWN = "neither the ledger nor the API knows it"
export const NOT_SCANNED = "nothing was scanned, and there is no pickup"
export const UNKNOWN_HOME = "the booking does not say whether it is a home"

const CHECKS: Readonly<Record<Verdict, Check>> = {
  "billed-twice": ({ doubles: { doubled, why }, basis }) =>
    doubled.length > 0 && { why, disputed: getAmount(basis, sumCharges(doubled)), charges: doubled },
  "not-ours": (compared) => isNotOurs(compared) && { why: NOT_KNOWN, disputed: ALL },
  cancelled: ({ booked }) =>
    booked?.isCancelled && { why: booked.cancelledBy ?? "the shipment is cancelled", disputed: ALL },
  "payer-is-another": ({ booked }) =>
    (booked?.payer === "Receiver" || booked?.payer === "ThirdParty") && {
      why: `the booking says that ${booked.payer === "Receiver" ? "the receiver" : "a third party"} pays`,
      disputed: ALL,
    },
  "not-collected": ({ match }) =>
    match.is === "booked" &&
    match.collected === "no" &&
    !match.booking.hasPickup &&
    !match.booking.isCancelled && { why: NOT_SCANNED, disputed: ALL },
  "wrong-service": ({ booked, otherService }) =>
    booked && otherService !== undefined && { why: `billed as ${otherService}, booked as ${booked.service}` },
  "wrong-weight": findMoreWeight,
  over: (compared) => {
    const { price, billed } = compared
    if (price?.is !== "over") return undefined
    const causes = findCauses(compared, price)
    const words = [...new Set(causes.map(({ text }) => text))].join(", ")
    return {
      why: describeDifference(compared, price, "more") + (words === "" ? "" : `: ${words}`),
      disputed: Math.min(price.difference, billed),
      charges: causes.map(({ line }) => line),
    }
  },
  "wrong-gst": ({ gst: { is, why = "" } }) => is === "wrong" && { why },
  under: (compared) => {
    const { price } = compared
    return price?.is === "under" && { why: describeDifference(compared, price, "less") }
  },
  "cannot-tell": (compared) => {
    const reasons = listUncertainties(compared)
    return reasons.length > 0 && { why: reasons.join("; ") }
  },
  "no-price": ({ booked, price }, isRight) => isRight && !price && { why: describeNoPrice(booked) },
  agrees: (compared, isRight) => {
    const { price, before } = compared
    if (isRight && price?.is === "over")
      return {
        why: `a credit; what was billed before is still ${describeDifference(compared, price, "more")}`,
      }
    const rest = before.length > 0 ? ", with what was billed before" : ""
    return isRight && price && { why: `as quoted${rest}${describeReading(price, compared.quote)}` }
  },
}

/** @param tolerance allowed difference from the quote */
export function assess(consignment: ChargedConsignment, tolerance: Tolerance): Assessment {
  const { charges, before } = consignment
  const booked = bookingOf(consignment)
  const total = sumCharges(charges)
  const quote = booked?.quote?.currency === BILL_CURRENCY ? booked.quote : undefined
  const doubles = findDoubles(
    charges,
    before,
    (kept) => quote !== undefined && comparePrice(quote, kept, tolerance).is !== "over",
  )
  const price = quote && comparePrice(quote, [...before, doubles.kept], tolerance)
  const basis = price?.gst ?? getGstBasis(total)
  const billed = getAmount(basis, total)
  const gst = checkGst(charges)
  const common = { gst: basis, quoted: price ? price.quoted : null, billed, gstCheck: gst.is }
  if (booked && isCredited(consignment))
    return {
      ...common,
      verdicts: ["agrees"],
      why: "charged and credited in full: nothing is asked for it",
      difference: price ? 0 : null,
      disputed: 0,
      disputedGst: 0,
      disputedCharges: [],
    }
  const compared = { ...consignment, booked, tolerance, quote, doubles, price, basis, billed, gst }
  const findings = new Map<Verdict, Finding>()
  const isCredit = charges.every((each) => getChargedCents(each) <= 0)
  const unproven = isUnproven(consignment)
  for (const verdict of VERDICT_ORDER) {
    // A credit asks for nothing, and an unproven number may be misread: neither is disputed.
    if ((isCredit || unproven) && isDisputed(verdict)) continue
    const isRight = findings.size === (findings.has("wrong-gst") ? 1 : 0)
    const finding = CHECKS[verdict](compared, isRight)
    if (finding) findings.set(verdict, finding)
  }
  const reasons = [...findings.values()].reduce((cents, { disputed = 0 }) => cents + disputed, 0)
  // GST above 10 % is never a dispute by itself, and an amount with GST holds it already.
  const isHeld = reasons === 0 || (price?.is === "over" && price.gst === "included")
  const excess = isHeld ? 0 : Math.max(0, gst.excess)
  const disputed = unproven ? 0 : Math.max(0, Math.min(reasons + excess, billed))
  const places = disputed > 0 ? describePlaces(charges) : []
  return {
    ...common,
    verdicts: [...findings.keys()],
    why: [...[...findings.values()].map(({ why }) => why), ...describeFreeOfGst(gst), ...places].join("; "),
    difference: price ? price.difference + getAmount(basis, sumCharges(doubles.doubled)) : null,
    disputed,
    disputedGst: reasons + excess > disputed ? 0 : excess,
    disputedCharges: [...findings.values()].flatMap((finding) => finding.charges ?? []),
  }
}

/** Whether all charges, here and on earlier bills, were credited. */
function isCredited({ charges, before }: ChargedConsignment): boolean {
  const sums = [sumCharges(charges), ...before].map(getChargedCents)
  const isGivenBack = charges.some((each) => getChargedCents(each) < 0)
  return isGivenBack && sums.reduce((all, each) => all + each, 0) === 0
}

/** A credit asks for nothing, whichever consignment it belongs to. */
function isNotOurs({ match, charges }: ChargedConsignment): boolean {
  return match.is === "unknown" && getChargedCents(sumCharges(charges)) > 0
}

/** Whether its number was read from a PDF and matches no booking. */
function isUnproven({ match, charges }: ChargedConsignment): boolean {
  return match.is !== "booked" && charges.some(({ bill }) => bill.isPdf)
}

/** Maximum number of lines listed for a page. */
const MAX_PLACES = 5

/** The position of charges in a PDF: `page 2, lines 14, 15`. */
function describePlaces(charges: readonly BillLine[]): string[] {
  const pages = groupBy(
    charges.filter(({ page }) => page !== undefined),
    ({ page }) => page,
  )
  return Array.from(pages, ([page, some]) => {
    const lines = [...new Set(some.map(({ line }) => String(line)))]
    return `page ${page}, line${lines.length === 1 ? "" : "s"} ${listSome(lines, MAX_PLACES)}`
  })
}

/** Why nothing is compared, by the state of the consignment. */
const WHY_UNMATCHED: {
  [Is in Unmatched["is"]]: (match: Extract<Unmatched, { is: Is }>, labels: string) => string
} = {
  unknown: () => "a credit for what neither the ledger nor the API knows",
  unlike: () => `${NOT_KNOWN}, and your shipments have no numbers like it`,
  unasked: () => "the ledger does not know it, and the API was not asked",
  several: ({ fits }) => `it fits several bookings: ${fits}`,
  other: ({ fits }) => `its number is unknown; the reference or order number is that of ${fits}`,
  damaged: () => "a spreadsheet shortened its number, and the last digits are gone",
  nameless: (_, labels) => `the bill names no consignment for ${labels}`,
}

export function describeLabels(charges: readonly BillLine[]): string {
  const labels = [...new Set(charges.map(({ label }) => label).filter((label) => label !== ""))]
  return labels.join(", ") || `${formatCents(getChargedCents(sumCharges(charges)))} without a label`
}

function listUncertainties(compared: Compared): string[] {
  const { match, charges, price } = compared
  const reasons: string[] = []
  if (match.is === "unknown" && isUnproven(compared))
    reasons.push(`${NOT_KNOWN}; its number was read from a PDF: compare it with the page`)
  else if (match.is !== "booked" && !isNotOurs(compared)) {
    const describe = WHY_UNMATCHED[match.is] as (match: Unmatched, labels: string) => string
    reasons.push(describe(match, describeLabels(charges)))
  }
  if (price?.is === "unclear")
    reasons.push(
      `less than the quote of ${formatCents(price.quoted)} if that is without GST, more if it includes GST: neither the carrier nor the bill says`,
    )
  return reasons
}

/** Tolerance for a carrier's re-weighing: carriers round up to the kilogram. */
const MORE_GRAMS = 1000
const MORE_SHARE = 1.02

function findMoreWeight({ booked, charges, price }: Compared): Finding | undefined {
  const billed = charges.reduce((most, { grams }) => Math.max(most, grams ?? 0), 0)
  const allowed = (grams: number) => Math.max(grams * MORE_SHARE, Math.ceil(grams / MORE_GRAMS) * MORE_GRAMS)
  if (!booked?.grams || billed <= allowed(booked.grams)) return undefined
  // The volume explains the weight, unless the quote did not foresee its price.
  const isVolume = booked.cubicGrams !== undefined && billed <= allowed(booked.cubicGrams)
  if (isVolume && price?.is !== "over") return undefined
  return { why: `billed for ${billed / 1000} kg, booked with ${booked.grams / 1000} kg` }
}

function describeDifference({ quote }: Compared, price: PriceComparison, word: "more" | "less"): string {
  const amount = Math.abs(price.difference)
  const percent = price.quoted > 0 ? `, ${((amount / price.quoted) * 100).toFixed(1)} %` : ""
  return `${formatCents(amount)} ${word} than quoted${percent}${describeReading(price, quote)}`
}

/** Names for kinds of charge that have no words in the bill, only a column. */
const CHARGE_WORDS: Readonly<Partial<Record<Charge, string>>> = {
  freight: "freight",
  fuel: "fuel levy",
  residential: "residential delivery",
  "dangerous-goods": "dangerous goods",
}

function describeCharge({ charge, label }: BillLine): string {
  const words = CHARGE_WORDS[charge]
  return words !== undefined && !/[ -]/.test(label) ? words : label.toLowerCase()
}

/** Finds the charges that explain the difference to the quote, and names them. */
function findCauses(
  { booked, charges, doubles: { doubled }, tolerance }: Compared,
  price: PriceComparison,
): { line: BillLine; text: string }[] {
  const seen = new Set<string>()
  const causes = withoutCredits(charges).flatMap((each) => {
    if (each.charge === "tax" || each.charge === "freight" || doubled.includes(each)) return []
    const cents = getAmount(price.gst, sumCharges([each]))
    const name = describeCharge(each)
    const key = `${name} ${cents}`
    const isRepeat = seen.has(key)
    seen.add(key)
    if (isRepeat) return [{ line: each, text: `${name} is charged twice`, cents, isSure: true }]
    if (each.charge === "residential" && booked?.isToHome === undefined)
      return [{ line: each, text: `${name} (${UNKNOWN_HOME})`, cents, isSure: false }]
    const isBooked = each.charge === "residential" ? booked?.isToHome : booked?.dangerousGoods
    if ((each.charge === "residential" || each.charge === "dangerous-goods") && !isBooked)
      return [{ line: each, text: `${name}, not booked`, cents, isSure: false }]
    return each.charge === "other" ? [{ line: each, text: name, cents, isSure: true }] : []
  })
  const allowed = getAllowed(price.quoted, tolerance)
  const { unspecifiedGstCents } = sumCharges(charges.filter((each) => !doubled.includes(each)))
  // An amount of unknown GST basis may explain the difference as it stands.
  const differences = [
    price.difference,
    ...(unspecifiedGstCents === null ? [] : [unspecifiedGstCents - price.quoted]),
  ]
  const isExplained = (some: readonly { cents: number }[]) => {
    const sum = some.reduce((all, { cents }) => all + cents, 0)
    return differences.some((difference) => Math.abs(difference - sum) <= allowed)
  }
  const one = causes.find((each) => isExplained([each]))
  const named = one ? [one] : isExplained(causes) ? causes : causes.filter(({ isSure }) => isSure)
  return named.filter(({ cents }) => cents <= Math.max(...differences) + allowed)
}

function describeNoPrice(booked: Compared["booked"]): string {
  if (booked?.quote)
    return `quoted in ${booked.quote.currency}: only ${BILL_CURRENCY} can be compared with a bill`
  return booked?.from === "api"
    ? "booked elsewhere: no quoted price is known"
    : "booked without a rate: no quoted price is known"
}

function describeFreeOfGst({ is, free }: GstCheck): string[] {
  if (is === "none") return ["no GST is charged (0 %)"]
  if (free.length === 0) return []
  return [`no GST (0 %) on ${[...new Set(free.map((label) => label || "freight"))].join(", ")}`]
}
