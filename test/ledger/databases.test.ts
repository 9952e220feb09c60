/** The same claims on SQLite and on PostgreSQL: what a database must hold, whoever forgets to look. */
import pg from "pg"
import { describe, expect, it, onTestFinished } from "vitest"
import type { TrackingInfo } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import { systemClock, systemIds } from "../../src/machine/host.ts"
import { copyLedger, pruneLedger } from "../../src/ledger/maintenance/admin.ts"
import { countUnbilled, unbilledPages } from "../../src/ledger/records/billed.ts"
import { findBilled, findBills, rememberBilled, rememberBills } from "../../src/bills/records/bills.ts"
import { findBookings } from "../../src/ledger/records/bookings.ts"
import { openAccount } from "../../src/ledger/accounts/account.ts"
import { writeKey } from "../../src/ledger/accounts/keys.ts"
import { release } from "../../src/ledger/by-hand.ts"
import { type Database, type Transaction, UniqueViolation } from "../../src/ledger/database/database.ts"
import { readEntries } from "../../src/ledger/records/history.ts"
import { registerInvoices } from "../../src/invoice/registered.ts"
import {
  type TrackedBooking,
  toTrackingUpdate,
  NEVER,
  readBooked,
  rememberUpdates,
} from "../../src/ledger/records/journeys.ts"
import { noteCancelled, takeBackCancelled } from "../../src/ledger/cancellations.ts"
import { type Entry, keyText } from "../../src/ledger/entry.ts"
import { createLeaseKeeper } from "../../src/ledger/lease.ts"
import { secondKey } from "../../src/ledger/order.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { migrate, OLDEST_VERSION, readVersion, TABLES } from "../../src/ledger/schema.ts"
import { SCHEMA_VERSION } from "../../src/ledger/version.ts"
import { runOn } from "../../src/ledger/database/postgres.ts"
import { openSqlite } from "../../src/ledger/database/sqlite.ts"
import { createStore, type Store } from "../../src/ledger/store.ts"
import { readJourneys, reportCarriers } from "../../src/reports/carriers.ts"
import { synchronousDriver } from "../simulation/driver.ts"
import { connectTo, cutConnections, newDatabase, SERVER } from "./postgres.ts"
import {
  create,
  entries,
  entry,
  failure,
  ledgerFileIn,
  OTHER,
  PO,
  put,
  refusing,
  request,
  SCOPE,
  server,
  serviceKey,
  storeIn,
  temporaryDir,
  type TestLedger,
  testLedger,
  type Changes,
  intent,
} from "./setup.ts"

const DELIVERED: TrackingInfo = {
  currentStatus: "Left with the neighbour",
  eta: "2026-11-23",
  deliveredAt: "2026-11-23T13:00:00+11:00",
  events: [
    { timestamp: "2026-11-23T13:00:00+11:00", status: "Done" },
    { timestamp: "2026-11-20T00:00:00Z", status: "Booked" },
  ],
  pod: { itemsReceived: "3" },
}

/** A booking that was made. */
function booked(number: number, changes: Partial<Entry> = {}): Entry {
  const facts = {
    shipmentId: `shp-${number}`,
    consignmentNumber: `C${number}`,
    reference: `PO-${number}`,
    priceCents: 100 * number,
  }
  return entry({ key: `key:PO-${number}`, state: "done", facts, ...changes })
}

const BILL = {
  id: "bill-1",
  scope: SCOPE,
  supplier: "Carrier A",
  number: "INV-1",
  date: "2026-11-01",
  file: "bill.csv",
  amountCents: 3_000_000_000,
  gstCents: null,
  gstBasis: "excluded" as const,
  auditedAt: "2026-11-02T00:00:00.000Z",
  workstation: "desk",
  person: "pat",
}

function billed(consignment: string, changes: { shipmentId?: string; disputedCents?: number } = {}) {
  const cents = { exGst: 100, gst: 10, incGst: 110, unspecifiedGstCents: null, disputedCents: 0 }
  const charges = ["freight" as const, "fuel" as const]
  return {
    billId: BILL.id,
    consignment,
    shipmentId: undefined,
    ...cents,
    charges,
    verdict: "agrees",
    ...changes,
  }
}

/** Several connections to one new ledger, each as a process of its own. */
interface Kind {
  name: string
  isThere: boolean
  connections(count: number): Promise<Database[]>
}

const KINDS: Kind[] = [
  {
    name: "SQLite",
    isThere: true,
    async connections(count) {
      const file = ledgerFileIn(temporaryDir())
      return Array.from({ length: count }, () =>
        openSqlite(file, { driver: synchronousDriver, clock: systemClock }),
      )
    },
  },
  {
    name: "PostgreSQL",
    isThere: SERVER !== undefined,
    async connections(count) {
      const address = await newDatabase()
      await connectTo(address)
      return Promise.all(Array.from({ length: count }, () => connectTo(address)))
    },
  },
]

/** A process on a database, by the clock of the machine. */
function processOn(database: Database, leaseMs = 15_000, scope = SCOPE): TestLedger {
  const store = createStore(database, { ids: systemIds, leaseMs })
  const clock = { ...systemClock, advance: () => {} }
  return testLedger({
    clock,
    store,
    scope,
    leases: createLeaseKeeper({ leaseMs, clock: systemClock, renew: store.renew }),
  })
}

