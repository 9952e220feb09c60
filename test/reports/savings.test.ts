/** The cost of each way to choose, on both databases. One of the three offers is billed far more than it quotes. */
import { describe, expect, it } from "vitest"
import { reportSavings } from "../../src/reports/savings.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { JOURNEYS } from "../../src/ledger/records/journeys.ts"
import { rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import { createJudge } from "../../src/orders/booking/in-time.ts"
import { formatComparedRates, readComparedRates } from "../../src/orders/booking/compared-rates.ts"
import { rateRows } from "../../src/orders/booking/rates.ts"
import { connectTo, newDatabase, SERVER } from "../ledger/postgres.ts"
import { entry, ledgerFileIn, openFile, put, SCOPE, storeIn, temporaryDir } from "../ledger/setup.ts"
import { booking } from "../sandbox/requests.ts"

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

/** Cents with GST; STD quotes least, and is billed 1.5 of it. */
const OFFERS = { STD: [1000, 4], GEN: [1200, 3], EXP: [2000, 1] } as const
type Service = keyof typeof OFFERS

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const START = Date.parse("2026-08-03T00:00:00Z")
const DAY = 86_400_000
const SPAN = { scopes: [SCOPE], since: START, until: START + 120 * DAY }

interface Booked {
  at: number
  serviceCode: Service
  billedBy?: number
  daysLate?: number
  isKept?: boolean
}

async function book(database: Database, booked: readonly Booked[]): Promise<void> {
  const lookedAt = "2026-11-20T00:00:00.000Z"
  await put(
    storeIn(database),
    ...booked.map(({ at, serviceCode, isKept = true }, n) => {
      const [cents, days] = OFFERS[serviceCode]
      const services = Object.entries(OFFERS).map(([code, offer]) => [code, ...offer])
      return entry({
        key: `order ${n}`,
        state: "done",
        sentAt: `${dayOf(at)}T00:00:00.000Z`,
        facts: {
          ...{ connectorId: "b", carrier: "B", serviceCode },
          ...{ shipmentId: `shp-${n}`, consignmentNumber: `C${n}`, currency: "AUD", gstBasis: "excluded" },
          ...{
            priceCents: Math.round(cents / 1.1),
            priceIncGstCents: cents,
            eta: `${dayOf(at + days * DAY)}T17:00:00`,
          },
          ...{ receiverState: "WA", receiverPostcode: "6160", receiverSuburb: "Fremantle" },
          ...(isKept && { offers: JSON.stringify([dayOf(at), ["b", "B", ...services]]) }),
        },
      })
    }),
  )
  await database.run("update sends set request = ?", [JSON.stringify(booking())])
  await database.transaction(async (transaction) => {
    const journeys = booked.flatMap(({ at, serviceCode, daysLate }, n) => {
      const due = at + (OFFERS[serviceCode][1] + (daysLate ?? 0)) * DAY
      const deliveredAt = `${dayOf(due)}T04:00:00.000Z`
      const known = {
        scope: SCOPE,
        consignmentNumber: `C${n}`,
        events: 1,
        hasLabel: true,
        isCancelled: false,
      }
      return daysLate === undefined ? [] : [JOURNEYS.write({ ...known, lookedAt, deliveredAt })]
    })
    await insertRows(transaction, "journeys", journeys)
    const bill = { id: "B-1", scope: SCOPE, supplier: "B", number: "B-1", date: "2026-11-24", file: "b.csv" }
    await rememberBills(transaction, [
      {
        ...bill,
        ...{ amountCents: 1, gstCents: 1, gstBasis: "excluded", auditedAt: lookedAt },
        ...{ workstation: "desk", person: "ann" },
      },
    ])
    await rememberBilled(
      transaction,
      booked.flatMap(({ serviceCode, billedBy }, n) => {
        if (billedBy === undefined) return []
        const incGst = Math.round(OFFERS[serviceCode][0] * billedBy)
        return [
          {
            ...{
              billId: "B-1",
              consignment: `C${n}`,
              shipmentId: `shp-${n}`,
              exGst: null,
              gst: null,
              incGst,
            },
            ...{ unspecifiedGstCents: null, charges: ["freight" as const], verdict: "ok", disputedCents: 0 },
          },
        ]
      }),
    )
  })
}

describe.each(DATABASES)("what other choices would have cost, on %s", (_, isThere, open) => {
  it.runIf(isThere)("goes by bills and deliveries, and by estimates where they were not taken", async () => {
    const database = await open()
    await book(database, [
      // Three weeks of the cheapest, a quarter of it late by two days; then what those weeks teach.
      ...Array.from({ length: 40 }, (__, n) => ({
        ...{ at: START + (n % 20) * DAY, serviceCode: "STD" as const },
        ...{ billedBy: 1.5, daysLate: n % 4 === 0 ? 2 : 0 },
      })),
      ...Array.from({ length: 10 }, (__, n) => ({
        ...{ at: START + (60 + n) * DAY, serviceCode: "GEN" as const, billedBy: 1, daysLate: 0 },
      })),
      { at: START + 70 * DAY, serviceCode: "EXP" },
      { at: START + 70 * DAY, serviceCode: "EXP", isKept: false },
    ])
    const { rows, known } = await reportSavings({ database }, SPAN, 180)
    expect(known).toEqual({ compared: 51, notKept: 1, unpriced: 0 })
    const rest = { bookings: 51 }
    expect(rows).toEqual([
      {
        ...{ way: "as taken", ...rest, same: 51, amount: 40 * 15 + 10 * 12 + 20, saved: 0 },
        ...{ billed: 50, estimated: 0, quoted: 1, judged: 50, onTimePercent: 80 },
        days: Math.round(((40 * 4 + 10 * 2 + 30 + 1) * 10) / 51) / 10,
      },
      {
        ...{ way: "cheapest", ...rest, same: 40, amount: 51 * 15, saved: 740 - 765 },
        ...{ billed: 40, estimated: 11, quoted: 0, judged: 51, onTimePercent: 75, days: 4.5 },
      },
      {
        ...{ way: "fastest", ...rest, same: 1, amount: 51 * 20, saved: 740 - 1020 },
        ...{ billed: 0, estimated: 0, quoted: 51, judged: 0, onTimePercent: null, days: 1 },
      },
      {
        // In the first weeks it has no evidence, and goes by the quotes.
        ...{ way: "best-value", ...rest },
        ...{ same: expect.any(Number), amount: expect.any(Number), saved: expect.any(Number) },
        ...{ billed: expect.any(Number), estimated: 0, quoted: expect.any(Number) },
        ...{ judged: expect.any(Number), onTimePercent: expect.any(Number), days: expect.any(Number) },
      },
    ])
    const best = rows.at(-1)
    expect(best?.billed).toBeGreaterThanOrEqual(30)
    expect(best?.amount).toBeLessThan(rows[0]?.amount ?? 0)
    const last = { ...SPAN, since: START + 60 * DAY }
    const later = await reportSavings({ database }, last, 180)
    expect(later.rows.at(-1)).toMatchObject({ bookings: 11, same: 10, amount: 11 * 12, saved: 8 })
  })
})

describe("a rate that was too late for its day", () => {
  const date = "2026-08-03"
  const now = Date.parse("2026-08-03T05:30:00Z")
  const judge = createJudge({ collectionDateTime: date, sender: { suburb: "Alexandria", state: "NSW" } }, now)
  const describeAll = (...rates: object[]) => {
    const reply = { quoteId: "q", results: [{ connectorId: "b", carrier: "B", success: true, rates }] }
    return formatComparedRates(rateRows(reply as never, judge), date) ?? ""
  }
  const rate = (serviceCode: string, priceIncGst: number, transitDays: number, bookingCutoff?: string) => ({
    ...{ serviceCode, price: priceIncGst / 1.1, priceIncGst, transitDays, currency: "AUD" },
    ...(bookingCutoff && { bookingCutoff }),
  })
  /** GEN is the cheapest and was to be booked by 15:00: it is 15:30. */
  const OFFERED = describeAll(
    rate("GEN", 12, 1, "15:00:00"),
    rate("EXP", 20, 3),
    rate("PRM", 30, 2, "16:00:00"),
  )

  it("is kept as that, and any other as before", () => {
    expect(readComparedRates(OFFERED)?.map(({ serviceCode, isLate }) => [serviceCode, isLate])).toEqual([
      ["GEN", true],
      ["EXP", false],
      ["PRM", false],
    ])
    expect(JSON.parse(describeAll(rate("EXP", 20, 3)))).toEqual([date, ["b", "B", ["EXP", 2000, 3]]])
  })

  it("is taken by the cheapest only: the fastest and the best value take what is in time first", async () => {
    const database = await openFile(ledgerFileIn(temporaryDir()))
    const facts = {
      ...{ connectorId: "b", carrier: "B", serviceCode: "EXP", shipmentId: "shp-1", consignmentNumber: "C1" },
      ...{ currency: "AUD", gstBasis: "excluded" as const, priceCents: 1818, priceIncGstCents: 2000 },
      ...{ eta: "2026-08-06T17:00:00", offers: OFFERED },
      ...{ receiverState: "WA", receiverPostcode: "6160", receiverSuburb: "Fremantle" },
    }
    await put(
      storeIn(database),
      entry({ key: "order 1", state: "done", sentAt: `${date}T05:30:00.000Z`, facts }),
    )
    await database.run("update sends set request = ?", [JSON.stringify(booking())])
    const { rows } = await reportSavings({ database }, SPAN, 180)
    expect(Object.fromEntries(rows.map(({ way, amount: cost }) => [way, cost]))).toEqual({
      "as taken": 20,
      cheapest: 12,
      fastest: 30,
      "best-value": 20,
    })
  })
})

describe("offers that the ledger has", () => {
  it.each([
    "",
    "null",
    "{}",
    '["2026-13-01"]',
    '["2026-11-25", 1]',
    '["2026-11-25", ["a", "A", ["76", "x", 1]]]',
  ])("are none where they are damaged: %s", (text) => expect(readComparedRates(text)).toBeUndefined())
})
