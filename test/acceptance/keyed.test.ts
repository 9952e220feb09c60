/** A booking command that is run again under its key answers from the ledger. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { BookingResponse, ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { systemClock } from "../../src/machine/host.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { driver } from "../ledger/setup.ts"
import { ownBooking, booked } from "./bookings.ts"
import { desk, errorIn } from "./freight.ts"
import { ownSandbox } from "./own-sandbox.ts"

const LANE = ["--from", "Alexandria NSW 2015", "--to", "Fremantle WA 6160", "--package", "2x40x30x20@5.5"]
const DAYS_3 = 72 * 3_600_000

/** A desk with a booking file, and a service that is switched off and on. */
async function keyedDesk() {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  const booking = ownBooking()
  const save = (value: object) => writeFile(path.join(made.folder, "booking.json"), JSON.stringify(value))
  await save(booking)
  const book = (...more: string[]) => made.freight(["book", "--file", "booking.json", "--json", ...more])
  return {
    ...made,
    sandbox,
    booking,
    save,
    book,
    /** Every request fails from now on. */
    cutOff: () => sandbox.control("faults", { fault: "503" }),
    shipments: async () => ((await sandbox.control("books")) as { shipments: unknown[] }).shipments.length,
    /** A folder of what this desk remembers of the service. */
    async remembered(name: string) {
      const [service = ""] = await readdir(made.state)
      return path.join(made.state, service, name)
    },
  }
}

/** A rate of the lane, by its id. */
async function rateOf({ freight }: Awaited<ReturnType<typeof keyedDesk>>): Promise<string> {
  const asked = await freight(["rate-shop", ...LANE, "--service", "STD", "--cheapest", "--json"])
  return asked.items<{ rateId: string }>()[0]?.rateId ?? ""
}

/** Makes every kept quote three days older. */
async function age(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name)
    const quote = JSON.parse(await readFile(file, "utf8")) as { quotedAt: number }
    await writeFile(file, JSON.stringify({ ...quote, quotedAt: quote.quotedAt - DAYS_3 }))
  }
}

describe("freight book, again under its key", () => {
  it("gives the recorded booking without the network, also where no connector is known any more", async () => {
    const { book, remembered, cutOff, shipments } = await keyedDesk()
    const first = await book("--key", "PO-1")
    expect(first.code, first.stderr).toBe(0)
    await rm(await remembered("seen"), { recursive: true, force: true })
    await cutOff()
    const second = await book("--key", "PO-1")
    expect(second.code, second.stderr).toBe(0)
    expect(second.json()).toEqual(first.json())
    expect(second.stderr).toContain("It was not sent again.")
    expect(await shipments()).toBe(1)
  })

  it.each([
    ["--reference", "another", "customerReference", expect.stringMatching(/^PO-own-\d+, now another$/)],
    ["--package", "1x40x30x20@5.5", "packages", "2x40x30x20@5.5, now 1x40x30x20@5.5"],
    ["--set", "receiver.suburb=Perth", "receiver.suburb", "Fremantle, now Perth"],
  ])("tells that the order has changed with %s %s, without the network", async (flag, value, field, told) => {
    const { book, cutOff, shipments } = await keyedDesk()
    await book("--key", "PO-1")
    await cutOff()
    const { code, stderr } = await book("--key", "PO-1", flag, value)
    const { message, errors, next } = errorIn(stderr)
    expect([code, message]).toEqual([1, expect.stringMatching(/^PO-1 was booked on .* changed since$/)])
    expect(errors).toContainEqual({ field, message: told })
    expect(next).toMatch(/^freight cancel /)
    expect(await shipments()).toBe(1)
  })

  it.each([
    [["--connector", "connector-a"], "connector (connector-c, now connector-a)"],
    [["--service", "EXP"], "service (STD, now EXP)"],
    [["--max-price", "5"], "price over the limit (62.52, now 5)"],
    [["--ready", "friday 9am"], /collection \(.* 10:00, now .* 09:00\)/],
  ])("gives it again, and says that it stays as it was, with %j", async (flags, told) => {
    const { book, cutOff, shipments } = await keyedDesk()
    const first = await book("--key", "PO-1")
    await cutOff()
    const second = await book("--key", "PO-1", ...flags)
    expect([second.code, second.json().shipmentId]).toEqual([0, first.json().shipmentId])
    expect(second.stderr).toMatch(/^It stays as it was booked: /m)
    expect(second.stderr).toMatch(told)
    expect(await shipments()).toBe(1)
  })

  it("takes another collection in the file for no difference, unless it is on a later day", async () => {
    const { book, booking, save } = await keyedDesk()
    await book("--key", "PO-1")
    const day = Date.parse(`${String(booking.collectionDateTime).slice(0, 10)}T00:00:00Z`)
    const on = (days: number) => new Date(day + days * 86_400_000).toISOString().slice(0, 10)
    await save({ ...booking, collectionDateTime: `${on(-1)}T10:00:00` })
    const earlier = await book("--key", "PO-1")
    expect([earlier.code, earlier.stderr]).toEqual([0, expect.stringContaining("stays as it was booked")])
    await save({ ...booking, collectionDateTime: `${on(7)}T10:00:00` })
    const later = await book("--key", "PO-1")
    expect([later.code, errorIn(later.stderr).errors?.[0]?.field]).toEqual([1, "collectionDateTime"])
  })

  it("gives it although its rate has aged past 48 hours since, or is kept no more", async () => {
    const made = await keyedDesk()
    const { book, booking, save, remembered, cutOff, shipments } = made
    const { serviceCode: _, packages: __, items: ___, ...withoutRate } = booking
    await save(withoutRate)
    const rate = await rateOf(made)
    const first = await book("--key", "PO-1", "--rate", rate)
    expect(first.code, first.stderr).toBe(0)

    const quotes = await remembered("quotes")
    await age(quotes)
    const unkeyed = await book("--key", "PO-2", "--rate", rate)
    expect(unkeyed.code).toBe(2)
    expect(errorIn(unkeyed.stderr).message).toContain("more than 48 hours old")

    await cutOff()
    const aged = await book("--key", "PO-1", "--rate", rate)
    expect(aged.code, aged.stderr).toBe(0)
    await rm(quotes, { recursive: true })
    const forgotten = await book("--key", "PO-1", "--rate", rate)
    expect(forgotten.code, forgotten.stderr).toBe(0)
    expect([aged.json(), forgotten.json()]).toEqual([first.json(), first.json()])
    expect(await shipments()).toBe(1)
  })

  it("says that its outcome is not known before it says that the rate is too old", async () => {
    const made = await keyedDesk()
    const rate = await rateOf(made)
    await made.sandbox.control("faults", { fault: "drop-before:x1@POST/shipments" })
    expect((await made.book("--key", "PO-1", "--rate", rate)).code).toBe(7)
    await age(await made.remembered("quotes"))
    const again = await made.book("--key", "PO-1", "--rate", rate)
    expect(again.code).toBe(7)
    expect(errorIn(again.stderr).next).toBe("freight reconcile")
  })

  it("does what is left to do after it", async () => {
    const { book, folder } = await keyedDesk()
    await book("--key", "PO-1")
    expect((await book("--key", "PO-1", "--label", "l.pdf")).code).toBe(0)
    expect((await readFile(path.join(folder, "l.pdf"))).subarray(0, 5).toString()).toBe("%PDF-")
  })
})

