import { describe, expect, it } from "vitest"
import { AggregatedRateResponse, ErrorBody, SingleConnectorRateResponse } from "../../src/contract/generated/replies.js"
import type { RatedService, RateRequest } from "../../src/contract/generated/types.ts"
import { as, type Bench, rateRequest, startBench } from "./harness.ts"

async function rateAll({ freight }: Bench, changes: Partial<RateRequest> = {}, key?: string) {
  const { status, body } = await freight("POST", "/rates", rateRequest(changes), key)
  expect(status).toBe(200)
  return as(AggregatedRateResponse, body)
}

async function rateOne({ freight }: Bench, connectorId: string, changes: Partial<RateRequest> = {}) {
  const { status, body } = await freight("POST", `/${connectorId}/rates`, rateRequest(changes))
  expect(status).toBe(200)
  return as(SingleConnectorRateResponse, body)
}

async function priceOf(bench: Bench, connectorId: string, serviceCode: string, changes: Partial<RateRequest> = {}) {
  const { rates } = await rateOne(bench, connectorId, { ...changes, serviceCode })
  return rates[0]?.price ?? Number.NaN
}

describe("POST /rates", () => {
  it("has a result for each active connector", async () => {
    const { results } = await rateAll(await startBench())
    expect(results.map(({ connectorId, success }) => [connectorId, success])).toEqual([
      ["connector-a", true],
      ["connector-b", true],
      ["connector-c", true],
    ])
  })

  it("does not fail when one carrier is down", async () => {
    const to = { suburb: "sandbox:carrier-b-down", postcode: "6160", state: "WA", residential: false }
    const { results } = await rateAll(await startBench(), { to })
    expect(results.map(({ success }) => success)).toEqual([true, false, true])
    expect(results[1]?.error?.message).toContain("carrier B")
    expect(results[1]).not.toHaveProperty("rates")
  })

  it("does not fail when one carrier does not serve the lane", async () => {
    const to = { suburb: "Darwin", postcode: "0800", state: "NT", residential: false }
    const { results } = await rateAll(await startBench(), { to })
    expect(results[1]).toMatchObject({ success: false, error: { code: "LANE_NOT_SERVED" } })
  })

  it("answers with failures alone where no carrier knows the state", async () => {
    const to = { suburb: "Paris", postcode: "7500", state: "France", residential: false }
    const { results } = await rateAll(await startBench(), { to })
    expect(results.map(({ error }) => error?.code)).toEqual(Array(3).fill("LOCATION_UNKNOWN"))
  })

  it("gives a rateId to each rate, all different, and none of them the quoteId", async () => {
    const { quoteId, results } = await rateAll(await startBench())
    const ids = results.flatMap(({ rates = [] }) => rates.map(({ rateId }) => rateId))
    expect(new Set([...ids, quoteId]).size).toBe(ids.length + 1)
  })

  it("gives every call its own quoteId", async () => {
    const bench = await startBench()
    expect((await rateAll(bench)).quoteId).not.toBe((await rateAll(bench)).quoteId)
  })

  it("tells GST for carrier B alone", async () => {
    const { results } = await rateAll(await startBench())
    const withGst = results.map(({ rates = [] }) => rates.every(({ priceGst }) => priceGst !== undefined))
    expect(withGst).toEqual([false, true, false])
  })

  it("tells an eta for carriers A and B, and days for C", async () => {
    const { results } = await rateAll(await startBench())
    const kinds = results.map(({ rates = [] }) => rates.map((rate) => (rate.eta ? "eta" : "days")))
    expect(kinds.map((list) => [...new Set(list)])).toEqual([["eta"], ["eta"], ["days"]])
  })

  it("returns a hidden service, and none that is switched off", async () => {
    const { results } = await rateAll(await startBench())
    const rates = results.flatMap((result) => result.rates ?? [])
    expect(rates.filter(({ visibility }) => visibility === "hidden").map(({ serviceCode }) => serviceCode)).toEqual(["73"])
    expect(rates.map(({ serviceCode }) => serviceCode)).not.toContain("SDY")
  })

  it("prices the named service only", async () => {
    const { results } = await rateAll(await startBench(), { serviceCode: "EXP" })
    expect(results.map(({ rates = [] }) => rates.map(({ serviceCode }) => serviceCode))).toEqual([[], ["EXP"], ["EXP"]])
  })

  it("prices every service for a serviceCode of null", async () => {
    const bench = await startBench()
    const count = ({ results }: AggregatedRateResponse) => results.flatMap(({ rates = [] }) => rates).length
    expect(count(await rateAll(bench, { serviceCode: null }))).toBe(count(await rateAll(bench)))
  })

  it("offers only services that take dangerous goods for dangerous goods", async () => {
    const { results } = await rateAll(await startBench(), { dangerousGoods: true })
    const codes = results.flatMap(({ rates = [] }) => rates.map(({ serviceCode }) => serviceCode))
    expect(codes).toEqual(["76", "73", "EXP", "GEN", "STD"])
  })

  it("names every field that is wrong", async () => {
    const { freight } = await startBench()
    const request = { ...rateRequest(), dangerousGoods: undefined, packages: [{ count: 1 }], wrong: true }
    const { status, body } = await freight("POST", "/rates", request)
    expect(status).toBe(400)
    const fields = as(ErrorBody, body).errors?.map(({ field }) => field)
    expect(fields).toContain("dangerousGoods")
    expect(fields).toContain("packages[0].weightKg")
    expect(fields).toContain("wrong")
  })

  it("names a nested field by its path", async () => {
    const { freight } = await startBench()
    const from = { suburb: "Alexandria", postcode: "2015", state: "NSW" }
    const { body } = await freight("POST", "/rates", { ...rateRequest(), from })
    expect(as(ErrorBody, body).errors?.map(({ field }) => field)).toEqual(["from.residential"])
  })
})

