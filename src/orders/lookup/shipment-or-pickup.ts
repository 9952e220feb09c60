/** What a person may name: shipments and pickups, out of the ledger or the API's list, with all their names. */
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
  /** Of a pickup: the carrier's number. */
  reference?: string
  /** Its entry of the ledger, and whose that is. */
  entryId?: string
  scope?: string
  /** A carrier has cancelled it: a name that it shares is that of the one that stands. */
  isCancelled: boolean
  /** What that said on the phone. */
  cancelled?: Cancellation
  /** For people: to whom, and when it was booked. */
  about: string
}

/** What came of an entry of the ledger; undefined while nothing is known to have. */
export function fromEntry(entry: Entry): ShipmentOrPickup | undefined {
  const { kind, facts, state, scope } = entry
  const { shipmentId, consignmentNumber, reference } = facts
  const { pickupBookingId } = Object(entry.response) as { pickupBookingId?: unknown }
  const pickupId = typeof pickupBookingId === "string" ? pickupBookingId : undefined
  // A pickup that the service lost has the carrier's number alone.
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

/** What an entry was sent under, and what its outcome is called; its own id is not among them. */
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

/** `shipment a48da18d, SBC00000001`. @param name by which it was found, and which is not repeated */
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
