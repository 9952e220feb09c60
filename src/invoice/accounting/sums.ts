/** Sums of named amounts, each of which the document may state, leave to others, or leave out. */
import { fieldInWords } from "../place.ts"
import { type Amount, add, HALF_CENT, isWithin, money, negate, subtract, toCents, ZERO } from "./amounts.ts"
import type { Part } from "./books.ts"
import { NO_REMARKS, type Remark } from "./rule.ts"
import { type Clue, disagreement } from "./slips.ts"

interface Term {
  field: string
  amount: Amount
  takenOff: boolean
}

/** The terms of one sum. */
export type Sum = readonly Term[]

/** Sums of one term each: the amounts that a field may have. */
export function singleTermSums(field: string, amounts: readonly Amount[]): Sum[] {
  return amounts.map((amount) => [{ field, amount, takenOff: false }])
}

/** The field's amount, or zero where it is absent; none when it cannot be counted with. */
export function term(part: Part, field: string): Sum[] {
  const amount = part.amountOrZero(field)
  return singleTermSums(field, amount === undefined ? [] : [amount])
}

/**
 * What a field counts for in the sums that build on it: what it says, and where it is absent, what it should say. A
 * field that is reported as wrong already counts for both, so that one slip makes one finding.
 */
export function settled(part: Part, field: string, right: readonly Sum[], wrong: boolean): Sum[] {
  if (!part.has(field)) return [...right]
  const stated = term(part, field)
  return wrong && stated.length > 0 ? [...stated, ...right] : stated
}

/** As `settled`, for a field that may count zero where it is absent. */
export function settledOrNone(part: Part, field: string, right: readonly Sum[], wrong: boolean): Sum[] {
  return settled(part, field, part.has(field) ? right : [...right, ...term(part, field)], wrong)
}

/** As `settled`, for a field that is itself one of these sums. */
export function settledSum(
  part: Part,
  field: string,
  stated: (part: Part) => Amount | undefined,
  sums: () => readonly Sum[],
): Sum[] {
  if (part.has(field) && sumRemarks(part, field, stated, sums).length === 0) return term(part, field)
  return settled(part, field, sums(), true)
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

/** The sum of fields as they are stated, absent ones counting zero; undefined when one cannot be counted with. */
export function statedSum(
  part: Part,
  added: readonly string[],
  takenOff: readonly string[] = [],
): Amount | undefined {
  let sum = ZERO
  for (const field of added) {
    const amount = part.amountOrZero(field)
    if (amount === undefined) return undefined
    sum = add(sum, amount)
  }
  for (const field of takenOff) {
    const amount = part.amountOrZero(field)
    if (amount === undefined) return undefined
    sum = subtract(sum, amount)
  }
  return sum
}

/**
 * Says so when a field is none of the sums that it may be. The first is the likeliest, and the one that is named.
 * @param stated one of the sums, tried first: nearly all fields are it, and to make all sums takes long
 */
export function sumRemarks(
  part: Part,
  field: string,
  stated: (part: Part) => Amount | undefined,
  sums: () => readonly Sum[],
): readonly Remark[] {
  const said = part.amount(field)
  if (said === undefined || said === stated(part)) return NO_REMARKS
  const may = sums()
  const [likeliest] = may
  if (!likeliest || may.some((sum) => isWithin(said, totalOfSum(sum), HALF_CENT))) return []
  const given = likeliest.filter(({ amount }, index) => index === 0 || amount !== 0)
  const words = given.map((each, index) => {
    const sign = index === 0 ? "" : each.takenOff ? "less " : "plus "
    return `${sign}${fieldInWords(each.field)} ${money(each.amount)}`
  })
  const leads = given.length === 1 ? fieldInWords(likeliest[0]?.field ?? field) : words.join(" ")
  return disagreement(part, field, `${leads} is`, totalOfSum(likeliest), chargeClues(part))
}

export function totalOfSum(sum: Sum): Amount {
  return sum.reduce<Amount>(
    (total, { amount, takenOff }) => add(total, takenOff ? negate(amount) : amount),
    ZERO,
  )
}

/** The sum of a field over parts, with the right amount in the place of each that is reported as wrong. */
export function correctedTotal<P extends Part>(
  parts: readonly P[],
  field: string,
  remarks: (part: P) => readonly Remark[],
  right: (part: P) => Amount | undefined,
): Amount | undefined {
  let total = ZERO
  for (const part of parts) {
    const corrected = remarks(part).length > 0 ? right(part) : undefined
    const amount = corrected === undefined ? part.amount(field) : toCents(corrected)
    if (amount === undefined) return undefined
    total = add(total, amount)
  }
  return total
}

/** What is added to a subtotal, and what is taken off. */
const ADDED = { taxAmount: "tax", shippingAmount: "shipping", specialHandlingAmount: "special handling" }
const TAKEN_OFF = { discountAmount: "discount", depositAmount: "deposit" }

function chargeClues(part: Part): Clue[] {
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
