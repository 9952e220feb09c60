/** Claims an order and sends it: the one place where a booking is made, whatever its source. */
import {
  checkBookingTimes,
  getQuotedHomes,
  getReturnOf,
  inWords,
  momentAt,
  restorePlaces,
  toOwnHomes,
  zoneOfCollection,
} from "../../contract/index.ts"
import type { FreightApi } from "../../api/index.ts"
import { safeText } from "../../base/safe-text.ts"
import { counted } from "../../base/counted.ts"
import type { BookingResponse, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { formatNear, parseWallClock, wallClockNow } from "../../base/wall-clock.ts"
import { FreightError, withOptions } from "../../base/errors.ts"
import {
  type Created,
  createOnce,
  type Facts,
  hashDayGoods,
  type Intent,
  type LedgerDeps,
  referenceHash,
} from "../../ledger/index.ts"
import { refuseLateService } from "./in-time.ts"
import { isFresh, keyOf, type SelectedRate, type Order, requestOf } from "./order.ts"
import { bookingQuestion, priceFacts } from "./rates.ts"

/** POST /{connectorId}/shipments, at most once for its key, or for its content within 24 hours. */
export function bookOrder(
  ledger: LedgerDeps,
  api: Pick<FreightApi, "createShipment">,
  order: Order,
  selected: SelectedRate,
): Promise<Created<BookingResponse>> {
  const intent = bookingIntent(order, selected)
  return createOnce(
    ledger,
    {
      ...intent,
      ...(ledger.spending?.isOpen && { question: askToBook(intent, selected, ledger.clock.now()) }),
      check: () => {
        checkInTime(order, selected, intent.request, ledger.clock.now())
        refuseLateService(order, selected, ledger.clock.now())
      },
    },
    (lease) => api.createShipment(selected.connectorId, intent.request, lease).catch(withWordsOnRates),
    ({ shipmentId, consignmentNumber, orderNumber }) => ({
      shipmentId,
      orderNumber,
      consignmentNumber: consignmentNumber || undefined,
    }),
  )
}

/**
 * Checks the time again right before sending: a person may have thought about the question, and a batch runs for hours.
 */
function checkInTime(
  { source: { allowed } }: Order,
  selected: SelectedRate,
  request: ConsignmentBookingRequest,
  now: number,
): void {
  const late = (why: string) =>
    new FreightError("input", `it became too late while it waited: ${why}; nothing was sent`, {
      hint: "Bring the booking up to date, and book it again.",
    })
  if (!isFresh(selected, now)) throw late("its rate is from a quote more than 48 hours old")
  const [error] = checkBookingTimes(request, selected.carrier, momentAt(now, allowed)).errors
  if (error) throw late(inWords(error))
}

function askToBook({ facts, request }: BookingIntent, { rate }: SelectedRate, now: number): string {
  const ready = parseWallClock(request.collectionDateTime)
  const collected = ready.ok
    ? formatNear(ready.value, wallClockNow(now, zoneOfCollection(request)))
    : request.collectionDateTime
  const service = rate?.rate.serviceCode === request.serviceCode ? rate.rate.description : undefined
  return `${bookingQuestion(facts, service ?? request.serviceCode, collected)}?`
}

type BookingIntent = Intent & { kind: "shipment"; request: ConsignmentBookingRequest }

export function bookingIntent(order: Order, selected: SelectedRate): BookingIntent {
  const { key, own, source } = order
  const { written, isKeyGenerated, isRow } = source
  const { connectorId, carrier, why } = selected
  const request = requestOf(order, selected)
  const { customerReference, receiver } = request
  const places = written?.places
  const asWritten = restorePlaces(request, places)
  return {
    kind: "shipment",
    ...keyOf(order),
    content: { connectorId, ...asWritten },
    written,
    // Without a reference, its own key is the name to compare with bookings under other keys.
    referenceHash: referenceHash(customerReference || (isKeyGenerated ? "" : key), asWritten.receiver),
    ...(!isRow && { dayGoodsHash: hashDayGoods(request) }),
    call: `POST /${connectorId}/shipments`,
    request,
    facts: {
      connectorId,
      carrier,
      serviceCode: request.serviceCode,
      about: aboutBooking(request, own),
      reference: customerReference,
      receiverSuburb: receiver.suburb,
      receiverState: receiver.state,
      receiverPostcode: receiver.postcode,
      packages: JSON.stringify(request.packages ?? request.items),
      weightGrams: Math.round(request.items.totalWeightKg * 1000),
      ...quoteFacts(request, selected),
      ...(places && { writtenPlaces: JSON.stringify(places) }),
      why,
      offers: selected.rate?.offers,
      own: selected.rate ? { ...own, ...toOwnHomes(getQuotedHomes(selected.rate)) } : own,
    },
  }
}

/** The API says that it does not know the rate, but not where to get one. */
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

/** `2 packages to Port Street Fittings, Fremantle WA 6160`; `… (return of SO-17)`. */
function aboutBooking({ items, receiver }: ConsignmentBookingRequest, own: Order["own"]): string {
  const { companyName, suburb, state, postcode } = receiver
  const returned = getReturnOf(own)
  const of = returned === undefined ? "" : ` (return of ${safeText(returned, 100)})`
  return `${counted(items.count, "package")} to ${companyName}, ${suburb} ${state} ${postcode}${of}`
}

function quoteFacts(request: ConsignmentBookingRequest, { rate: kept }: SelectedRate): Facts {
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
