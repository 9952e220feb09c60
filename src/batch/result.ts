/** What the ledger knows about a row before it is sent, its outcome, and the totals of all rows. */
import { referenceHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Entry, type Facts, sentText } from "../ledger/entry.ts"
import { isInFlight } from "../ledger/decision.ts"
import { describeHeld, findWithdrawal, HELD_STATES, type HeldOrder } from "./shipping.ts"
import { getKey, type BatchRow } from "./rows/row.ts"
import type { RowFinding } from "../sheets/findings.ts"
import type { BookingResponse } from "../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, type FreightError } from "../errors.ts"
import { compareOrder, describeDifference, type Difference, secondKey } from "../ledger/order.ts"
import {
  AlreadyMade,
  ChangedOrder,
  describeBooked,
  describeOtherKey,
  earlierText,
  OTHER_ACCOUNT_HINT,
  Unrecorded,
} from "../ledger/refusals.ts"

/**
 * - `booked`: before, and it is the same order. Its result is given again; `ignored` has circumstances that differ.
 * - `changed`: booked before, and another order by now. Not sent.
 * - `unknown`: sent, without a known outcome. Not sent again.
 * - `sending`: another live process is sending it now.
 * - `duplicate`: something equal was booked under another key within 24 hours. Not sent.
 * - `other-account`: sent with another API key, of which it is not known whether it is of the same account. Not sent.
 * - `not-before`: a second consignment of an order that was never booked. Not sent.
 * - `held`: the shop says that it is not to be shipped, or not yet. Not sent.
 * - `send`: `before` is an earlier try that certainly created nothing.
 */
export type RowPlan =
  | { what: "unknown" | "sending" | "duplicate" | "other-account"; entry: Entry }
  | { what: "booked"; entry: Entry; ignored: readonly Difference[] }
  | { what: "changed"; entry: Entry; why: string }
  | { what: "not-before" }
  | { what: "held"; held: HeldOrder }
  | { what: "send"; before: Entry | undefined }

export type LedgerReader = Pick<LedgerDeps, "store"> & { owner: LedgerDeps["owner"] | undefined }

/**
 * What the ledger knows of a row: it is asked before the shop's status, and before the row's own errors.
 * @param again book what is equal to something that was booked
 * @throws FreightError when the ledger cannot be read
 */
export async function planRow(ledger: LedgerReader, row: BatchRow, again = false): Promise<RowPlan> {
  const { store, owner } = ledger
  const { held, booking } = row
  if (row.reference === "") return held ? { what: "held", held } : { what: "send", before: undefined }
  const key = `key:${getKey(row)}`
  if (owner === undefined || booking === undefined || held) {
    const entry = await store.latest(owner?.scope, "shipment", key)
    if (entry?.state === "done") return planBookedOrSecond(ledger, entry, row)
    if (entry?.state === "unknown") return planOpen(ledger, entry)
    if (held) return { what: "held", held }
    return (await planOtherAccount(ledger, key)) ?? { what: "send", before: entry }
  }
  const { verdict, entry, own } = await store.look({
    kind: "shipment",
    owner,
    key,
    keyGiven: true,
    content: UNKNOWN_CONTENT,
    written: row.written,
    referenceHash: referenceHash(booking.customerReference, booking.receiver),
    again,
  })
  if (own?.state === "done") return planBookedOrSecond(ledger, own, row)
  if (verdict === "unknown" && entry) return { what: "unknown", entry }
  if (verdict === "in-flight" && entry) return { what: "sending", entry }
  if (verdict === "equal" && entry) return { what: "duplicate", entry }
  if (verdict === "other-account" && entry) return { what: verdict, entry }
  if (row.key !== undefined) {
    const first = await store.latest(owner.scope, "shipment", `key:${row.reference}`)
    if (first?.state === "unknown") return planOpen(ledger, first)
    if (first?.state !== "done") return { what: "not-before" }
  }
  return { what: "send", before: own }
}

