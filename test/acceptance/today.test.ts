/** Each kind of need that `freight today` lists: when it is listed, and with which command. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse } from "../../src/contract/generated/types.ts"
import {
  formatDate,
  formatInstant,
  instantOf,
  isWeekend,
  parseWallClock,
  wallClockNow,
} from "../../src/base/wall-clock.ts"
import type { HistoryRow } from "../../src/app/outputs.ts"
import type { Need } from "../../src/reports/today/needs.ts"
import { bookingDesk } from "./bookings.ts"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemClock } from "../../src/machine/host.ts"
import { openSqlite, sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { desk, errorIn } from "./freight.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"
import { running } from "./running.ts"

const driver = await sqliteDriver(systemSqlite())
const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = "Australia/Sydney"

interface Today {
  at: string
  items: Need[]
  unseen: { what: string; kind: string; message: string }[]
}

/** A desk whose clock, and its sandbox's, stand where the test puts them. */
async function todayDesk() {
  const sandbox = await ownSandbox()
  const made = await bookingDesk(sandbox)
  const book = async (reference: string, ...more: string[]) => {
    const { code, stderr, json } = await made.book(
      ...["--connector", "connector-a", "--service", "76", "--reference", reference, "--again", ...more],
    )
    expect([code, code === 0 ? "" : stderr]).toEqual([0, ""])
    return json<BookingResponse>()
  }
  const shown = async ({ shipmentId }: BookingResponse) => {
    const { shipment } = (await made.freight(["shipments", "show", shipmentId, "--json"])).json<{
      shipment: { collectionDateTime: string }
    }>()
    const ready = parseWallClock(shipment.collectionDateTime)
    if (!ready.ok) throw new Error("no time of collection")
    return instantOf(ready.value, ZONE)
  }
  const at = async (now: number, args: readonly string[], env = {}) => {
    await sandbox.control("clock", { set: new Date(now).toISOString() })
    return made.freight(args, { now, env })
  }
  const today = async (now: number, ...more: string[]) => {
    const { code, json, stderr } = await at(now, ["today", "--json", ...more])
    const { items: needs, ...rest } = json<Today>()
    return { code, stderr, needs, ...rest }
  }
  /** The day that the carrier promises, at noon. */
  const due = async ({ consignmentNumber }: BookingResponse) => {
    const tracked = await made.freight(["track", consignmentNumber ?? "", "--json"])
    return Date.parse(`${tracked.items<{ tracking: { eta: string } }>()[0]?.tracking.eta}T02:00:00Z`)
  }
  return { ...made, sandbox, book, readyOf: shown, at, today, due }
}

const kinds = ({ needs }: { needs: Need[] }) => needs.map(({ need }) => need)

