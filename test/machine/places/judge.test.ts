import { readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { placeWarnings } from "../../../src/contract/place-doubts.ts"
import { formatPlace, parsePlace, type Place } from "../../../src/contract/places.ts"
import { valueOrThrow } from "../../../src/base/parsed.ts"
import { createPlaces } from "../../../src/machine/places/judge.ts"
import { loadPlaceList } from "../../../src/machine/places/load.ts"
import { isLetterOff, WORDS } from "../../../src/machine/places/near.ts"

const list = await loadPlaceList()
const places = createPlaces(list)
const toPlace = (text: string): Place => valueOrThrow(parsePlace(text), "the place")

/** Rows of a CSV without quotes, its heading left out. */
function rowsOf(file: string): string[][] {
  const [, ...lines] = readFileSync(path.join(import.meta.dirname, file), "utf8")
    .trim()
    .split("\n")
  return lines.map((line) => line.split(","))
}

describe("the list of places", () => {
  it("has each of its own rows, in each of its states", () => {
    const triples = rowsOf("../../../data/localities.csv").flatMap(
      ([suburb = "", states = "", postcode = ""]) =>
        states.split("|").map((state) => ({ suburb, state, postcode })),
    )
    expect(triples.length).toBeGreaterThan(15_318)
    expect(triples.filter((each) => places.findDoubt(each))).toEqual([])
  })

  it("has 300 names in common use", () => {
    const names = rowsOf("names-in-use.csv").map(([suburb = "", state = "", postcode = ""]) => ({
      suburb,
      state,
      postcode,
    }))
    expect(names.length).toBeGreaterThan(300)
    expect(names.filter((each) => places.findDoubt(each))).toEqual([])
  })

  it("is packed in 250 kB", () => {
    const { length } = readFileSync(
      path.join(import.meta.dirname, "../../../src/machine/places/generated/packed.js"),
    )
    expect(length).toBeLessThan(250_000)
  })
})

describe("a place that is judged", () => {
  it.each([
    ["Fremantle WA 6160", []],
    ["FREMANTLE Western Australia 6160", []],
    ["O Connor WA 6163", ["O'Connor WA 6163"]],
    ["oconnor WA 6163", []],
    ["Brighton Le Sands NSW 2216", []],
    ["Darwin NT 0800", []],
    ["Fremantlee WA 6160", ["Fremantle WA 6160"]],
    ["Fremnatle WA 6160", ["Fremantle WA 6160"]],
    ["Fremntle WA 6160", ["Fremantle WA 6160"]],
    ["Fremamtle WA 6160", ["Fremantle WA 6160"]],
    ["Mt Gambier SA 5290", ["Mount Gambier SA 5290"]],
    ["Saint Kilda VIC 3182", ["St Kilda VIC 3182"]],
    ["East St Kilda VIC 3183", ["St Kilda East VIC 3183"]],
    ["St Kilda VIC 3183", ["St Kilda VIC 3182", "St Kilda East VIC 3183"]],
    ["Fremantle WA 6159", ["Fremantle WA 6160", "North Fremantle WA 6159"]],
    ["Richmond VIC 3000", ["Richmond VIC 3121"]],
    ["Queanbeyan ACT 2620", ["Queanbeyan NSW 2620", "Queanbeyan East NSW 2620", "Queanbeyan West NSW 2620"]],
    ["Alcie Springs NT 0870", ["Alice Springs NT 0870"]],
    // Two letters off, at the same postcode only.
    ["Alixe Sprigs NT 0870", ["Alice Springs NT 0870"]],
    ["Mt Gambeir SA 5290", ["Mount Gambier SA 5290"]],
  ])("%s", (text, near) => {
    expect(places.findDoubt(toPlace(text))?.near.map(formatPlace) ?? []).toEqual(near)
  })

  it.each([
    ["is refused in any case: a state that the postcode cannot have", "Fremantle", "NSW", "6160"],
    ["is refused in any case: no state of Australia", "Auckland", "AUK", "1010"],
    ["is refused in any case: no postcode", "Darwin", "NT", "800"],
    ["has no suburb", " ", "WA", "6160"],
  ])("is left alone where it %s", (_, suburb, state, postcode) => {
    expect(places.findDoubt({ suburb, state, postcode })).toBeUndefined()
  })

  it.each([
    ["Fremantlee WA 6160", "Fremantle WA 6160"],
    ["Fremntle WA 6160", "Fremantle WA 6160"],
    ["Fremamtle WA 6160", "Fremantle WA 6160"],
    ["Fremnatle WA 6160", "Fremantle WA 6160"],
    ["Mt Gambier SA 5290", "Mount Gambier SA 5290"],
    ["Sydney NSW 2001", "Sydney NSW 2000"],
    // The name may be incomplete.
    ["St Kilda VIC 3183", undefined],
    ["Richmond VIC 3000", undefined],
    ["Xyzzy NSW 2000", undefined],
  ])("%s is fixed only where one place is plainly meant", (text, fixed) => {
    const fix = places.findDoubt(toPlace(text))?.fix
    expect(fix && formatPlace(fix)).toBe(fixed)
  })

  it.each([
    [
      "Fremantlee WA 6160",
      'receiver.suburb "Fremantlee" is not a known place with WA 6160',
      "receiver.suburb",
    ],
    [
      "Fremantle WA 6159",
      "receiver.postcode is 6159, which is not a postcode of Fremantle WA",
      "receiver.postcode",
    ],
    [
      "Queanbeyan ACT 2620",
      "receiver.state is ACT, but Queanbeyan 2620 is in another state",
      "receiver.state",
    ],
    ["Xyzzy NSW 2000", 'receiver.suburb "Xyzzy" is not a known place with NSW 2000', "receiver.suburb"],
    ["Geelong TAS 7000", 'receiver.suburb "Geelong" is not a known place with TAS 7000', "receiver.suburb"],
  ])("%s is reported at its field", (text, message, field) => {
    expect(placeWarnings(toPlace(text), ["receiver"], places)).toMatchObject([
      { message: expect.stringMatching(new RegExp(`^${message}[:;] `)), path: field },
    ])
  })

  it("of another state is offered where the state and the postcode are of no place with its name", () => {
    const doubt = places.findDoubt(toPlace("Geelong TAS 7000"))
    expect(doubt?.near.map(formatPlace)).toEqual(["Geelong VIC 3220"])
    expect(doubt?.fix).toBeUndefined()
  })

  it.each(Object.entries(WORDS))("may have %s for %s", (short, full) => {
    const [localities] = [...list.byName].flatMap(([key, found]) =>
      key.split(" ").includes(full) ? [{ key, place: found[0] }] : [],
    )
    const { key = "", place } = localities ?? {}
    expect(place, full).toBeDefined()
    const suburb = key.replace(new RegExp(`\\b${full}\\b`), short)
    const doubt = places.findDoubt({ suburb, state: place?.states[0] ?? "", postcode: place?.postcode ?? "" })
    expect(doubt?.near[0]?.suburb).toBe(place?.name)
  })

  it("exists where a team keeps it", () => {
    const own = createPlaces(list, [toPlace("Quarry Siding WA 6160")])
    expect(places.findDoubt(toPlace("Quarry Siding WA 6160"))).toBeDefined()
    expect(own.findDoubt(toPlace("quarry siding WA 6160"))).toBeUndefined()
    expect(own.findDoubt(toPlace("Quarry Siding WA 6159"))).toBeDefined()
  })
})

describe("a suburb and a postcode", () => {
  it.each([
    ["Fremantle", "WA", "6000", true],
    ["Fremantle", undefined, "6000", true],
    ["Fremantle", "WA", "6160", false],
    ["Darwin", "NT", "0800", false],
    // Merely absent.
    ["Xyzzy", "WA", "6160", false],
    ["Fremantle", "WA", "6999", false],
    ["Fremantle", "Otago", "6000", false],
    ["Fremantle", "NSW", "6000", false],
  ])("contradict each other: %s %s %s is %s", (suburb, state, postcode, isContradiction) => {
    expect(places.findContradiction({ suburb, state, postcode }) !== undefined).toBe(isContradiction)
  })
})

describe("what is being typed", () => {
  it.each([
    ["Frem", 1, ["Fremantle WA 6160"]],
    ["fremantle wa", 1, ["Fremantle WA 6160"]],
    ["st kil", 3, ["St Kilda VIC 3182", "St Kilda East VIC 3183", "St Kilda West VIC 3182"]],
    ["3000", 2, ["Melbourne VIC 3000"]],
    ["3182", 2, ["St Kilda VIC 3182", "St Kilda West VIC 3182"]],
    ["jervis bay 2540", 3, ["Jervis Bay NSW 2540", "Jervis Bay ACT 2540"]],
    ["jervis bay act", 3, ["Jervis Bay ACT 2540"]],
    ["xyzzy", 3, []],
    ["", 3, []],
  ])("%s is completed", (typed, most, expected) => {
    expect(places.complete(typed, most).map(formatPlace)).toEqual(expected)
  })
})

it.each([
  ["Richmond", ["VIC 3121", "NSW 2753", "SA 5033", "TAS 7025", "QLD 4822"].map((at) => `Richmond ${at}`)],
  ["fremantle", ["Fremantle WA 6160"]],
  ["frem", ["Fremantle WA 6160"]],
  ["Hobbart", ["Hobart TAS 7000"]],
  ["Hobbart TAS", ["Hobart TAS 7000"]],
  ["Hobbart VIC", []],
  ["Fremantlee WA", ["Fremantle WA 6160"]],
  ["xyzzy", []],
])("the candidates for %s are the places of nearly that name", (name, expected) => {
  expect(places.findNamed(name, 5).map(formatPlace)).toEqual(expected)
})

it.each([
  ["abc", "abcd", true],
  ["abcd", "abc", true],
  ["abc", "acb", true],
  ["abc", "abd", true],
  ["abc", "bac", true],
  ["abc", "cba", false],
  ["abc", "abcde", false],
  ["abcd", "badc", false],
])("%s and %s are one letter off: %s", (one, other, is) => expect(isLetterOff(one, other)).toBe(is))
