import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const line = (number: number, quantity: number, more = {}) => ({
  invoiceLineNumber: number,
  description: "Lamp",
  poLineReference: number,
  quantity,
  unitPrice: 10,
  subtotal: quantity * 10,
  ...more,
})

/** A memo over lines of 10.00 each, with nothing wrong in its sums. */
const memo = (purpose: string, quantities: readonly number[], more = {}) => {
  const total = quantities.reduce((sum, quantity) => sum + quantity * 10, 0)
  return {
    "/purpose": purpose,
    "/documentReference": { invoiceId: "INV-0990" },
    "/lineItems": quantities.map((quantity, index) => line(index + 1, quantity)),
    "/invoiceSummary": { subtotal: total, taxAmount: 0, dueAmount: total },
    ...more,
  }
}

const cases: readonly Case[] = [
  ["a credit memo", memo("creditMemo", [-1, -2]), []],
  ["a debit memo", memo("debitMemo", [1, 2]), []],
  ["a line-level credit memo", memo("lineLevelCreditMemo", [-1]), []],
  ["a line-level debit memo", memo("lineLevelDebitMemo", [1]), []],
  [
    "a reference with a date and nothing else",
    memo("debitMemo", [1], { "/documentReference": { invoiceDate: "2026-10-20T09:00:00Z" } }),
    [
      'memo-reference /data/documentReference invoiceId | document reference: this debit memo does not say which invoice it changes | name the earlier invoice: "documentReference": { "invoiceId": "..." }',
    ],
  ],
  ["a reference by payload", memo("creditMemo", [-1], { "/documentReference": { payloadId: "17@x" } }), []],
  [
    "a line-level memo whose second line refers to nothing",
    memo("lineLevelCreditMemo", [-1, -2], { "/lineItems/1/poLineReference": undefined }),
    [
      "memo-line-reference /data/lineItems/1 poLineReference | line item 2: nothing says which line of the earlier invoice this credit memo changes | add the purchase order line (poLineReference) or the ship notice line (asnLineReference)",
    ],
  ],
  [
    "a credit memo that asks for money",
    memo("creditMemo", [1]),
    [
      "due-sign /data/invoiceSummary/dueAmount | summary, due amount: 10.00 is positive, which on a credit memo reads as one more bill | write the amounts of a credit memo as negative, or correct the purpose",
    ],
  ],
  [
    "an invoice that gives money back",
    memo("standard", [-1]),
    [
      'due-sign /data/invoiceSummary/dueAmount | summary, due amount: -10.00 is negative, although a standard invoice asks for money | to give money back, make it a credit memo: "purpose": "creditMemo"',
    ],
  ],
  [
    "a line-level debit memo that gives money back",
    memo("lineLevelDebitMemo", [-1]),
    [
      'due-sign /data/invoiceSummary/dueAmount | summary, due amount: -10.00 is negative, although a debit memo asks for money | to give money back, make it a credit memo: "purpose": "lineLevelCreditMemo"',
    ],
  ],
  ["an invoice with a line that takes something off", memo("standard", [3, -1]), []],
  [
    "a credit memo with a line of the wrong sign",
    memo("creditMemo", [-3, 1]),
    [
      "memo-line-sign /data/lineItems/1/subtotal | line item 2, subtotal: 10.00 is positive, while other lines of this credit memo are negative | write -10.00 if this line is a credit too",
    ],
  ],
]

describe("memos", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })

  it.each([
    ["creditMemo", "credit memo", -1],
    ["debitMemo", "debit memo", 1],
    ["lineLevelCreditMemo", "credit memo", -1],
    ["lineLevelDebitMemo", "debit memo", 1],
  ])("a %s without a reference", (purpose, words, quantity) => {
    expect(said(memo(purpose, [quantity], { "/documentReference": undefined }))).toEqual([
      `memo-reference /data documentReference | invoice: this ${words} does not say which invoice it changes | name the earlier invoice: "documentReference": { "invoiceId": "..." }`,
    ])
  })
})
