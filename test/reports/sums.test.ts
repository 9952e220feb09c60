/** Totals from the database equal a plain sum over all bookings, to the cent. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { Entry, Facts } from "../../src/ledger/entry.ts"
import { getAmount, type Money } from "../../src/bills/money.ts"
import { stateCode } from "../../src/contract/zones.ts"
import { type RememberedBill, rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import { rememberUpdates } from "../../src/ledger/records/journeys.ts"
import { reportSpend } from "../../src/reports/spend.ts"
import { sumHistory } from "../../src/reports/spend-by.ts"
import { readJourneys, reportCarriers } from "../../src/reports/carriers.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import { entry, ledgerFileIn, openFile, put, SCOPE, storeIn, temporaryDir } from "../ledger/setup.ts"

const KINDS = [
  { name: "SQLite", isThere: true, open: async () => openFile(ledgerFileIn(temporaryDir())) },
  { name: "PostgreSQL", isThere: SERVER !== undefined, open: async () => connectTo(await newDatabase()) },
]

const OTHER_SCOPE = "freight:another"
const SINCE = Date.parse("2026-03-20T00:00:00Z")
const UNTIL = Date.parse("2026-06-10T00:00:00Z")
/** References of one prefix, with what PostgreSQL cannot hold in a text. */
const REQUESTS = [
  { collection: { state: "NSW" }, sender: { state: "VIC" }, collectionDateTime: "2026-03-01T10:00:00" },
  { sender: { state: "qld" }, specialInstructions: "\0 \ud800 \\u0000" },
  null,
]

const bookings = fc.array(
  fc.record({
    at: fc.integer({ min: Date.parse("2026-03-01T00:00:00Z"), max: Date.parse("2026-07-01T00:00:00Z") }),
    scope: fc.constantFrom(SCOPE, SCOPE, OTHER_SCOPE),
    kind: fc.constantFrom("shipment", "shipment", "pickup"),
    state: fc.constantFrom("done", "done", "unknown", "refused"),
    workstation: fc.constantFrom("desk-1", "desk-2"),
    request: fc.constantFrom(...REQUESTS),
    isCancelled: fc.boolean(),
    facts: fc.record<Facts>({
      carrier: fc.constantFrom("A", "B", undefined),
      serviceCode: fc.constantFrom("76", "GEN", undefined),
      receiverState: fc.constantFrom("WA", "NSW", undefined),
      reference: fc.constantFrom("PO-1001", "PO1002", "SÖ-7", "1003", undefined),
      priceCents: fc.option(fc.integer({ min: 0, max: 900_000_000 }), { nil: undefined }),
      gstBasis: fc.constantFrom("excluded", "included", "unknown", undefined),
      currency: fc.constantFrom("AUD", "NZD", undefined),
      weightGrams: fc.option(fc.integer({ min: 0, max: 2_000_000 }), { nil: undefined }),
      own: fc.constantFrom(undefined, {}, { costCentre: "Sales" }, { costCentre: 'Lager \u00fc "2"' }),
    }),
  }),
  { minLength: 1, maxLength: 80 },
)

interface Place {
  state?: string
}

const GROUPS: Record<Parameters<typeof reportSpend>[2], (entry: Entry) => string> = {
  day: ({ sentAt }) => toDay(sentAt),
  week: ({ sentAt }) => {
    const at = Date.parse(sentAt)
    const days = [0, 1, 2, 3, 4, 5, 6].map((back) => wallClockNow(at - back * 86_400_000))
    const monday = days.find(
      ({ year, month, day }) => new Date(Date.UTC(year, month - 1, day)).getUTCDay() === 1,
    )
    return monday ? formatDate(monday) : ""
  },
  month: ({ sentAt }) => toDay(sentAt).slice(0, 7),
  carrier: ({ facts }) => facts.carrier ?? "",
  service: ({ facts }) => `${facts.carrier ?? ""} ${facts.serviceCode ?? ""}`.trim(),
  state: ({ facts }) => facts.receiverState ?? "",
  workstation: ({ sender }) => sender.workstation,
  "cost-centre": ({ facts: { own } }) => String(own?.costCentre ?? ""),
  account: ({ scope }) => scope,
  lane: ({ request: sent, facts }) => {
    const { collection, sender } = Object(sent) as { collection?: Place; sender?: Place }
    const toCode = (state: string | undefined) => stateCode(state ?? "") ?? "?"
    return `${toCode(collection?.state ?? sender?.state)} → ${toCode(facts.receiverState)}`
  },
  "reference-prefix": ({ facts: { reference = "" } }) => reference.replace(/[-\d].*/, ""),
}

