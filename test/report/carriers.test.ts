import { describe, expect, it } from "vitest"
import type { Journey } from "../../src/ledger/records/journeys.ts"
import { findMedian, reportCarriers } from "../../src/report/carriers.ts"
import type { Reported } from "../../src/report/read.ts"
import { entry, request } from "../ledger/samples.ts"

const journey = (changes: Partial<Journey> = {}): Journey => ({
  consignmentNumber: "C1",
  events: 3,
  isCancelled: false,
  hasLabel: false,
  lookedAt: "2026-11-28T00:00:00.000Z",
  ...changes,
})

/** Collected in Sydney on 23 November, promised in Perth for the 27th. */
const booked = (changes: Partial<Journey> | undefined, facts = {}): Reported => ({
  entry: entry({
    state: "done",
    request,
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
  }),
  journey: changes && journey(changes),
  overbilledCents: undefined,
})

const report = async (...rows: Reported[]) =>
  reportCarriers(
    (async function* () {
      yield rows
    })(),
  )

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
      ["", 0, null, null],
      ["excluded", 2, 10.01, 3.34],
      ["included", 1, 10, 3.33],
    ])
  })
})

it("what was billed too much is added up, and is nothing known where no bill was audited", async () => {
  const bills = (...overbilled: (number | undefined)[]) =>
    report(...overbilled.map((overbilledCents) => ({ ...booked(undefined), overbilledCents })))
  expect((await bills(1000, 234, 0, undefined)).rows).toMatchObject([{ billed: 3, overbilled: 12.34 }])
  expect((await bills(undefined)).rows).toMatchObject([{ billed: 0, overbilled: null }])
})

it("groups are all that is held, however many bookings there are", async () => {
  const page = Array.from({ length: 500 }, (_, at) =>
    booked({ deliveredAt: `2026-11-${24 + (at % 5)}T00:00:00.000Z` }),
  )
  const { rows, known } = await reportCarriers(
    (async function* () {
      for (let pages = 0; pages < 40; pages++) yield page
    })(),
  )
  expect(rows).toHaveLength(1)
  expect(known.consignments).toBe(20_000)
  expect(rows[0]?.daysTaken).toBe(3)
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
