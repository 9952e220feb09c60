/** The draft of a booking: the answers so far, and the present step. Plain JSON, so that it can be stored. */
import {
  findErrors,
  itemsOf,
  linkToRate,
  type Own,
  pickAllowedFlags,
  readOwn,
  type Residential,
  toOwnHomes,
} from "../../contract/index.ts"
import { CARRIER_FIELDS, isReadBy } from "./questions.ts"

import { CARRIERS } from "../../carriers/index.ts"
import * as requests from "../../contract/generated/requests.js"
import type {
  BookingAddress,
  Carrier,
  ConsignmentBookingRequest,
  Package,
} from "../../contract/generated/types.ts"
import type { KeptRate } from "../../machine/index.ts"
import { valueAt } from "../../output/index.ts"
import { isObject, type Json, type JsonObject, putAt } from "../../base/json.ts"
import { isKeptRate } from "../booking/price.ts"
import type { SortKey } from "../booking/rates.ts"
import { isPackages } from "../booking/request.ts"
import type { OrderDraft, Source } from "../booking/order.ts"
import type { Limits } from "../booking/preferences.ts"

export const STEPS = [
  "start",
  "sender",
  "collection",
  "receiver",
  "packages",
  "goods",
  "times",
  "residential",
  "rates",
  "payer",
  "reference",
  "extras",
  "review",
] as const
export type StepName = (typeof STEPS)[number]

/** Asked only from the review, or if the usual value does not fit. */
export const SKIPPED_UNLESS_ASKED: readonly StepName[] = ["start", "collection", "payer", "extras"]

/** A step, or a result of the review: it is sent, or left for later. */
export type Destination = StepName | "send" | "later"

export const VERSION = 2

export type Party = "sender" | "collection" | "receiver"

export type DraftStart = Readonly<Pick<OrderDraft, "request" | "own">> &
  Readonly<Partial<Pick<OrderDraft, "wish">>>

/** Its request is without the rate; its wish is from the command line and the profile. */
export interface Draft
  extends Readonly<Pick<OrderDraft, "request" | "own">>,
    Readonly<Partial<Pick<OrderDraft, "rate" | "wish">>>,
    Readonly<Pick<Source, "allowed" | "isKeyGenerated">> {
  readonly version: typeof VERSION
  readonly id: string
  /** The booking's key in the ledger. However often the draft is resumed, it is sent under this key only. */
  readonly key: string
  /** The request that the rate was asked for. */
  readonly rateFor?: string
  /** For a return: the packages of its order, as far as they are known. */
  readonly returned?: readonly Package[]
  /** It is optional: having no answer does not mean that it was not asked. */
  readonly isReferenceAsked?: true
  /** Whether the missing email at the collection was asked for. */
  readonly isEmailAsked?: true
  /** Values from the command line alone: they override an earlier booking that is begun from. */
  readonly given?: DraftStart
  /** Whether it was begun from an earlier booking; undefined before that was asked. */
  readonly begunAs?: "new" | "earlier"
  /** A place changed after it was said which places are homes: that is asked again. */
  readonly isHomeOpen?: true
  /** An answer was changed from the review: from then on Enter alone books nothing. */
  readonly isReviewed?: true
  /**
   * The parties whose address was entered, and how: field by field, or at a question in one line, so that only the rest
   * was asked.
   */
  readonly entered?: Readonly<Partial<Record<Party, string>>>
  /** The present step and question; `isBack` after going back to it, and so to its last question. */
  readonly at?: { readonly step: Destination; readonly question?: string; readonly isBack?: true }
}

export function toDraft(request: JsonObject): Draft {
  return {
    ...{ version: VERSION, id: "", key: "", isKeyGenerated: true },
    ...{ request, own: undefined, allowed: undefined },
  }
}

/** A copy with a value at a dotted path; undefined removes it, and parents that this leaves empty. */
export function setAnswer(draft: Draft, path: string, value: Json | undefined): Draft {
  const request = structuredClone(draft.request)
  if (value === undefined) removeAt(request, path.split("."))
  else putAt(request, path, value)
  return { ...draft, request }
}

function removeAt(holder: Json | undefined, [name = "", ...rest]: readonly string[]): void {
  if (Array.isArray(holder)) {
    if (rest.length === 0) holder.splice(Number(name), 1)
    else removeAt(holder[Number(name)], rest)
    return
  }
  if (!isObject(holder)) return
  const below = holder[name]
  if (rest.length > 0) {
    removeAt(below, rest)
    if (typeof below !== "object" || below === null || Object.keys(below).length > 0) return
  }
  delete holder[name]
}

export function getAnswer(draft: Pick<Draft, "request">, path: string): Json | undefined {
  return valueAt(draft.request, path) as Json | undefined
}

