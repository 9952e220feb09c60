/** Which disputes a credit pays: a row each. Amounts are in cents. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toLaterCreditId } from "../../../src/bills/ids.ts"
import { matchCredits } from "../../../src/bills/disputes/match.ts"
import { reckonRound } from "../../../src/bills/disputes/settle.ts"
import { toCreditBalances, toDisputeBalances } from "../../../src/bills/disputes/balance.ts"
import type { Credit, Dispute, DisputeBook, Step } from "../../../src/bills/records/disputes.ts"

const WRITTEN = { at: "2026-11-01T00:00:00Z", workstation: "desk", person: "clerk" }
const NAMED = { supplier: "Acme", billDate: "", shipmentId: "", reference: "", carrier: "" }

function dispute(id: string, amountCents: number, more: Partial<Dispute> = {}): Dispute {
  return {
    ...{ id, amountCents, consignment: id, billNumber: "B1", file: "b1.csv", ...NAMED, ...WRITTEN },
    ...{ verdict: "over", why: "", gstBasis: "excluded", day: "2026-11-01", ...more },
  }
}

function credit(consignment: string, exGst: number, more: Partial<Credit> = {}): Credit {
  return {
    ...{ id: `credit ${consignment}`, consignment, billNumber: "B2", file: "b2.csv", ...NAMED, ...WRITTEN },
    ...{ exGst, gst: null, incGst: null, unspecifiedGstCents: null, ...more },
  }
}

function step(disputeId: string, kind: Step["kind"], amountCents: number, more: Partial<Step> = {}): Step {
  return { id: `${disputeId} ${kind}`, disputeId, kind, amountCents, day: "2026-11-02", ...WRITTEN, ...more }
}

interface Row {
  disputes: Dispute[]
  steps?: Step[]
  credits: Credit[]
  /** Dispute: cents. */
  pays: Record<string, number>
  guesses?: string[]
}

const ROWS: Record<string, Row> = {
  "all of it": { disputes: [dispute("C1", 1000)], credits: [credit("C1", 1000)], pays: { C1: 1000 } },
  "a part": { disputes: [dispute("C1", 1000)], credits: [credit("C1", 400)], pays: { C1: 400 } },
  "no more than is open": {
    disputes: [dispute("C1", 1000)],
    credits: [credit("C1", 1500)],
    pays: { C1: 1000 },
  },
  "with GST, where that is disputed": {
    disputes: [dispute("C1", 1100, { gstBasis: "included" })],
    credits: [credit("C1", 1000, { gst: 100, incGst: 1100 })],
    pays: { C1: 1100 },
  },
  "in another spelling of its number": {
    disputes: [dispute("zz-1", 500)],
    credits: [credit("ZZ 1", 400)],
    pays: { "zz-1": 400 },
  },
  "without GST, where it is not said whether that is disputed": {
    disputes: [dispute("C1", 1100, { gstBasis: "unknown" })],
    credits: [credit("C1", 1000, { gst: 100, incGst: 1100 })],
    pays: { C1: 1100 },
  },
  "with GST, where the credit does not say it": {
    disputes: [dispute("C1", 1000)],
    credits: [credit("C1", 0, { exGst: null, unspecifiedGstCents: 1100 })],
    pays: { C1: 1000 },
  },
  "what a bill of another day in a file of the same name charged": {
    disputes: [dispute("C1", 500, { billNumber: "", file: "bill.csv", billDate: "2026-10-31" })],
    credits: [credit("C1", 500, { billNumber: "", file: "bill.csv", billDate: "2026-11-30" })],
    pays: { C1: 500 },
  },
  "the oldest of one consignment first": {
    disputes: [
      dispute("a", 300, { consignment: "C1" }),
      dispute("b", 300, { consignment: "C1", billNumber: "B0" }),
    ],
    credits: [credit("C1", 400)],
    pays: { a: 300, b: 100 },
  },
  "by its shipment, where the number is another": {
    disputes: [dispute("C1", 500, { shipmentId: "s-1" })],
    credits: [credit("C-1", 500, { shipmentId: "s-1" })],
    pays: { C1: 500 },
  },
  "nothing of its own bill": {
    disputes: [dispute("C1", 500, { billNumber: "B2", file: "b2.csv" })],
    credits: [credit("C1", 500)],
    pays: {},
  },
  "what its own bill has grown by": {
    disputes: [
      dispute("C1", 500, { billNumber: "B2", file: "b2.csv" }),
      dispute("C2", 500, { billNumber: "B2", file: "b2.csv" }),
    ],
    credits: [credit("C1", 400, { id: toLaterCreditId("C1") }), credit("C2", 400)],
    pays: { C1: 400 },
  },
  "nothing of another carrier with that number": {
    disputes: [dispute("C1", 500, { carrier: "CARRIER_A_AU" })],
    credits: [credit("C1", 500, { carrier: "CARRIER_B_AU" })],
    pays: {},
  },
  "by reference, where the amount is the same": {
    disputes: [dispute("C1", 500, { reference: "PO-1" })],
    credits: [credit("X9", 500, { reference: "PO-1" })],
    pays: { C1: 500 },
  },
  "not by reference with another amount": {
    disputes: [dispute("C1", 500, { reference: "PO-1" })],
    credits: [credit("X9", 400, { reference: "PO-1" })],
    pays: {},
  },
  "not by a reference that two have": {
    disputes: [dispute("C1", 500, { reference: "PO-1" }), dispute("C2", 500, { reference: "PO-1" })],
    credits: [credit("X9", 500, { reference: "PO-1" })],
    pays: {},
    guesses: ["C1", "C2"],
  },
  "nothing of another consignment: that is asked": {
    disputes: [dispute("C1", 500)],
    credits: [credit("X9", 500)],
    pays: {},
    guesses: ["C1"],
  },
  "what was denied, if it comes late": {
    disputes: [dispute("C1", 500)],
    steps: [step("C1", "denied", 500)],
    credits: [credit("C1", 300)],
    pays: { C1: 300 },
  },
  "nothing twice": {
    disputes: [dispute("C1", 500)],
    steps: [step("C1", "credited", 500, { creditId: "credit C1", creditCents: 500 })],
    credits: [credit("C1", 500)],
    pays: {},
  },
  "back, where its bill was corrected": {
    disputes: [dispute("C1", 500)],
    steps: [step("C1", "credited", 500, { creditId: "credit C1", creditCents: 500 })],
    credits: [credit("C1", 200)],
    pays: { C1: -300 },
  },
  "back, where two ledgers credited more than is disputed": {
    disputes: [dispute("C1", 500)],
    steps: [
      step("C1", "credited", 500, { id: "1", creditId: "credit C1", creditCents: 500 }),
      step("C1", "credited", 200, { id: "2", creditId: "credit C1 again", creditCents: 200 }),
    ],
    credits: [credit("C1", 500), credit("C1", 200, { id: "credit C1 again", billNumber: "B3" })],
    pays: { C1: -200 },
  },
}

