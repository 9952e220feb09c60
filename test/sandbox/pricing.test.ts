import { describe, expect, it } from "vitest"
import {
  AggregatedRateResponse,
  ErrorBody,
  SingleConnectorRateResponse,
} from "../../src/contract/generated/replies.js"
import type { RateRequest } from "../../src/contract/generated/types.ts"
import { as, type Bench, rateRequest, startBench } from "./harness.ts"

async function rateOne({ freight }: Bench, connectorId: string, changes: Partial<RateRequest> = {}) {
  const { status, body } = await freight("POST", `/${connectorId}/rates`, rateRequest(changes))
  expect(status).toBe(200)
  return as(SingleConnectorRateResponse, body)
}

async function priceOf(
  bench: Bench,
  connectorId: string,
  serviceCode: string,
  changes: Partial<RateRequest> = {},
) {
  const { rates } = await rateOne(bench, connectorId, { ...changes, serviceCode })
  return rates[0]?.price ?? Number.NaN
}

describe("prices", () => {
  it("are the same for the same request", async () => {
    const bench = await startBench()
    expect(await priceOf(bench, "connector-a", "76")).toBe(await priceOf(bench, "connector-a", "76"))
  })

  it("are whole cents", async () => {
    const bench = await startBench()
    const { body } = await bench.freight("POST", "/rates", rateRequest())
    const rates = as(AggregatedRateResponse, body).results.flatMap((result) => result.rates ?? [])
    expect(rates.every(({ price }) => /^\d+(\.\d{1,2})?$/.test(String(price)))).toBe(true)
  })

  it("add up with GST to the cent", async () => {
    const { rates } = await rateOne(await startBench(), "connector-b")
    const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
    const sums = rates.map(({ price, priceGst }) => cents(price) + cents(priceGst))
    expect(rates.map(({ priceIncGst }) => cents(priceIncGst))).toEqual(sums)
  })

  it("rise with the distance", async () => {
    const bench = await startBench()
    const near = { suburb: "Newtown", postcode: "2042", state: "NSW", residential: false }
    expect(await priceOf(bench, "connector-a", "76", { to: near })).toBeLessThan(
      await priceOf(bench, "connector-a", "76"),
    )
  })

  it("rise outside the capitals", async () => {
    const bench = await startBench()
    const regional = { suburb: "Broome", postcode: "6725", state: "WA", residential: false }
    expect(await priceOf(bench, "connector-a", "76", { to: regional })).toBeGreaterThan(
      await priceOf(bench, "connector-a", "76"),
    )
  })

  it("rise with the weight", async () => {
    const bench = await startBench()
    const heavy = [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 25 }]
    expect(await priceOf(bench, "connector-a", "76", { packages: heavy })).toBeGreaterThan(
      await priceOf(bench, "connector-a", "76"),
    )
  })

  it("go by volume where that is more", async () => {
    const bench = await startBench()
    const bulky = [{ count: 2, lengthCm: 100, widthCm: 100, heightCm: 100, weightKg: 5.5 }]
    expect(await priceOf(bench, "connector-a", "76", { packages: bulky })).toBeGreaterThan(
      await priceOf(bench, "connector-a", "76"),
    )
  })

  it("take no next 100 g for a slip of floating point", async () => {
    const bench = await startBench()
    const small = { lengthCm: 1, widthCm: 1, heightCm: 1 }
    const three = [{ count: 3, ...small, weightKg: 1.1 }]
    const one = [{ count: 1, ...small, weightKg: 3.3 }]
    expect(await priceOf(bench, "connector-a", "76", { packages: three })).toBe(
      await priceOf(bench, "connector-a", "76", { packages: one }),
    )
  })

  it("carry a residential surcharge at each end", async () => {
    const bench = await startBench()
    const { from, to } = rateRequest()
    const plain = await priceOf(bench, "connector-a", "76")
    const home = { ...to, residential: true }
    const both = await priceOf(bench, "connector-a", "76", { from: { ...from, residential: true }, to: home })
    expect(both - plain).toBeCloseTo(16.5, 5)
  })

  it("heed isDocument on carrier A alone", async () => {
    const bench = await startBench()
    const change = async (connector: string, code: string) =>
      (await priceOf(bench, connector, code, { isDocument: true })) - (await priceOf(bench, connector, code))
    expect([await change("connector-a", "76"), await change("connector-b", "GEN")]).toEqual([
      expect.toSatisfy((difference: number) => difference < 0),
      0,
    ])
  })

  it("heed businessUnit on carrier C alone", async () => {
    const bench = await startBench()
    const change = async (connector: string, code: string) =>
      (await priceOf(bench, connector, code, { businessUnit: "UNIT_B" })) -
      (await priceOf(bench, connector, code))
    expect([await change("connector-c", "STD"), await change("connector-a", "76")]).toEqual([
      expect.toSatisfy((difference: number) => difference < 0),
      0,
    ])
  })

  it("are refused for what no carrier can lift", async () => {
    const { freight } = await startBench()
    const packages = [{ count: 1000, lengthCm: 100, widthCm: 100, heightCm: 100, weightKg: 500 }]
    const { status, body } = await freight("POST", "/connector-a/rates", rateRequest({ packages }))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.[0]?.code).toBe("TOO_HEAVY")
  })
})

