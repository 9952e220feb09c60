/** Intents and entries, for tests to change. */
import type { ServiceKey } from "../../src/ledger/accounts/keys.ts"
import type { Intent } from "../../src/ledger/create.ts"
import { type Entry, idOf, type Kind, type Sender } from "../../src/ledger/entry.ts"
import { booking } from "../sandbox/requests.ts"

export const NOW = Date.parse("2026-11-20T23:00:00Z")
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE

export const SENDER: Sender = { workstation: "desk-1", person: "ann" }
export const SCOPE = "freight:account-1"

export const request = booking({ customerReference: "PO-1001" })

export type Changes = Partial<Omit<Intent, "kind" | "collects">> & { kind?: Kind; shipments?: string[] }

/** @param changes `shipments` are those that a pickup collects */
export function intent({ kind = "shipment", shipments = [], ...changes }: Changes = {}): Intent {
  const what = kind === "pickup" ? { kind, collects: { shipments, getShipment: undefined } } : { kind }
  return {
    ...what,
    content: { connectorId: "connector-a", ...request },
    call: "POST /connector-a/shipments",
    request,
    facts: { connectorId: "connector-a", carrier: "CARRIER_A_AU", about: "Harbour Supplies, Fremantle" },
    ...changes,
  }
}

/** A freight key as the ledger knows it. */
export function serviceKey(fingerprint: string, changes: Partial<ServiceKey> = {}): ServiceKey {
  return {
    id: `${fingerprint}@${changes.address ?? "api.example"}`,
    fingerprint,
    address: "api.example",
    api: "freight",
    scope: `freight:${fingerprint}`,
    workstation: "desk-1",
    firstUsedAt: new Date(NOW).toISOString(),
    connectors: [],
    looks: {},
    hasShipment: false,
    ...changes,
  }
}

/** An entry that has its id by its kind, key and attempt. */
export function entry(changes: Partial<Entry> = {}): Entry {
  const made = {
    scope: SCOPE,
    kind: "shipment",
    key: "key:PO-1001",
    keyGiven: true,
    account: "account-1",
    content: "c0ffee",
    attempt: 1,
    state: "unknown",
    sentAt: new Date(NOW).toISOString(),
    sender: SENDER,
    facts: { connectorId: "connector-a", about: "Harbour Supplies, Fremantle" },
    call: "POST /connector-a/shipments",
    request,
    ...changes,
  } as const
  return { id: `${idOf(made.scope, made.kind, made.key)}.${made.attempt}`, ...made }
}
