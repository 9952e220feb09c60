import { describe, expect, it } from "vitest"
import {
  checkPostcode,
  formatPlace,
  parseAddress,
  parsePlace,
  repairPostcode,
  statesOfPostcode,
} from "../../src/contract/places.ts"

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
    ["2648", ["NSW", "VIC"]],
    ["2540", ["NSW", "ACT"]],
    ["2611", ["ACT", "NSW"]],
    ["2618", ["ACT", "NSW"]],
    ["2620", ["NSW", "ACT"]],
    ["3500", ["VIC", "NSW"]],
    ["3585", ["VIC", "NSW"]],
    ["3586", ["VIC", "NSW"]],
    ["3644", ["VIC", "NSW"]],
    ["3691", ["VIC", "NSW"]],
    ["3707", ["VIC", "NSW"]],
    ["4375", ["QLD", "NSW"]],
    ["4377", ["QLD", "NSW"]],
    ["4380", ["QLD", "NSW"]],
    ["4383", ["QLD", "NSW"]],
    ["4385", ["QLD", "NSW"]],
    ["4493", ["QLD", "NSW"]],
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

describe("checkPostcode", () => {
  const warn = (state: string, postcode: string) => checkPostcode({ state, postcode }, ["receiver"])

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
        hint: "check the state and postcode of this address",
      },
    ])
  })

  it("offers the lost zero", () => {
    expect(warn("NT", "800")[0]?.hint).toBe('did you mean "0800"?')
  })

  it("offers no zero that makes no sense", () => {
    expect(warn("NSW", "800")[0]?.hint).toBe("write it as text of four digits")
  })

  it("says that a postcode is not in use", () => {
    expect(warn("NT", "0300")[0]?.message).toBe("receiver.postcode 0300 is not in use")
  })

  it("lists the states when it does not know the one given", () => {
    expect(warn("Otago", "2015").map(({ path, hint }) => [path, hint])).toEqual([
      ["receiver.state", "use one of NSW, VIC, QLD, SA, WA, TAS, NT, ACT"],
    ])
  })
})

function read(text: string): string {
  const result = parsePlace(text)
  return result.ok ? Object.values(result.value).join("|") : result.reason
}

describe("parsePlace", () => {
  it.each([
    ["Alexandria NSW 2015", "Alexandria|NSW|2015"],
    ["  Alexandria,  nsw , 2015 ", "Alexandria|NSW|2015"],
    ["Alexandria 2015 NSW", "Alexandria|NSW|2015"],
    ["Alexandria, New South Wales, 2015", "Alexandria|NSW|2015"],
    ["Alexandria 2015 New South Wales", "Alexandria|NSW|2015"],
    ["Alexandria N.S.W. 2015", "Alexandria|NSW|2015"],
    ["Alice Springs NT 0870", "Alice Springs|NT|0870"],
    ["Alice Springs Northern Territory 870", "Alice Springs|NT|0870"],
    ["Darwin City NT 800", "Darwin City|NT|0800"],
    ["Victoria Park WA 6100", "Victoria Park|WA|6100"],
    ["Victoria Point Queensland 4165", "Victoria Point|QLD|4165"],
    ["Victoria Park 6100", "Victoria Park|WA|6100"],
    ["East Victoria Park Western Australia 6101", "East Victoria Park|WA|6101"],
    ["Wagga Wagga NSW 2650", "Wagga Wagga|NSW|2650"],
    ["St Mary's SA 5042", "St Mary's|SA|5042"],
    ["Town of 1770 QLD 4677", "Town of 1770|QLD|4677"],
    ["O’Connor Australian Capital Territory 2602", "O’Connor|ACT|2602"],
    ["Perth VIC 6000", "Perth|VIC|6000"],
    ["Fremantle 6160", "Fremantle|WA|6160"],
    ["Darwin City 0800", "Darwin City|NT|0800"],
  ])("reads %j", (text, parts) => {
    expect(read(text)).toBe(parts)
  })

  it.each([
    ["Jervis Bay 2540", '"Jervis Bay 2540" has no state: write a place as "Jervis Bay NSW 2540"'],
    ["Alexandria NSW", '"Alexandria NSW" has no postcode: write a place as "Alexandria NSW 2015"'],
    ["NSW 2015", '"NSW 2015" has no suburb: write a place as "Alexandria NSW 2015"'],
    ["2015", '"2015" has no suburb: write a place as "Alexandria NSW 2015"'],
    ["Alexandria", '"Alexandria" has no state and no postcode: write a place as "Alexandria NSW 2015"'],
    ["", '"" has no suburb and no state and no postcode: write a place as "Alexandria NSW 2015"'],
    [
      "Alexandria NSW 20155",
      '"Alexandria NSW 20155" does not end in a postcode: "20155" must have four digits',
    ],
    ["Carlton Vic toria 3053", '"Carlton Vic toria 3053": "Vic toria" is not a state: did you mean VIC?'],
    ["Vic toria VIC 3053", '"Vic toria VIC 3053": "Vic toria" is not a state: did you mean VIC?'],
    ["Carlton V I C 3053", '"Carlton V I C 3053": "V I C" is not a state: did you mean VIC?'],
    ["Carlton VIC Australia 3053", '"Carlton VIC Australia 3053": write the state, VIC, after the suburb'],
    ["Alexandria NSW 201", '"Alexandria NSW 201" does not end in a postcode: "201" must have four digits'],
  ])("says what is missing from %j", (text, reason) => {
    expect(read(text)).toBe(reason)
  })

  it("keeps a hostile text short and harmless in its reason", () => {
    expect(read(`\u001b]0;x\u0007${"a ".repeat(100_000)}`)).toMatch(
      /^"[a� ]{59}…" has no state and no postcode/,
    )
  })
})

