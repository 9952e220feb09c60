/**
 * The one shape on the way of an order: draft → check → price → claim → send → follow up.
 * Flags, files, the wizard, rows, plans and assistants make orders; each step after that is one function over them.
 */
import {
  type Allowances,
  getReturnOf,
  linkToRate,
  type Own,
  quoteExpired,
  type RateLink,
} from "../../contract/index.ts"
import type { Carrier, ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import type { JsonObject } from "../../base/json.ts"
import { centsOf } from "../../base/money.ts"
import { isCarrier } from "../../carriers/index.ts"
import { type CreateKey, type Entry, keyText, secondKey, type WrittenOrder } from "../../ledger/index.ts"
import type { KeptRate } from "../../machine/index.ts"
import { getMostCents, whyNotCompared } from "./gst.ts"
import { parseService, type ServicePreference, type PreferenceDraft } from "./preferences.ts"

/** By which way an order came, and what was said there that is neither sent nor kept with it. */
export interface Source {
  /** A row of a file of orders: its batch compares it with what was booked elsewhere without its reference. */
  isRow: boolean
  /** As a person wrote it: see `compareOrder`. */
  written: WrittenOrder | undefined
  /** What a person allows that is otherwise an error. */
  allowed: Allowances | undefined
  /** See `CreateKey`. */
  isKeyGenerated: boolean
  again: boolean
  replaces: boolean
}

/** A source with an order as a person wrote it. */
export interface WrittenSource extends Source {
  written: WrittenOrder
}

/** Of an order, all but which service is wanted for which goods. */
interface AnyOrder<Request, Wanted> {
  /** In the contract's shape. */
  request: Request
  /** What is known of it beside the contract's request; undefined where nothing can be, as of a raw request. */
  own: Own | undefined
  /** Its name in the ledger; undefined where its content is its name. */
  key: string | undefined
  /** Which service; the wishes of the profile are in it too, and `own` has what was said of the order itself. */
  wish: Wanted
  source: Source
}

/**
 * One consignment to book, checked as far as it can be before its service is known: its request is everything but
 * service, rate and quote. Nothing of it is optional: whoever makes or hands on an order says each, if only that it is
 * not known, and the compiler tells what was left out.
 */
export type Order = AnyOrder<Omit<ConsignmentBookingRequest, keyof RateLink>, ServicePreference>

/** An order as far as it is known: from flags and a file, or from a person's answers. */
export interface OrderDraft extends AnyOrder<JsonObject, PreferenceDraft> {
  /** The rate that was chosen, where this machine has it. */
  rate: KeptRate | undefined
}

/** What an order is booked with. */
export interface SelectedRate {
  connectorId: string
  carrier: Carrier | undefined
  serviceCode: string
  /** As it was quoted; undefined where its price was not asked for, or is not known. */
  rate: KeptRate | undefined
  /** Why it was chosen, where rates were compared. */
  why?: string | undefined
  /** Why its price is not known although it was asked for. */
  warning?: string
}

/** The order of a draft whose request is whole by now: its service may be a code, or how one is chosen. */
export function toOrder(
  { own, key, wish, source }: Omit<OrderDraft, "request" | "rate">,
  request: ConsignmentBookingRequest,
): Order {
  return { request, own, key, wish: { ...wish, ...parseService(request.serviceCode) }, source }
}

/** How a command says one order, under the key that it has, if any. */
export function ofCommand(
  written: WrittenOrder,
  flags: Allowances & Pick<CreateKey, "again" | "replaces">,
): WrittenSource {
  const { again = false, replaces = false } = flags
  return { isRow: false, written, allowed: flags, isKeyGenerated: false, again, replaces }
}

/** The key that the ledger claims an order under; a second return that is meant has its own. */
export function keyOf({ key, own, source }: Pick<Order, "key" | "own" | "source">): CreateKey {
  const { isKeyGenerated, again, replaces } = source
  const isSecond = again && isKeyGenerated && key !== undefined && getReturnOf(own) !== undefined
  const named = isSecond ? secondKey(key) : key
  return { key: named, isKeyGenerated, again, ...(replaces && { replaces }) }
}

/** The key that a booking stands under: what follows it derives its own from that. */
export function keyOfBooked(asked: CreateKey, { entry }: { entry: Pick<Entry, "key"> }): CreateKey {
  return asked.isKeyGenerated && keyText(entry) !== "" ? { ...asked, key: keyText(entry) } : asked
}

/** The order where a person means it although one like it stands. */
export function againOf<Any extends Pick<Order, "source">>(order: Any, again = true): Any {
  return { ...order, source: { ...order.source, again } }
}

/** The request of an order that is booked with an offer. */
export function requestOf(
  { request }: Pick<Order, "request">,
  { serviceCode, rate }: Pick<SelectedRate, "serviceCode" | "rate">,
): ConsignmentBookingRequest {
  return rate ? linkToRate(request, rate) : { ...request, serviceCode }
}

/** The offer of a rate that was chosen. */
export function toSelectedRate(rate: KeptRate, why?: string): SelectedRate {
  const { connectorId, carrier } = rate
  const { serviceCode } = rate.rate
  return { connectorId, carrier: isCarrier(carrier) ? carrier : undefined, serviceCode, rate, why }
}

/** What a rate costs, in cents, and in which currency; undefined where that is not known. */
export function priceOf({
  rate,
}: Pick<SelectedRate, "rate">): { cents: number; currency: string } | undefined {
  const { price, currency = "AUD" } = rate?.rate ?? {}
  return price === undefined ? undefined : { cents: centsOf(price), currency }
}

/** What an offer can come to with GST, in cents: limits are compared with it. Undefined where they cannot be. */
export function getOfferMost({ rate }: Pick<SelectedRate, "rate">): number | undefined {
  return rate && whyNotCompared(rate.rate) === undefined ? getMostCents(rate.rate) : undefined
}

/** Whether an offer can still be booked: a quote is good for 48 hours. @param now milliseconds since the epoch */
export function isFresh({ rate }: Pick<SelectedRate, "rate">, now: number): boolean {
  return rate === undefined || !quoteExpired(rate.quotedAt, now)
}
