import { describe, expect, it } from "vitest"
import { formatPlace, parsePlace } from "../../src/contract/places.ts"

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
    ["Alexandria NSW 20155", '"Alexandria NSW 20155" ends in no postcode: "20155" must have four digits'],
    ["Alexandria NSW 201", '"Alexandria NSW 201" ends in no postcode: "201" must have four digits'],
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