describe("formatPlace", () => {
  it("writes what parsePlace reads", () => {
    const place = { suburb: "Alice Springs", state: "NT", postcode: "0870" }
    expect(parsePlace(formatPlace(place))).toEqual({ ok: true, value: place })
  })
})

describe("an address in one line", () => {
  const FREMANTLE = { suburb: "Fremantle", state: "WA", postcode: "6160" }
  it.each([
    ["8 Market Street, Fremantle WA 6160", { address1: "8 Market Street", ...FREMANTLE }],
    ["8 Market Street, Fremantle, WA, 6160, Australia", { address1: "8 Market Street", ...FREMANTLE }],
    ["3/8 Market Street; Fremantle 6160", { address1: "3/8 Market Street", ...FREMANTLE }],
    [
      "Port Street Fittings, 8 Market Street, Fremantle WA 6160",
      { companyName: "Port Street Fittings", address1: "8 Market Street", ...FREMANTLE },
    ],
    [
      "Unit 3, 8 Market Street, Fremantle WA 6160",
      { address1: "8 Market Street", address2: "Unit 3", ...FREMANTLE },
    ],
    ["PO Box 12, Fremantle WA 6160", { address1: "PO Box 12", ...FREMANTLE }],
    [
      "Port Street Fittings, 8 Market Street, Fremantle WA 6160, 08 5550 4321",
      {
        companyName: "Port Street Fittings",
        address1: "8 Market Street",
        ...FREMANTLE,
        phoneAreaCode: "08",
        phoneNumber: "55504321",
      },
    ],
    [
      "8 Market Street, Fremantle WA 6160, dock@port.example, 0491 570 156",
      { address1: "8 Market Street", ...FREMANTLE, email: "dock@port.example", phoneNumber: "0491570156" },
    ],
  ])("%s", (text, value) => expect(parseAddress(text)).toEqual({ ok: true, value }))

  it.each([
    "Fremantle WA 6160",
    "8 Market Street",
    "warehouse",
    "",
    "St Kilda, Melbourne VIC 3004",
    "8 Market Street, 08 5550 4321",
    "Fittings, 8 Market Street, 55 5550 4321",
  ])("'%s' is none", (text) => expect(parseAddress(text).ok).toBe(false))

  it.each([
    ["8 Lygon Street, Carlton Vic toria 3053", '"Vic toria" is not a state'],
    ["Lamps, 8 Lygon Street, Jervis Bay 2540", "has no state"],
  ])("says what is wrong with the place of %s", (text, reason) => {
    expect(parseAddress(text)).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })
})
