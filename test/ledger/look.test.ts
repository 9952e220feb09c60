/** How far a look reads the list, whatever the dates of strangers' shipments say. */
import { describe, expect, it } from "vitest"
import { countElsewhere } from "../../src/ledger/elsewhere.ts"
import { FIRST_LOOK_MS } from "../../src/ledger/look.ts"
import { openDesk, orderOf, type Service, startService } from "./elsewhere.ts"
import { HOUR, MINUTE, SCOPE, type TestClock, testClock } from "./setup.ts"

const DAY = 24 * HOUR

/** The list may be in the order of its dates, or in that in which shipments were made. */
const LISTS = [
  ["as it was made", false],
  ["by its dates", true],
] as const

const AHEAD = [
  ["a portal's local time without its zone", (now: number) => isoDate(now + 11 * HOUR).slice(0, 19)],
  ["an hour ahead", (now: number) => isoDate(now + HOUR)],
  ["2099", () => "2099-01-01T00:00:00Z"],
] as const

const OLD = [
  ["1970", "1970-01-01T10:00:00Z"],
  ["2020", "2020-06-30T12:00:00.000Z"],
  ["nothing that is a time", "yesterday"],
] as const

function isoDate(at: number): string {
  return new Date(at).toISOString()
}

/** A service whose shipments of an hour each, the newest last, reach back a month. */
function start(options?: Parameters<typeof startService>[1]) {
  const clock = testClock()
  const service = startService(clock, options)
  const desk = openDesk(service, clock, "desk")
  return { clock, service, desk }
}

/** Bookings of the account, apart from each other by a time. */
function fill(service: Service, clock: TestClock, from: number, count: number, apart = HOUR): void {
  for (let n = from; n < from + count; n++) {
    service.book(orderOf(n))
    clock.advance(apart)
  }
}

describe.each(LISTS)("a look at a list %s", (_order, sortsByDate) => {
  it.each(AHEAD)("finds what is booked after a shipment that is dated %s", async (_what, date) => {
    const { clock, service, desk } = start({ sortsByDate })
    fill(service, clock, 1, 30)
    await desk.look()
    for (let n = 100; n < 140; n += 10) {
      service.book(orderOf(n), { source: "PORTAL", createdAt: date(clock.now()) })
      await desk.look()
      clock.advance(MINUTE)
      service.book(orderOf(n + 1))
      expect(await desk.look()).toMatchObject({ unknown: 1 })
      expect(await desk.book(orderOf(n + 1))).toBe("elsewhere")
      clock.advance(5 * HOUR)
    }
  })

  it.each(AHEAD)("finds it also where hundreds are dated %s", async (_what, date) => {
    const { clock, service, desk } = start({ sortsByDate })
    fill(service, clock, 1, 30)
    for (let n = 1000; n < 1450; n++)
      service.book(orderOf(n), { source: "PORTAL", createdAt: date(clock.now()) })
    await desk.look()
    clock.advance(20 * MINUTE)
    service.book(orderOf(50))
    await desk.look()
    expect(await desk.book(orderOf(50))).toBe("elsewhere")
  })

  it.each(OLD)("finds what stands under a shipment that is dated %s", async (_what, createdAt) => {
    const { clock, service, desk } = start({ sortsByDate })
    for (const first of [1, 1001]) {
      fill(service, clock, first, 250, MINUTE)
      service.book(orderOf(first + 500), { createdAt })
      await desk.look()
      for (const n of [first, first + 100, first + 249]) expect(await desk.book(orderOf(n))).toBe("elsewhere")
      clock.advance(HOUR)
    }
  })

  it.each([1, 2, 3])("finds everything after a look that was killed after page %i", async (pages) => {
    const { clock, service, desk } = start({ sortsByDate })
    fill(service, clock, 1, 30)
    await desk.look()
    fill(service, clock, 1000, 700, MINUTE)
    let left = pages
    service.hooks.beforePage = async () => {
      if (left-- === 0) throw new Error("killed")
    }
    await expect(desk.look()).rejects.toThrow("killed")
    service.hooks.beforePage = async () => {}
    await desk.look()
    const { programs } = await countElsewhere(desk.ledger.store.database, [SCOPE])
    expect(programs).toBe(730)
  })

  it.each([200, 400, 401])("finds a stranger's under %i bookings of its own", async (count) => {
    const { clock, service, desk } = start({ sortsByDate })
    fill(service, clock, 1, 30)
    await desk.look()
    service.book(orderOf(50))
    for (let n = 1000; n < 1000 + count; n++) {
      clock.advance(1000)
      await desk.book(orderOf(n))
    }
    await desk.look()
    expect(await desk.book(orderOf(50))).toBe("elsewhere")
  })

  it.each([
    ["of the page", (count: number) => Math.min(count, 200)],
    ["of no shipment", () => 0],
    ["of one", () => 1],
  ])("goes on where the total is that %s", async (_what, total) => {
    const { clock, service, desk } = start({ sortsByDate, total })
    fill(service, clock, 1, 450, MINUTE)
    expect(await desk.look()).toMatchObject({ unknown: 450 })
  })
})

