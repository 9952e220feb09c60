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

  it.each([
    ["23 November", "2025-11-23"],
    ["20/11", "2026-11-20"],
    ["mon", "2026-11-16"],
    ["fri", "2026-11-13"],
    ["tomorrow", "2026-11-21"],
  ])("%s is %s where it is a day that has been", (text, value) =>
    expect(parseDay(text, now, "past")).toEqual({ ok: true, value }))

  it("has no time", () => expect(day("tomorrow 10am")).toContain("has a time of day"))
})