function toDay(instant: string): string {
  return formatDate(wallClockNow(Date.parse(instant)))
}

/** Cents, grams, bookings and bookings without a price, by what they have in common. */
function addPlainly(entries: readonly Entry[], keyOf: (entry: Entry) => string): Record<string, number[]> {
  const sums: Record<string, number[]> = {}
  for (const each of entries) {
    const [cents = 0, grams = 0, count = 0, unpriced = 0] = sums[keyOf(each)] ?? []
    const { priceCents, weightGrams = 0 } = each.facts
    const isUnpriced = priceCents === undefined ? 1 : 0
    sums[keyOf(each)] = [cents + (priceCents ?? 0), grams + weightGrams, count + 1, unpriced + isUnpriced]
  }
  return sums
}

async function fill(database: Database, given: typeof bookings extends fc.Arbitrary<infer T> ? T : never) {
  for (const table of ["sends", "journeys"]) await database.run(`delete from ${table}`)
  const store = storeIn(database)
  const entries = given.map(({ at, scope, kind, state, workstation, request, facts }, n) =>
    entry({
      ...{ id: `entry-${n}`, key: `key:${n}`, content: `content ${n}`, kind: kind as Entry["kind"] },
      ...{ scope, state: state as Entry["state"], request, sentAt: new Date(at).toISOString() },
      sender: { workstation, person: "" },
      facts: { ...facts, shipmentId: `shipment-${n}`, consignmentNumber: `C${n}` },
    }),
  )
  await put(store, ...entries)
  const cancelled = given.flatMap(({ isCancelled }, n) =>
    isCancelled ? [{ consignmentNumber: `C${n}`, isCancelled }] : [],
  )
  await rememberUpdates(store.database, cancelled, {
    scopes: [SCOPE, OTHER_SCOPE],
    scope: undefined,
    now: UNTIL,
  })
  const isCancelled = new Set(cancelled.map(({ consignmentNumber }) => consignmentNumber))
  const stand = entries.filter(({ kind, state }) => kind === "shipment" && state === "done")
  return { store, stand, isCancelled: ({ facts }: Entry) => isCancelled.has(facts.consignmentNumber ?? "") }
}

/** A bill's charges in cents, in each way in which bills state GST, and credits. */
const CHARGES: readonly Money[] = [
  { exGst: 1005, gst: null, incGst: null, unspecifiedGstCents: null },
  { exGst: -1005, gst: null, incGst: null, unspecifiedGstCents: null },
  { exGst: 1865, gst: 187, incGst: 2052, unspecifiedGstCents: null },
  { exGst: null, gst: null, incGst: 1099, unspecifiedGstCents: null },
  { exGst: null, gst: null, incGst: -1099, unspecifiedGstCents: null },
  { exGst: null, gst: 50, incGst: 550, unspecifiedGstCents: null },
  { exGst: 700, gst: 0, incGst: 700, unspecifiedGstCents: null },
  { exGst: null, gst: null, incGst: null, unspecifiedGstCents: 321 },
]

async function bill(database: Database, entries: readonly Entry[], picks: readonly number[]) {
  for (const table of ["bills", "billed"]) await database.run(`delete from ${table}`)
  const charged = entries.map((each, at) => ({ each, money: CHARGES[picks[at % picks.length] ?? -1] }))
  const audited = (id: string, at: number): RememberedBill => ({
    ...{ id, scope: SCOPE, supplier: "Carrier A", number: "B-1", date: "2026-11-24", file: "b.csv" },
    ...{ amountCents: 0, gstCents: null, gstBasis: "excluded", workstation: "desk", person: "" },
    auditedAt: new Date(at).toISOString(),
  })
  await database.transaction(async (transaction) => {
    await rememberBills(transaction, [audited("b", UNTIL), audited("earlier", UNTIL - 1)])
    // The same bill as it was audited first: what it says of these by now counts.
    await rememberBilled(
      transaction,
      charged.flatMap(({ each: { facts }, money }) =>
        money
          ? {
              ...{ billId: "earlier", consignment: facts.consignmentNumber ?? "", charges: [] },
              ...{ exGst: 4711, gst: 471, incGst: 5182, unspecifiedGstCents: null },
              ...{ shipmentId: facts.shipmentId, verdict: "agrees", disputedCents: 0 },
            }
          : [],
      ),
    )
    await rememberBilled(
      transaction,
      charged.flatMap(({ each: { facts }, money }, at) =>
        money
          ? {
              ...{ billId: "b", consignment: facts.consignmentNumber ?? "", charges: [], ...money },
              ...{ shipmentId: at % 2 === 0 ? facts.shipmentId : undefined, verdict: "agrees" },
              disputedCents: 0,
            }
          : [],
      ),
    )
  })
  return charged.flatMap(({ each, money }) => (money ? [{ each, money }] : []))
}

