/** Wall clocks and instants; single texts are in texts/wall-clock.txt. */
import { afterEach, describe, expect, it } from "vitest"
import { valueOrThrow } from "../../src/base/parsed.ts"
import {
  addDays,
  formatWallClock,
  instantOf,
  parseWallClock,
  wallClockNow,
} from "../../src/base/wall-clock.ts"
import { CONTRACT_ZONES, type ContractZone } from "../../src/contract/zones.ts"

const at = (text: string) => valueOrThrow(parseWallClock(text), text)

describe("an instant", () => {
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
