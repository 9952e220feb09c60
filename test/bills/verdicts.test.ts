import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Money, NO_MONEY } from "../../src/bills/money.ts"
import type { Bill, BillLine } from "../../src/bills/bill.ts"
import { toCharge } from "../../src/bills/reading/charge.ts"
import type { Booking } from "../../src/bills/matching/booking.ts"
import type { Booked, Unmatched } from "../../src/bills/matching/match.ts"
import { assess, type ChargedConsignment } from "../../src/bills/audit/verdicts.ts"
import { isDisputed, isToDispute, VERDICT_ORDER } from "../../src/bills/verdicts.ts"

const BILL: Bill = {
  ...{ file: "bill.csv", number: "INV-1", supplier: "Carrier A", date: "2026-11-20", lines: [] },
  ...{ statesGst: false, isGstRight: false },
}
const OTHER: Bill = { ...BILL, number: "INV-2" }

const BOOKED: Booking = {
  from: "ledger",
  shipmentId: "shipment-1",
  consignment: "SBA00000001",
  reference: "PO-1",
  carrier: "CARRIER_A_AU",
  service: "76",
  bookedAt: "2026-11-16T00:00:00Z",
  quote: { cents: 10_000, basis: "excluded", currency: "AUD" },
  grams: 5000,
  payer: "Sender",
}

const TOLERANCE = { percent: 1, cents: 50 }

/** A charge with its GST, as most bills have it. */
const charge = (exGst: number, changes: Partial<BillLine> = {}): BillLine => {
  const gst = Math.round(exGst / 10)
  const label = changes.label ?? "Freight"
  return {
    ...NO_MONEY,
    exGst,
    gst,
    incGst: exGst + gst,
    charge: toCharge(label),
    label,
    service: "76",
    grams: 5000,
    bill: BILL,
    at: 1,
    ...changes,
  }
}
const only = (amounts: Partial<Money>): BillLine => charge(0, { ...NO_MONEY, ...amounts })

const assessed = (
  charges: readonly BillLine[],
  changes: Partial<Booking> = {},
  { collected = "yes", ...more }: Partial<ChargedConsignment> & Pick<Booked, "collected"> = {},
) =>
  assess(
    {
      match: { is: "booked", booking: { ...BOOKED, ...changes }, collected },
      ...{ charges, before: [] },
      ...more,
    },
    TOLERANCE,
  )

const quote = (cents: number, basis: "excluded" | "included" | "unknown") => ({
  quote: { cents, basis, currency: "AUD" },
})

describe("the price", () => {
  it.each([
    ["agrees", 10_000],
    ["agrees", 10_100],
    ["over", 10_101],
    ["agrees", 9900],
    ["under", 9899],
  ])("%s at %i cents for a quote of 10,000 with a tolerance of 1 %", (verdict, cents) => {
    expect(assessed([charge(cents)]).verdicts).toEqual([verdict])
  })

  it("allows the greater of share and amount", () => {
    expect(assessed([charge(1050)], quote(1000, "excluded")).verdicts).toEqual(["agrees"])
    expect(assessed([charge(1051)], quote(1000, "excluded")).verdicts).toEqual(["over"])
  })

  it("adds up freight, fuel and what a home costs, and disputes the difference", () => {
    const { quoted, billed, difference, disputed, why } = assessed([
      charge(8000),
      charge(1000, { label: "Fuel levy" }),
      charge(2000, { label: "Residential delivery" }),
    ])
    expect([quoted, billed, difference, disputed]).toEqual([10_000, 11_000, 1000, 1000])
    expect(why).toBe("10.00 more than quoted, 10.0 %")
  })

  it.each([
    [
      "a charge that was not booked and is the difference",
      false,
      10_000,
      ": residential delivery, not booked",
    ],
    [
      "a charge of which the booking does not say whether it was booked",
      undefined,
      10_000,
      ": residential delivery (the booking does not say whether it is a home)",
    ],
    ["no charge that was booked", true, 10_000, ""],
    ["no such charge that explains but a part of it", false, 10_500, ""],
  ] as const)("names %s", (_, isToHome, freight, cause) => {
    const residential = freight === 10_000 ? 2000 : 500
    const home = isToHome === undefined ? {} : { isToHome }
    const { why } = assessed([charge(freight), charge(residential, { label: "Residential delivery" })], home)
    const dollars = (freight + residential - 10_000) / 100
    expect(why).toBe(`${dollars}.00 more than quoted, ${dollars}.0 %${cause}`)
  })

  it("takes a credit off", () => {
    expect(assessed([charge(11_000), charge(-1000, { label: "Credit" })]).verdicts).toEqual(["agrees"])
  })
})

