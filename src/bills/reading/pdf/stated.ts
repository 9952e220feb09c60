/** The sums that an invoice in a PDF states, which prove its rows. */
import { formatCents } from "../../../base/money.ts"
import {
  findBasis,
  type Line,
  MONEY,
  namesAccount,
  overlaps,
  type Phrase,
  saysFree,
  saysOfAccount,
  saysTax,
  saysTaxOfTotal,
  saysTotal,
  saysTotalOf,
} from "../../../input/index.ts"
import { type Money, sumOf, sumTaxLines } from "../../money.ts"
import type { BasisWords, BillLine } from "../../bill.ts"
import { readCents } from "../row.ts"
import { saysSection } from "../sections.ts"
import { findLabelColumn, type PdfTable } from "./headings.ts"

export interface StatedTotal {
  label: string
  cents: number
  basis: "exGst" | "gst" | "incGst" | undefined
  page: number
  line: number
}

const OF_PART = /\b(?:page|carried|brought|forward|fwd|b\/f|c\/f)\b/i
export const SUB_TOTAL = /\bsub[ -]?total\b/i
/** Words of amounts that are due only conditionally: late, or by card. */
const CONDITIONAL = /\b(?:if|after|late|unless|by (?:credit )?card)\b/i
const DUE = /\b(?:due|payable|owing|outstanding|overdue|pay|balance)\b/i
export function isTotalLabel(text: string): boolean {
  return (
    saysTotal(text) ||
    (saysTotalOf(text) !== undefined && /^\W*(?:grand |sub-? ?|invoice )?total/i.test(text))
  )
}

/** Whether words only state an amount's GST basis: beside `Inc GST` it is a sum, and below it a charge. */
export const saysBasisAlone = (text: string) =>
  /^\W*nett?(?: amount)?\W*$/i.test(text) ||
  (findBasis(text)?.rest.replace(/\W/g, "") === "" && !saysFree(text))

/** Whether words without a consignment number say that their amount belongs to the account. */
export const isOfAccountLabel = (label: string) => namesAccount(label) || saysOfAccount(label) !== undefined

/** `Total ex GST: $12.50` as words and amount; the amount is empty if the text does not end in one. */
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

interface Labelled {
  label: string
  amount: Phrase
  /** Whether its words stand above it. */
  isBelow?: boolean
}

/** Amounts with the words before or above them. */
export function listAmounts(line: Line, above: Line | undefined): Labelled[] {
  return line.phrases.flatMap((amount, at) => {
    if (!MONEY.test(amount.text)) {
      // A label and its amount may be so close that they are one phrase.
      const { label, cents } = partAmount(amount.text)
      return label === "" || cents === "" ? [] : [{ label, amount: { ...amount, text: cents } }]
    }
    const before = line.phrases[at - 1]
    const isLabel = before && /\p{L}/u.test(before.text) && !MONEY.test(before.text)
    if (isLabel) return [{ label: before.text, amount }]
    const over = above?.phrases.find((each) => overlaps(each, amount))
    return over && /\p{L}/u.test(over.text) ? [{ label: over.text, amount, isBelow: true }] : []
  })
}

/** The sums in lines. @param isRow whether a line is a row of charges */
export function listStated(lines: readonly Line[], isRow: (line: Line) => boolean): StatedTotal[] {
  return lines.flatMap((line, at) => {
    if (isRow(line)) return []
    const above = lines[at - 1]
    return listAmounts(line, above?.page === line.page ? above : undefined).flatMap((labelled) => {
      const { label, amount } = labelled
      const cents = readCents(amount.text)
      const { basis } = findBasis(label) ?? {}
      const isBare = labelled.isBelow !== true && saysBasisAlone(label)
      const isTotal =
        isBare || saysTotal(label) || /^(?:this )?(?:invoice|bill) (?:amount|value)\b/i.test(label)
      if (typeof cents === "string" || !isTotal || OF_PART.test(label)) return []
      if (basis === undefined && isOfAccount(lines, at, labelled, cents)) return []
      const { page, line: number } = line
      return [{ label, cents, page, line: number, basis: isTaxOf(label) ? ("gst" as const) : basis }]
    })
  })
}

