/** Recognises rows of a bill that total others: page totals, amounts carried forward, the sum to pay. */
import { quoted } from "../../base/parsed.ts"
import { centsOf, formatCents } from "../../base/money.ts"
import {
  type Basis,
  findBasis,
  findIncludedTax,
  saysFree,
  saysPageTotal,
  saysTax,
  saysTaxOfTotal,
  saysTotal,
  saysTotalOf,
} from "../../input/index.ts"
import type { StatedGst } from "../money.ts"
import { nameWhole } from "./columns.ts"
import { type BillRow, sumParts } from "./row.ts"

type Cents = BillRow["amounts"]

interface Mark {
  rows: number
  cents: Cents
  /** The sum of the parts, and of possible parts in unknown columns. */
  parts: number
  extras: number
  /** Rows with an amount, and without GST of their own. */
  withoutGst: number
  byBasis: Bases
}

/** Cents by the GST basis that rows, columns or sections state, and the GST beside each. */
type Bases = Readonly<Record<Basis | "open", { cents: number; gst: number }>>

const NOTHING = { cents: 0, gst: 0 }
const NO_BASES: Bases = { exGst: NOTHING, incGst: NOTHING, open: NOTHING }

export type Sums = ReturnType<typeof createSums>

/** Maximum number of earlier totals, or starts of invoices, that a total may reach back to. */
const MAX_MARKS = 200

/** Maximum number of row texts kept, to match the name of a total. */
const MAX_ROW_TEXTS = 20_000
const toPlain = (text: string) => text.trim().toLowerCase()

export function createSums() {
  let now: Mark = { rows: 0, cents: new Map(), parts: 0, extras: 0, withoutGst: 0, byBasis: NO_BASES }
  const start = now
  /** The positions at which a total, or another invoice, ended a sum. */
  let marks: Mark[] = []
  let consignment = { key: "", begin: now, isTotalled: false }
  let invoice = ""
  let stated = 0
  let hasSaidTotal = false
  /** The texts of the rows since the last total. */
  let said = new Set<string>()
  const mark = () => {
    marks = [now, ...marks].slice(0, MAX_MARKS)
    said = new Set()
  }
  return {
    /** @param basis stated by the words of its section */
    add(row: BillRow, basis?: Basis): void {
      const { names, words, invoice: number, amounts, parts, extras } = row
      const key = names.join("\n")
      if (said.size < MAX_ROW_TEXTS) for (const text of [...names, ...words]) said.add(toPlain(text))
      if (number !== invoice) mark()
      if (key !== consignment.key || number !== invoice) consignment = { key, begin: now, isTotalled: false }
      invoice = number
      // If each row has the word total, for its charge or its receiver, none is a sum of the others.
      if (words.some(saysTotal)) {
        consignment.isTotalled = true
        hasSaidTotal = true
      }
      const cents = new Map(now.cents)
      for (const [name, value] of amounts) cents.set(name, (cents.get(name) ?? 0) + value)
      now = {
        rows: now.rows + 1,
        cents,
        parts: now.parts + sumParts(parts),
        extras: now.extras + sumParts(extras),
        withoutGst: now.withoutGst + (amounts.size > 0 && !amounts.has("gst") ? 1 : 0),
        byBasis: addBases(now.byBasis, row, basis),
      }
    },
    mark,
    stateGst(cents: number): void {
      stated += cents
    },
    hasSaid: (text: string) => said.has(toPlain(text)),
    /** Whether a row had the word total without being one. */
    hasSaidTotal: () => hasSaidTotal,
    /** The GST that the bill states for all rows together. */
    stated: () => stated,
    /** Possible ranges of a total: since the last total, all rows, or since an earlier total. */
    ranges: (): Range[] => [marks[0], start, ...marks.slice(1)].flatMap((begin) => toRange(begin, now)),
    /** Also the rows of the consignment that the row names. */
    ofConsignment: ({ names }: BillRow): Range[] =>
      names.join("\n") === consignment.key && !consignment.isTotalled ? toRange(consignment.begin, now) : [],
  }
}

