/** Amounts in cells, with their cents: they distinguish a column or row of amounts from one of numbers or words. */
import { dropHidden } from "../../base/invisible.ts"
import { formatCents } from "../../base/money.ts"
import { readSignedNumber } from "../../contract/index.ts"

/** An amount with its cents, as tables have it, whatever they are written in. */
export const MONEY =
  /^[-\u2212\u2013(]?\s*(?:(?:A?\$|AUD)\s*)?[-\u2212\u2013]?(?:\d[\d,]*)?\.\d\d\)?\s*(?:AUD)?\s*(?:-|CR|DR)?$/i

/** Whether a cell is written as an amount is, with its cents. */
export function isMoneyText(text: string): boolean {
  return MONEY.test(text.trim())
}

/** The same for a cell whose column does not show its decimals: with a comma, or with invisible characters. */
export function mayBeMoney(text: string): boolean {
  return isMoneyText(toPoint(text))
}

const toPoint = (text: string) =>
  dropHidden(text)
    .replace(/\.(?=\d{3},)/g, "")
    .replace(/,(?=\d\d\D*$)/, ".")

/** `3 amounts, 45.00 in all`; undefined if there are only zeros. */
export function sumAmounts(texts: readonly string[]): string | undefined {
  const cents = texts
    .map(toPoint)
    .filter(isMoneyText)
    .flatMap((text) => {
      const read = readSignedNumber(text.trim(), { money: true })
      return read.ok ? [Math.round(read.value * 100)] : []
    })
  if (cents.every((each) => each === 0)) return undefined
  const sum = formatCents(cents.reduce((all, each) => all + each, 0))
  return cents.length === 1 ? sum : `${cents.length} amounts, ${sum} in all`
}