/** The names of its tables. */
async function tables(database: Database): Promise<string[]> {
  const rows = await database.all(
    database.dialect === "sqlite"
      ? "select name from sqlite_master where type = 'table'"
      : "select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()",
  )
  return rows.map(({ name }) => String(name))
}

/** Sends a booking that a person meanwhile settles as another shipment. */
async function settledAs<T>(shipmentId: string, { store }: TestLedger, send: () => Promise<T>): Promise<T> {
  await store.database.run(
    "update sends set state = 'done', shipment_id = ?, note = 'Settled by hand.' where idempotency_key = 'PO-1001'",
    [shipmentId],
  )
  return send()
}

describe.each(KINDS)("$name", ({ isThere, connections }) => {
  const on = it.runIf(isThere)
  const connect = async () => (await connections(1))[0] as Database
  const two = async () => (await connections(2)) as [Database, Database]

  on.each([
    { what: "the same order, with other circumstances", written: { fields: { receiver: request.receiver } } },
    { what: "nothing of the order", written: { fields: {} } },
    { what: "an earlier day", written: { fields: { collectionDateTime: "2026-11-20" } } },
  ])("gives what was booked under a key for $what, to each process", async ({ written }) => {
    const { made, send } = server()
    const [first, second] = await two()
    const { entry } = await create(processOn(first), send, { ...PO, written })
    const again = await create(processOn(second), send, { ...PO, ...OTHER, written })
    expect(again).toMatchObject({
      recorded: true,
      entry: { id: entry.id },
      response: { shipmentId: "shp-1" },
    })
    expect(made).toHaveLength(1)
  })

  on.each([
    { field: "receiver.suburb", fields: { receiver: { ...request.receiver, suburb: "Perth" } } },
    { field: "packages", fields: { packages: [{ ...request.packages[0], weightKg: 6 }] } },
    { field: "collectionDateTime", fields: { collectionDateTime: "2026-11-30" } },
  ])(
    "tells that the order under a key has changed in $field, and sends nothing",
    async ({ field, fields }) => {
      const { made, send } = server()
      const [first, second] = await two()
      await create(processOn(first), send, PO)
      const changes = { ...PO, ...OTHER, written: { fields } }
      const error = await failure(create(processOn(second), send, changes))
      expect(error).toMatchObject({ standing: { kind: "changed" } })
      expect(error).toMatchObject({ kind: "refused", errors: [{ field }] })
      expect(made).toHaveLength(1)
      // A second consignment that is meant has a key of its own.
      expect(await create(processOn(second), send, { ...changes, key: "PO-1001#2" })).toMatchObject({
        recorded: false,
      })
      expect(made).toHaveLength(2)
    },
  )

  on.each([2, 8, 32])(
    "%d at once with equal content, one with a key, some under generated keys, most without: one booking",
    async (count) => {
      const { made, send } = server()
      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 30))
        return send()
      }
      const databases = await connections(Math.min(count, 12))
      const all = Array.from({ length: count }, (_, n) => {
        const database = databases[n % databases.length]
        if (!database) throw new Error("no connection")
        const key = n === 0 ? PO : n % 3 === 0 ? { key: `w-${n}`, isKeyGenerated: true } : {}
        return create(processOn(database), slow, key)
      })
      const ends = await Promise.allSettled(all)
      expect(made).toHaveLength(1)
      expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
      for (const end of ends)
        if (end.status === "rejected") expect(end.reason).toMatchObject({ standing: { kind: "equal" } })
    },
  )

  on("12 at once with one number in different spellings: one booking", async () => {
    const { made, send } = server()
    const spellings = ["0003", "3", "3.00", "３"].flatMap((number): Changes[] => [
      { key: number },
      { facts: { ...intent().facts, reference: number } },
      { facts: { ...intent().facts, reference: number }, key: `w-${number}`, isKeyGenerated: true },
    ])
    const databases = await connections(spellings.length)
    const ends = await Promise.allSettled(
      databases.map((database, n) => {
        const serviceCode = `S${n}`
        return create(processOn(database), send, { ...spellings[n], content: { ...request, serviceCode } })
      }),
    )
    expect(made).toHaveLength(1)
    for (const end of ends)
      if (end.status === "rejected") expect(end.reason).toMatchObject({ standing: { kind: "equal" } })
  })

  on("8 at once with a key that a person gave each: 8 bookings", async () => {
    const { made, send } = server()
    const databases = await connections(8)
    await Promise.all(databases.map((database, n) => create(processOn(database), send, { key: `PO-${n}` })))
    expect(made).toHaveLength(8)
  })

  on("knows its own claim again after its commit got no answer, and books once", async () => {
    const database = await connect()
    const cut: Database = {
      ...database,
      async transaction(work) {
        await database.transaction(work)
        return database.transaction(work)
      },
    }
    const { made, send } = server()
    await create(processOn(cut, 500), send, PO)
    expect(made).toHaveLength(1)
    expect(await entries(processOn(database).store)).toMatchObject([{ attempt: 1, state: "done" }])
  })

  on("books for two accounts under one key, also when they claim together", async () => {
    const database = await connect()
    const { made, send } = server()
    const one = processOn(database)
    const other = { ...one, owner: { id: "k2", fingerprint: "account-2", scope: "freight:account-2" } }
    const first = await create(one, send, PO)
    const [again, others] = await Promise.all([one, other].map((ledger) => create(ledger, send, PO)))
    expect(again).toMatchObject({ recorded: true, response: first.response })
    expect(others).toMatchObject({ recorded: false, entry: { scope: other.owner.scope } })
    expect(made).toHaveLength(2)
  })

  on("opens again what was released, where its shipment had been given to this one by a guess", async () => {
    const database = await connect()
    const ledger = processOn(database)
    const broken = refusing(new FreightError("outcomeUnknown", "it broke"))
    await failure(create(ledger, broken, { key: "PO-2" }))
    await failure(create(ledger, broken, { key: "PO-3" }))
    await ledger.store.database.run("update sends set state = 'released'")
    const { send } = server()
    await create(ledger, send, { key: "PO-3", content: OTHER.content })
    await create(ledger, () => settledAs("shp-9", ledger, send), PO)
    const found = new Map(
      (await entries(ledger.store)).map((entry) => [entry.id.replace(/-\w+\./, "."), entry]),
    )
    expect(found.get("po-1001.1")).toMatchObject({ state: "done", facts: { shipmentId: "shp-2" } })
    expect(found.get("po-2.1")).toMatchObject({ state: "unknown", note: expect.stringContaining("shp-9") })
    // Its key was used again.
    expect(found.get("po-3.1")).toMatchObject({ state: "released" })
  })

  on("names the shipment of a wrong guess in its entry where no other can have made it", async () => {
    const database = await connect()
    const ledger = processOn(database)
    await create(ledger, () => settledAs("shp-9", ledger, server().send), PO)
    expect(await entries(ledger.store)).toMatchObject([
      { state: "done", facts: { shipmentId: "shp-1" }, note: expect.stringContaining("shp-9") },
    ])
  })

  on(
    "forbids a second live claim of a key, of a content and of a shipment, even if nobody looks",
    async () => {
      const database = await connect()
      const add = (changes: Parameters<typeof entry>[0], id: string) =>
        database.transaction((transaction) =>
          insertRows(transaction, "sends", [{ ...toSendRow(entry(changes), id), id }]),
        )
      await add({}, "a")
      await expect(add({ attempt: 2 }, "b")).rejects.toBeInstanceOf(UniqueViolation)
      await add({ key: "content:c1", keyGiven: false, content: "c1" }, "c")
      await expect(add({ key: "key:w", keyGiven: false, content: "c1" }, "d")).rejects.toBeInstanceOf(
        UniqueViolation,
      )
      const sending = { content: "c2", leaseUntil: "2126-11-20T00:00:15.000Z" }
      await add({ ...sending, key: "key:given-1", keyGiven: true }, "g")
      await add({ ...sending, key: "key:given-2", keyGiven: true }, "h")
      const generated = { ...sending, key: "key:w-2", keyGiven: false }
      await expect(add(generated, "i")).rejects.toBeInstanceOf(UniqueViolation)
      await add({ ...generated, content: "c3" }, "j")
      const given = { ...sending, content: "c3", key: "key:given-3", keyGiven: true }
      await expect(add(given, "k")).rejects.toBeInstanceOf(UniqueViolation)
      const done = { state: "done", facts: { shipmentId: "shp-1" } } as const
      await add({ ...done, key: "key:1" }, "e")
      await expect(add({ ...done, key: "key:2" }, "f")).rejects.toBeInstanceOf(UniqueViolation)
      await expect(add({ key: "key:1", attempt: 2 }, "l")).rejects.toBeInstanceOf(UniqueViolation)
    },
  )

  on("gives back what was put in", async () => {
    const database = await connect()
    const store = storeIn(database)
    const whole = entry({
      state: "done",
      settledAt: "2026-11-21T00:00:00.000Z",
      facts: {
        shipmentId: "shp-1",
        priceCents: 123_456,
        gstBasis: "excluded",
        transitDays: 2,
        weightGrams: 11_000,
        standing: true,
      },
      response: { shipmentId: "shp-1", ключ: "木箱 \u0000 \ud83d\udce6" },
      error: { kind: "refused", message: "no" },
      note: "O'Neill; drop table sends --",
    })
    await put(store, whole)
    expect(await entries(store)).toEqual([whole])
    expect(await store.history({ search: "o'neill; DROP" })).toEqual([whole])
    expect(await store.history({ search: "100%" })).toEqual([])
    expect(await store.ofShipment(undefined, "shp-1")).toEqual(whole)
  })

  on("knows no entry by the name of a person who has no account there, and says so", async () => {
    const store = storeIn(await connect())
    await put(store, entry({ state: "done" }))
    const deps = { ...testLedger({ database: store.database }), scopes: [] }
    expect(await failure(release(deps, "PO-1001"))).toMatchObject({ kind: "notFound", exitCode: 5 })
  })

  on("gives its history in pages, newest first, each entry once", async () => {
    const database = await connect()
    const store = storeIn(database)
    // A group of claims has one time; the pages end in the middle of groups.
    const sentAt = (n: number) => new Date(Date.UTC(2026, 10, 20, 0, 0, Math.floor(n / 300))).toISOString()
    const all = Array.from({ length: 1_250 }, (_, n) =>
      entry({ key: `key:PO-${n}`, content: `c-${n}`, state: "refused", sentAt: sentAt(n) }),
    )
    await put(store, ...all)
    const pages: Entry[][] = []
    for await (const page of readEntries(store, {})) pages.push(page)
    const rows = pages.flat()
    expect(pages.map(({ length }) => length)).toEqual([500, 500, 250])
    expect(new Set(rows.map(({ id }) => id)).size).toBe(all.length)
    expect(rows.map((row) => row.sentAt)).toEqual(all.map((each) => each.sentAt).reverse())
  })

  on("undoes every claim of a group that fails", async () => {
    const database = await connect()
    const full = new FreightError("config", "the disk is full")
    const failing: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (transaction) => {
          await work(transaction)
          throw full
        }),
    }
    const ledger = processOn(failing)
    const { made, send } = server()
    const ends = await Promise.all([1, 2, 3].map((n) => failure(create(ledger, send, { key: `PO-${n}` }))))
    expect(ends).toEqual([full, full, full])
    expect(made).toEqual([])
    expect(await processOn(database).store.open()).toEqual([])
  })

  on(
    "keeps a claim from everyone until its lease has run out, and then lets a person release it",
    async () => {
      const [one, other] = await two()
      const { owner, sender, store } = processOn(one)
      const asked = {
        kind: "shipment",
        key: "key:PO-1001",
        keyGiven: true,
        content: "c",
        again: false,
      } as const
      await store.claim({ owner, sender, ...asked, call: "POST /x", request: {}, facts: {} }, "token")
      const ledger = processOn(other)
      expect(await failure(release(ledger, "PO-1001"))).toMatchObject({ kind: "refused" })
      await other.run("update sends set lease_until = ?", [new Date((await store.now()) - 1).toISOString()])
      expect(await release(ledger, "PO-1001")).toMatchObject({ outcome: "released" })
    },
  )

  on("renews the leases of what is being sent", async () => {
    const database = await connect()
    const leaseMs = 60_000
    const ledger = processOn(database, leaseMs)
    const { store } = ledger
    let time = 0
    let renewals = 0
    let renewAll = () => {}
    const leases = createLeaseKeeper({
      leaseMs,
      clock: { ...systemClock, now: () => time, elapsed: () => time },
      every(ms, work) {
        expect(ms).toBeLessThan(leaseMs / 2)
        renewAll = work
        return () => {}
      },
      async renew(ids) {
        const renewed = await store.renew(ids)
        renewals++
        return renewed
      },
    })
    const readLease = async () => (await store.open())[0]?.leaseUntil ?? ""
    await create(
      { ...ledger, leases },
      async (lease) => {
        for (let turn = 1; turn <= 8; turn++) {
          const [before, now] = [await readLease(), await store.now()]
          await expect.poll(() => store.now(), { interval: 1 }).toBeGreaterThan(now)
          time += leaseMs / 4
          renewAll()
          await expect.poll(() => renewals, { interval: 1, timeout: 60_000 }).toBe(turn)
          expect((await readLease()) > before).toBe(true)
          expect(lease.isHeld()).toBe(true)
        }
        expect(await failure(release(processOn(database), "PO-1001"))).toMatchObject({ kind: "refused" })
        time += leaseMs
        expect(lease.isHeld()).toBe(false)
        time -= leaseMs
        return server().send()
      },
      PO,
    )
  })

  const pickup = (key: string, ...shipments: string[]) => ({
    kind: "pickup" as const,
    key,
    shipments,
    content: { goods: key },
    facts: { connectorId: "connector-a" },
  })

  on("knows which shipments a common pickup collects, whatever the key of the next", async () => {
    const [one, other, copy] = (await connections(3)) as [Database, Database, Database]
    const [here, there] = [processOn(one), processOn(other)]
    const { made, send } = server()
    await create(here, send, pickup("COMMON", "shp-a", "shp-b"))
    const second = await failure(create(there, send, pickup("MY", "shp-b")))
    expect(second).toMatchObject({ standing: { kind: "has-pickup" } })
    expect(second.message).toContain("shipment shp-b has a pickup already")
    expect((await there.store.pickupOf(there.scope, "shp-a"))?.key).toBe("key:COMMON")
    await create(there, send, pickup("OTHER", "shp-c"))
    await create(there, send, { ...pickup("MEANT", "shp-b"), again: true })
    expect(made).toHaveLength(3)
    expect(await copy.all("select cast(count(*) as integer) as n from collected")).toEqual([{ n: 4 }])
  })

  on("lets one of two pickups through that begin at the same time and share a shipment", async () => {
    const databases = await connections(4)
    const { made, send } = server()
    const tries = databases.map((database, n) =>
      create(processOn(database), send, pickup(`P${n}`, `own-${n}`, "shared")).catch(() => undefined),
    )
    await Promise.all(tries)
    expect(made).toHaveLength(1)
  })

  on("copies and prunes what pickups collect", async () => {
    const [from, to] = [await connect(), await connect()]
    await create(processOn(from), server().send, pickup("COMMON", "shp-a", "shp-b"))
    await copyLedger(from, to)
    const { store, scope } = processOn(to)
    expect((await store.pickupOf(scope, "shp-b"))?.key).toBe("key:COMMON")
    await pruneLedger(to, "2999-01-01T00:00:00.000Z")
    expect(await to.all("select * from collected")).toEqual([])
  })

  on(
    "copies what was sent into the scope that its account has there, so that it is compared there",
    async () => {
      const [from, to] = [await connect(), await connect()]
      const account = (database: Database, name: string, scope: string) =>
        database.transaction((transaction) => writeKey(transaction, serviceKey(name, { scope })))
      // The team's ledger saw this desk's key after an older one; the desk has yet another, newer one.
      await account(to, "account-1", "freight:older")
      await account(from, "account-1", SCOPE)
      await account(from, "account-2", SCOPE)
      const { made, send } = server()
      await create(processOn(from), send, PO)
      await create(processOn(from), send, pickup("COMMON", "shp-a", "shp-b"))
      await copyLedger(from, to)
      await copyLedger(from, to)
      const there = processOn(to, 15_000, "freight:older")
      expect(await create(there, send, PO)).toMatchObject({ recorded: true })
      expect(await failure(create(there, send, pickup("MY", "shp-b")))).toMatchObject({
        standing: { kind: "has-pickup" },
      })
      expect(made).toHaveLength(2)
      expect(await to.all("select fingerprint, scope from api_keys order by fingerprint")).toEqual([
        { fingerprint: "account-1", scope: "freight:older" },
        { fingerprint: "account-2", scope: "freight:older" },
      ])
    },
  )

  on("copies what a sender knows over what was released in an earlier copy", async () => {
    const [from, to] = [await connect(), await connect()]
    const [store, there] = [storeIn(from), storeIn(to)]
    const open = entry({ key: "key:PO-1" })
    await put(store, open)
    await copyLedger(from, to)
    await there.settle({ ...open, state: "released" })
    const facts = { ...open.facts, shipmentId: "shp-1" }
    expect(await store.record({ ...open, state: "done", facts }, `put ${open.id}`)).toBe(true)
    await copyLedger(from, to)
    expect(await there.history({})).toMatchObject([{ state: "done", facts: { shipmentId: "shp-1" } }])
  })

  on("remembers where consignments are, for all; what is known once stays", async () => {
    const [from, to] = [await connect(), await connect()]
    const store = storeIn(from)
    await put(store, booked(1), booked(2), booked(3))
    const now = Date.parse("2026-11-24T00:00:00Z")
    const owner = { scopes: [SCOPE], scope: undefined, now }
    await rememberUpdates(
      store.database,
      [toTrackingUpdate("C1", { supported: true, tracking: DELIVERED })],
      owner,
    )
    await rememberUpdates(store.database, [toTrackingUpdate("C1", { supported: true, tracking: null })], {
      ...owner,
      now: now + 1,
    })
    const cancelled = { consignmentNumber: "C2", isCancelled: true }
    await rememberUpdates(
      store.database,
      [cancelled, toTrackingUpdate("ELSEWHERE", { supported: true })],
      owner,
    )
    await copyLedger(from, to)
    const read = async (database: Database, openSince?: string) => {
      const found: TrackedBooking[] = []
      for await (const page of readBooked(database, { scopes: [SCOPE], openSince })) found.push(...page)
      return found.map(({ entry: { facts }, journey }) => [facts.consignmentNumber, journey])
    }
    for (const database of [from, to]) {
      expect(await read(database)).toEqual(
        expect.arrayContaining([
          [
            "C1",
            {
              ...{ consignmentNumber: "C1", status: "Left with the neighbour", events: 2, itemsReceived: 3 },
              ...{ firstEventAt: "2026-11-20T00:00:00.000Z", lastEventAt: "2026-11-23T02:00:00.000Z" },
              ...{ eta: "2026-11-23", deliveredAt: "2026-11-23T02:00:00.000Z" },
              ...{ isCancelled: false, hasLabel: false, lookedAt: "2026-11-24T00:00:00.001Z" },
            },
          ],
          ["C2", expect.objectContaining({ isCancelled: true, events: 0 })],
          ["C3", undefined],
        ]),
      )
      expect(await read(database, NEVER)).toEqual([["C3", undefined]])
      expect((await read(database, "2026-11-24T00:00:00.001Z")).map(([name]) => name)).toEqual(["C1", "C3"])
    }
    await pruneLedger(to, "2999-01-01T00:00:00.000Z")
    expect(await to.all("select * from journeys")).toEqual([])
  })

  on("counts what is on no audited bill, and reports what was billed too much", async () => {
    const database = await connect()
    const store = storeIn(database)
    const days = ["2026-08-01", "2026-10-01", "2026-10-02", "2026-10-03", "2026-11-20"]
    await put(store, ...days.map((day, at) => booked(at, { sentAt: `${day}T00:00:00.000Z` })))
    const span = { until: "2026-11-01T00:00:00.000Z", withinDays: 45 }
    const none = { count: 0, oldest: undefined }
    expect(await countUnbilled(database, [SCOPE], span)).toEqual(none)
    await database.transaction(async (transaction) => {
      await rememberBills(transaction, [BILL])
      const other = billed("other", { shipmentId: "shp-4", disputedCents: -5 })
      await rememberBilled(transaction, [billed("C1", { disputedCents: 250 }), other])
    })
    await rememberUpdates(store.database, [{ consignmentNumber: "C2", isCancelled: true }], {
      scopes: [SCOPE],
      scope: undefined,
      now: 0,
    })
    const counted = { count: 1, oldest: "2026-10-03T00:00:00.000Z" }
    expect(await countUnbilled(database, [SCOPE], span)).toEqual(counted)
    expect(await countUnbilled(database, undefined, span)).toEqual(counted)
    expect(await countUnbilled(database, ["freight:other"], span)).toEqual(none)
    const all = { scopes: [SCOPE], since: 0, until: Date.parse("2027-01-01") }
    const { rows, known } = await reportCarriers(readJourneys(store, all))
    expect(rows).toMatchObject([{ consignments: 4, billed: 2, overbilled: 2.5 }])
    expect(known.cancelled).toBe(1)
  })

  on("keeps bills, finds what they billed, and what is on none of them", async () => {
    const [database, copy] = [await connect(), await connect()]
    const store = storeIn(database)
    await put(store, booked(1), booked(2), booked(3))
    const named = await findBookings(database, [SCOPE], "consignment_number", ["C1", "C2", "C9"])
    expect(named.map(({ priceCents, isOpen }) => [priceCents, isOpen]).sort()).toEqual([
      [100, false],
      [200, false],
    ])
    for (const _ of ["once", "again"])
      await database.transaction(async (transaction) => {
        await rememberBills(transaction, [BILL])
        await rememberBilled(transaction, [billed("C1", { shipmentId: "shp-1" }), billed("C1"), billed("C9")])
      })
    expect(await findBills(database, ["INV-1", "INV-2"])).toEqual([BILL])
    const found = await findBilled(database, ["C9"], ["shp-1"])
    expect(found.map(({ consignment, number }) => [consignment, number]).sort()).toEqual([
      ["C1", "INV-1"],
      ["C9", "INV-1"],
    ])
    expect(found[0]?.charges).toEqual(["freight", "fuel"])
    const unbilled = []
    for await (const page of unbilledPages(database, [SCOPE], { since: "" }, 1))
      unbilled.push(...page.unbilled)
    expect(unbilled.map(({ consignmentNumber }) => consignmentNumber).sort()).toEqual(["C2", "C3"])
    await copyLedger(database, copy)
    expect(await findBills(copy, ["INV-1"])).toEqual([BILL])
    expect(await findBilled(copy, ["C9"], [])).toHaveLength(1)
  })

  on("makes its tables once, however many begin at the same time", async () => {
    const database = await connect()
    for (const table of await tables(database)) await database.run(`drop table ${table}`)
    await Promise.all(Array.from({ length: 4 }, () => migrate(database)))
    expect(await readVersion(database)).toBe(SCHEMA_VERSION)
  })

  on.each([
    [SCHEMA_VERSION + 1, `a newer version of freight (schema ${SCHEMA_VERSION + 1}`],
    [OLDEST_VERSION - 1, `a version of freight before the first release (schema ${OLDEST_VERSION - 1}`],
  ])("of schema %i is refused, and left as it is", async (version, maker) => {
    const database = await connect()
    await database.run("update ledger_schema set version = ?", [version])
    const error = await failure(migrate(database))
    expect(error).toMatchObject({ kind: "config", exitCode: 2 })
    expect(error.message).toContain(`was made by ${maker}`)
    expect(await database.all("select version from ledger_schema")).toEqual([{ version }])
  })
})