function addBases(before: Bases, { amounts, parts, basis }: BillRow, said: Basis | undefined): Bases {
  const gst = amounts.get("gst") ?? 0
  const whole = (["exGst", "incGst"] as const).find((each) => amounts.has(nameWhole(each)))
  const own = whole ?? basis ?? said ?? "open"
  const cents = amounts.get(nameWhole(whole))
  const all = { ...before }
  const add = (name: keyof Bases, more: number, tax: number) => {
    all[name] = { cents: all[name].cents + more, gst: all[name].gst + tax }
  }
  if (cents !== undefined || parts.length === 0) add(own, cents ?? 0, gst)
  else for (const [at, part] of parts.entries()) add(part.basis ?? own, part.cents, at === 0 ? gst : 0)
  return all
}

interface Range {
  rows: number
  parts: number
  extras: number
  withoutGst: number
  byBasis: Bases
  sum(name: string): number | undefined
}

function toRange(
  begin: Mark | undefined,
  { rows, cents, parts, extras, withoutGst, byBasis }: Mark,
): Range[] {
  if (!begin || begin.rows === rows) return []
  const less = (name: keyof Bases) => ({
    cents: byBasis[name].cents - begin.byBasis[name].cents,
    gst: byBasis[name].gst - begin.byBasis[name].gst,
  })
  const sum = (name: string) => {
    const all = cents.get(name)
    return all === undefined ? undefined : all - (begin.cents.get(name) ?? 0)
  }
  return [
    {
      ...{ rows: rows - begin.rows, parts: parts - begin.parts, extras: extras - begin.extras, sum },
      withoutGst: withoutGst - begin.withoutGst,
      byBasis: { exGst: less("exGst"), incGst: less("incGst"), open: less("open") },
    },
  ]
}

/** An amount that may differ by some cents, because each line was rounded. */
interface Rounded {
  cents: number
  slack: number
}

/** The sums of a range without GST, its GST, and with it. */
function totalRange(
  { sum, rows, parts, extras, withoutGst }: Range,
  stated = 0,
): { exGst: Rounded[]; gst: Rounded[]; incGst: Rounded[] } {
  const [ex, inc, unspecifiedGstCents, gst] = ["amountExGst", "amountIncGst", "amount", "gst"].map(sum)
  const exact = (cents: number | undefined): Rounded[] => (cents === undefined ? [] : [{ cents, slack: 0 }])
  const rounded = (cents: number): Rounded => ({ cents, slack: rows / 2 })
  const without = [
    ...exact(ex),
    ...exact(unspecifiedGstCents),
    ...(parts === 0 ? [] : [...exact(parts), ...exact(parts + extras)]),
  ]
  const withGst = [...exact(inc), ...exact(unspecifiedGstCents)]
  if (gst !== undefined && gst !== 0)
    return {
      exGst: [...without, ...withGst.map(({ cents }) => ({ cents: cents - gst, slack: 0 }))],
      gst: exact(gst),
      incGst: [
        ...withGst,
        ...without.flatMap(({ cents }) =>
          // The GST stated for all includes that of the rows.
          (withoutGst > 0 && stated !== 0 ? [gst, stated] : [gst]).map((tax) => ({
            cents: cents + tax,
            slack: 0,
          })),
        ),
      ],
    }
  return {
    exGst: [...without, ...withGst.map(({ cents }) => rounded(cents / 1.1))],
    gst: [
      ...without.map(({ cents }) => rounded(cents / 10)),
      ...withGst.map(({ cents }) => rounded(cents / 11)),
    ],
    incGst: [
      ...withGst,
      ...without.map(({ cents }) => rounded(cents * 1.1)),
      ...without.map(({ cents }) => ({ cents: cents + stated, slack: 0 })),
    ],
  }
}

