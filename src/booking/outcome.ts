/** A booking as it is at the end of a command: the API's fields read once more, and what freight knows beside them. */
import type { FreightApi } from "../api/freight.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { amountOf } from "../contract/money.ts"
import { FreightError } from "../errors.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Entry, keyText } from "../ledger/entry.ts"

/** What the API's reply does not hold. */
export interface FreightFields {
  /** That a person gave. */
  key: string | null
  /** The customer's. */
  reference: string | null
  /** As quoted, in whole units. */
  price: number | null
  currency: string | null
  /** Where this command saved the label. */
  labelFile: string | null
  /** For `freight pickup show`. */
  pickupId: string | null
  /** The carrier's. */
  pickupReference: string | null
  warnings: readonly string[]
}

export type BookingOutcome = BookingResponse & { freight: FreightFields }

interface Done {
  booking: BookingResponse
  /** The booking's. */
  entry: Entry
  labelFile?: string | undefined
  warnings: readonly string[]
}

/** What the ledger adds to a booking. */
export async function toOutcome(
  { store, scope }: Pick<LedgerDeps, "store" | "scope">,
  { booking, entry, labelFile, warnings }: Done,
): Promise<BookingOutcome> {
  const { priceCents, currency } = entry.facts
  const { customerReference } = entry.request as ConsignmentBookingRequest
  // The booking is shown even where the ledger is lost.
  const pickup = await store.pickupOf(scope, booking.shipmentId).catch(unlessBroken)
  const { pickupBookingId } = Object(pickup?.response) as { pickupBookingId?: string }
  return {
    ...booking,
    freight: {
      key: entry.keyGiven ? keyText(entry) : null,
      reference: customerReference ?? null,
      price: priceCents === undefined ? null : amountOf(priceCents),
      currency: priceCents === undefined ? null : (currency ?? "AUD"),
      labelFile: labelFile ?? null,
      pickupId: pickupBookingId ?? null,
      pickupReference: pickup?.facts.reference ?? null,
      warnings,
    },
  }
}

function unlessBroken(error: unknown): undefined {
  if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
}

/**
 * The booking's fields as the API has them now, and in the ledger what the carrier gave since. A booking that cannot be
 * read stays as it was: it stands.
 */
export async function readAgain(
  api: Pick<FreightApi, "getShipment">,
  { store }: Pick<LedgerDeps, "store">,
  booking: BookingResponse,
  entry: Entry,
): Promise<BookingResponse> {
  try {
    const { shipment } = await api.getShipment(booking.shipmentId)
    const { orderNumber, pickupStatus } = shipment
    const consignmentNumber = shipment.consignmentNumber ?? booking.consignmentNumber
    if (consignmentNumber && !entry.facts.consignmentNumber)
      await store.learnConsignment(entry.id, consignmentNumber)
    return {
      ...booking,
      orderNumber,
      ...(consignmentNumber !== undefined && { consignmentNumber }),
      // Only the booking's own reply says RECONCILE_NEEDED; a later look reads NOT_BOOKED then.
      ...(pickupStatus !== undefined && booking.pickupStatus !== "RECONCILE_NEEDED" && { pickupStatus }),
    }
  } catch (error) {
    unlessBroken(error)
    return booking
  }
}
