import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const ABN = "/supplier/taxRegistrations/value"
const BSB = "/remitTo/bankDetails/bsb"

const cases: readonly Case[] = [
  [
    "tax without an ABN",
    { "/supplier/taxRegistrations": undefined },
    [
      'abn-missing /data/supplier taxRegistrations | supplier: there is tax of 106.00, and no ABN | add "taxRegistrations": {"type": "ABN", "value": "…"} to the supplier',
    ],
  ],
  ["an ABN without spaces", { [ABN]: "51824753556" }, []],
  [
    "an ABN with a wrong digit",
    { [ABN]: "51 824 753 557" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "51 824 753 557" is no ABN: its check digits do not fit the others | compare it with the supplier\'s papers: a digit is wrong, or two are swapped',
    ],
  ],
  [
    "an ABN that lacks a digit",
    { [ABN]: "5182475355" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "5182475355" has 10 digits, an ABN has 11 | copy it again from the supplier\'s papers',
    ],
  ],
  [
    "an ABN with its name before it",
    { [ABN]: "ABN 51 824 753 556" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "ABN 51 824 753 556" is not an ABN as it stands | write "51824753556"',
    ],
  ],
  [
    "an ABN of letters",
    { [ABN]: "pending\u001b[31m" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "pending" is not an ABN | write its 11 digits and nothing else',
    ],
  ],
  ["a BSB with a hyphen", { [BSB]: "062-000" }, []],
  ["a BSB without a hyphen", { [BSB]: "062000" }, []],
  [
    "a BSB with a space",
    { [BSB]: "062 000" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "062 000" is not a BSB, which is six digits | write "062-000"',
    ],
  ],
  [
    "a BSB of five digits",
    { [BSB]: "62000" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "62000" is not a BSB, which is six digits | write it as "062-000"',
    ],
  ],
]

describe("the supplier's numbers", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })

  it("asks for no ABN where there is no tax", () => {
    const line = { invoiceLineNumber: 1, quantity: 1, unitPrice: 5, subtotal: 5 }
    const untaxed = { subtotal: 5, taxAmount: 0, dueAmount: 5 }
    expect(
      said({ "/supplier/taxRegistrations": undefined, "/lineItems": [line], "/invoiceSummary": untaxed }),
    ).toEqual([])
  })
})