/** The sum of rows if some amounts include GST and some do not. @param open how the other amounts are read */
function mixedRange({ byBasis, rows }: Range, open: Basis): { exGst: Rounded; incGst: Rounded } | undefined {
  const [ex, inc] = (["exGst", "incGst"] as const).map((basis) => {
    const more = basis === open ? byBasis.open : NOTHING
    return { cents: byBasis[basis].cents + more.cents, gst: byBasis[basis].gst + more.gst }
  }) as [typeof NOTHING, typeof NOTHING]
  if (ex.cents === 0 || inc.cents === 0) return undefined
  const [tax, held] = [ex.gst === 0 ? ex.cents / 10 : ex.gst, inc.gst === 0 ? inc.cents / 11 : inc.gst]
  const slack = rows / 2
  return {
    exGst: { cents: ex.cents + inc.cents - held, slack },
    incGst: { cents: ex.cents + tax + inc.cents, slack },
  }
}

const OPEN_AS = ["exGst", "incGst"] as const

/** The reading of unmarked amounts, if only a mix equals the amount of a row. */
function findMixed(range: Range, amounts: Cents): Basis | undefined {
  return OPEN_AS.find((open) => {
    const mixed = mixedRange(range, open)
    const gst = mixed && { cents: mixed.incGst.cents - mixed.exGst.cents, slack: mixed.exGst.slack }
    return (
      mixed &&
      [...amounts.values()].every((cents) =>
        [mixed.exGst, mixed.incGst, gst].some((each) => each && isNear(cents)(each)),
      )
    )
  })
}

const isNear = (cents: number) => (one: Rounded) => Math.abs(one.cents - cents) <= one.slack

function isSumOf(range: Range, amounts: Cents, stated: number): boolean {
  const { exGst, gst, incGst } = totalRange(range, stated)
  return [...amounts].every(
    ([name, cents]) => cents === range.sum(name) || [...exGst, ...gst, ...incGst].some(isNear(cents)),
  )
}

/** Whether it is probably a typed total: it differs from the rows by less than half of their sum. */
function isNearlySumOf(range: Range, amounts: Cents): boolean {
  return [...amounts].every(([name, cents]) => {
    const sum = range.sum(name)
    return sum !== undefined && Math.abs(cents - sum) * 2 < Math.abs(sum)
  })
}

/** Recognises a sum without words: it equals the rows to the cent, in the same columns. */
function isPlainSumOf(range: Range, amounts: Cents): boolean {
  return [...amounts].every(([name, cents]) => cents === range.sum(name))
}

interface TotalRow {
  is: boolean
  /** The GST that it states for rows without any. */
  stated?: StatedGst
  differs?: string
  /** Its stated total of all rows, or of those since another total. */
  said?: SaidTotal
}

/** A sum of the rows above it, in cents. */
export interface SaidTotal {
  label: string
  cents: number
  /** Its difference from the rows; 0 if it equals them. */
  off: number
  /** The sum of the rows in the same column, or else the nearest one. */
  rowsCents: number
  /** All possible sums of the rows, with GST and without. */
  sums: readonly number[]
  amounts: Cents
  rows: number
  /** Set if the sum is reached only if some amounts include GST: the reading of unmarked ones. */
  openAs?: Basis
}

/**
 * A row is a total if it names no consignment and its amounts equal the rows above it. If it has the words of a total
 * and its amounts differ, it is left out too, and reported.
 * @param hasGstRows each consignment has a row for its GST, which does not name it
 */
