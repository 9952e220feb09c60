import { describe, expect, it } from "vitest"
import {
  AggregatedRateResponse,
  ErrorBody,
  SingleConnectorRateResponse,
} from "../../src/contract/generated/replies.js"
import type { RateRequest } from "../../src/contract/generated/types.ts"
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

describe("POST /rates", () => {
  it("has a result for each active connector", async () => {
    const { results } = await rateAll(await startBench())
    expect(results.map(({ connectorId, success }) => [connectorId, success])).toEqual([
      ["connector-a", true],
      ["connector-b", true],
      ["connector-c", true],
    ])
  })

  it("refuses what nests too deep", async () => {
    const deep = Array.from({ length: 1001 }).reduce((inner) => [inner], [])
    const { status, body } = await (await startBench()).freight("POST", "/rates", deep)
    expect([status, body]).toEqual([
      400,
      { message: "The body nests arrays and objects more than 1,000 deep" },
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
    expect(
      rates.filter(({ visibility }) => visibility === "hidden").map(({ serviceCode }) => serviceCode),
    ).toEqual(["73"])
    expect(rates.map(({ serviceCode }) => serviceCode)).not.toContain("SDY")
  })

  it("prices the named service only", async () => {
    const { results } = await rateAll(await startBench(), { serviceCode: "EXP" })
    expect(results.map(({ rates = [] }) => rates.map(({ serviceCode }) => serviceCode))).toEqual([
      [],
      ["EXP"],
      ["EXP"],
    ])
  })

  it("prices every service for a serviceCode of null", async () => {
    const bench = await startBench()
    const [some, all] = [await rateAll(bench, { serviceCode: null }), await rateAll(bench)]
    const codes = [some, all].map(({ results }) =>
      results.flatMap(({ rates = [] }) => rates.map(({ serviceCode }) => serviceCode)),
    )
    expect(codes[0]).toEqual(codes[1])
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
    expect(as(ErrorBody, body).errors?.[0]).toMatchObject({
      code: "LANE_NOT_SERVED",
      message: expect.any(String),
    })
  })
})
