/** A batch against a real sandbox over HTTP, in this process, with a ledger and a clock of its own. */
import { setMaxListeners } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { onTestFinished } from "vitest"
import { createFreightApi, type FreightApi } from "../../../src/api/freight.ts"
import { LONG_RUN } from "../../../src/api/retry.ts"
import { createTransport } from "../../../src/api/transport.ts"
import { createBudget } from "../../../src/orders/batch/limits.ts"
import { createLimiter } from "../../../src/api/limiter.ts"
import type { Outcome } from "../../../src/orders/batch/outcome.ts"
import { type GoodRow, sourceOf } from "../../../src/orders/batch/rows/row.ts"
import { runRows } from "../../../src/orders/batch/run.ts"
import type { ConnectorSummary } from "../../../src/contract/generated/types.ts"
import { itemsOf } from "../../../src/contract/packages.ts"
import type { FreightError } from "../../../src/base/errors.ts"
import { systemIds } from "../../../src/machine/host.ts"
import type { LedgerDeps } from "../../../src/ledger/create.ts"
import type { Entry } from "../../../src/ledger/entry.ts"
import { pickIdentity } from "../../../src/ledger/order.ts"
import { type Sandbox, startSandbox } from "../../../src/sandbox/server.ts"
import { type TestClock, testClock, testLedger } from "../../ledger/setup.ts"

/** The preference of a row that leaves its service open. */
export const CHEAPEST = { kind: "cheapest" } as const

/** The outcome of a row, and what the ledger has of it. */
type BookedRow = Outcome & { entry: Entry | undefined }

interface Ran {
  /** By reference. */
  results: Map<string, BookedRow>
  ended: FreightError | undefined
  /** Every warning that was list. */
  warned: string[]
}

interface RunChanges {
  concurrency?: number
  stopAfter?: number
  maxTotalCents?: number
  signal?: AbortSignal
  ledger?: LedgerDeps
  onResult?: () => void
}

export interface BatchBench {
  sandbox: Sandbox
  clock: TestClock
  api: FreightApi
  ledger: LedgerDeps
  connectors: ConnectorSummary[]
  run(rows: readonly GoodRow[], changes?: RunChanges): Promise<Ran>
  /** Shipments in the sandbox's books, by reference. */
  booked(): Promise<Map<string, string[]>>
  /** How often an endpoint was asked: `POST /rates`. */
  asked(endpoint: string): Promise<number>
  fault(text: string): Promise<void>
  fix(): Promise<void>
}

