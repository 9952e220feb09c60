/** Quantity, unit price and tax of a line, from whichever amounts a row has. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  add,
  type Amount,
  formatPlain,
  multiply,
  roundToCents,
  takePercent,
  toAmount,
  ZERO,
} from "../../../src/invoice/accounting/amounts.ts"
import { priceLine } from "../../../src/invoice/new/rows/price.ts"

type Cells = Record<string, number>

const amount = (value: number): Amount => toAmount(value) ?? ZERO

function read(cells: Cells) {
  const amounts = new Map(Object.entries(cells).map(([field, value]) => [field, amount(value)]))
  return priceLine(amounts, (field) => (field in cells ? field.toUpperCase() : undefined))
}

/** Quantity, unit price and rate; or the column and what is wrong. */
function priced(cells: Cells): string {
  const found = read(cells)
  if ("finding" in found) return `${found.finding.column}: ${found.finding.message}`
  const { quantity, unitPrice, taxRate } = found.line
  return `${formatPlain(quantity)} x ${formatPlain(unitPrice)} tax ${formatPlain(taxRate)}`
}

describe("the price of a line", () => {
  it.each<[string, Cells, string]>([
    ["the price", { quantity: 2, unitPrice: 19.99, taxRate: 10 }, "2 x 19.99 tax 10"],
    ["a price with GST", { quantity: 2, unitPriceIncGst: 22, taxRate: 10 }, "2 x 20 tax 10"],
    ["a price without any", { quantity: 2, unitPriceIncGst: 22, taxRate: 0 }, "2 x 22 tax 0"],
    ["the subtotal", { quantity: 4, subtotal: 10, taxRate: 10 }, "4 x 2.5 tax 10"],
    ["the total", { quantity: 4, amountIncGst: 11, taxRate: 10 }, "4 x 2.5 tax 10"],
    ["the total and its tax", { quantity: 1, amountIncGst: 11, taxAmount: 1 }, "1 x 10 tax 10"],
    ["the total and no tax", { quantity: 1, amountIncGst: 11, taxAmount: 0 }, "1 x 11 tax 0"],
    ["both totals", { quantity: 1, subtotal: 10, amountIncGst: 11 }, "1 x 10 tax 10"],
    ["both totals, which are equal", { quantity: 1, subtotal: 10, amountIncGst: 10 }, "1 x 10 tax 0"],
    ["an amount with its tax", { quantity: 2, amount: 44, taxAmount: 4 }, "2 x 20 tax 10"],
    ["an amount before its tax", { quantity: 2, amount: 40, taxAmount: 4 }, "2 x 20 tax 10"],
    ["an amount that is free of tax", { quantity: 2, amount: 40, taxRate: 0 }, "2 x 20 tax 0"],
    ["a price that an amount confirms", { quantity: 2, unitPrice: 20, amount: 44 }, "2 x 20 tax 10"],
    ["a negative amount", { quantity: -2, subtotal: -40, taxAmount: -4 }, "-2 x 20 tax 10"],
    ["a tax of no cent", { quantity: 1, unitPrice: 0.04, taxAmount: 0 }, "1 x 0.04 tax 0"],
  ])("is found from %s", (_, cells, expected) => {
    expect(priced(cells)).toBe(expected)
  })

  it("has GST where nothing says what the tax is, and says that it is assumed", () => {
    expect(read({ quantity: 1, unitPrice: 10 })).toMatchObject({
      line: { taxRate: amount(10) },
      isAssumed: true,
    })
    expect(read({ quantity: 1, unitPrice: 10, taxAmount: 1 })).toMatchObject({ isAssumed: false })
  })

  it.each<[string, Cells, string]>([
    ["without a quantity", { unitPrice: 20 }, "undefined: quantity is missing"],
    ["without any price", { quantity: 2 }, "undefined: price is missing"],
    [
      "whose amount can be with GST or without",
      { quantity: 2, amount: 44, taxRate: 10 },
      "AMOUNT: nothing says whether GST is in it",
    ],
    [
      "whose price would have to be rounded",
      { quantity: 3, subtotal: 10, taxRate: 10 },
      "SUBTOTAL: 10.00 for 3 gives no unit price of at most 4 decimals",
    ],
    [
      "whose price with GST would have to be rounded",
      { quantity: 3, unitPriceIncGst: 10, taxRate: 10 },
      "UNITPRICEINCGST: 10.00 with 10% GST in it for one gives no unit price of at most 4 decimals",
    ],
    [
      "whose total no amount comes to",
      { quantity: 1, amountIncGst: 0.05, taxRate: 10 },
      "AMOUNTINCGST: 0.05 with 10% GST in it for 1 gives no unit price of at most 4 decimals",
    ],
    [
      "whose subtotal is another",
      { quantity: 2, unitPrice: 19.99, subtotal: 40, taxRate: 10 },
      "SUBTOTAL: 40.00 is not 2 × 19.99 = 39.98",
    ],
    [
      "whose tax is neither of the two",
      { quantity: 2, unitPrice: 20, taxAmount: 4.1 },
      "TAXAMOUNT: 4.10 is not 10% of 40.00, which is 4.00, nor 0",
    ],
    [
      "whose tax is not that of its rate",
      { quantity: 2, unitPrice: 20, taxAmount: 4, taxRate: 0 },
      "TAXAMOUNT: 4.00 is not 0% of 40.00, which is 0.00",
    ],
    [
      "whose total is another",
      { quantity: 2, unitPrice: 20, amountIncGst: 45, taxRate: 10 },
      "AMOUNTINCGST: 45.00 is not 40.00 + 4.00 GST = 44.00",
    ],
    [
      "whose amount is neither",
      { quantity: 2, unitPrice: 20, amount: 42, taxRate: 10 },
      "AMOUNT: 42.00 is neither 2 × 20.00 = 40.00 nor that with GST, 44.00",
    ],
    [
      "of no quantity",
      { quantity: 0, subtotal: 10 },
      "SUBTOTAL: 10.00 for 0 gives no unit price of at most 4 decimals",
    ],
  ])("is not guessed for a row %s", (_, cells, expected) => {
    expect(priced(cells)).toBe(expected)
  })

  it("says which --map tells whether GST is in an amount", () => {
    expect(read({ quantity: 2, amount: 44, taxRate: 10 })).toMatchObject({
      finding: { hint: '--map "AMOUNT=subtotal" if it is not, --map "AMOUNT=amountIncGst" if it is' },
    })
  })

  it("is the one that the amounts came from, or comes to the same amounts, whichever are given", () => {
    const number = (most: number, step: number) =>
      fc.integer({ min: 1, max: most }).map((units) => units / step)
    const given = fc.subarray(["unitPrice", "subtotal", "amountIncGst", "taxAmount"], { minLength: 1 })
    fc.assert(
      fc.property(
        number(10_000, 100),
        number(1e6, 1e4),
        fc.constantFrom(0, 10),
        given,
        (quantity, price, rate, fields) => {
          const subtotal = roundToCents(multiply(amount(quantity), amount(price)))
          const taxAmount = roundToCents(takePercent(subtotal, amount(rate)))
          const all: Record<string, Amount> = { unitPrice: amount(price), subtotal, taxAmount }
          all.amountIncGst = add(subtotal, taxAmount)
          const told = fields.flatMap((field) =>
            all[field] === undefined ? [] : [[field, all[field]] as const],
          )
          const amounts = new Map([
            ...told,
            ["quantity", amount(quantity)],
            ["taxRate", amount(rate)],
          ] as const)
          const found = priceLine(amounts, () => undefined)
          if ("finding" in found) {
            // What is given fits, but the price may have to be rounded.
            expect(fields).not.toContain("unitPrice")
            return
          }
          expect(found.line.taxRate).toBe(amount(rate))
          const again = roundToCents(multiply(found.line.quantity, found.line.unitPrice))
          if (fields.some((field) => field !== "taxAmount")) expect(again).toBe(subtotal)
        },
      ),
    )
  })
})
