/** The totals of the summary that are missing or wrong, and can be nothing else than this. */
import type { JsonDocument } from "../../input/index.ts"
import { type Amount, add, formatLiteral, GST_PERCENT, HALF_CENT, isWithin, takePercent } from "./amounts.ts"
import type { Books, BrokenPlaces } from "./books.ts"
import type { RuleFinding } from "./rule.ts"
import { readBooks } from "./rules.ts"
import { checkSubtotal, findAmounts, listLineTaxes, TOTALS } from "./summary.ts"
import { getTotal, guessMistake, listSums, singleTermSums } from "./sums.ts"
import type { Formula } from "./glance.ts"
import { addLineTaxes, checkSummaryTax, checkTaxLimit } from "./tax.ts"

interface Total {
  field: string
  amount: Amount
}

/** A field that the later totals build on, as far as it is known. */
interface Settled {
  amount: Amount | undefined
  /** It is missing, or nothing agrees with the stated amount. */
  isRepaired: boolean
}

/**
 * The totals of the summary that are missing or wrong and that the other amounts leave no doubt about, those first that
 * others build on. Exact, to the cent.
 */
export function workOutTotals(
  { value, numbers }: Pick<JsonDocument, "value" | "numbers">,
  broken: BrokenPlaces,
): { field: string; literal: string }[] {
  const books = readBooks(value, numbers, broken)
  return findTotals(books).map(({ field, amount }) => ({ field, literal: formatLiteral(amount) }))
}

/**
 * Totals that others depend on come first. A total that agrees with another stated one is kept, and so are the totals
 * that depend on it. No other total can agree with the last one: it is corrected if it is plainly mistyped and the
 * lines support everything it depends on, or if it was calculated from a corrected amount. Otherwise a deposit or a
 * charge may just not be stated, however much before it is wrong.
 */
function findTotals(books: Books): Total[] {
  const { summary } = books
  if (!summary.given || books.lines.length === 0) return []
  const { subtotal, tax } = settleInputs(books)
  const inputs = [
    { field: "subtotal", ...subtotal },
    { field: "taxAmount", ...tax },
  ]
  const found = inputs.flatMap(({ field, amount, isRepaired }) =>
    isRepaired && amount !== undefined ? [{ field, amount }] : [],
  )
  if (subtotal.amount === undefined || tax.amount === undefined) return found
  if (isWrong(books, "subtotal", found) || isWrong(books, "taxAmount", found)) return found
  let carried = [add(subtotal.amount, tax.amount)]
  let mistaken = findStatedBase(books)
  let isRepaired = found.length > 0
  for (const [at, formula] of TOTALS.entries()) {
    const { field } = formula
    const stated = summary.amount(field)
    const may = workOut(books, formula, carried)
    const fromMistaken = workOut(books, formula, mistaken)
    mistaken = stated === undefined ? fromMistaken : [stated]
    if (stated === undefined && !summary.has(field) && field !== "dueAmount") {
      carried = may
      continue
    }
    if (stated !== undefined && isOneOf(stated, may)) {
      carried = [stated]
      isRepaired = false
      continue
    }
    const [right, ...others] = may
    if (right === undefined || others.length > 0) return found
    const isFromMistake = stated !== undefined && isOneOf(stated, fromMistaken)
    const isLast = field === "dueAmount"
    const isMistakenToo = isLast ? isFromMistake : isRepaired
    if (!isFree(books, at, stated, right, { isRepaired, isMistakenToo })) return found
    found.push({ field, amount: right })
    carried = [right]
    isRepaired = true
  }
  return found
}

/** The stated amounts that the first total builds on. */
function findStatedBase({ summary }: Books): Amount[] {
  const [subtotal, tax] = [summary.amount("subtotal"), summary.amount("taxAmount")]
  return subtotal === undefined || tax === undefined ? [] : [add(subtotal, tax)]
}

/**
 * Whether nothing supports a total as it is stated.
 * @param isRepaired an amount that it depends on was corrected
 * @param isMistakenToo it is wrong because of an amount that it depends on
 */
