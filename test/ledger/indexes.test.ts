/** An index costs each booking a write: each has a question that the database answers with it. */
import { expect, it } from "vitest"
import { reportSpend } from "../../src/reports/spend.ts"
import { openAccount } from "../../src/ledger/accounts/account.ts"
import { writeKey } from "../../src/ledger/accounts/keys.ts"
import type { Database, Statements } from "../../src/ledger/database/database.ts"
import { type RememberedBill, rememberBills } from "../../src/bills/records/bills.ts"
import { findOutcomes } from "../../src/ledger/records/evidence.ts"
import { sumJourneys } from "../../src/ledger/records/sums.ts"
import { findNamed } from "../../src/ledger/records/named.ts"
import {
  create,
  entry,
  ledgerFileIn,
  NOW,
  openFile,
  put,
  SCOPE,
  serviceKey,
  server,
  temporaryDir,
  testLedger,
} from "./setup.ts"

/** A ledger that keeps what it is asked. */
function watch(database: Database, asked: Set<string>): Database {
  const keep = <T extends Statements>(statements: T): T => ({
    ...statements,
    all(sql, parameters) {
      asked.add(sql)
      return statements.all(sql, parameters)
    },
  })
  return {
    ...keep(database),
    transaction: (work) => database.transaction((transaction) => work(keep(transaction))),
  }
}

const ALL = { kind: "all" } as const

it("each index of entries answers some question", async () => {
  const asked = new Set<string>()
  const file = ledgerFileIn(temporaryDir())
  const plain = openFile(file)
  const ledger = testLedger({ database: watch(plain, asked) })
  const { store } = ledger
  await put(store, entry({ state: "done", facts: { shipmentId: "shp-0", reference: "PO-1001" } }))
  for (const fingerprint of ["account-1", "account-2"])
    await plain.transaction((transaction) => writeKey(transaction, serviceKey(fingerprint)))

  await create(ledger, server().send, { key: "PO-1002", referenceHash: "hash" })
  await create(ledger, server().send, { kind: "pickup", key: "P-1", shipments: ["shp-1"] })
  await store.history({ since: "2026-11-20T00:00:00Z" })
  await store.open([SCOPE])
  await store.duplicates([SCOPE])
  await store.pickupOf(SCOPE, "shp-1")
  await store.labelPrintOf(SCOPE, "shp-1")
  await store.ofShipment(SCOPE, "shp-1")
  await findNamed(store.database, "PO-1001", [SCOPE])
  const { id: _, ...own } = serviceKey("account-3")
  await openAccount(store.database, own, {
    listConnectors: async () => ["connector-a"],
    sees: async () => false,
  })

  for (const lane of [
    { kind: "area", from: "20", to: "61" },
    { kind: "state", from: "NSW", to: "WA" },
    ALL,
  ] as const)
    await findOutcomes(store.database, {
      ...{ scopes: [SCOPE], services: [{ carrier: "CARRIER_A_AU", serviceCode: "76" }], lane },
      ...{ kept: { bills: true, disputes: true }, since: NOW - 86_400_000, until: NOW },
    })

  const reader = openFile(file)
  const plans = await Promise.all(Array.from(asked, (sql) => reader.all(`explain query plan ${sql}`)))
  const used = plans.flat().flatMap(({ detail }) => /INDEX (\w+)/.exec(String(detail))?.[1] ?? [])
  const rows = await reader.all(
    "select name from sqlite_master where tbl_name = 'sends' and sql like 'create index%'",
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(({ name }) => name).filter((name) => !used.includes(String(name)))).toEqual([])
})

it("a report reads of bills only what they charge for the bookings that are asked about", async () => {
  const asked = new Set<string>()
  const file = ledgerFileIn(temporaryDir())
  const plain = openFile(file)
  const database = watch(plain, asked)
  const ledger = testLedger({ database })
  await put(ledger.store, entry({ state: "done", facts: { shipmentId: "shp-0", reference: "PO-1001" } }))
  const bill = (id: string, auditedAt: string): RememberedBill => ({
    ...{ id, scope: SCOPE, supplier: "Carrier A", number: "B-1", date: "2026-11-24", file: "b.csv" },
    ...{ amountCents: 0, gstCents: null, gstBasis: "excluded", workstation: "desk", person: "", auditedAt },
  })
  await plain.transaction((transaction) =>
    rememberBills(transaction, [
      bill("one", "2026-11-24T00:00:00.000Z"),
      bill("two", "2026-11-25T00:00:00.000Z"),
    ]),
  )
  const span = { since: NOW - 86_400_000, until: NOW + 1 }
  await reportSpend(ledger.store, { ...span, scopes: [SCOPE] }, "month")
  for await (const groups of sumJourneys(database, { scopes: [SCOPE] }, [span]))
    expect(groups).toHaveLength(1)
  await findOutcomes(database, {
    ...{ scopes: [SCOPE], services: [{ carrier: "CARRIER_A_AU", serviceCode: "76" }], lane: ALL },
    ...{ kept: { bills: true, disputes: true }, ...span },
  })
  const reader = openFile(file)
  const charged = [...asked].filter((sql) => sql.includes(" billed "))
  expect(charged.length).toBeGreaterThanOrEqual(3)
  for (const sql of charged) {
    const plan = (await reader.all(`explain query plan ${sql}`)).map(({ detail }) => String(detail))
    expect(plan.filter((detail) => /\bbilled\b/.test(detail))).not.toEqual([])
    expect(plan.filter((detail) => /^SCAN billed\b/.test(detail))).toEqual([])
  }
})
