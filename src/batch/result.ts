/** What the ledger knows about a row before it is sent, its outcome, and the totals of all rows. */
import { contentHash, referenceHash } from "../ledger/content.ts"
import type { LedgerDeps } from "../ledger/create.ts"
import { type Entry, type Facts, sentText } from "../ledger/entry.ts"
import { isInFlight } from "../ledger/judge.ts"
import type { GoodRow, Row } from "./rows/row.ts"
import type { RowFinding } from "../sheets/findings.ts"
import type { BookingResponse } from "../contract/generated/types.ts"
import { describeDetail, type ErrorDetail, type FreightError } from "../errors.ts"
import {
  AlreadyMade,
  describeOtherKey,
  earlierText,
  OTHER_ACCOUNT_HINT,
  Unrecorded,
} from "../ledger/refusals.ts"

/**
 * - `booked`: before, and the row still says the same. Its result is given again.
 * - `changed`: its reference was booked with other content. Not sent.
 * - `unknown`: sent, without a known outcome. Not sent again.
 * - `sending`: another live process is sending it now.
 * - `duplicate`: something equal was booked under another key within 24 hours. Not sent.
 * - `other-account`: sent with another API key, of which it is not known whether it is of the same account. Not sent.
 * - `send`: `before` is an earlier try that certainly created nothing.
 */
export type RowPlan =
  | { what: "booked" | "changed" | "unknown" | "sending" | "duplicate" | "other-account"; entry: Entry }
  | { what: "send"; before: Entry | undefined }

export type LedgerReader = Pick<LedgerDeps, "store"> & { owner: LedgerDeps["owner"] | undefined }

/**
 * @param again book what is equal to something that was booked
 * @throws FreightError when the ledger cannot be read
 */
export async function planRow({ store, owner }: LedgerReader, row: Row, again = false): Promise<RowPlan> {
  if (owner === undefined || row.booking === undefined)
    return planByReference({ store, owner }, row.reference)
  const question = {
    kind: "shipment" as const,
    owner,
    key: `key:${row.reference}`,
    keyGiven: true,
    content: hashBooking(row, row.wish.connectorId, undefined) ?? UNKNOWN_CONTENT,
    referenceHash: referenceHash(row.booking.customerReference, row.booking.receiver),
    again,
  }
  const { verdict, entry, own } = await store.look(question)
  if (own?.state === "done")
    return isOutcomeFor(own, row) ? { what: "booked", entry: own } : { what: "changed", entry: own }
  if (verdict === "unknown" && entry) return { what: "unknown", entry }
  if (verdict === "in-flight" && entry) return { what: "sending", entry }
  if (verdict === "equal" && entry) return { what: "duplicate", entry }
  if (verdict === "other-account" && entry) return { what: verdict, entry }
  return { what: "send", before: own }
}

/** The plan by the reference alone: never `changed`. @throws FreightError as `planRow` does */
export async function planByReference(ledger: LedgerReader, reference: string): Promise<RowPlan> {
  const { store, owner } = ledger
  const [kind, key] = ["shipment" as const, `key:${reference}`]
  const own = await store.latest(owner?.scope, kind, key)
  if (own?.state === "done") return { what: "booked", entry: own }
  if (own?.state === "unknown")
    return { what: isInFlight(own, await store.now()) ? "sending" : "unknown", entry: own }
  if (owner) {
    const question = { kind, owner, key, keyGiven: true, content: UNKNOWN_CONTENT, again: false }
    const { verdict, entry } = await store.look(question)
    if (verdict === "other-account" && entry) return { what: verdict, entry }
  }
  return { what: "send", before: own }
}

const UNKNOWN_CONTENT = "not known yet"

/**
 * Whether an entry is what this row asks for. A row with an open service (`cheapest`) was booked with what was best
 * then; another service being best today does not make it another booking.
 */
function isOutcomeFor({ content, facts, request }: Entry, row: GoodRow): boolean {
  const { serviceCode } = request as { serviceCode?: string }
  return hashBooking(row, row.wish.connectorId ?? facts.connectorId, serviceCode) === content
}

/** Hash of a row's booking; undefined while its connector or service is open. */
function hashBooking(
  { booking, wish }: GoodRow,
  connectorId: string | undefined,
  booked: string | undefined,
): string | undefined {
  const serviceCode = wish.kind === "code" ? wish.serviceCode : booked
  if (connectorId === undefined || serviceCode === undefined) return undefined
  return contentHash("shipment", { connectorId, ...booking, serviceCode })
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
] as const
/**
 * As in `RowPlan`; besides,
 * - `failed`: certainly not made; running the batch again tries it again.
 * - `invalid`: the row has an error; not sent.
 * - `waiting`: not sent yet.
 */