export function isTotalRow(row: BillRow, sums: Sums, hasGstRows = false): TotalRow {
  if (hasGstRows && row.names.length === 0 && saysTax(row.label)) return { is: false }
  const words = [...row.names, ...row.words]
  const named = words.map(saysTotalOf).find((text) => text !== undefined)
  const isOfNamed = named !== undefined && row.names.every((text) => saysTotalOf(text) !== undefined)
  if (isOfNamed && !words.some(saysTotal)) return isTotalOf(named, row, sums)
  const isNameless = row.names.every(saysTotal)
  // Beside a consignment, GST is a charge of it.
  const saysIt = words.some((text) => saysTotal(text) && (isNameless || !saysTax(text)))
  if (!saysIt && !isNameless) return { is: false }
  const amounts = new Map([...row.amounts].filter(([, cents]) => cents !== 0))
  if (amounts.size === 0) return { is: saysIt && isNameless }
  const ranges = sums.ranges()
  const long = ranges.filter(({ rows }) => rows >= 2)
  if (!isNameless || !saysIt) {
    const own = saysIt ? sums.ofConsignment(row) : []
    const isOpenToAll = isNameless || !sums.hasSaidTotal()
    const is = [...(isOpenToAll ? long : []), ...own].some((range) => isPlainSumOf(range, amounts))
    if (is) sums.mark()
    return { is }
  }
  const stated = findStatedGst(words, amounts, ranges) ?? findIncludedGst(words, amounts, ranges)
  if (stated) sums.stateGst(stated.gst)
  const isPlain = stated !== undefined || ranges.some((range) => isSumOf(range, amounts, sums.stated()))
  const openAs = isPlain
    ? undefined
    : ranges.map((range) => findMixed(range, amounts)).find((each) => each !== undefined)
  const is = isPlain || openAs !== undefined
  const differs = is ? undefined : describeDifference(words, amounts, ranges)
  const said = describeSaid(words, amounts, ranges, is)
  sums.mark()
  return {
    is: true,
    ...(stated && { stated }),
    ...(differs !== undefined && { differs }),
    ...(said && { said: { ...said, ...(openAs && { openAs }) } }),
  }
}

function describeSaid(
  words: readonly string[],
  amounts: Cents,
  ranges: readonly Range[],
  is: boolean,
): SaidTotal | undefined {
  // The largest of its amounts is the total; GST is never above it.
  const cents = [...amounts.values()].reduce(
    (one, other) => (Math.abs(other) > Math.abs(one) ? other : one),
    0,
  )
  const label = words.find((each) => saysTotal(each)) ?? ""
  if (ranges.length === 0 || saysTaxOfTotal(label)) return undefined
  const sums = ranges.flatMap((range) => {
    const { exGst, incGst } = totalRange(range)
    const mixed = OPEN_AS.flatMap((open) => Object.values(mixedRange(range, open) ?? {}))
    return [...exGst, ...incGst, ...mixed].map((each) => ({
      cents: Math.round(each.cents),
      rows: range.rows,
    }))
  })
  const distance = (each: { cents: number }) => Math.abs(each.cents - cents)
  const [nearest] = sums.toSorted((one, other) => distance(one) - distance(other))
  if (!nearest) return undefined
  const [name] = [...amounts].find(([, each]) => each === cents) ?? []
  const own = name === undefined ? [] : ranges.flatMap(({ sum }) => sum(name) ?? [])
  const [plain] = own
    .map((each) => ({ cents: each }))
    .toSorted((one, other) => distance(one) - distance(other))
  return {
    ...{ label, cents, amounts, off: is ? 0 : distance(nearest), rows: nearest.rows },
    rowsCents: (plain ?? nearest).cents,
    sums: [...own, ...sums.map((each) => each.cents)],
  }
}

export function isSumOfAll(amounts: Cents, sums: Sums): boolean {
  return sums.ranges().some((range) => isSumOfRange(range, amounts, sums))
}

function isSumOfRange(range: Range, amounts: Cents, sums: Sums): boolean {
  return isSumOf(range, amounts, sums.stated()) || findMixed(range, amounts) !== undefined
}

/** The smallest of three amounts is GST if it is the difference of the other two, at any rate: that is judged separately. */
function isSumWithOwnGst(range: Range, amounts: Cents): boolean {
  const [gst, exGst, incGst, ...others] = [...amounts.values()].toSorted(
    (one, other) => Math.abs(one) - Math.abs(other),
  )
  if (gst === undefined || exGst === undefined || incGst === undefined || others.length > 0) return false
  const isOfRows = totalRange(range).exGst.some(isNear(exGst)) || range.sum("amountIncGst") === incGst
  return exGst + gst === incGst && isOfRows
}

