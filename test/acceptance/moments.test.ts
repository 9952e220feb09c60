/**
 * Collections at moments at which what is tomorrow, a business day or the window of a collection differs: other tests
 * choose a day of their own, or run on any.
 */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import type { PickupBookingDetailResponse } from "../../src/contract/generated/types.ts"
import { desk, errorIn } from "./freight.ts"
import { order, saveOrders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

const BEFORE_READY = /pickupDate is before the goods are ready/
const PAST = /readyTime is past/
const MISSED = { code: 2, message: BEFORE_READY }

/** In Sydney: the business day of the example; what a collection tomorrow and today at 10:00 comes to, of goods ready then. */
const MOMENTS = [
  {
    ...{ name: "on an afternoon", at: "2027-02-09T15:30:00+11:00", next: "2027-02-10" },
    ...{ tomorrow: { code: 0, date: "2027-02-10" }, today: PAST },
  },
  {
    ...{ name: "two minutes before midnight", at: "2027-02-09T23:58:00+11:00", next: "2027-02-10" },
    ...{ tomorrow: { code: 0, date: "2027-02-10" }, today: PAST },
  },
  {
    ...{ name: "on a Friday", at: "2027-02-12T15:30:00+11:00", next: "2027-02-15" },
    ...{ tomorrow: MISSED, today: PAST },
  },
  {
    ...{ name: "on a Saturday", at: "2027-02-13T11:00:00+11:00", next: "2027-02-15" },
    ...{ tomorrow: MISSED, today: PAST },
  },
  {
    ...{ name: "on 31 December", at: "2027-12-31T23:30:00+11:00", next: "2028-01-03" },
    ...{ tomorrow: MISSED, today: PAST },
  },
  {
    ...{ name: "when summer time ends", at: "2027-04-04T02:30:00+11:00", next: "2027-04-05" },
    ...{ tomorrow: { code: 0, date: "2027-04-05" }, today: BEFORE_READY },
  },
  {
    ...{ name: "when summer time begins", at: "2027-10-03T01:55:00+10:00", next: "2027-10-04" },
    ...{ tomorrow: { code: 0, date: "2027-10-04" }, today: BEFORE_READY },
  },
]

describe.each(MOMENTS)("$name", ({ at, next, tomorrow, today }) => {
  async function sit() {
    const sandbox = await ownSandbox()
    await sandbox.control("clock", { set: new Date(at).toISOString() })
    const made = await desk(sandbox, Date.parse(at))
    const { stdout } = await made.freight(["book", "--example"])
    const example = { ...JSON.parse(stdout), customerReference: "M-0" }
    await writeFile(path.join(made.folder, "booking.json"), JSON.stringify(example))
    const book = (...more: string[]) =>
      made.freight([
        "book",
        "--file",
        "booking.json",
        "--connector",
        "connector-a",
        "--service",
        "76",
        ...more,
      ])
    return { ...made, sandbox, example, book }
  }

  it("the example is ready on the next business day, and is booked and collected then", async () => {
    const { sandbox, example, book, freight } = await sit()
    expect(example.collectionDateTime).toBe(`${next}T10:00:00`)
    expect(await book("--pickup")).toMatchObject({ code: 0 })
    const { pickups } = (await sandbox.control("books")) as { pickups: { id: string }[] }
    expect(pickups).toHaveLength(1)
    const shown = await freight(["pickup", "show", pickups[0]?.id ?? "", "--json"])
    expect(shown.json<PickupBookingDetailResponse>().pickup).toMatchObject({
      ...{ pickupDate: next, readyTime: "10:00", closeTime: "17:00" },
    })
  })

  it("days in words are those of the collection, and what is past or before the goods is refused", async () => {
    const { freight, example, book } = await sit()
    expect((await book()).code).toBe(0)
    const collect = (...words: string[]) =>
      freight(["pickup", "book", example.customerReference, "--dry-run", "--json", ...words])
    expect((await collect("--ready", "11:00")).json()).toMatchObject({ pickupDate: next, readyTime: "11:00" })
    const then = await collect("--date", "tomorrow")
    expect(then.code).toBe(tomorrow.code)
    if ("date" in tomorrow) expect(then.json()).toMatchObject({ pickupDate: tomorrow.date })
    else expect(errorIn(then.stderr).errors[0].message).toMatch(tomorrow.message)
    const now = await collect("--date", "today", "--ready", "10:00", "--close", "17:00")
    expect([now.code, errorIn(now.stderr).errors[0].message]).toEqual([2, expect.stringMatching(today)])
  })

  it("what is booked and collected once is found twenty minutes later, on another day or by another offset", async () => {
    const { sandbox, state, folder, example, book } = await sit()
    expect((await book("--pickup")).code).toBe(0)
    const later = Date.parse(at) + 20 * 60_000
    await sandbox.control("clock", { set: new Date(later).toISOString() })
    const { freight } = await desk(sandbox, later)
    const again = (...words: string[]) => freight(words, { env: { FREIGHT_STATE_DIR: state } })
    const file = path.join(folder, "booking.json")
    const booking = await again(
      "book",
      "--file",
      file,
      "--connector",
      "connector-a",
      "--service",
      "76",
      "--json",
    )
    expect([booking.code, errorIn(booking.stderr).message]).toEqual([
      1,
      expect.stringContaining("an equal booking was made on"),
    ])
    const pickup = await again("pickup", "book", example.customerReference, "--json")
    expect([pickup.code, errorIn(pickup.stderr).message]).toEqual([
      1,
      expect.stringContaining("has a pickup already"),
    ])
  })

  it("a batch is booked for the next business day, and refused for the day before", async () => {
    const { freight, folder } = await sit()
    const batch = async (day: string, reference: string) => {
      await saveOrders(folder, [order(reference, { collectionDateTime: `${day}T10:00:00` })])
      return freight(["batch", "book", "orders.csv", "--yes"])
    }
    expect((await batch(next, "M-1")).code).toBe(0)
    const yesterday = new Date(Date.parse(at) - 24 * 3_600_000).toISOString().slice(0, 10)
    const late = await batch(yesterday, "M-2")
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("is past: ready ")])
  })
})
