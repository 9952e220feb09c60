/** A service that answers two orders with one shipment: the second is not taken for booked. */
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/orders/batch/summary.ts"
import { altered } from "./altered.ts"
import { errorOf, orderDesk } from "./batches.ts"
import { bookingDesk } from "./bookings.ts"
import { errorIn } from "./freight.ts"
import { orders } from "./orders.ts"
import { ownSandbox } from "./own-sandbox.ts"

const REPEATED =
  /^the service answered with shipment (\S+), which it gave before for (\S+) \(sent on .*\): one of the two orders may have no shipment of its own$/

/** Every booking is answered with the first one's shipment. */
async function repeatingService() {
  let first: unknown
  const sandbox = await ownSandbox()
  const between = await altered(sandbox, ({ method, path, status, change }) => {
    if (method !== "POST" || status !== 201 || !path.endsWith("/shipments")) return
    change((reply) => {
      first ??= reply.shipmentId
      return { ...reply, shipmentId: first }
    })
  })
  return { ...sandbox, ...between }
}

describe("one shipment for two orders", () => {
  it("ends a booking with 7, leaves its order open, and prints nothing for it", async () => {
    const { book, freight } = await bookingDesk(await repeatingService())
    const first = await book("--key", "PO-1")
    const { shipmentId } = first.json<{ shipmentId: string }>()
    const second = await book("--key", "PO-2", "--reference", "PO-2", "--label", "second.pdf")
    expect([second.code, second.stdout]).toEqual([7, ""])
    const error = errorIn(second.stderr)
    expect(error).toMatchObject({ kind: "outcomeUnknown", next: "freight reconcile" })
    expect(REPEATED.exec(error.message)?.slice(1)).toEqual([shipmentId, "PO-1"])
    expect((await book("--key", "PO-1")).json()).toMatchObject({ shipmentId })
    expect((await book("--key", "PO-2", "--reference", "PO-2", "--without-looking")).code).toBe(7)
    const entries = (await freight(["history", "--json"])).items<Record<string, unknown>>()
    expect(entries).toMatchObject([
      { key: "PO-2", state: "unknown" },
      { key: "PO-1", state: "done", shipmentId },
    ])
  })

  it("is told by reconcile, which settles the order only when a shipment of its own is found", async () => {
    const { book, freight } = await bookingDesk(await repeatingService())
    await book("--key", "PO-1")
    expect((await book("--key", "PO-2", "--reference", "PO-2")).code).toBe(7)
    const found = await freight(["reconcile", "--json"])
    // The sandbox made one, and only its reply was wrong.
    expect(found.items()).toMatchObject([
      { key: "PO-2", outcome: "settled", error: expect.stringMatching(REPEATED) },
    ])
    expect((await book("--key", "PO-2", "--reference", "PO-2")).code).toBe(0)
  })

  it("is an unknown row of a batch", async () => {
    const { book } = await orderDesk(orders(2), await repeatingService())
    const ran = await book("--concurrency", "1")
    expect([ran.code, ran.json<Summary>()]).toMatchObject([7, { booked: 1, unknown: 1 }])
    const [{ message = "" } = {}] = errorOf(ran).errors ?? []
    expect(message).toMatch(
      /^row 3 \(PO-2\): the service answered with shipment \S+, which it gave before for PO-1/,
    )
  })
})
