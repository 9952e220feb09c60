/** What else a clerk would ask about: charges, terms, dates, the buyer, what was supplied. */
import { describe, expect, it } from "vitest"
import { examine } from "../../../src/invoice/examine.ts"
import { fullDraft, fullInvoice, minimalInvoice } from "../samples.ts"
import { withChange } from "../writer.ts"
import { type Case, raw, said } from "./setup.ts"

const LINE = "/lineItems/0"
const SUMMARY = "/invoiceSummary"
const part = (taxableAmount: number, taxAmount: number, taxRate = 10) => ({
  taxType: "GST",
  taxRate,
  taxableAmount,
  taxAmount,
})
const memo = {
  "/purpose": "debitMemo",
  "/documentReference": { invoiceId: "INV-0990" },
}

const cases: readonly Case[] = [
  [
    "a tax breakdown that covers some of the subtotal",
    {
      [`${LINE}/taxRate`]: undefined,
      [`${LINE}/taxAmount`]: undefined,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
      [`${SUMMARY}/taxBreakdown`]: [part(1000, 100)],
    },
    [
      "tax-coverage /data/invoiceSummary/taxBreakdown | summary, tax breakdown: its taxable amounts add up to 1,000.00, which does not cover the subtotal of 1,059.97 | add a part for the rest, at 0% if that is free of GST",
    ],
  ],
  [
    "a tax breakdown with a part at 0%",
    {
      [`${LINE}/taxRate`]: undefined,
      [`${LINE}/taxAmount`]: undefined,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
      [`${SUMMARY}/taxBreakdown`]: [part(1000, 100), part(59.97, 0, 0)],
    },
    [],
  ],
  [
    "a tax breakdown without the line that says that it is free of GST",
    {
      [`${LINE}/taxRate`]: 0,
      [`${LINE}/taxAmount`]: 0,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1159.97,
      [`${SUMMARY}/taxBreakdown`]: [part(1000, 100)],
    },
    [],
  ],
  [
    "a tax breakdown of the subtotal less a discount",
    {
      [`${SUMMARY}/discountAmount`]: 59.97,
      [`${SUMMARY}/taxAmount`]: 100,
      [`${SUMMARY}/dueAmount`]: 1100,
      [`${SUMMARY}/taxBreakdown`]: [part(1000, 100)],
    },
    [],
  ],
  [
    "shipping of a line that is not in what is due",
    { [`${LINE}/shippingAmount`]: 5 },
    [
      'shipping-in-totals /data/invoiceSummary shippingAmount | summary: shipping amount of 5.00 is in the invoice, but due amount does not count it | add "shippingAmount": 5.00 and correct the totals, or take it out',
    ],
  ],
  [
    "shipping of the section that is not in the gross",
    { "/shipping": { amount: 12 }, [`${SUMMARY}/grossAmount`]: 1165.97 },
    [
      'shipping-in-totals /data/invoiceSummary shippingAmount | summary: shipping amount of 12.00 is in the invoice, but gross amount does not count it | add "shippingAmount": 12.00 and correct the totals, or take it out',
    ],
  ],
  ["shipping that is in what is due", { "/shipping": { amount: 12 }, [`${SUMMARY}/dueAmount`]: 1177.97 }, []],
  [
    "a line's discount that is not in what is due",
    { [`${LINE}/discountAmount`]: 5 },
    [
      'discount-in-totals /data/invoiceSummary discountAmount | summary: discount amount of 5.00 is in the invoice, but due amount does not count it | add "discountAmount": 5.00 and correct the totals, or take it out',
    ],
  ],
  [
    "a line's discount that is taken off what is due",
    { [`${LINE}/discountAmount`]: 5, [`${SUMMARY}/dueAmount`]: 1160.97 },
    [],
  ],
  ...["creditMemo", "debitMemo", "lineLevelDebitMemo"].map((purpose): Case => {
    const words = /credit/i.test(purpose) ? "credit memo" : "debit memo"
    const due = { "/lineItems": [], [SUMMARY]: { dueAmount: 0 } }
    return [
      `a ${purpose} that names itself`,
      { ...due, "/purpose": purpose, "/documentReference": { invoiceId: " inv-1001" } },
      [
        `memo-itself /data/documentReference/invoiceId | document reference, invoice id: this ${words} names itself as the invoice that it changes | write the number of the earlier invoice`,
      ],
    ]
  }),
  [
    "a delete that names what it deletes",
    { ...memo, "/operation": "delete", "/documentReference": { invoiceId: "INV-1001" } },
    [],
  ],
  [
    "an evaluated receipt of the supplier's",
    { "/isERS": true, "/invoiceOrigin": "supplier" },
    [
      'ers-origin /data/invoiceOrigin | invoice origin: an evaluated receipt settlement comes from the buyer, not from the supplier | write "buyer", or set isERS to false',
    ],
  ],
  ["an evaluated receipt of the buyer's", { "/isERS": true, "/invoiceOrigin": "buyer" }, []],
  [
    "a discount after payment is due",
    { "/paymentTerms": { netDays: 30, discountTerms: [{ discountPercent: 2, discountDays: 45 }] } },
    [
      "discount-after-net /data/paymentTerms/discountTerms/0/discountDays | payment terms, discount 1, discount days: the discount ends after 45 days, but payment is due after 30 | correct the days that are wrong; the two may be swapped",
    ],
  ],
  [
    "a discount until payment is due",
    { "/paymentTerms": { netDays: 30, discountTerms: [{ discountDays: 30 }] } },
    [],
  ],
  [
    "negative days",
    { "/paymentTerms": { netDays: -30, discountTerms: [{ discountDays: -10 }] } },
    [
      "negative-days /data/paymentTerms/netDays | payment terms, net days: -30 days are fewer than none | write the number of days without a minus sign",
      "negative-days /data/paymentTerms/discountTerms/0/discountDays | payment terms, discount 1, discount days: -10 days are fewer than none | write the number of days without a minus sign",
    ],
  ],
  [
    "a discount of more than all",
    { "/paymentTerms": { discountTerms: [{ discountPercent: 100 }, { discountPercent: 200 }] } },
    [
      "percentage /data/paymentTerms/discountTerms/1/discountPercent | payment terms, discount 2, discount percent: 200% is not between 0% and 100% | write 2 for 2 percent; an amount does not belong here",
    ],
  ],
  [
    "an invoice date in the year 206",
    { "/invoiceDate": "0206-11-20T09:30:00+11:00", "/dueDate": "2026-12-20T09:30:00+11:00" },
    [
      "date-range /data/invoiceDate | invoice date: the year 0206 is not between 2000 and 2100 | correct the year, or leave the field out if there is no date",
    ],
  ],
  [
    "an order of the year 2206, and a shipment of 1970",
    {
      "/poReferences": [{ poNumber: "PO-7", orderDate: "2206-11-20T09:30:00+11:00" }],
      "/shipmentDetails": { shippingDate: "1970-01-01T00:00:00Z" },
    },
    [
      "date-range /data/poReferences/0/orderDate | purchase order 1, order date: the year 2206 is not between 2000 and 2100 | correct the year, or leave the field out if there is no date",
      "date-range /data/shipmentDetails/shippingDate | shipment details, shipping date: the year 1970 is not between 2000 and 2100 | correct the year, or leave the field out if there is no date",
    ],
  ],
  [
    "dates of 2000 and 2100",
    { "/invoiceDate": "2000-01-01T00:00:00Z", "/dueDate": "2100-12-31T00:00:00Z" },
    [],
  ],
  [
    "a line without a description",
    { [`${LINE}/description`]: undefined, "/lineItems/1/description": " " },
    [
      'line-description /data/lineItems/0 description | line item 1: nothing says what was supplied | write "description": "..."',
      'line-description /data/lineItems/1/description | line item 2, description: nothing says what was supplied | write "description": "..."',
    ],
  ],
  [
    "a line whose description has another name",
    { [`${LINE}/description`]: undefined, [`${LINE}/item`]: "Bolt" },
    [],
  ],
  [
    "a product of more than a million million",
    {
      "/lineItems": [
        {
          invoiceLineNumber: 1,
          description: "Bolt",
          quantity: 1_250_000,
          unitPrice: 1_250_000,
          subtotal: 1_250_000,
        },
      ],
      [SUMMARY]: { subtotal: 1_250_000, taxAmount: 0, dueAmount: 1_250_000 },
    },
    [
      "line-subtotal /data/lineItems/0/subtotal | line item 1, subtotal: 1,250,000 × 1,250,000.00 is 1,562,500,000,000.00, subtotal says 1,250,000.00: difference 1,562,498,750,000.00 | write 1562500000000.00 if the other amounts are right",
    ],
  ],
  [
    "a product of an absurd number, which is reported itself",
    { [`${LINE}/quantity`]: raw("1e15") },
    [
      "absurd-amount /data/lineItems/0/quantity | line item 1, quantity: this number has more than 12 digits before the decimal point, which is probably a mistake | check its digits, its decimal point and its exponent",
    ],
  ],
  [
    "one key on several lines, which are part deliveries",
    { [`${LINE}/uniqueLineKey`]: "K", "/lineItems/1/uniqueLineKey": "K" },
    [],
  ],
  [
    "lines that differ in nothing but their order or their serial numbers",
    {
      "/lineItems": [1, 2].map((number) => ({
        invoiceLineNumber: number,
        poLineReference: number,
        serialNumbers: [`SN-${number}`],
        description: "Pump",
        quantity: 1,
        unitPrice: 100,
        subtotal: 100,
      })),
      [SUMMARY]: { subtotal: 200, taxAmount: 20, dueAmount: 220 },
    },
    [],
  ],
  ["an amount due on a copy for information", { "/isInformationOnly": true }, []],
]

