import { describe, expect, it } from "vitest"
import { FreightError } from "../../../src/base/errors.ts"
import { momentAt } from "../../../src/contract/collection-times.ts"
import {
  bookCollection,
  bookCollections,
  type Collection,
  groupCollections,
} from "../../../src/orders/batch/pickups.ts"
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
    await bookCollection(bench.ledger, bench.api, await onlyCollected(bench, rowsNamed(3)))
    const [pickup] = await bench.ledger.store.history({ kind: "pickup" })
    const longest = { maxLengthCm: 40, maxWidthCm: 30, maxHeightCm: 20 }
    expect(Object(pickup?.request).items).toEqual({ count: 6, totalWeightKg: 33, ...longest })
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
    expect(requests).toContainEqual(expect.objectContaining({ shipmentId: one.shipments[0]?.id }))
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

  it("is not booked again when there are more goods now: they wait for it, however often the batch is run", async () => {
    const bench = await batchBench()
    const before = await onlyCollected(bench, rowsNamed(1))
    await bookCollection(bench.ledger, bench.api, before)
    const now = await onlyCollected(bench, rowsNamed(3))
    for (const _ of [1, 2]) {
      const again = await bookCollection(bench.ledger, bench.api, now)
      expect(again).toMatchObject({ recorded: true, added: now.shipments.slice(1) })
    }
    expect(await pickups(bench)).toBe(1)
  })

  it("knows its shipments by themselves: another order of rows and other first receiver change nothing", async () => {
    const bench = await batchBench()
    const rows = rowsNamed(3)
    await bookCollection(bench.ledger, bench.api, await onlyCollected(bench, rows))
    const turned = await onlyCollected(bench, [...rows].reverse())
    const part = await onlyCollected(bench, rows.slice(1, 2))
    for (const collection of [turned, part])
      expect(await bookCollection(bench.ledger, bench.api, collection)).toMatchObject({
        recorded: true,
        added: [],
      })
  })

  it("that another key of the account has booked is waited for under the key that asks", async () => {
    const bench = await batchBench()
    await bench.run(rowsNamed(2))
    const [shipmentId = ""] = (await bench.booked()).get("PO-1") ?? []
    const { ledger, api } = bench
    await sendPickup(ledger, api, {
      connectorId: "connector-b",
      carrier: "CARRIER_B_AU",
      request: { shipmentId, pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" },
    })
    const other = await onlyCollected(bench, rowsNamed(2))
    const owner = { ...ledger.owner, scope: "other", compared: ["other", ledger.owner.scope] }
    expect(await bookCollection({ ...ledger, owner }, api, other)).toMatchObject({ untold: 1 })
    expect(await ledger.store.pickupOf("other", other.shipments[0]?.id ?? "")).toBeDefined()
    expect(await pickups(bench)).toBe(1)
  })

  it("whose place cannot be read keeps no other one from being booked", async () => {
    const bench = await batchBench()
    const later = { collectionDateTime: "2026-11-24T10:00:00" }
    const collections = await collected(bench, [rowOf("PO-1"), rowOf("PO-2", { booking: later })])
    const { ledger, api } = bench
    const elsewhere = "booked-elsewhere"
    await sendPickup(
      ledger,
      {
        ...api,
        getShipment: async () => Object({ shipment: { pickupStatus: "NOT_BOOKED" } }),
        createPickup: async () => ({
          recorded: true,
          response: { status: "BOOKED", connectorId: "connector-b", pickupBookingId: "PB-1" },
        }),
      },
      {
        connectorId: "connector-b",
        carrier: "CARRIER_B_AU",
        request: { shipmentId: elsewhere, pickupDate: "2026-11-23", readyTime: "10:00", closeTime: "17:00" },
      },
    )
    const failing = {
      ...api,
      getShipment: async (id: string) =>
        id === elsewhere ? Promise.reject(new FreightError("unavailable", "down")) : api.getShipment(id),
    }
    const failed: string[] = []
    const say = async () => {}
    const booked = await bookCollections(
      {
        ...{ api: failing, ledger, moment: momentAt(ledger.clock.now()), note: say, warn: say },
        globals: {},
      },
      collections,
      (step, work) => work().catch(() => void failed.push(step)),
    )
    expect([booked.length, failed.length]).toEqual([1, 1])
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
