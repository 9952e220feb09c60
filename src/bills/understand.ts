/**
 * Decides facts of a whole bill once, between reading and matching on one side and judging and posting on the other:
 * whether its amounts hold GST, and which of its rows are sums of others. Each decision has its evidence.
 */
import { counted } from "../base/counted.ts"
import { groupBy } from "../base/grouping.ts"
import { FreightError } from "../base/errors.ts"
import { formatCents, toExGst, toIncGst } from "../base/money.ts"
import { quoted } from "../base/parsed.ts"
import { type Basis, findBasis, saysFree } from "../input/index.ts"
import type { GstBasis } from "../ledger/index.ts"
import type { BasisWords, Bill, BillLine } from "./bill.ts"
import { isGstOf } from "./gst.ts"
import { billsOf, bookingOf, type Consignment, findShortened } from "./matching/match.ts"
import { getChargedCents, sumCharges, sumOf } from "./money.ts"
import { toCharge } from "./reading/charge.ts"
import { namesCharge } from "./reading/columns.ts"
import { nameWhole } from "./reading/columns.ts"
import { type BillRow, sumParts } from "./reading/row.ts"
import { BILL_CURRENCY } from "./verdicts.ts"

/** Words that apply to all amounts, such as `All amounts exclude GST` and `Charges (excl. GST)`. */
const ALL_AMOUNTS = /\b(?:all|amounts?|prices?|charges?|rates?|values?|figures)\b/i
const MAX_WORDS_LENGTH = 80
/** Words allowed beside them: any other word may name a part of the charges. */
const FILLERS = new Set(
  `all amount amounts price prices charge charges rate rates value values figure figures are is be do does shown listed quoted
  stated given in aud australian dollars the and of on this these our your invoice bill statement unless otherwise noted
  note please following below above`.split(/\s+/),
)

function isOfAll(rest: string): boolean {
  return (rest.toLowerCase().match(/\p{L}+/gu) ?? []).every((word) => FILLERS.has(word))
}

/**
 * Finds the GST basis that texts outside the rows state for all amounts; nothing if they contradict each other.
 * @param rows cells above the headings, and notes between and below the rows
 */
export function findBasisWords(rows: readonly (readonly string[])[]): BasisWords | undefined {
  const found = rows.flatMap((cells) =>
    cells.flatMap((cell, at): BasisWords[] => {
      const text = cell.trim()
      const said = text.length <= MAX_WORDS_LENGTH && ALL_AMOUNTS.test(text) ? findBasis(text) : undefined
      const basis = said && isOfAll(said.rest) ? said.basis : undefined
      // Beside or with an amount they are the label of one sum.
      const isOfSum =
        /\d/.test(text) || /\d/.test(cells.slice(at + 1).find((each) => each.trim() !== "") ?? "")
      return basis && !isOfSum ? [{ basis, text }] : []
    }),
  )
  const bases = new Set(found.map(({ basis }) => basis))
  return bases.size === 1 ? found[0] : undefined
}

/** The basis that a line states for the rows below it, such as `Charges (incl. GST)`. */
export function findPartWords(cells: readonly string[]): BasisWords | undefined {
  const text = cells.find((cell) => cell.trim() !== "")?.trim() ?? ""
  const said = text.length <= MAX_WORDS_LENGTH && !/\d/.test(text) ? findBasis(text) : undefined
  return said && { basis: said.basis, text }
}

/** How many consignments equal their quotes, to the cent, only if the bill's amounts are on one basis. */
interface Votes {
  exGst: number
  incGst: number
  /** Consignments that can tell: a quote of unknown basis proves nothing. */
  of: number
}

/** Fewer consignments may equal their quotes by chance, for example if one is 10 % too dear. */
const MIN_VOTES = 2
/** A basis needs this many times the votes of the other. */
const CLEAR_MAJORITY = 3
/** One in this many voters has to support it: if most differ from their quotes, some are a tenth too dear. */
const MIN_SHARE = 5

/**
 * Decides whether a bill's amounts hold GST, if its columns do not say so: by its words, or by the consignments that
 * equal their quotes on one basis only. Sets the resulting amounts of the lines.
 * @returns the decisions with their reasons, for people
 */
