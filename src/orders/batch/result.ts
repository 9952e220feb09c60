/** Outcomes of rows, and their totals. */
import {
  findStanding,
  type FoundStanding,
  type LedgerReader,
  type OrderQuestion,
} from "../booking/standings.ts"
import { quoteBlanks } from "../../base/command-line.ts"
import { writtenDay } from "../../base/wall-clock.ts"
import { withHint } from "../../base/parsed.ts"
import {
  type Created,
  compareNumber,
  describeBeside,
  describeBooked,
  describeCancelled,
  describeDifference,
  explainHeldBack,
  describeWay,
  type Entry,
  isSettled,
  keyText,
  listBarcodes,
  NotSent,
  secondKey,
  sentText,
  Unrecorded,
} from "../../ledger/index.ts"
import { createGstCounts, type GstCounts } from "./gst.ts"
import { describeHold, findWithdrawal, HELD_STATES } from "./shipping.ts"
import type { ShopHold } from "./rows/written-row.ts"
import { type BatchRow, isSecond } from "./rows/row.ts"
import { restorePlaces } from "../../contract/index.ts"
import type { RowFinding } from "../../input/index.ts"
import type { BookingResponse } from "../../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, type FreightError } from "../../base/errors.ts"
import { TOO_LATE } from "../booking/preferences.ts"
import { type Outcome, type RowState, ROW_STATES } from "./outcome.ts"

/** The standing of a row's order. `held`: its shop says not to send it now, and the ledger has nothing more. */
export type RowStanding = FoundStanding | { kind: "held"; held: ShopHold }

/** The ledger is asked before the shop's status, and before the row's own errors. */
export async function findRowStanding(
  ledger: LedgerReader,
  row: BatchRow,
  again = false,
): Promise<RowStanding> {
  const { reference, held } = row
  const standing: FoundStanding =
    reference === "" ? { kind: "free" } : await findStanding(ledger, toQuestion(row, again))
  return held && !isSettled(standing) && standing.kind !== "sending" ? { kind: "held", held } : standing
}

function toQuestion(row: BatchRow, again: boolean): OrderQuestion {
  const { reference, key, held, own } = row
  const { written } = row.source
  return {
    ...{ key, written, own },
    isWithdrawn: findWithdrawal(row) !== undefined,
    again: again || isSecond(row),
    replaces: row.source.replaces,
    ...(!isSecond(row) && { secondKey: secondKey(reference) }),
    ...(row.request !== undefined &&
      !held && {
        booking: restorePlaces(row.request, written.places),
        ...(isSecond(row) && { firstKey: reference }),
      }),
  }
}

/** Whether a row that another process is sending is left to its own claim, which waits and may then send it. */
export function isLeftToClaim(row: BatchRow, { kind }: RowStanding): boolean {
  return kind === "sending" && row.request !== undefined && !row.held && row.late.length === 0
}

