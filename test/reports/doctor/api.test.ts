import { describe, expect, it } from "vitest"
import { apiChecks, type ApiFacts } from "../../../src/reports/doctor/api.ts"
import { FreightError } from "../../../src/base/errors.ts"
import { FREIGHT_KEY } from "../../machine/config/setup.ts"

const oops = new FreightError("config", "something is wrong", { hint: "Fix it.", next: "freight fix" })

const GOOD: ApiFacts = {
  api: "freight",
  platform: "linux",
  key: { value: FREIGHT_KEY, source: "profile", from: "default" },
  baseUrl: { value: "https://freight.example", source: "profile", from: "default" },
  tried: { outcome: "works" },
}
const PRINT: ApiFacts = { ...GOOD, api: "direct-print" }
const NOTHING = { value: undefined, source: "none" } as const

function states(facts: ApiFacts): Record<string, string> {
  return Object.fromEntries(apiChecks(facts).map(({ check, state }) => [check, state]))
}

describe("an API", () => {
  it("that answers: address, key and access are fine", () => {
    expect(states(GOOD)).toEqual({ "freight-address": "ok", "freight-key": "ok", "freight-access": "ok" })
  })

  it("the print API's scopes are reported as far as can be known", () => {
    const [, , scopes] = apiChecks(PRINT)
    expect(scopes).toMatchObject({ check: "print-scopes", state: "ok" })
    expect(scopes?.message).toContain("print-jobs:write shows only when something is printed")
  })

  it("freight without a key fails", () => {
    const unusable = new FreightError("unauthenticated", "not signed in", { next: "freight auth login" })
    const { tried: _, ...untried } = GOOD
    expect(apiChecks({ ...untried, key: NOTHING, baseUrl: NOTHING, unusable })).toEqual([
      { check: "freight-key", state: "fail", message: "not signed in", next: "freight auth login" },
    ])
  })

  const error = new FreightError("rateLimited", "too many requests")
  const ok = { "freight-address": "ok", "freight-key": "ok" }
  const { tried: _, ...untried } = GOOD
  it.each<[what: string, facts: ApiFacts, states: Record<string, string>]>([
    [
      "direct print need not be set up",
      { api: "direct-print", platform: "linux", key: NOTHING, baseUrl: NOTHING, unusable: oops },
      { "direct-print-key": "ok" },
    ],
    [
      "direct print that is set up by half",
      { api: "direct-print", platform: "linux", key: NOTHING, baseUrl: PRINT.baseUrl, unusable: oops },
      { "direct-print-key": "fail" },
    ],
    ["one whose address alone is not well", { ...untried, unusable: oops }, { "freight-address": "fail" }],
    [
      "one that cannot be reached: nothing is said of the key",
      { ...GOOD, tried: { outcome: "failed", error: oops } },
      { "freight-address": "fail" },
    ],
    [
      "one that is asked too often",
      { ...GOOD, tried: { outcome: "failed", error } },
      { "freight-address": "warn" },
    ],
    [
      "one that refuses the key",
      { ...GOOD, tried: { outcome: "refused", error: oops } },
      { ...ok, "freight-key": "fail" },
    ],
    [
      "freight that is not active for the account",
      { ...GOOD, tried: { outcome: "forbidden", error: oops } },
      { ...ok, "freight-access": "fail" },
    ],
    [
      "a print key without devices:read",
      { ...PRINT, tried: { outcome: "forbidden", error: oops } },
      { "direct-print-address": "ok", "direct-print-key": "ok", "print-scopes": "warn" },
    ],
  ])("%s", (_what, facts, expected) => {
    expect(states(facts)).toEqual(expected)
  })

  it("whose address is the other's: they are swapped", () => {
    const [address, ...rest] = apiChecks({
      ...GOOD,
      swapped: "addresses",
      tried: { outcome: "refused", error: oops },
    })
    expect(address).toMatchObject({
      check: "freight-address",
      state: "fail",
      message: "freightBaseUrl holds the address of the direct print API: the two addresses are swapped",
      next: "freight auth login --api freight",
    })
    expect(rest).toEqual([])
  })

  it("what the environment holds is fixed there", () => {
    const key = { value: FREIGHT_KEY, source: "environment", from: "FREIGHT_API_KEY" } as const
    const baseUrl = { ...key, value: "https://freight.example", from: "FREIGHT_BASE_URL" }
    const checkOn = (platform: string) =>
      apiChecks({ ...GOOD, platform, key, baseUrl, tried: { outcome: "refused", error: oops } }).at(-1)
    const check = checkOn("linux")
    expect(check).toMatchObject({
      check: "freight-key",
      next: "unset FREIGHT_API_KEY FREIGHT_BASE_URL; freight auth login --api freight",
    })
    expect(checkOn("win32")?.next).toBe(
      "Remove-Item Env:FREIGHT_API_KEY, Env:FREIGHT_BASE_URL; freight auth login --api freight",
    )
    expect(check?.remedy).toContain("It is set in the environment, as FREIGHT_API_KEY")
  })

  it("whose key is the other's: they are swapped", () => {
    const key = apiChecks({ ...GOOD, swapped: "keys", tried: { outcome: "refused", error: oops } }).at(-1)
    expect(key).toMatchObject({ check: "freight-key", state: "fail" })
    expect(key?.message).toContain("the key of the direct print API: the two keys are swapped")
  })

  it("a key from one place for an address from another is a warning", () => {
    const baseUrl = { value: "https://x.example", source: "environment", from: "FREIGHT_BASE_URL" } as const
    const [mixed] = apiChecks({ ...GOOD, baseUrl })
    expect(mixed).toMatchObject({ check: "freight-sources", state: "warn" })
    expect(mixed?.message).toContain("profile default")
    expect(mixed?.message).toContain("FREIGHT_BASE_URL")
  })

  it("never has the key in a finding", () => {
    const all = ["works", "forbidden", "refused", "failed"] as const
    const text = JSON.stringify(all.flatMap((outcome) => apiChecks({ ...GOOD, tried: { outcome } })))
    expect(text).not.toContain(FREIGHT_KEY.slice(-20))
  })
})

describe("whatever is wrong with an API", () => {
  const error = new FreightError("unavailable", "it does not answer")
  const { tried: _, ...untried } = GOOD
  const unwell: ApiFacts[] = [
    ...(["forbidden", "refused", "failed"] as const).flatMap((outcome) => [
      { ...GOOD, tried: { outcome, error } },
      { ...PRINT, tried: { outcome, error } },
    ]),
    { ...GOOD, swapped: "keys", tried: { outcome: "refused", error } },
    { ...GOOD, swapped: "addresses", tried: { outcome: "failed", error } },
    { ...untried, key: NOTHING, unusable: error },
    { ...untried, baseUrl: { value: "x", source: "environment", from: "FREIGHT_BASE_URL" }, unusable: error },
  ]

  it("is found, and ends with a command or with whom to ask", () => {
    for (const facts of unwell) {
      const found = apiChecks(facts).filter(({ state }) => state !== "ok")
      expect(found, JSON.stringify(facts)).not.toEqual([])
      const isOpen = ({ next, remedy = "" }: (typeof found)[number]) =>
        next === undefined && !/\bAsk\b/.test(remedy)
      expect(found.filter(isOpen)).toEqual([])
    }
  })
})
