/** GST of bills, and the words of totals. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { NO_MONEY } from "../../src/bills/money.ts"
import { toGst, toIncGst } from "../../src/base/money.ts"
import { type BillCharge, getGst } from "../../src/sandbox/bills/consignments.ts"
import { checkGst, describeRate, isGstOf } from "../../src/bills/gst.ts"
import { saysTax, saysTotal } from "../../src/input/sheets/totals.ts"

const BILL = {
  ...{ file: "bill.csv", number: "1", supplier: "", date: "", lines: [] },
  ...{ statesGst: false, isGstRight: false },
}
const charge = (amounts: object, label = "Freight") => ({
  ...NO_MONEY,
  charge: "freight" as const,
  label,
  bill: BILL,
  ...amounts,
})

describe("GST of 10 %", () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 })
  const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

  it("agrees by either rounding, of lines and of the total", () => {
    fc.assert(
      fc.property(amounts, (lines) => {
        const exGst = sum(lines)
        expect(
          isGstOf({ exGst, gst: sum(lines.map((each) => Math.round(each / 10))), lines: lines.length }),
        ).toBe(true)
        expect(isGstOf({ exGst, gst: Math.round(exGst / 10), lines: lines.length })).toBe(true)
      }),
    )
  })

  it("does not where it is a cent further away", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom(1, -1), (lines, sign) => {
        const exGst = sum(lines)
        const gst = Math.round(exGst / 10) + sign * Math.ceil(lines.length / 2 + 1)
        expect(isGstOf({ exGst, gst, lines: lines.length })).toBe(false)
      }),
    )
  })

  it("of credits is negative", () => {
    expect(checkGst([charge({ exGst: -1000, gst: -100, incGst: -1100 })]).is).toBe("agrees")
    expect(checkGst([charge({ exGst: -1000, gst: 100, incGst: -900 })]).is).toBe("wrong")
  })

  it("is wrong where a line contradicts itself", () => {
    expect(checkGst([charge({ exGst: 1000, gst: 100, incGst: 1200 })])).toMatchObject({
      is: "wrong",
      excess: 100,
      why: "10.00 and GST of 1.00 are not 12.00 with GST",
    })
  })

  it("is unknown where nothing says it, and none where the other rows of the bill say it", () => {
    expect(checkGst([charge({ unspecifiedGstCents: 1000 })]).is).toBe("unknown")
    const free = charge({ unspecifiedGstCents: 1000, bill: { ...BILL, statesGst: true } })
    expect(checkGst([free])).toEqual({ is: "none", excess: 0, free: ["Freight"] })
  })

  it("is free of it where other charges of the consignment state theirs", () => {
    const taxed = charge({ exGst: 1000, gst: 100, incGst: 1100 })
    const free = charge({ exGst: 500 }, "Insurance")
    expect(checkGst([taxed, free])).toEqual({ is: "agrees", excess: 0, free: ["Insurance"] })
  })

  it("is compared with the sum of a consignment's rows, split or not", () => {
    const split = [charge({ exGst: 7170 }), charge({ gst: 1434, charge: "tax" }, "gst")]
    const whole = charge({ exGst: -1000, gst: -100, incGst: -1100 })
    expect(checkGst([...split, whole])).toMatchObject({
      is: "wrong",
      why: "GST is 13.34, 21.6 % of 61.70; 10 % is 6.17",
    })
    expect(checkGst([split[0] ?? whole, charge({ gst: 717, charge: "tax" }, "gst"), whole]).is).toBe("agrees")
  })

  it("is reported as a share only of an amount of its sign", () => {
    expect(describeRate(-1545, 47497)).toBe("GST is 474.97, beside -15.45; 10 % is -1.55")
  })

  it("is rounded away from zero at half a cent, of a charge and of a credit", () => {
    expect([1865, -1865].map(toGst)).toEqual([187, -187])
    expect([1865, -1865].map((cents) => getGst({ cents } as BillCharge))).toEqual([187, -187])
    expect([1865, -1865].map(toIncGst)).toEqual([2052, -2052])
    expect(toGst(-4)).toBe(0)
  })

  it("of one line may be rounded with its bill", () => {
    const line = { exGst: 1009, gst: 100, incGst: 1109 }
    expect(checkGst([charge(line)]).is).toBe("wrong")
    expect(checkGst([charge({ ...line, bill: { ...BILL, isGstRight: true } })]).is).toBe("agrees")
  })
})

describe("words of a total", () => {
  it.each([
    "Total",
    "TOTAL:",
    "Sub-Total",
    "Page total",
    "Page 3 total",
    "Carried forward",
    "Brought fwd",
    "c/f",
    "B/fwd",
    "Amount payable",
    "Total amount due (AUD)",
    "GST total",
    "Total ex GST",
    "Total for invoice INV-77",
    "Total (12 consignments)",
    "Balance due",
  ])("%s", (text) => {
    expect(saysTotal(text)).toBe(true)
  })

  it.each([
    "Total Tools Fremantle",
    "Total Fuel Levy Adjustment",
    "Freight",
    "Summit",
    "Page 2",
    "Account fee",
    "PO-TOTAL-7x",
    "",
  ])("not %s", (text) => {
    expect(saysTotal(text)).toBe(false)
  })

  it("GST alone is a tax", () => {
    expect(["GST", "Total GST", "GST amount:", "GST-free total"].map(saysTax)).toEqual([
      true,
      true,
      true,
      false,
    ])
  })
})