/** Whether words mean the GST of a sum: `GST`, `Includes GST of`, `Total due includes GST of`. */
function isTaxOf(label: string): boolean {
  return saysTax(label) || saysTaxOfTotal(label) || /\bincludes gst\b|\bgst of\W*$/i.test(label)
}

const OF_BILL = /\b(?:invoice|bill|charges?)\b/i

/** Whether a bare total belongs to an account: to an ageing box with its heading, or to the lines above it. */
function isOfAccount(
  lines: readonly Line[],
  at: number,
  { label, isBelow }: Labelled,
  cents: number,
): boolean {
  if (OF_BILL.test(label)) return false
  if (isBelow) return lines[at - 1]?.phrases.some(({ text }) => saysOfAccount(text)) ?? false
  let [sum, count] = [0, 0]
  for (let up = at - 1; lines[up]?.page === lines[at]?.page && count < MAX_PARTS; up--) {
    const [only, ...others] = listAmounts(lines[up] as Line, undefined)
    const says = only && others.length === 0 ? saysOfAccount(only.label) : undefined
    const part = only && says ? readCents(only.amount.text) : ""
    if (typeof part === "string") break
    sum += says === "payment" ? -Math.abs(part) : part
    count++
  }
  return count >= MIN_PARTS && sum === cents
}

const MIN_PARTS = 2
/** Maximum number of account lines above its total. */
const MAX_PARTS = 100

/** The sums in a line of sums below a table's headings; the sum of the parts if none is for all. */
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

/** The sums that count as proof: those of all charges; a subtotal or the amount due only if there is nothing better. */
export function chooseTotals(stated: readonly StatedTotal[], hasBalance: boolean): StatedTotal[] {
  const sums = stated.filter(({ basis, cents }) => basis !== "gst" && cents !== 0)
  const isDue = ({ label }: StatedTotal) => DUE.test(label)
  const isSub = ({ label }: StatedTotal) => SUB_TOTAL.test(label)
  const others = sums.filter((each) => !isDue(each) && !isSub(each))
  const tiers = [
    others.filter((each) => !isOfThis(each)),
    others,
    sums.filter((each) => isSub(each) && !isDue(each)),
    hasBalance ? [] : sums.filter((each) => isDue(each) && /\btotal\b/i.test(each.label)),
  ]
  return tiers.find((tier) => tier.length > 0) ?? []
}

/**
 * The amounts that prove the rows. If a rebate stands below a subtotal, or credits below the total of charges, the
 * amount due counts if the rows equal it to the cent. Payments may have settled the balance brought forward.
 * @param charged the sum of the rows without credits
 */
export function chooseProof(
  stated: readonly StatedTotal[],
  hasBalance: boolean,
  sums: ReadSums,
  charged: ReadSums,
): { totals: readonly StatedTotal[]; stated: readonly StatedTotal[] } {
  const totals = chooseTotals(stated, hasBalance)
  const largest = findLargest(totals)
  if (!largest || isProvenBy(largest, sums)) return { totals, stated }
  const due = stated.filter(({ label }) => DUE.test(label) && !SUB_TOTAL.test(label))
  const sumsDue = due.filter(({ basis, cents }) => basis !== "gst" && cents !== 0)
  const largestDue = findLargest(sumsDue)
  if (!largestDue || !isExactly(largestDue, sums)) return { totals, stated }
  const isStep = SUB_TOTAL.test(largest.label) || isExactly(largest, charged)
  return isStep ? { totals: sumsDue, stated: due } : { totals, stated }
}

/**
 * Two contradicting amounts due that neither a balance nor another amount explains, such as one in the letterhead and
 * another on the payment slip.
 */
