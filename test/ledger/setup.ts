/** A ledger on a real disk, with a clock that the test holds. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { systemSqlite } from "../../src/machine/builtin-sqlite.ts"
import { systemIds } from "../../src/machine/host.ts"
import { createOnce, type LedgerDeps } from "../../src/ledger/create.ts"
import type { Database } from "../../src/ledger/database/database.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { createLeaseKeeper, LEASE_MS } from "../../src/ledger/lease.ts"
import { openOutbox } from "../../src/ledger/outbox.ts"
import { insertRows } from "../../src/ledger/database/sql.ts"
import { toSendRow } from "../../src/ledger/entry-rows.ts"
import { migrate } from "../../src/ledger/schema.ts"
import { openSqlite, sqliteDriver } from "../../src/ledger/database/sqlite.ts"
import { createStore, type Store } from "../../src/ledger/store.ts"
import type { Clock, SendLease } from "../../src/base/ports.ts"
import { type Changes, intent, NOW, SCOPE, SENDER } from "./samples.ts"

export { failure } from "../failure.ts"
export * from "./samples.ts"

export interface TestClock extends Clock {
  advance(ms: number): void
}

/** Stands still until it is advanced; a sleep moves it on, and lets whatever else runs have its turn. */
export function testClock(start = NOW): TestClock {
  let now = start
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      now += ms
      await new Promise((resolve) => setImmediate(resolve))
    },
    advance(ms) {
      now += ms
    },
  }
}

/** A folder that goes away with the test. */
export function temporaryDir(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "freight-ledger-"))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export const driver = await sqliteDriver(systemSqlite())

/** A file with the tables and nothing in them. */
const empty = path.join(mkdtempSync(path.join(tmpdir(), "freight-empty-")), "ledger.db")
const made = openSqlite(empty, { driver, clock: testClock() })
await migrate(made)
await made.close()

/** A new file with the tables. */
export function ledgerFileIn(folder: string): string {
  const file = path.join(folder, "ledger.db")
  copyFileSync(empty, file)
  return file
}

export function openFile(file: string, clock: Clock = testClock()): Database {
  const database = openSqlite(file, { driver, clock })
  onTestFinished(() => database.close())
  return database
}

export function storeIn(database: Database): Store {
  return createStore(database, { ids: systemIds, leaseMs: LEASE_MS })
}

export interface TestLedger extends LedgerDeps {
  clock: TestClock
  scope: string
  account: string
}

/** @param changes with `database`, another process on the same ledger */
export function testLedger(changes: Partial<TestLedger> & { database?: Database } = {}): TestLedger {
  const clock = changes.clock ?? testClock()
  const { database = openFile(ledgerFileIn(temporaryDir()), clock), ...others } = changes
  const { scope = SCOPE, account = "account-1" } = changes
  const store = storeIn(database)
  return {
    store,
    outbox: openOutbox(path.join(temporaryDir(), "unrecorded"), store.place),
    leases: createLeaseKeeper({ leaseMs: LEASE_MS, clock, renew: store.renew }),
    scope,
    account,
    owner: { id: `${account}@api.example`, fingerprint: account, scope },
    clock,
    sender: SENDER,
    signal: new AbortController().signal,
    ...others,
  }
}

/** Puts an entry into the ledger as it is. */
export async function put({ database }: Store, ...entries: readonly Entry[]): Promise<void> {
  await database.transaction((transaction) =>
    insertRows(
      transaction,
      "sends",
      entries.map((each) => toSendRow(each, `put ${each.id}`)),
    ),
  )
}

interface Reply {
  shipmentId: string
  orderNumber?: string
}

export const PO = { key: "PO-1001" }
export const OTHER = { content: { connectorId: "connector-a", ...intent().content, packagingCode: "PA" } }

/** A server that makes a new shipment each time it is asked. */
export function server() {
  const shipments: string[] = []
  return {
    made: shipments,
    send: async (): Promise<Reply> => {
      shipments.push(`shp-${shipments.length + 1}`)
      return { shipmentId: shipments.at(-1) ?? "", orderNumber: `ORD-${shipments.length}` }
    },
  }
}

const learn = ({ shipmentId }: Reply) => ({ shipmentId })

export function refusing(error: unknown): () => Promise<never> {
  return async () => {
    throw error
  }
}

/** Every entry, by attempt. */
export async function entries(store: Store): Promise<Entry[]> {
  return (await store.history({})).sort((a, b) => a.attempt - b.attempt)
}

/** Creates with the reply's shipment id in the facts, as bookings do. */
export function create(
  ledger: TestLedger,
  send: (lease: SendLease) => Promise<Reply>,
  changes: Changes = {},
) {
  return createOnce(ledger, intent(changes), send, learn)
}
