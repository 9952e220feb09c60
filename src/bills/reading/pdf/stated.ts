/** What an invoice in a PDF says of its own sums, by which the rows that were read are proven. */
import { formatCents } from "../../../base/money.ts"
import { findBasis } from "../../../input/columns/basis.ts"
import { overlaps, type Line, type Phrase } from "../../../input/pdf/lines.ts"
import { namesAccount, saysOfAccount, saysTax, saysTotal, saysTotalOf } from "../../../input/sheets/totals.ts"
import { getTaxCents, type Money, sumOf } from "../../money.ts"
import type { BillLine } from "../../bill.ts"
import { readCents } from "../row.ts"
import { findLabelColumn, MONEY, type PdfTable } from "./headings.ts"

/** A sum as the invoice states it. */
export interface StatedTotal {
  label: string
  cents: number
  basis: "exGst" | "gst" | "incGst" | undefined
  page: number
  line: number
}

const OF_PART = /\b(?:page|carried|brought|forward|fwd|b\/f|c\/f)\b/i
export const SUB_TOTAL = /\bsub[ -]?total\b/i
const DUE = /\b(?:due|payable|owing|outstanding|overdue|pay|balance)\b/i
/** Whether words are those of a sum. */
export function isTotalLabel(text: string): boolean {
  return (
    saysTotal(text) ||
    (saysTotalOf(text) !== undefined && /^\W*(?:grand |sub-? ?|invoice )?total/i.test(text))
  )
}

/** `Total ex GST: $12.50` by its words and its amount, which is empty where it ends in none. */
export function partAmount(text: string): { label: string; cents: string } {
  const at = text.lastIndexOf(" ")
  const cents = text.slice(at + 1)
  const label = text
    .slice(0, Math.max(0, at))
    .replace(/(?:A?\$|AUD)$/i, "")
    .trim()
  return MONEY.test(cents) && /\p{L}/u.test(label)
    ? { label: label.replace(/:$/, ""), cents }
    : { label: text, cents: "" }
}

/** Amounts with the words that stand before them, or above them. */
export function listAmounts(line: Line, above: Line | undefined): { label: string; amount: Phrase }[] {
  return line.phrases.flatMap((amount, at) => {
    if (!MONEY.test(amount.text)) {
      // A label and its amount may stand so close that they are one phrase.
      const { label, cents } = partAmount(amount.text)
      return label === "" || cents === "" ? [] : [{ label, amount: { ...amount, text: cents } }]
    }
    const before = line.phrases[at - 1]
    const isLabel = before && /\p{L}/u.test(before.text) && !MONEY.test(before.text)
    if (isLabel) return [{ label: before.text, amount }]
    const over = above?.phrases.find((each) => overlaps(each, amount))
    return over && /\p{L}/u.test(over.text) ? [{ label: over.text, amount }] : []
  })
}

/** The sums that lines state. @param isRow whether a line is a row of charges */
export function listStated(lines: readonly Line[], isRow: (line: Line) => boolean): StatedTotal[] {
  return lines.flatMap((line, at) => {
    if (isRow(line)) return []
    const above = lines[at - 1]
    return listAmounts(line, above?.page === line.page ? above : undefined).flatMap(({ label, amount }) => {
      const cents = readCents(amount.text)
      const { basis } = findBasis(label) ?? {}
      const isTotal = saysTotal(label) || /^(?:this )?(?:invoice|bill) (?:amount|value)\b/i.test(label)
      if (typeof cents === "string" || !isTotal || OF_PART.test(label)) return []
      const { page, line: number } = line
      return [{ label, cents, page, line: number, basis: saysTax(label) ? ("gst" as const) : basis }]
    })
  })
}

/** The sums that a line of sums states below the headings of a table; what several parts come to where none is of all. */
export function listStatedInTable({ columns, rows }: Pick<PdfTable, "columns" | "rows">): StatedTotal[] {
  const words = findLabelColumn(columns)
  return rows.flatMap(({ is, cells, page, line }) => {
    const label = cells[words] ?? ""
    const amounts = columns.flatMap(({ meaning }, at) => {
      const cents = at === words || (cells[at] ?? "") === "" ? "" : readCents(cells[at] ?? "")
      const field = "field" in meaning ? meaning.field : undefined
      const holds = field?.holds ?? ("byCells" in meaning ? holdOf(meaning.choices) : undefined)
      const isCredit = field?.name === "credit"
      return typeof cents === "number" && holds
        ? [{ cents, holds, isCredit, basis: basisOf(field?.name) }]
        : []
    })
    if (is !== "total" || amounts.length < 2 || OF_PART.test(label)) return []
    const place = { label, page, line }
    const credits = columns.flatMap(({ meaning }, at) => {
      const cents = readCents(cells[at] ?? "")
      const isCredit = "field" in meaning && meaning.field?.name === "credit"
      return isCredit && (cells[at] ?? "") !== "" && typeof cents === "number" ? [Math.abs(cents)] : []
    })
    const given = credits.reduce((all, cents) => all + cents, 0)
    const whole = amounts.flatMap((each) =>
      each.holds !== "total" || each.isCredit ? [] : [{ ...each, cents: each.cents - given }],
    )
    const parts = amounts.filter(({ holds }) => holds === "part")
    const sum = parts.reduce((all, { cents }) => all + cents, 0)
    return [
      ...whole.map(({ cents, basis }) => ({ ...place, cents, basis })),
      ...(whole.length === 0 && parts.length > 0 ? [{ ...place, cents: sum, basis: undefined }] : []),
      ...amounts
        .filter(({ holds }) => holds === "gst")
        .map(({ cents }) => ({ ...place, cents, basis: "gst" as const })),
    ]
  })
}

