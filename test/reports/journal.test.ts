/** The journal of what is accrued, with each figure worked out by hand. */
import { describe, expect, it } from "vitest"
import type { AccrualRow } from "../../src/reports/accruals/accruals.ts"
import { createJournalSums, findReversalDay, writeJournal } from "../../src/reports/accruals/journal.ts"

const row = (amount: number | null, changes: Partial<AccrualRow> = {}): AccrualRow => ({
  ...{
    bookedAt: "2026-11-20T00:00:00Z",
    consignmentNumber: "C",
    reference: "R",
    shipmentId: "S",
    from: "ledger",
  },
  ...{
    carrier: "CARRIER_B_AU",
    serviceCode: "GEN",
    gstBasis: "excluded",
    currency: "AUD",
    amount,
    costCentre: null,
  },
  ...changes,
})

const ACCOUNTS = { expense: "429", accrued: "801", tracking: "Cost Centre" }

/** 22.00 with GST is 20.00 without it: Sydney has 20.00 + 30.00 = 50.00; 18.65 is for no cost centre; 68.65 in all. */
const ROWS = [
  row(22, { gstBasis: "included", costCentre: "Sydney" }),
  row(30, { costCentre: "Sydney" }),
  row(18.65),
  row(null),
  row(99, { currency: "NZD" }),
]

function sum(rows: readonly AccrualRow[], unknownGst?: "included" | "excluded") {
  const sums = createJournalSums(unknownGst)
  sums.add(rows)
  return sums.get()
}

const write = (program: "xero" | "myob" | "quickbooks") =>
  writeJournal(program, sum(ROWS).cents, "2026-11-30", ACCOUNTS).split("\r\n")

describe("the journal of accruals", () => {
  it("is a debit for each cost centre and a credit of their sum, and the same taken back, for Xero", () => {
    const [on, back] = [
      "Freight booked and not billed by 2026-11-30",
      "Reversal of freight booked and not billed by 2026-11-30",
    ]
    expect(write("xero")).toEqual([
      "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2",
      `${on},30/11/2026,${on},429,BAS Excluded,18.65,,,,`,
      `${on},30/11/2026,${on},429,BAS Excluded,50.00,Cost Centre,Sydney,,`,
      `${on},30/11/2026,${on},801,BAS Excluded,-68.65,,,,`,
      `${back},01/12/2026,${back},429,BAS Excluded,-18.65,,,,`,
      `${back},01/12/2026,${back},429,BAS Excluded,-50.00,Cost Centre,Sydney,,`,
      `${back},01/12/2026,${back},801,BAS Excluded,68.65,,,,`,
      "",
    ])
  })

  it("has debits and credits of their own for MYOB, with an empty line between the two", () => {
    const lines = write("myob").map((line) => line.split("\t"))
    expect(lines.map((cells) => [cells[0], cells[1], ...cells.slice(3)])).toEqual([
      [
        "Journal Number",
        "Date",
        "Account Number",
        "Debit Ex-Tax Amount",
        "Credit Ex-Tax Amount",
        "Job",
        "Tax Code",
      ],
      ["FA261130", "30/11/2026", "429", "18.65", "", "", "N-T"],
      ["FA261130", "30/11/2026", "429", "50.00", "", "Sydney", "N-T"],
      ["FA261130", "30/11/2026", "801", "", "68.65", "", "N-T"],
      ["", undefined],
      ["FR261201", "01/12/2026", "429", "", "18.65", "", "N-T"],
      ["FR261201", "01/12/2026", "429", "", "50.00", "Sydney", "N-T"],
      ["FR261201", "01/12/2026", "801", "68.65", "", "", "N-T"],
      ["", undefined],
    ])
  })

  it("is of two numbers for QuickBooks", () => {
    const [head, ...rows] = write("quickbooks")
    expect(head).toBe("*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Location")
    expect(rows.map((line) => line.split(",").slice(0, 5).join(","))).toEqual([
      "FA261130,30/11/2026,429,18.65,",
      "FA261130,30/11/2026,429,50.00,",
      "FA261130,30/11/2026,801,,68.65",
      "FR261201,01/12/2026,429,,18.65",
      "FR261201,01/12/2026,429,,50.00",
      "FR261201,01/12/2026,801,68.65,",
      "",
    ])
  })

  it("counts what it leaves out, and reads no quote that does not say its GST until somebody says how", () => {
    expect(sum(ROWS).left).toEqual({ unknown: 0, others: 2 })
    const unknown = [row(11, { gstBasis: "unknown" })]
    expect(sum(unknown)).toEqual({ cents: new Map(), left: { unknown: 1, others: 0 } })
    expect(sum(unknown, "included").cents.get("")).toBe(1000)
    expect(sum(unknown, "excluded").cents.get("")).toBe(1100)
  })

  it.each([
    ["2026-11-30", "2026-12-01"],
    ["2026-12-31", "2027-01-01"],
    ["2028-01-31", "2028-02-01"],
    ["2026-11-15", "2026-12-01"],
  ])("is undone on the first after %s", (day, first) => {
    expect(findReversalDay(day)).toBe(first)
  })
})
