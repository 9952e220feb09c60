/** Freight as lines of an invoice: a row each, and chance. Amounts are in cents. */
import { describe, expect, it } from "vitest"
import { formatLiteral } from "../../src/invoice/accounting/amounts.ts"
import { createDraft } from "../../src/invoice/new/draft.ts"
import { chargeFreight, describeOnCharge, type FreightCost } from "../../src/invoice/new/on-charge.ts"
import { numbersFrom } from "../acceptance/numbers.ts"

const RECEIVER = {
  companyName: "Port Street Fittings",
  address1: "8 Market Street",
  suburb: "Fremantle",
  state: "WA" as const,
  postcode: "6160",
}

function costOf(name: string, cost: number, disputed = 0, bills: string[] = []): FreightCost {
  return {
    ...{ name, number: name, cost, disputed, bills },
    shipment: { receiver: RECEIVER, customerReference: "" },
  }
}

function describeLines({ lines }: ReturnType<typeof chargeFreight>): string[] {
  return lines.map(({ description, unitPrice }) => `${description} ${formatLiteral(unitPrice)}`)
}

/** The invoice of such lines, in cents. */
function toInvoice({ lines }: ReturnType<typeof chargeFreight>) {
  const { data } = createDraft(
    {
      ...{ number: "I", po: "P", date: "2026-11-20T00:00:00Z", purpose: "standard" },
      ...{ supplierId: "S", supplierName: "S", lines },
      billTo: { street1: "1 A", city: "Sydney", state: "NSW", postalCode: "2000", country: "AU" },
    },
    "test",
  )
  const cents = (value: number | undefined) => Math.round((value ?? 0) * 100)
  const { subtotal, taxAmount, dueAmount } = data.invoiceSummary
  return {
    ...{ subtotal: cents(subtotal), gst: cents(taxAmount), due: cents(dueAmount) },
    lines: data.lineItems.map((line) => cents(line.subtotal)),
  }
}