const holdOf = (choices: readonly string[] = []) =>
  choices.includes("gst") ? "gst" : choices.includes("amount") ? "total" : "part"

function basisOf(name: string | undefined): StatedTotal["basis"] {
  return name === "amountExGst" ? "exGst" : name === "amountIncGst" ? "incGst" : undefined
}

/** The sums that count as proof: those of all charges; a subtotal or what is due only where there is nothing better. */
export function chooseTotals(stated: readonly StatedTotal[], hasBalance: boolean): StatedTotal[] {
  const sums = stated.filter(({ basis, cents }) => basis !== "gst" && cents !== 0)
  const isDue = ({ label }: StatedTotal) => DUE.test(label)
  const isSub = ({ label }: StatedTotal) => SUB_TOTAL.test(label)
  const tiers = [
    sums.filter((each) => !isDue(each) && !isSub(each)),
    sums.filter((each) => isSub(each) && !isDue(each)),
    hasBalance ? [] : sums.filter((each) => isDue(each) && /\btotal\b/i.test(each.label)),
  ]
  return tiers.find((tier) => tier.length > 0) ?? []
}

/**
 * What the rows are proven by: where a rebate stands below a subtotal, what is due if they come to it to the cent. Payments
 * may have paid what was brought forward.
 */
export function chooseProof(
  stated: readonly StatedTotal[],
  hasBalance: boolean,
  sums: ReadSums,
): { totals: readonly StatedTotal[]; stated: readonly StatedTotal[] } {
  const totals = chooseTotals(stated, hasBalance)
  const largest = findLargest(totals)
  if (!largest || !SUB_TOTAL.test(largest.label) || isProvenBy(largest, sums)) return { totals, stated }
  const due = stated.filter(({ label }) => DUE.test(label) && !SUB_TOTAL.test(label))
  const sumsDue = due.filter(({ basis, cents }) => basis !== "gst" && cents !== 0)
  const largestDue = findLargest(sumsDue)
  return largestDue && isExactly(largestDue, sums) ? { totals: sumsDue, stated: due } : { totals, stated }
}

/**
 * Amounts below the sum that proves the rows which are in what is due and in no row, such as a fee for paying late below the
 * GST. @param amounts those with words, in the order of the lines, without rows
 */
export function findLeftOut(
  { stated, amounts }: { stated: readonly StatedTotal[]; amounts: readonly StatedTotal[] },
  proving: StatedTotal,
  sums: ReadSums,
): { due: StatedTotal; left: StatedTotal } | undefined {
  const isBelow = (one: StatedTotal, other: StatedTotal) =>
    one.page === other.page ? one.line > other.line : one.page > other.page
  const dues = stated.filter(
    (each) => DUE.test(each.label) && isBelow(each, proving) && !isProvenBy(each, sums),
  )
  for (const due of dues) {
    const left = amounts.find(
      (each) => isBelow(each, proving) && isBelow(due, each) && sums.exact.includes(due.cents - each.cents),
    )
    if (left) return { due, left }
  }
  return undefined
}

/** Amounts with words that are neither of a sum, nor GST, nor of the account. */
export function listCharged(lines: readonly Line[]): StatedTotal[] {
  return lines.flatMap((line, at) => {
    const above = lines[at - 1]
    return listAmounts(line, above?.page === line.page ? above : undefined).flatMap(({ label, amount }) => {
      const cents = readCents(amount.text)
      const isOther = isTotalLabel(label) || saysTax(label) || namesAccount(label) || saysOfAccount(label)
      if (typeof cents === "string" || cents === 0 || isOther) return []
      return [{ label, cents, page: line.page, line: line.line, basis: findBasis(label)?.basis }]
    })
  })
}

/** The sum that is proven, or all that rows would have to add up to: the largest, for others may be of a part. */
export function findLargest(totals: readonly StatedTotal[]): StatedTotal | undefined {
  return totals.toSorted((one, other) => Math.abs(other.cents) - Math.abs(one.cents))[0]
}

/** What lines come to, by what they say of GST. */
export interface ReadSums {
  lines: number
  /** By their own columns; undefined where a line does not say it. */
  exGst: number | undefined
  gst: number | undefined
  incGst: number | undefined
  /** Cents, each of which may be the stated sum. */
  exact: readonly number[]
  /** Worked out with a tenth of GST, which may be rounded on any of the rows. */
  rounded: readonly number[]
}

