import { describe, expect, it } from "vitest"
import { formatWallClock } from "../../src/contract/wall-clock.ts"
import { parseDay, parseMoment, readWhen } from "../../src/contract/when.ts"

/** A Friday. */
const now = () => ({ year: 2026, month: 11, day: 20, hour: 10, minute: 20, second: 0 })
const moment = (text: string) => {
  const read = parseMoment(text, now)
  return read.ok ? formatWallClock(read.value) : read.reason
}
const day = (text: string) => {
  const read = parseDay(text, now)
  return read.ok ? read.value : read.reason
}

describe("a day and time of people", () => {
  it.each([
    ["tomorrow 10am", "2026-11-21T10:00:00"],
    ["Tomorrow at 10:30 am", "2026-11-21T10:30:00"],
    ["today, 5:00 PM", "2026-11-20T17:00:00"],
    ["23/11/2026 10:00", "2026-11-23T10:00:00"],
    ["23/11 10am", "2026-11-23T10:00:00"],
    ["19/11 10am", "2027-11-19T10:00:00"],
    ["Mon 23 Nov 2026, 10:00", "2026-11-23T10:00:00"],
    ["mon 10am", "2026-11-23T10:00:00"],
    ["Friday 10am", "2026-11-27T10:00:00"],
    ["24 Nov 10am", "2026-11-24T10:00:00"],
    ["Weds 25 Nov 10am", "2026-11-25T10:00:00"],
    ["Thurs 10am", "2026-11-26T10:00:00"],
    ["Fri 11/12/2026 10am", "2026-12-11T10:00:00"],
    ["Thu 11/12/2026 10am", "2026-11-12T10:00:00"],
    ["30 Sept 10am", "2027-09-30T10:00:00"],
    ["Thu 19 Nov 10am", "2026-11-19T10:00:00"],
    ["Thu 19/11 10am", "2026-11-19T10:00:00"],
    ["Fri 19 Nov 10am", "2027-11-19T10:00:00"],
    ["11am", "2026-11-20T11:00:00"],
    ["9am", "2026-11-21T09:00:00"],
  ])("%s is %s", (text, value) => expect(moment(text)).toBe(value))

  it.each([
    ["2026-11-23T10:00", "2026-11-23T10:00:00"],
    ["2026-11-23T10:00:30", "2026-11-23T10:00:30"],
  ])("in the contract's own shape means what it meant: %s", (text, value) => expect(moment(text)).toBe(value))

  it.each([
    ["11/12/2026 10:00", "can be 11 Dec 2026 or 12 Nov 2026: write it as 2026-12-11 or 2026-11-12"],
    ["23/11/2026", "has no time of day: write it as 2026-11-23T10:00"],
    ["2026-11-23 10:00Z", "has a time zone"],
    ["23/11/26 10:00", "has a year of two digits"],
    ["31/11/2026 10:00", "there is no such day"],
    ["soon", "is not a date"],
    ["Fri 30 Nov 10am", '"Fri 30 Nov 10am" is Mon 30 Nov 2026, not a Friday'],
    ["Fri 30 Nov 2026, 10:00", "is Mon 30 Nov 2026, not a Friday"],
    ["Mon tomorrow 10am", "is Sat 21 Nov 2026, not a Monday"],
    ["Wed 11/12/2026 10am", "is Fri 11 Dec 2026, not a Wednesday"],
    ["Wed 19 Nov 10am", "is Fri 19 Nov 2027, not a Wednesday"],
    ["Sat 21 Nov 2025 10am", "is Fri 21 Nov 2025, not a Saturday"],
    // The day of last year is further away than a mistyped weekday.
    ["Sat 22 Nov 10am", "is Sun 22 Nov 2026, not a Saturday"],
    ["monkey 10am", '"monkey" is not a date'],
    ["3 decimal 10am", '"3 decimal" is not a date'],
    ["3 mayor 10am", "is not a date"],
    ["30 Nov 2025 10am", "is Sun 30 Nov 2025, in a year that has passed"],
    ["30 Nov 10 10am", "is Tue 30 Nov 2010, in a year that has passed"],
    ["2025-11-30 10:00", "in a year that has passed"],
    ["tomorrow 25:00", "is not a time of day"],
  ])("%s is refused: %s", (text, reason) => expect(moment(text)).toContain(reason))

  it("is not reckoned from a day that is not known", () => {
    for (const text of ["tomorrow", "mon 10am", "10am", "23/11"]) expect(readWhen(text).ok).toBe(false)
  })
})

describe("a day of people", () => {
  it.each([
    ["2026-11-23", "2026-11-23"],
    ["23/11/2026", "2026-11-23"],
    ["tomorrow", "2026-11-21"],
    ["mon", "2026-11-23"],
    ["23 November", "2026-11-23"],
    ["yesterday", "2026-11-19"],
  ])("%s is %s", (text, value) => expect(day(text)).toBe(value))

  it("is not in a year that has passed, unless it is a day that has been or may be either", () => {
    expect(day("2025-11-30")).toBe('"2025-11-30" is Sun 30 Nov 2025, in a year that has passed')
    for (const towards of ["past", "any"] as const)
      expect(parseDay("2025-11-30", now, towards)).toEqual({ ok: true, value: "2025-11-30" })
  })

  it.each([
    ["23 November", "2025-11-23"],
    ["20/11", "2026-11-20"],
    ["mon", "2026-11-16"],
    ["fri", "2026-11-13"],
    ["tomorrow", "2026-11-21"],
  ])("%s is %s where it is a day that has been", (text, value) =>
    expect(parseDay(text, now, "past")).toMatchObject({ ok: true, value }))

  it("has no time", () => expect(day("tomorrow 10am")).toContain("has a time of day"))
})