type RowState = (typeof ROW_STATES)[number]

export interface RowResult {
  row: Row
  state: RowState
  entry?: Entry
  error?: string
  /** What to do about all rows that have the error. */
  hint?: string | undefined
  /** Booked before; nothing was sent now. */
  recorded?: boolean
  /** From the moment of sending. */
  warnings?: readonly string[]
}

/** A row's result by the ledger alone. */
export function toResult(row: Row, plan: RowPlan): RowResult {
  if (plan.what === "send") {
    const { before } = plan
    if (before?.state !== "refused") return { row, state: "waiting" }
    const error = before.error ? withDetails(before.error) : "it was refused"
    return { row, state: "failed", entry: before, error }
  }
  const { what, entry } = plan
  if (what === "booked") return { row, state: what, entry, recorded: true }
  const state = what === "other-account" ? "failed" : what
  return { row, state, entry, error: REASONS[what](entry), hint: HINTS[what] }
}

const REASONS = {
  changed: describeChange,
  duplicate: (entry: Entry) => `duplicate of ${earlierText(entry)}: --again books it anyway`,
  unknown: (entry: Entry) => `sent on ${sentText(entry)}, and its outcome is unknown`,
  sending: () => "another process is sending it",
  "other-account": (entry: Entry) =>
    `${describeOtherKey(entry)}: held back until it is known whether both keys belong to one account`,
}

const HINTS: Readonly<Partial<Record<RowPlan["what"], string>>> = {
  duplicate: "Duplicates were not sent: if they are separate orders, book them with --again.",
  "other-account": OTHER_ACCOUNT_HINT,
}

/** @param why if another row makes it bad */
export function invalidResult(row: Row, why?: string): RowResult {
  const errors = row.findings.filter(({ severity, row: at }) => severity === "error" && at === row.row)
  return { row, state: "invalid", error: [...errors.map(formatFinding), ...(why ? [why] : [])].join("; ") }
}

/** A note without its row: `Weight: is missing: write it in kg`. */
export function formatFinding({ column, message, hint }: RowFinding): string {
  return [column, message, hint].filter(Boolean).join(": ")
}

export function createFailedResult(row: Row, error: FreightError): RowResult {
  if (error instanceof AlreadyMade) return toResult(row, { what: "duplicate", entry: error.entry })
  if (error instanceof Unrecorded && error.entry.state === "done")
    return { row, state: "booked", entry: error.entry, error: error.message }
  const isUnknown = error.kind === "outcomeUnknown" || error.kind === "stepFailed"
  return { row, state: isUnknown ? "unknown" : "failed", error: withDetails(error) }
}

function withDetails({ message, errors = [] }: ToldError): string {
  return [message, ...errors.map(describeDetail)].join("; ")
}

type ToldError = { message: string; errors?: readonly ErrorDetail[] | undefined }

function describeChange({ facts, sentAt }: Entry): string {
  const what = facts.shipmentId ? ` as shipment ${facts.shipmentId}` : ""
  return `its reference was booked on ${sentAt.slice(0, 10)}${what}, with different content: give it another reference`
}

/** What is kept of each row until the results are written. */
export interface Outcome {
  state: RowState
  /** Empty unless it is booked. */
  entryId: string
  shipmentId: string
  consignment: string
  /** In cents, as quoted; undefined when it is not known. */
  priceCents: number | undefined
  currency: string
  error: string
  warnings?: readonly string[] | undefined
  why?: string | undefined
}

/** Only booked rows have a shipment and a price. */
export function toOutcome({ state, entry, error = "", warnings }: RowResult): Outcome {
  const { facts, response } = state === "booked" && entry ? entry : { facts: {} as Facts, response: {} }
  const { consignmentNumber } = (response ?? {}) as Partial<BookingResponse>
  return {
    state,
    entryId: state === "booked" ? (entry?.id ?? "") : "",
    shipmentId: facts.shipmentId ?? "",
    consignment: facts.consignmentNumber ?? consignmentNumber ?? "",
    priceCents: facts.priceCents,
    currency: facts.currency ?? "AUD",
    error,
    warnings,
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
