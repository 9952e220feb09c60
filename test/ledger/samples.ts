/** Intents and entries, for tests to change. */
import type { Intent, Owner } from "../../src/ledger/create.ts"
import type { Entry } from "../../src/ledger/entry.ts"
import { nameOf, type Slot } from "../../src/ledger/store.ts"
import { booking } from "../sandbox/requests.ts"

export const NOW = Date.parse("2026-11-20T23:00:00Z")
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export const OWNER: Owner = { host: "desk-1", pid: 4242, isAlive: () => false }

export const request = booking({ customerReference: "PO-1001" })

export function intent(changes: Partial<Intent> = {}): Intent {
  return {
    kind: "shipment",
    content: { connectorId: "connector-a", ...request },
    call: "POST /connector-a/shipments",
    request,
    facts: { connectorId: "connector-a", carrier: "CARRIER_A_AU", about: "Harbour Supplies, Fremantle" },
    ...changes,
  }
}

export function entry(changes: Partial<Entry> = {}): Entry {
  return {
    version: 1,
    kind: "shipment",
    key: "key:PO-1001",
    account: "account-1",
    content: "c0ffee",
    attempt: 1,
    state: "unknown",
    sentAt: new Date(NOW).toISOString(),
    owner: { host: OWNER.host, pid: OWNER.pid },
    facts: { connectorId: "connector-a", about: "Harbour Supplies, Fremantle" },
    call: "POST /connector-a/shipments",
    request,
    ...changes,
  }
}

/** The place of an entry. */
export function slotOf({ kind, key, attempt }: Entry): Slot {
  return { name: nameOf(kind, key), attempt }
}