describe("SQLite", () => {
  it("waits for whoever turns the same new file into a ledger", async () => {
    const file = `${temporaryDir()}/ledger.db`
    const other = synchronousDriver(file)
    for (const sql of ["create table a (b)", "begin immediate", "insert into a values (1)"]) other.exec(sql)
    let refused = 0
    const driver: typeof synchronousDriver = (name) => {
      const connection = synchronousDriver(name)
      const run = connection.exec.bind(connection)
      const exec: typeof run = async (sql) => {
        try {
          await run(sql)
        } catch (error) {
          if (++refused === 2) await other.exec("commit")
          throw error
        }
      }
      return Object.assign(connection, { exec })
    }
    const database = openSqlite(file, { driver, clock: systemClock, busyMs: 5_000 })
    expect([await database.all("select b from a"), refused]).toEqual([[{ b: 1 }], 2])
    other.close()
    await database.close()
  })

  it("lets no process look while another one's transaction is under way", async () => {
    const file = ledgerFileIn(temporaryDir())
    const open = () => openSqlite(file, { driver: synchronousDriver, clock: systemClock, busyMs: 50 })
    const [one, other] = [open(), open()]
    let hasLooked = false
    const look = async () => {
      hasLooked = true
    }
    await one.transaction(async () => {
      expect(await failure(other.transaction(look))).toMatchObject({ kind: "unavailable" })
    })
    expect(hasLooked).toBe(false)
    await other.transaction(look)
    expect(hasLooked).toBe(true)
    for (const each of [one, other]) await each.close()
  })
})