describe("what is told besides", () => {
  it.each(cases)("%s", (_, changes, findings) => {
    expect(said(changes)).toEqual(findings)
  })
})

describe("the buyer's identity", () => {
  const nameless = { "/billTo": { street1: "1 Harbour Street" } }

  it("is wanted from 1,000.00 on, GST included", () => {
    expect(said(nameless)).toEqual([
      'buyer-identity /data/billTo addressee | bill to: a tax invoice of 1,165.97 does not say who the buyer is | add the buyer\'s name: "addressee": "..."',
    ])
    const of = (subtotal: number, tax: number) => ({
      ...nameless,
      "/lineItems": [
        { invoiceLineNumber: 1, description: "Pump", quantity: 1, unitPrice: subtotal, subtotal },
      ],
      [SUMMARY]: { subtotal, taxAmount: tax, dueAmount: Number((subtotal + tax).toFixed(2)) },
    })
    expect(said(of(909.09, 90.91))).toHaveLength(1)
    expect(said(of(909.08, 90.91))).toEqual([])
    // What is free of GST is no tax invoice.
    expect(said(of(5000, 0))).toEqual([])
  })

  it("is wanted although a deposit was paid", () => {
    const paid = { [`${SUMMARY}/depositAmount`]: 1000, [`${SUMMARY}/dueAmount`]: 165.97 }
    expect(said({ ...nameless, ...paid })).toHaveLength(1)
  })

  it.each<[string, object]>([
    ["an addressee", { "/billTo": { addressee: "Harbour" } }],
    ["an address id", { "/billTo": { addressId: "A-1" } }],
    ["who it was sold to", { ...nameless, "/soldTo": { addressee: "Harbour" } }],
    ["a contact", { ...nameless, "/contacts": [{ role: "soldTo", name: "Mai Nguyen" }] }],
    ["a name that has another name", { "/billTo": { company: "Harbour" } }],
    ["a memo, which is an adjustment note", { ...nameless, ...memo }],
  ])("is given by %s", (_, changes) => {
    expect(said(changes as Parameters<typeof said>[0])).toEqual([])
  })

  it.each<[string, object]>([
    ["a blank addressee", { "/billTo": { addressee: " " } }],
    ["a contact of another role", { ...nameless, "/contacts": [{ role: "shipTo", name: "Dock 4" }] }],
    ["a contact without a name", { ...nameless, "/contacts": [{ role: "billTo", phone: "1" }] }],
  ])("is not given by %s", (_, changes) => {
    expect(said(changes as Parameters<typeof said>[0])).toHaveLength(1)
  })
})

