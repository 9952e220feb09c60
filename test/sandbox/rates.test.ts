import { describe, expect, it } from "vitest"
import {
  AggregatedRateResponse,
  ErrorBody,
  SingleConnectorRateResponse,
} from "../../src/contract/generated/replies.js"
import type { RateRequest } from "../../src/contract/generated/types.ts"
import { as, type Bench, rateRequest, startBench } from "./harness.ts"

type Changes = Partial<RateRequest>

const place = (suburb: string, postcode: string, state: string) => ({
  ...{ suburb, postcode, state, residential: false },
})
const DARWIN = place("Darwin", "0800", "NT")

async function rateAll({ freight }: Bench, changes: Changes = {}) {
  const { status, body } = await freight("POST", "/rates", rateRequest(changes))
  expect(status).toBe(200)
  return as(AggregatedRateResponse, body)
}

async function rateOne({ freight }: Bench, connectorId: string, changes: Changes = {}) {
  const { status, body } = await freight("POST", `/${connectorId}/rates`, rateRequest(changes))
  expect(status).toBe(200)
  return as(SingleConnectorRateResponse, body)
}

const codesOf = (rates: readonly { serviceCode: string }[] = []) =>
  rates.map(({ serviceCode }) => serviceCode)

describe("POST /rates", () => {
  it("has a result for each active connector, with what each carrier tells", async () => {
    const bench = await startBench()
    const { quoteId, results } = await rateAll(bench)
    const told = results.map(({ connectorId, success, rates = [] }) => [
      connectorId,
      success,
      ...new Set(
        rates.map(({ eta, priceGst }) => `${eta ? "eta" : "days"}${priceGst === undefined ? "" : ", GST"}`),
      ),
    ])
    expect(told).toEqual([
      ["connector-a", true, "eta"],
      ["connector-b", true, "eta, GST"],
      ["connector-c", true, "days"],
    ])
    const rates = results.flatMap((result) => result.rates ?? [])
    expect(codesOf(rates.filter(({ visibility }) => visibility === "hidden"))).toEqual(["73"])
    // It is switched off.
    expect(codesOf(rates)).not.toContain("SDY")
    expect(new Set([...rates.map(({ rateId }) => rateId), quoteId]).size).toBe(rates.length + 1)
    expect((await rateAll(bench)).quoteId).not.toBe(quoteId)
    expect(rates.every(({ price }) => /^\d+(\.\d{1,2})?$/.test(String(price)))).toBe(true)
  })

  it.each<[what: string, to: RateRequest["to"], failures: (string | undefined)[]]>([
    ["is down", place("sandbox:carrier-b-down", "6160", "WA"), [undefined, "carrier B", undefined]],
    ["does not serve the lane", DARWIN, [undefined, "LANE_NOT_SERVED", undefined]],
    ["knows the state", place("Paris", "7500", "France"), Array(3).fill("LOCATION_UNKNOWN")],
  ])("does not fail when a carrier, or none, %s", async (_what, to, failures) => {
    const { results } = await rateAll(await startBench(), { to })
    expect(results.map(({ success }) => success)).toEqual(failures.map((failure) => failure === undefined))
    for (const [at, { error, rates }] of results.entries())
      if (failures[at] !== undefined)
        expect([`${error?.code} ${error?.message}`, rates]).toEqual([
          expect.stringContaining(failures[at]),
          undefined,
        ])
  })

  it.each<[what: string, changes: Changes, codes: string[]]>([
    ["the named service only", { serviceCode: "EXP" }, ["EXP", "EXP"]],
    ["services that take dangerous goods only", { dangerousGoods: true }, ["76", "73", "EXP", "GEN", "STD"]],
  ])("prices %s", async (_what, changes, codes) => {
    const { results } = await rateAll(await startBench(), changes)
    expect(results.flatMap(({ rates }) => codesOf(rates))).toEqual(codes)
  })

  it("prices every service for a serviceCode of null", async () => {
    const bench = await startBench()
    const [some, all] = [await rateAll(bench, { serviceCode: null }), await rateAll(bench)]
    const codes = [some, all].map(({ results }) => results.flatMap(({ rates }) => codesOf(rates)))
    expect(codes[0]).toEqual(codes[1])
  })

  it.each<[what: string, changes: object, fields: string[]]>([
    [
      "every field that is wrong",
      { dangerousGoods: undefined, packages: [{ count: 1 }], wrong: true },
      ["dangerousGoods", "packages[0].weightKg", "wrong"],
    ],
    [
      "a nested one by its path",
      { from: { suburb: "Alexandria", postcode: "2015", state: "NSW" } },
      ["from.residential"],
    ],
  ])("names %s", async (_what, changes, fields) => {
    const { freight } = await startBench()
    const { status, body } = await freight("POST", "/rates", { ...rateRequest(), ...changes })
    expect(status).toBe(400)
    expect(as(ErrorBody, body).errors?.map(({ field }) => field)).toEqual(expect.arrayContaining(fields))
  })

  it("refuses what nests too deep", async () => {
    const deep = Array.from({ length: 1001 }).reduce((inner) => [inner], [])
    const message = "The body nests arrays and objects more than 1,000 deep"
    expect(await (await startBench()).freight("POST", "/rates", deep)).toMatchObject({
      status: 400,
      body: { message },
    })
  })
})

