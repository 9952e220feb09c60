/** The cost of each bill line without GST, and its GST, as the bill has them: pure, in exact cents. */
import { formatCents, share, toExGst } from "../base/money.ts"
import { FreightError } from "../base/errors.ts"
import { isGstOf } from "./gst.ts"
import { getChargedCents, readBasisByGst, resolveGst, sumTaxLines, type Taxed } from "./money.ts"
import { type Bill, type BillLine, sumBill } from "./bill.ts"

/** An amount of a bill. A bill's entries add up to its amount, and their GST to its GST, to the cent. */
export interface Entry extends Taxed {
  /** Absent for amounts of the whole bill: shipping, a discount, rounding. */
  line?: BillLine
}

/** A line whose GST is not known yet. */
interface OpenLine {
  line: BillLine
  cents: number
  basis: "exGst" | "incGst" | "unspecifiedGstCents"
}

interface Read {
  entries: Entry[]
  open: OpenLine[]
}

/**
 * @param consignments the bill's lines, by consignment: a line of GST alone belongs to those beside it
 * @param givenGst cents of GST of the whole bill without its sign, if a person gives them
 */
export function listEntries(
  bill: Bill,
  consignments: readonly (readonly BillLine[])[],
  givenGst?: number,
): Entry[] {
  const name = bill.number === "" ? bill.file : `bill ${bill.number}`
  const { entries, open, gst } = readConsignments(consignments, name)
  const known = entries.reduce((sum, entry) => sum + entry.gst, 0)
  const isCredit = getChargedCents(sumBill(bill)) < 0
  const all =
    (isCredit && givenGst !== undefined ? 0 - givenGst : givenGst) ?? bill.summary?.gst ?? bill.stated?.gst
  const rest = findRest(bill, entries, open, name)
  if (open.length > 0) {
    const isFree = all === undefined && gst === 0 && bill.statesGst === true
    if (all === undefined && gst === 0 && !isFree)
      throw new FreightError("input", `${name} does not say how much GST is in it`, {
        hint: 'Name the column that has it with --map "COLUMN=gst", or give the GST of the whole bill with --gst: 0 for none.',
      })
    entries.push(...spreadWithRest(open, rest, isFree ? 0 : all === undefined ? gst : all - known, name))
  } else {
    const tax = consignments.flat().find(({ charge }) => charge === "tax")
    if (gst !== 0) addGst(entries, gst, tax)
    const left = all === undefined ? 0 : all - known - gst
    if (rest) entries.push({ ...rest, gst: left })
    else {
      refuseGst(left, all ?? 0, entries, name)
      addGst(entries, left)
    }
  }
  return entries.filter((entry) => entry.exGst !== 0 || entry.gst !== 0)
}

/** If the GST belongs to amounts that only the summary has, the lines have none. */
function spreadWithRest(open: readonly OpenLine[], rest: Entry | undefined, gst: number, name: string) {
  if (!rest) return spreadGst(open, gst, name)
  if (gst !== 0 && Math.abs(gst * 10 - rest.exGst) <= ROUNDED * 10)
    return [...spreadGst(open, 0, name), { ...rest, gst }]
  const shares = share(gst, [...open.map(({ cents }) => cents), rest.exGst])
  const ofRest = shares.at(-1) ?? 0
  return [...spreadGst(open, gst - ofRest, name), { ...rest, gst: ofRest }]
}

/** @returns also the GST of lines without a consignment */
function readConsignments(consignments: readonly (readonly BillLine[])[], name: string) {
  const read: Read = { entries: [], open: [] }
  let gst = 0
  for (const lines of consignments) {
    const taxes = lines.filter(({ charge }) => charge === "tax")
    const own: Read = { entries: [], open: [] }
    for (const line of lines) if (line.charge !== "tax") readLine(line, taxes.length > 0, own, name)
    const tax = sumTaxLines(taxes)
    if (taxes.length > 0 && own.open.length > 0) own.entries.push(...spreadGst(own.open.splice(0), tax, name))
    else if (tax !== 0 && own.entries.length > 0) addGst(own.entries, tax)
    else gst += tax
    read.entries.push(...own.entries)
    read.open.push(...own.open)
  }
  return { ...read, gst }
}

