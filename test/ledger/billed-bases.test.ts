/** Whether a carrier's quotes include GST, as audited bills show it. */
import { describe, expect, it } from "vitest"
import type { Database } from "../../src/ledger/database/database.ts"
import { findBilledBases } from "../../src/ledger/records/billed.ts"
import { rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { entry, ledgerFileIn, openFile, put, SCOPE, storeIn, temporaryDir } from "./setup.ts"

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

/** A consignment: what was quoted, and what is billed, in cents. */
interface Charged {
  quoted: number
  exGst: number | null
  incGst?: number | null
  gst?: number | null
  currency?: string
  carrier?: string
}

interface BillOf {
  charged: readonly Charged[]
  gstCents?: number | null
  number?: string
  auditedAt?: string
  /** The first of its consignments, which other bills may charge for too. */
  first?: number
}

async function bookAll(
  database: Database,
  charged: readonly Charged[],
  first = 0,
  scope = SCOPE,
): Promise<void> {
  await put(
    storeIn(database),
    ...charged.map(({ quoted, currency = "AUD", carrier = "CARRIER_A_AU" }, at) =>
      entry({
        key: `${scope} ${first + at}`,
        scope,
        state: "done",
        facts: { carrier, shipmentId: `shp-${first + at}`, priceCents: quoted, currency },
      }),
    ),
  )
}

async function audit(
  database: Database,
  { charged, number = "B-1", first = 0, ...bill }: BillOf,
): Promise<void> {
  const { gstCents = 1000, auditedAt = "2026-11-24T00:00:00.000Z" } = bill
  const id = `${number} ${auditedAt}`
  await database.transaction(async (transaction) => {
    await rememberBills(transaction, [
      {
        ...{ id, scope: SCOPE, supplier: "Carrier", number, date: "2026-11-24", file: "bill.csv" },
        ...{ amountCents: charged.length, gstCents, gstBasis: "excluded", auditedAt },
        ...{ workstation: "desk", person: "ann" },
      },
    ])
    await rememberBilled(
      transaction,
      charged.map(({ exGst, incGst = null, gst = null }, at) => ({
        ...{ billId: id, consignment: `C${first + at}`, shipmentId: `shp-${first + at}`, exGst, gst, incGst },
        ...{ unspecifiedGstCents: null, charges: ["freight"], verdict: "ok", disputedCents: 0 },
      })),
    )
  })
}

const WITHOUT = { quoted: 2234, exGst: 2234, gst: 223, incGst: 2457 }
const WITH = { quoted: 2457, exGst: 2234, gst: 223, incGst: 2457 }
const OFF = { quoted: 2234, exGst: 2300, gst: 230, incGst: 2530 }
const excluded = (consignments: number) => [{ carrier: "CARRIER_A_AU", basis: "excluded", consignments }]

describe.each(DATABASES)("what bills show of a carrier's GST, on %s", (_, isThere, open) => {
  const basesOf = async (charged: readonly Charged[], bill: Omit<BillOf, "charged"> = {}) => {
    const database = await open()
    await bookAll(database, charged)
    await audit(database, { charged, ...bill })
    return findBilledBases(database, [SCOPE], ["CARRIER_A_AU"])
  }

  it.runIf(isThere)("is known where three agree with one basis, and none with the other", async () => {
    expect(await basesOf([WITHOUT, WITHOUT, WITHOUT, OFF])).toEqual(excluded(3))
    expect(await basesOf([WITH, WITH, WITH])).toEqual([
      { carrier: "CARRIER_A_AU", basis: "included", consignments: 3 },
    ])
    expect(await basesOf([WITHOUT, WITHOUT, OFF])).toEqual([])
    expect(await basesOf([WITHOUT, WITHOUT, WITHOUT, WITH])).toEqual([])
  })

  it.runIf(isThere).each([
    ["only without GST", { quoted: 2235, exGst: 2235 }, "excluded"],
    ["only with GST", { quoted: 2235, exGst: null, incGst: 2459 }, "excluded"],
    ["only without GST, and was quoted with it", { quoted: 2459, exGst: 2235 }, "included"],
    ["only with GST, as it was quoted", { quoted: 2459, exGst: null, incGst: 2459 }, "included"],
  ])("is worked out where a charge is stated %s", async (_, charged, basis) => {
    expect(await basesOf([charged, charged, charged])).toMatchObject([{ basis }])
  })

  it.runIf(isThere).each([
    ["a bill without GST", [WITHOUT, WITHOUT, WITHOUT], { gstCents: 0 }],
    ["a bill that does not say its GST", [WITHOUT, WITHOUT, WITHOUT], { gstCents: null }],
    ["charges that are free of GST", Array(3).fill({ quoted: 2234, exGst: 2234, gst: 0, incGst: 2234 }), {}],
    ["another currency", Array(3).fill({ ...WITHOUT, currency: "NZD" }), {}],
    ["another carrier", Array(3).fill({ ...WITHOUT, carrier: "CARRIER_B_AU" }), {}],
  ] as const)("is not known from %s", async (_, charged, bill) => {
    expect(await basesOf(charged, bill)).toEqual([])
  })

  it.runIf(isThere)("is not known from another account, nor from consignments on several bills", async () => {
    const database = await open()
    const charged = [WITHOUT, WITHOUT, WITHOUT]
    await bookAll(database, charged, 0, "scope-other")
    await audit(database, { charged })
    expect(await findBilledBases(database, [SCOPE], ["CARRIER_A_AU"])).toEqual([])
    await bookAll(database, charged, 10)
    await audit(database, { charged, number: "B-2", first: 10 })
    expect(await findBilledBases(database, [SCOPE], ["CARRIER_A_AU"])).toEqual(excluded(3))
    await audit(database, { charged: [WITHOUT], number: "B-3", first: 10 })
    expect(await findBilledBases(database, [SCOPE], ["CARRIER_A_AU"])).toEqual([])
  })

  it.runIf(isThere)("follows a bill that was corrected", async () => {
    const database = await open()
    const wrong = [WITHOUT, WITHOUT, WITHOUT]
    await bookAll(database, wrong)
    await audit(database, { charged: wrong })
    const right = wrong.map(() => ({ quoted: 2234, exGst: 2031, gst: 203, incGst: 2234 }))
    await audit(database, { charged: right, auditedAt: "2026-11-25T00:00:00.000Z" })
    expect(await findBilledBases(database, [SCOPE], ["CARRIER_A_AU"])).toMatchObject([{ basis: "included" }])
  })
})
