/** A booking that was made under its key before: it is answered from the ledger, and nothing is asked of the network. */
import { CARRIERS } from "../contract/carrier-fields.ts"
import { findErrors } from "../contract/check.ts"
import * as requests from "../contract/generated/requests.js"
import type { BookingResponse, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import { contentHash } from "../ledger/content.ts"
import type { Created, LedgerDeps } from "../ledger/create.ts"
import { isInFlight } from "../ledger/judge.ts"
import { refusal } from "../ledger/refusals.ts"
import type { Entry } from "../ledger/entry.ts"
import { isServiceOpen } from "./offer.ts"
import { type BookingDraft, derivedBooking } from "./request.ts"
import { type Booking, bookingContent } from "./send.ts"
import type { JsonObject } from "./set.ts"

/** What was booked under a key, or was sent and has no known outcome; undefined where the key is free. */
export async function underKey(
  { store, scope }: Pick<LedgerDeps, "store" | "scope">,
  key: string,
): Promise<Entry | undefined> {
  const entry = await store.latest(scope, "shipment", `key:${key}`)
  return entry?.state === "done" || entry?.state === "unknown" ? entry : undefined
}

/** Whether an entry is of this very booking. */
export function isOfBooking(
  { content }: Entry,
  connectorId: string,
  request: ConsignmentBookingRequest,
): boolean {
  return content === contentHash("shipment", bookingContent(connectorId, request))
}

type Recorded = Booking & { created: Created<BookingResponse> }

/**
 * The booking that stands under the key, when it is the one that is given. A rate that has aged since, or is no longer
 * known here, does not matter to it: it was good when it was booked.
 * @param connectorId as the command line names it
 * @returns undefined where the key is free, or the booking is not whole, and has to be judged as any other
 * @throws FreightError `input` for another booking under that key; `outcomeUnknown` for one without a known outcome
 */
export async function recordedBooking(
  ledger: LedgerDeps,
  given: BookingDraft,
  key: string,
  connectorId: string | undefined,
): Promise<Recorded | undefined> {
  const entry = await underKey(ledger, key)
  if (!entry) return undefined
  if (entry.state === "unknown") {
    // A running process may yet settle it: whoever sends waits for that.
    if (isInFlight(entry, await ledger.store.now())) return undefined
    throw refusal(entry, "unknown")
  }
  const { facts, response } = entry
  const { request } = derivedBooking({ ...given, request: withItsRate(entry, given) })
  if (findErrors(requests.ConsignmentBookingRequest, request).length > 0) return undefined
  const whole = request as unknown as ConsignmentBookingRequest
  const on = connectorId ?? given.rate?.connectorId ?? facts.connectorId ?? ""
  if (!isOfBooking(entry, on, whole)) throw refusal(entry, "other-content")
  return {
    connectorId: on,
    carrier: CARRIERS.find((carrier) => carrier === facts.carrier),
    request: whole,
    rate: given.rate,
    key,
    created: { response: response as BookingResponse, recorded: true, entry },
  }
}

const FROM_RATE = ["quoteId", "serviceCode", "packages", "dangerousGoods"]

/**
 * The given booking with what was booked where it leaves that open: the rate's fields, where the rate is named again and
 * is no longer kept; the service, where it was chosen (`cheapest`).
 */
function withItsRate({ request }: Entry, given: BookingDraft): JsonObject {
  const booked = request as JsonObject
  const { rateId, serviceCode } = booked
  if (isServiceOpen(given.request.serviceCode) && serviceCode !== undefined)
    return { ...given.request, serviceCode }
  if (given.rate || rateId === undefined || given.request.rateId !== rateId) return given.request
  const ofRate = Object.fromEntries(Object.entries(booked).filter(([name]) => FROM_RATE.includes(name)))
  return { ...ofRate, ...given.request }
}
