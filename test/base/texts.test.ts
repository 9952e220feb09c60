/** Texts, amounts, days and times: each module's functions, by a file of cases. */
import { expect, it } from "vitest"
import { encodeFileName } from "../../src/base/file-names.ts"
import { dropHidden, dropInvisible } from "../../src/base/invisible.ts"
import * as money from "../../src/base/money.ts"
import { matchName, shortId } from "../../src/base/names.ts"
import { quoted, valueOrThrow } from "../../src/base/parsed.ts"
import { safeText } from "../../src/base/safe-text.ts"
import { suggest } from "../../src/base/suggest.ts"
import * as clock from "../../src/base/wall-clock.ts"
import { parseDay, parseMoment } from "../../src/base/when.ts"
import { expectCalls } from "../cases.ts"

/** A Friday. */
const now = () => ({ year: 2026, month: 11, day: 20, hour: 10, minute: 20, second: 0 })
const at = (text: string) => valueOrThrow(clock.parseWallClock(text), text)

const THINGS = [
  { id: "a48da18d-0000-4000-8000-000000000001", names: ["SBC00000001", "ORD-1", "PO-1001"] },
  { id: "b48da18d-0000-4000-8000-000000000002", names: ["SBC00000002", "ORD-2", "PO-1002"] },
]

const MODULES: Record<string, Parameters<typeof expectCalls>[2]> = {
  "file-names": { encodeFileName },
  money,
  names: {
    shortId,
    matchName: (name: string, things = THINGS) => matchName(name, things).map(({ id }) => id),
  },
  parsed: { quoted, valueOrThrow },
  "safe-text": { safeText, dropInvisible, dropHidden },
  suggest: { suggest },
  "wall-clock": {
    ...clock,
    addDays: (text: string, days: number) => clock.formatWallClock(clock.addDays(at(text), days)),
    nextBusinessDay: (text: string) => clock.formatDate(clock.nextBusinessDay(at(text))),
    formatNear: (text: string, then: string) => clock.formatNear(at(text), at(then)),
    instantOf: (text: string, zone: string) => new Date(clock.instantOf(at(text), zone)).toISOString(),
    wallClockNow: (ms: number, zone: string) => clock.formatWallClock(clock.wallClockNow(ms, zone)),
    formatWithOffset: (text: string, zone: string) => clock.formatWithOffset(at(text), zone),
    formatWallClock: (text: string) => clock.formatWallClock(at(text)),
    formatDate: (text: string) => clock.formatDate(at(text)),
    formatTime: (text: string) => clock.formatTime(at(text)),
    formatClock: (text: string) => clock.formatClock(at(text)),
    formatHhmm: (text: string) => clock.formatHhmm(at(text)),
    minutesOfDay: (text: string) => clock.minutesOfDay(at(text)),
  },
  when: {
    parseMoment: (text: string) => {
      const read = parseMoment(text, now)
      return read.ok ? clock.formatWallClock(read.value) : read
    },
    parseDay: (text: string, towards?: "past" | "any") => parseDay(text, now, towards),
  },
}

it.each(Object.entries(MODULES))("%s", async (name, functions) => {
  await expectCalls(import.meta.dirname, `texts/${name}.txt`, functions)
})

it("a message shows little of a hostile text, and no control character", () => {
  const read = clock.parseWallClock(`\u001b[2J\u0007${"T".repeat(200_000)}`)
  expect(read).toMatchObject({ ok: false, reason: expect.stringMatching(/^[\P{C}]{1,250}$/u) })
  expect(safeText(`\u001b[31m${"\u001b[0m".repeat(500_000)}end`, 10)).toBe("…")
  expect(suggest("r".repeat(100_000), ["sender", "receiver"])).toBeUndefined()
})