function readLine(line: BillLine, hasTaxLines: boolean, read: Read, name: string): void {
  const { exGst, gst, incGst, unspecifiedGstCents } = resolveGst(line, hasTaxLines)
  if (exGst !== null && gst !== null && incGst !== null && exGst + gst !== incGst)
    throw new FreightError(
      "input",
      `${name}: ${formatCents(exGst)} and GST of ${formatCents(gst)} are not ${formatCents(incGst)}${describePlace(line)}`,
      { hint: "Ask the carrier for a bill that adds up. Nothing was written." },
    )
  if (gst === 0 && unspecifiedGstCents !== null) read.entries.push({ line, exGst: unspecifiedGstCents, gst })
  else if (gst !== null && exGst !== null) read.entries.push({ line, exGst, gst })
  else if (gst !== null && incGst !== null) read.entries.push({ line, exGst: incGst - gst, gst })
  else if (gst !== null && unspecifiedGstCents !== null)
    throw new FreightError(
      "input",
      `${name} does not say whether GST of ${formatCents(gst)} is in ${formatCents(unspecifiedGstCents)}${describePlace(line)}`,
      { hint: 'Say so: --map "COLUMN=amountExGst" (without GST) or --map "COLUMN=amountIncGst" (with GST).' },
    )
  else
    read.open.push({
      line,
      cents: getChargedCents(line),
      basis: exGst !== null ? "exGst" : incGst !== null ? "incGst" : "unspecifiedGstCents",
    })
}

function describePlace({ line, pointer }: BillLine): string {
  return line !== undefined ? `, line ${line}` : pointer !== undefined ? `, ${pointer}` : ""
}

/** Shares GST among lines in proportion to their cost, exact to the cent. */
function spreadGst(open: readonly OpenLine[], gst: number, name: string): Entry[] {
  const isExGst = open.some(({ basis }) => basis === "unspecifiedGstCents")
    ? isWithout(open, gst, name)
    : true
  const shares =
    shareOfMixed(open, gst) ??
    share(
      gst,
      open.map(({ cents }) => cents),
    )
  return open.map(({ line, cents, basis }, at) => {
    const own = shares[at] ?? 0
    const isWithoutGst = basis === "exGst" || (basis === "unspecifiedGstCents" && isExGst)
    return { line, exGst: isWithoutGst ? cents : cents - own, gst: own }
  })
}

/**
 * In a mixed bill, amounts with GST hold their own, and the amounts without it share the rest.
 * @returns nothing if all are on one basis, or the rest is not a tenth of them
 */
function shareOfMixed(open: readonly OpenLine[], gst: number): number[] | undefined {
  const held = open.map(({ cents, basis }) => (basis === "incGst" ? cents - toExGst(cents) : 0))
  const weights = open.map(({ cents, basis }) => (basis === "incGst" ? 0 : cents))
  const [rest, exGst] = [gst - sum(held), sum(weights)]
  const isMixed = open.some(({ basis }) => basis === "exGst") && open.some(({ basis }) => basis === "incGst")
  if (!isMixed || !isGstOf({ gst: rest, exGst, lines: open.length })) return undefined
  const shares = share(rest, weights)
  return held.map((own, at) => own + (shares[at] ?? 0))
}

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

/** Rounding of a line, in cents. */
const ROUNDED = 1

function isWithout(open: readonly OpenLine[], gst: number, name: string): boolean {
  if (gst === 0) return true
  const cents = open.reduce((sum, each) => sum + each.cents, 0)
  const basis = readBasisByGst(cents, gst, open.length)
  if (basis) return basis === "exGst"
  throw new FreightError(
    "input",
    `${name} does not say whether GST of ${formatCents(gst)} is in its amounts of ${formatCents(cents)}`,
    { hint: 'Say so: --map "COLUMN=amountExGst" (without GST) or --map "COLUMN=amountIncGst" (with GST).' },
  )
}

/** Adds separately stated GST to the entry with the most tax; if nothing else is billed, it is an entry of its own. */
function addGst(entries: Entry[], gst: number, line?: BillLine): void {
  const [first] = entries
  if (gst === 0) return
  if (!first) {
    entries.push({ ...(line && { line }), exGst: 0, gst })
    return
  }
  const most = entries.reduce((one, other) => (Math.abs(other.gst) > Math.abs(one.gst) ? other : one), first)
  most.gst += gst
}

