/** November of two accounts with two carriers, as a bookkeeper reads it on the third of December: each figure by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createJournalSums, writeJournal } from "../../src/reports/accruals/journal.ts"
import { readBalances } from "../../src/bills/books/account.ts"
import { toClearingRow } from "../../src/bills/books/clearing-report.ts"
import { describeBalance } from "../../src/reports/clearing.ts"
import { findTaxed } from "../../src/bills/disputes/letter-gst.ts"
import { describeLetter } from "../../src/bills/disputes/letter.ts"
import { toDisputeBalances } from "../../src/bills/disputes/balance.ts"
import { reportSpend } from "../../src/reports/spend.ts"
import type { SpendBy } from "../../src/reports/spend-by.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { readDisputes } from "../../src/bills/records/disputes.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { renderTerminal } from "../../src/output/pages/terminal.ts"
import { driver, entry, put, SCOPE, storeIn, testClock } from "../ledger/setup.ts"
import { csv, money } from "./desk.ts"
import { auditText, postText, readAccruals } from "./random-months.ts"

const OTHER = "freight:other"
const SCOPES = [SCOPE, OTHER]
const start = (day: string) => Date.parse(`${day}T00:00:00.000Z`)
const DECEMBER = start("2026-12-01")

const clock = testClock(start("2026-11-02"))
const database = openSqlite(":memory:", { driver, clock })
const desk = { database, scopes: SCOPES, now: () => clock.now() }

/** Quotes without GST, but for A4: 88.00 with GST is 80.00 without it. */
const BOOKED = [
  { number: "A1", day: "2026-11-03", cents: 10_000, carrier: "CARRIER_C_AU", centre: "Sydney", scope: SCOPE },
  { number: "A2", day: "2026-11-03", cents: 20_000, carrier: "CARRIER_C_AU", centre: "Perth", scope: SCOPE },
  { number: "A3", day: "2026-11-12", cents: 5000, carrier: "CARRIER_B_AU", centre: "Sydney", scope: OTHER },
  { number: "A4", day: "2026-11-12", cents: 8800, carrier: "CARRIER_B_AU", centre: "", scope: OTHER },
  { number: "A5", day: "2026-11-30", cents: 3000, carrier: "CARRIER_C_AU", centre: "Perth", scope: SCOPE },
]

async function goTo(day: string): Promise<void> {
  clock.advance(start(day) + 3_600_000 - clock.now())
  await put(
    storeIn(database),
    ...BOOKED.filter((each) => each.day === day).map(({ number, cents, carrier, centre, scope }) =>
      entry({
        ...{ key: `key:${number}`, content: number, state: "done", scope },
        sentAt: new Date(clock.now()).toISOString(),
        facts: {
          ...{ connectorId: "connector", carrier, serviceCode: "STD", consignmentNumber: `SBC${number}` },
          ...{ shipmentId: `shp-${number}`, reference: `SO-${number}`, priceCents: cents, currency: "AUD" },
          gstBasis: number === "A4" ? "included" : "excluded",
          ...(centre !== "" && { own: { costCentre: centre } }),
        },
      }),
    ),
  )
}

/** A bill without GST and with GST of a tenth: audited, raised and posted. */
async function bill(invoice: string, carrier: string, ...lines: [number: string, exGst: number][]) {
  const date = new Date(clock.now()).toISOString().slice(0, 10)
  const text = csv(
    ["Invoice Number", "Invoice Date", "Carrier", "Consignment", "Amount ex GST", "GST"],
    ...lines.map(([number, cents]) => [
      ...[invoice, date, carrier, `SBC${number}`, money(cents), money(cents / 10)],
    ]),
  )
  await auditText(desk, text)
  clock.advance(60_000)
  const [posted] = await postText(desk, text, () => {})
  clock.advance(60_000)
  const { exGst = 0, gst = 0, clearing = 0 } = posted?.posting ?? {}
  return [exGst, gst, clearing]
}

async function writeLetter(): Promise<string> {
  const open = toDisputeBalances(await readDisputes(database))
  const from = {
    supplierName: "Harbour Lighting",
    abn: "51824753556",
    supplierAddress: "1 Harbour St, Sydney",
  }
  const page = describeLetter(open, await findTaxed(database, open), {
    day: "2026-11-10",
    from,
    account: "10044",
  })
  return renderTerminal(page, { colour: false, unicode: true, columns: 100 }).replaceAll(/\s+/g, " ")
}

async function readClearing() {
  return (await readBalances(database)).map(toClearingRow)
}

async function spend(by: SpendBy) {
  const span = { scopes: SCOPES, since: start("2026-11-01"), until: DECEMBER }
  const { rows } = await reportSpend(storeIn(database), span, by)
  return rows
}

const posted: Record<string, number[]> = {}
let letter = ""
let printed: Awaited<ReturnType<typeof readAccruals>> = []

beforeAll(async () => {
  await migrate(database)
  await goTo("2026-11-03")
  await goTo("2026-11-10")
  posted.first = await bill("INV-1", "Carrier C", ["A1", 11_000], ["A2", 20_000])
  letter = await writeLetter()
  await goTo("2026-11-12")
  await goTo("2026-11-20")
  posted.credit = await bill("INV-2", "Carrier C", ["A1", -600])
  await goTo("2026-11-30")
  clock.advance(DECEMBER - 1 - clock.now())
  printed = await readAccruals(database, undefined, SCOPES)
  await goTo("2026-12-03")
  posted.late = await bill("INV-3", "Carrier B", ["A3", 5000])
})

afterAll(() => database.close())

