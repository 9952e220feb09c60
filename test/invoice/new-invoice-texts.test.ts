/** Reads the texts of a new invoice: its lines, addresses, days, numbers, terms and contact. */
import { expect, it } from "vitest"
import { formatLiteral } from "../../src/invoice/accounting/amounts.ts"
import * as payment from "../../src/invoice/new/payment.ts"
import * as texts from "../../src/invoice/new/texts.ts"
import { expectCalls } from "../cases.ts"

/** Quantity, description, price, tax and unit. */
function parseLine(text: string) {
  const line = texts.parseLine(text)
  if (!line.ok) return line
  const { quantity, description, unitPrice, taxRate, unitOfMeasure } = line.value
  return [formatLiteral(quantity), description, ...[unitPrice, taxRate].map(formatLiteral), unitOfMeasure]
}

it("reads what is typed, or says how to write it", () =>
  expectCalls(import.meta.dirname, "new-invoice-texts.txt", { ...texts, ...payment, parseLine }))

it("shows how to write a line and an address", () => {
  expect([texts.parseLine(texts.LINE_FORM).ok, texts.parseAddress(texts.ADDRESS_FORM).ok]).toEqual([
    true,
    true,
  ])
})

it("refuses a line of any length in few words", () => {
  const line = texts.parseLine(`2 x ${"a ".repeat(50_000)}@ ${"9".repeat(50_000)}`)
  expect(line).toMatchObject({ ok: false, reason: expect.stringMatching(/^.{1,199}$/) })
})

it("takes comments of 2,000 characters at most, whatever their size in memory", () => {
  expect(texts.parseComments("\u{1f600}".repeat(2000)).ok).toBe(true)
  const reason = "2001 characters are more than the 2000 allowed"
  expect(texts.parseComments("x".repeat(2001))).toEqual({ ok: false, reason })
})
