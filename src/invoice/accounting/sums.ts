/** Sums of named amounts. A document may state, delegate or omit each of them. */
import { adviseLiteral } from "../../contract/index.ts"
import { describeField } from "../labels.ts"
import {
  type Amount,
  add,
  formatLiteral,
  formatMoney,
  getDigits,
  getMagnitude,
  HALF_CENT,
  isAbsurd,
  isWithin,
  negate,
  roundToCents,
  subtract,
  ZERO,
} from "./amounts.ts"
import { Line, type Part } from "./books.ts"
import { NO_FINDINGS, type RuleFinding } from "./rule.ts"
import type { Formula } from "./glance.ts"

interface Term {
  field: string
  amount: Amount
  takenOff: boolean
}

export type Sum = readonly Term[]

/** Sums of one term each: the amounts that a field may have. */
export function singleTermSums(field: string, amounts: readonly Amount[]): Sum[] {
  return amounts.map((amount) => [{ field, amount, takenOff: false }])
}

/** The field's amount, or zero if it is absent; undefined if it is invalid. */
export function getTerm(part: Part, field: string): Sum[] {
  const amount = part.amountOrZero(field)
  return singleTermSums(field, amount === undefined ? [] : [amount])
}

/**
 * The value of a field for the sums that build on it: its stated value, or the value that a missing one should have. A
 * field that is reported as wrong already counts for both, so that one mistake makes one finding.
 */
export function settleField(part: Part, field: string, right: readonly Sum[], wrong: boolean): Sum[] {
  if (!part.has(field)) return [...right]
  const stated = getTerm(part, field)
  return wrong && stated.length > 0 ? [...stated, ...right] : stated
}

/** As `settleField`, for a field that may count as zero if it is absent. */
export function settleOptionalField(part: Part, field: string, right: readonly Sum[], wrong: boolean): Sum[] {
  return settleField(part, field, part.has(field) ? right : [...right, ...getTerm(part, field)], wrong)
}

/** Every way to add one of each; none when one of them has none. */
export function plus(...terms: readonly (readonly Sum[])[]): Sum[] {
  return terms.reduce<Sum[]>(
    (ways, next) => ways.flatMap((way) => next.map((each) => [...way, ...each])),
    [[]],
  )
}

/** Every way to take one of the second off one of the first. */
export function minus(from: readonly Sum[], off: readonly Sum[]): Sum[] {
  return plus(
    from,
    off.map((sum) => sum.map((each) => ({ ...each, takenOff: !each.takenOff }))),
  )
}

/** The amounts that a field may count for, the likeliest first. */
type FindAmounts = (field: string) => readonly Sum[]

/**
 * The result for amounts as they are stated, absent ones counting zero, as `agreesWithFormula` adds them; undefined when
 * one cannot be counted with.
 */
function addStated(part: Part, { base, added = [], takenOff = [] }: Formula): Amount | undefined {
  const read = (field: string) => (part.has(field) ? part.amount(field) : ZERO)
  let sum = !base ? ZERO : part.has(base.field) ? part.amount(base.field) : addStated(part, base)
  for (const field of [...added, ...takenOff]) {
    const amount = read(field)
    if (sum === undefined || amount === undefined) return undefined
    sum = add(sum, takenOff.includes(field) ? negate(amount) : amount)
  }
  return sum
}

export function listSums(part: Part, formula: Formula, find: FindAmounts): Sum[] {
  const { base, added = [], takenOff = [] } = formula
  const terms = [...(base ? [settleBase(part, base, find)] : []), ...added.map(find)]
  return takenOff.reduce((sums, field) => minus(sums, find(field)), plus(...terms))
}

function settleBase(part: Part, base: Formula, find: FindAmounts): Sum[] {
  const isRight = part.has(base.field) && checkFormula(part, base, find).length === 0
  return isRight ? getTerm(part, base.field) : settleField(part, base.field, listSums(part, base, find), true)
}

/** Reports a field that is none of the sums that it may be. The likeliest of them is named. */
export function checkFormula(part: Part, formula: Formula, find: FindAmounts): readonly RuleFinding[] {
  const { field } = formula
  const stated = part.amount(field)
  // Nearly all fields are the stated sum, and to make all sums takes long.
  if (stated === undefined || stated === addStated(part, formula)) return NO_FINDINGS
  const may = listSums(part, formula, find)
  const [likeliest] = may
  if (!likeliest || may.some((sum) => isWithin(stated, getTotal(sum), HALF_CENT))) return NO_FINDINGS
  const given = likeliest.filter(({ amount }, index) => index === 0 || amount !== 0)
  const words = given.map((each, index) => {
    const sign = index === 0 ? "" : each.takenOff ? "less " : "plus "
    return `${sign}${describeField(each.field)} ${formatMoney(each.amount)}`
  })
  const leads = given.length === 1 ? describeField(likeliest[0]?.field ?? field) : words.join(" ")
  return reportMismatch(part, field, `${leads} is`, getTotal(likeliest), getChargeClues(part))
}

export function getTotal(sum: Sum): Amount {
  return sum.reduce<Amount>(
    (total, { amount, takenOff }) => add(total, takenOff ? negate(amount) : amount),
    ZERO,
  )
}