const UNKNOWN_CONTENT = "looked up before its service is known"

/** The plan of a row without a booking whose key another account has used. */
async function planOtherAccount({ store, owner }: LedgerReader, key: string): Promise<RowPlan | undefined> {
  if (!owner) return undefined
  const question = { kind: "shipment" as const, owner, key, keyGiven: true, content: UNKNOWN_CONTENT }
  const { verdict, entry } = await store.look({ ...question, again: false })
  return verdict === "other-account" && entry ? { what: verdict, entry } : undefined
}

async function planOpen({ store }: LedgerReader, entry: Entry): Promise<RowPlan> {
  return { what: isInFlight(entry, await store.now()) ? "sending" : "unknown", entry }
}

/** An order that has changed may have been booked a second time, as it is now: see `--again-for`. */
async function planBookedOrSecond(ledger: LedgerReader, entry: Entry, row: BatchRow): Promise<RowPlan> {
  const plan = planBooked(entry, row)
  if (plan.what !== "changed" || row.key !== undefined) return plan
  const key = `key:${secondKey(row.reference)}`
  const second = await ledger.store.latest(ledger.owner?.scope, "shipment", key)
  if (second?.state === "unknown") return planOpen(ledger, second)
  return second?.state === "done" ? planBooked(second, row) : plan
}

function planBooked(entry: Entry, row: BatchRow): RowPlan {
  const withdrawn = findWithdrawal(row)
  if (withdrawn !== undefined) return { what: "changed", entry, why: `the shop says ${withdrawn}` }
  const { changed, ignored } = compareOrder(entry, row.written)
  if (changed.length === 0) return { what: "booked", entry, ignored }
  return { what: "changed", entry, why: changed.map(describeDifference).join(", ") }
}

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
 * As in `RowPlan`; besides,
 * - `failed`: certainly not made; running the batch again tries it again.
 * - `invalid`: the row has an error; not sent.
 * - `waiting`: not sent yet; with an error, it waits for its shop or for a person.
 * - `left-out`: the shop says that it is not to be shipped.
 */
type RowState = (typeof ROW_STATES)[number]

export interface RowResult {
  row: BatchRow
  state: RowState
  entry?: Entry
  error?: string
  /** What to do about all rows that have the error. */
  hint?: string | undefined
  /** Booked before; nothing was sent now. */
  recorded?: boolean
  /** Circumstances that differ from what was booked. */
  ignored?: readonly Difference[]
  /** From the moment of sending. */
  warnings?: readonly string[]
}

/** A row's result by the ledger alone. */
export function toResult(row: BatchRow, plan: RowPlan): RowResult {
  if (plan.what === "send") {
    const { before } = plan
    if (before?.state !== "refused") return { row, state: "waiting" }
    const error = before.error ? withDetails(before.error) : "it was refused"
    return { row, state: "failed", entry: before, error }
  }
  if (plan.what === "held") {
    const { held } = plan
    const hint = held.means === "waits" ? WAITING_HINT : undefined
    return { row, state: HELD_STATES[held.means], error: describeHeld(held), hint }
  }
  if (plan.what === "not-before")
    return { row, state: "invalid", error: `${row.reference} was not booked before: leave out --again-for` }
  const { what, entry } = plan
  if (what === "booked") return { row, state: what, entry, recorded: true, ignored: plan.ignored }
  if (what === "changed") {
    const error = `${describeBooked(entry)}, and has changed since: ${plan.why}`
    return { row, state: what, entry, error, hint: CHANGED_HINT }
  }
  const state = what === "other-account" ? "failed" : what
  return { row, state, entry, error: REASONS[what](entry), hint: HINTS[what] }
}

const REASONS = {
  duplicate: (entry: Entry) => `duplicate of ${earlierText(entry)}: --again books it anyway`,
  unknown: (entry: Entry) => `sent on ${sentText(entry)}, and its outcome is unknown`,
  sending: () => "another process is sending it",
  "other-account": (entry: Entry) =>
    `${describeOtherKey(entry)}: held back until it is known whether both keys belong to one account`,
}

