/** Two desks of one account with a ledger each: what one has booked, the other does not book again. */
import { describe, expect, it } from "vitest"
import type { Summary } from "../../src/batch/summary.ts"
import { errorOf, orderDesk } from "./batches.ts"
import { booked } from "./bookings.ts"
import { type Order, order, orders, saveOrders } from "./orders.ts"
import { ownSandbox, requestsTo } from "./own-sandbox.ts"
import type { RunningSandbox } from "./sandbox.ts"

/** As many desks at one sandbox, with the same orders. */
async function desks(count: number, rows: readonly Order[]) {
  const sandbox = await ownSandbox()
  const all = await Promise.all(Array.from({ length: count }, () => orderDesk(rows, sandbox)))
  return { sandbox, all }
}

async function countShipments(sandbox: RunningSandbox): Promise<number> {
  const { counts } = (await sandbox.control("books?only=counts")) as { counts: { shipments: number } }
  return counts.shipments
}

describe("a second ledger", () => {
  it("books nothing again, and names what was booked", async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => order(`E-${n}`))
    const { sandbox, all } = await desks(3, rows)
    const [one, two, three] = all
    expect((await one?.book())?.json<Summary>()).toMatchObject({ booked: 5 })
    const mine = await one?.results()
    for (const other of [two, three]) {
      const { code, stderr, json } = (await other?.book()) ?? {}
      expect(stderr).toContain("5 orders were booked elsewhere, and are not sent: E-1 was booked")
      expect(stderr).toContain("use one ledger together")
      expect({ code, summary: json?.<Summary>() }).toMatchObject({
        code: 0,
        summary: { booked: 5, elsewhere: 5, failed: 0 },
      })
      const theirs = await other?.results()
      expect(theirs?.map((row) => row["freight.shipment"])).toEqual(
        mine?.map((row) => row["freight.shipment"]),
      )
      expect((await other?.status())?.results).toMatchObject(
        rows.map(({ reference }) => ({ reference, state: "booked", elsewhere: "API" })),
      )
    }
    // Once more: nothing is new, and nothing is told again.
    const before = await requestsTo(sandbox, "GET /shipments/{id}")
    const again = await two?.book()
    expect(again?.stderr).not.toContain("use one ledger together")
    expect(await requestsTo(sandbox, "GET /shipments/{id}")).toBe(before)
    expect(await countShipments(sandbox)).toBe(5)
  })
})
