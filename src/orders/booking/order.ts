/**
 * The one shape of an order on its way: draft → check → price → claim → send → follow up. Flags, files, the wizard, rows,
 * plans and assistants create orders; each later step is a function over them.
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

/** The origin of an order, with data from there that is neither sent nor kept with it. */
export interface Source {
  /** From a file of orders: its batch compares it with bookings made elsewhere without its reference. */
  isRow: boolean
  /** As a person wrote it: see `compareOrder`. */
  written: WrittenOrder | undefined
  /** Permissions for what is otherwise an error. */
  allowed: Allowances | undefined
  /** See `CreateKey`. */
  isKeyGenerated: boolean
  again: boolean
  replaces: boolean
}

export interface WrittenSource extends Source {
  written: WrittenOrder
}

/** Shared by drafts and orders, which differ in request and preference. */
interface AnyOrder<Request, Wanted> {
  request: Request
  /** Freight's own data beside the contract's request; undefined if there can be none, as for a raw request. */
  own: Own | undefined
  /** Its name in the ledger; undefined if its content is its name. */
  key: string | undefined
  /** Service preference, including the profile's; `own` has only what was said of the order itself. */
  wish: Wanted
  source: Source
}

/**
 * One consignment to book, checked as far as it can be before its service is known: its request is everything but service,
 * rate and quote. Nothing is optional: the compiler finds every source that leaves something out.
 */
export type Order = AnyOrder<Omit<ConsignmentBookingRequest, keyof RateLink>, ServicePreference>

/** An order as far as it is known: from flags and a file, or from a person's answers. */
export interface OrderDraft extends AnyOrder<JsonObject, PreferenceDraft> {
  rate: KeptRate | undefined
}

export interface SelectedRate {
  connectorId: string
  carrier: Carrier | undefined
  serviceCode: string
  /** As quoted; undefined if its price was not asked for, or is not known. */
  rate: KeptRate | undefined
  why?: string | undefined
  /** Why its price is not known although it was asked for. */
  warning?: string
}

/** Makes an order from a draft whose request is complete. Its service may be a code, or a way to choose one. */
export function toOrder(
  { own, key, wish, source }: Omit<OrderDraft, "request" | "rate">,
  request: ConsignmentBookingRequest,
): Order {
  return { request, own, key, wish: { ...wish, ...parseService(request.serviceCode) }, source }
}

/** The source of one order that a command gives, under its key, if any. */
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

export function keyOfBooked(asked: CreateKey, { entry }: { entry: Pick<Entry, "key"> }): CreateKey {
  return asked.isKeyGenerated && keyText(entry) !== "" ? { ...asked, key: keyText(entry) } : asked
}

/** The order, marked as meant although one like it exists. */
export function againOf<Any extends Pick<Order, "source">>(order: Any, again = true): Any {
  return { ...order, source: { ...order.source, again } }
}

export function requestOf(
  { request }: Pick<Order, "request">,
  { serviceCode, rate }: Pick<SelectedRate, "serviceCode" | "rate">,
): ConsignmentBookingRequest {
  return rate ? linkToRate(request, rate) : { ...request, serviceCode }
}

export function toSelectedRate(rate: KeptRate, why?: string): SelectedRate {
  const { connectorId, carrier } = rate
  const { serviceCode } = rate.rate
  return { connectorId, carrier: isCarrier(carrier) ? carrier : undefined, serviceCode, rate, why }
}

/** A rate's price in cents, and its currency; undefined if not known. */
export function priceOf({
  rate,
}: Pick<SelectedRate, "rate">): { cents: number; currency: string } | undefined {
  const { price, currency = "AUD" } = rate?.rate ?? {}
  return price === undefined ? undefined : { cents: centsOf(price), currency }
}

/**
 * The most that a selected rate can come to with GST, in cents, for comparison with limits. Undefined if it cannot be
 * compared.
 */
export function getSelectedMost({ rate }: Pick<SelectedRate, "rate">): number | undefined {
  return rate && whyNotCompared(rate.rate) === undefined ? getMostCents(rate.rate) : undefined
}

/** Whether a selected rate can still be booked: a quote is good for 48 hours. @param now milliseconds since the epoch */
export function isFresh({ rate }: Pick<SelectedRate, "rate">, now: number): boolean {
  return rate === undefined || !quoteExpired(rate.quotedAt, now)
}