const OUTCOMES: {
  readonly [Kind in RowStanding["kind"]]: (
    standing: Extract<RowStanding, { kind: Kind }>,
    row: BatchRow,
  ) => Outcome
} = {
  free({ own }) {
    if (own?.state !== "refused") return WAITING
    return noBooking("failed", own.error ? withDetails(own.error) : "it was refused")
  },
  held: ({ held }) =>
    noBooking(HELD_STATES[held.means], describeHold(held), held.means === "waits" ? WAITING_HINT : undefined),
  booked: ({ entry, ignored }) => ({ ...bookedOutcome(entry), recorded: true, ignored: orNothing(ignored) }),
  elsewhere: ({ entry, ignored }) => ({
    ...bookedOutcome(entry),
    elsewhere: entry.elsewhere,
    warnings: [`it ${describeBooked(entry)}`],
    ignored: orNothing(ignored),
  }),
  changed({ entry, comparison: { changed } }, row) {
    const withdrawn = findWithdrawal(row)
    const why =
      withdrawn === undefined ? changed.map(describeDifference).join(", ") : `the shop says ${withdrawn}`
    const error = `${describeBooked(entry)}, and has changed since: ${why}`
    const isLater = changed.some(({ field }) => field === "collectionDateTime")
    const isToOther = ["receiver.companyName", "receiver.address1"].every((name) =>
      changed.some(({ field }) => field === name),
    )
    const hint = [CHANGED_HINT, isLater && AGAIN_HINT, isToOther && OTHER_HINT].filter(Boolean).join(" ")
    const { elsewhere } = entry
    return { ...bookedOutcome(entry), state: "changed", error, hint, ...(elsewhere && { elsewhere }) }
  },
  equal({ entry }, { reference }) {
    const { before, isSure, isRespelled } = compareNumber(entry, reference)
    const of = isSure ? "duplicate of" : "may be a duplicate of"
    const which = before === "" || before === reference ? "" : `${before}, `
    // A booking under another number is not the first consignment of this order.
    const isTwin = entry.elsewhere !== undefined && !isRespelled
    const advice = isTwin
      ? "--new-orders books it"
      : `--again-for ${quoteBlanks(reference)} books a second one`
    return noBooking("duplicate", `${of} ${which}${earlierText(entry)}: ${advice}`, DUPLICATE_HINT)
  },
  cancelled: ({ entry }, { reference }) =>
    noBooking(
      "left-out",
      `${describeBooked(entry)}: --again-for ${quoteBlanks(reference)} --replaces books it again`,
    ),
  "not-cancelled": ({ entry, beside }, row) =>
    noBooking(
      "invalid",
      `${row.reference} ${describeBooked(entry)}, and is not cancelled, so nothing takes its place. ${describeWay(entry, "the same command")}${describeBeside(beside)}`,
    ),
  unknown: ({ entry }) => noBooking("unknown", `sent on ${sentText(entry)}, and its outcome is unknown`),
  sending: () => noBooking("sending", "another process is sending it"),
  "other-account"({ entry }) {
    const { error, hint } = explainHeldBack(entry)
    return noBooking("failed", error, hint)
  },
  "not-before": ({ reference }) =>
    noBooking("invalid", `${reference} was not booked before: leave out --again-for`),
  // Only pickups and prints can have this standing.
  "key-taken": (standing) => failedOutcome(new NotSent(standing)),
  "has-pickup": (standing) => failedOutcome(new NotSent(standing)),
  "at-carrier": (standing) => failedOutcome(new NotSent(standing)),
}

export function toOutcome<Kind extends RowStanding["kind"]>(
  row: BatchRow,
  standing: Extract<RowStanding, { kind: Kind }>,
): Outcome {
  return OUTCOMES[standing.kind as Kind](standing, row)
}

function orNothing<Each>(list: readonly Each[]): readonly Each[] | undefined {
  return list.length > 0 ? list : undefined
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
  const barcodes = listBarcodes(response)
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
    ...(barcodes.length > 0 && { barcodes }),
    day: writtenDay(Object(entry.request).collectionDateTime),
    error: "",
    why: facts.why,
  }
}

const CHANGED_HINT = "Nothing was sent for an order that has changed."
/** A second consignment is likely only if the row is for a later day. */
const AGAIN_HINT = 'To book a second consignment of it, add --again-for "REFERENCE".'
/** Two sheets may use the same numbers: then the earlier order must not be cancelled. */
const OTHER_HINT =
  "If it is another order that only has the same number, cancel nothing: give it a number of its own in the file."
const WAITING_HINT = "A later run books orders that wait, once the shop has another status for them."
const DUPLICATE_HINT = "Duplicates were not sent: each says what books it, if you mean a second one."

/** Outcome of a row with errors, its own or another row's. @param why the reason, if the row does not have it yet */
export function invalidOutcome(row: BatchRow, why = row.bad): Outcome {
  const errors = row.findings.filter(({ severity, row: at }) => severity === "error" && at === row.row)
  return noBooking("invalid", [...errors.map(formatFinding), ...(why ? [why] : [])].join("; "))
}