export function understandBills(bills: readonly Bill[], consignments: readonly Consignment[]): string[] {
  const notes: string[] = []
  const ofParts = new Set<Bill>()
  for (const bill of bills) {
    applyFree(bill)
    const note = applyParts(bill)
    if (note === undefined) continue
    ofParts.add(bill)
    notes.push(note)
  }
  const whole = bills.filter((bill) => !ofParts.has(bill))
  for (const [bill, votes] of countVotes(whole, consignments)) {
    const words = bill.basisWords ?? findCommonWords(bill)
    const voted = findVoted(votes)
    const name = nameBill(bill)
    const count = (basis: Basis) => `${votes[basis]} of ${votes.of} consignments equal their quotes only so`
    if (words && voted && voted !== words.basis)
      throw new FreightError(
        "input",
        `${name} says ${quoted(words.text)}, and ${votes[voted]} of ${votes.of} consignments equal their quotes only if its amounts are ${describeBasis(voted)}; nothing was audited`,
        {
          hint: 'Say which is right: --map "COLUMN=amountExGst" (without GST) or --map "COLUMN=amountIncGst" (with GST).',
        },
      )
    const basis = words?.basis ?? voted
    if (!basis) continue
    applyBasis(bill, basis)
    const evidence = [
      ...(words ? [`it says ${quoted(words.text)}`] : []),
      ...(votes[basis] > 0 ? [count(basis)] : []),
    ]
    notes.push(`${name}: its amounts are ${describeBasis(basis)}: ${evidence.join("; ")}.`)
  }
  return [...notes, ...describeShortened(consignments)]
}

/** Reports which column of a bill named bookings although its numbers have lost their beginnings. */
function describeShortened(consignments: readonly Consignment[]): string[] {
  const short = consignments.flatMap((one) => {
    const text = findShortened(one)
    const bill = billsOf(one)[0]
    return text === undefined || !bill ? [] : [{ bill, text, one }]
  })
  return Array.from(
    groupBy(short, ({ bill }) => bill),
    ([bill, some]) => {
      const columns = [...new Set(some.flatMap(({ one }) => one.foundIn))]
        .map((each) => quoted(each))
        .join(", ")
      const [first] = some
      return `${nameBill(bill)}: ${counted(some.length, "consignment")} ${some.length === 1 ? "is" : "are"} found by ${columns}: the numbers lack what was booked before them, such as ${first?.text} of ${first?.one.number}.`
    },
  )
}

/** The bill's name for people: its number, or its file. */
export function nameBill({ number, file }: Pick<Bill, "number" | "file">): string {
  return number === "" ? file : `bill ${number}`
}

/**
 * Gives the lines of each part of a mixed bill the basis that its words state, if a stated sum proves that. Otherwise
 * the parts contradict each other, and both readings stay open.
 * @returns the decision with its reason, for people; nothing if all parts agree
 */
function applyParts(bill: Bill): string | undefined {
  const { basisWords: words, mixedSum: sum, lines, skipped } = bill
  const parts = bill.parts?.filter((part) => !saysFree(part.words.text)) ?? []
  const open = skipped === undefined ? lines.filter(hasUnknownGst) : []
  const rest = sum?.openAs ?? words?.basis
  const [other] = parts.filter(({ words: own }) => own.basis !== (rest ?? parts[0]?.words.basis))
  if (open.length === 0 || (other === undefined && !sum)) return undefined
  const says = [...new Set([...(words ? [words.text] : []), ...parts.map((each) => each.words.text)])]
    .map((text) => quoted(text))
    .join(" and ")
  if (!sum) return `${nameBill(bill)} says ${says}, and no sum of it proves either: both readings are tried.`
  for (const line of open) applyBasis({ lines: [line] }, findPart(bill, line)?.basis ?? sum.openAs)
  const proof = `${quoted(sum.label)} of ${formatCents(sum.cents)} is their sum only so`
  return `${nameBill(bill)}: some of its amounts are with GST and some without${says === "" ? "" : `, as it says ${says}`}: ${proof}.`
}

function findPart({ parts = [] }: Bill, { sheet, line }: BillLine): BasisWords | undefined {
  return parts.find(
    (part) => part.sheet === sheet && line !== undefined && part.from <= line && line <= part.to,
  )?.words
}

/**
 * Lines below or beside words such as `GST free charges` have none, unless the bill states GST that does not fit the
 * other lines.
 */
