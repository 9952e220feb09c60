/**
 * The one way to create anything: claim it, send it, record the outcome. If the process is killed:
 *
 *   killed before the claim        nothing was sent, and there is no entry
 *   killed from the claim on       the claim has no outcome: `unknown`, never sent again automatically
 *   killed after the outcome       `done` or `refused`, as it was
 */
import { FreightError, withOptions } from "../base/errors.ts"
import type { Clock, SendLease } from "../base/ports.ts"
import { safeText } from "../base/safe-text.ts"
import { findClockDoubt } from "./clock.ts"
import { contentHash } from "./content.ts"
import { type Entry, type Facts, type Kind, type LearnedFacts, type Sender, toKeptError } from "./entry.ts"
import type { LeaseKeeper } from "./lease.ts"
import type { Outbox } from "./outbox.ts"
import { type Collects, refuseSecondPickup } from "./pickups.ts"
import { NotSent, releasedMeanwhile, sharedShipment, UNKNOWN_HINT, unrecorded } from "./refusals.ts"
import type { Account } from "./accounts/account.ts"
import type { Claim, Claimed } from "./claims.ts"
import type { WrittenOrder } from "./order.ts"
import type { Store } from "./store.ts"

/** The idempotency key of something to create, and whether an equal one may be created again. */
export interface CreateKey {
  /** A name for it; the same key is never sent twice. */
  key?: string | undefined
  /** freight generated the key, not a person: an equal request under it is not another order. */
  isKeyGenerated?: boolean | undefined
  /** Make it even if something equal was made within 24 hours. A result recorded under the key is still returned. */
  again?: boolean | undefined
  /**
   * It replaces a booking that its carrier has cancelled: never made while an earlier consignment of its order is not
   * cancelled.
   */
  replaces?: boolean | undefined
}

interface AnyIntent extends CreateKey {
  /** Two creates with equal content are the same; quote fields are left out. */
  content: Readonly<Record<string, unknown>>
  /** Only for a booking: see `order.ts`. */
  written?: WrittenOrder | undefined
  /** Only for a booking with a reference: see `referenceHash`. */
  referenceHash?: string | undefined
  /** Only for a single booking: see `hashDayGoods`. */
  dayGoodsHash?: string | undefined
  /** Method and path, for people. */
  call: string
  request: unknown
  facts: Facts
  /** The question asked before it is sent; absent where it costs nothing. */
  question?: string | undefined
  /** Called right before it is sent, after any wait: throws if it should no longer be sent. */
  check?: (() => void) | undefined
}

/** A pickup names the shipments that it collects, and is never sent before they were checked: see `pickups.ts`. */
export type Intent = AnyIntent &
  ({ kind: "pickup"; collects: Collects } | { kind: Exclude<Kind, "pickup">; collects?: undefined })

export interface Created<T> {
  response: T
  /** The result is the recorded one; nothing was sent now. */
  recorded: boolean
  entry: Entry
  /** An equal earlier entry that no key tells apart, or one with another collection day: see `Standing`. */
  earlier?: Entry
  /** An entry with an unknown outcome that may be the same order under another number: see `Decision`. */
  beside?: Entry
}

/** The ledger, and the account whose entries are meant. */
export interface AccountLedger {
  store: Store
  /** The account whose keys and contents are compared, and the API key that sends. */
  owner: Account
  clock: Clock
}

export interface LedgerDeps extends AccountLedger {
  /** Asks the service again whether accounts are one. */
  refreshAccount?: () => Promise<void>
  sender: Sender
  signal: AbortSignal
  /** Asks the person before money is spent; absent if no one is asked. */
  spending?: { readonly isOpen: boolean; confirm(question: string): Promise<void> }
  leases: LeaseKeeper
  outbox: Outbox
  /** Called with the entry of a create, once its outcome is recorded. Never throws. */
  made?: (entry: Entry) => void
  /** Moments at which a test may end the process; absent outside tests. */
  at?: (moment: SendStep) => void
}