/** Whether a stated sum equals all rows together, not only those of a sheet; the GST beside it may have any rate. */
export function isSumOfEvery(amounts: Cents, sums: Sums): boolean {
  const range = findWidest(sums)
  return range !== undefined && (isSumOfRange(range, amounts, sums) || isSumWithOwnGst(range, amounts))
}

const findWidest = (sums: Sums) => sums.ranges().toSorted((one, other) => other.rows - one.rows)[0]

/**
 * The GST basis that the words of a sum give to unmarked amounts, if all rows equal it to the cent: `Total ex GST`.
 * Amounts with another basis or GST beside them count more.
 */
export function findSaidBasis({ label, amounts }: SaidTotal, sums: Sums): Basis | undefined {
  const basis = saysFree(label) ? undefined : findBasis(label)?.basis
  const all = findWidest(sums)
  if (!basis || !all || !amounts.has("amount") || !isPlainSumOf(all, amounts)) return undefined
  const other = all.byBasis[basis === "exGst" ? "incGst" : "exGst"]
  return other.cents === 0 && !all.sum("gst") ? basis : undefined
}

/** The total of all rows, in a row of a sheet that is not read; undefined if it does not have the words of a total. */
export function readSaidTotal(
  words: readonly string[],
  cents: readonly number[],
  sums: Sums,
): SaidTotal | undefined {
  const amounts = new Map(cents.filter((each) => each !== 0).map((each, at) => [`${at}`, each]))
  if (amounts.size === 0 || !words.some((text) => saysTotal(text))) return undefined
  const all = findWidest(sums)
  return describeSaid(words, amounts, all ? [all] : [], isSumOfAll(amounts, sums))
}

const DUE = /\b(?:due|payable|owing|pay|balance)\b/i
const SUB_TOTAL = /\bsub[ -]?total\b/i
/** Amounts that are not charged on this bill. */
const BALANCE = /\b(?:balance|forward|fwd|[bc]\/f|opening|closing|paid|overdue|outstanding)\b/i

/**
 * The stated sum that the rows contradict by more than half a cent a row: the largest total of all rows, or of parts if
 * there is none. The amount due counts last, and a balance or a page total never: they include other bills.
 */
export function findContradicted<Said extends SaidTotal>(said: readonly Said[]): Said | undefined {
  const sums = said.filter(({ label, cents }) => cents !== 0 && !BALANCE.test(label) && !saysPageTotal(label))
  const tiers = [
    sums.filter(({ label }) => !DUE.test(label) && !SUB_TOTAL.test(label)),
    sums.filter(({ label }) => DUE.test(label)),
    sums.filter(({ label }) => SUB_TOTAL.test(label)),
  ]
  const tier = tiers.find((some) => some.length > 0) ?? []
  const [largest] = tier.toSorted((one, other) => Math.abs(other.cents) - Math.abs(one.cents))
  return largest && largest.off * 2 > largest.rows ? largest : undefined
}

/** Whether a right total is of all rows so far, and not of a part or of the account. */
export function isOfAllRows({ label, cents, off, amounts }: SaidTotal, sums: Sums): boolean {
  const isOfPart = SUB_TOTAL.test(label) || BALANCE.test(label) || saysPageTotal(label)
  return cents !== 0 && off === 0 && !isOfPart && isSumOfEvery(amounts, sums)
}

/** The sum of all rows, in the column that has the amount of a total, or else in the first of its columns. */
export function sumAllRows({ cents, amounts }: SaidTotal, sums: Sums): number {
  const [first] = amounts.keys()
  const name = [...amounts].find(([, each]) => each === cents)?.[0] ?? first ?? ""
  return findWidest(sums)?.sum(name) ?? 0
}

