/** Sends a checked booking through the ledger, or finds the one that was made under its key before. */
import type { FreightApi } from "../api/freight.ts"
import { CARRIERS } from "../contract/carrier-fields.ts"
import { counted } from "../contract/counted.ts"
import type { BookingResponse, Carrier, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { formatNear, parseWallClock, wallClockNow } from "../contract/wall-clock.ts"
import { zoneOfCollection } from "../contract/zones.ts"
import { FreightError, withOptions } from "../errors.ts"
import { referenceHash } from "../ledger/content.ts"
import { type Created, type CreateKey, createOnce, type Intent, type LedgerDeps } from "../ledger/create.ts"
import type { Entry, Facts } from "../ledger/entry.ts"
import { isInFlight } from "../ledger/decision.ts"
import { compareOrder, type Difference, type WrittenOrder } from "../ledger/order.ts"
import { ChangedOrder, refusal } from "../ledger/refusals.ts"
import type { KeptRate } from "../memory/quotes.ts"
import { bookingQuestion, priceFacts } from "./price.ts"
import type { BookingDraft } from "./request.ts"

export interface Booking extends CreateKey {
  connectorId: string
  carrier: Carrier | undefined
  request: ConsignmentBookingRequest
  /** The kept rate that it is linked to, for its price. */
  rate: KeptRate | undefined
  why?: string | undefined
  /** As a person wrote it: see `compareOrder`. */
  written?: WrittenOrder | undefined
}

/**
 * POST /{connectorId}/shipments, at most once for its key, or for its content within 24 hours.
 * @throws what `createOnce` throws
 */
export function sendBooking(
  ledger: LedgerDeps,
  api: Pick<FreightApi, "createShipment">,
  booking: Booking,
): Promise<Created<BookingResponse>> {
  const { connectorId, request } = booking
  return createOnce(
    ledger,
    { ...bookingIntent(booking), question: askToBook(booking, ledger.clock.now()) },
    (lease) => api.createShipment(connectorId, request, lease).catch(withWordsOnRates),
    ({ shipmentId, consignmentNumber, orderNumber }) => ({
      shipmentId,
      orderNumber,
      consignmentNumber: consignmentNumber || undefined,
    }),
  )
}

/** What the person is asked before it is sent. */
function askToBook(booking: Booking, now: number): string {
  const { request, rate } = booking
  const ready = parseWallClock(request.collectionDateTime)
  const collected = ready.ok
    ? formatNear(ready.value, wallClockNow(now, zoneOfCollection(request)))
    : request.collectionDateTime
  const service = rate?.rate.serviceCode === request.serviceCode ? rate.rate.description : undefined
  return `${bookingQuestion(bookingIntent(booking).facts, service ?? request.serviceCode, collected)}?`
}

export function bookingIntent({
  connectorId,
  carrier,
  request,
  rate,
  why,
  written,
  ...createKey
}: Booking): Intent {
  const { customerReference, receiver } = request
  return {
    kind: "shipment",
    ...createKey,
    content: bookingContent(connectorId, request),
    written,
    referenceHash: referenceHash(customerReference, receiver),
    call: `POST /${connectorId}/shipments`,
    request,
    facts: {
      connectorId,
      carrier,
      serviceCode: request.serviceCode,
      about: aboutBooking(request),
      reference: customerReference,
      receiverSuburb: receiver.suburb,
      receiverState: receiver.state,
      receiverPostcode: receiver.postcode,
      packages: JSON.stringify(request.packages ?? request.items),
      weightGrams: Math.round(request.items.totalWeightKg * 1000),
      ...quoteFacts(request, rate),
      why,
    },
  }
}

/** The API says that it does not know the rate, and not where to get one. */
function withWordsOnRates(error: unknown): never {
  const isRate =
    error instanceof FreightError &&
    error.kind === "refused" &&
    error.errors?.some(({ field }) => field === "rateId")
  if (!isRate) throw error
  throw withOptions(error, {
    hint: "A rate is valid for 48 hours, and only for the account that asked for it: ask for new rates, and book one of those.",
    next: "freight rate-shop",
  })
}

/** What makes two bookings the same for the ledger. */
function bookingContent(
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

/** What the rate said, which cannot be asked for again. */
function quoteFacts(request: ConsignmentBookingRequest, kept: KeptRate | undefined): Facts {
  const { rateId, quoteId } = request
  const isLinked = kept && (rateId === undefined || rateId === kept.rate.rateId)
  if (isLinked && kept.rate.serviceCode === request.serviceCode) {
    const { eta, transitDays } = kept.rate
    return {
      rateId,
      quoteId: kept.quoteId,
      ...priceFacts(kept.rate),
      eta: eta ?? undefined,
      transitDays: transitDays ?? undefined,
    }
  }
  const { quotedPriceExGstMinor, quotedGstMinor, quotedPriceIncGstMinor, quotedCurrency } = request
  const { committedEta, quotedTransitDays } = request
  return {
    rateId,
    quoteId,
    ...(quotedPriceExGstMinor !== undefined && {
      priceCents: quotedPriceExGstMinor,
      gstBasis: "excluded",
      currency: quotedCurrency ?? "AUD",
    }),
    gstCents: quotedGstMinor,
    priceIncGstCents: quotedPriceIncGstMinor,
    eta: committedEta,
    transitDays: quotedTransitDays,
  }
}

/**
 * What was booked under a key, or was sent and has no known outcome; undefined where the key is free, or another process
 * is sending it just now: whoever sends waits for that.
 */
export async function findUnderKey(
  { store, owner }: Pick<LedgerDeps, "store" | "owner">,
  key: string,
): Promise<Entry | undefined> {
  const entry = await store.latest(owner.scope, "shipment", `key:${key}`)
  if (entry?.state === "unknown") return isInFlight(entry, await store.now()) ? undefined : entry
  return entry?.state === "done" ? entry : undefined
}

type Recorded = Booking & {
  created: Created<BookingResponse>
  /** Circumstances that are others by now. */
  ignored: readonly Difference[]
}

/**
 * The booking that stands under the key, when it is of the order that is given. Its circumstances may be others by now:
 * a rate that has aged since, or a time that has passed, was good when it was booked.
 * @returns undefined where the key is free
 * @throws ChangedOrder for another order under that key; FreightError `outcomeUnknown` for one without a known outcome
 */
export async function findRecordedBooking(
  ledger: LedgerDeps,
  { written, rate }: Pick<BookingDraft, "written" | "rate">,
  key: string,
): Promise<Recorded | undefined> {
  const entry = await findUnderKey(ledger, key)
  if (!entry) return undefined
  if (entry.state === "unknown") throw refusal(entry, "unknown")
  const { facts, request, response } = entry
  const comparison = compareOrder(entry, written)
  if (comparison.changed.length > 0) throw new ChangedOrder(entry, comparison)
  return {
    connectorId: facts.connectorId ?? "",
    carrier: CARRIERS.find((carrier) => carrier === facts.carrier),
    request: request as ConsignmentBookingRequest,
    rate,
    key,
    ignored: comparison.ignored,
    created: { response: response as BookingResponse, recorded: true, entry },
  }
}