export type SendStep = "before-intent" | "after-intent" | "before-outcome" | "after-outcome"

/** How long to wait for another sender of the same entry (ms). */
const OTHERS_MS = 120_000
/** Short waits first, longer ones later. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1_000
const MAX_REASON_LENGTH = 300

/**
 * Creates something at most once.
 * @param send does the POST while the lease is held; its error says whether something can exist
 * (`outcomeUnknown`) or not
 * @param learn adds to the facts what the reply says
 * @throws FreightError `refused` for what was made before, or was and has changed since; `outcomeUnknown` when an earlier
 * one has no known outcome, or this one's is not known; `input` for a key that stands for something else, for an account or
 * a clock in doubt, and when the person says no; `config` or `unavailable` when the ledger cannot be used: then nothing was
 * sent; `stepFailed` when it was made and the ledger could not be written after that
 */
export async function createOnce<T>(
  deps: LedgerDeps,
  intent: Intent,
  send: (lease: SendLease) => Promise<T>,
  learn: (response: T) => LearnedFacts = () => ({}),
): Promise<Created<T>> {
  const claim = claimOf(deps, intent)
  if (intent.kind === "pickup") await refuseSecondPickup(deps.store, claim, intent.collects)
  await confirmSpending(deps, claim, intent.question)
  deps.at?.("before-intent")
  const end = deps.clock.now() + OTHERS_MS
  let isRefreshed = false
  for (;;) {
    const began = deps.leases.begin()
    const claimed = await claimOrUndo(deps, claim)
    if (claimed.kind === "claimed") {
      deps.at?.("after-intent")
      const { earlier, beside } = claimed
      const checkAndSend = async (lease: SendLease) => {
        intent.check?.()
        return send(lease)
      }
      const sent = await sendClaimed(deps, claimed, began, checkAndSend, learn)
      return { ...sent, recorded: false, ...(earlier && { earlier }), ...(beside && { beside }) }
    }
    if (claimed.kind === "other-account" && deps.refreshAccount && !isRefreshed) {
      isRefreshed = true
      await deps.refreshAccount()
      continue
    }
    if (claimed.kind === "free") throw new TypeError("a claim was neither made nor refused")
    if (claimed.kind === "booked")
      return { response: claimed.entry.response as T, recorded: true, entry: claimed.entry }
    if (claimed.kind !== "sending" || !(await othersEnd(deps, claim, end))) throw new NotSent(claimed, claim)
  }
}

/** Asks only if the claim would really send. */
async function confirmSpending(
  { spending, store }: LedgerDeps,
  claim: Claim,
  question: string | undefined,
): Promise<void> {
  const doubt = await findClockDoubt(store, claim)
  if (question === undefined || !spending?.isOpen) {
    if (doubt) throw doubt
    return
  }
  const { kind } = await store.look(claim)
  if (kind !== "free" && kind !== "sending") return
  await spending.confirm(doubt ? doubt.addTo(question) : question)
}

/** The reason why an intent would not be sent now: a dry run takes the same path and ends before the claim. */
export async function refusalOf(
  { store, ...who }: Pick<LedgerDeps, "store" | "owner" | "sender">,
  intent: Intent,
): Promise<{ refusal: FreightError | undefined } & Pick<Created<unknown>, "earlier" | "beside">> {
  const claim = claimOf(who, intent)
  if (intent.collects) await refuseSecondPickup(store, claim, intent.collects)
  const standing = await store.look(claim)
  const isFree = standing.kind === "free" || standing.kind === "booked"
  const refusal = isFree ? await findClockDoubt(store, claim) : new NotSent(standing, claim)
  if (standing.kind !== "free") return { refusal }
  const { earlier, beside } = standing
  return { refusal, ...(earlier && { earlier }), ...(beside && { beside }) }
}