function isFree(
  books: Books,
  at: number,
  stated: Amount | undefined,
  right: Amount,
  { isRepaired, isMistakenToo }: { isRepaired: boolean; isMistakenToo: boolean },
): boolean {
  const next = findNextTotal(books, at)
  const isBacked = hasNoDoubtfulInput(books, at)
  // A charge that only the summary states may be mistyped itself: one other total is too little to tell.
  if (next?.follows(right)) return isBacked || areLaterTotalsRight(books, at, right)
  // An unreadable amount there may mean that a deposit is missing.
  if (stated === undefined)
    return (
      !next && !books.summary.has("dueAmount") && (isBacked || (!isRepaired && hasEarlierTotal(books, at)))
    )
  if (hasLaterTotalFrom(books, at, stated)) return false
  const areAllWrong = next !== undefined && books.summary.amount("dueAmount") !== undefined
  const isMistyped = areAllWrong || guessMistake(stated, right) !== undefined
  return isMistakenToo || (isMistyped && isBacked)
}

/** Whether each later total that is stated follows from the one before, and the last one is stated. */
function areLaterTotalsRight(books: Books, at: number, right: Amount): boolean {
  let carried = [right]
  for (const formula of TOTALS.slice(at + 1)) {
    const stated = books.summary.amount(formula.field)
    carried = workOut(books, formula, carried)
    if (stated !== undefined && !isOneOf(stated, carried)) return false
    if (stated !== undefined) carried = [stated]
  }
  return books.summary.amount("dueAmount") !== undefined
}

/** Whether a later total that is stated follows from this one, whatever those between say. */
function hasLaterTotalFrom(books: Books, at: number, amount: Amount): boolean {
  let carried = [amount]
  return TOTALS.slice(at + 1).some((formula) => {
    carried = workOut(books, formula, carried)
    const stated = books.summary.amount(formula.field)
    return stated !== undefined && isOneOf(stated, carried)
  })
}

function hasEarlierTotal(books: Books, at: number): boolean {
  return TOTALS.slice(0, at).some(({ field }) => books.summary.amount(field) !== undefined)
}

/** Whether a field is reported as wrong, or missing, and is not among those found. */
function isWrong(books: Books, field: string, found: readonly Total[]): boolean {
  return !found.some((total) => total.field === field) && isReported(books, field)
}

function isReported(books: Books, field: string): boolean {
  if (books.summary.amount(field) === undefined) return true
  const checks: ((books: Books) => readonly RuleFinding[])[] =
    field === "subtotal" ? [checkSubtotal] : [checkSummaryTax, checkTaxLimit]
  return checks.some((check) => check(books).length > 0)
}

function settleInputs(books: Books): { subtotal: Settled; tax: Settled } {
  const { summary } = books
  const [statedSubtotal, statedTax] = [summary.amount("subtotal"), summary.amount("taxAmount")]
  const subtotal = settle(statedSubtotal, isReported(books, "subtotal"), findSubtotal(books), (amount) =>
    fitsFirstTotal(books, amount, statedTax),
  )
  const tax = settle(statedTax, isReported(books, "taxAmount"), findTax(books), (amount) =>
    fitsFirstTotal(books, subtotal.amount, amount),
  )
  const fits = fitsFirstTotal(books, subtotal.amount, tax.amount)
  // A calculated amount has to agree with the stated one. Where both are stated and wrong, the lines may be wrong instead,
  // unless a total agrees with them.
  const isFilledIn = statedSubtotal === undefined || statedTax === undefined
  const areBothWrong = !isFilledIn && subtotal.isRepaired && tax.isRepaired
  if (isFilledIn ? fits !== false : !areBothWrong || fits) return { subtotal, tax }
  const keep = (amount: Amount | undefined): Settled => ({ amount, isRepaired: false })
  return { subtotal: keep(statedSubtotal), tax: keep(statedTax) }
}

/** @param right the amount by the lines, if they leave no choice */
function settle(
  stated: Amount | undefined,
  isWrong: boolean,
  right: Amount | undefined,
  isBacked: (amount: Amount) => boolean | undefined,
): Settled {
  const stays = !isWrong || right === undefined || (stated !== undefined && isBacked(stated) === true)
  return stays ? { amount: stated, isRepaired: false } : { amount: right, isRepaired: true }
}

