import { describe, expect, it } from "vitest"
import { findErrors } from "../../../src/contract/check.ts"
import * as requests from "../../../src/contract/generated/requests.js"
import type { Address, RateRequest } from "../../../src/contract/generated/types.ts"
import { checkRateRequest, rateDefaults } from "../../../src/contract/request-rules.ts"
import { rateRequest } from "../rule-examples.ts"

/** Past midnight in Sydney and in Brisbane, still the day before in Adelaide's west. */
const NOW = Date.UTC(2026, 10, 20, 14, 20, 30)

function from(state: string): Address {
  return { ...rateRequest.from, state }
}

describe("rateDefaults", () => {
  it.each([
    ["NSW", "2026-11-21", "2026-11-21T01:20:30", "Australia/Sydney"],
    ["ACT", "2026-11-21", "2026-11-21T01:20:30", "Australia/Sydney"],
    ["QLD", "2026-11-21", "2026-11-21T00:20:30", "Australia/Brisbane"],
    ["SA", "2026-11-21", "2026-11-21T00:50:30", "Australia/Adelaide"],
    ["NT", "2026-11-20", "2026-11-20T23:50:30", "Australia/Darwin"],
    ["western australia", "2026-11-20", "2026-11-20T22:20:30", "Australia/Perth"],
  ])("reckons day and time at the collection in %s", (state, date, localDateTime, timezone) => {
    expect(rateDefaults({ ...rateRequest, from: from(state) }, NOW)).toMatchObject({
      date,
      localDateTime,
      timezone,
    })
  })

  it("makes a request that keeps the schema", () => {
    expect(findErrors(requests.RateRequest, rateDefaults(rateRequest, NOW))).toEqual([])
  })

  it("keeps what is given", () => {
    const given = { date: "2026-12-01", localDateTime: "2026-11-30T09:00:00", timezone: "Australia/Darwin" }
    expect(rateDefaults({ ...rateRequest, ...given }, NOW)).toEqual({ ...rateRequest, ...given })
  })

  it("goes by a zone that is given and counts", () => {
    expect(rateDefaults({ ...rateRequest, timezone: "Australia/Sydney" }, NOW).date).toBe("2026-11-21")
  })

  it("goes by the state where the given zone does not count", () => {
    expect(rateDefaults({ ...rateRequest, timezone: "Australia/Lord_Howe" }, NOW).date).toBe("2026-11-20")
  })

  it("takes Sydney's day and sends no zone where the state is not known", () => {
    const filled = rateDefaults({ ...rateRequest, from: from("?") }, NOW)
    expect([filled.date, filled.timezone]).toEqual(["2026-11-21", undefined])
  })

  it("leaves the request that it was given alone", () => {
    const before = structuredClone(rateRequest)
    rateDefaults(rateRequest, NOW)
    expect(rateRequest).toEqual(before)
  })
})

describe("checkRateRequest", () => {
  const warnings = (change: Partial<RateRequest>) =>
    checkRateRequest({ ...rateRequest, ...change }).warnings.map(({ path, hint }) => [path, hint])

  it("finds nothing in a request that is in order", () => {
    expect(checkRateRequest(rateRequest)).toEqual({ errors: [], warnings: [] })
  })

  it("finds nothing in what rateDefaults filled in", () => {
    expect(checkRateRequest(rateDefaults(rateRequest, NOW), "CARRIER_A_AU")).toEqual({
      errors: [],
      warnings: [],
    })
  })

  it.each([
    "Australia/Lord_Howe",
    "Australia/West",
    "Pacific/Auckland",
    "perth",
  ])("warns that %s does not count", (timezone) => {
    expect(warnings({ timezone })).toEqual([["timezone", "use Australia/Perth"]])
  })

  it("lists the seven zones where the state is not known", () => {
    expect(warnings({ timezone: "UTC", from: from("?") }).at(-1)?.[1]).toMatch(
      /^use one of (Australia\/\w+(, )?){7}$/,
    )
  })

  it("warns of a zone that is not the collection's", () => {
    expect(warnings({ timezone: "Australia/Sydney" })).toEqual([
      ["timezone", "use Australia/Perth, or leave it out"],
    ])
  })

  it("holds both states against their postcodes", () => {
    expect(
      checkRateRequest({
        ...rateRequest,
        from: from("SA"),
        to: { ...rateRequest.to, postcode: "800" },
      }).errors.map(({ path }) => path),
    ).toEqual(["from.postcode", "to.postcode"])
  })

  it("names the fields that the one carrier does not read", () => {
    const { warnings: found } = checkRateRequest(
      { ...rateRequest, isDocument: true, businessUnit: "UNIT_A" },
      "CARRIER_B_AU",
    )
    expect(found.map(({ path }) => path)).toEqual(["isDocument", "businessUnit"])
  })

  it("says nothing of single carriers' fields when all are asked", () => {
    expect(warnings({ isDocument: true, businessUnit: "UNIT_A" })).toEqual([])
  })
})