function applyFree(bill: Bill): void {
  const { stated, lines } = bill
  const isFree = (line: BillLine) =>
    line.gst === null && line.charge !== "tax" && [findPart(bill, line)?.text, line.label].some(saysFreeOf)
  const free = lines.filter(isFree)
  const others = lines.filter((line) => !free.includes(line))
  if (free.length === 0) return
  if (stated) {
    const { gst } = stated
    const cents = others.reduce((sum, line) => sum + getChargedCents(line), 0)
    const isWithout = isGstOf({ gst, exGst: cents, lines: others.length })
    if (!lines.every(({ gst: own, charge }) => own === null && charge !== "tax")) return
    if (!isWithout && !isGstOf({ gst, exGst: cents - gst, lines: others.length })) return
    applyBasis({ lines: others }, isWithout ? "exGst" : "incGst")
    Object.assign(bill, { stated: { gst, exGst: isWithout ? cents : cents - gst, lines: others.length } })
  }
  for (const line of free) {
    const cents = getChargedCents(line)
    Object.assign(line, { exGst: cents, gst: 0, incGst: cents, unspecifiedGstCents: null })
  }
}

const saysFreeOf = (text: string | undefined) => saysFree(text ?? "")

/** The basis words above all open amounts, if every section or sheet with such amounts has them and they agree. */
function findCommonWords(bill: Bill): BasisWords | undefined {
  const found = bill.lines.filter(hasUnknownGst).map((line) => findPart(bill, line))
  const [first] = found
  return found.every((words) => words?.basis === first?.basis) ? first : undefined
}

const describeBasis = (basis: Basis) => (basis === "exGst" ? "without GST" : "with GST")

const hasUnknownGst = ({ unspecifiedGstCents, gst, charge }: BillLine) =>
  unspecifiedGstCents !== null && gst === null && charge !== "tax"

function countVotes(bills: readonly Bill[], consignments: readonly Consignment[]): Map<Bill, Votes> {
  const votes = new Map<Bill, Votes>(
    bills
      .filter(
        ({ lines, skipped }) =>
          skipped === undefined && lines.some(hasUnknownGst) && !lines.some(({ charge }) => charge === "tax"),
      )
      .map((bill) => [bill, { exGst: 0, incGst: 0, of: 0 }]),
  )
  for (const consignment of votes.size === 0 ? [] : consignments) {
    const quote = bookingOf(consignment)?.quote
    if (!quote || quote.currency !== BILL_CURRENCY || quote.basis === "unknown") continue
    for (const [bill, lines] of groupBy(
      consignment.named.flatMap((each) => each.lines),
      ({ bill: own }) => own,
    )) {
      const own = votes.get(bill)
      const cents = lines.reduce((sum, { unspecifiedGstCents }) => sum + (unspecifiedGstCents ?? 0), 0)
      if (!own || !lines.every(hasUnknownGst) || cents <= 0) continue
      const exGst = quote.basis === "excluded" ? quote.cents : toExGst(quote.cents)
      const incGst = quote.basis === "included" ? quote.cents : toIncGst(quote.cents)
      if (exGst === incGst) continue
      own.of++
      if (Math.abs(cents - exGst) <= lines.length / 2) own.exGst++
      else if (Math.abs(cents - incGst) <= Math.max(1, lines.length / 2)) own.incGst++
    }
  }
  return votes
}

function findVoted({ exGst, incGst, of }: Votes): Basis | undefined {
  const isClear = (own: number, other: number) =>
    own >= MIN_VOTES && own >= CLEAR_MAJORITY * other && own * MIN_SHARE >= of
  return isClear(exGst, incGst) ? "exGst" : isClear(incGst, exGst) ? "incGst" : undefined
}

/** Sets the decided basis on all lines whose basis is open. */
export function applyBasis({ lines }: Pick<Bill, "lines">, basis: Basis): void {
  for (const line of lines)
    if (hasUnknownGst(line))
      Object.assign(line, { [basis]: line.unspecifiedGstCents, unspecifiedGstCents: null })
}

/** The decision as the ledger keeps it; undefined if it was left open. */
export function toBasis(gst: GstBasis): Basis | undefined {
  return gst === "unknown" ? undefined : gst === "excluded" ? "exGst" : "incGst"
}

export interface TotalRow {
  lines: readonly BillLine[]
  /** Its amount, and the total of the others, in cents. */
  cents: number
  rowsCents: number
  isRight: boolean
}

/**
 * Finds a row that is the sum of all other rows of its bill, wherever it stands, such as the invoice's own line above
 * its shipments. It has no name and no words of a charge, and its amounts equal the sum to the cent. A row that can
 * only be such a sum but differs from it is reported as wrong.
 */