export async function batchBench(): Promise<BatchBench> {
  const dir = mkdtempSync(path.join(tmpdir(), "freight-batch-"))
  const clock = testClock()
  const sandbox = await startSandbox({ dir: path.join(dir, "sandbox"), clock })
  const limiter = createLimiter(clock, 4)
  const signal = new AbortController().signal
  // As in the program: whatever waits listens to it.
  setMaxListeners(0, signal)
  const transport = createTransport({
    baseUrl: sandbox.freightBaseUrl,
    key: sandbox.freightApiKey,
    api: "freight",
    clock,
    ids: systemIds,
    env: {},
    timeouts: { connectMs: 5000, headersMs: 5000, bodyMs: 5000 },
    userAgent: "test",
    limiter,
    rateLimitPolicy: LONG_RUN,
  })
  onTestFinished(async () => {
    await transport.close()
    await sandbox.close()
    rmSync(dir, { recursive: true, force: true })
  })
  const api = createFreightApi(transport)
  const { connectors } = await api.listConnectors()
  const ledger: LedgerDeps = {
    ...testLedger({ clock }),
    signal,
  }
  const control = async (what: string, method = "GET", body?: unknown): Promise<unknown> => {
    const reply = await fetch(`${sandbox.controlUrl}/${what}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return reply.json()
  }
  return {
    sandbox,
    clock,
    api,
    ledger,
    connectors,
    async run(rows, changes = {}) {
      const results = new Map<string, BookedRow>()
      const warned: string[] = []
      const { concurrency = 4, maxTotalCents } = changes
      const ended = await runRows(
        {
          api,
          ledger: { ...(changes.ledger ?? ledger), signal: changes.signal ?? signal },
          again: false,
          asksPrice: false,
          completeRates: async (reply) => reply,
          connectors,
          ratePace: { isSlow: false },
          limiter: concurrency === 4 ? limiter : createLimiter(clock, concurrency),
          signal: changes.signal ?? signal,
          budget: maxTotalCents === undefined ? undefined : createBudget(maxTotalCents, 0),
          warn: async (text) => {
            warned.push(text)
          },
        },
        stream(rows),
        {
          stopAfter: changes.stopAfter,
          onOutcome: async ({ reference }, outcome) => {
            const entry = await ledger.store.byId(outcome.entryId)
            results.set(reference, { ...outcome, entry })
            changes.onResult?.()
          },
        },
      )
      return { results, ended, warned }
    },
    async booked() {
      const { shipments } = (await control("books")) as {
        shipments: { id: string; request: { customerReference: string } }[]
      }
      const found = new Map<string, string[]>()
      for (const { id, request } of shipments)
        found.set(request.customerReference, [...(found.get(request.customerReference) ?? []), id])
      return found
    },
    async asked(endpoint) {
      const { requests } = (await control("books?only=counts")) as { requests: Record<string, number> }
      return requests[endpoint] ?? 0
    },
    async fault(text) {
      await control("faults", "POST", { fault: text })
    },
    async fix() {
      await control("faults", "DELETE")
    },
  }
}

async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

const SENDER = {
  companyName: "Harbour Lighting Pty Ltd",
  address1: "14 Bourke Road",
  suburb: "Alexandria",
  state: "NSW",
  postcode: "2015",
  email: "dispatch@harbour-lighting.example",
}
const PACKAGES = [{ count: 2, lengthCm: 40, widthCm: 30, heightCm: 20, weightKg: 5.5 }]
const GEN = { kind: "code", serviceCode: "GEN", connectorId: "connector-b" } as const

/** A row that the sandbox books with carrier B. */
export function rowOf(
  reference: string,
  {
    wish = GEN,
    row = 1,
    booking = {},
  }: { wish?: GoodRow["wish"]; row?: number; booking?: Partial<GoodRow["request"]> } = {},
): GoodRow {
  const whole: GoodRow["request"] = {
    sender: SENDER,
    collection: SENDER,
    receiver: {
      companyName: `Receiver of ${reference}`,
      address1: "8 Market Street",
      suburb: "Fremantle",
      state: "WA",
      postcode: "6160",
    },
    packages: PACKAGES,
    items: itemsOf(PACKAGES),
    packagingCode: "CT",
    collectionDateTime: "2026-11-23T10:00:00",
    collectionCloseTime: "1700",
    payer: { type: "Sender" },
    dangerousGoods: false,
    customerReference: reference,
    ...booking,
  }
  return {
    row,
    line: row + 1,
    reference,
    key: reference,
    cells: { columns: ["reference"], texts: [reference] },
    own: {},
    findings: [],
    late: [],
    wish,
    source: sourceOf(pickIdentity(whole), undefined),
    request: whole,
  }
}

/** Rows that are alike but for their references. */
export function rowsNamed(count: number, prefix = "PO", wish: GoodRow["wish"] = GEN): GoodRow[] {
  return Array.from({ length: count }, (_, n) => rowOf(`${prefix}-${n + 1}`, { wish, row: n + 1 }))
}

/** References by state. */
export function states({ results }: Ran): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const [reference, { state }] of results) found[state] = [...(found[state] ?? []), reference].sort()
  return found
}

/** The request of a booked row. */
export function madeWith(result: BookedRow | undefined): string {
  const { connectorId, serviceCode } = result?.entry?.facts ?? {}
  return `${connectorId} ${serviceCode}`
}