describe("a credit pays", () => {
  it.each(Object.entries(ROWS))("%s", (_, { disputes, steps = [], credits, pays, guesses = [] }) => {
    const book = { disputes, steps, credits }
    const matched = matchCredits(toCreditBalances(book), toDisputeBalances(book))
    expect(Object.fromEntries(matched.payments.map(({ dispute, cents }) => [dispute.id, cents]))).toEqual(
      pays,
    )
    expect(matched.guesses.map(({ dispute }) => dispute.id)).toEqual(guesses)
  })
})

describe("settling", () => {
  const cents = fc.integer({ min: 0, max: 300 })
  /** A bill says one amount, or several, or not whether GST is in it. */
  const amounts = fc
    .tuple(
      cents,
      cents,
      fc.constantFrom("exGst", "incGst", "unspecifiedGstCents", "exGst unspecifiedGstCents", "exGst gst"),
    )
    .map(([one, other, said]) => {
      const [first = "", second] = said.split(" ")
      return { [first]: one, ...(second !== undefined && { [second]: other }) }
    })
  const named = {
    consignment: fc.constantFrom("C1", "C2", "C3", ""),
    reference: fc.constantFrom("R1", "R2", ""),
    shipmentId: fc.constantFrom("s1", "s2", ""),
  }
  const disputed = fc.record({
    ...named,
    amountCents: fc.integer({ min: 1, max: 300 }),
    gstBasis: fc.constantFrom<Dispute["gstBasis"]>("excluded", "included", "unknown"),
  })
  const closed = fc.record({
    of: fc.nat(3),
    kind: fc.constantFrom<Step["kind"]>("denied", "written-off", "credited"),
    amountCents: fc.integer({ min: 1, max: 300 }),
  })
  const given = fc.record({ named: fc.record(named), amounts })
  const corrected = fc.record({ at: fc.nat(3), amounts })

  it("ends, with nothing closed or used beyond what there is, whatever was written and corrected", () => {
    fc.assert(
      fc.property(
        fc.array(disputed, { minLength: 1, maxLength: 4 }),
        fc.array(given, { maxLength: 4 }),
        fc.array(closed, { maxLength: 3 }),
        fc.array(corrected, { maxLength: 2 }),
        (ofDisputes, ofCredits, ofSteps, corrections) => {
          const disputes = ofDisputes.map((more, at) => dispute(`d${at}`, more.amountCents, more))
          const steps = ofSteps
            .filter(({ of }) => of < disputes.length)
            .map(({ of, kind, amountCents }, at) => step(`d${of}`, kind, amountCents, { id: `s${at}` }))
          const credits = ofCredits.map(({ named: names, amounts: more }, at) =>
            credit(names.consignment, 0, { exGst: null, id: `c${at}`, ...names, ...more }),
          )
          const book: DisputeBook = { disputes, steps, credits }
          settleIn(book)
          for (const { at, amounts: more } of corrections) {
            const before = credits[at]
            if (!before) continue
            credits[at] = {
              ...before,
              exGst: null,
              gst: null,
              incGst: null,
              unspecifiedGstCents: null,
              ...more,
            }
            settleIn(book)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  function settleIn(book: DisputeBook): void {
    const [rounds, by] = [10, { ...WRITTEN, day: "2026-11-03" }]
    for (let round = 0; round < rounds; round++) {
      const { steps } = reckonRound(book, by)
      book.steps.push(...steps.filter(({ id }) => book.steps.every((each) => each.id !== id)))
    }
    expect(reckonRound(book, by).steps).toEqual([])
    for (const { openCents, deniedCents, writtenOffCents } of toDisputeBalances(book))
      expect(Math.min(openCents, deniedCents, writtenOffCents)).toBeGreaterThanOrEqual(0)
    for (const { cents: there, usedCents } of toCreditBalances(book)) {
      expect(usedCents).toBeGreaterThanOrEqual(0)
      expect(usedCents).toBeLessThanOrEqual(there)
    }
  }
})
