/** Requirements of the ledger on its database. */
import { expect, it } from "vitest"
import type { Database } from "../../src/ledger/database/database.ts"
import { unbilledPages } from "../../src/ledger/records/billed.ts"
import { findBookings, findCollected } from "../../src/ledger/records/bookings.ts"
import { NEVER, readBooked, rememberUpdates } from "../../src/ledger/records/journeys.ts"
import { findNamed } from "../../src/ledger/records/named.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { connectTo, newDatabase, SERVER } from "./postgres.ts"
import { LEASE_MS } from "../../src/ledger/lease.ts"
import {
  create,
  entry,
  ledgerFileIn,
  NOW,
  openFile,
  PO,
  put,
  request,
  SCOPE,
  server,
  storeIn,
  temporaryDir,
  testLedger,
} from "./setup.ts"

/** It goes through all of the ledger, or all of an account. */
const WHOLE_ACCOUNT =
  /^S\w+ sends( USING (COVERING )?INDEX (?!sends_open|sends_duplicate)\w+( \(scope=\?( AND kind=\?)?\))?)?$/

type Asked = [sql: string, parameters: Parameters<Database["all"]>[1]]

/** A ledger, and all that it was asked. */
function watch() {
  const database = openFile(ledgerFileIn(temporaryDir()))
  const asked: Asked[] = []
  const statements = <S extends Pick<Database, "all" | "run">>(of: S): S => ({
    ...of,
    all(...what: Asked) {
      asked.push(what)
      return of.all(...what)
    },
    run(...what: Asked) {
      asked.push(what)
      return of.run(...what)
    },
  })
  const watched: Database = {
    ...statements(database),
    transaction: (work) => database.transaction((transaction) => work(statements(transaction))),
  }
  const planOf = async ([sql, parameters]: Asked): Promise<unknown[]> =>
    (await database.all(`explain query plan ${sql}`, parameters)).map(({ detail }) => detail)
  return { watched, asked, planOf }
}

it("the history reads a page by the time of its entries, and sorts no whole ledger for it", async () => {
  const { watched, asked, planOf } = watch()
  const after = { sentAt: "2026-11-22T00:00:00.000Z", id: "PO-1.1" }
  for (const filter of [{}, { since: "2026-11-15T00:00:00.000Z" }, { scopes: ["freight:a", "print:b"] }])
    await storeIn(watched).history({ ...filter, page: { after, size: 500 } })
  for (const filter of [{}, { scopes: ["freight:a"], since: "2026-11-15T00:00:00.000Z", openSince: NEVER }])
    for await (const _ of readBooked(watched, filter));
  expect(asked).toHaveLength(5)
  for (const each of asked) {
    const [sql] = each
    const steps = await planOf(each)
    expect(steps[0], sql).toContain("USING INDEX sends_created")
    expect(steps, sql).not.toContain("USE TEMP B-TREE FOR ORDER BY")
  }
})

it("a claim reads nothing of the bookings that a batch has in flight", async () => {
  const { watched, asked } = watch()
  const ledger = testLedger({ database: watched })
  const flying = (n: number) =>
    entry({
      ...{ id: `PO-${n}.1`, key: `key:PO-${n}`, content: `content ${n}` },
      facts: { connectorId: "connector-a", receiverPostcode: request.receiver.postcode },
      leaseUntil: new Date(NOW + LEASE_MS).toISOString(),
    })
  await put(ledger.store, ...Array.from({ length: 16 }, (_, n) => flying(n)))
  asked.length = 0
  await create(ledger, server().send, PO)
  const read = await Promise.all(
    asked.filter(([sql]) => /^select/.test(sql)).map((each) => watched.all(...each)),
  )
  expect(read.length).toBeGreaterThan(2)
  expect(read.flat().filter(({ state, lease_until }) => state === "unknown" && lease_until !== null)).toEqual(
    [],
  )
})

/** Entries in a table that is large enough for an index to be worth it. */
const MANY = 2_000

