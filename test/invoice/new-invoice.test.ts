import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { share } from "../drawn.ts"
import { valueOrThrow } from "../../src/base/parsed.ts"
import { examine } from "../../src/invoice/examine.ts"
import { createDraft, NEW_PURPOSES, type NewInvoice } from "../../src/invoice/new/draft.ts"
import { parseDeposit, parseLine, parseShipping } from "../../src/invoice/new/texts.ts"
import { readInvoiceSets } from "../../src/invoice/set-fields.ts"
import { fullInvoice } from "./samples.ts"
import { listValues } from "./leaves.ts"

function parts(lines: readonly string[], more: Partial<NewInvoice> = {}): NewInvoice {
  return {
    number: "INV-1",
    po: "PO-7",
    date: "2026-11-20T00:00:00Z",
    purpose: "standard",
    supplierId: "S-1",
    supplierName: "Harbour Lighting",
    abn: "51824753556",
    billTo: {
      addressee: "Harbour Hotel",
      street1: "1 Harbour Street",
      city: "Sydney",
      state: "NSW",
      postalCode: "2000",
      country: "AU",
    },
    lines: lines.map((line) => valueOrThrow(parseLine(line), "line")),
    ...more,
  }
}

function draft(lines: readonly string[], more: Partial<NewInvoice> = {}) {
  return createDraft(parts(lines, more), "freight-cli/1.0.0")
}

/** Subtotal and tax of each line, then subtotal, tax and due of the whole. */
function amounts(lines: readonly string[], more: Partial<NewInvoice> = {}): number[][] {
  const { lineItems, invoiceSummary: sums } = draft(lines, more).data
  return [
    ...lineItems.map(({ subtotal, taxAmount = Number.NaN }) => [subtotal, taxAmount]),
    [sums.subtotal, sums.taxAmount, sums.dueAmount],
  ]
}

describe("a new invoice", () => {
  it("has all that was given, and what follows from it", () => {
    const given = {
      due: "2026-12-20T00:00:00Z",
      shipTo: {
        street1: "88 Depot Road",
        city: "Darwin",
        state: "NT",
        postalCode: "0800",
        country: "AU" as const,
      },
      comments: "Thank you",
    }
    expect(draft(["2 x Lamp @ 19.99 EA", "1 x Handbook @ 30 tax 0"], given)).toEqual({
      metadata: { sourceLanguage: "json", sourceVersion: "1.0", userAgent: "freight-cli/1.0.0" },
      data: {
        invoiceNumber: "INV-1",
        poNumber: "PO-7",
        invoiceDate: "2026-11-20T00:00:00Z",
        dueDate: "2026-12-20T00:00:00Z",
        purpose: "standard",
        supplier: {
          id: "S-1",
          name: "Harbour Lighting",
          taxRegistrations: { type: "ABN", value: "51824753556" },
        },
        billTo: {
          addressee: "Harbour Hotel",
          street1: "1 Harbour Street",
          city: "Sydney",
          state: "NSW",
          postalCode: "2000",
          country: "AU",
        },
        shipTo: given.shipTo,
        comments: "Thank you",
        lineItems: [
          {
            invoiceLineNumber: 1,
            description: "Lamp",
            quantity: 2,
            unitOfMeasure: "EA",
            unitPrice: 19.99,
            subtotal: 39.98,
            taxAmount: 4,
            taxRate: 10,
            currency: "AUD",
          },
          {
            invoiceLineNumber: 2,
            description: "Handbook",
            quantity: 1,
            unitPrice: 30,
            subtotal: 30,
            taxAmount: 0,
            taxRate: 0,
            currency: "AUD",
          },
        ],
        invoiceSummary: {
          subtotal: 69.98,
          taxAmount: 4,
          taxBreakdown: [
            { taxType: "GST", taxRate: 10, taxableAmount: 39.98, taxAmount: 4 },
            { taxType: "GST", taxRate: 0, taxableAmount: 30, taxAmount: 0 },
          ],
          grossAmount: 73.98,
          dueAmount: 73.98,
          currency: "AUD",
        },
      },
    })
  })

  it("has nothing that was not given", () => {
    const { data } = draft(["1 x Handbook @ 30 tax 0"], { purpose: "standard" })
    for (const name of ["dueDate", "documentReference", "shipTo", "comments"])
      expect(data).not.toHaveProperty(name)
  })

  it("names no ABN where there is none", () => {
    const { abn: _abn, ...without } = parts(["1 x Handbook @ 30 tax 0"])
    expect(createDraft(without, "x").data.supplier).toEqual({ id: "S-1", name: "Harbour Lighting" })
  })
})