describe("what the service fills in", () => {
  const options = { accounting: true, strict: false, rules: {} }
  const rulesOf = (document: unknown, stage: "draft" | "canonical" | "auto") =>
    examine(JSON.stringify(document), { ...options, stage }).map(({ rule, pointer }) => `${rule} ${pointer}`)

  it("is left out of a draft", () => {
    const keyed = withChange(fullDraft(), ["data", "lineItems", 1, "uniqueLineKey"], "PO-7781-2")
    expect(rulesOf(keyed, "auto")).toEqual(["accounting/managed-field /data/lineItems/1/uniqueLineKey"])
    expect(rulesOf(minimalInvoice(), "draft")).toEqual([
      "accounting/managed-field /docType",
      "accounting/managed-field /correlationId",
      "accounting/managed-field /timestamp",
    ])
    expect(rulesOf(fullInvoice(), "canonical")).toEqual([])
  })

  it.each([
    ["2026-11-20T09:30:00+11:00", 'write "2026-11-19T22:30:00Z"'],
    ["2026-11-20T09:30:00.250-03:30", 'write "2026-11-20T13:00:00.250Z"'],
  ])("has its timestamp in UTC: %s", (timestamp, hint) => {
    const findings = examine(JSON.stringify({ ...minimalInvoice(), timestamp }), {
      ...options,
      stage: "canonical",
    })
    expect(findings.map((finding) => [finding.rule, finding.message, finding.hint])).toEqual([
      ["accounting/timestamp-utc", `timestamp: ${timestamp} is not in UTC`, hint],
    ])
  })

  it.each([
    "2026-11-20T09:30:00Z",
    "2026-11-20t09:30:00z",
    "2026-11-20T09:30:00-00:00",
  ])("may have %s", (timestamp) => {
    expect(rulesOf({ ...minimalInvoice(), timestamp }, "canonical")).toEqual([])
  })
})