/** The sum of charges without GST, its GST, and the sum of charges that do not state GST, in cents. */
function addCharged(charged: readonly { money: Money }[]): readonly [number, number, number] {
  const known = charged.filter(({ money }) => money.unspecifiedGstCents === null)
  const exGst = known.reduce((sum, { money }) => sum + getAmount("excluded", money), 0)
  const incGst = known.reduce((sum, { money }) => sum + getAmount("included", money), 0)
  return [
    exGst,
    incGst - exGst,
    charged.reduce((sum, { money }) => sum + (money.unspecifiedGstCents ?? 0), 0),
  ]
}

describe.each(KINDS)("$name", ({ isThere, open }) => {
  it.runIf(isThere)(
    "adds up what bills charge, with GST apart, to the same cent over every cut",
    async () => {
      const database = await open()
      const ofPicks = fc.array(fc.integer({ min: -3, max: CHARGES.length - 1 }), {
        minLength: 1,
        maxLength: 12,
      })
      const reads = fc.asyncProperty(bookings, ofPicks, async (given, picks) => {
        const { store, stand, isCancelled } = await fill(database, given)
        const charged = await bill(database, stand, picks)
        const inSpan = ({ sentAt }: Entry) => Date.parse(sentAt) >= SINCE && Date.parse(sentAt) < UNTIL
        const counts = charged.filter(({ each }) => inSpan(each) && !isCancelled(each))
        const [exGst, gst, unspecifiedGstCents] = addCharged(counts)
        const cancelled = charged.filter(({ each }) => inSpan(each) && isCancelled(each))
        for (const by of Object.keys(GROUPS) as (keyof typeof GROUPS)[]) {
          const span = { scopes: undefined, since: SINCE, until: UNTIL }
          const { rows, billedCancelled: of } = await reportSpend(store, span, by)
          expect([of.billed, of.exGst, of.gst, of.unspecifiedGstCents], by).toEqual([
            cancelled.length,
            ...addCharged(cancelled),
          ])
          const add = (key: "billedAmount" | "billedGst" | "billedUnsaid" | "billed" | "unbilled") =>
            rows.reduce(
              (sum, row) =>
                sum + Math.round(row[key] * (key.startsWith("billed") && key !== "billed" ? 100 : 1)),
              0,
            )
          expect([add("billedAmount"), add("billedGst"), add("billedUnsaid")], by).toEqual([
            exGst,
            gst,
            unspecifiedGstCents,
          ])
          expect([add("billed"), add("unbilled")], by).toEqual([
            counts.length,
            stand.filter((each) => inSpan(each) && !isCancelled(each)).length - counts.length,
          ])
          const quoted = (key: "amount" | "unbilledAmount") =>
            rows.reduce((sum, row) => sum + Math.round(row[key] * 100), 0)
          const ofBilled = counts.reduce((sum, { each }) => sum + (each.facts.priceCents ?? 0), 0)
          expect(quoted("amount") - quoted("unbilledAmount"), by).toBe(ofBilled)
        }
      })
      await fc.assert(reads, { numRuns: 12 })
    },
  )

  it.runIf(isThere)("adds up what a plain sum does", async () => {
    const database = await open()
    const basisOf = ({ facts: { priceCents, currency = "AUD", gstBasis = "unknown" } }: Entry) =>
      priceCents === undefined ? [null, null] : [currency, gstBasis]
    const ofAccount = fc.constantFrom<readonly string[] | undefined>(undefined, [SCOPE], [SCOPE, OTHER_SCOPE])
    const reads = fc.asyncProperty(bookings, ofAccount, async (given, scopes) => {
      const { store, stand, isCancelled } = await fill(database, given)
      const inAccount = stand.filter(({ scope }) => scopes?.includes(scope) ?? true)
      const inSpan = inAccount.filter(
        ({ sentAt }) => Date.parse(sentAt) >= SINCE && Date.parse(sentAt) < UNTIL,
      )
      const counted = inSpan.filter((each) => !isCancelled(each))
      const span = { scopes, since: SINCE, until: UNTIL }
      for (const [by, toGroup] of Object.entries(GROUPS) as [
        keyof typeof GROUPS,
        (entry: Entry) => string,
      ][]) {
        const { rows, known } = await reportSpend(store, span, by)
        const sums = rows.map(
          ({ group, currency, gstBasis, amount: total, weightKg, bookings: count, unpriced }) => [
            JSON.stringify([group, currency, gstBasis]),
            [Math.round(total * 100), Math.round(weightKg * 1000), count, unpriced],
          ],
        )
        const plain = addPlainly(counted, (each) => JSON.stringify([toGroup(each) || null, ...basisOf(each)]))
        expect(Object.fromEntries(sums), by).toEqual(plain)
        expect(known.cancelled).toBe(inSpan.length - counted.length)
        const ofHistory = await sumHistory(store, { scopes, since: new Date(SINCE).toISOString() }, by)
        const sinceThen = inAccount.filter(({ sentAt }) => Date.parse(sentAt) >= SINCE)
        const plainHistory = addPlainly(sinceThen, (each) =>
          JSON.stringify([toGroup(each), each.facts.currency ?? "AUD"]),
        )
        expect(
          Object.fromEntries(
            ofHistory.map(({ group, currency, total, bookings: count, unpriced }) => [
              JSON.stringify([group, currency]),
              [Math.round(total * 100), count, unpriced],
            ]),
          ),
        ).toEqual(
          Object.fromEntries(
            Object.entries(plainHistory).map(([key, [cents, , count, unpriced]]) => [
              key,
              [cents, count, unpriced],
            ]),
          ),
        )
      }
      const { rows, known } = await reportCarriers(readJourneys(store, span))
      const ofCarriers = rows.map(
        ({ carrier, serviceCode, lane, currency, gstBasis, consignments, ...row }) => [
          JSON.stringify([carrier, serviceCode, lane, currency, gstBasis]),
          [row.pricePerConsignment, consignments, row.priced],
        ],
      )
      const laneOf = ({ request, facts }: Entry) => {
        const from = request === REQUESTS[0] ? "NSW" : request === REQUESTS[1] ? "QLD" : "?"
        return `${from} → ${facts.receiverState ?? "?"}`
      }
      const plain = addPlainly(counted, (each) => {
        const { carrier = "", serviceCode = "" } = each.facts
        return JSON.stringify([carrier || null, serviceCode || null, laneOf(each), ...basisOf(each)])
      })
      expect(Object.fromEntries(ofCarriers)).toEqual(
        Object.fromEntries(
          Object.entries(plain).map(([key, [cents = 0, , count = 0, unpriced = 0]]) => {
            const priced = count - unpriced
            return [key, [priced === 0 ? null : Math.round(cents / priced) / 100, count, priced]]
          }),
        ),
      )
      expect(known.cancelled).toBe(inSpan.length - counted.length)
    })
    await fc.assert(reads, { numRuns: 15 })
  })

  it.runIf(isThere)("reads a part of the time at once", async () => {
    const database = await open()
    await put(
      storeIn(database),
      ...["2024-01-15", "2026-01-15"].map((day) =>
        entry({ key: `key:${day}`, content: day, state: "done", sentAt: `${day}T00:00:00.000Z` }),
      ),
    )
    const aborted = new Error("Ctrl-C")
    let asked = 0
    const interrupted: Database = {
      ...database,
      all: (...statement) => (++asked > 3 ? Promise.reject(aborted) : database.all(...statement)),
    }
    const span = { scopes: undefined, since: 0, until: UNTIL }
    await expect(reportSpend({ database: interrupted }, span, "carrier")).rejects.toBe(aborted)
    asked = 0
    await expect(reportCarriers(readJourneys({ database: interrupted }, span))).rejects.toBe(aborted)
  })
})
