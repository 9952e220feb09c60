/** What a booking costs that names a service and no rate: asked for before it is booked, for nobody tells it after. */
import type { FreightApi } from "../api/freight.ts"
import type { ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { linkFromQuote } from "../contract/rate-link.ts"
import { rateDefaults } from "../contract/rate-rules.ts"
import { type ErrorKind, FreightError } from "../errors.ts"
import type { KeptRate } from "../memory/quotes.ts"
import type { Clock } from "../ports.ts"

/** Failures that say something about the price alone; any other the booking would meet too. */
const WITHOUT_PRICE: readonly ErrorKind[] = ["refused", "notFound", "timeout", "badReply"]

interface Priced {
  request: ConsignmentBookingRequest
  rate: KeptRate | undefined
  /** Why there is no price. */
  warning?: string
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
  const { collection, receiver, packages, dangerousGoods, collectionDateTime, serviceCode, businessUnit } =
    request
  if (hasPrice(request) || packages === undefined) return { request, rate: undefined }
  const placeOf = ({ suburb, state, postcode }: typeof collection, residential: boolean) => ({
    suburb,
    state,
    postcode,
    residential,
  })
  const asked = rateDefaults(
    {
      from: placeOf(collection, homes.collection),
      to: placeOf(receiver, homes.receiver),
      packages,
      dangerousGoods,
      date: collectionDateTime.slice(0, 10),
      serviceCode,
      ...(businessUnit && { businessUnit }),
    },
    clock.now(),
  )
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
