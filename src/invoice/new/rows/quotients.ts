/** Divisions of amounts for making invoices; checking one needs none. */
import { add, type Amount, CENT, subtract, times, ZERO } from "../../accounting/amounts.ts"

/** Decimals of an amount, and the amount that is 1. */
const PLACES = 6
const ONE = times(CENT, 100)
const HUNDRED = times(ONE, 100)

/** The quotient with at most `places` decimals, halves away from zero; undefined if the divisor is zero. */
export function divideRounded(dividend: Amount, divisor: Amount, places: number): Amount | undefined {
  if (divisor === ZERO) return undefined
  const step = 10n ** BigInt(PLACES - places)
  const [product, by] = [BigInt(dividend) * BigInt(ONE), BigInt(divisor) * step]
  const isNegative = product < 0n !== by < 0n
  const [over, under] = [product < 0n ? -product : product, by < 0n ? -by : by]
  const rounded = ((over * 2n + under) / (under * 2n)) * step
  return add(ZERO, isNegative ? -rounded : rounded)
}

/** An amount less `percent` of it, to the millionth. */
export function takeOff(amount: Amount, percent: Amount): Amount {
  const product = (BigInt(amount) * BigInt(subtract(HUNDRED, percent))) / BigInt(ONE)
  return divideRounded(product, HUNDRED, PLACES) ?? ZERO
}
