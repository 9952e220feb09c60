/** Rows that move along when accounts are joined, left or copied. */
import { describe, expect, it } from "vitest"
import { joinScopes, leaveScope, moveScope } from "../../src/ledger/accounts/join.ts"
import { type ServiceKey, writeKey } from "../../src/ledger/accounts/keys.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { copyLedger, pruneLedger } from "../../src/ledger/maintenance/admin.ts"
import {
  entries,
  entry,
  failure,
  HOUR,
  ledgerFileIn,
  NOW,
  openFile,
  put,
  SCOPE,
  serviceKey,
  storeIn,
  temporaryDir,
} from "./setup.ts"

const KEPT = "freight:kept"
const newLedger = () => openFile(ledgerFileIn(temporaryDir()))
const two = () => [newLedger(), newLedger()] as const
const duplicatesIn = async (database: Database) => (await storeIn(database).duplicates()).map(({ id }) => id)
const write = (database: Database, ...keys: readonly ServiceKey[]) =>
  database.transaction(async (transaction) => {
    for (const key of keys) await writeKey(transaction, key)
  })
const rowsOf = (database: Database, table: string, columns = "scope") =>
  database.all(`select ${columns} from ${table} order by 1`)

function collect(database: Database, ...sends: readonly string[]): Promise<void> {
  const rows = sends.map((id) => ({ scope: SCOPE, shipment_id: `shp-${id}`, send_id: id }))
  return database.transaction((transaction) => insertRows(transaction, "collected", rows))
}

describe("an account that is joined with another", () => {
  it("takes along what it collects, looks after and was billed", async () => {
    const database = newLedger()
    await put(storeIn(database), entry({ state: "done" }))
    await collect(database, "p1")
    const looked = { consignment_number: "C1", looked_at: "2026-11-20T00:00:00.000Z" }
    const bill = {
      ...{ id: "b1", supplier: "A", number: "1", file: "a.csv", amount_cents: 1, gst_basis: "excluded" },
      ...{ audited_at: looked.looked_at, workstation: "desk", person: "" },
    }
    const place = {
      ...{ suburb: "Quarry Siding", state: "WA", postcode: "6160" },
      ...{ added_at: looked.looked_at, workstation: "desk", person: "" },
    }
    await database.transaction(async (transaction) => {
      await insertRows(transaction, "journeys", [
        { ...looked, scope: SCOPE },
        { ...looked, scope: SCOPE, consignment_number: "C2" },
        { ...looked, scope: KEPT },
      ])
      await insertRows(transaction, "bills", [{ ...bill, scope: SCOPE }])
      await insertRows(transaction, "places", [
        { ...place, scope: SCOPE },
        { ...place, scope: SCOPE, postcode: "6161" },
        { ...place, scope: KEPT },
      ])
      await moveScope(transaction, SCOPE, KEPT)
    })
    const kept = { scope: KEPT }
    for (const table of ["sends", "collected", "bills"]) expect(await rowsOf(database, table)).toEqual([kept])
    expect(await rowsOf(database, "places", "postcode, scope")).toEqual([
      { postcode: "6160", ...kept },
      { postcode: "6161", ...kept },
    ])
    expect(await rowsOf(database, "journeys", "consignment_number, scope")).toEqual([
      { consignment_number: "C1", ...kept },
      { consignment_number: "C2", ...kept },
    ])
  })

  it.each([
    [23, ["made"]],
    [25, []],
  ])("has a duplicate where equal content was sent without a key %s hours later: %j", async (hours, duplicates) => {
    const database = newLedger()
    const made = { keyGiven: false, state: "done" } as const
    const sentAt = new Date(NOW + hours * HOUR).toISOString()
    await put(
      storeIn(database),
      entry({ ...made, id: "first", key: "key:w-1" }),
      entry({ ...made, id: "made", key: "key:w-2", scope: KEPT, sentAt }),
    )
    await database.transaction((transaction) => {
      const keys = [serviceKey("k1", { scope: SCOPE }), serviceKey("k2", { scope: KEPT })]
      return joinScopes(transaction, keys, SCOPE, KEPT)
    })
    expect(await duplicatesIn(database)).toEqual(duplicates)
  })

  it("can be left again, with what one of its keys made", async () => {
    const database = newLedger()
    const own = entry({ kind: "pickup", id: "own", account: "account-2", state: "done", key: "key:P-2" })
    await put(storeIn(database), own, entry({ kind: "pickup", id: "other" }))
    await collect(database, "own", "other")
    await database.run("update sends set duplicate_of = 'other', duplicate_settled_at = 'x' where id = 'own'")
    const key = serviceKey("account-2", { scope: SCOPE })
    await database.transaction((transaction) => leaveScope(transaction, key, KEPT))
    const moved = [
      { id: "other", scope: SCOPE },
      { id: "own", scope: KEPT },
    ]
    expect(await rowsOf(database, "collected", "send_id as id, scope")).toEqual(moved)
    expect(await rowsOf(database, "sends", "id, scope")).toEqual(moved)
    expect(await storeIn(database).byId("own")).toEqual({ ...own, scope: KEPT })
  })
})