describe("GST", () => {
  it.each([
    ["an excluded quote with the amount without GST", quote(10_000, "excluded"), charge(10_000), "agrees"],
    ["an included quote with the amount with GST", quote(11_000, "included"), charge(10_000), "agrees"],
    [
      "an excluded quote against an amount with GST alone",
      quote(10_000, "excluded"),
      only({ incGst: 11_000 }),
      "agrees",
    ],
    [
      "an included quote against an amount without GST alone",
      quote(11_000, "included"),
      only({ exGst: 10_000 }),
      "agrees",
    ],
    [
      "an excluded quote that was billed with GST on top twice",
      quote(10_000, "excluded"),
      charge(11_000),
      "over",
    ],
  ])("compares %s", (_, booked, billed, verdict) => {
    expect(assessed([billed], booked).verdicts).toEqual([verdict])
  })

  it("tells of GST that is not 10 %, and disputes what is above it only with something else", () => {
    const of = (gst: number) => assessed([charge(10_000, { gst, incGst: 10_000 + gst })])
    expect(of(1250)).toMatchObject({ verdicts: ["wrong-gst", "agrees"], disputed: 0, disputedGst: 0 })
    expect(of(800)).toMatchObject({ verdicts: ["wrong-gst", "agrees"], disputed: 0, disputedGst: 0 })
    expect(assessed([charge(12_000, { gst: 1500, incGst: 13_500 })])).toMatchObject({
      verdicts: ["over", "wrong-gst"],
      ...{ disputed: 2300, disputedGst: 300 },
    })
  })

  it("tries both readings of a quote that does not say, and tells which fits", () => {
    expect(assessed([charge(10_000)], quote(10_000, "unknown")).why).toBe(
      "as quoted, the quote read as without GST",
    )
    expect(assessed([charge(10_000)], quote(11_000, "unknown")).why).toBe(
      "as quoted, the quote read as with GST",
    )
  })

  it("tries both readings of an amount of which the bill does not say", () => {
    expect(assessed([only({ unspecifiedGstCents: 10_000 })]).why).toBe(
      "as quoted, the bill read as without GST",
    )
    expect(assessed([only({ unspecifiedGstCents: 11_000 })]).why).toBe("as quoted, the bill read as with GST")
    expect(assessed([only({ unspecifiedGstCents: 12_200 })]).verdicts).toEqual(["over"])
    expect(assessed([only({ unspecifiedGstCents: 9000 })]).verdicts).toEqual(["under"])
  })

  it("cannot tell where one reading is above and the other below", () => {
    expect(assessed([charge(9500)], quote(10_000, "unknown")).verdicts).toEqual(["cannot-tell"])
    expect(assessed([only({ unspecifiedGstCents: 10_500 })]).verdicts).toEqual(["cannot-tell"])
  })

  it("reads an amount by the GST beside it, and by a line of GST", () => {
    expect(assessed([only({ unspecifiedGstCents: 10_000, gst: 1000 })]).why).toBe("as quoted")
    expect(assessed([only({ unspecifiedGstCents: 11_000, gst: 1000 })]).why).toBe("as quoted")
    const tax = only({ unspecifiedGstCents: 1000 })
    expect(
      assessed([only({ unspecifiedGstCents: 10_000 }), { ...tax, charge: "tax", label: "GST" }]).why,
    ).toBe("as quoted")
  })

  it("calls nothing over or under that some reading explains", () => {
    const bases = fc.constantFrom("excluded", "included", "unknown")
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 1_000_000 }), bases, fc.boolean(), (cents, basis, isSaid) => {
        const exGst = basis === "included" ? Math.round(cents / 1.1) : cents
        const line = isSaid ? charge(exGst) : only({ unspecifiedGstCents: exGst })
        expect(assessed([line], quote(cents, basis)).verdicts).toEqual(["agrees"])
      }),
    )
  })
})