export function findTotalRow(bill: Bill, isNameless: (line: BillLine) => boolean): TotalRow | undefined {
  const placeOf = ({ line, sheet, page }: BillLine) => JSON.stringify([sheet, page, line])
  const rows = [...groupBy(bill.lines.filter(isNameless), placeOf).values()].filter((lines) => {
    const charges = lines.filter(({ charge }) => charge !== "tax")
    const isCharge = charges.length === 1 && namesCharge(charges[0]?.label ?? "")
    return charges.length > 0 && !isCharge && lines.every(({ line }) => line !== undefined)
  })
  let near: TotalRow | undefined
  for (const row of rows) {
    // The same total may stand before and after all other rows.
    const alike = rows.filter((other) => other === row || isSameMoney(other, row))
    const lines = alike.flat()
    const others = bill.lines.filter((line) => !lines.includes(line))
    const count = new Set(others.map(placeOf)).size
    const [cents, rowsCents] = [getChargedCents(sumCharges(row)), getChargedCents(sumCharges(others))]
    const found = { lines, cents, rowsCents }
    if (count >= MIN_ROWS && isSameMoney(row, others)) return { ...found, isRight: true }
    const charges = row.filter(({ charge }) => charge !== "tax")
    const isBare = charges.length > 1 || /^\p{L}{0,3}$/u.test(charges[0]?.label ?? "")
    if (count > MIN_ROWS && isBare && Math.abs(cents - rowsCents) * 2 < Math.abs(rowsCents))
      near ??= { ...found, isRight: false }
  }
  return near
}

/**
 * Finds a sheet that sums up all other sheets of its bill: it names no consignments, only their number, and its amounts
 * are theirs to the cent.
 * @param isCount whether a line's only name is a count
 */
export function findSumSheet(bill: Bill, isCount: (line: BillLine) => boolean): string | undefined {
  const bySheet = groupBy(bill.lines, ({ sheet }) => sheet)
  if (bySheet.size < 2) return undefined
  for (const [sheet, lines] of bySheet) {
    if (sheet === undefined || !lines.every(isCount)) continue
    const others = bill.lines.filter((line) => line.sheet !== sheet)
    // A summary is shorter than the rows it sums up: otherwise two weeks at one rate may have the same total.
    if (lines.length < others.length && others.length >= MIN_ROWS && isSameMoney(lines, others)) return sheet
  }
  return undefined
}

/** With only two rows, either may equal the other by chance. */
const MIN_ROWS = 2

function isSameMoney(own: readonly BillLine[], others: readonly BillLine[]): boolean {
  const [one, other] = [sumCharges(own), sumCharges(others)]
  const asked = getChargedCents(one)
  if (asked === 0 || asked !== getChargedCents(other)) return false
  return one.gst === null || other.gst === null || one.gst === other.gst
}

/** Decides whether a table's amounts hold the GST beside them: GST is nearer to a tenth or to an eleventh of them. */
export function findGstBasis(rows: readonly BillRow[]): Basis | undefined {
  let [amount, tax, votes] = [0, 0, 0]
  for (const { amounts, parts, label, basis } of rows) {
    const gst = amounts.get("gst") ?? 0
    const isSaid = amounts.has("amountExGst") || amounts.has("amountIncGst") || basis !== undefined
    const cents = amounts.get(nameWhole(undefined)) ?? sumParts(parts.filter((part) => !part.basis))
    if (isSaid || gst === 0 || cents === 0 || toCharge(label) === "tax") continue
    const near = (times: number) => Math.abs(gst * times - cents) <= times
    votes += Number(near(10)) - Number(near(11))
    amount += Math.abs(cents)
    tax += Math.abs(gst)
  }
  if (tax === 0) return undefined
  if (votes !== 0) return votes > 0 ? "exGst" : "incGst"
  return Math.abs(tax * 10 - amount) <= Math.abs(tax * 11 - amount) ? "exGst" : "incGst"
}

/** GST stated for all lines together decides whether their amounts hold it. */
export function applyStatedGst(bill: Pick<Bill, "lines" | "stated">): void {
  const { lines, stated } = bill
  if (!stated || stated.gst === 0 || !lines.every(hasUnknownGst)) return
  const sum = sumOf(lines, "unspecifiedGstCents")
  const isNear = (cents: number) => Math.abs(cents - sum) * 2 <= lines.length
  const basis = isNear(stated.exGst) ? "exGst" : isNear(stated.exGst + stated.gst) ? "incGst" : undefined
  if (basis) applyBasis(bill, basis)
}
