/** Shipments that are added to a booked pickup, and barcodes: on both databases, by two desks. */
import { describe, expect, it } from "vitest"
import { noteCancelled } from "../../src/ledger/cancellations.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import { keepBarcodes } from "../../src/ledger/barcodes.ts"
import { findCollected } from "../../src/ledger/records/bookings.ts"
import {
  addToPickup,
  findCollectedBy,
  findLastTold,
  findNotYetReported,
  tellOfAdded,
} from "../../src/ledger/records/collected.ts"
import { findNamed } from "../../src/ledger/records/named.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { entry, ledgerFileIn, openFile, put, SCOPE, storeIn, temporaryDir } from "./setup.ts"

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

const pickup = entry({
  state: "done",
  kind: "pickup",
  key: "key:pickup monday",
  facts: { reference: "PU-1", shipmentId: "shp-1" },
})
const own = entry({
  state: "done",
  kind: "pickup",
  key: "key:own",
  facts: { reference: "PU-2", shipmentId: "shp-9" },
})
const ANN = { who: "Jo", workstation: "desk-a", person: "ann" }

describe.each(DATABASES)("what is added to a pickup, on %s", (_, isThere, open) => {
  const there = it.runIf(isThere)
  async function ledger() {
    const database = await open()
    const store = storeIn(database)
    await put(store, pickup, own)
    const waiting = async () =>
      (await findNotYetReported(database, { pickupId: pickup.id })).map(({ shipmentId }) => shipmentId).sort()
    return { database, store, waiting }
  }

  there("waits, is noted once by two desks, and is in the pickup once the carrier was told", async () => {
    const { database, waiting } = await ledger()
    await Promise.all([1, 2].map(() => addToPickup(database, pickup, ["shp-2", "shp-3"])))
    expect(await waiting()).toEqual(["shp-2", "shp-3"])
    expect(await findCollectedBy(database, pickup)).toEqual(["shp-1", "shp-2", "shp-3"])
    const collected = () => findCollected(database, [SCOPE], ["shp-1", "shp-2", "shp-3"])
    expect([...(await collected())]).toEqual(["shp-1"])

    const told = await Promise.all([1, 2].map(() => tellOfAdded(database, pickup.id, ["shp-2"], ANN)))
    expect(told.sort()).toEqual([0, 1])
    expect([await waiting(), [...(await collected())].sort()]).toEqual([["shp-3"], ["shp-1", "shp-2"]])
    expect(await findLastTold(database, pickup.id)).toMatchObject({ to: "Jo", by: "ann at desk-a" })
    await addToPickup(database, pickup, ["shp-2"])
    expect(await waiting()).toEqual(["shp-3"])
  })

  there("is not what has a pickup, and waits no more once it has one of its own", async () => {
    const { database, store, waiting } = await ledger()
    await addToPickup(database, pickup, ["shp-1", "shp-9", "shp-4"])
    expect(await waiting()).toEqual(["shp-4"])
    await put(
      store,
      entry({ state: "done", kind: "pickup", key: "key:its own", facts: { shipmentId: "shp-4" } }),
    )
    expect(await waiting()).toEqual([])
  })

  there("is not what its carrier has cancelled on the phone", async () => {
    const { database, store, waiting } = await ledger()
    const bookings = ["shp-2", "shp-3"].map((shipmentId) =>
      entry({ state: "done", key: `key:${shipmentId}`, facts: { shipmentId } }),
    )
    await put(store, ...bookings)
    await addToPickup(database, pickup, ["shp-2", "shp-3"])
    await noteCancelled(database, bookings[0]?.id ?? "", { confirmedBy: "Kim", by: ANN })
    expect(await waiting()).toEqual(["shp-3"])
  })

  there("goes with the pickup into another ledger", async () => {
    const { database } = await ledger()
    await addToPickup(database, pickup, ["shp-2"])
    const to = await open()
    await copyLedger(database, to)
    expect((await findNotYetReported(to, {})).map(({ shipmentId }) => shipmentId)).toEqual(["shp-2"])
  })

  there(
    "a barcode of an item is a name of its booking, in the ledger that it is copied to as well",
    async () => {
      const { database, store } = await ledger()
      const booked = entry({
        key: "key:PO-1",
        facts: { shipmentId: "shp-5" },
        response: { barcodes: ["SBB1001", "SBB1001", 7] },
      })
      await put(store, booked)
      await keepBarcodes(database, [booked])
      const to = await open()
      await copyLedger(database, to)
      for (const each of [database, to])
        expect((await findNamed(each, "sbb1001", [SCOPE])).map(({ key }) => key)).toEqual(["key:PO-1"])
      expect(await findNamed(database, "SBB1001", ["freight:other"])).toEqual([])
    },
  )
})
