/** A carrier's word on the phone, as it stands with an entry. */
import { describe, expect, it } from "vitest"
import { noteCancelled, takeBackCancelled } from "../../src/ledger/cancellations.ts"
import { FreightError } from "../../src/base/errors.ts"
import { type Entry, keyText } from "../../src/ledger/entry.ts"
import { copyLedger } from "../../src/ledger/maintenance/admin.ts"
import { secondKey } from "../../src/ledger/order.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import {
  create,
  entry,
  failure,
  ledgerFileIn,
  NOW,
  openFile,
  put,
  refusing,
  server,
  storeIn,
  temporaryDir,
  testLedger,
} from "./setup.ts"

const settledAt = new Date(NOW).toISOString()
const booked = entry({ state: "done", settledAt, facts: { shipmentId: "shp-1" } })
const ANN = { workstation: "bench-1", person: "ann" }
const BOB = { workstation: "bench-2", person: "bob" }
const TOKEN = `put ${booked.id}`

const DATABASES = [
  ["SQLite", true, async () => openFile(ledgerFileIn(temporaryDir()))],
  ["PostgreSQL", SERVER !== undefined, async () => connectTo(await newDatabase())],
] as const

describe.each(DATABASES)("a cancellation that is written down, on %s", (_, isThere, open) => {
  const on = it.runIf(isThere)

  async function openWith(...entries: Entry[]) {
    const database = await open()
    const store = storeIn(database)
    await put(store, ...entries)
    return { database, store }
  }

  on("says who confirmed it and who wrote it down, and leaves all else as it was", async () => {
    const { database, store } = await openWith(booked)
    const { entry: noted, isNew } = await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    expect(isNew).toBe(true)
    const { cancelledAt, cancellations, ...rest } = (await store.byId(booked.id)) ?? booked
    expect(rest).toEqual(booked)
    expect(noted).toEqual({ ...rest, cancelledAt, cancellations })
    expect(cancellations).toEqual([{ confirmedBy: "Kim", at: cancelledAt, by: ANN }])
    const claim = {
      key: booked.key,
      keyGiven: true,
      content: "other",
      again: true,
      kind: "shipment",
    } as const
    const owner = { scope: booked.scope, id: "key", fingerprint: booked.account, compared: [booked.scope] }
    expect(await store.look({ ...claim, owner: owner as never })).toMatchObject({ kind: "cancelled" })
  })

  on("is the first of two that two desks write at once", async () => {
    const { database, store } = await openWith(booked)
    const both = await Promise.all([
      noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN }),
      noteCancelled(database, booked.id, { confirmedBy: "Lee", by: BOB }),
    ])
    expect(both.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect((await store.byId(booked.id))?.cancellations).toHaveLength(1)
    expect(both[0].entry.cancellations).toEqual(both[1].entry.cancellations)
  })

  on("is taken back once, and may be written down anew", async () => {
    const { database, store } = await openWith(booked)
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    const back = await takeBackCancelled(database, booked.id, { why: "it is on the truck", by: BOB })
    expect(back).toMatchObject({ isNew: true })
    expect(await takeBackCancelled(database, booked.id, { why: "again", by: BOB })).toMatchObject({
      isNew: false,
    })
    expect((await store.byId(booked.id))?.cancelledAt).toBeUndefined()
    await noteCancelled(database, booked.id, { confirmedBy: "Lee", by: BOB })
    expect((await store.byId(booked.id))?.cancellations).toMatchObject([
      { confirmedBy: "Kim", by: ANN, takenBack: { why: "it is on the truck", by: BOB } },
      { confirmedBy: "Lee", by: BOB },
    ])
  })

  on.each<Partial<Entry>>([
    { state: "unknown" },
    { state: "refused" },
    { state: "released" },
    { kind: "pickup", state: "done" },
  ])("is refused of %j", async (changes) => {
    const { database, store } = await openWith({ ...booked, ...changes })
    const refused = await failure(noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN }))
    expect(refused).toMatchObject({ kind: "refused" })
    expect((await store.byId(booked.id))?.cancelledAt).toBeUndefined()
  })

  on("stays where the sender writes its outcome late", async () => {
    const { database, store } = await openWith(booked)
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    await store.record(booked, TOKEN)
    expect(await store.byId(booked.id)).toMatchObject({ state: "done", cancelledAt: expect.any(String) })
  })

  on("goes where the shipment that was cancelled turns out to be another's", async () => {
    const guess: Entry = { ...booked, id: "PO-2.1", key: "key:PO-2", note: "Found by reconcile." }
    const sending = entry({ leaseUntil: new Date(NOW + 1000).toISOString() })
    const { database, store } = await openWith(guess, sending)
    await noteCancelled(database, guess.id, { confirmedBy: "Kim", by: ANN })
    await store.record({ ...sending, state: "done", facts: { shipmentId: "shp-1" } }, `put ${sending.id}`)
    const open = await store.byId(guess.id)
    expect([open?.state, open?.cancelledAt]).toEqual(["unknown", undefined])
  })

  on("goes where the entry's own reply names another shipment than was taken for its own", async () => {
    const { database, store } = await openWith({ ...booked, note: "Found by reconcile." })
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    await store.record({ ...booked, facts: { shipmentId: "shp-2" } }, TOKEN)
    const own = await store.byId(booked.id)
    expect([own?.facts.shipmentId, own?.cancelledAt]).toEqual(["shp-2", undefined])
  })

  on("is copied with its ledger, also after the booking was copied", async () => {
    const { database } = await openWith(booked)
    const target = await open()
    await copyLedger(database, target)
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    await copyLedger(database, target)
    expect((await storeIn(target).byId(booked.id))?.cancellations).toMatchObject([{ confirmedBy: "Kim" }])
    await takeBackCancelled(database, booked.id, { why: "it is on the truck", by: ANN })
    await copyLedger(database, target)
    expect((await storeIn(target).byId(booked.id))?.cancelledAt).toBeUndefined()
  })

  on("gives its place to another one only while it stands: the claim looks once more", async () => {
    const first: Entry = { ...booked, facts: { shipmentId: "shp-of-first" } }
    const { database, store } = await openWith(first)
    const ledger = testLedger({ database })
    const { made, send } = server()
    const key = keyText(booked)
    const ask = (count: number) =>
      create(ledger, send, { key: secondKey(key, count), again: true, replaces: true })
    const refused = { standing: { kind: "not-cancelled", entry: { id: booked.id } }, exitCode: 1 }
    const undo = () => takeBackCancelled(database, booked.id, { why: "it is on the truck", by: BOB })
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    await undo()
    expect(await failure(ask(2))).toMatchObject(refused)
    await noteCancelled(database, booked.id, { confirmedBy: "Lee", by: ANN })
    const { entry: second } = await ask(2)
    await undo()
    // The second booking was made while the first was cancelled, so it is the result for its key.
    expect(await ask(2)).toMatchObject({ recorded: true })
    await noteCancelled(database, second.id, { confirmedBy: "Kim", by: ANN })
    expect(await failure(ask(3))).toMatchObject(refused)
    expect(made).toHaveLength(1)
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    await ask(3)
    expect(made).toHaveLength(2)
    expect(await store.open()).toEqual([])
  })

  on("gives its place to nothing while another one in its place has no known outcome", async () => {
    const { database } = await openWith(booked)
    const ledger = testLedger({ database })
    const lost = refusing(new FreightError("outcomeUnknown", "lost"))
    await noteCancelled(database, booked.id, { confirmedBy: "Kim", by: ANN })
    const ask = (count: number) =>
      create(ledger, lost, { key: secondKey(keyText(booked), count), again: true, replaces: true })
    await failure(ask(2))
    expect(await failure(ask(3))).toMatchObject({ standing: { kind: "unknown" } })
  })
})
