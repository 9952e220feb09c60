/** Judges a consignment by times and fields, whatever the carrier says in words. */
import { describe, expect, it } from "vitest"
import type { Journey } from "../../src/ledger/records/journeys.ts"
import { isLate, toScheduled } from "../../src/orders/tracking/schedule.ts"
import { hasItemsMissing, isScanned, scanDueAt } from "../../src/reports/today/due.ts"
import { entry, request } from "../ledger/samples.ts"

/** Ready in Sydney at 10:00 on Monday 23 November, promised in Perth for the 27th; booked on Saturday. */
function schedule(changes: Partial<Journey> = {}, facts = {}, collectionDateTime = "2026-11-23T10:00:00") {
  const booked = entry({
    state: "done",
    request: { ...request, collectionDateTime },
    facts: {
      shipmentId: "shp-1",
      consignmentNumber: "C1",
      eta: "2026-11-27T17:00:00",
      receiverState: "WA",
      ...facts,
    },
  })
  const journey = {
    consignmentNumber: "C1",
    events: 1,
    isCancelled: false,
    hasLabel: false,
    lookedAt: "",
    ...changes,
  }
  const found = toScheduled({ entry: booked, journey })
  if (!found) throw new Error("no booking")
  return found
}

describe("isScanned", () => {
  it.each([
    ["the booking itself", "2026-11-20T23:00:02.000Z", false],
    ["an event before the goods were ready", "2026-11-22T22:59:00.000Z", false],
    ["an event since", "2026-11-22T23:00:00.000Z", true],
  ])("%s", (_, lastEventAt, scanned) => {
    expect(isScanned(schedule({ lastEventAt, status: "Collected" }))).toBe(scanned)
  })

  it("does not take the carrier's note of a late booking for a scan", () => {
    const late = (lastEventAt: string) => isScanned(schedule({ lastEventAt }, {}, "2026-11-20T10:00:00"))
    expect(late("2026-11-20T23:00:30.000Z")).toBe(false)
    expect(late("2026-11-20T23:10:00.000Z")).toBe(true)
  })

  it("is so of what was delivered, whatever its events", () => {
    expect(isScanned(schedule({ deliveredAt: "2026-11-22T01:00:00.000Z" }))).toBe(true)
  })
})

describe("scanDueAt", () => {
  it.each([
    ["2026-11-23T10:00:00", 24, "2026-11-23T23:00:00.000Z"],
    ["2026-11-27T16:00:00", 24, "2026-11-30T05:00:00.000Z"],
    ["2026-11-27T16:00:00", 4, "2026-11-27T09:00:00.000Z"],
  ])("of what is ready %s, after %i hours", (ready, hours, due) => {
    expect(new Date(scanDueAt(schedule({}, {}, ready), hours)).toISOString()).toBe(due)
  })
})

describe("isLate", () => {
  it.each([
    ["2026-11-27T15:59:00Z", false],
    ["2026-11-27T16:00:00Z", true],
  ])("goes by the receiver's day: %s", (now, late) => {
    expect(isLate(schedule({ status: "On time" }), Date.parse(now))).toBe(late)
  })

  it("goes by the rate's day, and by the carrier's where the rate has none", () => {
    const now = Date.parse("2026-11-28T12:00:00Z")
    expect(isLate(schedule({ eta: "2026-11-30" }), now)).toBe(true)
    expect(isLate(schedule({ eta: "2026-11-30" }, { eta: undefined }), now)).toBe(false)
    expect(isLate(schedule({ eta: "2026-11-27" }, { eta: undefined }), now)).toBe(true)
    expect(isLate(schedule({}, { eta: undefined }), now)).toBe(false)
  })
})

describe("hasItemsMissing", () => {
  it.each([
    [1, true],
    [2, false],
    [3, false],
    [undefined, false],
  ])("%s of 2 items", (itemsReceived, missing) => {
    expect(hasItemsMissing(schedule(itemsReceived === undefined ? {} : { itemsReceived }))).toBe(missing)
  })
})

it("a booking whose collection cannot be read is passed over", () => {
  for (const broken of [undefined, null, "x", {}, { collectionDateTime: 7 }])
    expect(
      toScheduled({ entry: entry({ request: broken, facts: { shipmentId: "shp-1" } }), journey: undefined }),
    ).toBe(undefined)
})
