/** Which outcomes may overwrite an entry, and who may write them. */
import { beforeEach, describe, expect, it } from "vitest"
import type { Entry } from "../../src/ledger/entry.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import { entries, entry, NOW, put, type TestLedger, testLedger } from "./setup.ts"

const leaseUntil = new Date(NOW + LEASE_MS).toISOString()
const settledAt = new Date(NOW).toISOString()
const sending = entry({ leaseUntil })
const found = entry({ state: "done", settledAt, facts: { shipmentId: "shp-1" }, note: "Found by reconcile." })
/** As `put` names its claim. */
const TOKEN = `put ${sending.id}`
const error = { kind: "outcomeUnknown", message: "the connection broke" }

let ledger: TestLedger
beforeEach(() => {
  ledger = testLedger()
})

/** The contents of the ledger after something was tried on what stood there. */
async function tryOn(before: Entry, act: (store: TestLedger["store"]) => Promise<unknown>) {
  await put(ledger.store, before)
  const result = await act(ledger.store)
  const [entry] = await entries(ledger.store)
  return { result, entry }
}

describe("an outcome", () => {
  it.each([
    "done",
    "refused",
  ] as const)("that is %s is written with its time, and ends the lease", async (state) => {
    const { leaseUntil: _, ...ended } = sending
    const facts = state === "done" ? { ...sending.facts, shipmentId: "shp-1" } : sending.facts
    expect(await tryOn(sending, (store) => store.record({ ...sending, state, facts }, TOKEN))).toEqual({
      result: true,
      entry: { ...ended, state, facts, settledAt },
    })
  })

  it("is written into its own claim alone: a copy of the ledger that was put back may have another one", async () => {
    const done: Entry = { ...sending, state: "done", facts: { shipmentId: "shp-1" } }
    expect(await tryOn(sending, (store) => store.record(done, "another claim"))).toEqual({
      result: false,
      entry: sending,
    })
  })

  it("of a refusal frees no entry whose shipment was found", async () => {
    const refused: Entry = { ...sending, state: "refused" }
    expect(await tryOn(found, (store) => store.record(refused, TOKEN))).toEqual({
      result: false,
      entry: found,
    })
  })

  it("takes no shipment from the entry whose own reply named it", async () => {
    const { note: _, ...known } = { ...found, id: "PO-2.1", key: "key:PO-2" }
    await put(ledger.store, known)
    await put(ledger.store, sending)
    const done: Entry = { ...sending, state: "done", facts: { shipmentId: "shp-1" } }
    expect(await ledger.store.record(done, TOKEN)).toEqual({ sharedWith: known })
    expect(await ledger.store.byId(known.id)).toEqual(known)
    expect(await ledger.store.byId(sending.id)).toEqual(sending)
  })
})

describe("an outcome of what was sent while its account was joined with another", () => {
  const joined = "freight:kept"
  const moved: Entry = { ...sending, scope: joined }
  const done: Entry = { ...sending, state: "done", facts: { shipmentId: "shp-1" } }

  it("takes its shipment back there, too", async () => {
    const guess: Entry = { ...found, scope: joined, id: "PO-2.1", key: "key:PO-2" }
    await put(ledger.store, guess)
    expect(await tryOn(moved, (store) => store.record(done, TOKEN))).toMatchObject({ result: true })
    expect(await ledger.store.byId(moved.id)).toMatchObject({ scope: joined, facts: done.facts })
    expect(await ledger.store.byId(guess.id)).toMatchObject({ state: "unknown", facts: {} })
  })

  it("opens what was released there, whose shipment it was taken for", async () => {
    const released = entry({ scope: joined, key: "key:PO-2", state: "released" })
    await put(ledger.store, released)
    await put(ledger.store, { ...found, scope: joined, facts: { shipmentId: "shp-9" } })
    expect(await ledger.store.record(done, TOKEN)).toBe(true)
    expect(await ledger.store.byId(released.id)).toMatchObject({ state: "unknown" })
  })

  it("is one of a duplicate, and was not released, where the other one has its key and its shipment", async () => {
    const { note: _, ...original } = { ...found, scope: joined, id: "original" }
    await put(ledger.store, moved)
    await ledger.store.database.run("update sends set duplicate_of = 'original'")
    await put(ledger.store, original)
    expect(await ledger.store.record(done, TOKEN)).toBe(true)
    expect(await ledger.store.byId(moved.id)).toMatchObject({ state: "done", facts: {} })
  })
})

describe("the reason why an outcome is unknown", () => {
  it("ends the lease, so that nobody waits for it", async () => {
    const { leaseUntil: _, ...ended } = sending
    expect(await tryOn(sending, (store) => store.recordFailure({ ...sending, error }, TOKEN))).toEqual({
      entry: { ...ended, error },
    })
  })

  it("is written into its own claim alone", async () => {
    expect(
      await tryOn(sending, (store) => store.recordFailure({ ...sending, error }, "another claim")),
    ).toEqual({ entry: sending })
  })

  it("is not written over what was found meanwhile", async () => {
    expect(await tryOn(found, (store) => store.recordFailure({ ...sending, error }, TOKEN))).toEqual({
      entry: found,
    })
  })
})

describe("a renewal", () => {
  it("that comes late does not hold an entry that ended without an outcome", async () => {
    const { leaseUntil: _, ...ended } = sending
    expect(await tryOn(ended, (store) => store.renew([ended.id]))).toEqual({ result: [], entry: ended })
  })

  it.each([
    "done",
    "refused",
    "released",
  ] as const)("does not say that what is %s is its sender's still", async (state) => {
    const settled = { ...sending, state }
    expect(await tryOn(settled, (store) => store.renew([settled.id]))).toEqual({ result: [], entry: settled })
  })
})

describe("an entry is not settled", () => {
  const settled: Entry = {
    ...sending,
    state: "done",
    facts: { shipmentId: "shp-1" },
    note: "Settled by hand.",
  }
  const { leaseUntil: _, ...ended } = sending

  it("while its sender's lease runs, whatever was looked at before", async () => {
    expect(await tryOn(sending, (store) => store.settle(settled))).toEqual({ result: false, entry: sending })
  })

  it("once it is settled", async () => {
    expect(await tryOn(found, (store) => store.settle({ ...settled, state: "released" }))).toEqual({
      result: false,
      entry: found,
    })
  })

  it("once it is gone", async () => {
    expect(await ledger.store.settle(settled)).toBe(false)
  })

  it("beside an open entry that may have made its shipment", async () => {
    const rival = entry({ key: "key:PO-2" })
    await put(ledger.store, rival)
    await put(ledger.store, ended)
    expect(await ledger.store.settle(settled, ({ id }) => id === rival.id)).toBe(false)
    expect(await ledger.store.byId(ended.id)).toEqual(ended)
    expect(await ledger.store.settle(settled, ({ id }) => id === "another")).toBe(true)
  })

  it("as a shipment that another entry has", async () => {
    await put(ledger.store, { ...found, id: "PO-2.1", key: "key:PO-2" })
    await put(ledger.store, ended)
    expect(await ledger.store.settle(settled)).toBe(false)
    expect(await ledger.store.byId(ended.id)).toEqual(ended)
  })
})

it("undoing what was never sent leaves an entry whose shipment was found", async () => {
  expect(await tryOn(found, (store) => store.undo(TOKEN))).toEqual({ result: undefined, entry: found })
})
