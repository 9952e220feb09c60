/** Every way to book goes through one place: what is looked at there right before sending is looked at for all of them. */
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { describe, expect, it } from "vitest"
import { systemClock } from "../../src/machine/host.ts"
import type { Moment } from "../../src/ledger/create.ts"
import { desk } from "./freight.ts"
import { nestedOrder, order } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"
import { openSeat, WAYS } from "./seats.ts"

const YEARS = 3 * 366 * 24 * 3_600_000

/** A seat at which years pass between the claim and the request of the next thing that is sent. */
async function slowSeat() {
  const sandbox = await ownSandbox()
  const made = await desk(sandbox)
  let [ahead, isSlow] = [0, false]
  const clock = { ...systemClock, now: () => systemClock.now() + ahead }
  const at = (moment: Moment) => {
    if (isSlow && moment === "after-intent") ahead = YEARS
  }
  const env = { FREIGHT_API_KEY: sandbox.freightApiKey }
  const seat = openSeat(made, "freight", env, clock, at)
  return {
    ...seat,
    folder: made.folder,
    async whileSlow<T>(work: () => Promise<T>): Promise<T> {
      ;[ahead, isSlow] = [0, true]
      const done = await work()
      ;[ahead, isSlow] = [0, false]
      return done
    },
    async references() {
      const { shipments } = (await sandbox.control("books")) as {
        shipments: { request: { customerReference: string } }[]
      }
      return shipments.map(({ request }) => request.customerReference)
    },
  }
}

const TOO_LATE = /it became too late while it waited: .*; nothing was sent/s

describe("what became too late while it waited is not sent, and is booked once it is right", () => {
  it.each(WAYS)("by %s", async (way) => {
    const seat = await slowSeat()
    const [late] = await seat.whileSlow(() => seat.book(way, "PO-1"))
    expect(late?.why).toMatch(TOO_LATE)
    expect(await seat.references()).toEqual([])
    const [booked] = await seat.book(way, "PO-1")
    expect(booked).toMatchObject({ why: "", shipment: expect.any(String) })
    expect(await seat.references()).toEqual(["PO-1"])
  })

  it("as an earlier booking, or by freight api", async () => {
    const seat = await slowSeat()
    await seat.book("file", "PO-1")
    const { connector: _, service: serviceCode, reference: __, ...rest } = nestedOrder(order("PO-3"))
    const body = path.join(seat.folder, "body.json")
    const more = { serviceCode, customerReference: "PO-3", payer: { type: "Sender" }, dangerousGoods: false }
    const items = { count: 2, totalWeightKg: 11, maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    const sender = rest.sender as object
    await writeFile(body, JSON.stringify({ ...rest, ...more, items, collection: sender }))
    for (const words of [
      ["book", "--like", "PO-1", "--reference", "PO-2", "--ready", String(rest.collectionDateTime)],
      ["api", "POST", "/connector-b/shipments", "--file", body],
    ]) {
      const late = await seat.whileSlow(() => seat.run(...words))
      expect([late.code, late.stderr]).toEqual([2, expect.stringMatching(TOO_LATE)])
      expect((await seat.run(...words)).code).toBe(0)
    }
    expect((await seat.references()).sort()).toEqual(["PO-1", "PO-2", "PO-3"])
  })
})
