/** Outcomes of earlier bookings of a lane, as both databases sum them up. */
import { describe, expect, it } from "vitest"
import type { Database } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { JOURNEYS } from "../../src/ledger/records/journeys.ts"
import { rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import { findBillsKept, findOutcomes, type Lane } from "../../src/ledger/records/evidence.ts"
import { booking } from "../sandbox/requests.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { entry, ledgerFileIn, openFile, put, SCOPE, storeIn, temporaryDir } from "./setup.ts"

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

const SERVICE = { carrier: "CARRIER_A_AU", serviceCode: "76" }
const AREA: Lane = { kind: "area", from: "20", to: "61" }
const ALL: Lane = { kind: "all" }
const SINCE = Date.parse("2026-06-01T00:00:00Z")
const UNTIL = Date.parse("2026-11-28T00:00:00Z")

interface Booked {
  day: string
  deliveredAt?: string
  lookedAt?: string
  postcode?: string
  state?: string
  billedCents?: number
  isCancelled?: boolean
  serviceCode?: string
  eta?: string | undefined
}

async function book(database: Database, booked: readonly Booked[]): Promise<void> {
  const store = storeIn(database)
  await put(
    store,
    ...booked.map(({ day, postcode = "6160", state = "WA", serviceCode = "76", ...more }, at) =>
      entry({
        key: `order ${at}`,
        state: "done",
        sentAt: `${day}T00:00:00.000Z`,
        facts: {
          ...{ ...SERVICE, serviceCode, shipmentId: `shp-${at}`, consignmentNumber: `C${at}` },
          ...{ priceCents: 1000, gstBasis: "excluded", priceIncGstCents: 1100, currency: "AUD" },
          ...{ receiverState: state, receiverPostcode: postcode, receiverSuburb: "Fremantle" },
          ...("eta" in more ? {} : { eta: `${day}T17:00:00` }),
        },
      }),
    ),
  )
  await database.run("update sends set request = ?", [JSON.stringify(booking())])
  const lookedAt = "2026-11-20T00:00:00.000Z"
  await database.transaction(async (transaction) => {
    await insertRows(
      transaction,
      "journeys",
      booked.map((each, at) =>
        JOURNEYS.write({
          ...{ scope: SCOPE, consignmentNumber: `C${at}`, events: 1, hasLabel: true },
          isCancelled: each.isCancelled === true,
          lookedAt: each.lookedAt ?? lookedAt,
          ...(each.deliveredAt && { deliveredAt: each.deliveredAt }),
        }),
      ),
    )
    const id = "B-1"
    await rememberBills(transaction, [
      {
        ...{ id, scope: SCOPE, supplier: "Carrier", number: "B-1", date: "2026-11-24", file: "bill.csv" },
        ...{ amountCents: 1, gstCents: 1, gstBasis: "excluded", auditedAt: lookedAt },
        ...{ workstation: "desk", person: "ann" },
      },
    ])
    await rememberBilled(
      transaction,
      booked.flatMap(({ billedCents }, at) =>
        billedCents === undefined
          ? []
          : [
              {
                ...{ billId: id, consignment: `C${at}`, shipmentId: `shp-${at}`, exGst: billedCents },
                ...{
                  gst: null,
                  incGst: null,
                  unspecifiedGstCents: null,
                  charges: ["freight" as const],
                  verdict: "ok",
                },
                disputedCents: 0,
              },
            ],
      ),
    )
  })
}

const find = async (database: Database, lane: Lane, scopes: readonly string[] | undefined = [SCOPE]) =>
  findOutcomes(database, {
    kept: await findBillsKept(database),
    scopes,
    services: [SERVICE],
    lane,
    since: SINCE,
    until: UNTIL,
  })

describe.each(DATABASES)("what happened on a lane, on %s", (_, isThere, open) => {
  it.runIf(isThere)("tells days late by the day at the receiver", async () => {
    const database = await open()
    await book(database, [
      // Half past eleven in the evening in Perth is the day before midnight in Sydney.
      { day: "2026-11-02", deliveredAt: "2026-11-02T15:30:00.000Z" },
      { day: "2026-11-02", deliveredAt: "2026-11-02T16:30:00.000Z" },
      { day: "2026-11-03", lookedAt: "2026-11-02T00:00:00.000Z" },
      { day: "2026-11-04" },
    ])
    const days = (await find(database, AREA)).map(({ daysLate, bookings }) => [daysLate, bookings])
    expect(days.sort((one, other) => Number(one[0] ?? 99) - Number(other[0] ?? 99))).toEqual([
      [0, 1],
      [1, 1],
      [16, 1],
      [undefined, 1],
    ])
  })

  it.runIf(isThere)("keeps lanes, services, accounts and days apart", async () => {
    const database = await open()
    const deliveredAt = "2026-11-02T04:00:00.000Z"
    await book(database, [
      { day: "2026-11-02", deliveredAt, billedCents: 1200 },
      { day: "2026-11-02", deliveredAt, postcode: "6530" },
      { day: "2026-11-02", deliveredAt, postcode: "3220", state: "VIC" },
      { day: "2026-11-02", deliveredAt, serviceCode: "75" },
      { day: "2026-11-03", deliveredAt, isCancelled: true },
      { day: "2026-03-02", deliveredAt },
      { day: "2026-11-02", eta: undefined, billedCents: 1000 },
    ])
    const count = async (lane: Lane, scopes?: readonly string[]) =>
      (await find(database, lane, scopes)).reduce((sum, { bookings }) => sum + bookings, 0)
    expect(await count(AREA)).toBe(2)
    expect(await count({ kind: "state", from: "NSW", to: "WA" })).toBe(3)
    expect(await count(ALL)).toBe(4)
    expect(await count(AREA, ["another account"])).toBe(0)
    const outcomes = await find(database, AREA)
    const sum = (key: "billed" | "ratios" | "squares") => outcomes.reduce((all, each) => all + each[key], 0)
    expect(sum("billed")).toBe(2)
    expect(sum("ratios")).toBeCloseTo(1.2 + 1)
    expect(sum("squares")).toBeCloseTo(1.44 + 1)
  })

  it.runIf(isThere)("rounds half a cent of GST that is given back as it rounds what is charged", async () => {
    const database = await open()
    const deliveredAt = "2026-11-02T04:00:00.000Z"
    // With GST 1.155 and -1.155: 1.16 and -1.16.
    await book(database, [
      { day: "2026-11-02", deliveredAt, billedCents: 105 },
      { day: "2026-11-02", deliveredAt, billedCents: -105 },
    ])
    const [outcomes] = await find(database, AREA)
    expect(outcomes?.billed).toBe(2)
    expect(outcomes?.ratios).toBeCloseTo(0, 9)
  })
})