describe("totals", () => {
  it("round each line to the cent, halves up: 0.5 × 120.125 is 60.0625, its tax 6.006", () => {
    expect(amounts(["0.5 x Work @ 120.125"])).toEqual([
      [60.06, 6.01],
      [60.06, 6.01, 66.07],
    ])
  })

  it("round half a cent up: 1.01 × 0.50 is 0.505", () => {
    expect(amounts(["1.01 x Wire @ 0.50"])).toEqual([
      [0.51, 0.05],
      [0.51, 0.05, 0.56],
    ])
  })

  it("round half a cent of tax up, which binary arithmetic would lose: 10% of 10.05 is 1.005", () => {
    expect(amounts(["1 x Lamp @ 10.05"])[0]).toEqual([10.05, 1.01])
  })

  it("add the rounded tax of the lines: three times 0.05 makes 0.01 each", () => {
    expect(amounts(["1 x A @ 0.05", "1 x B @ 0.05", "1 x C @ 0.05"]).at(-1)).toEqual([0.15, 0.03, 0.18])
  })

  it("add up exactly: 0.10 and 0.20 are 0.30", () => {
    expect(amounts(["1 x A @ 0.1 tax 0", "1 x B @ 0.2 tax 0"]).at(-1)).toEqual([0.3, 0, 0.3])
  })

  it("are negative on a credit memo, halves away from zero", () => {
    const memo = { purpose: "creditMemo", refersTo: "INV-0" } as const
    expect(amounts(["1.01 x Wire @ 0.50", "1 x Lamp @ 10.05"], memo)).toEqual([
      [-0.51, -0.05],
      [-10.05, -1.01],
      [-10.56, -1.06, -11.62],
    ])
  })

  it("have no minus nought", () => {
    const memo = { purpose: "creditMemo", refersTo: "INV-0" } as const
    expect(amounts(["0 x Wire @ 0.50"], memo)).toEqual([
      [0, 0],
      [0, 0, 0],
    ])
  })

  it("name the earlier invoice of a memo", () => {
    const { data } = draft(["1 x A @ 1"], { purpose: "debitMemo", refersTo: "INV-0" })
    expect([data.purpose, data.documentReference]).toEqual(["debitMemo", { invoiceId: "INV-0" }])
  })

  it("are refused when a JSON number cannot hold them", () => {
    expect(() => draft(["999999999999 x A @ 999999999999 tax 0"])).toThrow(
      "999,999,999,998,000,000,000,001.00 has more digits than a JSON number can hold exactly",
    )
  })

  it("hold what a JSON number can", () => {
    expect(amounts(["1 x A @ 999999999999.99 tax 0"])[0]).toEqual([999999999999.99, 0])
  })
})

