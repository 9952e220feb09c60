import { describe, expect, it } from "vitest"
import {
  CONTRACT_ZONES,
  DEFAULT_ZONE,
  isContractZone,
  STATE_CODES,
  stateCode,
  zoneOfState,
  zoneOrDefault,
} from "../../src/contract/zones.ts"

describe("CONTRACT_ZONES", () => {
  it("are the seven distinct zones", () => {
    expect([...CONTRACT_ZONES].sort()).toEqual([
      "Australia/Adelaide",
      "Australia/Brisbane",
      "Australia/Darwin",
      "Australia/Hobart",
      "Australia/Melbourne",
      "Australia/Perth",
      "Australia/Sydney",
    ])
  })

  it("are all known to this Node", () => {
    expect(CONTRACT_ZONES.filter((zone) => !Intl.supportedValuesOf("timeZone").includes(zone))).toEqual([])
  })
})

describe("zoneOfState", () => {
  it.each([
    ["NSW", "Australia/Sydney"],
    ["ACT", "Australia/Sydney"],
    ["VIC", "Australia/Melbourne"],
    ["QLD", "Australia/Brisbane"],
    ["SA", "Australia/Adelaide"],
    ["WA", "Australia/Perth"],
    ["TAS", "Australia/Hobart"],
    ["NT", "Australia/Darwin"],
    ["western australia", "Australia/Perth"],
  ])("of %s is %s", (state, zone) => {
    expect(zoneOfState(state)).toBe(zone)
  })

  it.each(["", "XX", "NZ", "constructor", "__proto__"])("of %j is unknown", (state) => {
    expect(zoneOfState(state)).toBeUndefined()
    expect(zoneOrDefault(state)).toBe(DEFAULT_ZONE)
  })
})

describe("isContractZone", () => {
  it.each(CONTRACT_ZONES)("accepts %s", (zone) => {
    expect(isContractZone(zone)).toBe(true)
  })

  it.each([
    "Australia/Lord_Howe",
    "Australia/Broken_Hill",
    "Australia/ACT",
    "Australia/Canberra",
    "Australia/NSW",
    "Australia/Eucla",
    "Australia/Lindeman",
    "Australia/Currie",
    "australia/sydney",
    "Pacific/Auckland",
    "UTC",
    "",
  ])("refuses %j, which the server ignores", (zone) => {
    expect(isContractZone(zone)).toBe(false)
  })
})

describe("stateCode", () => {
  it.each([
    ["NSW", "NSW"],
    ["nsw", "NSW"],
    [" n.s.w. ", "NSW"],
    ["New  South Wales", "NSW"],
    ["victoria", "VIC"],
    ["Vic.", "VIC"],
    ["QUEENSLAND", "QLD"],
    ["South Australia", "SA"],
    ["W.A.", "WA"],
    ["Tasmania", "TAS"],
    ["Northern Territory", "NT"],
    ["Australian Capital Territory", "ACT"],
  ])("of %j is %s", (text, code) => {
    expect(stateCode(text)).toBe(code)
  })

  it("knows eight states and territories", () => {
    expect(STATE_CODES).toHaveLength(8)
  })

  it.each(["", "Australia", "Wales", "toString"])("of %j is unknown", (text) => {
    expect(stateCode(text)).toBeUndefined()
  })
})
