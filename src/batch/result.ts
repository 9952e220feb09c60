/** What came of each row, and the totals of all of them. */
import { type Known, type LedgerReader, lookUp } from "../booking/known.ts"
import type { Created } from "../ledger/create.ts"
import { type Entry, type GstBasis, keyText, sentText } from "../ledger/entry.ts"
import { getOrderNumber, isRespelling } from "../ledger/spelling.ts"
import { createGstCounts, type GstCounts } from "./gst.ts"
import { describeHeld, findWithdrawal, HELD_STATES, type HeldOrder } from "./shipping.ts"
import { getKey, type BatchRow } from "./rows/row.ts"
import { restorePlaces } from "../contract/place-doubts.ts"
import type { RowFinding } from "../input/sheets/findings.ts"
import type { BookingResponse } from "../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, type FreightError } from "../base/errors.ts"
import {
  compareOrder,
  type Comparison,
  describeDifference,
  type Difference,
  secondKey,
} from "../ledger/order.ts"
import {
  AlreadyMade,
  ChangedOrder,
  describeBooked,
  describeOtherKey,
  earlierText,
  OTHER_ACCOUNT_HINT,
  Unrecorded,
} from "../ledger/refusals.ts"

const ROW_STATES = [
  "booked",
  "failed",
  "unknown",
  "sending",
  "changed",
  "duplicate",
  "invalid",
  "waiting",
  "left-out",
] as const
/**
 * As in `Known`; besides,
 * - `failed`: certainly not made; running the batch again tries it again.
 * - `invalid`: the row has an error; not sent.
 * - `waiting`: not sent yet; with an error, it waits for its shop or for a person.
 * - `left-out`: the shop says that it is not to be shipped.
 */
type RowState = (typeof ROW_STATES)[number]

/** What came of a row, as it is kept until the results are written. */
export interface Outcome {
  state: RowState
  /** Empty unless it was booked. */
  entryId: string
  shipmentId: string
  consignment: string
  /** In cents, as quoted; undefined when it is not known. */
  priceCents: number | undefined
  /** Whether GST is in it; undefined without a price. */
  gstBasis?: GstBasis | undefined
  currency: string
  /** With which service of whom it was booked; undefined where that is not known. */
  carrier?: string | undefined
  serviceCode?: string | undefined
  error: string
  /** What to do about all rows that have the error. */
  hint?: string | undefined
  /** The ledger key that it was booked under, and when: ISO 8601 in UTC. */
  key?: string
  sentAt?: string
  /** Booked before; nothing was sent now. */
  recorded?: boolean
  /** Booked elsewhere: with another program or ledger, or in the portal. */
  elsewhere?: Entry["elsewhere"]
  warnings?: readonly string[] | undefined
  /** Circumstances that differ from what was booked. */
  ignored?: readonly Difference[] | undefined
  why?: string | undefined
  /** It was not sent because the service limits requests: seconds to wait, where the service says so. */
  limited?: { retryAfter: number | undefined }
}

/**
 * What the ledger knows of a row: it is asked before the shop's status, and before the row's own errors.
 * @throws FreightError when the ledger cannot be read
 */
export async function lookUpRow(ledger: LedgerReader, row: BatchRow, again = false): Promise<Known> {
  const { reference, held, written } = row
  if (reference === "") return { is: "new", before: undefined }
  const key = getKey(row)
  const isWithdrawn = findWithdrawal(row) !== undefined
  const isSecond = key !== reference
  return lookUp(ledger, {
    key,
    written,
    isWithdrawn,
    again,
    ...(!isSecond && { secondKey: secondKey(reference) }),
    ...(row.booking !== undefined &&
      !held && {
        booking: restorePlaces(row.booking, written.places),
        ...(isSecond && { firstKey: reference }),
      }),
  })
}

/** Whether a row would be sent, by what the ledger knows of it. */
export function isToSend(row: BatchRow, known: Known): boolean {
  return known.is === "new" && !getHeld(row, known)
}

/** Why the shop holds a row; undefined where it does not, or the ledger says more. */
export function getHeld({ held }: BatchRow, { is }: Known): HeldOrder | undefined {
  return STANDS.includes(is) ? undefined : held
}

/** Whether a row that another process is sending is left to its own claim, which waits for that: it may then be sent. */
export function isLeftToClaim(row: BatchRow, { is }: Known): boolean {
  return is === "sending" && row.booking !== undefined && !row.held && row.late.length === 0
}