export function findDisagreement({
  stated,
  amounts,
  hasBalance,
}: {
  stated: readonly StatedTotal[]
  amounts: readonly StatedTotal[]
  hasBalance: boolean
}): readonly [StatedTotal, StatedTotal] | undefined {
  if (hasBalance) return undefined
  const due = stated.filter(
    ({ label, basis, cents }) =>
      DUE.test(label) && !SUB_TOTAL.test(label) && cents !== 0 && basis !== "gst" && basis !== "exGst",
  )
  const [first] = due
  const other = due.find(({ cents }) => cents !== first?.cents)
  if (!first || !other) return undefined
  const apart = Math.abs(other.cents - first.cents)
  return amounts.some(({ cents }) => Math.abs(cents) === apart) ? undefined : [first, other]
}

/**
 * Tolerance of a subtotal for rows that equal their total to the cent but have no stated basis, and of an amount with
 * GST for the sum of its two parts.
 */
export const ROUNDED_CENTS = 2

/**
 * The invoice's subtotal, if the rows differ from it.
 * @param isExact the rows equal their total to the cent
 */
export function findOddSubTotal(
  stated: readonly StatedTotal[],
  isExact: boolean,
  sumsAbove: (place: Pick<StatedTotal, "page" | "line">) => readonly ReadSums[],
): StatedTotal | undefined {
  const subs = stated.filter(({ label, basis }) => SUB_TOTAL.test(label) && basis !== "gst")
  const [first] = subs
  // Several are parts.
  if (!first || subs.some(({ page, line }) => page !== first.page || line !== first.line)) return undefined
  const sums = sumsAbove(first)
  const isOf = (each: StatedTotal, some: ReadSums) =>
    isExact && each.basis === undefined
      ? some.exact.some((one) => Math.abs(one - each.cents) <= ROUNDED_CENTS)
      : isProvenBy(each, some)
  return subs.find((each) => each.cents !== 0 && !sums.some((some) => isOf(each, some)))
}

/** The account's amount for this bill: all its charges, also below the GST; not `Total freight this invoice`. */
const isOfThis = ({ label }: StatedTotal) =>
  /^\W*(?:(?:total|amount|charges?)\W+)*(?:(?:of|for|on)\W+)?this (?:invoice|bill)\b/i.test(label)

/** The bill's amount on its account, if neither its rows nor the reported amounts outside rows explain it. */
export function findOddOfThis(
  stated: readonly StatedTotal[],
  sums: ReadSums,
  told: StatedTotal | undefined,
): StatedTotal | undefined {
  return stated.find(
    (each) =>
      isOfThis(each) &&
      each.basis !== "gst" &&
      each.cents !== 0 &&
      !isProvenBy(each, sums) &&
      each.cents !== told?.cents,
  )
}

/** The total due of an account may include other bills. */
const OF_WHOLE_ACCOUNT = /\b(?:account|statement)\b/i

/**
 * The amount due below the proving sum, if it differs from the rows, with the amounts between that it includes and no
 * row has, such as a fee for late payment below the GST; undefined if it exceeds the rows without an explanation.
 * @param amounts with words, in the order of the lines, without rows
 */
export function findLeftOut(
  { stated, amounts }: { stated: readonly StatedTotal[]; amounts: readonly StatedTotal[] },
  proving: StatedTotal,
  sums: ReadSums,
): { due: StatedTotal; left: readonly StatedTotal[] } | undefined {
  const isDue = (each: StatedTotal) =>
    DUE.test(each.label) && !SUB_TOTAL.test(each.label) && each.basis !== "gst" && each.basis !== "exGst"
  const found = stated
    .filter((each) => isDue(each) && isBelow(each, proving) && !isProvenBy(each, sums))
    .map((due) => {
      const between = amounts.filter((each) => isBelow(each, proving) && isBelow(due, each))
      const all = between.reduce((sum, { cents }) => sum + cents, 0)
      const isRest = (cents: number) => sums.exact.includes(due.cents - cents)
      const one = between.find(({ cents }) => isRest(cents))
      return { due, left: one ? [one] : between.length > 0 && isRest(all) ? between : [] }
    })
  const isOwed = ({ label, cents }: StatedTotal) =>
    cents > proving.cents && !OF_WHOLE_ACCOUNT.test(label) && !CONDITIONAL.test(label)
  return found.find(({ left }) => left.length > 0) ?? found.find(({ due }) => isOwed(due))
}

