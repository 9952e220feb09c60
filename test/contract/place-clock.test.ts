import { describe, expect, it } from "vitest"
import {
  findEventClock,
  formatInstantAt,
  formatMomentAt,
  toPlaceClock,
} from "../../src/contract/place-clock.ts"
import { zoneHere } from "../../src/base/wall-clock.ts"

const ALEXANDRIA = { suburb: "Alexandria", state: "NSW" }
const FREMANTLE = { suburb: "Fremantle", state: "WA" }
const NOON = { year: 2026, month: 11, day: 9, hour: 12, minute: 0, second: 0 }
const [fremantle, alexandria] = [FREMANTLE, ALEXANDRIA].map(toPlaceClock)

describe("the clock of an event", () => {
  const ends = { from: ALEXANDRIA, to: FREMANTLE }
  it.each([
    ["Fremantle", "Fremantle", "Australia/Perth"],
    ["ALEXANDRIA NSW", "Alexandria", "Australia/Sydney"],
    ["NSW depot", "NSW", "Australia/Sydney"],
    ["Adelaide SA", "SA", "Australia/Adelaide"],
    ["on board", "Fremantle", "Australia/Perth"],
    [null, "Fremantle", "Australia/Perth"],
  ])("in %s is that of %s", (location, name, zone) => {
    expect(findEventClock(location, ends)).toEqual({ name, zone })
  })

  it("is not known where the receiver is not", () => {
    expect(findEventClock("NSW depot", {})).toBeUndefined()
    expect(findEventClock("Fremantle", { to: { suburb: "Fremantle" } })).toBeUndefined()
  })
})

describe("a time by the clock of a place", () => {
  it("names the place, but where this machine's clock shows the same", () => {
    const instant = "2026-11-09T08:30:00Z"
    expect(formatInstantAt(instant, fremantle)).toBe("Mon 9 Nov 2026, 16:30 Fremantle")
    expect(formatInstantAt(instant, alexandria)).toBe("Mon 9 Nov 2026, 19:30 Alexandria")
    expect(formatInstantAt(instant, { name: "home", zone: zoneHere() })).not.toContain("home")
    expect(formatMomentAt(NOON, fremantle)).toBe("Mon 9 Nov 2026, 12:00 Fremantle")
    expect(formatMomentAt(NOON, { name: "home", zone: zoneHere() })).toBe("Mon 9 Nov 2026, 12:00")
    expect(formatMomentAt(NOON, undefined)).toBe("Mon 9 Nov 2026, 12:00")
  })

  it("is as it is written where it is not an instant", () => {
    expect(formatInstantAt("yesterday", fremantle)).toBe("yesterday")
  })
})
