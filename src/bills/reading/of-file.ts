/** The totals and GST statements of a file's sheets about all their rows. */
import { formatCents } from "../../base/money.ts"
import { quoted } from "../../base/parsed.ts"
import { FreightError } from "../../base/errors.ts"
import type { BasisWords } from "../bill.ts"
import type { BillDraft } from "./list.ts"
import type { StatedGst } from "../money.ts"
import { findContradictedSummary, findRightSummary, findStatedGst, type Summary } from "./summary.ts"
import { createSums, findSaidBasis, isSumOfAll, type SaidTotal, type Sums } from "./totals.ts"

/** The bills of a file so far: a sheet may continue the bills of the sheets before it. */
export interface BillsOfFile {
  /** By supplier and number. */
  byHead: Map<string, BillDraft>
  last: BillDraft | undefined
  /** Over all sheets: one of them may have the total of all. */
  sums: Sums
  /** Sums of the rows above them. */
  said: SaidTotal[]
  /** The ones that differ from those rows. */
  contradicted: (SaidTotal & { place: string; name: string; isAbove?: boolean })[]
  /** Right totals of all rows above them, with charges below that no other total has. */
  outgrown: (SaidTotal & { place: string; name: string; from: string })[]
  /** Sheets that sum up the sheets that are read. */
  summaries: readonly Summary[]
}

export const createBillsOfFile = (summaries: readonly Summary[] = []): BillsOfFile => ({
  byHead: new Map(),
  last: undefined,
  sums: createSums(),
  said: [],
  contradicted: [],
  outgrown: [],
  summaries,
})

/** @param givenTotal the sum of the charges that a person gives, in cents */
export function refuseContradictions(
  name: string,
  { sums, contradicted, outgrown, summaries }: BillsOfFile,
  givenTotal?: number,
): void {
  const summed = findContradictedSummary(summaries, sums)
  if (summed && !summed.sums.some((cents) => cents === givenTotal))
    throw refuseContradicted(`${name}, sheet ${quoted(summed.sheet)}`, summed, "the rows of all other sheets")
  const [wrong] = contradicted.filter(
    (each) => !isSumOfAll(each.amounts, sums) && !each.sums.some((cents) => cents === givenTotal),
  )
  if (wrong) throw refuseContradicted(wrong.name, wrong, wrong.isAbove ? "the rows below it" : undefined)
  const [short] = outgrown.filter(({ rowsCents }) => rowsCents !== givenTotal)
  if (short) throw refuseOutgrown(short)
}

/** Sets the GST that a summary states on the file's only bill, if its rows state none. */
export function stateGst({ byHead, sums, summaries }: BillsOfFile): void {
  const [bill, ...others] = byHead.values()
  const right = bill && others.length === 0 ? findRightSummary(summaries, sums) : undefined
  const stated = right && findStatedGst(right)
  if (
    bill &&
    stated &&
    !bill.stated &&
    bill.lines.every(({ gst, charge }) => gst === null && charge !== "tax")
  )
    bill.stated = stated
}

/** Sets the GST basis that its sums state on the file's only bill, if they agree. */
export function stateBasis({ byHead, sums, said }: BillsOfFile): void {
  const [bill, ...others] = byHead.values()
  const words = said.flatMap((each): BasisWords[] => {
    const basis = findSaidBasis(each, sums)
    return basis ? [{ basis, text: each.label }] : []
  })
  const [first] = words
  const agree = words.every(({ basis }) => basis === first?.basis)
  if (bill && others.length === 0 && first && agree) bill.basisWords ??= first
}

function refuseContradicted(
  name: string,
  { place, label, cents, rowsCents }: SaidTotal & { place: string },
  rows = "the rows above it",
): FreightError {
  return new FreightError(
    "input",
    `${name}: ${place}: ${quoted(label)} is ${formatCents(cents)}, and ${rows} come to ${formatCents(rowsCents)}; nothing was audited`,
    {
      hint: `Ask the carrier which is right. If it is what the rows come to: --total ${formatCents(rowsCents).replaceAll(",", "")}`,
    },
  )
}

function refuseOutgrown({
  name,
  place,
  label,
  cents,
  rowsCents,
  from,
}: BillsOfFile["outgrown"][number]): FreightError {
  return new FreightError(
    "input",
    `${name}: ${place}: ${quoted(label)} is ${formatCents(cents)}, the sum of the rows above it, and with the rows below it, from ${from} on, all come to ${formatCents(rowsCents)}; nothing was audited`,
    {
      hint: `If the rows below it are not charges, remove them. If they are: --total ${formatCents(rowsCents).replaceAll(",", "")}`,
    },
  )
}

/** Adds the GST that sheets of a bill state, each for its own rows. */
export function addStated(before: StatedGst | undefined, stated: StatedGst): StatedGst {
  if (!before) return stated
  return {
    gst: before.gst + stated.gst,
    exGst: before.exGst + stated.exGst,
    lines: before.lines + stated.lines,
  }
}