type AggregatedRateResponse = Awaited<ReturnType<typeof rateAll>>

describe("POST /{connectorId}/rates", () => {
  it("prices that connector", async () => {
    const { rates } = await rateOne(await startBench(), "connector-a")
    expect(rates.map(({ serviceCode }) => serviceCode)).toEqual(["701", "712", "75", "76", "73"])
  })

  it("prices the named service only", async () => {
    const { rates } = await rateOne(await startBench(), "connector-a", { serviceCode: "75" })
    expect(rates.map(({ serviceCode }) => serviceCode)).toEqual(["75"])
  })

  it.each([
    ["unknown", "nobody", "freight"],
    ["inactive", "second-b-inactive", "secondTenantFreight"],
    ["of another tenant", "connector-a", "secondTenantFreight"],
  ])("is a 404 for a connector that is %s", async (_, id, key) => {
    const { freight, sandbox } = await startBench()
    const { status, body } = await freight("POST", `/${id}/rates`, rateRequest(), sandbox.keys[key])
    expect(status).toBe(404)
    expect(as(ErrorBody, body).message).toContain("Connector")
  })

  it("is a 502 when the carrier is down", async () => {
    const { freight } = await startBench()
    const from = { suburb: "Sandbox:Carrier-A-Down", postcode: "2015", state: "NSW", residential: false }
    const { status, body } = await freight("POST", "/connector-a/rates", rateRequest({ from }))
    expect(status).toBe(502)
    expect(as(ErrorBody, body).message).toContain("carrier A")
  })

  it("is a 400 with code and message when the carrier refuses", async () => {
    const { freight } = await startBench()
    const to = { suburb: "Darwin", postcode: "0800", state: "NT", residential: false }
    const { status, body } = await freight("POST", "/connector-b/rates", rateRequest({ to }))
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.[0]).toMatchObject({ code: "LANE_NOT_SERVED", message: expect.any(String) })
  })
})

describe("prices", () => {
  it("are the same for the same request", async () => {
    const bench = await startBench()
    expect(await priceOf(bench, "connector-a", "76")).toBe(await priceOf(bench, "connector-a", "76"))
  })

  it("are whole cents", async () => {
    const bench = await startBench()
    const rates = (await rateAll(bench)).results.flatMap((result) => result.rates ?? [])
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
      (await priceOf(bench, connector, code, { businessUnit: "UNIT_B" })) - (await priceOf(bench, connector, code))
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
    return (rates[0] as RatedService).eta
  }

  it("is a date-time without a zone", async () => {
    const bench = await startBench()
    expect(await etaOf(bench, "connector-a", { serviceCode: "712" })).toBe("2026-11-24T12:00:00")
  })

  it("passes over the weekend", async () => {
    const bench = await startBench()
    expect(await etaOf(bench, "connector-a", { serviceCode: "75", date: "2026-11-27" })).toBe("2026-11-30T17:00:00")
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
