import { describe, expect, it } from "vitest"
import { postcodeWarnings, repairPostcode, statesOfPostcode } from "../../src/contract/places.ts"

describe("statesOfPostcode", () => {
  it.each([
    ["0200", ["ACT"]],
    ["0800", ["NT"]],
    ["0999", ["NT"]],
    ["1000", ["NSW"]],
    ["2000", ["NSW"]],
    ["2599", ["NSW"]],
    ["2600", ["ACT"]],
    ["2617", ["ACT"]],
    ["2619", ["NSW"]],
    ["2899", ["NSW"]],
    ["2900", ["ACT"]],
    ["2920", ["ACT"]],
    ["2921", ["NSW"]],
    ["3000", ["VIC"]],
    ["4000", ["QLD"]],
    ["5000", ["SA"]],
    ["5999", ["SA"]],
    ["6000", ["WA"]],
    ["6799", ["WA"]],
    ["7000", ["TAS"]],
    ["8000", ["VIC"]],
    ["9999", ["QLD"]],
  ])("%s is in %j", (postcode, states) => {
    expect(statesOfPostcode(postcode)).toEqual(states)
  })

  it.each([
    ["0872", ["NT", "SA", "WA"]],
    ["2406", ["NSW", "QLD"]],
    ["2540", ["NSW", "ACT"]],
    ["2611", ["ACT", "NSW"]],
    ["2618", ["ACT", "NSW"]],
    ["2620", ["NSW", "ACT"]],
    ["3585", ["VIC", "NSW"]],
    ["3644", ["VIC", "NSW"]],
    ["3691", ["VIC", "NSW"]],
    ["3707", ["VIC", "NSW"]],
    ["4380", ["QLD", "NSW"]],
    ["4383", ["QLD", "NSW"]],
    ["4825", ["QLD", "NT"]],
  ])("%s crosses a border: %j", (postcode, states) => {
    expect(statesOfPostcode(postcode)).toEqual(states)
  })

  it.each([
    "0000",
    "0199",
    "0300",
    "0799",
    "800",
    "20155",
    "2O15",
    "",
    " 2015",
  ])("%j is in none", (postcode) => {
    expect(statesOfPostcode(postcode)).toEqual([])
  })
})

describe("repairPostcode", () => {
  it.each([
    ["800", "NT", "0800"],
    [800, "NT", "0800"],
    [872, "WA", "0872"],
    [800, undefined, "0800"],
    ["200", "ACT", "0200"],
    [2015, "NSW", "2015"],
    [" 2015 ", undefined, "2015"],
    ["0800", "NT", "0800"],
    [800, "Northern Territory", "0800"],
    [800, "somewhere", "0800"],
  ])("makes of %j in %s %s", (postcode, state, repaired) => {
    expect(repairPostcode(postcode, state)).toBe(repaired)
  })

  it.each([
    [800, "NSW"],
    [201, "NSW"],
    [300, undefined],
    [80, "NT"],
    ["20155", "NSW"],
    [2015.5, "NSW"],
    [-800, "NT"],
    ["", "NT"],
    ["800a", "NT"],
    [Number.NaN, undefined],
  ])("knows no repair for %j in %s", (postcode, state) => {
    expect(repairPostcode(postcode, state)).toBeUndefined()
  })
})

describe("postcodeWarnings", () => {
  const warn = (state: string, postcode: string) => postcodeWarnings({ state, postcode }, ["receiver"])

  it.each([
    ["NSW", "2015"],
    ["nsw", "2015"],
    ["New South Wales", "2015"],
    ["WA", "0872"],
    ["NSW", "4383"],
  ])("lets %s %s pass", (state, postcode) => {
    expect(warn(state, postcode)).toEqual([])
  })

  it("says to which state a postcode belongs", () => {
    expect(warn("VIC", "2015")).toEqual([
      {
        pointer: "/receiver/postcode",
        path: "receiver.postcode",
        keyword: "postcode",
        message: "receiver.postcode 2015 belongs to NSW, not to VIC",
        hint: "check state and postcode of this address",
      },
    ])
  })

  it("offers the lost zero", () => {
    expect(warn("NT", "800")[0]?.hint).toBe('did you mean "0800"?')
  })

  it("offers no zero that makes no sense", () => {
    expect(warn("NSW", "800")[0]?.hint).toBe("write it as text of four digits")
  })

  it("says that a postcode is in use nowhere", () => {
    expect(warn("NT", "0300")[0]?.message).toBe("receiver.postcode 0300 is in use nowhere")
  })

  it("lists the states when it does not know the one given", () => {
    expect(warn("Otago", "2015").map(({ path, hint }) => [path, hint])).toEqual([
      ["receiver.state", "use one of NSW, VIC, QLD, SA, WA, TAS, NT, ACT"],
    ])
  })
})
