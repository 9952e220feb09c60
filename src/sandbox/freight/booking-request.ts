/** What a booking must keep before the carrier sees it. */
import { problemsOf } from "../../contract/check.ts"
import { collectionWindowProblems } from "../../contract/collection-window.ts"
import { ConsignmentBookingRequest as validateBooking } from "../../contract/generated/requests.js"
import type { Carrier, ConsignmentBookingRequest, Payer } from "../../contract/generated/types.ts"
import { payerProblems } from "../../contract/payer.ts"
import { quoteExpired } from "../../contract/rate-link.ts"
import type { RuleProblem } from "../../contract/rule.ts"
import { type Call, entryOf, parsedBody } from "../call.ts"
import type { RecordedRate } from "../events.ts"
import { findRate } from "../rate-ids.ts"
import { badRequest } from "../reply.ts"
import type { Connector } from "../tenants.ts"
import type { World } from "../world.ts"

/**
 * The booking in the body: schema, payer rules and carrier A's collection window.
 * @throws Refusal 400 naming every field that is wrong.
 */
export function bookingOf({ text }: Call, carrier: Carrier): ConsignmentBookingRequest {
  const value = parsedBody(text)
  const payer = payerErrors(value, carrier)
  // Where a rule speaks of a field, with the contract's code, the schema need not speak of it too.
  const schema = problemsOf(validateBooking, value).filter(
    ({ path }) => !payer.some((one) => one.path === path),
  )
  const problems = schema.length > 0 ? [...schema, ...payer] : [...windowErrors(value, carrier), ...payer]
  if (problems.length > 0) throw badRequest("The booking is not valid", problems.map(entryOf))
  return value as ConsignmentBookingRequest
}

function payerErrors(value: unknown, carrier: Carrier): RuleProblem[] {
  const payer: unknown = Object(value).payer
  return isPayer(payer) ? payerProblems(payer, carrier).errors : []
}

/** So much of a payer as its rules read. */
function isPayer(value: unknown): value is Payer {
  if (typeof value !== "object" || value === null || !("type" in value)) return false
  const account = "accountNumber" in value ? value.accountNumber : undefined
  return typeof value.type === "string" && (account === undefined || typeof account === "string")
}

function windowErrors(value: unknown, carrier: Carrier): RuleProblem[] {
  return carrier === "CARRIER_A_AU" ? collectionWindowProblems(value as ConsignmentBookingRequest) : []
}

/**
 * What goes on record as the price (Booking rules 1 to 5): the linked rate's own figures, or the caller's word.
 * @throws Refusal 400 when `rateId` is not the tenant's, of another connector or service, over 48 hours old, or not of
 * the given `quoteId`. A `quoteId` alone counts for nothing.
 */
export function rateOf(
  world: World,
  tenantId: string,
  connector: Connector,
  booking: ConsignmentBookingRequest,
) {
  const { rateId, quoteId, serviceCode } = booking
  if (rateId === undefined) return reportedRate(booking, connector.carrier)
  const found = findRate(world, rateId)
  if (!found || found.quote.tenantId !== tenantId)
    throw linkProblem("rateId", "is not a rate that you were offered")
  const { quote, rate } = found
  if (rate.connectorId !== connector.id) throw linkProblem("rateId", "belongs to another connector")
  if (rate.serviceCode !== serviceCode) throw linkProblem("rateId", `is for service ${rate.serviceCode}`)
  if (quoteExpired(quote.at, world.now())) throw linkProblem("rateId", "comes from a quote over 48 hours old")
  if (quoteId !== undefined && quoteId !== quote.quoteId)
    throw linkProblem("quoteId", "is not the quote of rateId")
  const { price, eta, transitDays } = rate
  return { source: "rate", price, eta, transitDays } satisfies RecordedRate
}

function linkProblem(field: "rateId" | "quoteId", message: string) {
  return badRequest(`The booking cannot be linked to the rate: ${field} ${message}`, [{ field, message }])
}

function reportedRate(booking: ConsignmentBookingRequest, carrier: Carrier): RecordedRate {
  const { quotedPriceExGstMinor, quotedGstMinor, quotedPriceIncGstMinor, quotedCurrency } = booking
  const gst = carrier === "CARRIER_B_AU"
  const price = {
    ...(quotedPriceExGstMinor !== undefined && { exGstMinor: quotedPriceExGstMinor }),
    ...(gst && quotedGstMinor !== undefined && { gstMinor: quotedGstMinor }),
    ...(gst && quotedPriceIncGstMinor !== undefined && { incGstMinor: quotedPriceIncGstMinor }),
    ...(quotedCurrency !== undefined && { currency: quotedCurrency }),
  }
  return {
    source: "reported",
    ...(Object.keys(price).length > 0 && { price }),
    ...(booking.committedEta !== undefined && { eta: booking.committedEta }),
    ...(booking.quotedTransitDays !== undefined && { transitDays: booking.quotedTransitDays }),
  }
}
