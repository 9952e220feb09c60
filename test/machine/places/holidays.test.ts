import { expect, it } from "vitest"
import { loadHolidays } from "../../../src/machine/places/holidays.ts"

const findHoliday = await loadHolidays()

it.each([
  ["WA", "2026-04-03", "Good Friday"],
  ["Western Australia", "2026-09-28", "King's Birthday"],
  ["NSW", "2026-09-28", undefined],
  ["VIC", "2026-11-03", "Melbourne Cup"],
  ["NSW", "2026-12-28", "Boxing Day"],
  // From 19:00 on: goods are collected before.
  ["SA", "2026-12-24", undefined],
  ["NSW", "2026-11-24", undefined],
  ["Otago", "2026-04-03", undefined],
  ["NSW", "2099-12-25", undefined],
])("%s has on %s: %s", (state, day, name) => expect(findHoliday(state, day)).toBe(name))
