/** What credits bring back to the clearing account: a row each. Cents; a dispute of 10.00 is posted on day 2. */
import { describe, expect, it } from "vitest"
import { reckonBack } from "../../../src/bills/books/clearing.ts"
import { toReopeningId } from "../../../src/bills/disputes/ids.ts"
import type { Step } from "../../../src/ledger/records/disputes.ts"

type Row = [kind: Step["kind"], amountCents: number, creditId?: string, creditCents?: number]

function step(day: number, [kind, amountCents, creditId, creditCents = amountCents]: Row): Step {
  const at = `2026-11-0${day}T00:00:00.000Z`
  return {
    ...{ id: `${day}`, disputeId: "d", kind, amountCents, day: at.slice(0, 10), at },
    ...{ workstation: "desk", person: "clerk" },
    ...(creditId !== undefined && { creditId, creditCents }),
  }
}

interface Case {
  days: Record<number, Row[]>
  cleared?: number
  /** What is taken back on day 4 is, by a person, what day 3 closed. */
  reopened?: true
  back: Record<string, number>
}

const ROWS: Record<string, Case> = {
  "all of it": { days: { 3: [["credited", 1000, "c"]] }, back: { c: 1000 } },
  "two parts": {
    days: { 3: [["credited", 400, "c"]], 4: [["credited", 600, "e"]] },
    back: { c: 400, e: 600 },
  },
  "nothing of what was paid before": {
    days: { 1: [["credited", 400, "c"]], 3: [["credited", 600, "e"]] },
    cleared: 600,
    back: { e: 600 },
  },
  "nothing of what a person moved away": {
    days: {
      3: [["denied", 1000]],
      4: [
        ["denied", -1000],
        ["credited", 1000, "c"],
      ],
    },
    back: { c: 0 },
  },
  "what a person moved away, and back when the dispute was reopened": {
    days: { 3: [["denied", 400]], 4: [["denied", -400]], 5: [["credited", 1000, "c"]] },
    reopened: true,
    back: { c: 1000 },
  },
  "what a corrected credit leaves": {
    days: { 3: [["credited", 1000, "c"]], 4: [["credited", -700, "c"]], 5: [["credited", 700, "e"]] },
    back: { c: 300, e: 700 },
  },
  "on the credit's own basis": {
    days: { 3: [["credited", 1100, "c", 1000]] },
    cleared: 550,
    back: { c: 500 },
  },
}

describe("a credit brings back", () => {
  it.each(Object.entries(ROWS))("%s", (_, { days, cleared = 1000, reopened, back }) => {
    const steps = Object.entries(days)
      .flatMap(([day, rows]) => rows.map((row) => step(Number(day), row)))
      .map((each) => (reopened && each.amountCents < 0 ? { ...each, id: toReopeningId("3") } : each))
    const reckoned = reckonBack({ cents: cleared, at: "2026-11-02T00:00:00.000Z" }, steps)
    expect(Object.fromEntries(reckoned)).toEqual(back)
  })
})