/** The answer at a dotted path; empty if there is none, or it is not a text. */
export function getText(draft: Draft, path: string): string {
  const value = getAnswer(draft, path)
  return typeof value === "string" ? value : ""
}

export function getParty({ request }: Draft, party: Party): BookingAddress | undefined {
  const address: unknown = request[party]
  return requests.BookingAddress(address) ? address : undefined
}

/** The packages if they are complete; otherwise none. */
export function getPackages({ request: { packages } }: Pick<Draft, "request">): Package[] {
  return isPackages(packages) ? packages : []
}

export function getCarrier({ rate }: Draft): Carrier | undefined {
  return CARRIERS.find((carrier) => carrier === rate?.carrier)
}

export function findUnreadFields(draft: Draft): string[] {
  const carrier = getCarrier(draft)
  return CARRIER_FIELDS.filter(
    (field) =>
      carrier !== undefined && !isReadBy(field, carrier) && getAnswer(draft, field.path) !== undefined,
  ).map(({ path }) => path)
}

/** The request as it would be sent: with the chosen rate and the totals, without fields that its carrier does not read. */
function getRequest(draft: Draft): JsonObject {
  const { request } = findUnreadFields(draft).reduce((less, path) => setAnswer(less, path, undefined), draft)
  const { rate } = draft
  const packages = getPackages(draft)
  const whole = { ...request, ...(packages.length > 0 && { items: { ...itemsOf(packages) } }) }
  return rate ? (linkToRate(whole, rate) as JsonObject) : whole
}

/** The complete request; undefined while anything is missing or wrong. */
export function getWholeRequest(draft: Draft): ConsignmentBookingRequest | undefined {
  const request: unknown = getRequest(draft)
  return requests.ConsignmentBookingRequest(request) ? request : undefined
}

/** The stored value, if it is a draft that this version can continue: fields that break the contract are left out. */
export function readDraft(value: unknown): Draft | undefined {
  const kept = Object(value) as Partial<Omit<Draft, "version">> & { version?: number }
  const isEarlier = kept.version === 1
  const draft = isEarlier ? fromEarlier(kept) : kept
  const { id, key, request, at, rate } = draft
  const own = readKeptOwn(kept)
  const isKnown = isEarlier || kept.version === VERSION
  if (!isKnown || typeof id !== "string" || typeof key !== "string" || !isObject(request)) return undefined
  const allowed = pickAllowedFlags(Object(draft.allowed))
  const {
    rate: _,
    at: __,
    residential: ___,
    allowed: ____,
    returned,
    given,
    ...rest
  } = draft as Draft & EarlierDraft
  const step = STEPS.find((each) => each === at?.step)
  return {
    ...rest,
    version: VERSION,
    request: pickValid(request),
    ...(isKeptRate(rate) && { rate }),
    allowed,
    own,
    ...(isObject(given?.request) && {
      given: { ...given, request: pickValid(given.request), own: given.own && readOwn(given.own) },
    }),
    ...(isPackages(returned as Json | undefined) && { returned }),
    ...(step !== undefined && {
      at: { step, ...(typeof at?.question === "string" && { question: at.question }) },
    }),
  }
}

/** The fields that keep the contract. */
function pickValid(request: JsonObject): JsonObject {
  const wrong = findErrors(requests.ConsignmentBookingRequest, request)
    .filter(({ keyword }) => keyword !== "required")
    .map(({ path }) => path.split(/[.[]/)[0] ?? "")
  return Object.fromEntries(Object.entries(request).filter(([name]) => !wrong.includes(name)))
}

/** Until release 0.2.0 a draft stored only the residential flags, and before it by the names of a rate request. */
function readKeptOwn({
  own,
  residential,
}: Pick<EarlierDraft, "residential"> & Partial<Pick<Draft, "own">>): Own | undefined {
  if (own) return readOwn(own)
  const { collection = residential?.from === true, receiver = residential?.to === true } = residential ?? {}
  return residential && toOwnHomes({ collection, receiver })
}

/** A draft of release 0.2.0, which had other names. */
interface EarlierDraft {
  version?: number
  keyGiven?: true
  offer?: KeptRate
  offerFor?: string
  wanted?: Limits & { serviceCode?: string; by?: SortKey }
  residential?: Partial<Residential> & { from?: boolean; to?: boolean }
}

function fromEarlier(kept: EarlierDraft): Partial<Omit<Draft, "version">> & { version?: number } {
  const { keyGiven, offer, offerFor, wanted, ...rest } = kept
  const { by, ...wish } = wanted ?? {}
  return {
    ...rest,
    isKeyGenerated: keyGiven !== true,
    ...(offer && { rate: offer }),
    ...(offerFor !== undefined && { rateFor: offerFor }),
    ...(wanted && {
      wish: {
        ...wish,
        ...(by === "eta" && { kind: "fastest" }),
        ...(wish.serviceCode !== undefined && { kind: "code" }),
      },
    }),
  }
}