const CHANGED_HINT =
  'Nothing was sent for an order that has changed. To change or cancel its booking, call the carrier: freight cancel "REFERENCE" says how. To book a second consignment of it, add --again-for "REFERENCE".'
const WAITING_HINT = "A later run books orders that wait, once the shop has another status for them."

const HINTS: Readonly<Partial<Record<RowPlan["what"], string>>> = {
  duplicate: "Duplicates were not sent: if they are separate orders, book them with --again.",
  "other-account": OTHER_ACCOUNT_HINT,
}

/** @param why if another row makes it bad */
export function invalidResult(row: BatchRow, why?: string): RowResult {
  const errors = row.findings.filter(({ severity, row: at }) => severity === "error" && at === row.row)
  return { row, state: "invalid", error: [...errors.map(formatFinding), ...(why ? [why] : [])].join("; ") }
}

/** A note without its row: `Weight: is missing: write it in kg`. */
export function formatFinding({ column, message, hint }: RowFinding): string {
  return [column, message, hint].filter(Boolean).join(": ")
}

export function createFailedResult(row: BatchRow, error: FreightError): RowResult {
  if (error instanceof AlreadyMade) return toResult(row, { what: "duplicate", entry: error.entry })
  if (error instanceof ChangedOrder) return toResult(row, planBooked(error.entry, row))
  if (error instanceof Unrecorded && error.entry.state === "done")
    return { row, state: "booked", entry: error.entry, error: error.message }
  const isUnknown = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
  return { row, state: isUnknown ? "unknown" : "failed", error: withDetails(error) }
}

function withDetails({ message, errors = [] }: ToldError): string {
  return [message, ...errors.map(describeDetail)].join("; ")
}

type ToldError = { message: string; errors?: readonly ErrorDetail[] | undefined }

/** What is kept of each row until the results are written. */
export interface Outcome {
  state: RowState
  /** Empty unless it was booked. */
  entryId: string
  shipmentId: string
  consignment: string
  /** In cents, as quoted; undefined when it is not known. */
  priceCents: number | undefined
  currency: string
  error: string
  warnings?: readonly string[] | undefined
  ignored?: readonly Difference[] | undefined
  why?: string | undefined
}

/** Only what was booked has a shipment and a price: also if its order has changed since. */
export function toOutcome({ state, entry, error = "", warnings, ignored }: RowResult): Outcome {
  const isBooked = state === "booked" || state === "changed"
  const { facts, response } = isBooked && entry ? entry : { facts: {} as Facts, response: {} }
  const { consignmentNumber } = (response ?? {}) as Partial<BookingResponse>
  return {
    state,
    entryId: isBooked ? (entry?.id ?? "") : "",
    shipmentId: facts.shipmentId ?? "",
    consignment: facts.consignmentNumber ?? consignmentNumber ?? "",
    priceCents: facts.priceCents,
    currency: facts.currency ?? "AUD",
    error,
    warnings,
    ignored: ignored?.length ? ignored : undefined,
    why: facts.why,
  }
}

export interface Tally {
  rows: number
  states: Record<RowState, number>
  /** Of the booked rows, those that an earlier run booked. */
  recorded: number
  /** Quoted price of the booked rows, in cents by currency. */
  cents: Map<string, number>
  unpriced: number
}

export function createTally(): Tally {
  const states = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Tally["states"]
  return { rows: 0, states, recorded: 0, cents: new Map(), unpriced: 0 }
}

/** Counts one row. @param recorded it was booked before */
export function countOutcome(tally: Tally, { state, priceCents, currency }: Outcome, recorded = false): void {
  tally.rows++
  tally.states[state]++
  if (state !== "booked") return
  if (recorded) tally.recorded++
  if (priceCents === undefined) tally.unpriced++
  else tally.cents.set(currency, (tally.cents.get(currency) ?? 0) + priceCents)
}