describe("today", () => {
  it("says so in one line when there is nothing, and asks nobody", async () => {
    const { freight } = await desk()
    const { code, stdout, stderr } = await freight(["today"])
    expect([code, stdout, stderr]).toEqual([0, "", "Nothing needs you today.\n"])
    const json = (await freight(["today", "--json"])).json<Today>()
    expect(json).toEqual({
      ...{ items: [], total: 0, nextOffset: null, at: expect.any(String), unseen: [], warnings: [] },
    })
    expect((await freight(["today", "--format", "csv"])).stdout).toMatch(/^need,next,reference,/)
  })

  it("tells a collection of today or tomorrow without a pickup, until the command was run", async () => {
    const { book, readyOf, today, at } = await todayDesk()
    const booking = await book("PO-1")
    const ready = await readyOf(booking)
    expect(await today(ready - 3 * DAY)).toMatchObject({ code: 0, needs: [] })
    expect(kinds(await today(ready - DAY))).toEqual(["no-pickup"])
    const { code, needs } = await today(ready - 2 * HOUR)
    expect(code).toBe(1)
    expect(needs).toEqual([
      {
        need: "no-pickup",
        consignmentNumber: booking.consignmentNumber,
        reference: "PO-1",
        shipmentId: booking.shipmentId,
        carrier: "CARRIER_A_AU",
        about: expect.stringContaining("to Port Street Fittings"),
        what: expect.stringMatching(/^collected today from \d\d:\d\d Alexandria; no pickup is booked$/),
        since: new Date(ready).toISOString(),
        next: `freight pickup book ${booking.consignmentNumber}`,
      },
    ])
    const [first] = needs
    expect((await at(ready - 2 * HOUR, first?.next.split(" ").slice(1) ?? [])).code).toBe(0)
    expect(await today(ready - 2 * HOUR)).toMatchObject({ code: 0, needs: [] })
  })

  it("shows together what goes from one place at one time, with one command that books its pickups", async () => {
    const { book, readyOf, today, at } = await todayDesk()
    const references = ["PO-1", "PO-2", "PO-3", "PO-4"]
    const bookings = []
    for (const reference of references) bookings.push(await book(reference))
    const now = (await readyOf(bookings[0] as BookingResponse)) - DAY
    const { stdout } = await at(now, ["today"])
    expect(stdout).toMatch(
      /^no pickup: 4 go from Alexandria tomorrow 10:00 \(PO-\d, PO-\d, PO-\d and 1 more\)\n {2}freight pickup book --open --date \S+\n$/,
    )
    expect(kinds(await today(now))).toEqual(references.map(() => "no-pickup"))
    const command = stdout.split("\n")[1]?.trim().split(" ").slice(1) ?? []
    const collected = await at(now, [...command, "--json"])
    expect(collected.code).toBe(0)
    expect(collected.items()).toEqual([expect.objectContaining({ status: "BOOKED" })])
    expect(await today(now)).toMatchObject({ code: 0, needs: [] })
  })

  it("tells a pickup that the carrier refused, and one that the service lost", async () => {
    const { book, readyOf, today } = await todayDesk()
    const failed = await book("PO-1 sandbox:auto-pickup-failed")
    const lost = await book("PO-2 sandbox:auto-pickup-unrecorded")
    const { needs } = await today((await readyOf(failed)) - 3 * DAY)
    expect(kinds({ needs })).toEqual(["pickup-failed", "pickup-lost"])
    expect(needs[0]?.next).toBe(`freight pickup book ${failed.consignmentNumber}`)
    expect(needs[1]?.next).toBe(`freight shipments show ${lost.consignmentNumber}`)
    expect(needs[1]?.what).toMatch(/the service did not record: do not book another \(.*PU-A-\d+\)$/)
  })

  it("tells a pickup that failed after the booking", async () => {
    const { book, readyOf, today, at } = await todayDesk()
    const booking = await book("PO-1 sandbox:pickup-failed")
    const now = (await readyOf(booking)) - 2 * HOUR
    expect((await at(now, ["pickup", "book", "--shipment", booking.shipmentId])).code).toBe(1)
    expect(kinds(await today(now))).toEqual(["pickup-failed"])
  })

  it("tells a consignment number that is missing, and not once it is there", async () => {
    const { book, today, at } = await todayDesk()
    const began = Date.now()
    const { shipmentId } = await book(
      "PO-1 sandbox:slow sandbox:auto-pickup-booked",
      "--set",
      "collectionDateTime=2099-01-05T12:00:00",
    )
    expect(kinds(await today(began + 60_000))).toEqual([])
    const { needs } = await today(began + HOUR)
    const [{ sentAt } = { sentAt: "" }] = (await at(began, ["history", "--json"])).items<HistoryRow>()
    expect(needs).toMatchObject([
      {
        need: "no-number",
        what: `booked ${formatInstant(sentAt)}; no consignment number yet`,
        next: `freight shipments show ${shipmentId.slice(0, 8)}`,
      },
    ])
    expect(kinds(await today(began + DAY + HOUR))).toEqual([])
  })

  it("tells a label that is missing before its collection, and asks no more once it was there", async () => {
    const { book, today, sandbox } = await todayDesk()
    const began = Date.now()
    const { year, month, day } = wallClockNow(began + 2 * DAY, ZONE)
    const collected = `collectionDateTime=${formatDate({ year, month, day })}T12:00:00`
    await book("PO-1 sandbox:slow sandbox:auto-pickup-booked", "--set", collected)
    const { needs } = await today(began + DAY + HOUR)
    expect(needs).toMatchObject([{ need: "no-label", next: expect.stringMatching(/^freight label SBA\d+$/) }])
    expect(kinds(await today(began + 2 * DAY + HOUR))).toEqual([])
    const asked = await requestsTo(sandbox, "GET /shipments/{id}/label")
    await today(began + 2 * DAY + HOUR)
    expect(await requestsTo(sandbox, "GET /shipments/{id}/label")).toBe(asked)
  })

  it("tells what was not scanned a day after it was ready, weekends not counted", async () => {
    const { book, readyOf, today } = await todayDesk()
    const booking = await book("PO-1 sandbox:not-collected sandbox:auto-pickup-booked")
    await book("PO-2 sandbox:auto-pickup-booked")
    const ready = await readyOf(booking)
    let day = ready + DAY
    while (isWeekend(wallClockNow(day, ZONE))) day += DAY
    expect(kinds(await today(day - HOUR))).toEqual([])
    const { needs } = await today(day + HOUR)
    expect(needs).toMatchObject([
      {
        need: "not-scanned",
        reference: "PO-1 sandbox:not-collected sandbox:auto-pickup-booked",
        next: `freight track ${booking.consignmentNumber}`,
      },
    ])
    expect(kinds(await today(ready + 3 * HOUR, "--hours", "2"))).toEqual(
      isWeekend(wallClockNow(ready + 2 * HOUR, ZONE)) ? [] : ["not-scanned"],
    )
  })

  it("shows a missed collection as one line, and each of its shipments with --all", async () => {
    const { book, readyOf, at, today } = await todayDesk()
    const bookings = []
    for (const n of [1, 2, 3, 4])
      bookings.push(
        await book(`PO-${n}`, "--instructions", "sandbox:not-collected sandbox:auto-pickup-booked"),
      )
    let day = (await readyOf(bookings[0] as BookingResponse)) + DAY
    while (isWeekend(wallClockNow(day, ZONE))) day += DAY
    expect(kinds(await today(day + HOUR))).toEqual(bookings.map(() => "not-scanned"))
    const { stdout, stderr } = await at(day + HOUR, ["today"])
    expect(stdout).toMatch(
      /^not scanned: 4 of carrier A from Alexandria \(PO-\d, PO-\d, PO-\d and 1 more\)\n {2}ready .*; nothing was scanned since\n {2}freight track --open\n$/,
    )
    expect(stderr).toBe("1 thing to look at.\n")
    const all = await at(day + HOUR, ["today", "--all"])
    expect(all.stdout.match(/^not scanned: PO-\d, SBA\d+, /gm)).toHaveLength(4)
  })

  it("tells what no carrier knows as not scanned", async () => {
    const { book, readyOf, today, freight, state } = await todayDesk()
    const booking = await book("PO-1 sandbox:auto-pickup-booked")
    const ready = await readyOf(booking)
    const database = openSqlite(path.join(state, "ledger.db"), { driver, clock: systemClock })
    await database.run("update sends set consignment_number = 'LOST-1'")
    await database.close()
    expect((await freight(["track", "LOST-1"])).code).toBe(5)
    const { needs, unseen } = await today(ready + 4 * DAY)
    expect(needs).toMatchObject([{ need: "not-scanned", next: "freight track LOST-1" }])
    expect(unseen).toEqual([])
  })

  it("tells what is late, and what was delivered with fewer items for a week", async () => {
    const { book, today, due } = await todayDesk()
    const late = await book("PO-1 sandbox:late")
    await book("PO-2")
    await book("PO-3 sandbox:short")
    const eta = await due(late)
    expect(kinds(await today(eta - DAY))).toEqual([])
    const { needs } = await today(eta + DAY)
    expect(needs.map(({ need, reference, next }) => [need, reference, next.split(" ").slice(0, 2)])).toEqual([
      ["items-missing", "PO-3 sandbox:short", ["freight", "track"]],
      ["late", "PO-1 sandbox:late", ["freight", "track"]],
    ])
    expect(needs[0]?.what).toMatch(/^1 of 2 items were delivered, /)
    expect(needs[1]?.what).toMatch(/^due \d{4}-\d\d-\d\d; last seen /)
    expect(kinds(await today(eta + 4 * DAY))).toEqual(["items-missing"])
    expect(kinds(await today(eta + 9 * DAY))).toEqual([])
  })

  it("leaves out what was cancelled, and asks for it no more", async () => {
    const { book, today, sandbox, due } = await todayDesk()
    const late = (await due(await book("PO-1 sandbox:cancelled"))) + 2 * DAY
    expect(await today(late)).toMatchObject({ code: 0, needs: [] })
    const before = [await requestsTo(sandbox, "GET /track"), await requestsTo(sandbox, "GET /shipments/{id}")]
    expect(await today(late + DAY)).toMatchObject({ code: 0, needs: [] })
    expect([
      await requestsTo(sandbox, "GET /track"),
      await requestsTo(sandbox, "GET /shipments/{id}"),
    ]).toEqual(before)
  })

  it("tells what has no known outcome first", async () => {
    const { book, freight, sandbox } = await todayDesk()
    await book("PO-1 sandbox:auto-pickup-failed")
    await sandbox.control("faults", { fault: "drop-after-commit:x1@POST/shipments" })
    expect((await freight(["book", "--file", "booking.json", "--key", "PO-2"])).code).toBe(7)
    const { code, json } = await freight(["today", "--json", "--leave-out", "no-pickup"])
    expect(code).toBe(1)
    expect(kinds({ needs: json<Today>().items })).toEqual(["unknown-outcome", "pickup-failed"])
    expect(json<Today>().items[0]).toMatchObject({
      next: "freight reconcile",
      what: expect.stringContaining("test-desk"),
    })
  })

  it("puts together what one command settles, and advises no pickup that would be refused", async () => {
    const { freight, sandbox, book, readyOf, today, at } = await todayDesk()
    const ready = await readyOf(await book("PO-0"))
    await sandbox.control("faults", { fault: "drop-after-commit:x2@POST/shipments" })
    for (const key of ["PO-1", "PO-2"])
      expect(
        (await freight(["book", "--file", "booking.json", "--key", key, "--reference", key, "--again"])).code,
      ).toBe(7)
    const lost = (await freight(["today"])).stdout
    expect(lost).toMatch(/^unknown outcome: 2 \(PO-[12], PO-[12]\)\n {2}freight reconcile\n/m)
    await freight(["reconcile"])
    const now = ready - HOUR
    const unclear = (await today(now, "--leave-out", "no-pickup")).needs
    expect(kinds({ needs: unclear })).toEqual(["pickup-unclear", "pickup-unclear"])
    for (const { next, what } of unclear) {
      expect(next).toMatch(/^freight shipments show /)
      expect(what).toMatch(/ask the carrier, and if there is none: freight pickup book \S+ --again$/)
    }
    const open = await at(now, ["pickup", "book", "--open"])
    expect([open.code, open.stderr]).toEqual([1, expect.stringContaining("cannot be known")])
  })

  it("tells a print device that is gone", async () => {
    const { freight, sandbox } = await todayDesk()
    expect((await freight(["devices", "use", "device-bench"])).code).toBe(0)
    expect((await freight(["today"])).code).toBe(0)
    await sandbox.control("devices", { id: "device-bench", revoked: true })
    const { code, json } = await freight(["today", "--json"])
    expect(code).toBe(1)
    expect(json<Today>().items.map(({ need, next }) => [need, next])).toEqual([
      ["device-gone", "freight devices use --api freight"],
      ["device-gone", "freight devices use --api direct-print"],
    ])
    expect(json<Today>().items[0]?.about).toMatch(/^device-bench \(/)
  })

  it("tells what is on no audited bill, once, and only where bills are audited", async () => {
    const { book, today, at, folder } = await todayDesk()
    const billed = await book("PO-1")
    await book("PO-2")
    const later = Date.now() + 50 * DAY
    expect(kinds(await today(later, "--leave-out", "late"))).toEqual([])
    await writeFile(path.join(folder, "bill.csv"), `consignment,amount\n${billed.consignmentNumber},10.00\n`)
    const audited = await at(later - 20 * DAY, ["audit", "bill.csv"])
    expect(audited.stderr).not.toContain("error:")
    expect(kinds(await today(later - 10 * DAY))).toEqual([])
    const { needs } = await today(later)
    expect(needs).toMatchObject([
      {
        need: "not-audited",
        about: "1 consignment",
        what: expect.stringMatching(
          /^booked more than 45 days ago, the first on \d{4}-\d\d-\d\d, and on no audited bill$/,
        ),
        next: expect.stringMatching(/^freight audit --accruals --since \d{4}-\d\d-\d\d$/),
      },
    ])
    const accruals = await at(later, needs[0]?.next.split(" ").slice(1) ?? [])
    expect([accruals.code, accruals.stdout]).toEqual([0, expect.stringContaining("PO-2")])
  })

  it("asks the service only for what can be wrong by now, and once", async () => {
    const { book, readyOf, today, sandbox, due } = await todayDesk()
    const first = await book("PO-1")
    await book("PO-2")
    const eta = await due(first)
    const before = await requestsTo(sandbox, "GET /track")
    await today((await readyOf(first)) + 8 * HOUR)
    expect(await requestsTo(sandbox, "GET /track")).toBe(before)
    await today(eta + DAY)
    expect(await requestsTo(sandbox, "GET /track")).toBe(before + 2)
    await today(eta + 2 * DAY)
    expect(await requestsTo(sandbox, "GET /track")).toBe(before + 2)
  })

  it("says what could not be looked at, and shows the rest", async () => {
    const { book, today, sandbox, due, at, freight } = await todayDesk()
    const late = (await due(await book("PO-1 sandbox:late"))) + DAY
    await sandbox.control("faults", { fault: "wrong-shape@GET/track" })
    const alone = await at(late, ["today", "--json"])
    expect([alone.code, alone.stdout]).toEqual([1, ""])
    expect(errorIn(alone.stderr)).toMatchObject({
      kind: "unreadable",
      message: expect.stringMatching(/^GET \/track: /),
    })
    await freight(["devices", "use", "device-bench"])
    await sandbox.control("devices", { id: "device-bench", revoked: true })
    const rest = await today(late)
    expect(rest.code).toBe(1)
    expect(kinds(rest)).toEqual(["device-gone", "device-gone"])
    expect(rest.stderr).toContain("tracking of 1 shipment could not be looked at")
    const signedOut = await at(late, ["today", "--json"], { FREIGHT_API_KEY: "" })
    expect(signedOut.code).toBe(1)
    expect(signedOut.json<Today>().unseen.map(({ kind }) => kind)).toContain("unauthenticated")
  })

  it("shows each in three lines, the last being the command", async () => {
    const { book, readyOf, at } = await todayDesk()
    const booking = await book("PO-1")
    const ready = await readyOf(booking)
    const { stdout, stderr } = await at(ready - HOUR, ["today"])
    expect(stdout).toBe(
      [
        `no pickup: PO-1, ${booking.consignmentNumber}, 2 packages to Port Street Fittings, Fremantle WA 6160`,
        "  collected today from 10:00 Alexandria; no pickup is booked",
        `  freight pickup book ${booking.consignmentNumber}`,
        "",
      ].join("\n"),
    )
    expect(stderr).toBe("1 thing to look at.\n")
    const csv = await at(ready - HOUR, ["today", "--format", "csv", "--fields", "need,reference"])
    expect(csv.stdout).toBe("need,reference\nno-pickup,PO-1\n")
  })

  it("leaves out what is skipped, and refuses what it cannot read", async () => {
    const { book, readyOf, today, freight } = await todayDesk()
    const ready = await readyOf(await book("PO-1"))
    expect(kinds(await today(ready - HOUR, "--leave-out", "no-pickup", "late"))).toEqual([])
    expect(kinds(await today(ready - HOUR, "--leave-out", "no-pickup,late"))).toEqual([])
    expect((await freight(["today", "--leave-out", "everything"])).code).toBe(2)
    expect((await freight(["today", "--hours", "soon"])).stderr).toContain(
      "--hours takes a whole number of hours",
    )
  })

  it("goes by the sandbox's own clock in the sandbox", async () => {
    const { env, freight } = await desk()
    const reference = ["--reference", "sandbox:auto-pickup-booked"]
    const booked = await freight(["book", "--sandbox", "--example"])
    const args = [..."book --sandbox --file - --connector connector-a --service 76".split(" "), ...reference]
    expect((await freight(args, { input: booked.stdout })).code).toBe(0)
    const served = running(["sandbox", "start", "--json"], env)
    const { freightBaseUrl } = JSON.parse((await served.line()) ?? "")
    const clock = new URL("/__sandbox/clock", freightBaseUrl)
    await fetch(clock, { method: "POST", body: JSON.stringify({ advanceMs: 30 * DAY }) })
    const { json } = await freight(["today", "--sandbox", "--json"])
    expect(Date.parse(json<Today>().at)).toBeGreaterThan(Date.now() + 29 * DAY)
    expect(json<Today>().items).toEqual([])
    served.interrupt()
    await served.ended
  })
})