describe("shipping", () => {
  const charge = (amount: string) => ({ shipping: valueOrThrow(parseShipping(amount), "shipping") })
  const sums = (lines: readonly string[], more: Partial<NewInvoice>) => {
    const { shipping, invoiceSummary } = draft(lines, more).data
    return { shipping, ...invoiceSummary }
  }

  it("is in the summary, with GST of its own, and in the part of that rate", () => {
    expect(sums(["1 x Lamp @ 10", "1 x Handbook @ 30 tax 0"], charge("12.55"))).toEqual({
      shipping: { amount: 12.55, currency: "AUD" },
      subtotal: 40,
      shippingAmount: 12.55,
      taxAmount: 2.26,
      taxBreakdown: [
        { taxType: "GST", taxRate: 10, taxableAmount: 22.55, taxAmount: 2.26 },
        { taxType: "GST", taxRate: 0, taxableAmount: 30, taxAmount: 0 },
      ],
      grossAmount: 54.81,
      dueAmount: 54.81,
      currency: "AUD",
    })
  })

  it("of goods that are free of GST is free of it, unless it is said otherwise", () => {
    const free = ["1 x Handbook @ 30 tax 0"]
    expect(sums(free, charge("12.50"))).toMatchObject({ taxAmount: 0, dueAmount: 42.5 })
    expect(sums(free, charge("12.50 tax 10"))).toMatchObject({ taxAmount: 1.25, dueAmount: 43.75 })
    expect(sums(["1 x Lamp @ 10"], charge("12.50 tax 0"))).toMatchObject({ taxAmount: 1, dueAmount: 23.5 })
  })

  it("is negative on a credit memo", () => {
    const memo = { purpose: "creditMemo", refersTo: "INV-0", ...charge("12.50") } as const
    expect(sums(["1 x Lamp @ 10"], memo)).toMatchObject({
      shipping: { amount: -12.5 },
      shippingAmount: -12.5,
      dueAmount: -24.75,
    })
  })

  it.each([
    ["free", 'the shipping "free" is not an amount: write it as 19.99'],
    ["-5", 'the shipping "-5" is not an amount: write it as 19.99'],
    ["12.505", 'the shipping "12.505" has more than 2 decimals'],
    ["12 tax 7", 'tax is 10 (GST) or 0 (GST-free), not "7"'],
    ["12 AUD", 'after the amount of shipping comes tax, not "AUD": write it as 12.50 tax 0'],
  ])("is not %s", (text, reason) => {
    expect(parseShipping(text)).toEqual({ ok: false, reason })
  })

  it("is read with a dollar sign and commas", () => {
    expect(charge("$1,200.50 tax 0%").shipping).toEqual({ amount: 1_200_500_000, taxRate: 0 })
  })
})

describe("what was paid before", () => {
  const paid = (text: string) => ({ deposit: valueOrThrow(parseDeposit(text), "deposit") })

  it("is taken off the amount due", () => {
    expect(draft(["1 x Lamp @ 108"], paid("$50.00")).data.invoiceSummary).toEqual({
      subtotal: 108,
      taxAmount: 10.8,
      taxBreakdown: [{ taxType: "GST", taxRate: 10, taxableAmount: 108, taxAmount: 10.8 }],
      grossAmount: 118.8,
      depositAmount: 50,
      dueAmount: 68.8,
      currency: "AUD",
    })
  })

  it("is taken off what a credit memo gives back", () => {
    const memo = { purpose: "creditMemo", refersTo: "INV-0", ...paid("50") } as const
    expect(draft(["1 x Lamp @ 108"], memo).data.invoiceSummary).toMatchObject({
      grossAmount: -118.8,
      depositAmount: -50,
      dueAmount: -68.8,
    })
  })

  it.each(["half", "-5", "12.505", ""])("is not %j", (text) => {
    expect(parseDeposit(text).ok).toBe(false)
  })
})

describe("special handling", () => {
  it("is in the summary, with GST of its own, and in the part of that rate", () => {
    const specialHandling = valueOrThrow(parseShipping("20"), "handling")
    expect(draft(["1 x Lamp @ 100"], { specialHandling }).data.invoiceSummary).toEqual({
      subtotal: 100,
      specialHandlingAmount: 20,
      taxAmount: 12,
      taxBreakdown: [{ taxType: "GST", taxRate: 10, taxableAmount: 120, taxAmount: 12 }],
      grossAmount: 132,
      dueAmount: 132,
      currency: "AUD",
    })
  })
})