describe("billed twice", () => {
  it("finds the same charges again in one bill, and disputes them once", () => {
    const { verdicts, disputed, why } = assessed([
      charge(9000),
      charge(1000, { label: "Fuel levy" }),
      charge(9000),
      charge(1000, { label: "Fuel levy" }),
    ])
    expect([verdicts, disputed, why]).toEqual([["billed-twice"], 10_000, "charged twice in this bill"])
  })

  it("finds it in another bill of the audit, also with another amount", () => {
    expect(assessed([charge(10_000), charge(10_000, { bill: OTHER })]).why).toBe(
      "charged again in bill INV-2",
    )
    expect(assessed([charge(10_400), charge(10_000, { bill: OTHER })])).toMatchObject({
      verdicts: ["billed-twice"],
      difference: 10_400,
      disputed: 10_400,
    })
  })

  it("tells both of what is charged twice and too much", () => {
    const { verdicts, disputed } = assessed([charge(12_000), charge(12_000)])
    expect([verdicts, disputed]).toEqual([["billed-twice", "over"], 14_000])
  })

  it("takes two items of one price for what was quoted", () => {
    expect(assessed([charge(5000), charge(5000)]).verdicts).toEqual(["agrees"])
  })

  it("takes a charge that was credited for none", () => {
    expect(assessed([charge(10_000), charge(-10_000), charge(10_000)]).verdicts).toEqual(["agrees"])
  })

  it("finds what was billed before", () => {
    const before = [
      {
        exGst: 10_000,
        gst: 1000,
        incGst: 11_000,
        unspecifiedGstCents: null,
        number: "INV-0",
        auditedAt: "2026-10-31T00:00:00Z",
        charges: ["freight" as const],
      },
    ]
    const { verdicts, disputed, why } = assessed([charge(10_000)], {}, { before })
    expect([verdicts, disputed]).toEqual([["billed-twice"], 10_000])
    expect(why).toBe("charged before in bill INV-0, audited on 2026-10-31")
    expect(assessed([charge(500, { label: "Residential delivery" })], {}, { before }).verdicts).toEqual([
      "over",
    ])
    const part = before.map((each) => ({ ...each, exGst: 6000, incGst: 6600 }))
    expect(assessed([charge(4000)], {}, { before: part }).why).toBe("as quoted, with what was billed before")
  })
})

