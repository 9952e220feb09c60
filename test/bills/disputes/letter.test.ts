/** A letter to a carrier: who writes, amounts on both bases, and no word that only freight knows. */
import { describe, expect, it } from "vitest"
import { describeForCarrier } from "../../../src/bills/audit/carrier-words.ts"
import { describeLetter } from "../../../src/bills/disputes/letter.ts"
import { type DisputeBalance, toDisputeBalance } from "../../../src/bills/disputes/balance.ts"
import type { GstBasis } from "../../../src/ledger/entry.ts"
import { renderTerminal } from "../../../src/output/pages/terminal.ts"

interface Row {
  consignment: string
  cents: number
  gst: GstBasis
  why: string
  verdict?: string
  /** Its bill states no GST of 10 % for it. */
  isUnproved?: boolean
}

const balance = ({ consignment, cents, gst, why, verdict = "over" }: Row): DisputeBalance =>
  toDisputeBalance(
    {
      ...{ id: consignment, supplier: "Alpha Freight", billNumber: "1001", billDate: "2026-11-20" },
      ...{ file: "bill.csv", consignment, shipmentId: "", reference: "", carrier: "", verdict, why },
      ...{ amountCents: cents, gstBasis: gst, day: "2026-11-21", at: "2026-11-21T00:00:00.000Z" },
      ...{ workstation: "desk", person: "ann" },
    },
    [],
  )

const FROM = {
  supplierName: "Harbour Lighting Pty Ltd",
  abn: "51824753556",
  supplierAddress: "1 Harbour Street, Sydney NSW 2000",
}

function describeRows(rows: readonly Row[], from?: typeof FROM) {
  const taxedIds = new Set(rows.filter(({ isUnproved }) => !isUnproved).map(({ consignment }) => consignment))
  return describeLetter(rows.map(balance), taxedIds, { day: "2026-11-29", from, account: from && "10044" })
}

const write = (rows: readonly Row[], from?: typeof FROM) =>
  renderTerminal(describeRows(rows, from), {
    colour: false,
    unicode: true,
    columns: 100,
  }).replaceAll(/\s+/g, " ")

describe("a letter", () => {
  it("says who writes, the account, and each amount without and with GST, to the cent", () => {
    const text = write(
      [
        { consignment: "A1", cents: 1865, gst: "excluded", why: "18.65 more than quoted, 20.0 %" },
        // 11.00 with GST is 10.00 without it.
        { consignment: "A2", cents: 1100, gst: "included", why: "11.00 more than quoted, 5.0 %" },
      ],
      FROM,
    )
    for (const words of [
      "Harbour Lighting Pty Ltd",
      "ABN 51 824 753 556",
      "1 Harbour Street, Sydney NSW 2000",
    ])
      expect(text).toContain(words)
    expect(text).toContain("Our account with you 10044")
    expect(text).toContain("Dispute of bill 1001 of 2026-11-20")
    // 18.65 has GST of 1.865, which is 1.87: 20.52; with 11.00 that is 31.52, and 28.65 without GST.
    expect(text).toContain("We dispute AUD 28.65 without GST, AUD 31.52 with GST, of this bill")
    expect(text).toMatch(/A1 .*18\.65 +20\.52/)
    expect(text).toMatch(/A2 .*10\.00 +11\.00/)
  })

  it("says of an amount whose basis nobody gave only what was billed, and adds it to nothing", () => {
    const text = write([
      { consignment: "A1", cents: 1000, gst: "excluded", why: "10.00 more than quoted" },
      { consignment: "A2", cents: 500, gst: "unknown", why: "5.00 more than quoted" },
    ])
    expect(text).toContain("AUD 10.00 without GST, AUD 11.00 with GST, and AUD 5.00 as you billed it")
  })

  it("says only the disputed amount where its bill states no GST of 10 % for it", () => {
    const rows: Row[] = [
      { consignment: "A1", cents: 2413, gst: "included", why: "20.00 more than quoted", isUnproved: true },
      { consignment: "A2", cents: 2000, gst: "excluded", why: "20.00 more than quoted", isUnproved: true },
    ]
    const text = write(rows)
    expect(text).toContain("We dispute AUD 20.00 without GST and another AUD 24.13 with GST of this bill")
    expect(text).not.toMatch(/21\.94|22\.00|44\.13|18\.18/)
    expect(write(rows.slice(0, 1))).toContain("We dispute AUD 24.13 with GST of this bill")
    const mixed: Row[] = [...rows.slice(1), { consignment: "A3", cents: 1000, gst: "excluded", why: "" }]
    expect(write(mixed)).toContain(
      "We dispute AUD 10.00 without GST, AUD 11.00 with GST, and another AUD 20.00 without GST of this bill",
    )
    // The column with GST lacks one of them.
    expect(describeRows(mixed).blocks).toMatchObject([{ totals: ["", "", "30.00", ""] }])
  })

  it("is from nobody where nobody is saved", () => {
    expect(write([{ consignment: "A1", cents: 1, gst: "excluded", why: "" }])).not.toMatch(/ABN|Our account/)
  })
})

describe("why, for a carrier", () => {
  it.each([
    ["neither the ledger nor the API knows it", "we did not book it"],
    [
      "nothing was scanned, and there is no pickup",
      "it was never collected: your tracking has no scan of it",
    ],
    ["the shipment is cancelled", "it was cancelled"],
    ["the booking says that the receiver pays", "it was booked so that the receiver pays, and not we"],
    [
      "12.00 more than quoted, 5.0 %, the quote read as without GST, the bill read as with GST: fuel levy",
      "12.00 more than quoted, 5.0 %: fuel levy",
    ],
    [
      "9.00 more than quoted, 3.0 %: residential delivery (the booking does not say whether it is a home)",
      "9.00 more than quoted, 3.0 %: residential delivery",
    ],
    [
      "charged before in bill B1, audited on 2026-11-03; page 2, line 4",
      "charged before in bill B1; page 2, line 4",
    ],
    [
      "billed as EXP, booked as STD; its booking has no known outcome: freight reconcile",
      "billed as EXP, booked as STD",
    ],
    [
      "Fuel is for the whole bill: 12.00 more than its consignments lack of their quotes, 3.00",
      "Fuel, charged for the whole bill, is 12.00 more than you quoted",
    ],
    ["billed for 30 kg, booked with 12 kg", "billed for 30 kg, booked with 12 kg"],
  ])("%s", (why, words) => {
    expect(describeForCarrier({ why })).toBe(words)
    expect(words).not.toMatch(/ledger|\bAPI\b|read as|audited|freight \w/)
  })
})