describe("freight that is charged on", () => {
  it.each<[string, FreightCost[], percent: number, lines: string[], sums: number[]]>([
    [
      "with a mark-up apart",
      [costOf("C1", 10_000)],
      8,
      ["Freight C1 to Fremantle WA 100.00", "Mark-up on freight, 8 % 8.00"],
      [10_000, 10_000, 0, 800],
    ],
    ["without one", [costOf("C1", 10_000)], 0, ["Freight C1 to Fremantle WA 100.00"], [10_000, 10_000, 0, 0]],
    [
      "but what is disputed",
      [costOf("C1", 10_000, 2500)],
      10,
      ["Freight C1 to Fremantle WA 75.00", "Mark-up on freight, 10 % 7.50"],
      [10_000, 7500, 2500, 750],
    ],
    [
      "all of it disputed",
      [costOf("C1", 500, 900), costOf("C2", 5)],
      10,
      ["Freight C2 to Fremantle WA 0.05", "Mark-up on freight, 10 % 0.01"],
      [505, 5, 500, 1],
    ],
    [
      "more credited than billed",
      [costOf("C1", -500), costOf("C2", 1000)],
      0,
      ["Freight C2 to Fremantle WA 10.00"],
      [500, 1000, -500, 0],
    ],
    [
      "the mark-up on the sum, to the cent",
      [costOf("C1", 333), costOf("C2", 333)],
      7.5,
      [
        "Freight C1 to Fremantle WA 3.33",
        "Freight C2 to Fremantle WA 3.33",
        "Mark-up on freight, 7.5 % 0.50",
      ],
      [666, 666, 0, 50],
    ],
  ])("%s", (_, costs, percent, lines, sums) => {
    const charge = chargeFreight(costs, percent, true)
    expect(describeLines(charge)).toEqual(lines)
    expect([charge.cost, charge.charged, charge.absorbed, charge.markup]).toEqual(sums)
  })

  it.each<[string, FreightCost[], percent: number, lines: string[]]>([
    [
      "with the mark-up in each line",
      [costOf("C1", 10_000), costOf("C2", 700)],
      8,
      ["Freight C1 to Fremantle WA 108.00", "Freight C2 to Fremantle WA 7.56"],
    ],
    [
      "with the mark-up in each line, and what rounding leaves on the largest",
      [costOf("C1", 110), costOf("C2", 110), costOf("C3", 110)],
      1.2,
      [
        "Freight C1 to Fremantle WA 1.12",
        "Freight C2 to Fremantle WA 1.11",
        "Freight C3 to Fremantle WA 1.11",
      ],
    ],
    [
      "with the mark-up in each line, and 12.09 with GST, as it is with the mark-up apart",
      [costOf("C1", 333), costOf("C2", 334), costOf("C3", 333)],
      10,
      [
        "Freight C1 to Fremantle WA 3.66",
        "Freight C2 to Fremantle WA 3.66",
        "Freight C3 to Fremantle WA 3.66",
      ],
    ],
    [
      "by its reference, where it has no number",
      [
        {
          ...costOf("0f8fad5b-d9cb-469f-a165-70867728950e", 500),
          number: undefined,
          shipment: { receiver: RECEIVER, customerReference: "SO-1" },
        },
      ],
      0,
      ["Freight SO-1 to Fremantle WA 5.00"],
    ],
    [
      "by nothing, where it has neither",
      [{ ...costOf("0f8fad5b-d9cb-469f-a165-70867728950e", 500), number: undefined }],
      0,
      ["Freight to Fremantle WA 5.00"],
    ],
  ])("%s", (_, costs, percent, lines) => {
    expect(describeLines(chargeFreight(costs, percent, false))).toEqual(lines)
  })

  it("says by which amounts, and what adds up", () => {
    const costs = [costOf("C1", 10_000, 2500, ["B1", "B2"]), costOf("C2", 700)]
    expect(describeOnCharge(costs, chargeFreight(costs, 8, false), 8)).toEqual([
      "C1: 100.00, as billed on B1, B2.",
      "C2: 7.00, as quoted: it is on no audited bill.",
      "Freight without GST: cost 107.00 = 82.00 charged on + 25.00 absorbed, which is disputed or credited; mark-up of 8 %: 6.56.",
    ])
  })

  it("adds up on random invoices, with GST of each line at 10 %", () => {
    const random = numbersFrom(35)
    let [single, off] = [0, 0]
    for (let at = 0; at < 1000; at++) {
      const costs = Array.from({ length: 1 + Math.floor(random() * 9) }, (_, n) =>
        costOf(
          `C${n}`,
          1 + Math.floor(random() * 30_000),
          random() < 0.3 ? Math.floor(random() * 40_000) : 0,
        ),
      )
      const percent = Math.floor(random() * 200) / 8
      const [shown, folded] = [true, false].map((isShown) => chargeFreight(costs, percent, isShown)) as [
        ReturnType<typeof chargeFreight>,
        ReturnType<typeof chargeFreight>,
      ]
      const { lines: _, markup, ...sums } = folded
      expect(shown).toMatchObject(sums)
      expect(Math.abs(markup - shown.markup)).toBeLessThanOrEqual(1 + folded.lines.length)
      expect(shown.cost).toBe(shown.charged + shown.absorbed)
      expect(shown.cost).toBe(costs.reduce((sum, { cost }) => sum + cost, 0))
      if (shown.lines.length === 0) continue
      const [apart, within] = [toInvoice(shown), toInvoice(folded)]
      for (const [{ subtotal, gst, lines }, charge] of [
        [apart, shown],
        [within, folded],
      ] as const) {
        expect(subtotal).toBe(charge.charged + charge.markup)
        expect(gst).toBe(lines.reduce((sum, cents) => sum + Math.round(cents / 10), 0))
      }
      if (within.lines.length > 1) expect(within.due, String(at)).toBe(apart.due)
      else {
        single++
        off += Math.abs(within.due - apart.due)
      }
    }
    // One amount with its GST is not each sum: 4 and 6 cents, and none is 5.
    expect(off).toBeLessThan(single / 5)
  })
})
