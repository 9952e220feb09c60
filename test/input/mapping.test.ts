/** Meanings that `--map` gives to columns: they come before those of the headings, and add to them. */
import { describe, expect, it } from "vitest"
import { FreightError } from "../../src/base/errors.ts"
import { createMapping, listColumnNames, mapFlags, refuseUnknown } from "../../src/input/columns/mapping.ts"
import type { Shop } from "../../src/input/columns/notation.ts"
import { batchColumns } from "../../src/orders/batch/columns/columns.ts"

const columns = batchColumns()
const SHOP: Shop = {
  ...{ name: "A shop", all: ["Order"], oneOf: ["Total"], statuses: {} },
  ...{ meanings: { Label: "reference" }, unused: ["Notes"] },
}

function fieldOf(map: readonly string[], header: string, shop?: Shop) {
  const meaning = createMapping(columns, map).meaning(header, shop)
  if ("field" in meaning) return [meaning.field?.name, "unit" in meaning ? meaning.unit?.name : undefined]
  return "likely" in meaning ? "unknown" : "asked"
}

function refusal(text: string) {
  try {
    createMapping(columns, [text])
  } catch (error) {
    if (error instanceof FreightError) return [error.kind, error.message, error.hint]
    throw error
  }
  return undefined
}

describe("what --map says of a column", () => {
  it.each([
    ["a field", ["Label=reference"], "Label", ["reference", undefined]],
    ["behind the last sign, for a heading with signs", ["a=b=reference"], "a=b", ["reference", undefined]],
    ["a heading of one sign", ["==reference"], "=", ["reference", undefined]],
    ["nothing: it is left out", ["Company="], "Company", [undefined, undefined]],
    ["a heading in other letters", ["LABEL no.=reference"], "label No", ["reference", undefined]],
    ["a heading that is no word", ["#=reference"], "#", ["reference", undefined]],
    ["a field in other words", ["Label=Company"], "Label", ["receiver.companyName", undefined]],
    ["last", ["Label=reference", "Label=receiver.companyName"], "Label", ["receiver.companyName", undefined]],
    [
      "a measure, in the unit of its heading",
      ["Weight (g)=package.totalWeightKg"],
      "Weight (g)",
      ["package.totalWeightKg", "g"],
    ],
    [
      "another kind, without the unit of its heading",
      ["Weight (g)=package.lengthCm"],
      "Weight (g)",
      ["package.lengthCm", undefined],
    ],
  ])("is %s", (_, map, header, field) => {
    expect(fieldOf(map, header)).toEqual(field)
  })

  it("is said of no other column", () => {
    const { isMapped, named, writingsOf } = createMapping(columns, [
      "Label =reference",
      "Weight=decimalComma",
      "a=b=reference",
    ])
    expect([isMapped("label"), isMapped("Weight"), named]).toEqual([true, false, ["Label", "Weight", "a=b"]])
    expect([writingsOf("weight"), writingsOf("Label")]).toEqual([["decimalComma"], []])
  })

  it.each([
    ["Label", ["usage", '--map takes COLUMN=FIELD, not "Label"', undefined]],
    ["=reference", ["usage", '--map takes COLUMN=FIELD, not "=reference"', undefined]],
    [
      "Label=referense",
      ["usage", '--map "Label=referense": there is no field "referense"', 'Did you mean "reference"?'],
    ],
    ["Label=zzz", ["usage", '--map "Label=zzz": there is no field "zzz"', "All of them:"]],
  ])("is refused: %s", (text, refused) => {
    expect(refusal(text)).toEqual(refused)
  })
})

describe("the export of a shop", () => {
  it.each([
    ["has meanings of its own", [], "label", ["reference", undefined]],
    ["that --map comes before", ["Label=receiver.companyName"], "Label", ["receiver.companyName", undefined]],
    ["has columns that are not used", [], "Notes", "unknown"],
    ["has the day of the order, which others do not say", [], "Date", "unknown"],
    ["has headings of all files besides", [], "Company", ["receiver.companyName", undefined]],
  ])("%s", (_, map, header, field) => {
    expect(fieldOf(map, header, SHOP)).toEqual(field)
  })

  it("is no other file, in which a date is asked about", () => {
    expect(fieldOf([], "Date")).toBe("asked")
  })
})

it("numbers columns with one heading, but for those that have none", () => {
  expect(listColumnNames(["Fee", "", "fee.", "#", "", "#", "Fee"])).toEqual([
    "Fee",
    "",
    "fee.#2",
    "#",
    "",
    "##2",
    "Fee#3",
  ])
})

describe("a column that is not used", () => {
  const likely = (field?: string) => ({ likely: () => field })
  const open = { error: "it can mean two", hint: "say which" }
  it.each([
    [
      "is refused where it is probably misspelt",
      "Sububr ",
      likely("receiver.suburb"),
      false,
      true,
      'the column "Sububr" is unknown',
    ],
    [
      "is left out where its cells are not of that",
      "Sububr",
      likely("receiver.suburb"),
      false,
      false,
      undefined,
    ],
    ["is left out where nothing is like it", "Zzz", likely(), false, true, undefined],
    ["is left out with --ignore-unknown", "Sububr", likely("receiver.suburb"), true, true, undefined],
    ["is refused where it is not clear", "X", open, false, true, "it can mean two"],
    ["is left out with --ignore-unknown where no answer is known", "X", open, true, true, undefined],
    [
      "is refused all the same where there is one",
      "X",
      { ...open, choices: ["reference"] },
      true,
      true,
      "it can mean two",
    ],
  ])("%s", (_, header, meaning, ignores, fits, error) => {
    expect(
      refuseUnknown(
        header,
        meaning,
        ignores,
        () => fits,
        (field) => field,
      )?.error,
    ).toBe(error)
  })
})

it("writes flags as a shell takes them", () => {
  expect(
    mapFlags([
      ["Weight", "package.weightKg"],
      ["Parcels left", ""],
    ]),
  ).toBe('--map Weight=package.weightKg --map "Parcels left="')
})