it.runIf(SERVER)(
  "the history reads a page by the time of its entries on PostgreSQL, whose accounts have most of them",
  async () => {
    const database = await connectTo(await newDatabase())
    const rows = Array.from({ length: MANY }, (_, n) => {
      const sentAt = new Date(NOW + n * 1000).toISOString()
      return toSendRow(entry({ key: `key:${n}`, content: `${n}`, state: "done", sentAt }), `${n}`)
    })
    await database.transaction((transaction) => insertRows(transaction, "sends", rows))
    await database.run("analyze sends")
    const asked: Asked[] = []
    const all: Database["all"] = (sql, parameters) => {
      asked.push([sql, parameters])
      return database.all(sql, parameters)
    }
    const after = { sentAt: new Date(NOW + (MANY / 2) * 1000).toISOString(), id: "PO-1.1" }
    for (const scopes of [undefined, [SCOPE]])
      await storeIn({ ...database, all }).history({ scopes, page: { after, size: 50 } })
    expect(asked).toHaveLength(2)
    for (const [sql, parameters] of asked) {
      const plan = JSON.stringify(await database.all(`explain ${sql}`, parameters))
      expect(plan).toContain("using sends_created")
    }
  },
)

it("unbilled bookings are found a few at a time, along one index, however many have one time", async () => {
  const { watched, asked, planOf } = watch()
  const entries = [1, 2, 3, 4, 5].map((n) => entry({ key: `key:${n}`, content: `${n}`, state: "done" }))
  await put(storeIn(watched), ...entries)
  asked.length = 0
  for (const scopes of [undefined, [SCOPE], [SCOPE, "freight:b"]])
    for await (const { unbilled } of unbilledPages(watched, scopes, { since: "" }, 2))
      expect(unbilled.length).toBeLessThanOrEqual(2)
  expect(asked).toHaveLength(3 * 3)
  for (const each of asked) {
    expect(each[0]).toContain("limit 2")
    const steps = (await planOf(each)).filter((step) => String(step).includes("sends USING"))
    expect(steps).toEqual(["SEARCH sends USING INDEX sends_created ((created_at,id)>(?,?))"])
  }
})

it("finding one entry goes through no whole ledger", async () => {
  const { watched, asked, planOf } = watch()
  const store = storeIn(watched)
  const one = entry({ facts: { shipmentId: "shp-1" } })
  const { scope, account, ...claimed } = one
  const owner = { id: account, fingerprint: account, scope }
  const question = { ...claimed, owner, referenceHash: "reference", collects: ["shp-1"], again: false }
  const acts: (() => Promise<unknown>)[] = [
    () => store.latest(SCOPE, "shipment", "key:PO-1001"),
    () => store.latest(SCOPE, "shipment", "content:abc"),
    () => store.byId("PO-1001.1"),
    () => store.open(),
    () => store.open([SCOPE]),
    () => store.latest(undefined, "shipment", "key:PO-1001"),
    () => store.duplicates(),
    () => store.duplicates([SCOPE]),
    () => store.ofShipment(SCOPE, "shp-1"),
    () => store.ofShipment(undefined, "shp-1"),
    () => store.pickupOf(SCOPE, "shp-1"),
    () => store.look(question),
    () => store.claim(question, "token"),
    () => store.undo("token"),
    () => store.record(one, "token"),
    () => store.recordFailure(one, "token"),
    () => store.settle(one, () => false),
    () => store.renew([one.id]),
    () => store.learnConsignment(one.id, "SBC00000001"),
    () => findNamed(store.database, "SBC00000001", [SCOPE]),
    () => findNamed(store.database, "PO-1", [SCOPE, "freight:account-2"]),
    () =>
      rememberUpdates(store.database, [{ consignmentNumber: "SBC00000001" }], {
        scopes: [SCOPE],
        scope: SCOPE,
        now: NOW,
      }),
    () => findBookings(watched, [SCOPE], "shipment_id", ["shp-1"]),
    () => findBookings(watched, [SCOPE], "consignment_number", ["SBC00000001"]),
    () => findCollected(watched, [SCOPE], ["shp-1"]),
  ]
  for (const act of acts) await act()
  expect(asked.length).toBeGreaterThan(acts.length)
  const steps: unknown[] = []
  for (const each of asked)
    for (const step of await planOf(each)) {
      expect(step, each[0]).not.toMatch(WHOLE_ACCOUNT)
      steps.push(step)
    }
  // A number in another spelling is found as the key is.
  expect(steps).toContain("SEARCH sends USING INDEX sends_number (scope=? AND normalized_number=?)")
})