describe("who and what", () => {
  it.each([
    ["cancelled", { isCancelled: true }, {}],
    ["payer-is-another", { payer: "Receiver" }, {}],
    ["payer-is-another", { payer: "ThirdParty" }, {}],
    ["not-collected", {}, { collected: "no" as const }],
  ])("%s disputes all that is billed", (verdict, booked, more) => {
    const { verdicts, disputed } = assessed([charge(10_000)], booked, more)
    expect([verdicts, disputed]).toEqual([[verdict], 10_000])
  })

  it("says another service, and the weight that is billed above the booked one", () => {
    expect(assessed([charge(10_000)], {}, { otherService: "Express" }).why).toBe(
      "billed as Express, booked as 76",
    )
    expect(assessed([charge(10_000, { grams: 9000 })]).why).toBe("billed for 9 kg, booked with 5 kg")
  })

  it("takes a weight that the volume explains for right, unless the price is not the quoted one", () => {
    expect(assessed([charge(10_000, { grams: 9000 })], { cubicGrams: 9000 }).verdicts).toEqual(["agrees"])
    expect(assessed([charge(12_000, { grams: 9000 })], { cubicGrams: 9000 }).verdicts).toEqual([
      "wrong-weight",
      "over",
    ])
    expect(assessed([charge(10_000, { grams: 5100 })]).verdicts).toEqual(["agrees"])
  })

  it("has no price for what was booked elsewhere, and still says what else is wrong with it", () => {
    const { quote: _, ...elsewhere } = { ...BOOKED, from: "api" as const }
    const of = (booking: Booking) =>
      assess(
        {
          match: { is: "booked", booking, collected: "yes" },
          ...{ charges: [charge(10_000)], before: [] },
        },
        TOLERANCE,
      )
    expect(of(elsewhere)).toMatchObject({
      verdicts: ["no-price"],
      quoted: null,
      difference: null,
      disputed: 0,
      billed: 10_000,
    })
    expect(of({ ...elsewhere, isCancelled: true }).verdicts).toEqual(["cancelled"])
  })

  it.each<[string, Unmatched, string]>([
    ["not-ours", { is: "unknown" }, "neither the ledger nor the API knows it"],
    ["cannot-tell", { is: "unlike" }, "your shipments have no numbers like it"],
    ["cannot-tell", { is: "unasked" }, "the API was not asked"],
    ["cannot-tell", { is: "nameless" }, "the bill names no consignment for Freight"],
    ["cannot-tell", { is: "damaged" }, "the last digits are gone"],
    ["cannot-tell", { is: "several", fits: "SBA1, SBA2" }, "it fits several bookings: SBA1, SBA2"],
    ["cannot-tell", { is: "other", fits: "SBA1" }, "is that of SBA1"],
  ])("%s where it is %o", (verdict, match, words) => {
    const { verdicts, quoted, why } = assess({ match, charges: [charge(10_000)], before: [] }, TOLERANCE)
    expect([verdicts, quoted, why]).toEqual([[verdict], null, expect.stringContaining(words)])
  })

  it("compares no quote in another currency", () => {
    const quote = { cents: 5_000, basis: "excluded", currency: "NZD" } as const
    expect(assessed([charge(10_000)], { quote })).toMatchObject({
      verdicts: ["no-price"],
      why: "quoted in NZD: only AUD can be compared with a bill",
      quoted: null,
      disputed: 0,
    })
    const large = { ...quote, cents: 50_000 }
    expect(assessed([charge(10_000), charge(10_000)], { quote: large }).verdicts).toEqual(["billed-twice"])
  })

  it("disputes a sum never, and no more than is billed", () => {
    const everything = { isCancelled: true, payer: "Receiver" }
    const { verdicts, disputed } = assessed([charge(12_000, { grams: 9000 })], everything, {
      collected: "no",
      otherService: "EXP",
    })
    expect(verdicts).toEqual(["cancelled", "payer-is-another", "wrong-service", "wrong-weight", "over"])
    expect(disputed).toBe(12_000)
  })
})

it("disputes the verdicts that the list says", () => {
  expect(VERDICT_ORDER.filter((each) => !isDisputed(each))).toEqual([
    "wrong-gst",
    "under",
    "cannot-tell",
    "no-price",
    "agrees",
  ])
})

it("disputes no mistake by which less was charged, and any by which as much or more was, or that has no quote", () => {
  const isOne = (difference: number | null, disputed = 0) =>
    isToDispute({ verdict: "wrong-service", disputed, difference })
  expect([isOne(-5), isOne(0), isOne(5), isOne(null), isOne(-5, 1)]).toEqual([false, true, true, true, true])
})
