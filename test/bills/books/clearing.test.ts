/**
 * The balance of the clearing account and the transfers to make, one case a row. In cents; a dispute of 10.00 is posted
 * first.
 */
import { describe, expect, it } from "vitest"
import { describeToMove, toClearingRow } from "../../../src/bills/books/clearing-report.ts"
import { ClearingAccount, listActive } from "../../../src/bills/books/clearing.ts"
import { toReopeningId } from "../../../src/bills/ids.ts"
import { toDisputeBalance } from "../../../src/bills/disputes/balance.ts"
import type { Credit, Dispute, Step } from "../../../src/bills/records/disputes.ts"
import type { Move, Posting } from "../../../src/bills/records/postings.ts"

const WHO = { workstation: "desk", person: "clerk" }
const at = (day: number) => `2026-11-0${day}T00:00:00.000Z`
const BILL = { supplier: "Alpha", billNumber: "B-1", billDate: "2026-11-01", file: "b.csv" }

const DISPUTE: Dispute = {
  ...{ id: "d", ...BILL, consignment: "ZZ1", shipmentId: "", reference: "", carrier: "", verdict: "over" },
  ...{ why: "", amountCents: 1000, gstBasis: "excluded", day: "2026-11-01", at: at(1), ...WHO },
}

function credit(id: string, billNumber = id): Credit {
  return {
    ...{ id, ...BILL, billNumber, consignment: "ZZ1", shipmentId: "", reference: "", carrier: "" },
    ...{ exGst: 1000, gst: null, incGst: null, unspecifiedGstCents: null, at: at(3), ...WHO },
  }
}

function posting(day: number, changes: Partial<Posting> = {}): Posting {
  return {
    ...{ id: `p${day}`, ...BILL, books: "xero", exGst: 0, gst: 0, clearing: 0, cleared: {}, rows: 1 },
    ...{ content: [], head: "", body: "", at: at(day), ...WHO, broughtBack: {} },
    accounts: { clearing: "650", own: { d: "429" } },
    ...changes,
  }
}

const CLEARED = posting(2, { cleared: { d: 1000 } })
const ofCredit = (day: number, id: string, cents: number, changes: Partial<Posting> = {}) =>
  posting(day, {
    ...{ billNumber: id, accounts: { clearing: "650", own: { [id]: "430, Sydney" } } },
    ...(cents > 0 && { broughtBack: { [id]: { d: cents } } }),
    ...changes,
  })

type Row = [kind: Step["kind"], amountCents: number, creditId?: string]
const step = ([kind, amountCents, creditId]: Row, n: number): Step => ({
  ...{ id: amountCents < 0 ? toReopeningId(`${n - 1}`) : `${n}`, disputeId: "d", kind, amountCents },
  ...{ day: "2026-11-03", at: at(3), ...WHO },
  ...(creditId !== undefined && { creditId, creditCents: amountCents }),
})
const move = (amountCents: number): Move => ({
  ...{ id: `m${amountCents}`, disputeId: "d", amountCents, day: "2026-11-04", at: at(4) },
  ...WHO,
})

interface Case {
  /** The day in November on which it was raised; its bill is posted on the second. */
  raised?: number
  verdict?: string
  steps?: Row[]
  postings?: Posting[]
  moves?: Move[]
  stands: number
  open?: number
  coming?: number
  move?: [cents: number, account: string, why: string][]
}