/** Titles of charges, but not of other invoices. */
const OF_CHARGES = /\b(?:(?:sur)?charges?|fees?|levies|adjustments?)\b/i

/** An amount with words, and the title of charges above it: `Other charges`. */
export interface Charged extends StatedTotal {
  title: string | undefined
}

/** Amounts with words that are neither a sum, nor GST, nor of the account. */
export function listCharged(lines: readonly Line[]): Charged[] {
  let title: string | undefined
  return lines.flatMap((line, at) => {
    const above = lines[at - 1]
    const [first, ...others] = line.phrases
    const labels = line.phrases.map(({ text }) => partAmount(text).label)
    const isTotal = labels.some((label) => isTotalLabel(label) && !saysTax(label))
    if (above?.page !== line.page || isTotal) title = undefined
    else if (first && others.length === 0 && !MONEY.test(first.text) && partAmount(first.text).cents === "")
      title = saysSection(first.text) === "charges" && OF_CHARGES.test(first.text) ? first.text : undefined
    return listAmounts(line, above?.page === line.page ? above : undefined).flatMap(({ label, amount }) => {
      const cents = readCents(amount.text)
      const isOther =
        isTotalLabel(label) || saysBasisAlone(label) || saysTax(label) || isOfAccountLabel(label)
      if (typeof cents === "string" || cents === 0 || isOther) return []
      return [{ label, cents, page: line.page, line: line.line, basis: findBasis(label)?.basis, title }]
    })
  })
}

/** Amounts with words of the account: reported, but not charges of the bill. */
export function listAccount(lines: readonly Line[]): StatedTotal[] {
  return lines.flatMap((line, at) => {
    const above = lines[at - 1]
    return listAmounts(line, above?.page === line.page ? above : undefined).flatMap(({ label, amount }) => {
      const cents = readCents(amount.text)
      if (typeof cents === "string" || cents === 0 || isTotalLabel(label) || !isOfAccountLabel(label))
        return []
      return [{ label, cents, page: line.page, line: line.line, basis: undefined }]
    })
  })
}

/**
 * Charges outside rows, below a title of charges and below the proving sum; empty if they repeat the total of the rows.
 * The first amount of a line counts.
 * @param amounts as for `findLeftOut`
 */
export function listBelowTitle(amounts: readonly Charged[], proving: StatedTotal, sums: ReadSums): Charged[] {
  const isSame = (one: Charged, other: Charged) => one.page === other.page && one.line === other.line
  const below = amounts.filter(
    (each, at) =>
      each.title !== undefined &&
      isBelow(each, proving) &&
      amounts.findIndex((other) => isSame(each, other)) === at,
  )
  const all = below.reduce((sum, { cents }) => sum + cents, 0)
  return sums.exact.includes(all) ? [] : below
}

/** Whether one stands below another, or on a later page. */
export function isBelow(
  one: { page?: number | undefined; line?: number | undefined },
  other: { page?: number | undefined; line?: number | undefined },
): boolean {
  const [page = 0, otherPage = 0] = [one.page, other.page]
  return page === otherPage ? (one.line ?? 0) > (other.line ?? 0) : page > otherPage
}

/** The sum that is proven, or that all rows would have to equal: the largest, because others may be of a part. */
export function findLargest(totals: readonly StatedTotal[]): StatedTotal | undefined {
  return totals.toSorted((one, other) => Math.abs(other.cents) - Math.abs(one.cents))[0]
}