describe("a field that --set sets", () => {
  const TODAY = "2026-11-20"
  const set = (...sets: string[]) => ({ assignments: readInvoiceSets(sets, TODAY) })

  it("stands in the draft, whichever it is, over what was worked out", () => {
    const { docType: _, correlationId: __, timestamp: ___, ...whole } = fullInvoice()
    for (const line of whole.data.lineItems) delete line.uniqueLineKey
    const sets = listValues(whole).map(([path, text]) => `${path}=${text}`)
    expect(draft(["1 x Lamp @ 1", "1 x Bolt @ 1"], set(...sets))).toEqual(whole)
  })

  it.each([
    "data={}",
    'invoiceSummary={"subtotal":"x"}',
    "invoiceSummary={}",
  ])("that leaves the draft broken is found when it is checked: %s", (text) => {
    const written = JSON.stringify(draft(["1 x Lamp @ 1"], set(text)))
    const findings = examine(written, { stage: "draft", accounting: false, strict: false, rules: {} })
    expect(findings.map(({ severity }) => severity)).toContain("error")
  })

  it("gives the main order its number", () => {
    expect(draft(["1 x Lamp @ 1"], set("poReferences.0.poVersion=2")).data.poReferences).toEqual([
      { poNumber: "PO-7", poVersion: "2" },
    ])
  })

  it("is counted in the totals: a discount, a deposit", () => {
    const sums = draft(
      ["1 x Lamp @ 100"],
      set("invoiceSummary.discountAmount=10", "invoiceSummary.depositAmount=50"),
    )
    expect(sums.data.invoiceSummary).toMatchObject({
      grossAmount: 110,
      discountAmount: 10,
      netAmount: 100,
      depositAmount: 50,
      dueAmount: 50,
    })
  })
})

describe("any new invoice", () => {
  const cents = (most: number, places: number) =>
    fc.integer({ min: 0, max: most }).map((units) => (units / 10 ** places).toFixed(places))
  const line = fc
    .record({
      quantity: cents(10_000_00, 2),
      price: cents(1_000_000_0000, 4),
      tax: fc.constantFrom(0, 10),
      unit: fc.constantFrom("", "EA", "KGM"),
    })
    .map(
      ({ quantity, price, tax, unit }) =>
        `${unit === "EA" ? Math.ceil(Number(quantity)) : quantity} x Thing @ ${price} tax ${tax} ${unit}`,
    )

  it("is a draft without a finding, whatever its lines", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(line, { minLength: 1, maxLength: 20 }),
        fc.constantFrom(...NEW_PURPOSES),
        fc.option(fc.tuple(cents(10_000_00, 2), fc.constantFrom("", " tax 0", " tax 10"))),
        (lines, purpose, shipping) => {
          // Freight of taxed goods is taxed: freight without GST is warned of.
          fc.pre(shipping?.[1] !== " tax 0" || lines.some((each) => / tax 0 /.test(each)))
          // So is a price without a quantity.
          fc.pre(!lines.some((each) => /^0(?:\.0+)? x /.test(each)))
          const memo = purpose === "standard" ? {} : { refersTo: "INV-0" }
          const charge = shipping && {
            shipping: valueOrThrow(parseShipping(shipping.join("")), "shipping"),
            otherOrders: ["PO-8"],
          }
          const references = lines.map((_, index) => `lineItems.${index}.poLineReference=${index + 1}`)
          const assignments = readInvoiceSets(/^line/.test(purpose) ? references : [], "2026-11-20")
          const text = JSON.stringify(draft(lines, { purpose, ...memo, ...charge, assignments }))
          const strict = { stage: "draft", accounting: true, strict: true, rules: {} } as const
          expect(examine(text, strict)).toEqual([])
        },
      ),
      { numRuns: share(300) },
    )
  })
})