describe("a shipment that two pickups collect, one of each ledger", () => {
  type Put = (database: Database, id: string, hours: number) => Promise<void>
  const pickup = (id: string, hours: number, facts: Entry["facts"] = {}) => {
    const sentAt = new Date(NOW + hours * HOUR).toISOString()
    return entry({ kind: "pickup", id, state: "done", key: `key:${id}`, sentAt, facts })
  }
  const single: Put = (database, id, hours) =>
    put(storeIn(database), pickup(id, hours, { shipmentId: "shp-1" }))
  const several: Put = async (database, id, hours) => {
    await put(storeIn(database), pickup(id, hours))
    const rows = ["shp-1", "shp-2"].map((shipment_id) => ({ scope: SCOPE, shipment_id, send_id: id }))
    await database.transaction((transaction) => insertRows(transaction, "collected", rows))
  }

  it.each([
    ["one shipment", "several", single, several],
    ["several", "one shipment", several, single],
    ["several", "several", several, several],
    ["one shipment", "one shipment", single, single],
  ])("has a duplicate, whichever ledger is copied: a pickup for %s, then one for %s", async (_1, _2, first, second) => {
    for (const isLaterCopied of [true, false]) {
      const [from, to] = two()
      await first(isLaterCopied ? to : from, "first", 0)
      await second(isLaterCopied ? from : to, "second", 1)
      await copyLedger(from, to)
      expect(await duplicatesIn(to)).toEqual(["second"])
    }
  })
})

describe("an entry without a key, matched to what another order made", () => {
  const facts = { shipmentId: "shp-1" }
  const matched = entry({
    id: "matched",
    key: "hash:1",
    keyGiven: false,
    state: "done",
    facts,
    note: "Found.",
  })
  const maker = entry({ id: "maker", key: "key:PO-1", content: "other content", state: "done", facts })

  it("is open again, and no duplicate of that order", async () => {
    const [from, to] = two()
    await put(storeIn(from), matched)
    await put(storeIn(to), maker)
    await copyLedger(from, to)
    expect(await storeIn(to).open()).toMatchObject([{ id: "matched", facts: {} }])
    expect(await duplicatesIn(to)).toEqual([])
  })

  it("is the duplicate of an equal one that is open", async () => {
    const [from, to] = two()
    await put(storeIn(from), matched, entry({ id: "twin", key: "hash:1", keyGiven: false }))
    await put(storeIn(to), maker)
    await copyLedger(from, to)
    expect(await to.all("select id, state, duplicate_of from sends where id <> 'maker' order by id")).toEqual(
      [
        { id: "matched", state: "unknown", duplicate_of: "twin" },
        { id: "twin", state: "unknown", duplicate_of: null },
      ],
    )
  })
})

