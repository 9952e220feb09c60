/** A sandbox, a client of it, and intents whose outcome was lost on the way back. */
import type { FreightApi } from "../../src/api/freight.ts"
import type { ConsignmentBookingRequest } from "../../src/contract/generated/types.ts"
import { FreightError } from "../../src/base/errors.ts"
import type { Intent } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { reconcile, type Settled } from "../../src/ledger/reconcile.ts"
import { client } from "../api/setup.ts"
import { type Bench, startBench } from "../sandbox/harness.ts"
import { create, entries, failure, intent, NOW, type TestLedger, testClock, testLedger } from "./setup.ts"

export interface Desk {
  bench: Bench
  api: FreightApi
  ledger: TestLedger
  /** An intent whose outcome is lost; its request has arrived or not. */
  lose(arrived: boolean, changes?: Changes): Promise<void>
  /** A create whose outcome comes back. */
  make(changes?: Changes): Promise<string>
  /** Runs reconcile with this API or the sandbox's own. */
  reconcile(api?: Partial<FreightApi>): Promise<Settled[]>
  entries(): Promise<Entry[]>
}

type Changes = Omit<Partial<Intent>, "request"> & { request?: ConsignmentBookingRequest }

/** Where what is lost goes to, besides what the intent says. */
const CONNECTOR = "connector-a"

export async function startDesk(): Promise<Desk> {
  const clock = testClock(NOW)
  const bench = await startBench({ clock })
  const ledger = testLedger({ clock })
  const { api } = client(bench.sandbox.freightBaseUrl, { key: bench.sandbox.freightApiKey, clock })

  const whole = (changes: Changes): Intent & { request: ConsignmentBookingRequest } => {
    const request = changes.request ?? (intent().request as ConsignmentBookingRequest)
    return { ...intent(changes), request, content: { connectorId: CONNECTOR, ...request } }
  }
  return {
    bench,
    api,
    ledger,
    async lose(arrived, changes = {}) {
      const lost = whole(changes)
      const send = async () => {
        if (arrived) await api.createShipment(lost.facts.connectorId ?? CONNECTOR, lost.request)
        throw new FreightError("outcomeUnknown", "POST was sent, then: the connection broke")
      }
      await failure(create(ledger, send, lost))
    },
    async make(changes = {}) {
      const made = whole(changes)
      const { response } = await create(ledger, () => api.createShipment(CONNECTOR, made.request), made)
      return response.shipmentId
    },
    reconcile: (changed = {}) =>
      reconcile(ledger, async () => ({ ...api, clockOffset: () => undefined, ...changed })),
    entries: () => entries(ledger.store),
  }
}