/** Why a row that would be right for another day or place is not sent; undefined if nothing prevents it. */
export function describeLate(row: BatchRow): string | undefined {
  return row.request !== undefined && row.late.length > 0 ? row.late.map(formatFinding).join("; ") : undefined
}

/** A note without its row: `Weight: is missing: write it in kg`. */
export function formatFinding({ column, message, hint }: RowFinding): string {
  return [column, withHint(message, hint)].filter(Boolean).join(": ")
}

/** Outcome of a row that was sent, now or earlier under its key. */
export function sentOutcome(
  { entry, recorded }: Created<BookingResponse>,
  isAfterCutoff: boolean,
  warnings: readonly string[],
): Outcome {
  return {
    ...bookedOutcome(entry),
    warnings,
    ...(recorded && { recorded }),
    ...(isAfterCutoff && { isAfterCutoff }),
  }
}

export function toFailure(row: BatchRow, error: FreightError): Outcome {
  return error instanceof NotSent ? toOutcome(row, error.standing) : failedOutcome(error)
}

function failedOutcome(error: FreightError): Outcome {
  if (error instanceof Unrecorded && error.entry.state === "done")
    return { ...bookedOutcome(error.entry), error: error.message }
  if (error.code === TOO_LATE) return noBooking("too-late", withDetails(error), error.hint)
  const isUnknown = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
  const outcome = noBooking(isUnknown ? "unknown" : "failed", withDetails(error))
  return error.kind === "rateLimited" ? { ...outcome, limited: { retryAfter: error.retryAfter } } : outcome
}

function withDetails({ message, errors = [] }: Explained): string {
  return [message, ...errors.map(describeDetail)].join("; ")
}

type Explained = { message: string; errors?: readonly ErrorDetail[] | undefined }

/** Whether it waits for its shop or for a person. */
export function isOnHold({ state, error }: Pick<Outcome, "state" | "error">): boolean {
  return state === "waiting" && error !== ""
}

/** A row's state for people. For unsent rows it tells whether sending them is all that remains. */
export function describeState(outcome: Pick<Outcome, "state" | "error">): string {
  if (outcome.state !== "waiting") return outcome.state
  return isOnHold(outcome) ? "on hold" : "to book"
}

export interface Tally {
  rows: number
  onHold: number
  states: Record<RowState, number>
  recorded: number
  elsewhere: number
  /** Rows booked now that are too late for the day of their collection. */
  afterCutoff: number
  all: Costs
  /** Costs of rows booked now, here. */
  fresh: Costs
}

export interface Costs {
  rows: number
  cents: Map<string, number>
  /** Number of priced rows with GST, without it, and where it is not stated. */
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
  const counts = { rows: 0, onHold: 0, recorded: 0, elsewhere: 0, afterCutoff: 0 }
  return { ...counts, states, all: createCosts(), fresh: createCosts() }
}

/** Counts one row. @param recorded it was booked before */
export function countOutcome(tally: Tally, outcome: Outcome, recorded = false): void {
  const { state, elsewhere } = outcome
  tally.rows++
  tally.states[state]++
  if (isOnHold(outcome)) tally.onHold++
  if (state !== "booked") return
  if (recorded) tally.recorded++
  if (elsewhere) tally.elsewhere++
  if (outcome.isAfterCutoff) tally.afterCutoff++
  addCost(tally.all, outcome)
  if (!recorded && !elsewhere) addCost(tally.fresh, outcome)
}

/** Describes the entry that prevents it: `shipment …, sent on Mon 23 Nov 2026, 19:00 at bench-2`. */
function earlierText(entry: Entry): string {
  const { shipmentId } = entry.facts
  const which = shipmentId ? `shipment ${shipmentId}` : keyText(entry) || entry.id
  if (entry.elsewhere) return `${which}, which ${describeBooked(entry)}`
  const cancelled = describeCancelled(entry)
  return `${which}, sent on ${sentText(entry)} at ${entry.sender.workstation}${cancelled && ` and ${cancelled}`}`
}
