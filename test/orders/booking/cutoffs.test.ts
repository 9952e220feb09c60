/** Moments × cutoffs × ready times × zones: what is said of a service. */
import { describe, expect, it } from "vitest"
import { wallClockNow } from "../../../src/base/wall-clock.ts"
import { parseTimeOfDay } from "../../../src/base/wall-clock.ts"
import { describeCutoffs, describeTooLate, judgeCutoffs } from "../../../src/orders/booking/cutoffs.ts"
import { zoneOfCollection } from "../../../src/contract/place-zones.ts"

const cutoffs = { bookingCutoff: "12:00:00", collectionCutoff: "16:30:00" }
const SYDNEY = { suburb: "Alexandria", state: "NSW" }
const FREMANTLE = { suburb: "Fremantle", state: "WA" }
const DARWIN = { suburb: "Darwin", state: "NT" }
const BROKEN_HILL = { suburb: "Broken Hill", state: "NSW" }
const EUCLA = { suburb: "Eucla", state: "WA" }
const MONDAY = "may go on Mon 30 Nov"

const say = (
  at: string,
  place: object,
  day: string,
  { ready, ...given }: { ready?: string; bookingCutoff?: string; collectionCutoff?: string } = {},
) => {
  const now = wallClockNow(Date.parse(at), zoneOfCollection({ collection: place }))
  const time = parseTimeOfDay(ready ?? "")
  const standing = judgeCutoffs({ ...cutoffs, ...given }, { day, ...(time.ok && { ready: time.value }) }, now)
  return describeCutoffs(standing)
}