describe("one month, as a bookkeeper reads it", () => {
  it("is posted with what is disputed on the clearing account", () => {
    // 110.00 + 200.00 = 310.00, GST 31.00. A1 was quoted at 100.00: 10.00 is disputed, 11.00 with its GST.
    expect(posted.first).toEqual([31_000, 3100, 1100])
    // The carrier gives back 6.00 of it, and GST of 0.60: 6.60 is taken from the clearing account.
    expect(posted.credit).toEqual([-600, -60, -660])
    expect(posted.late).toEqual([5000, 500, 0])
  })

  it("has a letter about what was too much, without and with GST", () => {
    expect(letter).toContain("Harbour Lighting 1 Harbour St, Sydney ABN 51 824 753 556")
    expect(letter).toContain("Our account with you 10044")
    expect(letter).toContain("We dispute AUD 10.00 without GST, AUD 11.00 with GST, of this bill")
    expect(letter).toMatch(/SBCA1 .*10\.00 +11\.00/)
  })

  it("accrues what was not billed at its end, with a journal and its reversal, whatever is billed later", async () => {
    const accrued = await readAccruals(database, DECEMBER, SCOPES)
    expect(accrued).toEqual(printed)
    expect(
      accrued.map(({ consignmentNumber: consignment, amount, gstBasis: gst }) => [consignment, amount, gst]),
    ).toEqual([
      ["SBCA3", 50, "excluded"],
      ["SBCA4", 88, "included"],
      ["SBCA5", 30, "excluded"],
    ])
    // Since then A3 is billed.
    const now = await readAccruals(database, undefined, SCOPES)
    expect(now.map(({ consignmentNumber: consignment }) => consignment)).toEqual(["SBCA4", "SBCA5"])
    const sums = createJournalSums(undefined)
    sums.add(accrued)
    const accounts = { expense: "429", accrued: "801", tracking: "Cost Centre" }
    const rows = writeJournal("xero", sums.get().cents, "2026-11-30", accounts).trimEnd().split("\r\n")
    // A4 is 80.00 without GST; 80.00 + 30.00 + 50.00 = 160.00.
    expect(rows.slice(1).map((row) => [1, 3, 5, 7].map((at) => row.split(",")[at]))).toEqual([
      ["30/11/2026", "429", "80.00", ""],
      ["30/11/2026", "429", "30.00", "Perth"],
      ["30/11/2026", "429", "50.00", "Sydney"],
      ["30/11/2026", "801", "-160.00", ""],
      ["01/12/2026", "429", "-80.00", ""],
      ["01/12/2026", "429", "-30.00", "Perth"],
      ["01/12/2026", "429", "-50.00", "Sydney"],
      ["01/12/2026", "801", "160.00", ""],
    ])
  })

  it("has spent what was billed, beside what was quoted and what is not billed yet", async () => {
    const told = async (by: SpendBy) =>
      (await spend(by)).map((row) => [
        ...[row.group, row.gstBasis, row.amount, row.billed, row.billedAmount, row.billedGst],
        ...[row.unbilled, row.unbilledAmount],
      ])
    // A1, A2 and A5: 100.00 + 200.00 + 30.00. Billed 110.00 - 6.00 + 200.00, with GST of 11.00 - 0.60 + 20.00.
    const first = ["excluded", 330, 2, 304, 30.4, 1, 30]
    const late = ["excluded", 50, 1, 50, 5, 0, 0]
    const unbilled = ["included", 88, 0, 0, 0, 1, 88]
    expect(await told("carrier")).toEqual([
      ["CARRIER_C_AU", ...first],
      ["CARRIER_B_AU", ...unbilled],
      ["CARRIER_B_AU", ...late],
    ])
    expect(await told("account")).toEqual([
      [SCOPE, ...first],
      [OTHER, ...unbilled],
      [OTHER, ...late],
    ])
    expect(await told("cost-centre")).toEqual([
      // A2 and A5.
      ["Perth", "excluded", 230, 1, 200, 20, 1, 30],
      // A1 and A3: 100.00 + 50.00; billed 104.00 + 50.00, with GST of 10.40 + 5.00.
      ["Sydney", "excluded", 150, 2, 154, 15.4, 0, 0],
      [null, ...unbilled],
    ])
  })

  it("closes to the cent: what is billed is posted, and what is disputed is credited or stands there, over any cut", async () => {
    const all = Object.values(posted)
    const add = (at: number) => all.reduce((sum, each) => sum + (each[at] ?? 0), 0)
    // 310.00 - 6.00 + 50.00, and a tenth of it.
    expect([add(0), add(1)]).toEqual([35_400, 3540])
    for (const by of ["carrier", "account", "cost-centre", "month", "service", "lane"] as const) {
      const rows = await spend(by)
      const sum = (key: "billedAmount" | "billedGst" | "amount" | "unbilledAmount") =>
        rows.reduce((cents, row) => cents + Math.round(row[key] * 100), 0)
      // Quoted 100.00 + 200.00 + 50.00 + 88.00 + 30.00; not billed 88.00 + 30.00.
      expect([sum("billedAmount"), sum("billedGst"), sum("amount"), sum("unbilledAmount")], by).toEqual([
        ...[35_400, 3540, 46_800, 11_800],
      ])
    }
    // 10.00 were raised, and 6.00 credited.
    const balances = toDisputeBalances(await readDisputes(database))
    expect(balances.map(({ dispute, openCents }) => [dispute.amountCents, openCents])).toEqual([[1000, 400]])
    const clearing = await readClearing()
    expect(clearing.map(({ stands, open, toMove }) => [stands, open, toMove])).toEqual([[4, 4, 0]])
    expect(describeBalance(clearing)).toBe(
      "In the books, without GST, there should be AUD 4.00 on 650, for 1 dispute.",
    )
  })
})