describe("POST /{connectorId}/rates", () => {
  it.each([
    ["that connector", {}, ["701", "712", "75", "76", "73"]],
    ["the named service only", { serviceCode: "75" }, ["75"]],
  ])("prices %s", async (_what, changes, codes) => {
    expect(codesOf((await rateOne(await startBench(), "connector-a", changes)).rates)).toEqual(codes)
  })

  const HEAVY = [{ count: 1000, lengthCm: 100, widthCm: 100, heightCm: 100, weightKg: 500 }]
  it.each<[what: string, connectorId: string, changes: Changes, status: number, told: string]>([
    ["is down", "connector-a", { from: place("Sandbox:Carrier-A-Down", "2015", "NSW") }, 502, "carrier A"],
    ["does not serve the lane", "connector-b", { to: DARWIN }, 400, "LANE_NOT_SERVED"],
    ["cannot lift it", "connector-a", { packages: HEAVY }, 400, "TOO_HEAVY"],
  ])("fails when the carrier %s", async (_what, connectorId, changes, status, told) => {
    const { freight } = await startBench()
    const answer = await freight("POST", `/${connectorId}/rates`, rateRequest(changes))
    const { message, errors = [] } = as(ErrorBody, answer.body)
    expect(answer.status).toBe(status)
    expect(status === 502 ? message : errors[0]?.code).toContain(told)
    expect(errors.every((error) => error.message)).toBe(true)
  })
})

