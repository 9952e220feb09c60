/** Messages about a booking, and the booking as a command returns it: the API's fields and what freight adds. */
import type { FreightApi } from "../../api/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import { getReturnOf } from "../../contract/index.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { amountOf } from "../../base/money.ts"
import { safeText } from "../../base/safe-text.ts"
import { toStepError } from "../../base/errors.ts"
import {
  type Created,
  type Entry,
  equalBefore,
  isWaitingFor,
  keyText,
  type LedgerDeps,
  type Store,
  warnOfOpenBeside,
} from "../../ledger/index.ts"
import { rememberCarrierPickup } from "./pickup.ts"
import { priceText } from "./rates.ts"
import type { OwnLedger } from "./standings.ts"
import type { Notes } from "../../base/ports.ts"

export type BookingOutcome = Awaited<ReturnType<typeof toOutcome>>

interface Done {
  booking: BookingResponse
  entry: Entry
  labelFile?: string | undefined
  warnings: readonly string[]
}

export async function toOutcome({ store, owner }: OwnLedger, { booking, entry, labelFile, warnings }: Done) {
  const { priceCents, currency, why } = entry.facts
  const { customerReference } = entry.request as ConsignmentBookingRequest
  // The booking is shown even where the ledger is lost.
  const pickup = await findOwnPickup(store, owner.scope, booking.shipmentId).catch((error: unknown) => {
    toStepError(error)
  })
  const { pickupBookingId } = Object(pickup?.response) as { pickupBookingId?: string }
  return {
    ...booking,
    /** Fields that the API's reply does not have. */
    freight: {
      /** Given by a person, or the order that it returns. */
      key: entry.keyGiven || getReturnOf(entry.facts.own) !== undefined ? keyText(entry) : null,
      reference: customerReference ?? null,
      /** As quoted, in whole units. */
      price: priceCents === undefined ? null : amountOf(priceCents),
      currency: priceCents === undefined ? null : (currency ?? "AUD"),
      /** The file in which this command saved the label. */
      labelFile: labelFile ?? null,
      /** For `freight pickup show`. */
      pickupId: pickupBookingId ?? null,
      pickupReference: pickup?.facts.reference ?? null,
      /** Why this service, where freight chose it by wishes. */
      why: why ?? null,
      warnings,
    },
  }
}

async function findOwnPickup(store: Store, scope: string, shipmentId: string): Promise<Entry | undefined> {
  const pickup = await store.pickupOf(scope, shipmentId)
  return pickup && (await isWaitingFor(store.database, pickup, shipmentId)) ? undefined : pickup
}

/** The booking's fields as the API has them now. A booking that cannot be read is returned unchanged: it exists. */
export async function refreshBooking(
  api: Pick<FreightApi, "getShipment">,
  booking: BookingResponse,
): Promise<BookingResponse> {
  try {
    const { shipment } = await api.getShipment(booking.shipmentId)
    const { orderNumber, pickupStatus } = shipment
    const consignmentNumber = shipment.consignmentNumber ?? booking.consignmentNumber
    return {
      ...booking,
      ...(orderNumber !== undefined && { orderNumber }),
      ...(consignmentNumber !== undefined && { consignmentNumber }),
      // Only the booking's own reply says RECONCILE_NEEDED; a later look reads NOT_BOOKED then.
      ...(pickupStatus !== undefined && booking.pickupStatus !== "RECONCILE_NEEDED" && { pickupStatus }),
    }
  } catch (error) {
    toStepError(error)
    return booking
  }
}

/** Stores a consignment number in the ledger that the carrier gave after the booking's reply. */
export async function learnConsignment(
  store: Pick<Store, "learnConsignment">,
  { id, facts }: Entry,
  consignmentNumber: string | null | undefined,
): Promise<void> {
  if (!consignmentNumber || facts.consignmentNumber) return
  await store.learnConsignment(id, consignmentNumber).catch(toStepError)
}

/** The shipment is booked: only the pickup may be retried (behaviour of `pickupStatus` FAILED). */
function pickupFailed(shipmentId: string): string {
  const { next = "freight pickup book" } = nextCommand("freight", "pickup", "book", shipmentId)
  return `the carrier's pickup failed, but the shipment is booked: book only the pickup, with ${next}`
}

export async function noteBooking(
  deps: Notes,
  ledger: LedgerDeps,
  { response, recorded, entry, earlier, beside }: Created<BookingResponse>,
): Promise<void> {
  const { shipmentId } = response
  const shipment = `shipment ${safeText(shipmentId)}.`
  const said = recorded
    ? `Booked before under this key: ${shipment} It was not sent again.`
    : `Booked: ${shipment}`
  const price = priceText(entry.facts)
  await deps.note(price === undefined ? said : `${said} Price: ${price}.`)
  if (earlier) await deps.note(equalBefore(earlier, entry.request))
  if (beside) await deps.warn(safeText(warnOfOpenBeside(beside)))
  await warnOfBooking(ledger, entry.facts.connectorId ?? response.connectorId, response, deps.warn)
}

/** Prints the warnings of the reply, and remembers a pickup that only the carrier knows. @returns the warnings */
export async function warnOfBooking(
  ledger: LedgerDeps,
  connectorId: string,
  { shipmentId, pickupStatus, labelWarning }: BookingResponse,
  warn: (text: string) => Promise<void>,
): Promise<string[]> {
  const isLost = pickupStatus === "RECONCILE_NEEDED"
  const lost =
    "the carrier has a pickup for this shipment that the service did not record: do not book another"
  const warnings = [
    ...(labelWarning ? [safeText(labelWarning)] : []),
    ...(pickupStatus === "FAILED" ? [pickupFailed(shipmentId)] : []),
    ...(isLost ? [lost] : []),
  ]
  for (const warning of warnings) await warn(warning)
  if (isLost) await rememberCarrierPickup(ledger, { connectorId, shipmentId, reference: labelWarning })
  return warnings
}
