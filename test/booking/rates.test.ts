import { describe, expect, it } from "vitest"
import { getGstBasis, onlyRate, rateRows, sortRates } from "../../src/booking/rates.ts"
import type { AggregatedRateResponse, RatedService } from "../../src/contract/generated/types.ts"

const rate = (more: Partial<RatedService> & { serviceCode: string; price: number }): RatedService => ({
  description: more.serviceCode,
  currency: "AUD",
  bookingCutoff: "15:00:00",
  collectionCutoff: "17:00:00",
  rateId: `rate-${more.serviceCode}`,
  ...more,
})

const reply: AggregatedRateResponse = {
  quoteId: "q1",
  results: [
    {
      connectorId: "a",
      carrier: "CARRIER_A_AU",
      success: true,
      rates: [rate({ serviceCode: "A1", price: 30, eta: "2026-11-24T12:00:00" })],
    },
    {
      connectorId: "b",
      carrier: "CARRIER_B_AU",
      success: true,
      rates: [
        rate({ serviceCode: "B1", price: 20, priceGst: 2, priceIncGst: 22, eta: "2026-11-26T17:00:00" }),
        rate({ serviceCode: "B0", price: 5, priceGst: 0.5, priceIncGst: 5.5, visibility: "hidden" }),
      ],
    },
    {
      connectorId: "c",
      carrier: "CARRIER_C_AU",
      success: true,
      rates: [rate({ serviceCode: "C1", price: 25, eta: null, transitDays: 1 })],
    },
    { connectorId: "d", carrier: "CARRIER_A_AU", success: false, error: { message: "down" } },
  ],
}
const rows = rateRows(reply)
const codes = (list: { serviceCode: string }[]) => list.map(({ serviceCode }) => serviceCode)

const bestRate = (...of: Parameters<typeof sortRates>) => sortRates(...of)[0]

describe("rates over all carriers", () => {
  it("rank by price with hidden services last", () => {
    expect(codes(sortRates(rows, "price", "2026-11-23"))).toEqual(["B1", "C1", "A1", "B0"])
  })

  it("rank by arrival: a number of days counts to the end of its day", () => {
    expect(codes(sortRates(rows, "eta", "2026-11-23"))).toEqual(["A1", "C1", "B1", "B0"])
  })

  it("say only what the carrier said of GST", () => {
    expect(Object.fromEntries(rows.map(({ serviceCode, gstBasis }) => [serviceCode, gstBasis]))).toEqual({
      A1: "not stated",
      B1: "plus GST = 22.00",
      B0: "plus GST = 5.50",
      C1: "not stated",
    })
  })

  it.each([
    ["excluded", 20, 2, 22],
    ["included", 22, 2, 22],
    ["unknown", 20, 3, 22],
    ["unknown", 22, undefined, 22],
    ["unknown", 20, undefined, 22],
    ["unknown", 20, 2, undefined],
  ])("are %s GST at %s, GST %s, %s with it", (basis, price, priceGst, priceIncGst) => {
    const said = { ...(priceGst && { priceGst }), ...(priceIncGst && { priceIncGst }) }
    expect(getGstBasis(rate({ serviceCode: "B1", price, ...said }))).toBe(basis)
  })

  it("show arrival as a time, or as the transit days", () => {
    expect(rows.map(({ arrives }) => arrives)).toEqual([
      "24 Nov 12:00",
      "26 Nov 17:00",
      "not stated",
      "1 day",
    ])
  })

  it("choose a hidden service only when there is nothing else", () => {
    expect(bestRate(rows, "price", undefined)?.serviceCode).toBe("B1")
    expect(
      bestRate(
        rows.filter(({ visibility }) => visibility === "hidden"),
        "price",
        undefined,
      )?.serviceCode,
    ).toBe("B0")
  })

  it("cut an answer down to one rate in the API's own shape", () => {
    const best = bestRate(rows, "price", undefined)
    if (!best) throw new Error("no rate")
    expect(onlyRate(reply, best)).toEqual({
      quoteId: "q1",
      results: [{ ...reply.results[1], rates: [reply.results[1]?.rates?.[0]] }],
    })
  })
})
