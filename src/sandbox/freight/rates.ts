import { RateRequest as validateRateRequest } from "../../contract/generated/requests.js"
import type {
  AggregatedRateResponse,
  AggregatedRateResult,
  RatedService,
  RateRequest,
  SingleConnectorRateResponse,
} from "../../contract/generated/types.ts"
import { amountOf } from "../../contract/money.ts"
import { activeConnectors, bodyOf, type Call, connectorOf } from "../call.ts"
import type { OfferedRate } from "../events.ts"
import { type PricedService, priceServices } from "../pricing.ts"
import { rateId, stemOf } from "../rate-ids.ts"
import { CarrierRejection, CarrierUnavailable } from "../rejection.ts"
import { json, type Reply } from "../reply.ts"
import type { Connector } from "../tenants.ts"
import { attend, triggersIn } from "../triggers.ts"

/** POST /rates: one result for each active connector, failed ones included. */
export function rateAll(call: Call): Reply {
  const request = bodyOf(call, validateRateRequest)
  const quote = startQuote(call)
  const results = activeConnectors(call.tenant).map((connector): AggregatedRateResult => {
    const { id: connectorId, carrier } = connector
    try {
      return { connectorId, carrier, success: true, rates: quote.price(connector, request) }
    } catch (error) {
      return { connectorId, carrier, success: false, error: carrierError(error) }
    }
  })
  return json(200, { quoteId: quote.finish(), results } satisfies AggregatedRateResponse)
}

/** POST /{connectorId}/rates */
export function rateOne(call: Call): Reply {
  const connector = connectorOf(call)
  const request = bodyOf(call, validateRateRequest)
  const quote = startQuote(call)
  const rates = quote.price(connector, request)
  return json(200, { quoteId: quote.finish(), rates } satisfies SingleConnectorRateResponse)
}

/** Gathers the rates of one call; `finish` records them and gives the call's `quoteId`. */
function startQuote({ world, tenant, text }: Call) {
  const triggers = triggersIn(text)
  const stem = stemOf(world.newId())
  const rates: OfferedRate[] = []
  return {
    price(connector: Connector, request: RateRequest): RatedService[] {
      attend(connector.carrier, triggers)
      return priceServices(connector.carrier, request, world.now()).map((priced) => {
        const id = rateId(stem, rates.length)
        rates.push(offered(connector, priced))
        return ratedService(priced, id)
      })
    },
    finish(): string {
      const quoteId = world.newId()
      world.record({ type: "quote", stem, quoteId, at: world.now(), tenantId: tenant.id, rates })
      return quoteId
    },
  }
}

function offered({ id }: Connector, { service, price, eta, transitDays }: PricedService): OfferedRate {
  return { connectorId: id, serviceCode: service.serviceCode, price, eta, transitDays }
}

function ratedService({ service, price, eta, transitDays }: PricedService, id: string): RatedService {
  const { serviceCode, description, bookingCutoff, collectionCutoff, visibility } = service
  const { exGstMinor, gstMinor, incGstMinor, currency } = price
  return {
    serviceCode,
    description,
    price: amountOf(exGstMinor),
    currency,
    eta,
    transitDays,
    bookingCutoff,
    collectionCutoff,
    ...(gstMinor !== undefined && { priceGst: amountOf(gstMinor) }),
    ...(incGstMinor !== undefined && { priceIncGst: amountOf(incGstMinor) }),
    visibility: visibility === "hidden" ? "hidden" : "shown",
    rateId: id,
  }
}

function carrierError(error: unknown) {
  if (error instanceof CarrierRejection) return { message: error.message, code: error.code }
  if (error instanceof CarrierUnavailable) return { message: error.message }
  throw error
}
