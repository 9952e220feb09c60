/** The words for nothing: on no label, and no zero where a program lost a number. */
import { describe, expect, it } from "vitest"
import { isNoValue, saysNothing, saysZero } from "../../src/base/nothing.ts"

const BY_PEOPLE = [
  "-",
  "--",
  "---",
  "\u2013",
  "\u2014",
  "\u2212",
  "$ -",
  "A$-",
  "N/A",
  "n/a",
  "N/A.",
  "n.a.",
  "(n/a)",
  "nil",
  "NIL",
  "Nil",
  "N / A",
  "not applicable",
  "Not provided",
  "(not set)",
]
const BY_PROGRAMS = [
  "null",
  "NULL",
  "(null)",
  "<null>",
  "[null]",
  "None",
  "none",
  "NONE",
  "(none)",
  "undefined",
  "NaN",
  "nan",
  "<NA>",
  "\\N",
  "(blank)",
  "(empty)",
  "null null",
  "undefined undefined",
  "None, None",
]

describe("words for nothing", () => {
  it.each([...BY_PEOPLE, ...BY_PROGRAMS, " - "])("say that there is no value: %j", (text) => {
    expect([saysNothing(text), isNoValue(text)]).toEqual([true, true])
  })

  it.each([
    ...["", "0", "Null", "Nan", "NA", "Nil Desperandum", "Jenny Null", "1 None St", "null@null.example"],
    ...["None of the gates is locked", "-5", "----", "blank", "empty", "n/a today", "undefined behaviour"],
    ...["null undefined none", "Not set in stone", "not provided by us"],
  ])("are no part of a name or a sentence: %j", (text) => {
    expect(saysNothing(text)).toBe(false)
  })

  it.each(["NA", "na", "TBA", " tbc ", "Null", "NAN"])("where no name is expected, are also %j", (text) => {
    expect(isNoValue(text)).toBe(true)
  })

  it("are a zero only where people wrote them", () => {
    expect(["-", " $ - ", "nil", "NIL", "N/A", "n/a", "\u2014"].every(saysZero)).toBe(true)
    expect([...BY_PROGRAMS, "", "0", "TBA"].some(saysZero)).toBe(false)
  })
})