/** Whether it is a total with a name: the rows since the last total have that name, or add up to it. */
function isTotalOf(named: string, row: BillRow, sums: Sums): TotalRow {
  const amounts = new Map([...row.amounts].filter(([, cents]) => cents !== 0))
  if (amounts.size === 0) return { is: sums.hasSaid(named) }
  const ranges = sums.ranges()
  const isSaid = sums.hasSaid(named)
  const isAlone = row.names.length + row.words.length === 1
  const is = ranges.some(
    (range) => (isSaid || isAlone || range.rows >= 2) && isSumOf(range, amounts, sums.stated()),
  )
  const isNearly = isAlone && ranges.some((range) => isNearlySumOf(range, amounts))
  if (!is && !isSaid && !isNearly) return { is: false }
  const differs = is ? undefined : describeDifference([...row.names, ...row.words], amounts, ranges)
  sums.mark()
  return { is: true, ...(differs !== undefined && { differs }) }
}

function findStatedGst(
  words: readonly string[],
  amounts: Cents,
  ranges: readonly Range[],
): StatedGst | undefined {
  const [gst, ...others] = amounts.values()
  if (gst === undefined || others.length > 0 || !words.some(saysTaxOfTotal)) return undefined
  const distance = (each: StatedGst) => Math.abs(each.gst * 10 - each.exGst)
  const isOwn = ({ sum, rows }: Range) => Math.abs((sum("gst") || Number.NaN) - gst) <= rows / 2
  if (ranges.some(isOwn)) return undefined
  return ranges
    .filter(({ sum, withoutGst }) => !sum("gst") || withoutGst > 0)
    .flatMap((range) =>
      [...totalRange(range).exGst, ...OPEN_AS.flatMap((open) => mixedRange(range, open)?.exGst ?? [])].map(
        ({ cents }) => ({ gst, exGst: Math.round(cents), lines: range.rows }),
      ),
    )
    .toSorted((one, other) => distance(one) - distance(other))[0]
}

/** The GST that a correct total says it includes. */
function findIncludedGst(
  words: readonly string[],
  amounts: Cents,
  ranges: readonly Range[],
): StatedGst | undefined {
  const [total, ...others] = amounts.values()
  const included = words.map(findIncludedTax).find((text) => text !== undefined)
  if (total === undefined || others.length > 0 || included === undefined) return undefined
  const gst = centsOf(included)
  const range = ranges.find((each) => isSumOf(each, amounts, gst))
  return range && { gst, exGst: total - gst, lines: range.rows }
}

/** The amounts of a total that differ from the nearest sums of the rows. */
function describeDifference(words: readonly string[], amounts: Cents, ranges: readonly Range[]): string {
  const text = words.find((each) => saysTotal(each) || saysTotalOf(each) !== undefined) ?? ""
  const compare = ({ sum }: Range) => [...amounts].map(([name, cents]) => ({ cents, rows: sum(name) }))
  const distance = (all: ReturnType<typeof compare>) =>
    all.reduce((sum, { cents, rows }) => sum + Math.abs(cents - (rows ?? 0)), 0)
  const [nearest = []] = ranges.map(compare).toSorted((one, other) => distance(one) - distance(other))
  const differing = nearest.filter(({ cents, rows }) => rows !== undefined && rows !== cents)
  const list = (all: readonly number[]) => all.map(formatCents).join(" and ")
  const cents = differing.length > 0 ? differing.map((each) => each.cents) : [...amounts.values()].slice(0, 1)
  const are = differing.length === 0 ? "" : ` (${list(differing.map(({ rows = 0 }) => rows))})`
  const [is, which, sums] = cents.length > 1 ? ["has", "are", "sums"] : ["is", "is", "sum"]
  return `${quoted(text)} ${is} ${list(cents)}, which ${which} not the ${sums} of the rows above it${are}; the row is left out`
}

/** Whether most consignments of a table have a row for their GST below them, without a name. */
export function haveGstRows(rows: readonly BillRow[]): boolean {
  let [consignments, withGst] = [0, 0]
  let isBelow = false
  let above = ""
  for (const { names, label } of rows) {
    const name = names.join("\n")
    if (name !== "" && name !== above) consignments++
    if (name !== "") {
      above = name
      isBelow = true
    } else if (isBelow && saysTax(label)) {
      withGst++
      isBelow = false
    }
  }
  return withGst >= 2 && withGst * 2 >= consignments
}