describe("what is said of the cutoffs of a service", () => {
  it.each([
    // On a Friday in Sydney.
    ["2026-11-27T00:01:00+11:00", SYDNEY, "2026-11-27", {}, "until 12:00 (11 h 59 min left)"],
    ["2026-11-27T10:00:00+11:00", SYDNEY, "2026-11-27", {}, "until 12:00 (2 h left)"],
    ["2026-11-27T11:20:00+11:00", SYDNEY, "2026-11-27", {}, "until 12:00 (40 minutes left)"],
    ["2026-11-27T11:59:30+11:00", SYDNEY, "2026-11-27", {}, "until 12:00 (less than a minute left)"],
    ["2026-11-27T12:00:00+11:00", SYDNEY, "2026-11-27", {}, "until 12:00 (less than a minute left)"],
    ["2026-11-27T12:00:01+11:00", SYDNEY, "2026-11-27", {}, `too late for today: it ${MONDAY}`],
    ["2026-11-27T16:00:00+11:00", SYDNEY, "2026-11-27", {}, `too late for today: it ${MONDAY}`],
    // It is judged for the day of its collection only.
    ["2026-11-26T16:00:00+11:00", SYDNEY, "2026-11-27", {}, "in time"],
    ["2026-11-26T23:59:59+11:00", SYDNEY, "2026-11-27", { ready: "18:00" }, "in time"],
    ["2026-11-27T08:54:00+11:00", SYDNEY, "2026-12-01", { ready: "18:00" }, "in time"],
    ["2026-11-28T08:54:00+11:00", SYDNEY, "2026-11-27", {}, "in time"],
    // Goods that are ready after the last collection of today.
    ["2026-11-27T08:54:00+11:00", SYDNEY, "2026-11-27", { ready: "16:30" }, "until 12:00 (3 h 6 min left)"],
    [
      "2026-11-27T08:54:00+11:00",
      SYDNEY,
      "2026-11-27",
      { ready: "16:31" },
      `too late for today: it ${MONDAY}`,
    ],
    // Not every service has both, or any.
    [
      "2026-11-27T16:20:00+11:00",
      SYDNEY,
      "2026-11-27",
      { bookingCutoff: "" },
      "until 16:30 (10 minutes left)",
    ],
    [
      "2026-11-27T16:31:00+11:00",
      SYDNEY,
      "2026-11-27",
      { bookingCutoff: "" },
      `too late for today: it ${MONDAY}`,
    ],
    [
      "2026-11-27T11:59:00+11:00",
      SYDNEY,
      "2026-11-27",
      { collectionCutoff: "" },
      "until 12:00 (1 minute left)",
    ],
    [
      "2026-11-27T23:59:00+11:00",
      SYDNEY,
      "2026-11-27",
      { bookingCutoff: "", collectionCutoff: "" },
      "in time",
    ],
    [
      "2026-11-27T23:59:00+11:00",
      SYDNEY,
      "2026-11-27",
      { bookingCutoff: "noon", collectionCutoff: "late" },
      "in time",
    ],
    // On a Tuesday it may go on Wednesday.
    ["2026-11-24T13:00:00+11:00", SYDNEY, "2026-11-24", {}, "too late for today: it may go on Wed 25 Nov"],
    // Three hours behind Sydney.
    ["2026-11-27T13:30:00+11:00", FREMANTLE, "2026-11-27", {}, "until 12:00 (1 h 30 min left)"],
    ["2026-11-27T15:01:00+11:00", FREMANTLE, "2026-11-27", {}, `too late for today: it ${MONDAY}`],
    ["2026-11-28T02:00:00+11:00", FREMANTLE, "2026-11-28", {}, "in time"],
    // Half hours: 90 minutes behind Sydney in summer, 45 minutes ahead of Perth.
    ["2026-11-27T13:29:00+11:00", DARWIN, "2026-11-27", {}, "until 12:00 (1 minute left)"],
    ["2026-11-27T13:31:00+11:00", DARWIN, "2026-11-27", {}, `too late for today: it ${MONDAY}`],
    ["2026-11-27T12:29:00+11:00", BROKEN_HILL, "2026-11-27", {}, "until 12:00 (1 minute left)"],
    ["2026-11-27T11:16:00+08:00", EUCLA, "2026-11-27", {}, `too late for today: it ${MONDAY}`],
    // Summer time begins in Sydney on 4 October 2026 at 2:00, and ends on 5 April 2026 at 3:00.
    [
      "2026-10-03T15:59:00Z",
      SYDNEY,
      "2026-10-04",
      { bookingCutoff: "02:00:00" },
      "until 02:00 (1 minute left)",
    ],
    [
      "2026-10-03T16:00:00Z",
      SYDNEY,
      "2026-10-04",
      { bookingCutoff: "02:00:00" },
      "too late for today: it may go on Mon 5 Oct",
    ],
    ["2026-10-04T00:59:00Z", SYDNEY, "2026-10-04", {}, "until 12:00 (1 minute left)"],
    ["2026-10-04T01:01:00Z", SYDNEY, "2026-10-04", {}, "too late for today: it may go on Mon 5 Oct"],
    [
      "2026-04-04T16:30:00Z",
      SYDNEY,
      "2026-04-05",
      { bookingCutoff: "02:45:00" },
      "until 02:45 (15 minutes left)",
    ],
    ["2026-04-05T02:01:00Z", SYDNEY, "2026-04-05", {}, "too late for today: it may go on Mon 6 Apr"],
  ] as const)("at %s, collected in %o on %s with %o: %s", (at, place, day, given, said) => {
    expect(say(at, place, day, given)).toBe(said)
  })

  it("names the cutoff that was missed", () => {
    const at = (time: string) => {
      const standing = judgeCutoffs(
        cutoffs,
        { day: "2026-11-27" },
        wallClockNow(Date.parse(time), "Australia/Sydney"),
      )
      return standing.kind === "too late" ? describeTooLate(standing) : standing.kind
    }
    expect(at("2026-11-27T13:00:00+11:00")).toBe(`too late for today (to be booked by 12:00): it ${MONDAY}`)
    expect(at("2026-11-27T11:00:00+11:00")).toBe("until")
  })
})