export function claimOf({ owner, sender }: Pick<LedgerDeps, "owner" | "sender">, intent: Intent): Claim {
  const { kind, key, isKeyGenerated, again = false, written, referenceHash, call, request } = intent
  const { replaces = false, dayGoodsHash, facts, collects } = intent
  const content = contentHash(kind, intent.content)
  return {
    kind,
    owner,
    sender,
    key: key === undefined ? `content:${content}` : `key:${key}`,
    keyGiven: key !== undefined && isKeyGenerated !== true,
    content,
    written,
    referenceHash,
    ...(dayGoodsHash !== undefined && { dayGoodsHash }),
    ...(collects && { collects: collects.shipments }),
    again,
    ...(replaces && { replaces }),
    call,
    request,
    facts,
  }
}

/**
 * If a claim's commit got no answer, the claim may exist although it is not sent: the outbox tells the next command.
 */
async function claimOrUndo({ store, outbox }: LedgerDeps, claim: Claim): Promise<Claimed> {
  const token = store.newToken()
  try {
    return await store.claim(claim, token)
  } catch (error) {
    if (store.database.dialect === "postgres") await outbox.keepUnsent(token)
    throw error
  }
}

/** Waits while another sender's lease runs. @returns false once that took too long */
async function othersEnd({ store, clock, signal }: LedgerDeps, claim: Claim, end: number): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; clock.now() < end; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    await clock.sleep(Math.min(pause, end - clock.now()), signal)
    if ((await store.look(claim)).kind !== "sending") return true
  }
  return false
}

async function sendClaimed<T>(
  deps: LedgerDeps,
  { entry, token }: { entry: Entry; token: string },
  began: ReturnType<LeaseKeeper["begin"]>,
  send: (lease: SendLease) => Promise<T>,
  learn: (response: T) => LearnedFacts,
): Promise<{ response: T; entry: Entry }> {
  const lease = deps.leases.hold(entry.id, began)
  try {
    const response = await send(lease)
    const done: Entry = { ...entry, state: "done", facts: { ...entry.facts, ...learn(response) }, response }
    return { response, entry: await recordDone(deps, done, token) }
  } catch (error) {
    // Only a failure that certainly created nothing frees the key; a bug meanwhile does not.
    if (!(error instanceof FreightError) || error.kind === "stepFailed") throw error
    if (error.kind === "outcomeUnknown") {
      await recordFailure(deps.store, entry, token, error)
      throw withOptions(error, { next: "freight reconcile", hint: UNKNOWN_HINT })
    }
    deps.at?.("before-outcome")
    await recordRefused(deps, { ...entry, state: "refused", error: toKeptError(error) }, token)
    throw error
  } finally {
    lease.end()
  }
}

async function recordDone(deps: LedgerDeps, done: Entry, token: string): Promise<Entry> {
  const { store, outbox } = deps
  deps.at?.("before-outcome")
  let isRecorded: Awaited<ReturnType<Store["record"]>>
  try {
    isRecorded = await store.record(done, token)
  } catch (trouble) {
    throw unrecorded(done, trouble, await outbox.keep(done, token))
  }
  if (typeof isRecorded === "object") throw sharedShipment(done, isRecorded.sharedWith)
  if (!isRecorded) throw releasedMeanwhile(done)
  deps.at?.("after-outcome")
  const settled = { ...done, settledAt: new Date(deps.clock.now()).toISOString() }
  delete settled.leaseUntil
  deps.made?.(settled)
  return settled
}

/** It certainly created nothing. If that cannot be recorded now, the next command records it and frees the key. */
async function recordRefused({ store, outbox }: LedgerDeps, refused: Entry, token: string): Promise<void> {
  try {
    await store.record(refused, token)
  } catch {
    await outbox.keep(refused, token)
  }
}

/** Records why the outcome is unknown, to help people. The entry is safe without it. */
async function recordFailure(store: Store, entry: Entry, token: string, error: FreightError): Promise<void> {
  const { errors: _, ...kept } = toKeptError(error)
  const failed = { ...entry, error: { ...kept, message: safeText(error.message, MAX_REASON_LENGTH) } }
  await store.recordFailure(failed, token).catch(() => {})
}
