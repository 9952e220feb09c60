/** Sends a checked booking through the ledger. */
import type { FreightApi } from "../api/freight.ts"
import { counted } from "../contract/counted.ts"
import type { BookingResponse, Carrier, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { centsOf } from "../contract/money.ts"
import { FreightError, withOptions } from "../errors.ts"
import { type Created, createOnce, type LedgerDeps } from "../ledger/create.ts"
import type { Entry, Facts } from "../ledger/entry.ts"
import type { KeptRate } from "../memory/quotes.ts"

export interface Booking {
  connectorId: string
  carrier: Carrier | undefined
  request: ConsignmentBookingRequest
  /** The kept rate that it is linked to, for its price. */
  rate: KeptRate | undefined
  key?: string
  /** The key is freight's own and not the person's. */
  madeUp?: boolean
  again?: boolean
}

/**
 * POST /{connectorId}/shipments, at most once for its key, or for its content within 24 hours.
 * @throws what `createOnce` throws
 */
export async function sendBooking(
  ledger: LedgerDeps,
  api: FreightApi,
  { connectorId, carrier, request, rate, key, madeUp, again }: Booking,
): Promise<Created<BookingResponse>> {
  const created = await createOnce(
    ledger,
    {
      kind: "shipment",
      ...(key !== undefined && { key }),
      ...(madeUp && { madeUp }),
      ...(again && { again }),
      content: bookingContent(connectorId, request),
      call: `POST /${connectorId}/shipments`,
      request,
      facts: {
        connectorId,
        ...(carrier && { carrier }),
        serviceCode: request.serviceCode,
        about: aboutBooking(request),
        ...(request.customerReference !== undefined && { reference: request.customerReference }),
        ...price(request, rate),
      },
    },
    () => api.createShipment(connectorId, request).catch(withWordsOnRates),
    ({ shipmentId }) => ({ shipmentId }),
  )
  if (created.recorded) await refuseForeign(ledger, api, created.entry)
  return created
}

/** The API says that it does not know the rate, and not where to get one. */
function withWordsOnRates(error: unknown): never {
  const isRate =
    error instanceof FreightError &&
    error.kind === "refused" &&
    error.errors?.some(({ field }) => field === "rateId")
  if (!isRate) throw error
  throw withOptions(error, {
    hint: "A rate holds 48 hours, for the account that asked for it: ask for new ones, and book one of those.",
    next: "freight rate-shop",
  })
}

/** What makes two bookings the same for the ledger. */
export function bookingContent(
  connectorId: string,
  request: ConsignmentBookingRequest,
): Readonly<Record<string, unknown>> {
  return { connectorId, ...request }
}

/** `2 packages to Port Street Fittings, Fremantle WA 6160`. */
function aboutBooking({ items, receiver }: ConsignmentBookingRequest): string {
  const { companyName, suburb, state, postcode } = receiver
  return `${counted(items.count, "package")} to ${companyName}, ${suburb} ${state} ${postcode}`
}

function price(
  request: ConsignmentBookingRequest,
  rate: KeptRate | undefined,
): Pick<Facts, "priceCents" | "currency"> {
  if (rate && request.rateId === rate.rate.rateId)
    return { priceCents: centsOf(rate.rate.price), currency: rate.rate.currency }
  const { quotedPriceExGstMinor: priceCents, quotedCurrency: currency } = request
  return priceCents === undefined ? {} : { priceCents, currency: currency ?? "AUD" }
}

/**
 * A result may have been recorded under another API key. When that was the same account, whose key was changed since,
 * this key sees the shipment too; when it was not, giving its result would pass off another account's booking as this
 * one's.
 * @throws FreightError `input`
 */
export async function refuseForeign(
  { account }: Pick<LedgerDeps, "account">,
  api: Pick<FreightApi, "getShipment">,
  entry: Entry,
): Promise<void> {
  const { shipmentId } = entry.facts
  if (entry.account === account || shipmentId === undefined) return
  try {
    await api.getShipment(shipmentId)
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
    throw new FreightError(
      "input",
      `the key ${entry.key.replace(/^key:/, "")} was used for another account's booking`,
      {
        hint: "Nothing was sent. A key names one booking for good: give this one another.",
        cause: error,
      },
    )
  }
}