const CASES: Record<string, Case> = {
  "stands while it is open": { stands: 1000, open: 1000 },
  "is to be moved to its expense account when it is denied": {
    ...{ steps: [["denied", 1000]], stands: 1000, move: [[1000, "429", "denied"]] },
  },
  "is to be moved in part when a part of it is written off": {
    ...{ steps: [["written-off", 300]], stands: 1000, open: 700, move: [[300, "429", "written-off"]] },
  },
  "is to be moved to where its payment was booked": {
    ...{ steps: [["credited", 1000]], stands: 1000, move: [[1000, "", "paid"]] },
  },
  "is gone once a person says that it was moved": {
    steps: [["denied", 1000]],
    moves: [move(1000)],
    stands: 0,
  },
  "comes back with a credit that is not posted yet": {
    ...{ steps: [["credited", 1000, "c"]], stands: 1000, coming: 1000 },
  },
  "is gone once the credit is posted": {
    ...{ steps: [["credited", 1000, "c"]], postings: [CLEARED, ofCredit(3, "c", 1000)], stands: 0 },
  },
  "is to be moved to where a credit went that was posted before it paid": {
    ...{ steps: [["credited", 1000, "c"]], postings: [CLEARED, ofCredit(3, "c", 0)], stands: 1000 },
    move: [[1000, "430, Sydney", "credited"]],
  },
  "is to be moved back when it is reopened": {
    ...{ moves: [move(1000)], stands: 0, open: 1000, move: [[-1000, "429", "reopened"]] },
  },
  "is to be moved back from where its credit was brought, which pays it no more": {
    steps: [
      ["credited", 1000, "c"],
      ["credited", -1000, "c"],
    ],
    ...{ postings: [CLEARED, ofCredit(3, "c", 1000)], stands: 0, open: 1000 },
    move: [[-1000, "430, Sydney", "reopened"]],
  },
  "is there for each reason apart": {
    steps: [
      ["credited", 400, "c"],
      ["credited", 100, "e"],
      ["denied", 200],
      ["credited", 50],
    ],
    ...{ postings: [CLEARED, ofCredit(3, "c", 0)], stands: 1000, open: 250, coming: 100 },
    move: [
      [400, "430, Sydney", "credited"],
      [50, "", "paid"],
      [200, "429", "denied"],
    ],
  },
  "is not there when its posting was taken back": {
    ...{ postings: [CLEARED, posting(3, { undone: "not imported" })], stands: 0 },
  },
  "is to be moved there when it is raised after its bill was posted": {
    ...{ raised: 3, postings: [posting(2)], stands: 0, open: 1000, move: [[-1000, "429", "raised"]] },
  },
  "stands there once a person says that what was raised later was moved": {
    ...{ raised: 3, postings: [posting(2)], moves: [move(-1000)], stands: 1000, open: 1000 },
  },
  "is to be moved there as far as it is still open": {
    ...{ raised: 3, postings: [posting(2)], steps: [["denied", 400]], stands: 0, open: 600 },
    move: [[-600, "429", "raised"]],
  },
  "is not to be moved when it is settled before anybody moved it": {
    ...{ raised: 3, postings: [posting(2)], steps: [["denied", 1000]], stands: 0 },
  },
  "is to be moved back when it is denied after it was moved there": {
    ...{ raised: 3, postings: [posting(2)], moves: [move(-1000)], steps: [["denied", 1000]], stands: 1000 },
    move: [[1000, "429", "denied"]],
  },
  "is to be moved as far as the new rows of its bill did not bring it there": {
    ...{ raised: 3, postings: [posting(2), posting(4, { part: 2, cleared: { d: 300 } })] },
    ...{ stands: 300, open: 1000, move: [[-700, "429", "raised"]] },
  },
  "stays where it is when it was raised in time, and a part of it was posted": {
    ...{ postings: [posting(2, { cleared: { d: 300 } })], stands: 300, open: 300 },
  },
  "stays on the account of GST when it is GST, whenever it is raised": {
    ...{ raised: 3, verdict: "wrong-gst", postings: [posting(2)], stands: 0 },
  },
  "stands there when its bill is written again after it was moved there": {
    ...{ raised: 3, postings: [posting(2), posting(5)], moves: [move(-1000)], stands: 1000, open: 1000 },
  },
  "is to be moved back when it is denied after that": {
    ...{ raised: 3, postings: [posting(2), posting(5)], moves: [move(-1000)], steps: [["denied", 1000]] },
    ...{ stands: 1000, move: [[1000, "429", "denied"]] },
  },
  "stands there when the posting is taken back after it was moved there": {
    ...{ raised: 3, postings: [posting(2), posting(5, { undone: "no" })], moves: [move(-1000)] },
    ...{ stands: 1000, open: 1000 },
  },
  "comes with its bill when only its credit is posted": {
    steps: [["credited", 1000, "c"]],
    postings: [CLEARED, posting(3, { undone: "no" }), ofCredit(4, "c", 1000)],
    ...{ stands: -1000, coming: -1000 },
  },
}

describe("what is disputed", () => {
  it.each(Object.entries(CASES))("%s", (_, {
    raised = 1,
    verdict = "over",
    steps = [],
    postings = [CLEARED],
    moves = [],
    ...expected
  }) => {
    const account = new ClearingAccount(listActive(postings), moves)
    const disputeBalance = toDisputeBalance(
      { ...DISPUTE, verdict, at: at(raised) },
      steps.map((row, n) => step(row, n)),
    )
    const { cents, openCents, comingCents, toMove } = account.reckon(disputeBalance, [
      credit("c"),
      credit("e"),
    ])
    expect({
      ...{ stands: cents, open: openCents, coming: comingCents },
      move: toMove.map((each) => [each.cents, each.account, each.why.is]),
    }).toEqual({ open: 0, coming: 0, move: [], ...expected })
    expect(cents).toBe(openCents + comingCents + toMove.reduce((sum, each) => sum + each.cents, 0))
  })

  it.each([
    {
      name: "as it was posted",
      clearedExGst: { d: 1000 },
      stands: 10,
      moved: "AUD 4.00 with GST (AUD 4.00 without it)",
    },
    {
      name: "with GST of 15 %",
      clearedExGst: { d: 870 },
      stands: 8.7,
      moved: "AUD 4.00 with GST (AUD 3.48 without it)",
    },
    {
      name: "at 10 % where an older freight posted it",
      clearedExGst: undefined,
      stands: 9.09,
      moved: "AUD 4.00 with GST",
    },
  ])("is said without GST $name", ({ clearedExGst, stands, moved }) => {
    const accounts = { clearing: "650", own: { d: "429" }, ...(clearedExGst && { clearedExGst }) }
    const account = new ClearingAccount([posting(2, { cleared: { d: 1000 }, accounts })], [])
    const disputeBalance = toDisputeBalance({ ...DISPUTE, gstBasis: "included" }, [step(["denied", 400], 0)])
    const balance = account.reckon(disputeBalance, [])
    expect(toClearingRow(balance).standsExGst).toBe(stands)
    expect(describeToMove([balance])[0]).toContain(`move ${moved} from 650 to 429`)
  })
})
