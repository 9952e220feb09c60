import { describe, expect, it } from "vitest"
import { type RateRow, rateRows } from "../../src/booking/rates.ts"
import { chooseRate, findMisses, type Limits, parseAvoided } from "../../src/booking/preferences.ts"
import { parseDays } from "../../src/contract/when.ts"
import type { AggregatedRateResult, RatedService } from "../../src/contract/generated/types.ts"

const DATE = "2026-11-23"

function rate(serviceCode: string, price: number, more: Partial<RatedService> = {}): RatedService {
  return {
    serviceCode,
    price,
    description: serviceCode,
    currency: "AUD",
    bookingCutoff: "15:00:00",
    collectionCutoff: "17:00:00",
    eta: "2026-11-26T17:00:00",
    ...more,
  }
}

function rowsOf(offers: Record<string, RatedService[]>, more: AggregatedRateResult[] = []): RateRow[] {
  const results = Object.entries(offers).map(([letter, rates]) => ({
    connectorId: `connector-${letter.toLowerCase()}`,
    carrier: `CARRIER_${letter}_AU`,
    success: true,
    rates,
  }))
  return rateRows({ quoteId: "q", results: [...results, ...more] })
}

const choose = (rows: readonly RateRow[], limits: Limits = {}, by: "price" | "eta" = "price") => {
  const choice = chooseRate(rows, { by, limits, date: DATE })
  return choice.rate ? `${choice.rate.serviceCode}: ${choice.why}` : choice.misses
}

const GST = (price: number) => ({ priceGst: price / 10, priceIncGst: price * 1.1 })
const RATES = rowsOf({
  A: [rate("76", 74.43), rate("701", 197.24, { eta: "2026-11-24T09:00:00" })],
  B: [rate("GEN", 50, { eta: "2026-11-27T17:00:00", ...GST(50) })],
  C: [rate("STD", 62.52, { eta: "2026-11-25T17:00:00" })],
})

describe("a choice", () => {
  it("is explained with the next best and what would have been better", () => {
    expect(choose(RATES, { arriveBy: "2026-11-26" })).toBe(
      "STD: C/STD at 62.52, arriving 25 Nov 17:00; 76 is 11.91 dearer; GEN arrives a day late",
    )
    expect(choose(RATES, { avoid: ["b"] })).toBe(
      "STD: C/STD at 62.52; 76 is 11.91 dearer; GEN is on your avoid list",
    )
    expect(choose(RATES, {}, "eta")).toBe(
      "701: A/701 at 197.24, arriving 24 Nov 09:00; STD arrives a day later",
    )
    expect(choose(RATES, { maxPriceCents: 7000 }, "eta")).toBe(
      "STD: C/STD at 62.52, arriving 25 Nov 17:00; GEN arrives 2 days later; 701 is 127.24 over the limit",
    )
  })

  it("is by days from the collection, or by a day and time", () => {
    expect(choose(RATES, { withinDays: 1 })).toMatch(/^701: /)
    expect(choose(RATES, { withinDays: 2 })).toMatch(/^STD: /)
    expect(choose(RATES, { arriveBy: "2026-11-25T12:00:00" })).toMatch(
      /^701: .*STD arrives at 17:00, after 12:00/,
    )
    expect(choose(RATES, { withinDays: 9, arriveBy: "2026-11-24" })).toMatch(/^701: /)
  })

  it("takes a limit that is just kept", () => {
    expect(choose(RATES, { maxPriceCents: 5000 })).toMatch(/^GEN: /)
    expect(choose(RATES, { maxPriceCents: 4999 })).toEqual(["B/GEN at 50.00 is 0.01 over the limit"])
  })

  it("takes a hidden service only where no other fits, and says so", () => {
    const rows = rowsOf({ A: [rate("HID", 10, { visibility: "hidden" }), rate("76", 20)] })
    expect(choose(rows)).toBe("76: A/76 at 20.00; HID is 10.00 cheaper, and hidden")
    expect(choose(rows, { avoid: ["76"] })).toBe(
      "HID: A/HID at 10.00; your account hides it, but no other fits",
    )
  })

  it("says where transit days without weekends would decide otherwise", () => {
    const rows = rowsOf({ C: [rate("STD", 20, { eta: null, transitDays: 5 })] })
    expect(choose(rows, { withinDays: 5 })).toContain(
      "its 5 days are counted with weekends, although carrier C does not say so",
    )
    expect(choose(rows, { withinDays: 7 })).not.toContain("weekends")
  })

  it("says where GST could decide otherwise", () => {
    const rows = (price: number) => rowsOf({ B: [rate("GEN", 60, GST(60))], C: [rate("STD", price)] })
    expect(choose(rows(62))).toBe(
      "GEN: B/GEN at 60.00; STD is 2.00 dearer; prices are as quoted: with GST, STD may be cheaper",
    )
    expect(choose(rows(67))).not.toContain("GST")
  })

  it("names services of several accounts so that they can be told apart", () => {
    const twin = { connectorId: "second-c", carrier: "CARRIER_C_AU", success: true, rates: [rate("STD", 70)] }
    expect(choose(rowsOf({ C: [rate("STD", 62)] }, [twin]))).toBe(
      "STD: connector-c/STD at 62.00; second-c/STD is 8.00 dearer",
    )
    expect(choose(rowsOf({ B: [rate("EXP", 62)], C: [rate("EXP", 70)] }))).toContain("C/EXP is 8.00 dearer")
  })

  it("shows nothing that a terminal would run", () => {
    const rows = rowsOf({ C: [rate("\u001b[31mSTD", 62)] })
    expect(chooseRate(rows, { by: "price", limits: {}, date: DATE })).toMatchObject({ why: "C/STD at 62.00" })
  })
})

describe("wishes that nothing meets", () => {
  it("name the nearest miss of each kind", () => {
    expect(choose(RATES, { maxPriceCents: 4000, withinDays: 1 })).toEqual([
      "A/701 at 197.24 is 157.24 over the limit",
      "C/STD at 62.52 is 22.52 over the limit and arrives a day late",
    ])
    expect(choose(RATES, { avoid: ["A", "carrier b", "STD"] })).toEqual([
      "B/GEN at 50.00 is on your avoid list",
    ])
  })

  it("count an arrival that is not stated as a miss", () => {
    const [row] = rowsOf({ A: [rate("76", 1, { eta: null })] })
    expect(row && findMisses(row, { arriveBy: "2027-01-01" }, DATE).map(({ text }) => text)).toEqual([
      "does not say when it arrives",
    ])
    expect(row && findMisses(row, {}, DATE)).toEqual([])
  })
})

describe("a wish as people write it", () => {
  it("is a number of days", () => {
    expect(["3d", "3", "3 days", "1 day", "0d"].map((text) => parseDays(text))).toEqual(
      [3, 3, 3, 1, 0].map((value) => ({ ok: true, value })),
    )
    for (const text of ["", "d", "-1", "1.5d", "3w", "9999"]) expect(parseDays(text).ok).toBe(false)
  })

  it("is a list of services and carriers, or none", () => {
    expect(parseAvoided("GEN, A")).toEqual(["GEN", "A"])
    expect(parseAvoided("none")).toEqual([])
  })
})