describe("estimated delivery", () => {
  const etaOf = async (bench: Bench, connectorId: string, changes: Partial<RateRequest>) => {
    const { rates } = await rateOne(bench, connectorId, changes)
    return rates[0]?.eta
  }

  it("is a date-time without a zone", async () => {
    const bench = await startBench()
    expect(await etaOf(bench, "connector-a", { serviceCode: "712" })).toBe("2026-11-24T12:00:00")
  })

  it("passes over the weekend", async () => {
    const bench = await startBench()
    expect(await etaOf(bench, "connector-a", { serviceCode: "75", date: "2026-11-27" })).toBe(
      "2026-11-30T17:00:00",
    )
  })

  it("is a day later past carrier A's booking cut-off of the day", async () => {
    const bench = await startBench()
    const late = { serviceCode: "75", localDateTime: "2026-11-23T15:00:01" }
    expect(await etaOf(bench, "connector-a", late)).toBe("2026-11-25T17:00:00")
  })

  it("is not later at the cut-off itself", async () => {
    const bench = await startBench()
    const inTime = { serviceCode: "75", localDateTime: "2026-11-23T15:00:00" }
    expect(await etaOf(bench, "connector-a", inTime)).toBe("2026-11-24T17:00:00")
  })

  it("is not later for a shipping date other than today", async () => {
    const bench = await startBench()
    const tomorrow = { serviceCode: "75", date: "2026-11-24", localDateTime: "2026-11-23T20:00:00" }
    expect(await etaOf(bench, "connector-a", tomorrow)).toBe("2026-11-25T17:00:00")
  })

  it("takes no heed of localDateTime on carrier B", async () => {
    const bench = await startBench()
    const late = { serviceCode: "PRM", localDateTime: "2026-11-23T23:00:00" }
    expect(await etaOf(bench, "connector-b", late)).toBe("2026-11-24T17:00:00")
  })

  const TUESDAY_IN_SYDNEY_MONDAY_IN_PERTH = Date.parse("2026-11-23T14:00:00Z")
  const undated = (changes: Partial<RateRequest>) => {
    const { date: _, ...request } = rateRequest({ serviceCode: "75", ...changes })
    return request
  }

  async function undatedEta(changes: Partial<RateRequest>) {
    const bench = await startBench()
    bench.clock.advance(TUESDAY_IN_SYDNEY_MONDAY_IN_PERTH - bench.clock.now())
    const { body } = await bench.freight("POST", "/connector-a/rates", undated(changes))
    return as(SingleConnectorRateResponse, body).rates[0]?.eta
  }

  it("counts from today in Sydney without a date", async () => {
    expect(await undatedEta({})).toBe("2026-11-25T17:00:00")
  })

  it("counts from today in the timezone given", async () => {
    expect(await undatedEta({ timezone: "Australia/Perth", localDateTime: "2026-11-23T09:00:00" })).toBe(
      "2026-11-24T17:00:00",
    )
  })

  it("takes no heed of a zone that is not one of the seven", async () => {
    expect(await undatedEta({ timezone: "Australia/Eucla" })).toBe("2026-11-25T17:00:00")
  })
})
