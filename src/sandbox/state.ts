import { consignmentNumber, isReady, orderNumber, pickupNumber } from "./carriers.ts"
import { createDemoEntry } from "./demo.ts"
import type { Made, PickupEvent, PickupOutcome, PrintEvent, SandboxEvent, ShipmentEvent } from "./events.ts"
import type { Entry } from "./journal.ts"

/** A shipment's index card: the rest of it is read from the journal at `entry`. */
export interface ShipmentRecord extends Made {
  /** Its place among all shipments, from 1: the carriers' numbers derive from it. 0 is the demonstration's. */
  readonly number: number
  /** The key it was booked with, if over the API. */
  readonly keyName: string | undefined
  readonly createdAt: number
  /** Whether numbers and labels come a day later. */
  readonly isSlow: boolean
  readonly entry: Entry
  pickupStatus: "NOT_BOOKED" | "BOOKED" | "FAILED"
  /** The carrier's reference of a pickup that the service failed to record. */
  readonly unrecordedPickup: string | undefined
}

export interface PickupRecord extends Made {
  readonly createdAt: number
  readonly outcome: PickupOutcome
  /** The carrier's reference; null when the carrier refused. */
  readonly orderNumber: string | null
  /** The pickup's own event, or the shipment's when it was booked with the shipment. */
  readonly entry: Entry
}

export type State = ReturnType<typeof emptyState>

function emptyState() {
  return {
    /** Added to the clock's time, in milliseconds. */
    clockOffsetMs: 0,
    /** How long after its booking a shipment can be read. */
    listingDelayMs: 0,
    shipments: new Map<string, ShipmentRecord>(),
    byConsignment: new Map<string, ShipmentRecord>(),
    byTenant: new Map<string, ShipmentRecord[]>(),
    pickups: new Map<string, PickupRecord>(),
    /** The entry of each rate call, by the stem of its rate ids. */
    quotes: new Map<string, Entry>(),
    printJobs: [] as PrintEvent[],
    deviceLastUsed: new Map<string, number>(),
    /** `device:ID`, `key:NAME` and `connector:ID`, if the control path changed the fixtures' value. */
    revocations: new Map<string, boolean>(),
    newest: 0,
  }
}

export function stateAfter(demo: readonly SandboxEvent[]): State {
  const state = emptyState()
  for (const [n, event] of demo.entries()) apply(state, event, createDemoEntry(n))
  return state
}

/** Applies one event. All processes apply the same events in the same order, and so agree. */
export function apply(state: State, event: SandboxEvent, entry: Entry): void {
  switch (event.type) {
    case "quote":
      state.quotes.set(event.stem, entry)
      return
    case "shipment":
      applyShipment(state, event, entry)
      return
    case "pickup":
      applyPickup(state, event, entry)
      return
    case "print":
      state.printJobs.push(event)
      state.deviceLastUsed.set(event.deviceId, event.at)
      return
    case "clock":
      state.clockOffsetMs = event.offsetMs
      return
    case "revocation":
      state.revocations.set(`${event.what}:${event.id}`, event.revoked)
      return
    case "listing":
      state.listingDelayMs = event.delayMs
      return
  }
}

const CLOCK_SLACK_MS = 1000

function applyShipment(state: State, event: ShipmentEvent, entry: Entry): void {
  const { id, tenantId, connectorId, carrier, keyName, autoPickup } = event
  const number = state.shipments.size
  const pickup = autoPickup && addPickup(state, { ...event, ...autoPickup }, entry)
  // Processes read the clock before they append, so times could run backwards in the list by a hair.
  const isBehind = event.at < state.newest && state.newest - event.at < CLOCK_SLACK_MS
  if (!isBehind) state.newest = event.at
  const record: ShipmentRecord = {
    id,
    tenantId,
    connectorId,
    carrier,
    number,
    keyName,
    createdAt: state.newest,
    isSlow: event.slow === true,
    entry,
    pickupStatus: pickup === undefined || pickup.outcome === "UNRECORDED" ? "NOT_BOOKED" : pickup.outcome,
    unrecordedPickup: pickup?.outcome === "UNRECORDED" ? (pickup.orderNumber ?? undefined) : undefined,
  }
  state.shipments.set(id, record)
  // The demonstration's consignment stays with its carrier, where it keeps moving on any day.
  if (number > 0) state.byConsignment.set(consignmentNumber(carrier, number), record)
  const list = state.byTenant.get(tenantId)
  if (list) list.push(record)
  else state.byTenant.set(tenantId, [record])
}

function applyPickup(state: State, event: PickupEvent, entry: Entry): void {
  addPickup(state, event, entry)
  const shipment = state.shipments.get(event.request.shipmentId ?? "")
  if (shipment && shipment.pickupStatus !== "BOOKED" && event.outcome !== "UNRECORDED")
    shipment.pickupStatus = event.outcome
}

function addPickup(
  state: State,
  event: Pick<PickupEvent, "id" | "tenantId" | "connectorId" | "carrier" | "outcome" | "at">,
  entry: Entry,
): PickupRecord {
  const { id, tenantId, connectorId, carrier, outcome } = event
  const reference = outcome === "FAILED" ? null : pickupNumber(carrier, state.pickups.size)
  const record = {
    id,
    tenantId,
    connectorId,
    carrier,
    outcome,
    createdAt: event.at,
    orderNumber: reference,
    entry,
  }
  state.pickups.set(id, record)
  return record
}

/** The carrier's number of a shipment, or null until the carrier has issued it. */
export function consignmentOf(record: ShipmentRecord, now: number): string | null {
  const { carrier, number } = record
  return isReady("consignmentNumber", record, now) ? consignmentNumber(carrier, number) : null
}

/** How long the background sync takes to copy the reference of an unrecorded pickup into the shipment. */
const SYNC_MS = 60_000

/** The order number in a read: an unrecorded pickup's reference replaces it after a while. */
export function buildOrderNumber(
  { carrier, number, createdAt, unrecordedPickup }: ShipmentRecord,
  now: number,
): string {
  if (unrecordedPickup !== undefined && now - createdAt >= SYNC_MS) return unrecordedPickup
  return orderNumber(carrier, number)
}
