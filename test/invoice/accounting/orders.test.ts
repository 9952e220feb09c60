import { describe, expect, it } from "vitest"
import { type Case, raw, said } from "./setup.ts"

const cases: readonly Case[] = [
  [
    "a line number twice, however it is written",
    { "/lineItems/0/invoiceLineNumber": raw("2.0") },
    [
      "line-number /data/lineItems/1/invoiceLineNumber | line item 2, line number: 2 is already the number of line item 1 | give each line its own number",
    ],
  ],
  [
    "line numbers that differ beyond what a float holds",
    {
      "/lineItems/0/invoiceLineNumber": raw("9007199254740992"),
      "/lineItems/1/invoiceLineNumber": raw("9007199254740993"),
    },
    [],
  ],
  [
    "a purchase order that is not listed",
    { "/poReferences": [{ poNumber: "PO-8" }] },
    [
      'po-reference /data/poNumber | purchase order number: "PO-7" is not among the purchase orders listed: "PO-8" | add it to poReferences, or correct the number that is wrong',
    ],
  ],
  [
    "a purchase order that is listed in another form",
    { "/poReferences": [{ poNumber: "PO-8" }, { poNumber: "PO7" }] },
    [
      'po-reference /data/poNumber | purchase order number: "PO-7" is not among the purchase orders listed: "PO-8", "PO7" | did you mean "PO7"?',
    ],
  ],
  [
    "a purchase order that is not among many",
    { "/poReferences": ["A-100", "B-200", "C-300", "D-400"].map((poNumber) => ({ poNumber })) },
    [
      'po-reference /data/poNumber | purchase order number: "PO-7" is not among the purchase orders listed: "A-100", "B-200", "C-300", … | add it to poReferences, or correct the number that is wrong',
    ],
  ],
  [
    "a purchase order that is listed second",
    { "/poReferences": [{ poNumber: "A" }, { poNumber: "PO-7" }] },
    [],
  ],
  ["an empty list of purchase orders", { "/poReferences": [] }, []],
]

describe("numbers that point at things", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })
})