const STANDS: readonly Known["is"][] = ["booked", "elsewhere", "changed", "unknown", "sending"]

/** A row's outcome by the ledger alone. */
export function knownOutcome(row: BatchRow, known: Known): Outcome {
  const held = getHeld(row, known)
  if (held)
    return noBooking(
      HELD_STATES[held.means],
      describeHeld(held),
      held.means === "waits" ? WAITING_HINT : undefined,
    )
  switch (known.is) {
    case "booked":
      return {
        ...bookedOutcome(known.entry),
        recorded: true,
        ignored: known.ignored.length > 0 ? known.ignored : undefined,
      }
    case "elsewhere":
      return elsewhereOutcome(known.entry, known.ignored)
    case "changed":
      return changedOutcome(row, known.entry, known.comparison)
    case "unknown":
    case "sending":
      return noBooking(known.is, REASONS[known.is](known.entry))
    case "duplicate":
      return duplicateOutcome(known.entry, row.reference)
    case "other-account":
      return noBooking("failed", REASONS["other-account"](known.entry), OTHER_ACCOUNT_HINT)
    case "not-before":
      return noBooking("invalid", `${row.reference} was not booked before: leave out --again-for`)
    case "new": {
      const { before } = known
      if (before?.state !== "refused") return noBooking("waiting")
      return noBooking("failed", before.error ? withDetails(before.error) : "it was refused")
    }
  }
}

function noBooking(state: RowState, error = "", hint?: string): Outcome {
  const none = { entryId: "", shipmentId: "", consignment: "", priceCents: undefined, currency: "AUD" }
  return { state, ...none, error, ...(hint !== undefined && { hint }) }
}

export const CARRIER_DOWN = noBooking("failed", "its carrier does not answer: nothing was sent")
export const WAITING = noBooking("waiting")

function bookedOutcome(entry: Entry): Outcome {
  const { facts, response } = entry
  const { consignmentNumber } = (response ?? {}) as Partial<BookingResponse>
  return {
    state: "booked",
    key: keyText(entry),
    sentAt: entry.sentAt,
    entryId: entry.id,
    shipmentId: facts.shipmentId ?? "",
    consignment: facts.consignmentNumber ?? consignmentNumber ?? "",
    priceCents: facts.priceCents,
    ...(facts.priceCents !== undefined && { gstBasis: facts.gstBasis ?? "unknown" }),
    currency: facts.currency ?? "AUD",
    carrier: facts.carrier,
    serviceCode: facts.serviceCode,
    error: "",
    why: facts.why,
  }
}

/** Of a row that is equal to something that was booked, here or elsewhere. */
export function duplicateOutcome(entry: Entry, reference?: string): Outcome {
  return noBooking("duplicate", REASONS.duplicate(entry, reference), DUPLICATE_HINT)
}

function elsewhereOutcome(entry: Entry, ignored: readonly Difference[] = []): Outcome {
  return {
    ...bookedOutcome(entry),
    elsewhere: entry.elsewhere,
    warnings: [`it ${describeBooked(entry)}`],
    ignored: ignored.length > 0 ? ignored : undefined,
  }
}

function changedOutcome(row: BatchRow, entry: Entry, { changed }: Comparison): Outcome {
  const withdrawn = findWithdrawal(row)
  const why =
    withdrawn === undefined ? changed.map(describeDifference).join(", ") : `the shop says ${withdrawn}`
  const error = `${describeBooked(entry)}, and has changed since: ${why}`
  const isLater = changed.some(({ field }) => field === "collectionDateTime")
  const hint = isLater ? `${CHANGED_HINT} ${AGAIN_HINT}` : CHANGED_HINT
  return { ...bookedOutcome(entry), state: "changed", error, hint }
}

const REASONS = {
  duplicate(entry: Entry, reference = "") {
    const which = isRespelling(entry, reference) ? `${getOrderNumber(entry)}, ` : ""
    return `duplicate of ${which}${earlierText(entry)}: --again books it anyway`
  },
  unknown: (entry: Entry) => `sent on ${sentText(entry)}, and its outcome is unknown`,
  sending: () => "another process is sending it",
  "other-account": (entry: Entry) =>
    `${describeOtherKey(entry)}: held back until it is known whether both keys belong to one account`,
}

