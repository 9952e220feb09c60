/** A collection that is past, or over before it begins, is booked on no path; whoever means it says so. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { addDays, formatDate, wallClockNow } from "../../src/base/wall-clock.ts"
import { orderDesk } from "./batches.ts"
import { ownBooking, booked, bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { order } from "./orders.ts"
import { fileSandbox } from "./own-sandbox.ts"
import { pickupsAt } from "./pickups.ts"

const sandbox = await fileSandbox()

const today = () => wallClockNow(Date.now(), "Australia/Sydney")
const yesterday = () => formatDate(addDays(today(), -1))
const saturday = () => {
  let day = addDays(today(), 7)
  while (new Date(`${formatDate(day)}T00:00:00Z`).getUTCDay() !== 6) day = addDays(day, 1)
  return formatDate(day)
}
const shipments = async () =>
  ((await sandbox.control("books?only=counts")) as { counts: { shipments: number } }).counts.shipments

const PAST = /is past: ready \w{3} \d{4}-\d\d-\d\d 10:00, and it is \w{3} \d{4}-\d\d-\d\d \d\d:\d\d at the/

/** A desk with the example booking, changed. */
async function timedDesk(changes: Record<string, unknown>) {
  const made = await bookingDesk(sandbox)
  const example = { ...ownBooking(), ...changes }
  await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(example))
  return made
}

describe("book", () => {
  it("refuses a ready time that has passed, and tells both times", async () => {
    const { book } = await timedDesk({})
    const before = await shipments()
    const { code, stdout, stderr } = await book("--ready", `${yesterday()}T10:00`)
    expect([code, stdout]).toEqual([2, ""])
    const [first] = errorIn(stderr).errors
    expect(first.field).toBe("collectionDateTime")
    expect(first.message).toMatch(PAST)
    expect(first.message).toContain("--allow-past")
    expect(await shipments()).toBe(before)
  })

  it("books a past time for whoever means it, with a warning", async () => {
    const { book } = await timedDesk({ customerReference: "past" })
    const { code, stderr } = await book("--ready", `${yesterday()}T10:00`, "--allow-past")
    expect(stderr).toMatch(/warning: collectionDateTime is past/)
    expect(code).toBe(0)
  })

  it("names no line of the file for what a flag gave", async () => {
    const { book } = await timedDesk({})
    const [given] = errorIn((await book("--ready", `${yesterday()}T10:00`)).stderr).errors
    const { book: again } = await timedDesk({ collectionDateTime: `${yesterday()}T10:00:00` })
    const [written] = errorIn((await again()).stderr).errors
    expect([given.field, given.line]).toEqual(["collectionDateTime", undefined])
    expect([written.field, written.line]).toEqual(["collectionDateTime", expect.any(Number)])
  })

  it("gives what was booked under its key again, however late", async () => {
    const { book } = await timedDesk({ collectionDateTime: `${yesterday()}T10:00:00`, serviceCode: "GEN" })
    const first = await book("--key", "LATE", "--allow-past")
    const again = await book("--key", "LATE")
    expect(again.code).toBe(0)
    // Warnings from before the booking was sent are not repeated.
    expect(again.json()).toEqual({ ...first.json(), warnings: [] })
  })
})

describe("book --pickup, when its times have passed", () => {
  it("tells of the one that was booked by itself in time", async () => {
    const { book, freight } = await timedDesk({
      collectionDateTime: `${yesterday()}T10:00:00`,
      serviceCode: "GEN",
    })
    const { shipmentId } = (await book("--key", "LATE-2", "--allow-past")).json<{ shipmentId: string }>()
    expect((await freight(["pickup", "book", "--shipment", shipmentId, "--allow-past"])).code).toBe(0)
    const { code, stderr } = await book("--key", "LATE-2", "--pickup")
    expect(stderr).toContain("Pickup booked before")
    expect(code).toBe(0)
  })
})

describe("batch book", () => {
  const late = { collectionDateTime: `${yesterday()}T10:00:00` }

  it("refuses the file, with the row and the column", async () => {
    const { book, booked: made } = await orderDesk([order("LATE-1"), order("LATE-2", late)], sandbox)
    const { code, stderr } = await book()
    expect(code).toBe(2)
    const [first, ...others] = errorIn(stderr).errors
    expect(others).toEqual([])
    expect(first).toMatchObject({ field: "collectionDateTime", line: 3 })
    expect(first.message).toMatch(PAST)
    expect(await made()).toEqual([0, 0])
  })

  it("says nothing of the times of rows that are booked already", async () => {
    const { book, booked: made } = await orderDesk([order("DONE-1", late)], sandbox)
    await book("--allow-past")
    const again = await book()
    expect(again.code).toBe(0)
    expect(again.json()).toMatchObject({ recorded: 1 })
    expect(await made()).toEqual([1])
  })
})

