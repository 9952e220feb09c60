/** Amounts of bills, in integer cents: with GST, without it, or not stated. */
import { toExGst, toIncGst } from "../base/money.ts"
import type { Basis } from "../input/index.ts"
import type { Charge } from "./verdicts.ts"
import type { GstBasis } from "../ledger/index.ts"

/** The amount that a bill asks for, in integer cents; null where it does not say. */
export interface Money {
  readonly exGst: number | null
  readonly gst: number | null
  readonly incGst: number | null
  /** An amount that may or may not include GST. */
  readonly unspecifiedGstCents: number | null
}

/** An amount and its GST, both known, in integer cents. */
export interface Taxed {
  exGst: number
  gst: number
}

export const NO_MONEY: Money = { exGst: null, gst: null, incGst: null, unspecifiedGstCents: null }

/** Cents without GST of 10 %; an amount of unknown basis is returned as it is. */
export function withoutGst(cents: number, basis: string): number {
  return basis === "included" ? toExGst(cents) : cents
}

/** The amount asked for, on the first basis that the bill gives. */
export function getChargedCents({ exGst, incGst, unspecifiedGstCents }: Money): number {
  return exGst ?? incGst ?? unspecifiedGstCents ?? 0
}

/** The GST that lines charge by themselves, beside that of other lines. */
export function sumTaxLines(lines: readonly (Money & { charge: Charge })[]): number {
  const taxes = lines.filter(({ charge }) => charge === "tax")
  return taxes.reduce((sum, line) => sum + (line.gst ?? getChargedCents(line)), 0)
}

export function sumOf(lines: readonly Money[], name: keyof Money): number {
  return lines.reduce((sum, line) => sum + (line[name] ?? 0), 0)
}

export function getGstBasis({ exGst, incGst }: Money): GstBasis {
  return exGst !== null ? "excluded" : incGst !== null ? "included" : "unknown"
}

/** An amount with and without GST. */
export interface GstReading {
  exGst: number
  incGst: number
  /** How it was read, if the bill does not state GST. */
  read?: "with" | "without"
}

/** The possible amounts with and without GST: two readings if the bill does not state the basis. */
export function listReadings({ exGst, gst, incGst, unspecifiedGstCents }: Money): GstReading[] {
  if (unspecifiedGstCents !== null)
    return [
      { exGst: unspecifiedGstCents, incGst: toIncGst(unspecifiedGstCents), read: "without" },
      { exGst: toExGst(unspecifiedGstCents), incGst: unspecifiedGstCents, read: "with" },
    ]
  if (exGst === null && incGst === null) return [{ exGst: 0, incGst: 0 }]
  if (exGst !== null)
    return [{ exGst, incGst: incGst ?? exGst + toLawfulGst(gst, exGst, toIncGst(exGst) - exGst) }]
  const worked = (incGst ?? 0) - toExGst(incGst ?? 0)
  return [{ exGst: (incGst ?? 0) - toLawfulGst(gst, incGst ?? 0, worked), incGst: incGst ?? 0 }]
}

/** Limits stated GST to 10 %, as a part may be GST-free; GST above 10 % is judged separately from the price. */
function toLawfulGst(stated: number | null, amount: number, worked: number): number {
  return stated !== null && stated * amount >= 0 && Math.abs(stated) < Math.abs(worked) ? stated : worked
}

/** Cents on a basis, calculated if the bill does not state them. */
export function getAmount(basis: GstBasis, amounts: Money): number {
  if (amounts.unspecifiedGstCents !== null) return amounts.unspecifiedGstCents
  const [reading] = listReadings(amounts)
  return (basis === "included" ? reading?.incGst : reading?.exGst) ?? 0
}

/** Cents on a basis, or else on the one that the bill gives. */
export function getStatedAmount(basis: GstBasis, { exGst, gst, incGst, unspecifiedGstCents }: Money): number {
  return (basis === "included" ? (incGst ?? exGst) : (exGst ?? incGst)) ?? unspecifiedGstCents ?? gst ?? 0
}

/** The sum of charges. If the basis of one is unknown, so is that of the sum. */
export function sumCharges(charges: readonly (Money & { charge: Charge })[]): Money {
  const taxes = charges.filter(({ charge }) => charge === "tax")
  const others = charges
    .filter(({ charge }) => charge !== "tax")
    .map((each) => resolveGst(each, taxes.length > 0))
  if (others.some(({ unspecifiedGstCents }) => unspecifiedGstCents !== null)) {
    const unspecifiedGstCents = others.reduce(
      (sum, each) => sum + (each.unspecifiedGstCents ?? each.exGst ?? each.incGst ?? 0),
      0,
    )
    return { ...NO_MONEY, unspecifiedGstCents }
  }
  const add = (name: "exGst" | "gst" | "incGst") =>
    others.every((each) => each[name] !== null) ? sumOf(others, name) : null
  const [exGst, gst, incGst] = [add("exGst") ?? addMixed(others), add("gst"), add("incGst")]
  if (taxes.length === 0) return { exGst, gst, incGst, unspecifiedGstCents: null }
  const allGst = (gst ?? 0) + sumTaxLines(taxes)
  return { exGst, gst: allGst, incGst: exGst === null ? incGst : exGst + allGst, unspecifiedGstCents: null }
}

/** Charges with GST and charges without it add up to a sum without it. Null if one basis has them all. */
export function addMixed(charges: readonly Money[]): number | null {
  if (charges.every(({ incGst }) => incGst !== null)) {
    // GST-free amounts are the same on both bases.
    const [free, others] = [charges.filter(isFree), charges.filter((each) => !isFree(each))]
    if (free.length === 0 || others.some(({ exGst }) => exGst !== null)) return null
    return sumOf(free, "exGst") + toExGst(sumOf(others, "incGst"))
  }
  if (charges.some(({ exGst, incGst }) => exGst === null && incGst === null)) return null
  return charges.reduce((sum, { exGst, incGst }) => sum + (exGst ?? toExGst(incGst ?? 0)), 0)
}

const isFree = ({ exGst, gst }: Money) => exGst !== null && gst === 0

/** Rounded GST may differ by this many cents. */
const ROUNDED = 2

/** Whether amounts hold the GST beside them: if it is a tenth of them or an eleventh, but not both. */
export function readBasisByGst(cents: number, gst: number, lines = 1): Basis | undefined {
  const near = (share: number) =>
    Math.abs(Math.abs(cents) / share - Math.abs(gst)) <= Math.max(ROUNDED, lines)
  return near(10) === near(11) ? undefined : near(10) ? "exGst" : "incGst"
}

/** Decides whether an amount holds GST, by the line's own GST or by separate GST lines. */
export function resolveGst(line: Money, hasTaxLines: boolean): Money {
  const { unspecifiedGstCents, gst } = line
  if (unspecifiedGstCents === null) return line
  const basis = gst === null ? undefined : readBasisByGst(unspecifiedGstCents, gst)
  if (gst !== null && basis === "exGst")
    return { exGst: unspecifiedGstCents, gst, incGst: unspecifiedGstCents + gst, unspecifiedGstCents: null }
  if (gst !== null && basis === "incGst")
    return { exGst: unspecifiedGstCents - gst, gst, incGst: unspecifiedGstCents, unspecifiedGstCents: null }
  return hasTaxLines ? { ...NO_MONEY, exGst: unspecifiedGstCents } : line
}

/** GST stated for several lines together, in cents. */
export interface StatedGst {
  gst: number
  /** The amount that it is 10 % of. */
  exGst: number
  lines: number
}