describe("the first look of a ledger", () => {
  it("goes back 14 days by the service's own time, whatever this machine's clock says", async () => {
    for (const clockOffset of [-30 * DAY, 0]) {
      const { clock, service, desk } = start({ clockOffset })
      for (let n = 1; n <= 700; n++) {
        service.book(orderOf(n), { createdAt: isoDate(clock.now() + clockOffset) })
        clock.advance(HOUR)
      }
      expect(await desk.look()).toMatchObject({ unknown: FIRST_LOOK_MS / HOUR })
    }
  })

  it("ends only where ten neighbours are older, and reads the page to its end", async () => {
    for (const [count, unknown] of [
      [9, 9 + 400],
      [10, 190],
    ] as const) {
      const { clock, service, desk } = start()
      fill(service, clock, 1, 400, MINUTE)
      for (let n = 0; n < count; n++) service.book(orderOf(1000 + n), { createdAt: "2020-01-01T00:00:00Z" })
      expect(await desk.look()).toMatchObject({ unknown })
    }
  })

  it("is repeated as far back where the list had nothing to begin at", async () => {
    const { clock, service, desk } = start()
    await desk.look()
    clock.advance(30 * DAY)
    fill(service, clock, 1, 250, MINUTE)
    clock.advance(15 * DAY)
    expect(await desk.look()).toMatchObject({ unknown: 250 })
  })
})

describe("a later look", () => {
  it("reads what is older than 14 days, if it came since", async () => {
    const { clock, service, desk } = start()
    fill(service, clock, 1, 30)
    await desk.look()
    fill(service, clock, 100, 300)
    clock.advance(60 * DAY)
    expect(await desk.look()).toMatchObject({ unknown: 300 })
  })

  it("costs one request, also where most of the shipments at which the last began are gone", async () => {
    const { clock, service, desk } = start()
    fill(service, clock, 1, 450)
    await desk.look()
    service.asked.lists = 0
    expect(await desk.look()).toMatchObject({ pages: 1, unknown: 0 })
    fill(service, clock, 1000, 300)
    expect(await desk.look()).toMatchObject({ pages: 2, unknown: 300 })
    expect(service.asked.lists).toBe(3)
  })

  it("finds what the list shows a quarter of an hour late", async () => {
    const { clock, service, desk } = start({ sortsByDate: true })
    fill(service, clock, 1, 30, MINUTE)
    await desk.look()
    service.book(orderOf(50), { createdAt: isoDate(clock.now() - 14 * MINUTE) })
    // The newest of before end the first page of 200; what is late stands on the second.
    fill(service, clock, 1000, 190, 100)
    expect(await desk.look()).toMatchObject({ unknown: 191 })
  })

  it("reads what could not be read before, however deep it stands and whatever its date", async () => {
    const { clock, service, desk } = start()
    fill(service, clock, 1, 30)
    await desk.look()
    service.book(orderOf(50), { createdAt: isoDate(clock.now() - 20 * DAY) })
    service.hide("shp-31")
    fill(service, clock, 1000, 12)
    expect(await desk.look()).toMatchObject({ unknown: 12 })
    service.show("shp-31")
    expect(await desk.look()).toMatchObject({ unknown: 1 })
    expect(await desk.book(orderOf(50))).toBe("elsewhere")
  })

  it("ends only where it has met most of the shipments at which the last began", async () => {
    const { clock, service, desk } = start({ sortsByDate: true })
    fill(service, clock, 1, 30)
    await desk.look()
    fill(service, clock, 1000, 300, MINUTE)
    // Some that were marked are dated anew.
    for (const at of [29, 28, 27, 26])
      service.shipments[at] = {
        ...(service.shipments[at] ?? service.book(orderOf(9))),
        createdAt: isoDate(clock.now()),
      }
    expect(await desk.look()).toMatchObject({ unknown: 300 })
  })

  it("goes back 14 days once where an earlier version kept a time that was ahead", async () => {
    const { clock, service, desk } = start()
    fill(service, clock, 1, 30)
    await desk.look()
    await desk.ledger.store.database.run(
      "update elsewhere_marks set read_to = '2099-01-01T00:00:00.000Z'",
      [],
    )
    service.book(orderOf(50))
    expect(await desk.look()).toMatchObject({ unknown: 1 })
    expect(await desk.book(orderOf(50))).toBe("elsewhere")
  })

  it("tells of each shipment once whose date contradicts the order of the list", async () => {
    const { clock, service, desk } = start()
    fill(service, clock, 1, 30)
    expect((await desk.look()).contradicting).toEqual([])
    service.book(orderOf(50), { createdAt: "2099-01-01T00:00:00Z" })
    service.book(orderOf(51), { createdAt: "1970-01-01T00:00:00Z" })
    service.book(orderOf(52), { createdAt: "yesterday" })
    service.book(orderOf(53), { createdAt: isoDate(clock.now() - 5 * MINUTE) })
    expect((await desk.look()).contradicting.map(({ id }) => id)).toEqual(["shp-33", "shp-32", "shp-31"])
    expect((await desk.look()).contradicting).toEqual([])
  })
})
