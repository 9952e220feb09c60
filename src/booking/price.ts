/** What a booking costs that names a service and no rate: asked for before it is booked, for nobody tells it after. */
import type { FreightApi } from "../api/freight.ts"
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { formatCents } from "../contract/money.ts"
import { linkFromQuote } from "../contract/rate-link.ts"
import { type ErrorKind, FreightError } from "../errors.ts"
import type { Facts } from "../ledger/entry.ts"
import type { KeptRate } from "../memory/quotes.ts"
import type { Clock } from "../ports.ts"
import { rateRequestOf } from "./offer.ts"

/** Failures that say something about the price alone; any other the booking would meet too. */
const WITHOUT_PRICE: readonly ErrorKind[] = ["refused", "notFound", "timeout", "badReply"]

interface Priced {
  request: ConsignmentBookingRequest
  rate: KeptRate | undefined
  /** Why there is no price. */
  warning?: string
}

/** `AUD 63.90 + GST = 70.29`; undefined where the price is not known. */
export function priceText({
  priceCents,
  priceIncGstCents,
  gstBasis,
  currency = "AUD",
}: Facts): string | undefined {
  if (priceCents === undefined) return undefined
  const price = `${currency} ${formatCents(priceCents)}`
  if (gstBasis === "included") return `${price}, GST included`
  if (gstBasis !== "excluded") return `${price}, GST not stated`
  return priceIncGstCents === undefined
    ? `${price} + GST`
    : `${price} + GST = ${formatCents(priceIncGstCents)}`
}

/** Whether a booking says already what it costs. */
export function hasPrice({ rateId, quotedPriceExGstMinor }: ConsignmentBookingRequest): boolean {
  return rateId !== undefined || quotedPriceExGstMinor !== undefined
}

/**
 * Asks the connector for the rate of the booking's service, and links the booking to it. A carrier that cannot say its
 * price does not stop the booking.
 * @param homes whether each end is a home; a booking does not say it
 * @throws FreightError for what the booking would meet too: no connection, no key, too many requests, Ctrl-C
 */
export async function withRate(
  { api, clock }: { api: Pick<FreightApi, "connectorRates">; clock: Clock },
  connectorId: string,
  carrier: string | undefined,
  request: ConsignmentBookingRequest,
  homes = { collection: false, receiver: false },
): Promise<Priced> {
  if (hasPrice(request) || request.packages === undefined) return { request, rate: undefined }
  const { serviceCode } = request
  const order = { booking: request, wish: { kind: "code", serviceCode }, residential: homes } as const
  const asked = rateRequestOf(order, clock.now())
  try {
    const { quoteId, rates } = await api.connectorRates(connectorId, asked)
    const rate = rates.find((each) => each.serviceCode === serviceCode)
    if (!rate)
      return {
        request,
        rate: undefined,
        warning: "its price is not known: the carrier gives no rate for that service",
      }
    return {
      request: { ...request, ...linkFromQuote(rate, quoteId) },
      rate: { quoteId, quotedAt: clock.now(), request: asked, connectorId, carrier: carrier ?? "", rate },
    }
  } catch (error) {
    if (!(error instanceof FreightError)) throw error
    const isOfCarrier =
      WITHOUT_PRICE.includes(error.kind) || (error.kind === "unavailable" && error.status !== undefined)
    if (!isOfCarrier) throw error
    return { request, rate: undefined, warning: `its price is not known: ${error.message}` }
  }
}
