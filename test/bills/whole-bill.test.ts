/** A bill is judged as a whole: what its parts are is decided by all of it. */
import { describe, expect, it } from "vitest"
import {
  auditBill,
  BOOKED,
  bookedDatabase,
  csv,
  money,
  postBill,
  taxOf,
  tryBill,
  workbookOf,
} from "./desk.ts"
import { LAYOUTS } from "./layouts.ts"
import { drawPdf, REBATE } from "./pdfs.ts"

const inc = (cents: number) => cents + taxOf(cents)

describe("the basis of a bill", () => {
  it("is that of the consignments that equal their quotes only so, for all of its sheets", async () => {
    const dearer = (cents: number, at: number) => (at < 2 ? cents : cents + 1000 + at)
    const sheet = (from: number, to: number) => [
      ["Docket #", "Total $"],
      ...BOOKED.slice(from, to).map((each, at) => [each.number, money(dearer(each.cents, from + at))]),
    ]
    const bill = workbookOf([
      ["SYD-ADL", sheet(0, 5)],
      ["SYD-OTHER", sheet(5, 9)],
    ])
    const given = { bill, sheets: ["SYD-ADL", "SYD-OTHER"] }
    const { rows, totals } = await auditBill(await bookedDatabase(), given)
    expect(totals.gst).toBe("excluded")
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      ...Array.from({ length: 7 }, () => "over"),
      "agrees",
      "agrees",
    ])
    const over = [2, 3, 4, 5, 6, 7, 8].reduce((sum, at) => sum + 1000 + at, 0)
    expect(totals.disputed).toBe(over / 100)
  })
})

describe("another table below the first", () => {
  const FOUR = BOOKED.slice(0, 4)
  const [first] = FOUR
  const sum = FOUR.reduce((all, { cents }) => all + cents, 0)
  const taxes = FOUR.reduce((all, { cents }) => all + taxOf(cents), 0)
  const write = (
    due: number,
    headings = ["Original invoice", "Consignment", "Reason", "Net", "GST", "Gross"],
  ) =>
    csv(
      ["Consignment", "Order", "Despatched", "Receiver", "Postcode", "Description", "Net", "GST", "Gross"],
      ...FOUR.map(({ number, cents }) => [
        ...[number, "", "2026-11-24", "Barwon Electrical", "3220", "Freight"],
        ...[cents, taxOf(cents), inc(cents)].map(money),
      ]),
      ["", "", "", "", "", "Sub total", ...[sum, taxes, sum + taxes].map(money)],
      ["Adjustments from earlier periods"],
      headings,
      ["BEX-770011", first?.number ?? "", "Re-weigh adjustment", "18.00", "1.80", "19.80"],
      ["", "", "Adjustments total", "18.00", "1.80", "19.80"],
      ["", "", "TOTAL PAYABLE", ...[sum + due, taxes + 180, sum + due + taxes + 180].map(money)],
    )

  it("is read by its own headings, and audited and posted with it", async () => {
    const { rows, bills } = await auditBill(await bookedDatabase(), { bill: write(1800) })
    expect(bills.map(({ amount }) => amount)).toEqual([(sum + 1800) / 100])
    expect(rows.map(({ verdict, disputed }) => [verdict, disputed])).toEqual([
      ["over", 18],
      ["agrees", 0],
      ["agrees", 0],
      ["agrees", 0],
    ])
    expect(rows[0]?.why).toContain("re-weigh adjustment")
    const posted = await postBill(await bookedDatabase(), { bill: write(1800) })
    expect([...posted.values()].reduce((all, [exGst, gst]) => all + exGst + gst, 0)).toBe(sum + taxes + 1980)
  })

  it("counts for the total of the bill", async () => {
    const { refused } = await tryBill(await bookedDatabase(), { bill: write(0) })
    expect(refused?.message).toContain('"TOTAL PAYABLE" is ')
  })

  it("is not left out in silence where its amounts stand under no heading that is known", async () => {
    const bill = write(1800, ["Original invoice", "Consignment", "Reason", "Betrag", "Steuer", "Summe"])
    const { rows, asked } = await tryBill(await bookedDatabase(), { bill })
    expect([rows, asked?.map(({ column }) => column)]).toEqual([[], ["Receiver"]])
  })
})

describe("a rebate below the subtotal of a PDF", () => {
  const sheet = LAYOUTS["parts, total, GST"]

  it("is a charge of the bill where its rows come to what is due", async () => {
    const { bills, rows } = await auditBill(await bookedDatabase(), {
      bill: await drawPdf([[sheet, { totals: "rebate" }]]),
    })
    const cents = sheet.rows.reduce((all, row) => all + row.cents, 0)
    expect(bills.map(({ amount }) => amount)).toEqual([inc(cents + REBATE) / 100])
    expect(rows.filter(({ billed }) => billed === REBATE / 100)).toHaveLength(1)
  })

  it("is refused where they come to something else", async () => {
    const bill = await drawPdf([[sheet, { totals: "rebate", wrongBy: 5 }]])
    expect((await tryBill(await bookedDatabase(), { bill })).refused?.message).toContain("Sub total")
  })
})

it("tells what is over within the tolerance on each of many consignments", async () => {
  const more = ({ cents }: { cents: number }) => Math.round(cents * 1.0095)
  const bill = csv(
    ["Consignment", "Amount ex GST"],
    ...BOOKED.map((each) => [each.number, money(more(each))]),
  )
  const { totals } = await auditBill(await bookedDatabase(), { bill })
  const amount = BOOKED.reduce((all, each) => all + more(each) - each.cents, 0) / 100
  expect(totals.withinTolerance).toEqual({ consignments: BOOKED.length, amount, percent: 0.94 })
})

it("reads abbreviated weights with their unit", async () => {
  const [booked] = BOOKED
  const rows = ["Wgt", "Dead Wgt"].map(async (heading) => {
    const bill = csv(["Consignment", "Amount ex GST", heading], [booked?.number ?? "", "999.00", "90kg"])
    return (await auditBill(await bookedDatabase(), { bill })).rows[0]?.billedWeightKg
  })
  expect(await Promise.all(rows)).toEqual([90, 90])
})