describe("prices", () => {
  const small = { lengthCm: 1, widthCm: 1, heightCm: 1 }
  const packed = (changes: object): Changes => ({
    packages: [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5, ...changes }],
  })
  const { from, to } = rateRequest()
  const home = { residential: true }

  it.each<
    [what: string, connectorId: string, serviceCode: string, changes: Changes, than: Changes, sign: number]
  >([
    ["are the same for the same request", "connector-a", "76", {}, {}, 0],
    ["rise with the distance", "connector-a", "76", {}, { to: place("Newtown", "2042", "NSW") }, 1],
    ["rise outside the capitals", "connector-a", "76", { to: place("Broome", "6725", "WA") }, {}, 1],
    ["rise with the weight", "connector-a", "76", packed({ weightKg: 25 }), {}, 1],
    [
      "go by volume where that is more",
      "connector-a",
      "76",
      packed({ lengthCm: 100, widthCm: 100, heightCm: 100 }),
      {},
      1,
    ],
    [
      "take no next 100 g for a slip of floating point",
      "connector-a",
      "76",
      packed({ ...small, count: 3, weightKg: 1.1 }),
      packed({ ...small, count: 1, weightKg: 3.3 }),
      0,
    ],
    ["heed isDocument on carrier A", "connector-a", "76", { isDocument: true }, {}, -1],
    ["heed no isDocument on carrier B", "connector-b", "GEN", { isDocument: true }, {}, 0],
    ["heed businessUnit on carrier C", "connector-c", "STD", { businessUnit: "UNIT_B" }, {}, -1],
    ["heed no businessUnit on carrier A", "connector-a", "76", { businessUnit: "UNIT_B" }, {}, 0],
    [
      "carry a residential surcharge at each end",
      "connector-a",
      "76",
      { from: { ...from, ...home }, to: { ...to, ...home } },
      {},
      16.5,
    ],
  ])("%s", async (_what, connectorId, serviceCode, changes, than, sign) => {
    const bench = await startBench()
    const price = async (asked: Changes) =>
      (await rateOne(bench, connectorId, { ...asked, serviceCode })).rates[0]?.price ?? Number.NaN
    const difference = (await price(changes)) - (await price(than))
    if (sign === 16.5) expect(difference).toBeCloseTo(sign, 5)
    else expect(Math.sign(difference)).toBe(sign)
  })

  it("add up with GST to the cent", async () => {
    const { rates } = await rateOne(await startBench(), "connector-b")
    const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 100)
    const sums = rates.map(({ price, priceGst }) => cents(price) + cents(priceGst))
    expect(rates.map(({ priceIncGst }) => cents(priceIncGst))).toEqual(sums)
  })
})

describe("estimated delivery", () => {
  const TUESDAY_IN_SYDNEY_MONDAY_IN_PERTH = Date.parse("2026-11-23T14:00:00Z")

  it.each([
    ["is a date-time without a zone", "connector-a", { serviceCode: "712" }, "2026-11-24T12:00:00"],
    ["passes over the weekend", "connector-a", { date: "2026-11-27" }, "2026-11-30T17:00:00"],
    [
      "is a day later past carrier A's booking cut-off",
      "connector-a",
      { localDateTime: "2026-11-23T15:00:01" },
      "2026-11-25T17:00:00",
    ],
    [
      "is not later at the cut-off itself",
      "connector-a",
      { localDateTime: "2026-11-23T15:00:00" },
      "2026-11-24T17:00:00",
    ],
    [
      "is not later for a day other than today",
      "connector-a",
      { date: "2026-11-24", localDateTime: "2026-11-23T20:00:00" },
      "2026-11-25T17:00:00",
    ],
    [
      "takes no heed of localDateTime on carrier B",
      "connector-b",
      { serviceCode: "PRM", localDateTime: "2026-11-23T23:00:00" },
      "2026-11-24T17:00:00",
    ],
    ["counts from today in Sydney without a date", "connector-a", { date: undefined }, "2026-11-25T17:00:00"],
    [
      "counts from today in the timezone given",
      "connector-a",
      { date: undefined, timezone: "Australia/Perth", localDateTime: "2026-11-23T09:00:00" },
      "2026-11-24T17:00:00",
    ],
    [
      "takes no heed of a zone that is not one of the seven",
      "connector-a",
      { date: undefined, timezone: "Australia/Eucla" },
      "2026-11-25T17:00:00",
    ],
  ] as [string, string, Changes, string][])("%s", async (_what, connectorId, changes, eta) => {
    const bench = await startBench()
    if ("date" in changes && changes.date === undefined)
      bench.clock.advance(TUESDAY_IN_SYDNEY_MONDAY_IN_PERTH - bench.clock.now())
    const { rates } = await rateOne(bench, connectorId, { serviceCode: "75", ...changes })
    expect(rates[0]?.eta).toBe(eta)
  })
})