const CHANGED_HINT =
  'Nothing was sent for an order that has changed. To change or cancel its booking, call the carrier: freight cancel "REFERENCE" says how.'
/** Only a later day makes it likely that a second consignment is meant. */
const AGAIN_HINT = 'To book a second consignment of it, add --again-for "REFERENCE".'
const WAITING_HINT = "A later run books orders that wait, once the shop has another status for them."
const DUPLICATE_HINT = "Duplicates were not sent: if they are separate orders, book them with --again."

/** @param why if another row makes it bad */
export function invalidOutcome(row: BatchRow, why?: string): Outcome {
  const errors = row.findings.filter(({ severity, row: at }) => severity === "error" && at === row.row)
  return noBooking("invalid", [...errors.map(formatFinding), ...(why ? [why] : [])].join("; "))
}

/** Why a row is not sent that would be right for another day or place; undefined where nothing is. */
export function describeLate(row: BatchRow): string | undefined {
  return row.booking !== undefined && row.late.length > 0 ? row.late.map(formatFinding).join("; ") : undefined
}

/** A note without its row: `Weight: is missing: write it in kg`. */
export function formatFinding({ column, message, hint }: RowFinding): string {
  return [column, message, hint].filter(Boolean).join(": ")
}

/** Of a row that was sent, now or before under its key. */
export function sentOutcome(
  { entry, recorded }: Created<BookingResponse>,
  warnings: readonly string[],
): Outcome {
  return { ...bookedOutcome(entry), warnings, ...(recorded && { recorded }) }
}

export function failedOutcome(row: BatchRow, error: FreightError): Outcome {
  if (error instanceof AlreadyMade && error.entry.elsewhere) return elsewhereOutcome(error.entry)
  if (error instanceof AlreadyMade)
    return noBooking("duplicate", REASONS.duplicate(error.entry, row.reference), DUPLICATE_HINT)
  if (error instanceof ChangedOrder)
    return changedOutcome(row, error.entry, compareOrder(error.entry, row.written))
  if (error instanceof Unrecorded && error.entry.state === "done")
    return { ...bookedOutcome(error.entry), error: error.message }
  const isUnknown = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
  const outcome = noBooking(isUnknown ? "unknown" : "failed", withDetails(error))
  return error.kind === "rateLimited" ? { ...outcome, limited: { retryAfter: error.retryAfter } } : outcome
}

function withDetails({ message, errors = [] }: Explained): string {
  return [message, ...errors.map(describeDetail)].join("; ")
}

type Explained = { message: string; errors?: readonly ErrorDetail[] | undefined }

export interface Tally {
  rows: number
  states: Record<RowState, number>
  /** Of the booked rows, those that an earlier run booked. */
  recorded: number
  /** Of the booked rows, those that were booked elsewhere. */
  elsewhere: number
  /** What the booked rows cost. */
  all: Costs
  /** The same of those that were booked now, here. */
  fresh: Costs
}

/** Quoted prices of booked rows. */
export interface Costs {
  rows: number
  /** By currency. */
  cents: Map<string, number>
  /** Of the rows with a price, in how many GST is in it, is not, or is not stated. */
  gst: GstCounts
  unpriced: number
}

function createCosts(): Costs {
  return { rows: 0, cents: new Map(), gst: createGstCounts(), unpriced: 0 }
}

function addCost(costs: Costs, { priceCents, gstBasis = "unknown", currency }: Outcome): void {
  costs.rows++
  if (priceCents === undefined) costs.unpriced++
  else {
    costs.cents.set(currency, (costs.cents.get(currency) ?? 0) + priceCents)
    costs.gst[gstBasis]++
  }
}

export function createTally(): Tally {
  const states = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Tally["states"]
  return { rows: 0, states, recorded: 0, elsewhere: 0, all: createCosts(), fresh: createCosts() }
}

/** Counts one row. @param recorded it was booked before */
export function countOutcome(tally: Tally, outcome: Outcome, recorded = false): void {
  const { state, elsewhere } = outcome
  tally.rows++
  tally.states[state]++
  if (state !== "booked") return
  if (recorded) tally.recorded++
  if (elsewhere) tally.elsewhere++
  addCost(tally.all, outcome)
  if (!recorded && !elsewhere) addCost(tally.fresh, outcome)
}
