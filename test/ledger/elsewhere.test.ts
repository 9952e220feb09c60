/** Orders booked elsewhere are found, kept and not booked again: ledgers that share nothing but the account. */
import { describe, expect, it } from "vitest"
import { referenceHash } from "../../src/ledger/content.ts"
import { chooseElsewhere, countElsewhere } from "../../src/ledger/elsewhere.ts"
import { FIRST_LOOK_MS, readMark, writeMark } from "../../src/ledger/look.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import { warnOfOpenBeside } from "../../src/ledger/refusals.ts"
import { recheckElsewhere } from "../../src/orders/booking/elsewhere.ts"
import { openDesk, orderOf, startService } from "./elsewhere.ts"
import { playRounds } from "./elsewhere-rounds.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import {
  entry,
  HOUR,
  ledgerFileIn,
  MINUTE,
  openFile,
  put,
  SCOPE,
  type TestClock,
  temporaryDir,
  testClock,
} from "./setup.ts"

/** A service and two desks. */
function start() {
  const clock = testClock()
  const service = startService(clock)
  return { clock, service, one: openDesk(service, clock, "one"), two: openDesk(service, clock, "two") }
}

describe("a look", () => {
  it("costs one request where nothing happened, and reads each shipment once", async () => {
    const { service, one, two, clock } = start()
    for (let n = 1; n <= 5; n++) await one.book(orderOf(n))
    expect(await two.look()).toMatchObject({ pages: 1, unknown: 5 })
    clock.advance(HOUR)
    service.asked.lists = 0
    expect(await two.look()).toMatchObject({ pages: 1, unknown: 0 })
    expect(await one.look()).toMatchObject({ unknown: 0 })
    expect(service.asked).toEqual({ lists: 2, details: 5 })
  })

  it("goes back to its mark, and the first time as far as an order could repeat", async () => {
    const { service, two, clock } = start()
    for (let n = 1; n <= 700; n++) {
      service.book(orderOf(n))
      clock.advance(HOUR)
    }
    const { unknown } = await two.look()
    expect(unknown).toBe(FIRST_LOOK_MS / HOUR)
    service.book(orderOf(701))
    expect(await two.look()).toMatchObject({ unknown: 1 })
  })

  it("misses nothing while the pages shift, and of shipments that were made in the same moment", async () => {
    const { service, two } = start()
    for (let n = 1; n <= 900; n++) service.book(orderOf(n))
    let pages = 0
    service.hooks.beforePage = async () => {
      // The first page is read before anything shifts.
      if (pages++ > 0) for (let n = 0; n < 37; n++) service.book(orderOf(1000 + pages * 100 + n))
    }
    await two.look()
    service.hooks.beforePage = async () => {}
    await two.look()
    const { programs } = await countElsewhere(two.ledger.store.database, [SCOPE])
    expect(programs).toBe(service.shipments.length)
  })

  it("sees what was made in the moment of the last look, and reads later what could not be read yet", async () => {
    const { service, two, clock } = start()
    service.book(orderOf(1))
    await two.look()
    service.book(orderOf(2))
    clock.advance(HOUR)
    service.book(orderOf(3))
    service.hide("shp-3")
    expect(await two.look()).toMatchObject({ unknown: 1 })
    for (let n = 4; n <= 8; n++) {
      clock.advance(HOUR)
      service.book(orderOf(n))
    }
    expect(await two.look()).toMatchObject({ unknown: 5 })
    service.show("shp-3")
    expect(await two.look()).toMatchObject({ unknown: 1 })
    expect(await two.book(orderOf(2))).toBe("elsewhere")
    expect(await two.book(orderOf(3))).toBe("elsewhere")
  })

  it.runIf(SERVER)("may end at several desks of one PostgreSQL ledger at once", async () => {
    const { service, two } = start()
    service.book(orderOf(1))
    const { mark } = await two.look()
    const address = await newDatabase()
    const databases = await Promise.all(Array.from({ length: 8 }, () => connectTo(address)))
    await Promise.all(databases.map((database) => writeMark(database, mark)))
    expect(await readMark(two.ledger.store.database, mark.keyId)).toEqual(mark)
  })

  it("moves its mark only when all is kept, and goes on where it was killed", async () => {
    const { service, two } = start()
    for (let n = 1; n <= 450; n++) service.book(orderOf(n))
    let left = 300
    service.hooks.beforeDetail = async () => {
      if (left-- === 0) throw new Error("killed")
    }
    await expect(two.look()).rejects.toThrow("killed")
    expect(await readMark(two.ledger.store.database, two.ledger.owner.id)).toBeUndefined()
    service.hooks.beforeDetail = async () => {}
    service.asked.details = 0
    await two.look()
    // A whole page was kept.
    expect(service.asked.details).toBe(250)
    for (const n of [1, 200, 450]) expect(await two.book(orderOf(n))).toBe("elsewhere")
  })

  it("reads a list of 100,000 only as far as it must", async () => {
    const { service, two, clock } = start()
    const old = service.book(orderOf(1))
    for (let n = 2; n <= 100_000; n++) service.shipments.push({ ...old, id: `shp-${n}` })
    clock.advance(FIRST_LOOK_MS + HOUR)
    service.book(orderOf(100_001))
    expect(await two.look()).toMatchObject({ unknown: 1 })
    expect(service.asked).toEqual({ lists: 1, details: 1 })
  })

  it("does not take for elsewhere what a living sender of the same ledger is just making", async () => {
    const { service, one, two } = start()
    const request = orderOf(1)
    const sending = entry({
      key: "key:SO-1",
      facts: { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" },
      request,
      leaseUntil: new Date(one.ledger.clock.now() + MINUTE).toISOString(),
    })
    await put(one.ledger.store, sending)
    service.book(request)
    await one.look()
    expect(await countElsewhere(one.ledger.store.database, [SCOPE])).toEqual({ portal: 0, programs: 0 })
    await two.look()
    expect(await two.book(request)).toBe("elsewhere")
  })

  it("settles at once the open entry of which it has read the one shipment that matches", async () => {
    const { service, two } = start()
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" } as const
    await put(two.ledger.store, entry({ key: "key:SO-1", facts, request: orderOf(1), keyGiven: true }))
    await put(two.ledger.store, entry({ key: "key:SO-2", facts, request: orderOf(2), keyGiven: true }))
    service.book(orderOf(1))
    expect((await two.look()).settled).toMatchObject([
      { key: "SO-1", outcome: "settled", matches: ["shp-1"] },
    ])
    expect((await two.look()).settled).toEqual([])
    expect(await countElsewhere(two.ledger.store.database, [SCOPE])).toEqual({ portal: 0, programs: 0 })
    expect(await two.book(orderOf(1))).toBe("recorded")
    await expect(two.book(orderOf(2))).rejects.toMatchObject({ kind: "outcomeUnknown" })
  })

  it("settles none of several that match, one that is being sent, or what a rival may have made", async () => {
    const { service, two, clock } = start()
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU" } as const
    const leaseUntil = new Date(clock.now() + MINUTE).toISOString()
    await put(
      two.ledger.store,
      entry({ key: "key:a", facts, request: orderOf(1) }),
      entry({ key: "key:b", facts, request: orderOf(2), leaseUntil }),
      entry({ key: "key:c", facts, request: orderOf(3) }),
      entry({ key: "key:d", facts, request: orderOf(3) }),
    )
    for (const n of [1, 1, 2, 3]) service.book(orderOf(n))
    expect((await two.look()).settled).toEqual([])
    expect(await two.ledger.store.open()).toHaveLength(4)
  })

  it("is refused under another key while an open entry may have made the part of it that is listed", async () => {
    const { service, two } = start()
    const request = orderOf(1)
    const part = { ...request, items: { ...request.items, count: 3 }, packages: [] }
    const open = entry({
      ...{ key: "key:first", state: "unknown", keyGiven: true, request: part },
      facts: { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" },
      referenceHash: referenceHash("SO-1", part.receiver) ?? "",
    })
    await put(two.ledger.store, open)
    for (let n = 0; n < 2; n++) service.book(part)
    await two.look()
    await expect(two.book(request, { key: "second" })).rejects.toMatchObject({ kind: "outcomeUnknown" })
    expect(service.shipments).toHaveLength(2)
  })

  it("stops no order of another number, whatever the open entry has made", async () => {
    const { service, two } = start()
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" } as const
    await put(two.ledger.store, entry({ key: "key:SO-1", facts, request: orderOf(1), keyGiven: true }))
    for (let n = 0; n < 2; n++) service.book(orderOf(1))
    await two.look()
    await expect(two.book(orderOf(1))).rejects.toMatchObject({ kind: "outcomeUnknown" })
    const { customerReference: _, ...unnamed } = orderOf(1)
    await expect(two.book(unnamed)).rejects.toMatchObject({ kind: "outcomeUnknown" })
    expect(await two.book(orderOf(1, "SO-2"))).toBe("booked")
  })

  it("is asked about where more is listed without a reference than open entries can have made", async () => {
    const { customerReference: _, ...unnamed } = orderOf(1)
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU" } as const
    const open = (key: string) => entry({ key: `key:${key}`, facts, request: unnamed, keyGiven: true })
    for (const [keys, outcome] of [
      [["SO-1"], "twin"],
      [["SO-1", "SO-2"], "booked"],
    ] as const) {
      const { service, two } = start()
      await put(two.ledger.store, ...keys.map(open))
      for (let n = 0; n < 2; n++) service.book(unnamed)
      await two.look()
      expect(await two.book(unnamed, { key: "SO-3" })).toBe(outcome)
    }
  })

  it("stops what has no number as well where nothing is listed yet, and is named where it has none itself", async () => {
    const { customerReference: _, ...unnamed } = orderOf(1)
    for (const [request, reference] of [
      [orderOf(1), "SO-1"],
      [unnamed, undefined],
    ] as const) {
      const { two } = start()
      const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference } as const
      const { receiver } = request
      const open = entry({
        ...{ key: "content:first", keyGiven: false, request },
        facts: { ...facts, about: "2 packages", receiverPostcode: receiver.postcode },
      })
      await put(two.ledger.store, open)
      await two.look()
      const later = { ...unnamed, collectionCloseTime: "1645" }
      await expect(two.book(later)).rejects.toMatchObject({ kind: "outcomeUnknown" })
      const asked = { kind: "shipment", keyGiven: true, content: "another", again: false } as const
      const { owner, store } = two.ledger
      expect(
        await store.look({ ...asked, owner, key: "key:SO-2", request: orderOf(1, "SO-2") }),
      ).toMatchObject({
        kind: "free",
        beside: { id: open.id },
      })
      expect(warnOfOpenBeside(open)).toMatch(reference ?? /^2 packages, without a number, has the same goods/)
    }
  })

  it("stands beside what was booked elsewhere under a third number, which is still asked about", async () => {
    const { service, two } = start()
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" } as const
    await put(two.ledger.store, entry({ key: "key:SO-1", facts, request: orderOf(1), keyGiven: true }))
    for (const reference of ["SO-1", "SO-1", "SO-3"]) service.book(orderOf(1, reference))
    await two.look()
    expect(await two.book(orderOf(1, "SO-2"))).toBe("twin")
  })

  it("is one of its own account, whatever another account has under the same id or has not settled", async () => {
    const { service, two } = start()
    const facts = { connectorId: "connector-a", carrier: "CARRIER_A_AU", reference: "SO-1" } as const
    const other = { scope: "freight:another", account: "another", facts, request: orderOf(1) }
    await put(
      two.ledger.store,
      entry({
        ...other,
        id: "another-1",
        key: "key:a",
        facts: { ...facts, shipmentId: "shp-1" },
        state: "done",
      }),
      entry({ ...other, id: "another-2", key: "key:b", state: "unknown" }),
    )
    service.book(orderOf(1))
    expect(await two.look()).toMatchObject({ unknown: 1 })
    expect(await two.book(orderOf(1))).toBe("elsewhere")
  })

  it("is its own again once its ledger was copied", async () => {
    const { one, two } = start()
    await one.book(orderOf(1))
    await two.look()
    await copyLedger(one.ledger.store.database, two.ledger.store.database)
    expect(await countElsewhere(two.ledger.store.database, [SCOPE])).toEqual({ portal: 0, programs: 0 })
    expect(await two.book(orderOf(1))).toBe("recorded")
  })
})

describe.each([
  ["SQLite", true, async (clock: TestClock) => openFile(ledgerFileIn(temporaryDir()), clock)],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const)("what an order that is being sent may have made, on %s", (_, isThere, open) => {
  // Hours from when it was sent until the shipment was made, as its service says, and until that was read.
  it.runIf(isThere).each([
    ["is no shipment of two days before", -48, "Z", 1, "twin"],
    ["is none of three hours before", -3, "Z", 1, "twin"],
    ["is none of 17 hours before in any zone", -17, "", 1, "twin"],
    ["is none that was read before", -1, "Z", -0.1, "twin"],
    ["is none of two days after", 48, "Z", 49, "twin"],
    ["may be one of an hour before, by another clock", -1, "Z", 1, "booked"],
    ["may be one of 15 hours before, in another zone", -15, "", 1, "booked"],
    ["may be one that a slow server made", 20, "Z", 21, "booked"],
  ] as const)("%s", async (_, made, zone, read, outcome) => {
    const database = await open(testClock())
    const clock = testClock(await database.now())
    const service = startService(clock)
    const desk = openDesk(service, clock, "one", database)
    const { customerReference: __, ...unnamed } = orderOf(1)
    const sent = clock.now() - read * HOUR
    const createdAt = new Date(sent + made * HOUR).toISOString().replace("Z", zone)
    service.book(unnamed, { createdAt })
    await desk.look()
    const sending = entry({
      ...{ key: "key:SO-1", request: unnamed, facts: { carrier: "CARRIER_A_AU" } },
      sentAt: new Date(sent).toISOString(),
      leaseUntil: new Date(clock.now() + MINUTE / 2).toISOString(),
    })
    await put(desk.ledger.store, sending)
    expect(await desk.book(unnamed, { key: "SO-2" })).toBe(outcome)
  })

  it.runIf(isThere)("is none that was read before, and again since", async () => {
    const database = await open(testClock())
    const clock = testClock(await database.now())
    const service = startService(clock)
    const desk = openDesk(service, clock, "one", database)
    const { customerReference: _, ...unnamed } = orderOf(1)
    const { id } = service.book(unnamed)
    await desk.look()
    const hoursAgo = (hours: number) => new Date(clock.now() - hours * HOUR).toISOString()
    await database.run("update elsewhere set read_at = ?", [hoursAgo(2)])
    const sent = { key: "key:SO-1", request: unnamed, facts: { carrier: "CARRIER_A_AU" } }
    await put(desk.ledger.store, entry({ ...sent, sentAt: hoursAgo(1) }))
    const { details } = service.asked
    expect(await recheckElsewhere(desk.ledger, service.api, [id])).toBe(false)
    expect(service.asked.details).toBe(details + 1)
    expect(await desk.book(unnamed, { key: "SO-2" })).toBe("twin")
  })
})

describe("an order that was booked elsewhere", () => {
  it("is known in any spelling, in the portal too, and not where it was cancelled", async () => {
    const { service, two } = start()
    service.book(orderOf(1, "SO-0001"))
    service.book(orderOf(2), { source: "PORTAL" })
    service.book(orderOf(3), { status: "CANCELLED" })
    await two.look()
    expect(await two.book(orderOf(1, "so 1"))).toBe("elsewhere")
    expect(await two.book(orderOf(2))).toBe("elsewhere")
    expect(await two.book(orderOf(3))).toBe("booked")
  })

  it("is asked about where a spreadsheet may have changed its number, and never left out for it", async () => {
    const { service, two } = start()
    // Another day: as the same goods of one day it would be asked about, too.
    service.book({ ...orderOf(1, "2028.010"), collectionDateTime: "2026-11-24T10:00:00" })
    service.book(orderOf(2, "#1001"))
    await two.look()
    expect(await two.book(orderOf(1, "2028.01"))).toBe("twin")
    expect(await two.book(orderOf(3, "2028.01"))).toBe("booked")
    expect(await two.book(orderOf(1, "2028.0100"), { again: true })).toBe("booked")
    expect(await two.book(orderOf(2, "1001"))).toBe("elsewhere")
  })

  it("is, of several that have its number and are all others, the newest", () => {
    const days = ["2025-01-02", "2025-01-03", "2025-01-01"].map((day) => `${day}T00:00:00.000Z`)
    const others = days.map((sentAt) =>
      entry({ sentAt, facts: { reference: "SO-1" }, request: orderOf(7), elsewhere: "API" }),
    )
    const question = { key: "key:SO-1", keyGiven: true, again: false, request: orderOf(1) }
    expect(chooseElsewhere(others, question)?.sentAt).toBe(days[1])
  })

  it("is another one with another receiver or other goods, and the same goods without its reference are asked about", async () => {
    const { service, two } = start()
    service.book(orderOf(1))
    service.book({ ...orderOf(2), customerReference: "" })
    await two.look()
    expect(await two.book(orderOf(5, "SO-1"))).toBe("changed")
    expect(await two.book({ ...orderOf(1), items: { ...orderOf(1).items, count: 3 }, packages: [] })).toBe(
      "changed",
    )
    expect(await two.book(orderOf(2))).toBe("twin")
    expect(await two.book(orderOf(2), { again: true })).toBe("booked")
    expect(await two.book({ ...orderOf(1, "SO-9"), collectionDateTime: "2026-11-24T10:00:00" })).toBe(
      "booked",
    )
  })
})

describe("ledgers that share nothing", () => {
  it.each([
    2, 3, 5,
  ])("%i of them make no double where one had ended before the next looked", async (desks) => {
    const played = await playRounds({ seed: desks, rounds: 4, desks })
    expect(played.doublesAfterEnd).toEqual([])
    expect(played.booked).toBeGreaterThan(0)
    expect(played.elsewhere).toBeGreaterThan(0)
  })

  it.runIf(SERVER)("make no double beside one in PostgreSQL", async () => {
    const database = await connectTo(await newDatabase())
    const played = await playRounds({ seed: 7, rounds: 3, desks: 3, database })
    expect(played.doublesAfterEnd).toEqual([])
    expect(played.elsewhere).toBeGreaterThan(0)
  })
})