/** The amounts that only the summary has. */
function findRest(
  { summary, lines }: Bill,
  entries: readonly Entry[],
  open: readonly OpenLine[],
  name: string,
): Entry | undefined {
  if (!summary) return undefined
  const [known, others] = [sumEntries(entries).exGst, open.reduce((sum, { cents }) => sum + cents, 0)]
  const left = summary.lines - known - others
  if (Math.abs(left) * 2 > lines.length)
    throw new FreightError(
      "input",
      `the lines of ${name} come to ${formatCents(known + others)}, and its summary says ${formatCents(summary.lines)}`,
      { hint: "Ask the carrier which is right. Nothing was written." },
    )
  const exGst = summary.exGst - known - others
  return exGst === 0 ? undefined : { exGst, gst: 0 }
}

/** The GST of the whole bill and of its lines may differ by rounding only. */
function refuseGst(left: number, all: number, entries: readonly Entry[], name: string): void {
  if (Math.abs(left) <= ROUNDED * Math.max(1, entries.length)) return
  throw new FreightError(
    "input",
    `the GST of the lines of ${name} comes to ${formatCents(all - left)}, and the bill says ${formatCents(all)}`,
    { hint: "Ask the carrier which is right, or give the right one with --gst. Nothing was written." },
  )
}

export function sumEntries(entries: readonly Taxed[]): Taxed {
  return entries.reduce((sum, { exGst, gst }) => ({ exGst: sum.exGst + exGst, gst: sum.gst + gst }), {
    exGst: 0,
    gst: 0,
  })
}

export function sumOnBasis(entries: readonly Taxed[], basis: "excluded" | "included"): number {
  const { exGst, gst } = sumEntries(entries)
  return basis === "included" ? exGst + gst : exGst
}

/** The disputed part of a bill, in cents on its basis, with its own GST if known. */
export interface DisputedPart {
  cents: number
  basis: "excluded" | "included"
  gst: number | undefined
}

/**
 * Splits off the disputed part with its own GST. If charges have several GST rates, those with its rate come first.
 * Rounding is moved between the two parts, so that their sum stays the same.
 */
export function splitOffDisputed<T extends Taxed>(
  entries: readonly T[],
  { cents, basis, gst }: DisputedPart,
): { cleared: T[]; rest: T[] } {
  if (gst === undefined) return splitOff(entries, cents, basis)
  const exGst = basis === "included" ? cents - gst : cents
  const hasRate = (entry: Taxed) =>
    Math.abs(entry.gst * exGst - entry.exGst * gst) <= ROUNDED * Math.abs(exGst)
  const last = [...entries.filter((each) => !hasRate(each)), ...entries.filter(hasRate)]
  const { cleared, rest } = splitOff(last, cents, basis)
  const more = gst - sumEntries(cleared).gst
  const [one, other] = [findLargest(cleared), findLargest(rest)]
  // For everything that is billed, the bill states the GST.
  if (more === 0 || !one || !other) return { cleared, rest }
  const move = (all: readonly T[], largest: T, by: number) =>
    all.map((each) =>
      each === largest
        ? { ...each, gst: each.gst + by, exGst: basis === "included" ? each.exGst - by : each.exGst }
        : each,
    )
  return { cleared: move(cleared, one, more), rest: move(rest, other, -more) }
}

function findLargest<T extends Taxed>(entries: readonly T[]): T | undefined {
  const [first, ...others] = entries
  return (
    first && others.reduce((one, other) => (Math.abs(other.exGst) > Math.abs(one.exGst) ? other : one), first)
  )
}

/**
 * Splits entries so that `cleared` adds up to a sum, as far as the entries suffice.
 * @param basis whether the sum holds GST
 */
export function splitOff<T extends Taxed>(
  entries: readonly T[],
  cents: number,
  basis: "excluded" | "included",
): { cleared: T[]; rest: T[] } {
  const split = { cleared: [] as T[], rest: [] as T[] }
  let left = cents
  // Disputes are mostly about the last charges.
  for (const entry of entries.toReversed()) {
    const all = basis === "included" ? entry.exGst + entry.gst : entry.exGst
    const take = Math.max(0, Math.min(left, all))
    left -= take
    if (take === 0) split.rest.unshift(entry)
    else if (take === all) split.cleared.unshift(entry)
    else {
      const gst = Math.round((entry.gst * take) / all)
      const exGst = basis === "included" ? take - gst : take
      split.cleared.unshift({ ...entry, exGst, gst })
      split.rest.unshift({ ...entry, exGst: entry.exGst - exGst, gst: entry.gst - gst })
    }
  }
  return split
}
