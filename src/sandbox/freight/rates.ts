import type {
  AggregatedRateResponse,
  AggregatedRateResult,
  ConnectorListResponse,
  RatedService,
  RateRequest,
  SingleConnectorRateResponse,
} from "../../contract/generated/types.ts"
import { activeConnectors, parseBody, type Call, findConnector } from "../call.ts"
import { TARIFFS } from "../carriers.ts"
import { CarrierRejection, CarrierUnavailable, json, type Reply } from "../reply.ts"
import { RateRequest as validateRateRequest } from "../../contract/generated/requests.js"
import { amountOf } from "../../base/money.ts"
import type { OfferedRate, QuoteEvent } from "../events.ts"
import { type PricedService, priceServices } from "../pricing.ts"
import type { Connector } from "../tenants.ts"
import { checkTriggers, readTriggers } from "../triggers.ts"
import type { SandboxContext } from "../context.ts"

/** GET /connectors */
export function listConnectors(call: Call): Reply {
  const connectors = activeConnectors(call).map(({ id, carrier, name }) => ({
    id,
    carrier,
    name,
    services: TARIFFS[carrier].services.map(({ serviceCode, description }) => ({ serviceCode, description })),
  }))
  return json(200, { connectors } satisfies ConnectorListResponse)
}

/** POST /rates: one result for each active connector, failed ones included. */
export function rateAll(call: Call): Reply {
  const request = parseBody(call, validateRateRequest)
  const quote = startQuote(call)
  const results = activeConnectors(call).map((connector): AggregatedRateResult => {
    const { id: connectorId, carrier } = connector
    try {
      return { connectorId, carrier, success: true, rates: quote.price(connector, request) }
    } catch (error) {
      return { connectorId, carrier, success: false, error: describeCarrierError(error) }
    }
  })
  return json(200, { quoteId: quote.finish(), results } satisfies AggregatedRateResponse)
}

/** POST /{connectorId}/rates */
export function rateOne(call: Call): Reply {
  const connector = findConnector(call)
  const request = parseBody(call, validateRateRequest)
  const quote = startQuote(call)
  const rates = quote.price(connector, request)
  return json(200, { quoteId: quote.finish(), rates } satisfies SingleConnectorRateResponse)
}

/** Gathers the rates of one call; `finish` records them and gives the call's `quoteId`. */
function startQuote({ sandbox, tenant, text }: Call) {
  const triggers = readTriggers(text)
  const stem = getRateStem(sandbox.newId())
  const rates: OfferedRate[] = []
  return {
    price(connector: Connector, request: RateRequest): RatedService[] {
      checkTriggers(connector.carrier, triggers)
      return priceServices(connector.carrier, request, sandbox.now()).map((priced) => {
        const id = rateId(stem, rates.length)
        rates.push(toOfferedRate(connector, priced))
        return toRatedService(priced, id)
      })
    },
    finish(): string {
      const quoteId = sandbox.newId()
      sandbox.record({ type: "quote", stem, quoteId, at: sandbox.now(), tenantId: tenant.id, rates })
      return quoteId
    },
  }
}

function toOfferedRate({ id }: Connector, { service, ...priced }: PricedService): OfferedRate {
  return { connectorId: id, serviceCode: service.serviceCode, ...priced }
}

function toRatedService({ service, price, eta, transitDays }: PricedService, id: string): RatedService {
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

function describeCarrierError(error: unknown) {
  if (error instanceof CarrierRejection) return { message: error.message, code: error.code }
  if (error instanceof CarrierUnavailable) return { message: error.message }
  throw error
}

const STEM_LENGTH = "00000000-0000-0000-0000-".length
const NUMBER_LENGTH = 12

function getRateStem(uuid: string): string {
  return uuid.slice(0, STEM_LENGTH)
}

/** The id of the n-th rate of a call, from 0; it has the shape of a UUID. */
export function rateId(stem: string, n: number): string {
  return stem + String(n).padStart(NUMBER_LENGTH, "0")
}

/** The rate with this id, with the call that offered it; undefined when none was offered. */
export function findRate(
  { state, recall }: SandboxContext,
  id: string,
): { quote: QuoteEvent; rate: OfferedRate } | undefined {
  const stem = id.slice(0, STEM_LENGTH)
  const number = id.slice(STEM_LENGTH)
  const entry = state.quotes.get(stem)
  if (!entry || !/^\d{12}$/.test(number)) return undefined
  const quote = recall(entry)
  const rate = quote.type === "quote" ? quote.rates[Number(number)] : undefined
  return quote.type === "quote" && rate ? { quote, rate } : undefined
}