/** Whether the first stated total follows from these; undefined if there is none, or one of these is unknown. */
function fitsFirstTotal(
  books: Books,
  subtotal: Amount | undefined,
  tax: Amount | undefined,
): boolean | undefined {
  const { summary } = books
  const first = TOTALS.find(({ field }) => summary.has(field))
  const stated = first && summary.amount(first.field)
  if (!first || stated === undefined || subtotal === undefined || tax === undefined) return undefined
  const assumed: Readonly<Record<string, Amount>> = { subtotal, taxAmount: tax }
  const sums = listSums(summary, first, (field) => {
    const amount = assumed[field]
    return amount === undefined ? findAmounts(books, field) : singleTermSums(field, [amount])
  })
  return isOneOf(stated, sums.map(getTotal))
}

/** Possible values of a total for each value of its base. The first one builds on subtotal and tax. */
function workOut(books: Books, formula: Formula, carried: readonly Amount[]): Amount[] {
  const { base, added = [], takenOff = [] } = formula
  const inputs = [...singleTermSums("base", carried)]
  const rest: Formula = {
    field: formula.field,
    added: ["base", ...added.filter((field) => base || (field !== "subtotal" && field !== "taxAmount"))],
    takenOff,
  }
  const sums = listSums(books.summary, rest, (field) =>
    field === "base" ? inputs : findAmounts(books, field),
  )
  return [...new Set(sums.map(getTotal))]
}

function isOneOf(stated: Amount, amounts: readonly Amount[]): boolean {
  return amounts.some((amount) => isWithin(stated, amount, HALF_CENT))
}

/** Whether each amount between this total and the last one stated before it is backed by the lines, or there is none. */
function hasNoDoubtfulInput(books: Books, at: number): boolean {
  const { summary } = books
  const steps = TOTALS.slice(0, at + 1)
  const before = steps.findLastIndex(({ field }, index) => index < at && summary.has(field))
  const inputs = steps.slice(before + 1).flatMap(({ added = [], takenOff = [] }) => [...added, ...takenOff])
  return inputs.every((field) => {
    if (field === "subtotal" || !summary.amount(field)) return true
    if (field === "taxAmount") return addLineTaxes(books) !== undefined || isTenPercent(books)
    return books.anyLineHas(field) && books.total(field) === summary.amount(field)
  })
}

function isTenPercent({ summary }: Books): boolean {
  const [subtotal, tax] = [summary.amount("subtotal"), summary.amount("taxAmount")]
  return (
    subtotal !== undefined &&
    tax !== undefined &&
    isWithin(tax, takePercent(subtotal, GST_PERCENT), HALF_CENT)
  )
}

/** The next stated total; undefined if there is none. */
function findNextTotal(books: Books, at: number): { follows(amount: Amount): boolean } | undefined {
  const later = TOTALS.slice(at + 1)
  const count = later.findIndex(({ field }) => books.summary.amount(field) !== undefined) + 1
  const stated = books.summary.amount(later[count - 1]?.field ?? "")
  if (stated === undefined) return undefined
  return {
    follows: (amount) =>
      isOneOf(
        stated,
        later.slice(0, count).reduce((carried, formula) => workOut(books, formula, carried), [amount]),
      ),
  }
}

function findSubtotal(books: Books): Amount | undefined {
  return books.everyLineHas("subtotal") ? books.total("subtotal") : undefined
}

/** The lines' tax; undefined if shipping, handling or a discount of the whole invoice may be taxed too. */
function findTax(books: Books): Amount | undefined {
  const besides = [
    books.summary.amountOrZero("shippingAmount"),
    books.summary.amountOrZero("specialHandlingAmount"),
    books.summary.amountOrZero("discountAmount"),
    books.data.part("shipping").amountOrZero("amount"),
  ]
  const [tax, ...others] = besides.every((amount) => amount === 0) ? listLineTaxes(books) : []
  return others.length === 0 ? tax : undefined
}
