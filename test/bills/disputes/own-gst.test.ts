/** Disputed amounts with the GST that their bill charges on them: in disputes, letters, books and statements, by hand. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { readBalances } from "../../../src/bills/books/account.ts"
import { toClearingRow } from "../../../src/bills/books/clearing-report.ts"
import { describeLetter } from "../../../src/bills/disputes/letter.ts"
import { findTaxed } from "../../../src/bills/disputes/letter-gst.ts"
import { toDisputeBalances } from "../../../src/bills/disputes/balance.ts"
import { splitOffDisputed } from "../../../src/bills/entries.ts"
import { readComparison } from "../../../src/bills/statement/known.ts"
import type { Database } from "../../../src/ledger/database/database.ts"
import { openSqlite } from "../../../src/ledger/database/sqlite.ts"
import { readDisputes } from "../../../src/bills/records/disputes.ts"
import { migrate } from "../../../src/ledger/schema.ts"
import { renderTerminal } from "../../../src/output/pages/terminal.ts"
import { driver, entry, NOW, put, SCOPE, storeIn, testClock } from "../../ledger/setup.ts"
import { csv } from "../desk.ts"
import { auditText, postText } from "../random-months.ts"

const clock = testClock(NOW)
let database: Database

beforeEach(async () => {
  database = openSqlite(":memory:", { driver, clock })
  await migrate(database)
})
afterEach(() => database.close())

const desk = () => ({ database, scopes: [SCOPE], now: () => clock.now() })

async function book(cents: number, gstBasis: "excluded" | "included" = "excluded") {
  await put(
    storeIn(database),
    entry({
      ...{ key: "key:A1", content: "A1", state: "done", sentAt: new Date(NOW).toISOString() },
      facts: {
        ...{ connectorId: "connector-c", carrier: "CARRIER_C_AU", serviceCode: "STD" },
        ...{ consignmentNumber: "SBC00000001", shipmentId: "shp-1", reference: "SO-1" },
        ...{ priceCents: cents, gstBasis, currency: "AUD" },
      },
    }),
  )
}

type Row = [consignment: string, charge: string, exGst: string, gst: string]

async function bill(...rows: Row[]): Promise<string> {
  const text = csv(
    ["Invoice Number", "Invoice Date", "Carrier", "Consignment", "Charge", "Amount ex GST", "GST"],
    ...rows.map((row) => ["INV-1", "2026-11-20", "Carrier C", ...row]),
  )
  await auditText(desk(), text)
  return text
}

async function readRaised() {
  const { disputes } = await readDisputes(database)
  return disputes.map(({ amountCents, gstBasis, gstCents }) => [amountCents, gstBasis, gstCents])
}

async function writeLetter(): Promise<string> {
  const balances = toDisputeBalances(await readDisputes(database))
  const head = { day: "2026-11-29", from: undefined, account: undefined }
  const page = describeLetter(balances, await findTaxed(database, balances), head)
  return renderTerminal(page, { colour: false, unicode: true, columns: 78 }).replaceAll(/\s+/g, " ")
}

describe("what is disputed keeps the GST that its bill charges on it", () => {
  it("a charge that is free of GST has none, wherever it stands in the bill", async () => {
    await book(11_000)
    const text = await bill(
      ["SBC00000001", "Freight", "100.00", "10.00"],
      ["SBC00000001", "Insurance", "20.00", "0.00"],
      ["SBC00000001", "Fuel levy", "10.00", "1.00"],
    )
    expect(await readRaised()).toEqual([[2000, "excluded", 0]])
    expect(await writeLetter()).toContain("We dispute AUD 20.00 without GST, AUD 20.00 with GST,")
    const [posted] = await postText(desk(), text, () => {})
    // The insurance alone, and not the last charge, which has GST.
    expect(posted?.posting.clearing).toBe(2000)
    expect((await readBalances(database)).map(toClearingRow)).toMatchObject([{ stands: 20, standsExGst: 20 }])
  })

  it("a dispute has its share where a part of one amount is free of GST", async () => {
    await book(10_000)
    const text = await bill(["SBC00000001", "Freight", "120.00", "10.00"])
    // 20.00 of 120.00, with 20/120 of 10.00.
    expect(await readRaised()).toEqual([[2000, "excluded", 167]])
    expect(await writeLetter()).toMatch(/SBC00000001 .*20\.00 +21\.67/)
    const [posted] = await postText(desk(), text, () => {})
    expect(posted?.posting.clearing).toBe(2167)
  })

  it("a charge that is billed twice has the GST of the row that is too many", async () => {
    await book(5300)
    await bill(
      ["SBC00000001", "Freight", "50.00", "5.00"],
      ["SBC00000001", "Freight", "50.00", "0.00"],
      ["SBC00000001", "Fuel levy", "3.00", "0.30"],
    )
    expect(await readRaised()).toEqual([[5000, "excluded", 0]])
  })

  it("a dispute has all of it, at any rate, where all that is billed is disputed", async () => {
    await book(5000)
    await bill(["SBC00000001", "Freight", "50.00", "5.00"])
    const text = csv(
      ["Invoice Number", "Invoice Date", "Carrier", "Consignment", "Amount ex GST", "GST"],
      ["INV-2", "2026-11-21", "Carrier C", "SBC00000001", "50.00", "7.50"],
    )
    await auditText(desk(), text)
    expect(await readRaised()).toEqual([[5000, "excluded", 750]])
    expect(await writeLetter()).toContain("We dispute AUD 50.00 without GST, AUD 57.50 with GST,")
  })

  it("the disputed amount includes its GST where quote and bill were compared with GST", async () => {
    await book(11_000, "included")
    const text = await bill(["SBC00000001", "Freight", "120.00", "6.00"])
    // 126.00 less 110.00 is 16.00, with 16/126 of 6.00.
    expect(await readRaised()).toEqual([[1600, "included", 76]])
    expect(await writeLetter()).toMatch(/SBC00000001 .*15\.24 +16\.00/)
    const [posted] = await postText(desk(), text, () => {})
    expect(posted?.posting.clearing).toBe(1600)
    expect((await readBalances(database)).map(toClearingRow)).toMatchObject([
      { stands: 16, standsExGst: 15.24 },
    ])
    const { rows } = await readComparison(database, [
      {
        ...{ type: "invoice", number: "INV-1", date: "2026-11-20", supplier: "Carrier C", cents: 12_600 },
        ...{ basis: "incGst", paidCents: undefined, row: 1 },
      },
    ])
    expect(rows).toMatchObject([{ state: "in-dispute", disputedCents: 1600 }])
  })

  it("the rest keeps its share of the GST once a part is denied", async () => {
    await book(10_000)
    await bill(["SBC00000001", "Freight", "120.00", "6.00"])
    await database.run(
      `insert into dispute_steps (id, dispute_id, step, step_on, amount_cents, written_at, workstation, person)
        select 's', id, 'denied', '2026-11-29', 500, '2026-11-29T00:00:00.000Z', '', '' from disputes`,
    )
    // 15.00 of 20.00, with 15/120 of 6.00.
    expect(await writeLetter()).toMatch(/SBC00000001 .*15\.00 +15\.75/)
  })

  it("a dispute has none where the bill says nothing of GST", async () => {
    await book(4000)
    const text = csv(
      ["Invoice Number", "Invoice Date", "Carrier", "Consignment", "Amount ex GST"],
      ["INV-1", "2026-11-20", "Carrier C", "SBC00000001", "50.00"],
    )
    await auditText(desk(), text)
    expect(await readRaised()).toEqual([[1000, "excluded", undefined]])
    expect(await writeLetter()).toContain("We dispute AUD 10.00 without GST of this bill")
  })

  it("a dispute that was raised before GST was kept has 10 % where its bill states that", async () => {
    await book(10_000)
    await bill(["SBC00000001", "Freight", "120.00", "12.00"])
    await database.run("update disputes set gst_cents = null")
    expect(await writeLetter()).toMatch(/SBC00000001 .*20\.00 +22\.00/)
  })
})

describe("a part of a bill with its own GST", () => {
  const entries = [
    { exGst: 2000, gst: 0 },
    { exGst: 10_000, gst: 1000 },
  ]

  it("is split off the charges that have its rate", () => {
    const split = splitOffDisputed(entries, { cents: 2000, basis: "excluded", gst: 0 })
    expect(split).toEqual({ cleared: [{ exGst: 2000, gst: 0 }], rest: [{ exGst: 10_000, gst: 1000 }] })
  })

  it("has its own GST to the cent, and the rest what is left", () => {
    const split = splitOffDisputed(entries, { cents: 3000, basis: "excluded", gst: 250 })
    expect(split).toEqual({
      cleared: [{ exGst: 3000, gst: 250 }],
      rest: [
        { exGst: 2000, gst: 0 },
        { exGst: 7000, gst: 750 },
      ],
    })
    const withGst = splitOffDisputed(entries, { cents: 3300, basis: "included", gst: 290 })
    expect(withGst.cleared).toEqual([{ exGst: 3010, gst: 290 }])
    expect(withGst.rest).toEqual([
      { exGst: 2000, gst: 0 },
      { exGst: 6990, gst: 710 },
    ])
  })

  it("has the GST of the bill where it is all of it", () => {
    const all = splitOffDisputed([{ exGst: 1000, gst: 100 }], { cents: 1000, basis: "excluded", gst: 99 })
    expect(all).toEqual({ cleared: [{ exGst: 1000, gst: 100 }], rest: [] })
  })
})