/** The sums of lines, by their GST basis. */
export interface ReadSums {
  lines: number
  /** From their own columns; undefined if a line does not state it. */
  exGst: number | undefined
  gst: number | undefined
  incGst: number | undefined
  /** Cents, each of which may be the stated sum. */
  exact: readonly number[]
  /** Calculated at 10 % GST, which may be rounded on any row. */
  rounded: readonly number[]
}

/** How far rounded rows may be from a sum: four standard deviations, and at most half a cent a row. */
const roundingOf = (lines: number) => Math.min(lines / 2, (4 / Math.sqrt(12)) * Math.sqrt(lines))

/** Factors by which GST is added or removed if no row states it. */
const WORKED_OUT: readonly (readonly [keyof Money, number])[] = [
  ["exGst", 1.1],
  ["unspecifiedGstCents", 1.1],
  ["incGst", 1 / 1.1],
  ["unspecifiedGstCents", 1 / 1.1],
]

/** @param stated the invoice's sums */
export function sumLines(
  lines: readonly (Money & Pick<BillLine, "charge">)[],
  stated: readonly Pick<StatedTotal, "basis" | "cents">[],
): ReadSums {
  const gst = stated.filter(({ basis }) => basis === "gst").map(({ cents }) => cents)
  const totals = new Set(stated.filter(({ basis }) => basis !== "gst").map(({ cents }) => cents))
  // Whatever its share, GST is proven if the invoice states both amounts and their sum.
  const isStep = (tax: number, exGst: number) => totals.has(exGst) && totals.has(exGst + tax)
  const charges = lines.filter(({ charge }) => charge !== "tax")
  const tax = sumTaxLines(lines)
  const has = (name: keyof Money) => charges.every((line) => line[name] !== null)
  const add = (name: keyof Money) => sumOf(charges, name)
  const ex = has("exGst") ? add("exGst") : undefined
  // GST may be a separate line for one row, and beside the amount for another.
  const own = has("gst") || tax !== 0 ? add("gst") + tax : undefined
  const inc = has("incGst") ? add("incGst") : ex !== undefined && own !== undefined ? ex + own : undefined
  const unspecifiedGstCents = has("unspecifiedGstCents") ? add("unspecifiedGstCents") : undefined
  const plain = [ex, inc, unspecifiedGstCents].filter((each) => each !== undefined)
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
      ...(own === undefined
        ? []
        : [unspecifiedGstCents].flatMap((each) => (each === undefined ? [] : [each + own]))),
      ...[ex, unspecifiedGstCents].flatMap((each) =>
        each === undefined
          ? []
          : gst
              .filter((one) => isGst(one, each, charges.length) || isStep(one, each))
              .map((one) => each + one),
      ),
    ],
    rounded: worked.map(([name, factor]) => add(name) * factor),
  }
}

/** The GST basis that the words of sums give to unmarked amounts, if these add up to them to the cent. */
export function findStatedBasis(
  lines: readonly (Money & Pick<BillLine, "charge">)[],
  stated: readonly Pick<StatedTotal, "basis" | "cents" | "label">[],
): BasisWords | undefined {
  const isOpen = ({ charge, unspecifiedGstCents, gst }: (typeof lines)[number]) =>
    charge !== "tax" && unspecifiedGstCents !== null && gst === null
  if (lines.length === 0 || !lines.every(isOpen)) return undefined
  const cents = sumOf(lines, "unspecifiedGstCents")
  const found = stated.flatMap(({ basis, label, ...each }): BasisWords[] =>
    basis !== undefined && basis !== "gst" && each.cents === cents && !saysFree(label)
      ? [{ basis, text: label }]
      : [],
  )
  return new Set(found.map(({ basis }) => basis)).size === 1 ? found[0] : undefined
}

