/** Quantity, unit price and tax of a line, from whichever amounts a row has. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  add,
  type Amount,
  formatMoney,
  formatPlain,
  multiply,
  roundToCents,
  takePercent,
  toAmount,
  ZERO,
} from "../../../src/invoice/accounting/amounts.ts"
import { readTexts } from "../../../src/invoice/new/ask.ts"
import { createDraft, examineDraft, type NewInvoice } from "../../../src/invoice/new/draft.ts"
import { priceLine } from "../../../src/invoice/new/rows/price.ts"
import { expectCases } from "../../cases.ts"
import { GIVEN } from "./rows.ts"

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
  const { quantity, unitPrice, taxRate, sums } = found.line
  const [subtotal, tax] = [sums.subtotal, sums.tax].map(formatMoney)
  return `${formatPlain(quantity)} x ${formatPlain(unitPrice)} = ${subtotal} + ${tax}, tax ${formatPlain(taxRate)}`
}

describe("the price of a line", () => {
  it("is found from what a row has, or it is said what is wrong", () =>
    expectCases(import.meta.dirname, "price.txt", (line) =>
      priced(JSON.parse(line.slice(line.indexOf(": {") + 2))),
    ))

  it("has GST where nothing says what the tax is, and says that it is assumed", () => {
    expect(read({ quantity: 1, unitPrice: 10 })).toMatchObject({
      line: { taxRate: amount(10) },
      isAssumed: true,
    })
    expect(read({ quantity: 1, unitPrice: 10, taxAmount: 1 })).toMatchObject({ isAssumed: false })
  })

  it("says which --map tells whether GST is in an amount", () => {
    expect(read({ quantity: 2, amount: 44, taxRate: 10 })).toMatchObject({
      finding: { hint: '--map "AMOUNT=subtotal" if it is not, --map "AMOUNT=amountIncGst" if it is' },
    })
  })

  it("takes every shelf price: the sums are those of the price, and the draft has no finding", () => {
    const count = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 101, max: 20_000 }))
    const cents = fc.integer({ min: 1, max: 500_000 })
    fc.assert(
      fc.property(
        count,
        cents,
        fc.constantFrom("unitPriceIncGst", "subtotal", "amountIncGst"),
        (quantity, price, field) => {
          const given = field === "unitPriceIncGst" ? price / 100 : (price * quantity) / 100
          const found = read({ quantity, [field]: given, taxRate: 10 })
          if ("finding" in found) throw new Error(found.finding.message)
          const { subtotal, tax } = found.line.sums
          expect(field === "subtotal" ? subtotal : add(subtotal, tax)).toBe(amount((price * quantity) / 100))
          const lines = [{ ...found.line, description: "Lamp" }]
          const draft = createDraft(
            { ...readTexts(GIVEN, "2026-11-20"), lines } as NewInvoice,
            "freight-cli/1.0.0",
          )
          expect(examineDraft(JSON.stringify(draft)).wrong).toEqual([])
        },
      ),
    )
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
            // The amounts agree, but the price would have to be rounded.
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
