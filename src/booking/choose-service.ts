/** The service of a booking that leaves it open (`cheapest`), or sets a limit to its price. */
import type { FreightApi } from "../api/freight.ts"
import type { Moment } from "../contract/collection-times.ts"
import { centsOf, formatMoney } from "../contract/money.ts"
import { FreightError } from "../errors.ts"
import type { KeptRate } from "../memory/quotes.ts"
import type { Seen } from "../memory/seen.ts"
import type { Clock } from "../ports.ts"
import { needsRates, parseAmount, parseService, ratedOffer, requestOf, type ServiceWish } from "./offer.ts"
import { type BookingDraft, checkedBooking } from "./request.ts"
import type { JsonObject } from "./set.ts"

interface ChoiceDeps {
  freight(): Promise<FreightApi>
  seen: Pick<Seen, "keepConnectors">
  clock: Clock
}

/**
 * The service that a booking leaves open, chosen from live rates; also that of a service whose price has a limit. Undefined
 * where there is nothing to choose.
 * @throws FreightError `usage` or `input` for a booking that no service could take, `refused` where none keeps the limit
 */
export async function chooseService(
  deps: ChoiceDeps,
  draft: BookingDraft,
  moment: Moment,
  { connector: connectorId, maxPrice }: { connector?: string; maxPrice?: string },
): Promise<{ draft: BookingDraft; rate: KeptRate | undefined } | undefined> {
  const { request } = draft
  if (request.rateId !== undefined) return undefined
  const maxPriceCents = parseMaxPrice(maxPrice)
  const wish: ServiceWish = {
    ...parseService(String(request.serviceCode)),
    ...(connectorId !== undefined && { connectorId }),
    ...(maxPriceCents !== undefined && { maxPriceCents }),
  }
  if (!needsRates({ wish })) return undefined
  const { request: booking } = checkedBooking(draft, undefined, moment)
  const api = await deps.freight()
  const { connectors } = await api.listConnectors()
  await deps.seen.keepConnectors(connectors)
  const residential = { collection: false, receiver: false }
  const order = { booking, wish, residential }
  const offer = await ratedOffer({ api, connectors, clock: deps.clock }, order)
  const chosen = requestOf(order, offer) as unknown as JsonObject
  return { draft: { ...draft, request: chosen }, rate: offer.rate }
}

/** What `--max-price` says, in cents. @throws FreightError `usage` */
export function parseMaxPrice(maxPrice: string | undefined): number | undefined {
  return maxPrice === undefined ? undefined : parseAmount(maxPrice, "--max-price")
}

/**
 * Checks the price of a booking whose rate is named.
 * @throws FreightError `refused` for a rate that costs too much, or whose price is not known here
 */
export function checkMaxPrice({ request, rate }: BookingDraft, maxPriceCents: number | undefined): void {
  if (request.rateId === undefined || maxPriceCents === undefined) return
  if (!rate)
    throw new FreightError("refused", "the price of that rate is not known here, and --max-price is given", {
      hint: "Nothing was sent. Ask for rates with freight rate-shop, and book one of those.",
    })
  if (centsOf(rate.rate.price) > maxPriceCents)
    throw new FreightError(
      "refused",
      `rate ${rate.rate.rateId} costs ${formatMoney(rate.rate.price, rate.rate.currency)}, above --max-price`,
      { hint: "Nothing was sent." },
    )
}
