/** Words for two amounts that should be one, and a guess at the slip that made them two. */
import { fieldInWords } from "../place.ts"
import { type Amount, digitsOf, literal, magnitude, money, negate, subtract, toCents } from "./amounts.ts"
import type { Part } from "./books.ts"
import type { Remark } from "./rule.ts"

/** An amount that, if it is the difference, tells what went wrong. */
export interface Clue {
  amount: Amount
  /** When the amount given is too great by it: `the tax was added in`. */
  over?: string
  /** When the amount given is too small by it: `the tax was left out`. */
  short?: string
}

/**
 * `lines add up to 1,204.50, subtotal says 1,240.50: difference 36.00, perhaps swapped digits`
 * @param leads the words before the amount that is expected: `lines add up to`
 * @param expected before rounding
 * @param hint how to mend it, where that is not to write the expected amount
 */
export function disagreement(
  part: Part,
  field: string,
  leads: string,
  expected: Amount,
  clues: readonly Clue[] = [],
  hint?: string,
): Remark[] {
  const said = part.amount(field)
  if (said === undefined) return []
  const right = toCents(expected)
  const rounded = right === expected ? "" : " rounded"
  const guess = guessAt(said, right, clues)
  const words =
    `${leads} ${money(right)}${rounded}, ${fieldInWords(field)} says ${money(said)}: ` +
    `difference ${money(magnitude(subtract(said, right)))}`
  return [
    {
      pointer: part.at(field),
      message: guess ? `${words}, perhaps ${guess}` : words,
      hint: hint ?? `write ${literal(right)} if the other amounts are right`,
    },
  ]
}

/** A clue for each line: it may be missing from a sum, or in it twice. */
export function lineClues(lines: readonly Part[], field: string): Clue[] {
  const amounts = lines.map((line) => line.amount(field))
  const seen = new Map<Amount, number>()
  for (const amount of amounts) if (amount !== undefined) seen.set(amount, (seen.get(amount) ?? 0) + 1)
  return amounts.flatMap((amount, index) => {
    if (amount === undefined || amount === 0) return []
    const which = seen.get(amount) === 1 ? `line item ${index + 1}` : `a line of ${money(amount)}`
    return [{ amount, over: `${which} was counted twice`, short: `${which} was left out` }]
  })
}

/** The slip that turns `right` into `said`, where one is plain. */
function guessAt(said: Amount, right: Amount, clues: readonly Clue[]): string | undefined {
  if (said !== 0 && said === negate(right)) return "the wrong sign"
  if (sameFigures(said, right)) return "a slipped decimal point"
  const difference = subtract(said, right)
  if (swapped(said, right)) return "swapped digits"
  for (const { amount, over, short } of clues) {
    if (over && difference === amount) return over
    if (short && difference === negate(amount)) return short
  }
  return undefined
}

/** Whether one is the other times a power of ten. */
function sameFigures(one: Amount, other: Amount): boolean {
  if (one === 0 || other === 0 || one < 0 !== other < 0) return false
  const figures = (amount: Amount) => digitsOf(amount).replace(/^0+|0+$/g, "")
  return figures(one) === figures(other)
}

/** Whether two neighbouring digits changed places; such a difference is always divisible by nine. */
function swapped(one: Amount, other: Amount): boolean {
  if (one < 0 !== other < 0) return false
  const [from, to] = [digitsOf(one, 2), digitsOf(other, 2)]
  if (from.length !== to.length) return false
  const at = [...from].findIndex((digit, index) => digit !== to[index])
  const turned = `${from.slice(0, at)}${from[at + 1]}${from[at]}${from.slice(at + 2)}`
  return at >= 0 && turned === to
}
