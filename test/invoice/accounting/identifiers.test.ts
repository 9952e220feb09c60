import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const cases: readonly Case[] = [
  [
    "an empty invoice number",
    { "/invoiceNumber": "" },
    [
      "blank-identifier /data/invoiceNumber | invoice number: the text is empty | write the supplier's number of the invoice",
    ],
  ],
  [
    "a blank order number, which is not looked for in a list",
    { "/poNumber": " ", "/poReferences": [{ poNumber: "PO-8" }] },
    [
      "blank-identifier /data/poNumber | purchase order number: the text is blank | write the number of the purchase order that is billed",
    ],
  ],
  [
    "a supplier with nothing that can be seen",
    { "/supplier/id": "\u200b", "/supplier/name": "\t\u00a0" },
    [
      "blank-identifier /data/supplier/id | supplier, id: the text is blank | write the id by which the buyer knows the supplier",
      "blank-identifier /data/supplier/name | supplier, name: the text is blank | write the supplier's name",
    ],
  ],
  ["identifiers that are short", { "/invoiceNumber": "1", "/supplier/name": "\u5546" }, []],
  ["no supplier at all", { "/supplier": undefined }, []],
]

describe("what identifies an invoice", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })
})
