/** Shipments and pickups that a person may name, from the ledger or the API list, with all their names. */
import { shortId, type Named } from "../../base/names.ts"
import type { ShipmentSummary } from "../../contract/generated/types.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  type Cancellation,
  describeCancelled,
  type Entry,
  getCancellation,
  keyText,
  listBarcodes,
  sentText,
} from "../../ledger/index.ts"

export interface ShipmentOrPickup extends Named {
  kind: "shipment" | "pickup"
  /** The shipment itself, or the one that the pickup collects. */
  shipmentId?: string
  consignmentNumber?: string
  /** For a pickup: the carrier's number. */
  reference?: string
  /** Its entry in the ledger, and the entry's account. */
  entryId?: string
  scope?: string
  /** A carrier has cancelled it: a shared name belongs to the one that is not cancelled. */
  isCancelled: boolean
  cancelled?: Cancellation
  /** For people: to whom, and when it was booked. */
  about: string
}

/** The result of a ledger entry; undefined while none is known. */
export function fromEntry(entry: Entry): ShipmentOrPickup | undefined {
  const { kind, facts, state, scope } = entry
  const { shipmentId, consignmentNumber, reference } = facts
  const { pickupBookingId } = Object(entry.response) as { pickupBookingId?: unknown }
  const pickupId = typeof pickupBookingId === "string" ? pickupBookingId : undefined
  // A pickup that the service lost has only the carrier's number.
  const id = kind === "pickup" ? (pickupId ?? reference) : shipmentId
  if (state !== "done" || id === undefined) return undefined
  const cancelled = getCancellation(entry)
  return {
    kind: kind === "pickup" ? "pickup" : "shipment",
    id,
    names: namesOf(entry),
    ...(shipmentId !== undefined && { shipmentId }),
    ...(consignmentNumber !== undefined && { consignmentNumber }),
    ...(reference !== undefined && { reference }),
    entryId: entry.id,
    scope,
    isCancelled: entry.cancelledAt !== undefined,
    ...(cancelled && { cancelled }),
    about: present([facts.about, sentText(entry), describeCancelled(entry)]).join(", "),
  }
}

/** The names of an entry: its key, and those of its outcome; not its own id. */
export function namesOf(entry: Entry): string[] {
  const { consignmentNumber, orderNumber, reference } = entry.facts
  return present([consignmentNumber, orderNumber, reference, keyText(entry), ...listBarcodes(entry.response)])
}

export function fromList({
  id,
  consignmentNumber,
  orderNumber,
  toSuburb,
  status,
}: ShipmentSummary): ShipmentOrPickup {
  return {
    kind: "shipment",
    id,
    names: present([consignmentNumber, orderNumber]),
    shipmentId: id,
    ...(consignmentNumber && { consignmentNumber }),
    isCancelled: status === "CANCELLED",
    about: toSuburb ? `to ${toSuburb}` : "",
  }
}

/** `shipment a48da18d, SBC00000001`. @param name by which it was found, which is not repeated */
export function describeFound(
  { kind, id, consignmentNumber, reference }: ShipmentOrPickup,
  name = id,
): string {
  const number = kind === "pickup" ? reference : consignmentNumber
  const others = present([number]).filter((each) => each !== id && each !== name)
  return safeText([`${kind} ${shortId(id)}`, ...others].join(", "), 200)
}

function present(texts: readonly (string | null | undefined)[]): string[] {
  return texts.filter((text): text is string => text != null && text !== "")
}
