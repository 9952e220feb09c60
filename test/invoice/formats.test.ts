import { describe, expect, it } from "vitest"
import {
  explainDate,
  explainDateTime,
  formatSerialDay,
  formatSerialTime,
} from "../../src/invoice/explain/dates.ts"

describe("a date-time", () => {
  it.each([
    ["with Z", "2026-11-20T09:30:00Z"],
    ["with a fraction", "2026-11-20T09:30:06.283185Z"],
    ["with an offset ahead of UTC", "2026-11-20T12:00:27.87+00:20"],
    ["with an offset behind UTC", "2026-11-20T15:59:50.123-08:00"],
    ["with an offset that is not known", "2026-11-20T15:59:50-00:00"],
    ["with the greatest offset", "2026-11-20T15:59:50+23:59"],
    ["with small t and z", "2026-11-20t09:30:06.283185z"],
    ["at the start of a day", "2026-11-20T00:00:00+10:00"],
    ["at the end of a day", "2026-11-20T23:59:59+10:00"],
    ["on a leap day", "2028-02-29T00:00:00Z"],
    ["on a leap day of a fourth century", "2000-02-29T00:00:00Z"],
    ["in the first year there is", "0000-02-29T00:00:00Z"],
    ["with a leap second at the end of December", "1998-12-31T23:59:60Z"],
    ["with a leap second at the end of June", "2015-06-30T23:59:60.5Z"],
    ["with a leap second, west of Greenwich", "1998-12-31T15:59:60.123-08:00"],
    ["with a leap second, east of Greenwich, on the next day", "1999-01-01T01:29:60+01:30"],
    ["with a leap second, far west", "1998-12-31T00:29:60-23:30"],
    ["with a leap second, far east", "1999-01-01T23:29:60+23:30"],
    ["with a leap second in Sydney", "2017-01-01T10:59:60+11:00"],
  ])("may stand %s", (_, text) => {
    expect(explainDateTime(text)).toBeUndefined()
  })

  it.each([
    ["2026-02-31T15:59:59.123-08:00", '"2026-02-31" is not a date: that month has the days 1 to 28'],
    ["2026-02-29T00:00:00Z", '"2026-02-29" is not a date: that month has the days 1 to 28'],
    ["1900-02-29T00:00:00Z", '"1900-02-29" is not a date: that month has the days 1 to 28'],
    ["2026-04-31T00:00:00Z", '"2026-04-31" is not a date: that month has the days 1 to 30'],
    ["2026-12-00T00:00:00Z", '"2026-12-00" is not a date: that month has the days 1 to 31'],
    ["2026-13-01T00:00:00Z", '"2026-13-01" is not a date: there is no month 13'],
    ["2026-00-01T00:00:00Z", '"2026-00-01" is not a date: there is no month 0'],
    ["2026-11-20T25:00:00Z", '"2026-11-20T25:00:00Z": hours go from 00 to 23'],
    ["2026-11-20T23:60:00Z", '"2026-11-20T23:60:00Z": minutes go from 00 to 59'],
    ["1998-12-31T23:59:61Z", '"1998-12-31T23:59:61Z": seconds go from 00 to 59'],
    ["1998-12-31T23:58:60Z", '"1998-12-31T23:58:60Z": seconds go from 00 to 59'],
    ["1998-12-31T22:59:60Z", '"1998-12-31T22:59:60Z": seconds go from 00 to 59'],
    ["1998-12-30T23:59:60Z", '"1998-12-30T23:59:60Z": seconds go from 00 to 59'],
    ["2026-11-20T23:59:60Z", '"2026-11-20T23:59:60Z": seconds go from 00 to 59'],
    ["1998-12-31T23:59:60+01:00", '"1998-12-31T23:59:60+01:00": seconds go from 00 to 59'],
  ])("may not be %s", (text, message) => {
    expect(explainDateTime(text)).toMatchObject({ message })
  })

  it.each([
    ["2026-11-20 09:30:00Z", "has no T between the date and the time", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30:00+1000", 'has "+1000", which is written +10:00', "2026-11-20T09:30:00+10:00"],
    ["2026-11-20T09:30:00+10", 'has "+10", which is written +10:00', "2026-11-20T09:30:00+10:00"],
    ["2026-11-20T09:30:00 +10:00", "has a blank before the offset", "2026-11-20T09:30:00+10:00"],
    ["2026-11-20T09:30Z", "has no seconds", "2026-11-20T09:30:00Z"],
    ["2026-11-20T9:30:00Z", "has an hour of one digit", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30:00,5Z", "has a comma where a point belongs", "2026-11-20T09:30:00.5Z"],
    ["2026-11-20T09:30:00 UTC", 'has "UTC", which is written Z', "2026-11-20T09:30:00Z"],
    ["2026-6-19T08:30:06.28Z", "is not written year-month-day", "2026-06-19T08:30:06.28Z"],
    ["2026-06-1T08:30:06Z", "is not written year-month-day", "2026-06-01T08:30:06Z"],
    ["20261120T09:30:00Z", "is not written year-month-day", "2026-11-20T09:30:00Z"],
    [
      "20/11/2026 9:30+10:00",
      "is not written year-month-day, has no T between the date and the time, has an hour of one digit and has no seconds",
      "2026-11-20T09:30:00+10:00",
    ],
    [" 2026-11-20T09:30:00Z ", "has blanks around it", "2026-11-20T09:30:00Z"],
    ["2026-11-20T09:30:00Z\n", "has blanks around it", "2026-11-20T09:30:00Z"],
  ])("%j is repaired", (text, trouble, meant) => {
    const fault = explainDateTime(text)
    expect(fault?.message.endsWith(` ${trouble}`)).toBe(true)
    expect(fault?.hint).toBe(`write "${meant}"`)
    expect(explainDateTime(meant)).toBeUndefined()
  })

  it.each([
    ["09:30:00 AEST", 'has "AEST", which is written +10:00', "09:30:00+10:00"],
    ["09:30:00 AEDT", 'has "AEDT", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00aedt", 'has "aedt", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00 (AEDT)", 'has "(AEDT)", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00 ACST", 'has "ACST", which is written +09:30', "09:30:00+09:30"],
    ["09:30:00 ACDT", 'has "ACDT", which is written +10:30', "09:30:00+10:30"],
    ["09:30:00 AWST", 'has "AWST", which is written +08:00', "09:30:00+08:00"],
    ["09:30:00 AWDT", 'has "AWDT", which is written +09:00', "09:30:00+09:00"],
    ["09:30:00 ACWST", 'has "ACWST", which is written +08:45', "09:30:00+08:45"],
    ["09:30:00 LHST", 'has "LHST", which is written +10:30', "09:30:00+10:30"],
    ["09:30:00 LHDT", 'has "LHDT", which is written +11:00', "09:30:00+11:00"],
    [
      "09:30:00+11:00[Australia/Sydney]",
      'has "+11:00[Australia/Sydney]", which is written +11:00',
      "09:30:00+11:00",
    ],
    [
      "09:30:00+10:00[Australia/Sydney]",
      'has "+10:00[Australia/Sydney]", which is written +10:00',
      "09:30:00+10:00",
    ],
    ["09:30:00Z[UTC]", 'has "Z[UTC]", which is written Z', "09:30:00Z"],
    ["09:30:00+1100 (AEDT)", 'has "+1100 (AEDT)", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00 GMT+11", 'has "GMT+11", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00[Australia/Sydney]", 'has "[Australia/Sydney]", which is written +11:00', "09:30:00+11:00"],
    ["09:30:00 Australia/Adelaide", 'has "Australia/Adelaide", which is written +10:30', "09:30:00+10:30"],
    ["09:30:00\u221205:00", "has the sign \u2212 (U+2212) where a plain - belongs", "09:30:00-05:00"],
    ["09:30:00\u201305:00", "has the sign \u2013 (U+2013) where a plain - belongs", "09:30:00-05:00"],
    [
      "02:30:00 pm +11:00",
      "has the time in twelve hours (PM) and has a blank before the offset",
      "14:30:00+11:00",
    ],
    ["12:30:00 a.m.+11:00", "has the time in twelve hours (AM)", "00:30:00+11:00"],
  ])("keeps the instant that it states: %j", (time, trouble, meant) => {
    expect(explainDateTime(`2026-11-20T${time}`)).toMatchObject({
      message: `"2026-11-20T${time}" ${trouble}`,
      hint: `write "2026-11-20T${meant}"`,
    })
  })

  it("names a dash that looks like the hyphen of a date", () => {
    const text = "2026\u201111\u201120"
    const message = `"${text}T09:30:00Z" has the sign \u2011 (U+2011) where a plain - belongs`
    expect(explainDateTime(`${text}T09:30:00Z`)).toMatchObject({
      message,
      hint: 'write "2026-11-20T09:30:00Z"',
    })
    expect(explainDate(text)).toMatchObject({
      message: `"${text}" has the sign \u2011 (U+2011) where a plain - belongs`,
      hint: 'write "2026-11-20"',
    })
  })

  it.each([
    ["a zone of another country", "2026-11-20T09:30:00 PST"],
    ["a zone that countries share", "2026-11-20T09:30:00 EST"],
    ["an offset and a zone that contradict each other", "2026-11-20T09:30:00+10:00 (AEDT)"],
    ["an offset and more", "2026-11-20T09:30:00+01:00Z"],
    ["an hour that the clocks show twice", "2026-04-05T02:30:00[Australia/Sydney]"],
    ["an hour that the clocks skip", "2026-10-04T02:30:00[Australia/Sydney]"],
  ])("guesses no offset for %s", (_, text) => {
    expect(explainDateTime(text)).toMatchObject({
      message: expect.stringMatching(/ where the offset belongs$/),
      hint: "write the offset from UTC there: +10:00 for AEST, +11:00 for AEDT, Z for UTC",
    })
  })

  it.each([
    "2026-11-20 noon",
    "Fri Nov 20 2026 09:30:00 GMT+1100",
    `2026-11-20T09:30:00.${"1".repeat(60)}`,
  ])("guesses no time for %j", (text) => {
    expect(explainDateTime(text)?.hint).toBe(
      'write the date, T, the time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    )
  })

  it("guesses no half of the day", () => {
    expect(explainDateTime("2026-11-20T14:30:00 AM+11:00")).not.toHaveProperty("hint")
  })

  it("without a time is told so", () => {
    expect(explainDateTime("2026-11-20")).toMatchObject({
      message: '"2026-11-20" is a date without a time',
      hint: 'write it with a time and its offset from UTC, such as "2026-11-20T09:30:00+10:00"',
    })
  })

  it.each([
    ["20/11/2026", "2026-11-20"],
    ["20 November 2026", "2026-11-20"],
    ["11/20/2026", "2026-11-20"],
  ])("written %j is told its form too", (text, date) => {
    expect(explainDateTime(text)).toMatchObject({
      message: `"${text}" is not written year-month-day and has no time`,
      hint: `write it with a time and its offset from UTC, such as "${date}T09:30:00+10:00"`,
    })
  })

  it("without an offset is told so", () => {
    expect(explainDateTime("2026-11-20T09:30:00")).toMatchObject({
      message: '"2026-11-20T09:30:00" has no offset from UTC',
      hint: 'write it with its offset, such as "2026-11-20T09:30:00+10:00" for AEST; AEDT is +11:00 and UTC is Z',
    })
  })

  it("at 24:00 is the next day's midnight", () => {
    expect(explainDateTime("2026-12-31T24:00:00.000+10:00")).toMatchObject({
      message: '"2026-12-31T24:00:00.000+10:00": hours go from 00 to 23',
      hint: 'midnight is 00:00 of the next day: write "2027-01-01T00:00:00.000+10:00"',
    })
  })

  it("has no hint for an hour after 24", () => {
    expect(explainDateTime("2026-12-31T24:00:01Z")).not.toHaveProperty("hint")
  })

  it.each([
    "2026-11-20T15:59:59-24:00",
    "2026-11-20T15:59:59+01:60",
  ])("has no offset such as in %s", (text) => {
    expect(explainDateTime(text)).toMatchObject({
      message: expect.stringContaining("there is no offset"),
      hint: "an offset has hours up to 23 and minutes up to 59, such as +10:00",
    })
  })

  it("has both an unwritten form and a day that is not, and is blamed for the day", () => {
    expect(explainDateTime("31/02/2026 10:00")).toMatchObject({
      message: '"31/02/2026 10:00" is not a date: that month has the days 1 to 28',
    })
  })

  it.each([
    "",
    " ",
    "T",
    "x",
    "06/19/1963 08:30:06 PST",
    "2026-11-20T09:30:00 AEST",
    "2026-11-20T09:30:00.28+01:00Z",
    "2026-11-20T09:30:00.Z",
    "2026-350T01:01:01",
    "2026-W47-5T00:00:00Z",
    "+12026-11-20T08:30:06Z",
    "2026-11-2৪T00:00:00Z",
    "2026-11-20T0৪:00:00Z",
    "2026-11-20T09:30:00−10:00",
    "2026-11-20T",
    "2026-11-20Tnoon",
    "2026-11-20T09Z",
    "1763631000",
    "\u0000",
    "2026-11-20T09:30:00Z\u0000",
    "9".repeat(100_000),
    " ".repeat(100_000),
    `2026-11-20T09:30:00.${"9".repeat(100_000)}`,
  ])("may not be such a text (%#)", (text) => {
    expect(explainDateTime(text)?.message.length).toBeLessThan(300)
  })

  it("may have any number of decimals of a second", () => {
    expect(explainDateTime(`2026-11-20T09:30:00.${"9".repeat(100_000)}Z`)).toBeUndefined()
  })
})

describe("a date", () => {
  it.each([
    "2026-12-04",
    "2028-02-29",
    "2026-01-31",
    "2026-12-31",
    "0000-01-01",
    "9999-12-31",
  ])("may be %s", (text) => {
    expect(explainDate(text)).toBeUndefined()
  })

  it.each([
    ["24/12/2026", "2026-12-24"],
    ["24.12.2026", "2026-12-24"],
    ["24/12/26", "2026-12-24"],
    ["12/24/2026", "2026-12-24"],
    ["12/12/2026", "2026-12-12"],
    ["4 December 2026", "2026-12-04"],
    ["4th Dec 2026", "2026-12-04"],
    ["04-Dec-26", "2026-12-04"],
    ["December 4, 2026", "2026-12-04"],
    ["2026-1-20", "2026-01-20"],
    ["2026-01-1", "2026-01-01"],
    ["2026/12/04", "2026-12-04"],
    ["20261204", "2026-12-04"],
    ["2026-12-04T00:00:00Z", "2026-12-04"],
    ["2026-12-04 ", "2026-12-04"],
  ])("%j is written %s", (text, date) => {
    expect(explainDate(text)?.hint).toBe(`write "${date}"`)
  })

  it("takes the day to come before the month where both could be, and says so", () => {
    expect(explainDate("04/12/2026")?.hint).toBe('write "2026-12-04", if the day is written before the month')
  })

  it.each([
    "26-11-20",
    "4 Foo 2026",
    "Foo 4, 2026",
    "4 December",
  ])("guesses no year or month of %j", (text) => {
    expect(explainDate(text)?.message).toMatch(/ is not a date$/)
  })

  it.each([
    "2026-13-01",
    "2026-02-29",
    "2026-04-31",
    "2026-06-31",
    "2026-01-00",
    "31/06/2026",
  ])("may not be %s, which the calendar does not have", (text) => {
    expect(explainDate(text)?.message).toMatch(/that month has the days 1 to \d\d$|there is no month \d+$/)
  })

  it.each([
    "",
    "soon",
    "2026-350",
    "2026-W47",
    "2026W475",
    "12-04",
    "2026-12",
    "2026-12-0৪",
    "+2026-12-04",
  ])("may not be %j", (text) => {
    expect(explainDate(text)).toMatchObject({ message: expect.stringMatching(/is not a date$/) })
  })
})

describe("a day as a spreadsheet counts it", () => {
  it.each([
    [36526, "2000-01-01"],
    [46346, "2026-11-20"],
    [46346.99, "2026-11-20"],
    [73050, "2099-12-31"],
  ])("%d is %s", (number, day) => {
    expect(formatSerialDay(number)).toBe(day)
  })

  it.each([0, 36525, 73051, 20261120, Number.NaN, Number.POSITIVE_INFINITY])("is not %d", (number) => {
    expect(formatSerialDay(number)).toBeUndefined()
  })

  it.each([
    [46346.5, "12:00:00"],
    [46346.3958333333, "09:30:00"],
    [46346.999999999, "23:59:59"],
    [46346, undefined],
  ])("%d is the time %s", (number, time) => {
    expect(formatSerialTime(number)).toBe(time)
  })
})
