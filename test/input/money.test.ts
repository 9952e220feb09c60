/** Amounts as tables and PDFs have them: one pattern, which reads whatever it takes for an amount. */
import { describe, expect, it } from "vitest"
import { readSignedNumber } from "../../src/contract/fields/damage.ts"
import { isMoneyText, mayBeMoney, sumAmounts } from "../../src/input/columns/money.ts"

const SIGNS = ["", "-", "\u2212", "\u2013"]
const CURRENCIES = ["", "$", "A$", "AUD "]
const NUMBERS = ["5.00", ".50", "1,234.50", "0.00"]
const ENDS = ["", " AUD", "AUD", "-", " CR", " DR", " AUD CR"]

const written = (sign: string, currency: string, number: string, end: string) => [
  `${sign}${currency}${number}${end}`,
  `${currency}${sign}${number}${end}`,
]
const AMOUNTS = SIGNS.flatMap((sign) =>
  CURRENCIES.flatMap((currency) =>
    NUMBERS.flatMap((number) =>
      // Two signs say two things.
      ENDS.filter((end) => sign === "" || !/-|CR|DR/.test(end)).flatMap((end) =>
        written(sign, currency, number, end),
      ),
    ),
  ),
)

describe("an amount with its cents", () => {
  it("is known however its sign and its currency are written, and is read", () => {
    for (const text of [...AMOUNTS, "(5.00)", "(A$ 1,234.50)", " 5.00 "]) {
      expect([text, isMoneyText(text)]).toEqual([text, true])
      expect([text, readSignedNumber(text.trim(), { money: true }).ok]).toEqual([text, true])
    }
  })

  it.each([
    "",
    "5",
    "5.0",
    "5.000",
    ",.50",
    "5.00 kg",
    "5.00%",
    "x5.00",
    "1.2.00",
    "24.11.00",
  ])("is not %j", (text) => {
    expect(isMoneyText(text)).toBe(false)
  })

  it.each(["5,00", "1.234,50", "\u200b5.00", "5.00"])("may be %j, where the column does not say", (text) => {
    expect(mayBeMoney(text)).toBe(true)
  })

  it.each([
    ..."-\u2010\u2015\u2212\ufe58\ufe63\uff0d",
  ])("is negative behind a dash that a program writes for a minus: %j", (dash) => {
    expect(readSignedNumber(`${dash}5.00`, { money: true })).toMatchObject({ value: -5 })
  })

  it("is summed with the others, and nothing but zeros is not a sum", () => {
    expect(sumAmounts(["1.00", "2,50", "x", "(0.50)", "\u20130.25"])).toBe("4 amounts, 2.75 in all")
    expect(sumAmounts(["1.234,50"])).toBe("1,234.50")
    expect(sumAmounts(["0.00", "x"])).toBeUndefined()
    expect(sumAmounts([])).toBeUndefined()
  })
})