describe("a copy", () => {
  it("names what a pickup for several collects by the id that the pickup has there", async () => {
    const [from, to] = two()
    const pickup = entry({ kind: "pickup", id: "p1", state: "done" })
    await put(storeIn(from), pickup)
    await collect(from, "p1")
    const other = toSendRow({ ...pickup, key: "key:PO-2" }, "another claim")
    await to.transaction((transaction) => insertRows(transaction, "sends", [other]))
    await copyLedger(from, to)
    const [copied] = await to.all("select id from sends where id <> 'p1'")
    expect(await rowsOf(to, "collected", "send_id")).toEqual([{ send_id: copied?.id }])
  })

  const done = entry({ state: "done", facts: { shipmentId: "shp-1" } })

  it("names what something is a duplicate of by the id that this has there", async () => {
    const [from, to] = two()
    const original = entry({ id: "o1", state: "done", facts: { shipmentId: "shp-1" } })
    await put(storeIn(from), original, entry({ id: "d1", state: "done", key: "key:d" }))
    await from.run("update sends set duplicate_of = 'o1' where id = 'd1'")
    const other = entry({ id: "o1", state: "done", key: "key:o" })
    await to.transaction((transaction) =>
      insertRows(transaction, "sends", [toSendRow(other, "another claim")]),
    )
    await copyLedger(from, to)
    expect(await to.all("select id, duplicate_of from sends where id = 'd1'")).toEqual([
      { id: "d1", duplicate_of: "o1-put o1" },
    ])
    expect(await copyLedger(from, to)).toEqual({ entries: 2, copied: 0 })
  })

  it("leaves a printer's key, and what it printed alone, apart from the accounts that print there", async () => {
    const [from, to] = two()
    const [freight, printer] = [serviceKey("k1", { scope: SCOPE }), { api: "direct-print" } as const]
    const first = { ...printer, firstUsedAt: new Date(NOW - HOUR).toISOString() }
    const alone = "direct-print:print.example"
    await write(from, serviceKey("p1", { ...first, scope: SCOPE }), freight)
    await write(to, serviceKey("p1", { ...first, scope: alone }), { ...freight, scope: KEPT })
    await put(storeIn(from), done)
    await put(storeIn(to), entry({ kind: "pdf-print", id: "print", scope: alone }))
    await copyLedger(from, to)
    expect(await rowsOf(to, "sends", "kind, scope")).toEqual([
      { kind: "pdf-print", scope: alone },
      { kind: "shipment", scope: KEPT },
    ])
  })

  it("knows of a printer's key, which printed alone there, whose freight key it was used with here", async () => {
    const [from, to] = two()
    const keys = (scope: string) => [
      serviceKey("k1", { scope: SCOPE }),
      serviceKey("p1", { api: "direct-print", address: "print.example", scope }),
    ]
    await write(from, ...keys(SCOPE))
    await write(to, ...keys("direct-print:print.example"))
    for (let times = 0; times < 2; times++) {
      await copyLedger(from, to)
      expect(await to.all("select scope from api_keys where api = 'direct-print'")).toEqual([
        { scope: SCOPE },
      ])
      await copyLedger(to, from)
    }
  })

  it("is refused while something is being sent", async () => {
    const [from, to] = two()
    await put(storeIn(from), entry({ leaseUntil: new Date(NOW + 10_000).toISOString() }))
    expect(await failure(copyLedger(from, to))).toMatchObject({ kind: "refused" })
    expect(await rowsOf(to, "sends")).toEqual([])
  })

  /** A ledger into which something is put when the copy comes to the invoices. */
  const changing = (from: Database, when: "before" | "after", late: Entry): Database => ({
    ...from,
    async all(sql, parameters) {
      const isNow = sql.includes("invoices")
      if (isNow && when === "before") await put(storeIn(from), late)
      const rows = await from.all(sql, parameters)
      if (isNow && when === "after") await put(storeIn(from), late)
      return rows
    },
  })

  it("is refused where something began to be sent meanwhile", async () => {
    const [from, to] = two()
    await put(storeIn(from), done)
    const sending = entry({ key: "key:PO-2", leaseUntil: new Date(NOW + 10_000).toISOString() })
    const error = await failure(copyLedger(changing(from, "after", sending), to))
    expect(error.message).toContain("is being sent right now")
  })

  it("is refused where something was written meanwhile", async () => {
    const [from, to] = two()
    await put(storeIn(from), done)
    const error = await failure(copyLedger(changing(from, "before", entry({ key: "key:PO-2" })), to))
    expect(error).toMatchObject({ kind: "refused" })
    expect(error.message).toContain("has 1 of the 2 entries")
    expect(await copyLedger(from, to)).toEqual({ entries: 2, copied: 1 })
  })

  it("gets what was settled since the last one, once", async () => {
    const [from, to] = two()
    const open = entry({})
    await put(storeIn(from), open)
    await copyLedger(from, to)
    await storeIn(from).settle({ ...open, ...done })
    expect(await copyLedger(from, to)).toEqual({ entries: 1, copied: 1 })
    expect(await copyLedger(from, to)).toEqual({ entries: 1, copied: 0 })
    expect(await entries(storeIn(to))).toMatchObject([{ state: "done", facts: done.facts }])
  })

  it("gets also what has the id of something else there", async () => {
    const [from, to] = two()
    const other: Entry = { ...done, facts: { shipmentId: "shp-2" } }
    await put(storeIn(from), done)
    await to.transaction((transaction) =>
      insertRows(transaction, "sends", [toSendRow(other, "another claim")]),
    )
    for (const copied of [1, 0]) expect(await copyLedger(from, to)).toEqual({ entries: 1, copied })
    const shipments = (await entries(storeIn(to))).map(({ facts }) => facts.shipmentId)
    expect(shipments.sort()).toEqual(["shp-1", "shp-2"])
  })
})

it("what has no known outcome, or only the carrier has, is not pruned", async () => {
  const database = newLedger()
  const open = entry({})
  const standing = entry({ key: "key:PO-2", state: "done", facts: { standing: true } })
  await put(storeIn(database), open, standing, entry({ key: "key:PO-3", state: "done" }))
  expect(await pruneLedger(database, "2999-01-01T00:00:00.000Z")).toBe(1)
  expect((await entries(storeIn(database))).map(({ key }) => key).sort()).toEqual([open.key, standing.key])
})