/** Whether it may be the GST of an amount: a tenth of it, or less if a part is GST-free. */
function isGst(gst: number, exGst: number, lines: number): boolean {
  return Math.abs(gst) <= Math.abs(exGst) / 10 + lines / 2 && gst * exGst >= 0
}

export function isProvenBy({ cents }: Pick<StatedTotal, "cents">, sums: ReadSums): boolean {
  const isWithin = (most: number) => (each: number) => Math.abs(each - cents) <= most
  return sums.exact.some(isWithin(roundingOf(sums.lines))) || sums.rounded.some(isWithin(sums.lines / 2))
}

/** Whether rows equal a sum to the cent, with GST rounded as usual: on each row, or on the total. */
export function isExactly({ cents }: Pick<StatedTotal, "cents">, { exact }: ReadSums): boolean {
  return exact.includes(cents)
}

/**
 * The first sum that contradicts the rows: the largest of all, or one that states its basis. Unstated GST above a tenth
 * means that amounts were read from another column.
 */
export function findContradiction(
  totals: readonly StatedTotal[],
  stated: readonly StatedTotal[],
  sums: ReadSums,
): StatedTotal | undefined {
  const largest = findLargest(totals)
  if (largest && !isProvenBy(largest, sums)) return largest
  // Below a rebate, the GST of all is less than that of the subtotal.
  const isOfAll = stated.filter(({ label, basis }) => basis === "gst" && !SUB_TOTAL.test(label))
  const of = (wanted: StatedTotal["basis"]) =>
    findLargest(
      (wanted !== "gst" ? totals : isOfAll.length > 0 ? isOfAll : stated).filter(
        ({ basis }) => basis === wanted,
      ),
    )
  const isNear = (each: StatedTotal | undefined, sum: number | undefined) =>
    !each || sum === undefined || Math.abs(each.cents - sum) <= sums.lines / 2
  if (!isNear(of("exGst"), sums.exGst)) return of("exGst")
  if (!isNear(of("incGst"), sums.incGst)) return of("incGst")
  return isNear(of("gst"), sums.gst) ? undefined : of("gst")
}

/** Whether the invoice states the rows' sums without GST, with it, and their GST: each column is proven then. */
export function provesEach(stated: readonly StatedTotal[], sums: ReadSums): boolean {
  const isStated = (sum: number | undefined) =>
    sum !== undefined && stated.some(({ cents }) => Math.abs(cents - sum) <= sums.lines / 2)
  return [sums.exGst, sums.gst, sums.incGst].every(isStated)
}

/** Whether each row states its amount with and without GST, and its GST is the difference. */
export function addsUp(tables: readonly PdfTable[]): boolean {
  return tables.every(({ columns, rows }) => {
    const places = ["amountExGst", "gst", "amountIncGst"].map((name) =>
      columns.findIndex(({ meaning }) =>
        "field" in meaning
          ? meaning.field?.name === name
          : "byCells" in meaning && meaning.choices?.includes(name) === true,
      ),
    )
    return rows.every(({ is, cells }) => {
      const [exGst, gst, incGst] = places.map((at) => readCents(cells[at] ?? ""))
      return is !== "row" || (typeof exGst === "number" && typeof gst === "number" && exGst + gst === incGst)
    })
  })
}

/** Whether the GST of rows is plausible: a tenth, or less if a part is GST-free. */
export function isGstPlausible({ exGst, gst, incGst, lines }: ReadSums): boolean {
  const ex = exGst ?? (incGst !== undefined && gst !== undefined ? incGst - gst : undefined)
  return gst === undefined || ex === undefined || isGst(gst, ex, lines)
}

/** The sums of the rows, for people. @param than the sum that they differ from */
export function describeSums(sums: ReadSums, than?: Pick<StatedTotal, "basis">): string {
  const own = than?.basis && sums[than.basis]
  const all = own === undefined ? sums.exact : [own]
  return [...new Set(all)].slice(0, 2).map(formatCents).join(" or ") || formatCents(0)
}
