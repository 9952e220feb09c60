/** An audit reads what its credits name: it pays, takes back and guesses what reading all that is open would. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { getChargedCents } from "../../../src/bills/money.ts"
import { reckonRound, settle, type Writer } from "../../../src/bills/disputes/settle.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import {
  addDisputes,
  addSteps,
  type Credit,
  type Dispute,
  type DisputeBook,
  readDisputes,
  readPayable,
  readUnsettled,
  replaceCredits,
  type Step,
} from "../../../src/bills/records/disputes.ts"
import { connectTo, newDatabase, SERVER } from "../../ledger/postgres.ts"
import { ledgerFileIn, openFile, temporaryDir } from "../../ledger/setup.ts"

const by: Writer = { workstation: "desk-1", person: "ann", day: "2026-11-20", at: "2026-11-20T00:00:00.000Z" }

const oneOf = <T>(...all: readonly T[]) => fc.constantFrom(...all)

const NAMED = {
  supplier: oneOf("Alpha Freight", "Beta Freight"),
  billNumber: oneOf("1001", "1002", ""),
  consignment: oneOf("", "AB-1", "ab 1", "AB2", "AB-3", "AB4", "AB5"),
  shipmentId: oneOf("", "", "shp-1", "shp-2"),
  reference: oneOf("", "", "PO-1", "PO-2"),
  carrier: oneOf("", "CARRIER_A_AU", "CARRIER_B_AU"),
  minute: fc.integer({ min: 0, max: 3 }),
}
const CENTS = oneOf(1000, 1100, 1210, 500)
const BASIS = oneOf<Dispute["gstBasis"]>("excluded", "included", "unknown")

/** Also what two ledgers say that were copied together: more is closed, or used, than there is. */
const BOOK = fc.record({
  disputes: fc.array(fc.record({ ...NAMED, cents: CENTS, basis: BASIS }), { maxLength: 9 }),
  credits: fc.array(fc.record({ ...NAMED, cents: CENTS, basis: BASIS }), { maxLength: 5 }),
  steps: fc.array(
    fc.record({
      of: fc.nat(),
      kind: oneOf<Step["kind"]>("sent", "credited", "credited", "denied", "written-off"),
      part: oneOf(1, 1, 0.5),
      credit: fc.option(fc.nat(), { nil: undefined }),
    }),
    { maxLength: 9 },
  ),
})

type Drawn = typeof BOOK extends fc.Arbitrary<infer Each> ? Each : never

function toBook({ disputes, credits, steps }: Drawn): DisputeBook {
  const written = ({ minute, ...named }: Omit<Drawn["credits"][number], "cents" | "basis">) => ({
    ...{ ...named, billDate: "2026-11-01", file: "bill.csv", workstation: "desk-1", person: "ann" },
    at: `2026-11-1${minute}T00:00:00.000Z`,
  })
  const made = {
    disputes: disputes.map(({ cents, basis, ...named }, at): Dispute => {
      const about = { verdict: "over", why: "", day: "2026-11-10" }
      return { id: `dispute-${at}`, ...written(named), ...about, amountCents: cents, gstBasis: basis }
    }),
    credits: credits.map(({ cents, basis, ...named }, at): Credit => {
      const none = { exGst: null, gst: null, incGst: null, unspecifiedGstCents: null }
      const key = { excluded: "exGst", included: "incGst", unknown: "unspecifiedGstCents" }[basis]
      return { id: `credit-${at}`, ...written(named), ...none, [key]: cents }
    }),
  }
  const writtenSteps = steps.flatMap(({ of, kind, part, credit }, at): Step[] => {
    const dispute = made.disputes[of % (made.disputes.length || 1)]
    if (!dispute) return []
    const amountCents = kind === "sent" ? 0 : Math.round(dispute.amountCents * part)
    const paid = credit === undefined ? undefined : made.credits[credit % (made.credits.length || 1)]
    const isPaid = kind === "credited" && paid !== undefined
    const use = isPaid ? { creditId: paid.id, creditCents: Math.round(getChargedCents(paid) * part) } : {}
    return [{ id: `step-${at}`, disputeId: dispute.id, kind, amountCents, ...by, ...use }]
  })
  return { ...made, steps: writtenSteps }
}

const TABLES = ["disputes", "dispute_steps", "credits"]

async function write(database: Database, { disputes, steps, credits }: DisputeBook): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of TABLES) await transaction.run(`delete from ${table}`)
    await addDisputes(transaction, disputes)
    await addSteps(transaction, steps)
    await replaceCredits(transaction, credits)
  })
}

/** Settles with all that is open. */
function settleAll(database: Database) {
  return database.transaction(async (transaction) => {
    for (;;) {
      const { steps, guesses } = reckonRound(await readUnsettled(transaction), by)
      if (steps.length === 0) return guesses
      await addSteps(transaction, steps)
    }
  })
}

describe.each([
  ["SQLite", true, 300, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, 30, async () => connectTo(await newDatabase())],
] as const)("what credits name, in %s", (_name, isThere, numRuns, open) => {
  it.runIf(isThere)("settles as all that is open does", async () => {
    const database = await open()
    await fc.assert(
      fc.asyncProperty(BOOK, async (drawn) => {
        const book = toBook(drawn)
        const own = new Set(book.credits.filter((_, at) => at % 2 === 0).map(({ id }) => id))
        await write(database, book)
        const all = await settleAll(database)
        const expected = await readDisputes(database)
        await write(database, book)
        const { guesses } = await database.transaction((transaction) => settle(transaction, by, own))
        expect(await readDisputes(database)).toEqual(expected)
        expect(guesses).toEqual(all.filter(({ credit }) => own.has(credit.id)))
      }),
      { seed: 47, numRuns },
    )
  })
})

it("only disputes that a credit names are read", async () => {
  const database = openFile(ledgerFileIn(temporaryDir()))
  const named = { supplier: "Alpha Freight", billNumber: "1001", shipmentId: "", carrier: "", minute: 0 }
  const dispute = (consignment: string, reference = "") =>
    ({ ...named, consignment, reference, cents: 1000, basis: "excluded" }) as const
  const credit = { ...dispute("AB-1", "PO-1"), billNumber: "1002", cents: 2000 } as const
  const disputes = [dispute("ab 1"), dispute("AB-2"), dispute("AB-3", "PO-1"), dispute("AB-4")]
  const read = async (credits: Drawn["credits"]) => {
    await write(database, toBook({ disputes, credits, steps: [] }))
    return (await readPayable(database)).disputes.map(({ consignment }) => consignment)
  }
  expect(await read([])).toEqual([])
  expect(await read([credit])).toEqual(["AB-3", "ab 1"])
})

it("a credit that does not say whether GST is in it is matched by each reading", async () => {
  const database = openFile(ledgerFileIn(temporaryDir()))
  const named = { supplier: "Alpha Freight", billNumber: "1001", shipmentId: "", carrier: "", minute: 0 }
  const one = { ...named, consignment: "AB-1", reference: "", cents: 1100, basis: "included" } as const
  const credit = { ...one, billNumber: "1002", consignment: "AB-2", cents: 1000, basis: "unknown" } as const
  const disputes = [one, { ...one, consignment: "AB-3", cents: 1210 }]
  await write(database, toBook({ disputes, credits: [credit], steps: [] }))
  const { guesses } = await database.transaction((transaction) =>
    settle(transaction, by, new Set(["credit-0"])),
  )
  expect(guesses.map(({ dispute }) => dispute.consignment)).toEqual(["AB-1"])
})
