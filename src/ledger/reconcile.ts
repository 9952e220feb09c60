/** Settles entries with an unknown outcome: looks in the API for the shipments that they may have created. */
import { FreightError } from "../base/errors.ts"
import type { FreightApi } from "../api/index.ts"
import type {
  BookingResponse,
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import { carrierName, isCarrier } from "../carriers/index.ts"
import { safeText } from "../base/safe-text.ts"
import { compareClocks, formatInstant } from "../base/wall-clock.ts"
import type { LedgerDeps } from "./create.ts"
import { type Entry, keyText, sentText } from "./entry.ts"
import { isInFlight } from "./decision.ts"
import { elapsed } from "./lease.ts"
import type { Store } from "./store.ts"
import { listPossibleOutcomes, listReadBefore } from "./elsewhere.ts"
import { findMatches, findWindow, type MatchApi, readPages } from "./matching.ts"
import { isCompared, isRival } from "./possible.ts"
import { describeOtherKey } from "./refusals.ts"

/** The dependencies of settling: the ledger, and the account of the entries. */
export interface ReconcileDeps extends Pick<LedgerDeps, "store" | "clock" | "signal"> {
  /** Fingerprint of the API key in use. */
  account: string
  /** Its account, where the ledger knows it. */
  owner?: Pick<LedgerDeps["owner"], "scope"> | undefined
  /** Default: all. */
  scopes?: readonly string[]
}

/** The result of looking for one entry. */
export interface Settled {
  /** The entry's own, which `--release` takes as well. */
  id: string
  /** As `--release` takes it. */
  key: string
  /** The customer's, which `--release` takes as well. */
  reference: string | null
  kind: Entry["kind"]
  about: string
  /** ISO 8601, UTC. */
  sentAt: string
  /**
   * `settled`: found, or confirmed by a person. `released`: it may be sent again. The others stay open: `none` was
   * found, `several` match, it may be `in-flight`, or freight `cannot-tell`.
   */
  outcome: "settled" | "none" | "several" | "in-flight" | "cannot-tell" | "released"
  /** Matching shipments. */
  matches: string[]
  /** The error that sending it ended with, if known. */
  error?: string
  /** A warning about the settled entry. */
  warning?: string
  note: string
  /** Until then the service or another process may still make it; then look again. ISO 8601 in UTC */
  lookAgainAt?: string
  /** The question to ask the carrier now, if only a person can find out. */
  ask?: string
  /** Fingerprint of the API key that it was sent with, where only that one can tell. */
  needsKey?: string
}

type Todo = Pick<Settled, "lookAgainAt" | "ask" | "needsKey">

/** How long a slow server may take to show a new shipment. */
const SETTLING_MS = 5 * 60_000
/** A clock that is set may be off by this much, and within this time a sender has renewed its lease. */
const CLOCK_ERROR_MS = 2 * 3_600_000
const RENEWED_AFTER_MS = 5_000
/** `--until-known` looks this often. */
const LOOK_EVERY_MS = 30_000

/** Looks for the outcome of every open entry. Creates nothing. */
export async function reconcile(deps: ReconcileDeps, api: () => Promise<FreightApi>): Promise<Settled[]> {
  const { free, inFlight } = await stillOpen(deps, await deps.store.open(deps.scopes))
  const open = await deps.store.open()
  const pages = readPages(api)
  const now = new Date(await deps.store.now()).toISOString()
  const settled = inFlight.map((entry) =>
    toSettled(entry, "in-flight", [], `It is being sent by ${entry.sender.workstation}.`, {
      lookAgainAt: entry.leaseUntil ?? now,
    }),
  )
  for (const entry of free) {
    const rivals = open.filter((other) => isRival(other, entry))
    settled.push(await settleOne(deps, entry, rivals, api, pages))
  }
  return settled.sort(compareSettled)
}

function compareSettled(one: Settled, other: Settled): number {
  const text = ({ sentAt, key }: Settled) => `${sentAt} ${key}`
  return text(one) < text(other) ? -1 : 1
}

/**
 * Looks again and again until every outcome is known, or only a person can find out.
 * @param note told once until when it looks
 */
export async function reconcileUntilKnown(
  deps: ReconcileDeps,
  api: () => Promise<FreightApi>,
  note: (text: string) => Promise<void>,
): Promise<Settled[]> {
  const { store, clock, signal } = deps
  const found = new Map<string, Settled>()
  let isNoted = false
  for (;;) {
    const settled = await reconcile(deps, api)
    const open = new Set(settled.map(({ id }) => id))
    for (const before of found.values())
      if (isOpen(before) && !open.has(before.id)) found.set(before.id, await tellMeanwhile(store, before))
    for (const each of settled) found.set(each.id, each)
    const end = Math.max(...settled.map(({ lookAgainAt }) => Date.parse(lookAgainAt ?? "") || 0))
    if (!(end > 0)) return [...found.values()].sort(compareSettled)
    if (!isNoted)
      await note(`Not everything is known yet: looking until ${formatInstant(new Date(end).toISOString())}…`)
    isNoted = true
    const left = end - (await store.now())
    await clock.sleep(Math.min(Math.max(left, 1_000), LOOK_EVERY_MS), signal)
  }
}

/**
 * Settles open bookings whose only matching shipment was just read, by the rules of `reconcile`.
 * @returns those that were settled
 */
export async function settleListed(
  { store, clock, signal, owner }: Pick<LedgerDeps, "store" | "clock" | "signal" | "owner">,
  api: MatchApi,
): Promise<Settled[]> {
  const deps = { store, clock, signal, owner, account: owner.fingerprint, scopes: [owner.scope] }
  const all = await store.open()
  const own = all.filter(({ scope, kind }) => scope === owner.scope && kind === "shipment")
  if (own.length === 0) return []
  const listed = await listPossibleOutcomes(store.database, owner.scope, own)
  const { free } = await stillOpen(
    deps,
    own.filter(({ id }) => (listed.get(id) ?? []).length > 0),
  )
  const settled: Settled[] = []
  for (const entry of free) {
    const rivals = all.filter((other) => isRival(other, entry))
    try {
      settled.push(await settleShipment(deps, entry, rivals, api, async () => listed.get(entry.id) ?? []))
    } catch (error) {
      // A shipment that the service does not show settles nothing, and stops no other order.
      if (!(error instanceof FreightError && error.kind === "notFound")) throw error
    }
  }
  return settled.filter(({ outcome }) => outcome === "settled")
}

export function isOpen({ outcome }: Pick<Settled, "outcome">): boolean {
  return outcome !== "settled" && outcome !== "released"
}

async function tellMeanwhile(store: Store, before: Settled): Promise<Settled> {
  const entry = await store.byId(before.id)
  if (!entry) return before
  const { shipmentId } = entry.facts
  const outcome = entry.state === "done" ? "settled" : "released"
  return toSettled(entry, outcome, shipmentId === undefined ? [] : [shipmentId], MEANWHILE)
}

/**
 * Entries that no process is sending. A lease that expired a short while ago may only seem so, because the clock was
 * set: a live sender renews it within moments, so wait for those.
 */
export async function stillOpen(
  { store, clock, signal }: Pick<ReconcileDeps, "store" | "clock" | "signal">,
  entries: readonly Entry[],
): Promise<{ free: Entry[]; inFlight: Entry[] }> {
  const now = await store.now()
  const isDoubtful = ({ leaseUntil }: Entry) =>
    leaseUntil !== undefined && Math.abs(Date.parse(leaseUntil) - now) < CLOCK_ERROR_MS
  let seen = entries
  if (entries.some((entry) => isDoubtful(entry) && !isInFlight(entry, now))) {
    const end = elapsed(clock) + RENEWED_AFTER_MS
    while (elapsed(clock) < end) await clock.sleep(Math.max(end - elapsed(clock), 1), signal)
    seen = await Promise.all(entries.map(async (entry) => (await store.byId(entry.id)) ?? entry))
  }
  const later = await store.now()
  const isRenewed = ({ leaseUntil }: Entry, n: number) =>
    leaseUntil !== undefined && leaseUntil !== entries[n]?.leaseUntil
  const open = seen.map((entry, n) => ({ entry, busy: isInFlight(entry, later) || isRenewed(entry, n) }))
  const unsettled = open.filter(({ entry }) => entry.state === "unknown")
  return {
    free: unsettled.flatMap(({ entry, busy }) => (busy ? [] : [entry])),
    inFlight: unsettled.flatMap(({ entry, busy }) => (busy ? [entry] : [])),
  }
}

export function toSettled(
  entry: Entry,
  outcome: Settled["outcome"],
  matches: string[],
  note: string,
  todo: Todo = {},
): Settled {
  return {
    id: entry.id,
    key: keyText(entry) || entry.key,
    reference: entry.facts.reference ?? null,
    kind: entry.kind,
    about: entry.facts.about ?? "",
    sentAt: entry.sentAt,
    ...(entry.error && { error: entry.error.message }),
    outcome,
    matches,
    note,
    ...todo,
  }
}

async function settleOne(
  deps: ReconcileDeps,
  entry: Entry,
  rivals: readonly Entry[],
  api: () => Promise<FreightApi>,
  pages: (until: number) => Promise<ShipmentSummary[]>,
): Promise<Settled> {
  if (entry.kind === "shipment") return settleShipment(deps, entry, rivals, await api(), pages)
  if (entry.kind === "pickup" && entry.facts.shipmentId !== undefined)
    return settlePickup(deps.store, entry, entry.facts.shipmentId, await api())
  if (entry.kind === "pickup")
    return toSettled(
      entry,
      "cannot-tell",
      [],
      `The API cannot list pickups: ask the carrier whether it has this one. ${EITHER_WAY}`,
      { ask: askAboutPickup(entry) },
    )
  const { shipmentId } = entry.facts
  const { reference } = (shipmentId && (await deps.store.ofShipment(entry.scope, shipmentId))?.facts) || {}
  const of = reference === undefined ? "" : ` of ${safeText(reference, 100)}`
  return toSettled(
    entry,
    "cannot-tell",
    [],
    "The API cannot list print jobs: look at the printer, then settle this if it was printed, or release it if it was not.",
    {
      ask: `Look at the printer: was ${entry.facts.about ?? "this"}${of} printed on ${sentText(entry)} or later?`,
    },
  )
}

function nameCarrier({ facts: { carrier = "" } }: Entry): string {
  return isCarrier(carrier) ? carrierName(carrier) : "the carrier"
}

/** `2 packages to Port Street Fittings, Fremantle WA 6160, reference PO-1001, sent on Mon 23 Nov 2026, 19:00` */
function describeOrder(entry: Entry): string {
  const { about = "a booking", reference } = entry.facts
  const { customerReference = reference } = Object(entry.request) as Partial<ConsignmentBookingRequest>
  return `${about}${customerReference ? `, reference ${customerReference}` : ""}, sent on ${sentText(entry)}`
}

function askAboutPickup(entry: Entry): string {
  const { shipmentId, about } = entry.facts
  const what = shipmentId === undefined ? (about ?? "") : `shipment ${shipmentId}`
  return `Ask ${nameCarrier(entry)} whether it has a pickup${what && ` of ${what}`}, sent on ${sentText(entry)}.`
}

function askAboutSecond(entry: Entry, { id, orderNumber }: ShipmentDetail): string {
  return `Ask ${nameCarrier(entry)} whether it has a second consignment like ${orderNumber ?? id}: ${describeOrder(entry)}.`
}

function askWhichOf(entry: Entry, matches: readonly ShipmentDetail[]): string {
  const names = matches.map(({ id, orderNumber }) => orderNumber ?? id).join(" and ")
  return `Ask ${nameCarrier(entry)} which of its consignments ${names} is ${describeOrder(entry)}.`
}

/**
 * The one matching shipment that no other entry made is the outcome, unless it could be that of another entry of equal
 * content with an unknown outcome.
 */
async function settleShipment(
  deps: ReconcileDeps,
  entry: Entry,
  rivals: readonly Entry[],
  api: MatchApi,
  pages: (until: number) => Promise<ShipmentSummary[]>,
): Promise<Settled> {
  // The first reply tells how far the clocks are apart, and so how far back to look.
  await pages(Date.parse(entry.sentAt))
  const window = await findWindow(deps, entry, api)
  const matches = await findMatches(deps.store, entry, api, await pages(window.from), window)
  const tell = (outcome: Settled["outcome"], note: string, todo?: Todo) =>
    toSettled(
      entry,
      outcome,
      matches.map(({ id }) => id),
      note,
      todo,
    )
  const [only, ...others] = matches
  if (!only)
    return tell(...describeNoMatch(entry, deps.account, await deps.store.now(), clockWarning(deps, api)))
  if (others.length > 0)
    return tell(
      "several",
      "Several shipments match, and none of them for certain. It stays open until you say which, with --settle.",
      { ask: askWhichOf(entry, matches) },
    )
  if (!isCompared(only))
    return tell(
      "cannot-tell",
      `${only.id} may be it, but what tells it from others could not be read. It stays open until you say whether it is, with --settle.`,
      lookAgain(entry, await deps.store.now()) ?? { ask: askWhichOf(entry, matches) },
    )
  if (entry.account !== deps.account && !(deps.scopes ?? [deps.owner?.scope]).includes(entry.scope))
    return tell(
      "cannot-tell",
      `${only.id} matches, but this was ${describeOtherKey(entry)}, and whether both belong to one account is not known: reconcile with that key.`,
      { needsKey: entry.account },
    )
  if (rivals.length > 0)
    return tell(
      "several",
      `${only.id} matches, but it may belong to ${rivals.map(({ id }) => id).join(", ")}, which is equal and also has an unknown outcome. It stays open until you say which, with --settle.`,
      {
        ask: askAboutSecond(entry, only),
      },
    )
  if ((await listReadBefore(deps.store.database, [only.id], entry.sentAt)).length > 0)
    return tell(
      "cannot-tell",
      `${only.id} matches, but it was there before this was sent. The carrier may have a second one. ${EITHER_WAY}`,
      lookAgain(entry, await deps.store.now()) ?? { ask: askAboutSecond(entry, only) },
    )
  if (!(await settleAs(deps.store, entry, only, "Found by reconcile.", (other) => isRival(other, entry))))
    return tell("in-flight", MEANWHILE, { lookAgainAt: new Date(await deps.store.now()).toISOString() })
  return { ...tell("settled", `It is shipment ${only.id}.`), ...pickupWarning(only) }
}

/** A warning about what only the lost reply could have said: see `pickups.ts`. */
export function pickupWarning({ id, pickupStatus }: ShipmentDetail): Pick<Settled, "warning"> {
  if (pickupStatus === "BOOKED" || pickupStatus === "FAILED") return {}
  return {
    warning: `shipment ${id} shows no pickup, but a pickup may exist if its connector books them: ask the carrier before you book one`,
  }
}

/** Larger differences between the clocks are reported. */
const CLOCK_TOLD_MS = 10 * 60_000

/** Warns that this machine's clock differs from the service's; undefined if it does not, or if that is unknown. */
export function clockWarning(
  { clock }: Pick<ReconcileDeps, "clock">,
  api: Pick<FreightApi, "clockOffset">,
): string | undefined {
  const offset = api.clockOffset() ?? 0
  if (Math.abs(offset) < CLOCK_TOLD_MS) return undefined
  return `this machine's clock is ${compareClocks(clock.now(), clock.now() + offset)} the service's: set it right`
}

/** Settles an entry with a shipment. @returns false when it was settled otherwise meanwhile */
export async function settleAs(
  store: ReconcileDeps["store"],
  entry: Entry,
  { id, orderNumber, consignmentNumber, pickupStatus }: ShipmentDetail,
  note: string,
  unless?: (other: Entry) => boolean,
): Promise<boolean> {
  const known = { orderNumber, ...(consignmentNumber && { consignmentNumber }) }
  const done = toDone(entry, note, {
    shipmentId: id,
    connectorId: entry.facts.connectorId ?? "",
    ...known,
    ...(pickupStatus && { pickupStatus }),
  })
  return store.settle({ ...done, facts: { ...entry.facts, shipmentId: id, ...known } }, unless)
}

function toDone({ error: _, ...entry }: Entry, note: string, response: unknown): Entry {
  return { ...entry, state: "done", note, response }
}

/** While the service may still make it. */
function lookAgain({ sentAt }: Entry, now: number): Todo | undefined {
  const settledAt = Date.parse(sentAt) + SETTLING_MS
  return now < settledAt ? { lookAgainAt: new Date(settledAt).toISOString() } : undefined
}

/** Nothing found is an answer only for the account that sent it, and only once the service had time to make it. */
function describeNoMatch(
  entry: Entry,
  ownAccount: string,
  now: number,
  clockWrong: string | undefined,
): [Settled["outcome"], note: string, Todo] {
  const { account } = entry
  if (account !== ownAccount)
    return [
      "cannot-tell",
      `It was ${describeOtherKey(entry)}, and yours shows no matching shipment: reconcile with that key.`,
      { needsKey: account },
    ]
  const again = lookAgain(entry, now)
  if (again)
    return [
      "none",
      "No shipment matches yet, but the service may still be making it: run this again in a few minutes.",
      again,
    ]
  const ask = `Ask ${nameCarrier(entry)} whether it has ${describeOrder(entry)}.`
  if (clockWrong !== undefined)
    return [
      "none",
      `No shipment matches, but ${clockWrong}, run this again, and ask the carrier before you release this.`,
      { ask },
    ]
  return [
    "none",
    "No shipment matches: it was probably never made. Ask the carrier before it is sent again.",
    { ask },
  ]
}

const MEANWHILE = "Meanwhile another command settled it, or settled another entry with that shipment."

const EITHER_WAY = "If so, settle this with --settle; if not, release it."

/**
 * A shipment that reads BOOKED has its pickup, if it had none before. Other readings prove nothing (`NOT_BOOKED` is
 * also read after a lost record).
 */
async function settlePickup(
  store: ReconcileDeps["store"],
  entry: Entry,
  shipmentId: string,
  api: FreightApi,
): Promise<Settled> {
  const tell = (outcome: Settled["outcome"], note: string, todo?: Todo) =>
    toSettled(entry, outcome, [shipmentId], note, todo)
  const ask = askAboutPickup(entry)
  const { shipment } = await api.getShipment(shipmentId)
  if (shipment.pickupStatus !== "BOOKED")
    return tell(
      "cannot-tell",
      `The shipment shows no pickup, but one may exist: ask the carrier. ${EITHER_WAY}`,
      { ask },
    )
  if (await hadPickup(store, entry, shipmentId))
    return tell(
      "cannot-tell",
      `The shipment had a pickup before this one was sent: ask the carrier whether it has two. ${EITHER_WAY}`,
      { ask },
    )
  return (await store.settle(toDone(entry, "Found by reconcile.", { status: "BOOKED" })))
    ? tell("settled", "The shipment's pickup is booked.")
    : tell("in-flight", MEANWHILE, { lookAgainAt: new Date(await store.now()).toISOString() })
}

async function hadPickup(store: Store, { id, scope }: Entry, shipmentId: string): Promise<boolean> {
  if (await store.pickupOf(scope, shipmentId, id)) return true
  const booking = await store.ofShipment(scope, shipmentId)
  const { pickupStatus } = Object(booking?.response) as Partial<BookingResponse>
  const { pickupBookingNumber } = Object(booking?.request) as Partial<ConsignmentBookingRequest>
  return pickupStatus === "BOOKED" || pickupBookingNumber !== undefined
}