describe("batch book -", () => {
  it("tells each row's warnings and repairs with the row", async () => {
    const { freight } = await orderDesk([], sandbox)
    const doubtful = {
      "sender.email": "dispatch",
      collectionDateTime: `${saturday()}T10:00:00`,
    }
    const rows = [order("W-1", doubtful), order("W-2")].map((row) => `${JSON.stringify(row)}\n`).join("")
    const { code, stdout } = await freight(["batch", "book", "-", "--format", "ndjson"], { input: rows })
    expect(code).toBe(0)
    const results = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    const warnings = (name: string) => results.find(({ reference }) => reference === name).warnings.join("\n")
    expect(warnings("W-1")).toContain("does not look like an email address")
    expect(warnings("W-1")).toContain("on a weekend")
    expect(warnings("W-2")).toBe("")
  })

  it("tells what the carrier says of a booking with its row", async () => {
    const { freight } = await orderDesk([], sandbox)
    const row = order("W-3", { specialInstructions: "sandbox:auto-pickup-unrecorded" })
    const args = ["batch", "book", "-", "--format", "ndjson"]
    const { stdout } = await freight(args, { input: `${JSON.stringify(row)}\n` })
    expect(JSON.parse(stdout).warnings.join("\n")).toContain("do not book another")
  })
})

describe("pickup book", () => {
  it("refuses a day that is past, and one for whoever means it is warned of", async () => {
    const { shipmentId } = await booked(sandbox, "connector-c", { customerReference: "pickup past" })
    const { freight } = await bookingDesk(sandbox)
    const before = await pickupsAt(sandbox)
    const args = ["pickup", "book", "--shipment", shipmentId, "--date", yesterday(), "--json"]
    const { code, stderr } = await freight(args)
    expect(code).toBe(2)
    expect(errorIn(stderr).errors).toMatchObject([{ field: "pickupDate" }])
    expect(errorIn(stderr).errors[0].message).toMatch(PAST)
    expect(await pickupsAt(sandbox)).toBe(before)
    const meant = await freight([...args, "--allow-past", "--key", "P"])
    expect(meant.stderr).toContain("pickupDate is past")
    expect(meant.code).toBe(0)
    // Its warnings say what time it is.
    const items = (ran: typeof meant) => ran.json<{ items: unknown[] }>().items
    expect(items(await freight([...args, "--key", "P"]))).toEqual(items(meant))
  })
})

describe("a pickup that follows a booking", () => {
  it("is not booked for a time that has passed since", async () => {
    const { book } = await timedDesk({ collectionDateTime: `${yesterday()}T10:00:00`, serviceCode: "GEN" })
    expect((await book("--key", "OLD", "--allow-past")).code).toBe(0)
    const before = await pickupsAt(sandbox)
    const { code, stderr } = await book("--key", "OLD", "--pickup")
    expect(code).toBe(8)
    expect(errorIn(stderr).errors[0].message).toContain("is past")
    expect(errorIn(stderr).next).toContain("freight pickup book")
    expect(await pickupsAt(sandbox)).toBe(before)
    expect((await book("--key", "OLD", "--pickup", "--allow-past")).code).toBe(0)
    expect((await book("--key", "OLD", "--pickup")).code).toBe(0)
    expect(await pickupsAt(sandbox)).toBe(before + 1)
  })

  it("in a batch is not booked for it either", async () => {
    const late = { collectionDateTime: `${yesterday()}T10:00:00` }
    const { book } = await orderDesk([order("OLD-1", late)], sandbox)
    await book("--allow-past")
    const before = await pickupsAt(sandbox)
    const { code, stderr } = await book("--pickup")
    expect(code).toBe(8)
    expect(stderr).toContain("is past")
    expect(await pickupsAt(sandbox)).toBe(before)
  })
})

describe("api", () => {
  it.each(["connector-b/shipments", "connector-b/pickups"])("refuses the same to POST %s", async (to) => {
    const { freight, folder } = await bookingDesk(sandbox)
    const { collection, receiver, ...example } = ownBooking()
    const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    const body = to.endsWith("pickups")
      ? { collection, receiver, items, pickupDate: yesterday(), readyTime: "10:00", closeTime: "17:00" }
      : {
          ...example,
          collection,
          receiver,
          items,
          serviceCode: "GEN",
          collectionDateTime: `${yesterday()}T10:00:00`,
        }
    await writeFile(path.join(folder, "body.json"), JSON.stringify(body))
    const args = ["api", "POST", to, "--file", "body.json", "--json"]
    const { code, stdout, stderr } = await freight(args)
    expect([code, stdout]).toEqual([2, ""])
    expect(errorIn(stderr).errors[0].message).toMatch(PAST)
    expect((await freight([...args, "--allow-past", "--key", "K"])).code).toBe(0)
    expect((await freight([...args, "--key", "K"])).code).toBe(0)
  })
})
