import { describe, expect, it } from "vitest"
import type { Facts } from "../../src/ledger/entry.ts"
import type { Journey } from "../../src/ledger/records/journeys.ts"
import { rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import type { Row } from "../../src/ledger/database/columns.ts"
import { JOURNEYS } from "../../src/ledger/records/journeys.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { findMedian, readJourneys, reportCarriers } from "../../src/reports/carriers.ts"
import { entry, ledgerFileIn, openFile, put, request, SCOPE, storeIn, temporaryDir } from "../ledger/setup.ts"

interface Booked {
  journey: Partial<Journey> | undefined
  facts: Facts
  overbilledCents?: number | undefined
}

/** Collected in Sydney on 23 November, promised in Perth for the 27th. */
const booked = (journey: Partial<Journey> | undefined, facts: Facts = {}): Booked => ({
  journey,
  facts: {
    carrier: "CARRIER_A_AU",
    serviceCode: "76",
    eta: "2026-11-27T17:00:00",
    receiverState: "WA",
    priceCents: 1000,
    gstBasis: "excluded",
    currency: "AUD",
    weightGrams: 3000,
    ...facts,
  },
})

const BILL = {
  ...{ id: "bill", scope: SCOPE, supplier: "A", number: "1", date: "2026-11-30", file: "bill.csv" },
  ...{ amountCents: 0, gstCents: null, gstBasis: "excluded" as const, auditedAt: "2026-12-01T00:00:00.000Z" },
  ...{ workstation: "desk", person: "" },
}
const CHARGED = {
  exGst: 0,
  gst: null,
  incGst: null,
  unspecifiedGstCents: null,
  charges: [],
  verdict: "agrees",
}

/** The report of a ledger with these bookings. */
async function report(...bookings: Booked[]) {
  const database = openFile(ledgerFileIn(temporaryDir()))
  const store = storeIn(database)
  const numbers = bookings.map((_, n) => `C${n}`)
  await put(
    store,
    ...bookings.map(({ facts }, n) =>
      entry({ key: `key:${n}`, state: "done", request, facts: { consignmentNumber: `C${n}`, ...facts } }),
    ),
  )
  const journeys = bookings.flatMap(({ journey }, n): Row[] => {
    if (!journey) return []
    const seen = { consignmentNumber: numbers[n] ?? "", events: 3, lookedAt: "2026-11-28T00:00:00.000Z" }
    return [JOURNEYS.write({ scope: SCOPE, isCancelled: false, hasLabel: false, ...seen, ...journey })]
  })
  const charged = bookings.flatMap(({ overbilledCents: disputedCents }, n) =>
    disputedCents === undefined
      ? []
      : { ...CHARGED, billId: BILL.id, consignment: numbers[n] ?? "", shipmentId: undefined, disputedCents },
  )
  await database.transaction(async (transaction) => {
    if (journeys.length > 0) await insertRows(transaction, "journeys", journeys)
    if (charged.length === 0) return
    await rememberBills(transaction, [BILL])
    await rememberBilled(transaction, charged)
  })
  const span = { scopes: [SCOPE], since: 0, until: Date.parse("2027-01-01") }
  return reportCarriers(readJourneys(store, span))
}

describe("on time", () => {
  it.each([
    [
      "before the day ends at the receiver, though it is the next in Sydney",
      { deliveredAt: "2026-11-27T15:00:00.000Z" },
      1,
      1,
    ],
    ["a day late at the receiver", { deliveredAt: "2026-11-27T16:30:00.000Z" }, 1, 0],
    ["not delivered when it was looked for after the day", { lookedAt: "2026-11-28T00:00:00.000Z" }, 1, 0],
    ["not delivered when it was looked for on the day", { lookedAt: "2026-11-27T10:00:00.000Z" }, 0, 0],
    ["never looked for", undefined, 0, 0],
    [
      "at a time that cannot be read",
      { deliveredAt: "yesterday", lookedAt: "2026-11-27T10:00:00.000Z" },
      0,
      0,
    ],
  ])("is what was delivered %s", async (_, changes, judged, onTime) => {
    const { rows, known } = await report(booked(changes))
    expect(rows).toMatchObject([{ judged, onTime, onTimePercent: judged === 0 ? null : onTime * 100 }])
    expect(known).toMatchObject({ judged, onTime, promised: 1 })
  })

  it("is not judged without a promise, nor by a carrier's words", async () => {
    const { rows } = await report(booked({ deliveredAt: "2026-11-24T00:00:00.000Z" }, { eta: undefined }))
    expect(rows).toMatchObject([{ judged: 0, onTime: 0, daysTaken: 1, daysPromised: null }])
    expect((await report(booked({ status: "Delivered" }))).known.delivered).toBe(0)
  })

  it("goes by the clock of a suburb that has another one than its state, on either side of a change of clocks", async () => {
    const island = (eta: string, deliveredAt: string) =>
      booked({ deliveredAt }, { eta, receiverState: "NSW", receiverSuburb: "Lord Howe Island" })
    const onTime = async (one: Booked) => (await report(one)).rows[0]?.onTime
    expect(await onTime(island("2026-11-27", "2026-11-27T12:59:00.000Z"))).toBe(1)
    expect(await onTime(island("2026-11-27", "2026-11-27T13:00:00.000Z"))).toBe(0)
    expect(await onTime(island("2026-12-27", "2027-06-27T13:29:00.000Z"))).toBe(0)
    expect((await report(island("2026-12-27", "2027-06-01T13:29:00.000Z"))).rows[0]?.daysTaken).toBe(190)
    expect((await report(island("2026-12-27", "2027-06-01T13:30:00.000Z"))).rows[0]?.daysTaken).toBe(191)
  })

  it("is rounded down: 199 of 200 are not all", async () => {
    const late = booked({ deliveredAt: "2026-11-29T00:00:00.000Z" })
    const good = booked({ deliveredAt: "2026-11-26T00:00:00.000Z" })
    const { rows } = await report(late, ...Array.from({ length: 199 }, () => good))
    expect(rows[0]?.onTimePercent).toBe(99)
  })
})

describe("prices", () => {
  it("on different GST bases stand in rows of their own, and so does what has none", async () => {
    const { rows } = await report(
      booked(undefined),
      booked(undefined, { priceCents: 1001 }),
      booked(undefined, { gstBasis: "included" }),
      booked(undefined, { priceCents: undefined, gstBasis: undefined }),
    )
    expect(
      rows.map(({ gstBasis, priced, pricePerConsignment, pricePerKg }) => [
        gstBasis,
        priced,
        pricePerConsignment,
        pricePerKg,
      ]),
    ).toEqual([
      [null, 0, null, null],
      ["excluded", 2, 10.01, 3.34],
      ["included", 1, 10, 3.33],
    ])
  })
})

it("overbilled amounts are added up, and are null where no bill was audited", async () => {
  const bills = (...overbilled: (number | undefined)[]) =>
    report(...overbilled.map((overbilledCents) => ({ ...booked(undefined), overbilledCents })))
  expect((await bills(1000, 234, 0, undefined)).rows).toMatchObject([{ billed: 3, overbilled: 12.34 }])
  expect((await bills(undefined)).rows).toMatchObject([{ billed: 0, overbilled: null }])
})

describe("findMedian", () => {
  it.each([
    [[], null],
    [[4], 4],
    [[1, 2, 9], 2],
    [[1, 2, 3, 9], 2.5],
    [[2, 2, 2, 7, 7], 2],
    [[-1, 5], 2],
  ])("%j is %s", (values: number[], median) => {
    const days = new Map<number, number>()
    for (const value of values) days.set(value, (days.get(value) ?? 0) + 1)
    expect(findMedian(days)).toBe(median)
  })
})
