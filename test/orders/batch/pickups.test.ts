import { describe, expect, it } from "vitest"
import { bookCollection, type Collection, groupCollections } from "../../../src/orders/batch/pickups.ts"
import type { GoodRow } from "../../../src/orders/batch/rows/row.ts"
import { sendPickup } from "../../../src/orders/booking/pickup.ts"
import { type BatchBench, batchBench, rowOf, rowsNamed } from "./bench.ts"

/** Books rows, and gives what is to be collected for them. */
async function collected(bench: BatchBench, rows: readonly GoodRow[]): Promise<Collection[]> {
  await bench.run(rows)
  const booked = await bench.booked()
  const { collections } = await groupCollections(
    bench.ledger,
    bench.api,
    rows.flatMap(({ reference }) => (booked.get(reference) ?? []).map((shipmentId) => ({ shipmentId }))),
  )
  return collections
}

/** The one pickup that is to be booked for them. */
async function onlyCollected(bench: BatchBench, rows: readonly GoodRow[]): Promise<Collection> {
  const [only] = await collected(bench, rows)
  if (!only) throw new Error("nothing to collect")
  return only
}

async function pickups(bench: BatchBench): Promise<number> {
  return bench.asked("POST /{connectorId}/pickups")
}

describe("what is collected", () => {
  it("is one pickup for each address, connector and time", async () => {
    const bench = await batchBench()
    const elsewhere = { ...rowOf("X").request.collection, suburb: "Mascot", postcode: "2020" }
    const later = { collectionDateTime: "2026-11-24T10:00:00" }
    const other = { kind: "code", serviceCode: "76", connectorId: "connector-a" } as const
    const rows = [
      ...rowsNamed(3),
      rowOf("PO-4", { booking: { collection: elsewhere } }),
      rowOf("PO-5", { booking: later }),
      rowOf("PO-6", { wish: other }),
    ]
    const collections = await collected(bench, rows)
    expect(collections.map(({ connectorId, shipments }) => `${connectorId} ${shipments.length}`)).toEqual([
      "connector-b 3",
      "connector-b 1",
      "connector-b 1",
      "connector-a 1",
    ])
    expect(new Set(collections.map(({ key }) => key)).size).toBe(4)
  })

  it("adds up the goods of all its shipments", async () => {
    const bench = await batchBench()
    const [only] = await collected(bench, rowsNamed(3))
    const longest = { maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    expect(only?.items).toEqual({ count: 6, totalWeightKg: 33, ...longest })
  })

  it("leaves out what was collected with its booking, or arranged before", async () => {
    const bench = await batchBench()
    const rows = [
      rowOf("PO-1", { booking: { specialInstructions: "sandbox:auto-pickup-booked" } }),
      rowOf("PO-2", { booking: { specialInstructions: "sandbox:auto-pickup-unrecorded" } }),
      rowOf("PO-3", { booking: { pickupBookingNumber: "PRE-1" } }),
    ]
    expect(await collected(bench, rows)).toEqual([])
  })

  it("leaves out a shipment that has a pickup of its own", async () => {
    const bench = await batchBench()
    await bench.run(rowsNamed(2))
    const [shipmentId = ""] = (await bench.booked()).get("PO-1") ?? []
    await sendPickup(bench.ledger, bench.api, {
      connectorId: "connector-b",
      carrier: "CARRIER_B_AU",
      request: { shipmentId, pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" },
    })
    const [only] = await collected(bench, rowsNamed(2))
    expect(only?.shipments).toHaveLength(1)
  })
})

describe("a pickup of a batch", () => {
  it("is for the shipment where there is one, and on its own where there are several", async () => {
    const bench = await batchBench()
    const one = await onlyCollected(bench, rowsNamed(1))
    await bookCollection(bench.ledger, bench.api, one)
    const other = { kind: "code", serviceCode: "76", connectorId: "connector-a" } as const
    const several = await onlyCollected(bench, rowsNamed(2, "A", other))
    await bookCollection(bench.ledger, bench.api, several)
    const requests = (await bench.ledger.store.history({ kind: "pickup" })).map(({ request }) => request)
    expect(requests).toContainEqual(expect.objectContaining({ shipmentId: one.shipments[0] }))
    expect(requests).toContainEqual(
      expect.objectContaining({ serviceCode: "76", items: expect.objectContaining({ count: 4 }) }),
    )
  })

  it("is booked once, however often the batch is run", async () => {
    const bench = await batchBench()
    const collection = await onlyCollected(bench, rowsNamed(3))
    const first = await bookCollection(bench.ledger, bench.api, collection)
    const second = await bookCollection(bench.ledger, bench.api, collection)
    expect([first.recorded, second.recorded]).toEqual([false, true])
    expect(second.reference).toBe(first.reference)
    expect(await pickups(bench)).toBe(1)
  })

  it("is not booked again when there are more goods now: that is reported", async () => {
    const bench = await batchBench()
    const before = await onlyCollected(bench, rowsNamed(1))
    await bookCollection(bench.ledger, bench.api, before)
    const now = await onlyCollected(bench, rowsNamed(3))
    expect(await bookCollection(bench.ledger, bench.api, now)).toMatchObject({
      recorded: true,
      isOther: true,
    })
    expect(await pickups(bench)).toBe(1)
  })

  it("that the carrier refused may be booked by the next run", async () => {
    const bench = await batchBench()
    const refused = { specialInstructions: "sandbox:pickup-failed" }
    const collection = await onlyCollected(bench, [rowOf("PO-1", { booking: refused })])
    const failure = await bookCollection(bench.ledger, bench.api, collection).catch((error: unknown) => error)
    expect(failure).toMatchObject({ kind: "refused" })
    await bookCollection(bench.ledger, bench.api, collection).catch(() => {})
    expect(await pickups(bench)).toBe(2)
  })

  it("whose outcome is not known is not booked again", async () => {
    const bench = await batchBench()
    const collection = await onlyCollected(bench, rowsNamed(2))
    await bench.fault("drop-after-commit:x1@POST/pickups")
    const kinds: unknown[] = []
    for (const _ of [1, 2])
      kinds.push(await bookCollection(bench.ledger, bench.api, collection).catch(({ kind }) => kind))
    expect(kinds).toEqual(["outcomeUnknown", "outcomeUnknown"])
    expect(await pickups(bench)).toBe(1)
  })

  it("that the carrier has and the service lost is never booked again", async () => {
    const bench = await batchBench()
    const lost = { specialInstructions: "sandbox:pickup-500" }
    const collection = await onlyCollected(bench, [rowOf("PO-1", { booking: lost })])
    const first = await bookCollection(bench.ledger, bench.api, collection).catch((error: unknown) => error)
    expect(first).toMatchObject({ kind: "stepFailed" })
    expect(await bookCollection(bench.ledger, bench.api, collection)).toMatchObject({ recorded: true })
    expect(await pickups(bench)).toBe(1)
  })
})