/** How far from a sum the rows may be that are rounded themselves: four standard deviations, and never half a cent a row. */
const roundingOf = (lines: number) => Math.min(lines / 2, (4 / Math.sqrt(12)) * Math.sqrt(lines))

/** Amounts by which GST is added or taken off where no row has it. */
const WORKED_OUT: readonly (readonly [keyof Money, number])[] = [
  ["exGst", 1.1],
  ["unsaid", 1.1],
  ["incGst", 1 / 1.1],
  ["unsaid", 1 / 1.1],
]

/** @param gst what the invoice states of GST */
export function sumLines(
  lines: readonly (Money & Pick<BillLine, "charge">)[],
  gst: readonly number[],
): ReadSums {
  const charges = lines.filter(({ charge }) => charge !== "tax")
  const tax = lines.reduce((sum, line) => sum + (line.charge === "tax" ? getTaxCents(line) : 0), 0)
  const has = (name: keyof Money) => charges.every((line) => line[name] !== null)
  const add = (name: keyof Money) => sumOf(charges, name)
  const ex = has("exGst") ? add("exGst") : undefined
  // One row may have its GST as a line of its own, and another beside its amount.
  const own = has("gst") || tax !== 0 ? add("gst") + tax : undefined
  const inc = has("incGst") ? add("incGst") : ex !== undefined && own !== undefined ? ex + own : undefined
  const unsaid = has("unsaid") ? add("unsaid") : undefined
  const plain = [ex, inc, unsaid].filter((each) => each !== undefined)
  const worked = own !== undefined ? [] : WORKED_OUT.filter(([name]) => has(name))
  const roundEach = (name: keyof Money, factor: number) => [
    Math.round(add(name) * factor),
    charges.reduce((sum, line) => sum + Math.round((line[name] ?? 0) * factor), 0),
  ]
  return {
    lines: charges.length,
    exGst: ex,
    gst: own,
    incGst: inc,
    exact: [
      ...plain,
      ...worked.flatMap(([name, factor]) => roundEach(name, factor)),
      ...(own === undefined ? [] : [unsaid].flatMap((each) => (each === undefined ? [] : [each + own]))),
      ...[ex, unsaid].flatMap((each) =>
        each === undefined
          ? []
          : gst.filter((one) => isGst(one, each, charges.length)).map((one) => each + one),
      ),
    ],
    rounded: worked.map(([name, factor]) => add(name) * factor),
  }
}

/** Whether it may be the GST of an amount: a tenth of it, or less where some of it is free. */
function isGst(gst: number, exGst: number, lines: number): boolean {
  return Math.abs(gst) <= Math.abs(exGst) / 10 + lines / 2 && gst * exGst >= 0
}

export function isProvenBy({ cents }: Pick<StatedTotal, "cents">, sums: ReadSums): boolean {
  const isWithin = (most: number) => (each: number) => Math.abs(each - cents) <= most
  return sums.exact.some(isWithin(roundingOf(sums.lines))) || sums.rounded.some(isWithin(sums.lines / 2))
}

/** Whether rows come to a sum to the cent, with GST rounded as usual: on each row, or on all of them. */
export function isExactly({ cents }: Pick<StatedTotal, "cents">, { exact }: ReadSums): boolean {
  return exact.includes(cents)
}

/**
 * The first sum that contradicts the rows: the largest of all, or of one that says its basis. GST that is nowhere stated may
 * not be above a tenth: amounts of another column were taken for it.
 */
export function findContradiction(
  totals: readonly StatedTotal[],
  stated: readonly StatedTotal[],
  sums: ReadSums,
): StatedTotal | undefined {
  const largest = findLargest(totals)
  if (largest && !isProvenBy(largest, sums)) return largest
  const of = (wanted: StatedTotal["basis"]) =>
    findLargest((wanted === "gst" ? stated : totals).filter(({ basis }) => basis === wanted))
  const isNear = (each: StatedTotal | undefined, sum: number | undefined) =>
    !each || sum === undefined || Math.abs(each.cents - sum) <= sums.lines / 2
  if (!isNear(of("exGst"), sums.exGst)) return of("exGst")
  if (!isNear(of("incGst"), sums.incGst)) return of("incGst")
  return isNear(of("gst"), sums.gst) ? undefined : of("gst")
}

/** Whether the GST of rows may be that: a tenth, or less where some of it is free. */
export function isGstPlausible({ exGst, gst, incGst, lines }: ReadSums): boolean {
  const ex = exGst ?? (incGst !== undefined && gst !== undefined ? incGst - gst : undefined)
  return gst === undefined || ex === undefined || isGst(gst, ex, lines)
}

/** What the rows come to, for people. @param than the sum that they do not come to */
export function describeSums(sums: ReadSums, than?: Pick<StatedTotal, "basis">): string {
  const own = than?.basis && sums[than.basis]
  const all = own === undefined ? sums.exact : [own]
  return [...new Set(all)].slice(0, 2).map(formatCents).join(" or ") || formatCents(0)
}