/** The sum of a field over parts, with the right amount in the place of each that is reported as wrong. */
export function sumCorrected<P extends Part>(
  parts: readonly P[],
  field: string,
  isWrong: (part: P) => boolean,
  right: (part: P) => Amount | undefined,
): Amount | undefined {
  let total = ZERO
  for (const part of parts) {
    const corrected = isWrong(part) ? right(part) : undefined
    const amount = corrected === undefined ? part.amount(field) : roundToCents(corrected)
    if (amount === undefined) return undefined
    total = add(total, amount)
  }
  return total
}

/** Parts that are added to a subtotal, and parts that are taken off. */
const ADDED = { taxAmount: "tax", shippingAmount: "shipping", specialHandlingAmount: "special handling" }
const TAKEN_OFF = { discountAmount: "discount", depositAmount: "deposit" }

function getChargeClues(part: Part): Clue[] {
  const added = Object.entries(ADDED).map(([field, name]) => ({
    amount: part.amount(field) ?? ZERO,
    over: `the ${name} was counted once too often`,
    short: `the ${name} was left out`,
  }))
  const off = Object.entries(TAKEN_OFF).map(([field, name]) => ({
    amount: part.amount(field) ?? ZERO,
    over: `the ${name} was not taken off`,
    short: `the ${name} was taken off once too often`,
  }))
  return [...added, ...off]
}

/** An amount that explains the mistake if it equals the difference. */
interface Clue {
  amount: Amount
  /** When the amount given is too great by it: `the tax was added in`. */
  over?: string
  /** When the amount given is too small by it: `the tax was left out`. */
  short?: string
}

/**
 * `lines add up to 1,204.50, subtotal says 1,240.50: difference 36.00, perhaps swapped digits`
 * @param leads the words before the expected amount: `lines add up to`
 * @param expected before rounding
 * @param hint how to fix it, unless by writing the expected amount
 */
export function reportMismatch(
  part: Part,
  field: string,
  leads: string,
  expected: Amount,
  clues: readonly Clue[] = [],
  hint?: string,
): RuleFinding[] {
  const stated = part.amount(field)
  if (stated === undefined) return []
  const right = roundToCents(expected)
  // An absurd number does not show the right value of the field; one line's own product does.
  const isOwn = part instanceof Line && !part.hasAbsurdNumber()
  if (isAbsurd(right) && !isAbsurd(stated) && !isOwn) return []
  const rounded = right === expected ? "" : " rounded"
  const guess = guessMistake(stated, right, clues)
  const words =
    `${leads} ${formatMoney(right)}${rounded}, ${describeField(field)} says ${formatMoney(stated)}: ` +
    `difference ${formatMoney(getMagnitude(subtract(stated, right)))}`
  return [
    {
      pointer: part.at(field),
      message: guess ? `${words}, perhaps ${guess}` : words,
      ...(hint === undefined
        ? adviseLiteral(formatLiteral(right), {
            safety: "suggestion",
            more: " if the other amounts are right",
          })
        : { hint }),
    },
  ]
}

/** A clue for each line: it may be missing from a sum, or in it twice. */
export function getLineClues(lines: readonly Part[], field: string): Clue[] {
  const amounts = lines.map((line) => line.amount(field))
  const seen = new Map<Amount, number>()
  for (const amount of amounts) if (amount !== undefined) seen.set(amount, (seen.get(amount) ?? 0) + 1)
  return amounts.flatMap((amount, index) => {
    if (amount === undefined || amount === 0) return []
    const which = seen.get(amount) === 1 ? `line item ${index + 1}` : `a line of ${formatMoney(amount)}`
    return [{ amount, over: `${which} was counted twice`, short: `${which} was left out` }]
  })
}

/** The likely mistake that turned `right` into `stated`, if there is one. */
export function guessMistake(stated: Amount, right: Amount, clues: readonly Clue[] = []): string | undefined {
  if (stated !== 0 && stated === negate(right)) return "the wrong sign"
  if (hasSameFigures(stated, right)) return "a slipped decimal point"
  const difference = subtract(stated, right)
  if (hasSwappedDigits(stated, right)) return "swapped digits"
  for (const { amount, over, short } of clues) {
    if (over && difference === amount) return over
    if (short && difference === negate(amount)) return short
  }
  return undefined
}

/** Whether one is the other times a power of ten. */
function hasSameFigures(one: Amount, other: Amount): boolean {
  if (one === 0 || other === 0 || one < 0 !== other < 0) return false
  const figures = (amount: Amount) => getDigits(amount).replace(/^0+|(?<!0)0+$/g, "")
  return figures(one) === figures(other)
}

/** Whether two neighbouring digits changed places; such a difference is always divisible by nine. */
function hasSwappedDigits(one: Amount, other: Amount): boolean {
  if (one < 0 !== other < 0) return false
  const [from, to] = [getDigits(one, 2), getDigits(other, 2)]
  if (from.length !== to.length) return false
  const at = [...from].findIndex((digit, index) => digit !== to[index])
  const turned = `${from.slice(0, at)}${from[at + 1]}${from[at]}${from.slice(at + 2)}`
  return at >= 0 && turned === to
}