describe("a booking without a known outcome", () => {
  async function lostDesk() {
    const made = await keyedDesk()
    await made.sandbox.control("faults", { fault: "502-after-commit:x1@POST/shipments" })
    expect((await made.book("--key", "PO=1")).code).toBe(7)
    return made
  }

  it("is shown by history and reconcile with how its sending ended", async () => {
    const made = await keyedDesk()
    await made.sandbox.control("faults", { fault: "502:x1@POST/shipments" })
    expect((await made.book("--key", "PO-1")).code).toBe(7)
    const history = await made.freight(["history"])
    expect(history.stderr).toMatch(/PO-1: sending it failed with: .*502/)
    const reconciled = await made.freight(["reconcile", "--json"])
    expect(reconciled.items()).toMatchObject([{ key: "PO-1", error: expect.stringContaining("502") }])
    expect(reconciled.stderr).toMatch(/Sending it failed with: .*502/)
  })

  it("is shown with why it is open again, rather than with how its sending ended", async () => {
    const { freight, state } = await lostDesk()
    const database = openSqlite(path.join(state, "ledger.db"), { driver, clock: systemClock })
    await database.run("update sends set note = 'Shipment shp-9 may be this one''s.'")
    await database.close()
    expect((await freight(["history"])).stderr).toContain("PO=1: Shipment shp-9 may be this one's.\n")
    expect((await freight(["today", "--json"])).json()).toMatchObject({
      items: [{ what: expect.stringMatching(/; Shipment shp-9 may be this one's\.$/) }],
    })
  })

  it("of which several fit is settled by the person's word, and its key then gives that shipment", async () => {
    const { freight, book, sandbox, booking } = await lostDesk()
    const twin = await booked(sandbox, "connector-c", booking as Partial<ConsignmentBookingRequest>)
    const open = await freight(["reconcile", "--json"])
    expect(open.code).toBe(7)
    expect(open.items()).toMatchObject([{ outcome: "several" }])
    expect(open.stderr).toContain("freight reconcile --settle KEY=SHIPMENT")
    const settled = await freight(["reconcile", "--settle", `PO=1=${twin.shipmentId}`, "--json"])
    expect(settled.code, settled.stderr).toBe(0)
    expect(settled.items()).toMatchObject([{ outcome: "settled", matches: [twin.shipmentId] }])
    const again = await book("--key", "PO=1")
    expect(again.json<BookingResponse>().shipmentId).toBe(twin.shipmentId)
    expect((await freight(["reconcile"])).code).toBe(0)
  })
})
