import { afterEach, describe, expect, it } from "vitest"
import {
  addDays,
  formatClock,
  formatDate,
  formatHhmm,
  formatNear,
  formatTime,
  formatWallClock,
  formatWithOffset,
  instantOf,
  minutesOfDay,
  nextBusinessDay,
  parseCloseTime,
  parseDate,
  parseTimeOfDay,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../../src/contract/wall-clock.ts"
import { CONTRACT_ZONES, type ContractZone } from "../../src/contract/zones.ts"

function at(text: string): WallClock {
  const result = parseWallClock(text)
  if (!result.ok) throw new Error(result.reason)
  return result.value
}

function reasonOf(result: { ok: true } | { ok: false; reason: string }): string {
  return result.ok ? "" : result.reason
}

describe("parseWallClock", () => {
  it("reads the figures as they stand", () => {
    expect(parseWallClock("2026-11-23T10:05:09")).toEqual({
      ok: true,
      value: { year: 2026, month: 11, day: 23, hour: 10, minute: 5, second: 9 },
    })
  })

  it("takes a time without seconds", () => {
    expect(formatWallClock(at("2026-11-23T10:00"))).toBe("2026-11-23T10:00:00")
  })

  it("drops a fraction of a second", () => {
    expect(formatWallClock(at("2026-11-23T10:00:59.999"))).toBe("2026-11-23T10:00:59")
  })

  it("takes 29 February in a leap year", () => {
    expect(at("2028-02-29T00:00").day).toBe(29)
  })

  it.each([
    "2026-11-23T10:00Z",
    "2026-11-23T10:00:00z",
    "2026-11-23T10:00+11:00",
    "2026-11-23T10:00:00-0330",
    "2026-11-23T10:00+11",
  ])("refuses the zone of %s and says whose clock it is", (text) => {
    expect(reasonOf(parseWallClock(text))).toMatch(/has a time zone: .* local to the collection address/)
  })

  it.each([
    ["2026-02-29T10:00", "days 1 to 28"],
    ["2026-11-31T10:00", "days 1 to 30"],
    ["1900-02-29T10:00", "days 1 to 28"],
    ["2026-11-00T10:00", "days 1 to 30"],
    ["2026-13-01T10:00", "no month 13"],
    ["2026-00-01T10:00", "no month 0"],
    ["2026-11-23T24:00", '"24:00" is not a time of day'],
    ["2026-11-23T10:60", '"10:60" is not a time of day'],
    ["2026-11-23T10:00:60", '"10:00:60" is not a time of day'],
    ["2026-11-23 10:00", "write it as 2026-11-23T10:00"],
    ["2026-11-23", "write it as 2026-11-23T10:00"],
    ["23/11/2026 10:00", "write it as 2026-11-23T10:00"],
    ["2026-11-23T1:00", "write it as 2026-11-23T10:00"],
    ["2026-11-23T10:00.5", "write it as 2026-11-23T10:00"],
    ["", "write it as 2026-11-23T10:00"],
  ])("refuses %j: %s", (text, reason) => {
    expect(reasonOf(parseWallClock(text))).toContain(reason)
  })

  it("answers a hostile text at once, with a short and harmless reason", () => {
    expect(reasonOf(parseWallClock(`\u001b[2J${"T".repeat(200_000)}`))).toMatch(/^"T{59}…" is not/)
  })
})

describe("parseDate", () => {
  it("reads a day", () => {
    expect(parseDate("2026-11-23")).toEqual({ ok: true, value: { year: 2026, month: 11, day: 23 } })
  })

  it("refuses a day that the month does not have", () => {
    expect(reasonOf(parseDate("2026-04-31"))).toContain("days 1 to 30")
  })

  it("refuses the order of day, month and year", () => {
    expect(reasonOf(parseDate("23-11-2026"))).toContain("write it as 2026-11-23")
  })
})

describe("parseTimeOfDay", () => {
  it.each([
    ["1700", "17:00:00"],
    ["17:00", "17:00:00"],
    ["17:00:30", "17:00:30"],
    ["930", "09:30:00"],
    ["9:30", "09:30:00"],
    ["0000", "00:00:00"],
    ["5pm", "17:00:00"],
    [" 5:30 PM ", "17:30:00"],
    ["12am", "00:00:00"],
    ["12pm", "12:00:00"],
    ["12:01 am", "00:01:00"],
  ])("reads %j as %s", (text, expected) => {
    const result = parseTimeOfDay(text)
    expect(result.ok && formatTime(result.value)).toBe(expected)
  })

  it.each([
    "17",
    "2400",
    "24:00",
    "1760",
    "17:00pm",
    "0am",
    "13pm",
    "noon",
    "",
    "17.00",
    "170000",
    "-100",
  ])("refuses %j", (text) => {
    expect(parseTimeOfDay(text).ok).toBe(false)
  })
})

describe("parseCloseTime", () => {
  it.each(["17:00", "1700", "5pm", "5:00 pm", "17:00:00"])("gives hhmm for %j", (text) => {
    expect(parseCloseTime(text)).toEqual({ ok: true, value: "1700" })
  })

  it("keeps the leading zero", () => {
    expect(parseCloseTime("9am")).toEqual({ ok: true, value: "0900" })
  })

  it("refuses seconds, for which hhmm has no room", () => {
    expect(reasonOf(parseCloseTime("17:00:01"))).toContain("has seconds")
  })

  it("says how to write what it cannot read", () => {
    expect(reasonOf(parseCloseTime("late"))).toBe('"late" is not a time: write it as 17:00')
  })
})

describe("the shapes of time", () => {
  const time = at("2026-01-02T03:04:05")

  it.each([
    ["a collection's ready time", formatWallClock(time), "2026-01-02T03:04:05"],
    ["a date", formatDate(time), "2026-01-02"],
    ["a cut-off", formatTime(time), "03:04:05"],
    ["a delivery window's hour", formatClock(time), "03:04"],
    ["a close time", formatHhmm(time), "0304"],
  ])("writes %s", (_, written, expected) => {
    expect(written).toBe(expected)
  })

  it("counts the minutes of a day, seconds as a fraction", () => {
    expect(minutesOfDay({ hour: 17, minute: 0, second: 30 })).toBe(1020.5)
  })
})

describe("days", () => {
  it.each([
    ["2026-11-30", 1, "2026-12-01"],
    ["2026-12-31", 1, "2027-01-01"],
    ["2028-02-28", 1, "2028-02-29"],
    ["2026-03-01", -1, "2026-02-28"],
    ["2026-10-03", 2, "2026-10-05"],
    ["0099-12-31", 1, "0100-01-01"],
  ])("%s and %i days is %s", (from, days, to) => {
    expect(formatDate(addDays(at(`${from}T00:00`), days))).toBe(to)
  })

  it("keeps the time of day over a change of daylight saving", () => {
    expect(formatWallClock(addDays(at("2026-10-03T02:30"), 1))).toBe("2026-10-04T02:30:00")
  })

  it.each([
    ["Thursday", "2026-11-19", "2026-11-20"],
    ["Friday", "2026-11-20", "2026-11-23"],
    ["Saturday", "2026-11-21", "2026-11-23"],
    ["Sunday", "2026-11-22", "2026-11-23"],
  ])("after a %s the next business day is right", (_, from, to) => {
    expect(formatDate(nextBusinessDay(at(`${from}T12:00`)))).toBe(to)
  })
})

describe("formatNear", () => {
  const now = { year: 2026, month: 12, day: 31, hour: 9, minute: 0, second: 0 }
  it.each([
    ["2026-12-31T10:00", "today 10:00"],
    ["2027-01-01T10:00", "tomorrow 10:00"],
    ["2026-12-30T10:00", "Wed 30 Dec 10:00"],
    ["2027-01-04T16:30", "Mon 4 Jan 2027 16:30"],
  ])("of %s is %s", (time, near) => {
    const read = parseWallClock(time)
    expect(read.ok && formatNear(read.value, now)).toBe(near)
  })
})

describe("wallClockNow", () => {
  const instant = Date.UTC(2026, 10, 20, 14, 20, 30, 999)

  it.each([
    ["Australia/Sydney", "2026-11-21T01:20:30"],
    ["Australia/Melbourne", "2026-11-21T01:20:30"],
    ["Australia/Hobart", "2026-11-21T01:20:30"],
    ["Australia/Brisbane", "2026-11-21T00:20:30"],
    ["Australia/Adelaide", "2026-11-21T00:50:30"],
    ["Australia/Darwin", "2026-11-20T23:50:30"],
    ["Australia/Perth", "2026-11-20T22:20:30"],
  ] as const)("shows what the clock in %s shows", (zone, shown) => {
    expect(formatWallClock(wallClockNow(instant, zone))).toBe(shown)
  })

  it("shows midnight as 00, not 24", () => {
    expect(formatTime(wallClockNow(Date.UTC(2026, 5, 1, 14), "Australia/Sydney"))).toBe("00:00:00")
  })

  it("moves from 01:59:59 to 03:00 when daylight saving begins", () => {
    const change = Date.UTC(2026, 9, 3, 16)
    expect([change - 1000, change].map((ms) => formatTime(wallClockNow(ms, "Australia/Sydney")))).toEqual([
      "01:59:59",
      "03:00:00",
    ])
  })
})

describe("instantOf", () => {
  it.each([
    ["2026-07-01T10:00", "Australia/Sydney", "2026-07-01T00:00:00Z"],
    ["2026-12-01T10:00", "Australia/Sydney", "2026-11-30T23:00:00Z"],
    ["2026-12-01T10:00", "Australia/Brisbane", "2026-12-01T00:00:00Z"],
    ["2026-12-01T10:00", "Australia/Adelaide", "2026-11-30T23:30:00Z"],
    ["2026-07-01T10:00", "Australia/Adelaide", "2026-07-01T00:30:00Z"],
    ["2026-12-01T10:00", "Australia/Darwin", "2026-12-01T00:30:00Z"],
    ["2026-12-01T10:00", "Australia/Perth", "2026-12-01T02:00:00Z"],
  ] as const)("%s in %s is %s", (shown, zone, instant) => {
    expect(instantOf(at(shown), zone)).toBe(Date.parse(instant))
  })

  it.each([
    ["just before the gap", "2026-10-04T01:59:59", "2026-10-03T15:59:59Z"],
    ["inside the gap, moved on by an hour", "2026-10-04T02:30", "2026-10-03T16:30:00Z"],
    ["just after the gap", "2026-10-04T03:00", "2026-10-03T16:00:00Z"],
    ["before the hour that comes twice", "2026-04-05T01:59:59", "2026-04-04T14:59:59Z"],
    ["in the hour that comes twice, the first time", "2026-04-05T02:30", "2026-04-04T15:30:00Z"],
    ["after the hour that came twice", "2026-04-05T03:00", "2026-04-04T17:00:00Z"],
  ])("%s", (_, shown, instant) => {
    expect(instantOf(at(shown), "Australia/Sydney")).toBe(Date.parse(instant))
  })

  it.each(
    CONTRACT_ZONES,
  )("is what wallClockNow undoes, each half hour of the days around every change in %s", (zone: ContractZone) => {
    const wrong: string[] = []
    for (const day of ["2026-04-04", "2026-04-05", "2026-10-03", "2026-10-04", "2026-12-31"])
      for (let half = 0; half < 48; half++) {
        const wall = { ...at(`${day}T00:00`), hour: Math.floor(half / 2), minute: (half % 2) * 30 }
        const skipped = day === "2026-10-04" && wall.hour === 2 && !/Brisbane|Perth|Darwin/.test(zone)
        const back = wallClockNow(instantOf(wall, zone), zone)
        if (!skipped && formatWallClock(back) !== formatWallClock(wall)) wrong.push(formatWallClock(wall))
      }
    expect(wrong).toEqual([])
  })
})

describe("a time with its offset", () => {
  it.each([
    ["Australia/Sydney", "2026-11-23T10:00", "2026-11-23T10:00:00+11:00"],
    ["Australia/Sydney", "2026-06-23T10:00", "2026-06-23T10:00:00+10:00"],
    ["Australia/Adelaide", "2026-11-23T00:30", "2026-11-23T00:30:00+10:30"],
    ["Australia/Perth", "2026-11-23T23:59:59", "2026-11-23T23:59:59+08:00"],
    // Skipped when daylight saving begins.
    ["Australia/Sydney", "2026-10-04T02:30", "2026-10-04T03:30:00+11:00"],
    ["America/St_Johns", "2026-01-23T10:00", "2026-01-23T10:00:00-03:30"],
  ])("in %s", (zone, text, expected) => {
    expect(formatWithOffset(at(text), zone)).toBe(expected)
  })
})

describe("the workstation's own zone", () => {
  const zoneBefore = process.env.TZ

  afterEach(() => {
    if (zoneBefore === undefined) delete process.env.TZ
    else process.env.TZ = zoneBefore
  })

  it.each([
    ["Pacific/Kiritimati", -840],
    ["America/Los_Angeles", 480],
    ["Australia/Sydney", -660],
    ["Asia/Kathmandu", -345],
  ])("plays no part: %s", (zone, offset) => {
    process.env.TZ = zone
    expect(new Date(Date.UTC(2026, 11, 1)).getTimezoneOffset()).toBe(offset)
    const wall = at("2026-10-04T02:30")
    expect([
      formatWallClock(wall),
      formatWallClock(addDays(wall, 1)),
      instantOf(wall, "Australia/Perth"),
      formatWallClock(wallClockNow(0, "Australia/Perth")),
    ]).toEqual([
      "2026-10-04T02:30:00",
      "2026-10-05T02:30:00",
      Date.parse("2026-10-03T18:30:00Z"),
      "1970-01-01T08:00:00",
    ])
  })

  it.each([
    "2026-10-04T02:30",
    "2026-04-05T02:30",
    "2026-07-01T12:00",
    "2026-12-31T23:59",
  ])("is meant where none is named, also where daylight saving skips or repeats: %s", (time) => {
    for (const zone of ["Australia/Sydney", "America/Los_Angeles", "Australia/Lord_Howe"]) {
      process.env.TZ = zone
      const instant = instantOf(at(time), zone)
      expect([instantOf(at(time)), wallClockNow(instant)]).toEqual([instant, wallClockNow(instant, zone)])
    }
  })
})
