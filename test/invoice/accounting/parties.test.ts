import { describe, expect, it } from "vitest"
import { type Case, said } from "./setup.ts"

const ABN = "/supplier/taxRegistrations/value"
const BSB = "/remitTo/bankDetails/bsb"

const cases: readonly Case[] = [
  [
    "tax without an ABN",
    { "/supplier/taxRegistrations": undefined },
    [
      'abn-missing /data/supplier taxRegistrations | supplier: there is tax of 106.00 but no ABN | add "taxRegistrations": {"type": "ABN", "value": "…"} to the supplier',
    ],
  ],
  ["an ABN without spaces", { [ABN]: "51824753556" }, []],
  [
    "an ABN with a wrong digit",
    { [ABN]: "51 824 753 557" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "51 824 753 557" is not a valid ABN: its check digits do not match | compare it with the supplier\'s documents: a digit is wrong, or two are swapped',
    ],
  ],
  [
    "an ABN that lacks a digit",
    { [ABN]: "5182475355" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "5182475355" has 10 digits, but an ABN has 11 | copy it again from the supplier\'s documents',
    ],
  ],
  [
    "an ABN with its name before it",
    { [ABN]: "ABN 51 824 753 556" },
    [
      'abn /data/supplier/taxRegistrations/value | supplier, tax registration, value: "ABN 51 824 753 556" is not an ABN as written | write "51824753556"',
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
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "062 000" is not a BSB: a BSB has six digits | write "062-000"',
    ],
  ],
  [
    "a BSB of five digits",
    { [BSB]: "62000" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "62000" is not a BSB: a BSB has six digits | write three digits, a hyphen and three digits, as the supplier\'s bank gives them',
    ],
  ],
  [
    "an empty BSB",
    { [BSB]: "" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "" is not a BSB: a BSB has six digits | write three digits, a hyphen and three digits, as the supplier\'s bank gives them',
    ],
  ],
  [
    "a BSB that cannot be read",
    { [BSB]: "06x-000" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "06x-000" is not a BSB: a BSB has six digits | write three digits, a hyphen and three digits, as the supplier\'s bank gives them',
    ],
  ],
  [
    "a BSB with its name before it and a dash in it",
    { [BSB]: "BSB: 062\u2013000" },
    [
      'bsb /data/remitTo/bankDetails/bsb | remit to, bank details, BSB: "BSB: 062\u2013000" is not a BSB: a BSB has six digits | write "062-000"',
    ],
  ],
]

describe("the supplier's numbers", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })

  it("asks for no ABN where there is no tax", () => {
    const line = { invoiceLineNumber: 1, description: "Lamp", quantity: 1, unitPrice: 5, subtotal: 5 }
    const untaxed = { subtotal: 5, taxAmount: 0, dueAmount: 5 }
    expect(
      said({ "/supplier/taxRegistrations": undefined, "/lineItems": [line], "/invoiceSummary": untaxed }),
    ).toEqual([])
  })
})