describe("PostgreSQL", () => {
  const on = it.runIf(SERVER)

  const three = async () => {
    const address = await newDatabase()
    return (await Promise.all([1, 2, 3].map(() => connectTo(address)))) as [Database, Database, Database]
  }

  /** A database whose transactions do something else before they are committed. */
  const beforeCommit = (database: Database, act: () => Promise<void>): Database => ({
    ...database,
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work(transaction)
        await act()
        return result
      }),
  })

  /** The statement in which another process waits for a lock; empty if it ends without waiting. */
  async function findWait(watcher: Database, other: Promise<unknown>): Promise<string> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    other.then(end, end)
    // The server's list is not read in one moment: a statement may be the one before.
    let before = ""
    while (!isOver) {
      const [waiting] = await watcher.all(
        "select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      const query = String(waiting?.query ?? "")
      if (query !== "" && query === before) return query
      before = query
    }
    return ""
  }

  const generated = (key: string) => ({ key, isKeyGenerated: true, content: { goods: key } })
  const referenceHash = "PO-1001 to Harbour Supplies"
  const collecting = (key: string) => ({
    ...{ kind: "pickup" as const, key, shipments: [`own-${key}`, "shared"], content: { goods: key } },
  })

  on.each([
    ["key", generated("w-1"), { ...generated("w-1"), content: OTHER.content }],
    ["content", { key: "w-1", isKeyGenerated: true }, { key: "w-2", isKeyGenerated: true }],
    ["reference", { ...generated("w-1"), referenceHash }, { ...generated("w-2"), referenceHash }],
    ["number in another spelling", { key: "0003", content: { a: 1 } }, { key: "3", content: { a: 2 } }],
    ["shipment", collecting("P1"), collecting("P2")],
    ["key in an account that may be the same one", PO, PO, "account-2"],
  ])(
    "lets a claim wait for another one of its %s, before it looks",
    async (_what, first, second, account = "account-1") => {
      const [one, two, watcher] = await three()
      const [key, otherKey] = [serviceKey("account-1"), serviceKey(account)]
      for (const each of [key, otherKey]) await one.transaction((transaction) => writeKey(transaction, each))
      const { made, send } = server()
      let other: Promise<unknown> | undefined
      let wait = ""
      const slow = beforeCommit(one, async () => {
        if (other) return
        other = create({ ...processOn(two), owner: otherKey }, send, second).catch(() => {})
        wait = await findWait(watcher, other)
      })
      await create(processOn(slow), send, first)
      await other
      expect(wait).toContain("select pg_advisory_xact_lock(key)")
      expect(made).toHaveLength(1)
    },
  )

  on("lets a claim in the place of a cancelled booking wait for whoever says that it stands", async () => {
    const [one, two, watcher] = await three()
    const { made, send } = server()
    const { entry } = await create(processOn(one), send, PO)
    const by = { workstation: "desk", person: "ann" }
    await noteCancelled(one, entry.id, { confirmedBy: "Kim", by })
    let other: Promise<unknown> | undefined
    let wait = ""
    const slow = beforeCommit(one, async () => {
      const replacing = { key: secondKey(keyText(entry)), again: true, replaces: true }
      other = failure(create(processOn(two), send, replacing))
      wait = await findWait(watcher, other)
    })
    await takeBackCancelled(slow, entry.id, { why: "it is on the truck", by })
    expect(await other).toMatchObject({ standing: { kind: "not-cancelled" } })
    expect(wait).toContain("select pg_advisory_xact_lock(key)")
    expect(made).toHaveLength(1)
  })

  on(
    "lets a claim wait while an account is changed, and lets whoever changes one wait for a claim",
    async () => {
      const [one, two, watcher] = await three()
      const { send } = server()
      const claim = (database: Database, key: string) => create(processOn(database), send, { key })
      const change = (database: Database, key: string) =>
        openAccount(
          database,
          { fingerprint: key, address: "api.example", api: "freight", workstation: "desk" },
          { listConnectors: async () => [], sees: async () => false },
        )
      for (const [n, [first, second]] of [[claim, change] as const, [change, claim] as const].entries()) {
        let other: Promise<unknown> | undefined
        let wait = ""
        const slow = beforeCommit(one, async () => {
          if (other) return
          other = second(two, `second-${n}`)
          wait = await findWait(watcher, other)
        })
        await first(slow, `first-${n}`)
        await other
        expect(wait).toContain("pg_advisory_xact_lock")
      }
    },
  )

  on(
    "refuses a claim beside one of its content that is not committed yet, whoever forgets to lock",
    async () => {
      const [one, two, watcher] = await three()
      const add = (changes: Partial<Entry>) => (transaction: Transaction) => {
        const sending = entry({ leaseUntil: "2126-11-20T00:00:15.000Z", ...changes })
        return insertRows(transaction, "sends", [toSendRow(sending, sending.id)])
      }
      let other: Promise<unknown> | undefined
      const slow = beforeCommit(one, async () => {
        other = two.transaction(add({ key: "key:w-1", keyGiven: false }))
        await findWait(watcher, other)
      })
      await slow.transaction(add({ key: "key:PO-1001" }))
      await expect(other).rejects.toBeInstanceOf(UniqueViolation)
    },
  )

  on.each<[string, Partial<Entry>, (sender: Store, entry: Entry) => Promise<unknown>]>([
    ["renews", { leaseUntil: "2020-01-01T00:00:00.000Z" }, (sender, { id }) => sender.renew([id])],
    ["records", {}, (sender, entry) => sender.record({ ...entry, state: "done" }, `put ${entry.id}`)],
  ])("settles nothing that its sender %s at that moment", async (_what, changes, act) => {
    const [one, two] = await three()
    const { store } = processOn(two)
    const open = entry(changes)
    await put(store, open)
    const slow: Database = {
      ...one,
      transaction: (work) =>
        one.transaction((transaction) =>
          work({
            ...transaction,
            async run(...statement) {
              await act(store, open)
              return transaction.run(...statement)
            },
          }),
        ),
    }
    const settled: Entry = { ...open, state: "released", note: "Released by hand." }
    expect(await processOn(slow).store.settle(settled)).toBe(false)
    expect(await store.byId(open.id)).not.toMatchObject({ state: "released" })
  })

  on("makes indexes for as long as they take, and ends any other statement", async () => {
    const pool = new pg.Pool({
      connectionString: await newDatabase(),
      statement_timeout: 500,
      query_timeout: 1_900,
    })
    // Dropping the database may still meet a connection that is closing.
    pool.on("connect", (client) => client.on("error", () => {}))
    onTestFinished(() => pool.end())
    const database = runOn(pool, "the ledger", systemClock)
    const holder = await pool.connect()
    await holder.query("select pg_advisory_lock(7)")
    const wait = (transaction: Transaction) => transaction.all("select pg_advisory_lock(7)")
    let tellWaiting = () => {}
    const isWaiting = new Promise<void>((resolve) => {
      tellWaiting = resolve
    })
    const long = database.transaction((transaction) => {
      tellWaiting()
      return wait(transaction)
    }, true)
    await isWaiting
    // Four, one after the other: by then the first has waited for longer than any other may.
    for (let n = 0; n < 4; n++)
      expect(await failure(database.transaction(wait))).toMatchObject({
        kind: "unavailable",
        message: expect.stringContaining("did not answer in time"),
      })
    await holder.query("select pg_advisory_unlock(7)")
    holder.release()
    expect(await long).toHaveLength(1)
  })

  on("tells the size of all its tables", async () => {
    const database = await connectTo(await newDatabase())
    await migrate(database)
    const before = (await database.size(TABLES)) ?? 0
    const invoices = Array.from({ length: 2_000 }, (_, n) => ({
      ...{ supplier: "Carrier", number: `INV-${n}`, amount: "1.00", file: "inbox/invoice.json" },
    }))
    await registerInvoices(database, invoices)
    expect(await database.size(TABLES)).toBeGreaterThan(before + 100_000)
  })

  on("whose connections are cut again and again books each once, and loses none", async () => {
    const address = await newDatabase()
    const databases = await Promise.all(Array.from({ length: 3 }, () => connectTo(address)))
    const { made, send } = server()
    let begun = 0
    /** Each fifth time all connections break: in turn before it is made, and before what came of it is written. */
    const cutting = async () => {
      const n = ++begun
      if (n % 10 === 0) await cutConnections(address)
      const reply = await send()
      if (n % 10 === 5) await cutConnections(address)
      return reply
    }
    const ledgers = databases.map((database) => processOn(database))
    const work = ledgers.map(async (ledger) => {
      const ends: PromiseSettledResult<unknown>[] = []
      for (let n = 0; n < 40; n++)
        ends.push(
          ...(await Promise.allSettled([create(ledger, cutting, { key: `PO-${n}`, content: { n } })])),
        )
      return ends
    })
    const ends = (await Promise.all(work)).flat()
    expect(new Set(made).size).toBe(made.length)
    const [database] = databases
    if (!database) throw new Error("no connection")
    const { store } = processOn(database)
    for (const { outbox } of ledgers) await outbox.takeIn(store)
    const found = await store.history({})
    expect(found.filter(({ state }) => state === "done")).toHaveLength(made.length)
    expect(ends.filter(({ status }) => status === "rejected")).toEqual([])
    expect(made).toHaveLength(40)
  })

  on("that cannot be reached: exit 6, and nothing is sent", async () => {
    const { openPostgres } = await import("../../src/ledger/database/postgres.ts")
    const database = await openPostgres(
      { text: "postgres://nobody@127.0.0.1:1/x", host: "127.0.0.1", port: 1, database: "x", tls: "none" },
      { clock: systemClock, password: async () => undefined },
    )
    const { made, send } = server()
    const error = await failure(create(processOn(database), send, PO))
    expect(error).toMatchObject({ kind: "unavailable", exitCode: 6 })
    expect(error.message).toContain("nothing answers at that address")
    expect(made).toEqual([])
    expect(await failure(create(processOn(database), refusing(new Error("sent")), {}))).toMatchObject({
      exitCode: 6,
    })
  })
})
