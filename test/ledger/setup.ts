/** A ledger on a real disk, with a clock and an owner that the test holds. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { createOnce, type Intent, type LedgerDeps } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { openStore, type Slot, type Store } from "../../src/ledger/store.ts"
import type { Clock } from "../../src/ports.ts"
import { intent, NOW, OWNER, request, slotOf } from "./samples.ts"

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

export interface TestLedger extends LedgerDeps {
  store: Store
  clock: TestClock
}

export function testLedger(changes: Partial<TestLedger> = {}): TestLedger {
  return {
    store: openStore(temporaryDir()),
    account: "account-1",
    clock: testClock(),
    owner: OWNER,
    signal: new AbortController().signal,
    ...changes,
  }
}

/** Claims an entry's place, and settles it when the entry has an outcome. */
export async function put(store: Store, made: Entry): Promise<Slot> {
  const slot = slotOf(made)
  await store.claim(slot, { ...made, state: "unknown" })
  if (made.state !== "unknown") await store.settle(slot, made)
  return slot
}

interface Reply {
  shipmentId: string
  orderNumber: string
}

export const PO = { key: "PO-1001" }
export const OTHER = { content: { connectorId: "connector-a", ...request, packagingCode: "PA" } }

/** A server that makes a new shipment each time it is asked. */
export function server() {
  const made: string[] = []
  return {
    made,
    send: async (): Promise<Reply> => {
      made.push(`shp-${made.length + 1}`)
      return { shipmentId: made.at(-1) ?? "", orderNumber: `ORD-${made.length}` }
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
  const list: Entry[] = []
  for await (const { entry: each } of store.all()) if (each) list.push(each)
  return list.sort((a, b) => a.attempt - b.attempt)
}

/** Creates with the reply's shipment id in the facts, as bookings do. */
export function create(ledger: TestLedger, send: () => Promise<Reply>, changes: Partial<Intent> = {}) {
  return createOnce(ledger, intent(changes), send, learn)
}
