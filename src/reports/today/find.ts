/** Finds everything that needs attention: in the ledger first, then with as few requests as possible. */
import { type FreightApi, groupFailures, several } from "../../api/index.ts"
import { readOwn } from "../../contract/index.ts"
import { counted } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import type { ShipmentDetail, TrackingResponse } from "../../contract/generated/types.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import {
  countUnbilled,
  type Entry,
  findPickup,
  findNotYetReported,
  isEnded,
  isInFlight,
  NEVER,
  readBooked,
  type Store,
  toTrackingUpdate,
  type TrackingUpdate,
} from "../../ledger/index.ts"
import {
  activeDevices,
  findUnfinishedRuns,
  findWaiting,
  findWaitingRows,
  getPickupName,
  isCollectedWithin,
  isLate,
  rememberSeen,
  type ScheduledBooking,
  toScheduled,
} from "../../orders/index.ts"
import { hasItemsMissing, isExpected, isScanned, scanDueAt } from "./due.ts"
import { findDue, hasPayments, readUnsettled } from "../../bills/index.ts"
import { readDisputeDays } from "../../machine/index.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import type { Deps } from "../../session/index.ts"
import {
  BILLED_WITHIN_DAYS,
  type BookingNeed,
  byUrgency,
  createNeed,
  type Need,
  type NeedKind,
} from "./needs.ts"

interface SearchOptions {
  /** Milliseconds since the epoch by the service's clock, like all instants here. */
  now: number
  /** Start of the booking times. */
  since: number
  /** Hours after the ready time until the first scan is overdue. */
  hours: number
  isWanted(need: NeedKind): boolean
}

interface FoundNeeds {
  /** Worst first. */
  needs: Need[]
  /** The bookings of needs that are about one. */
  bookingOf: Map<Need, ScheduledBooking>
  /** Checks that failed, and why. */
  failures: { what: string; error: FreightError }[]
}

/** Time for the carrier to give a number and a label before it is reported. */
const GIVEN_WITHIN_MS = 30 * 60_000
/** Younger tracking data is not requested again. */
const FRESH_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** How long an incomplete delivery is reported. */
const MISSING_REPORTED_MS = 7 * DAY_MS
/** How long an unfinished run is reported. */
const RUN_REPORTED_MS = 7 * DAY_MS

/** A check that fails does not hide the others. */
export async function findNeeds(deps: Deps, options: SearchOptions): Promise<FoundNeeds> {
  const { now, isWanted } = options
  const search = createSearch(deps, options)
  const { needs, bookingOf, failures, attempt, add } = search
  const bookings: ScheduledBooking[] = []
  await attempt("the ledger", async () => {
    if (await deps.hasLedger()) await searchLedger(search, await deps.readLedger(), bookings)
  })
  await attempt("rows that wait", async () => {
    if (!isWanted("not-booked") || !(await deps.hasLedger())) return
    const batches = (await deps.waiting()).list()
    if (batches.length === 0) return
    for (const rows of await findWaitingRows(await deps.readLedger(), batches, now))
      needs.push(createNeed("not-booked", rows))
  })
  await attempt("runs of batches", async () => {
    if (!isWanted("not-finished") || !(await deps.hasLedger())) return
    const runs = (await deps.runs()).list().filter(({ begunAt }) => begunAt > now - RUN_REPORTED_MS)
    if (runs.length === 0) return
    for (const run of await findUnfinishedRuns(await deps.readLedger(), runs))
      needs.push(createNeed("not-finished", run))
  })
  await attempt("what was billed", async () => {
    if (!isWanted("not-audited") || !(await deps.hasLedger())) return
    const { store, scopes } = await deps.readLedger()
    const until = new Date(now - BILLED_WITHIN_DAYS * DAY_MS).toISOString()
    const span = { until, withinDays: BILLED_WITHIN_DAYS }
    const { count, oldest } = await countUnbilled(store.database, scopes, span)
    // Users who never audit are not reminded.
    if (oldest !== undefined) needs.push(createNeed("not-audited", { count, oldest }))
  })
  await attempt("the disputes", async () => {
    const days = readDisputeDays(deps)
    if (!isWanted("dispute-due") || days.size === 0 || !(await deps.hasLedger())) return
    const { store } = await deps.readLedger()
    const today = formatDate(wallClockNow(now))
    for (const due of findDue(await readUnsettled(store.database), days, today))
      needs.push(createNeed("dispute-due", due))
  })
  await attempt("the bills", async () => {
    if (!isWanted("bill-due") || !(await deps.hasLedger())) return
    const { database } = (await deps.readLedger()).store
    // Users who pay without freight are not reminded.
    if (!(await hasPayments(database))) return
    const { findDueBills } = await import("../../bills/pay/due.ts")
    const { readDecisions } = await import("../../bills/pay/record.ts")
    for (const due of findDueBills(await readDecisions(database), formatDate(wallClockNow(now))))
      needs.push(createNeed("bill-due", due))
  })
  await attempt("the orders of shops", async () => {
    if (!isWanted("not-dispatched") || !(await deps.hasLedger())) return
    const { store, scopes } = await deps.readLedger()
    for (const waiting of await findWaiting(store.database, scopes))
      needs.push(createNeed("not-dispatched", waiting))
  })
  for (const { what, needs: kinds, isConcerned, ask } of CHECKS) {
    if (kinds && !kinds.some(isWanted)) continue
    const concerned = bookings.filter(
      (booking) => !isOver(booking) && !search.isCancelled(booking) && isConcerned(booking, search),
    )
    await search.askAll(what, concerned, async (api, booking) => {
      const need = await ask(booking, search, api)
      if (need && !search.isCancelled(booking)) add(need, booking)
    })
  }
  await attempt("what carriers are to be told of", () => addUntold(search, bookings))
  for (const booking of bookings)
    if (
      hasItemsMissing(booking) &&
      Date.parse(booking.journey?.deliveredAt ?? "") > now - MISSING_REPORTED_MS
    )
      add("items-missing", booking)
  await rememberSeen(deps, [...search.updates.values()], now)
  if (isWanted("device-gone"))
    for (const api of ["freight", "direct-print"] as const) {
      const device = await deps.devices(api).chosen()
      if (!device) continue
      await attempt(`the print device ${device.id}`, async () => {
        const listed = await activeDevices(deps, api)
        if (!listed.some(({ id }) => id === device.id))
          needs.push(createNeed("device-gone", { ...device, api }))
      })
    }
  return { needs: needs.sort(byUrgency), bookingOf, failures }
}

function isOver({ journey }: ScheduledBooking): boolean {
  return journey !== undefined && isEnded(journey)
}

/** A request to the service about bookings that are neither delivered nor cancelled. */
interface Check {
  what: string
  /** Skipped if none of these is wanted; always made if undefined, because later checks use the result. */
  needs?: readonly BookingNeed[]
  isConcerned(booking: ScheduledBooking, search: Search): boolean
  /** @returns the needs of the booking; undefined if it turns out to be cancelled */
  ask(booking: ScheduledBooking, search: Search, api: FreightApi): Promise<BookingNeed | undefined>
}

const CHECKS: readonly Check[] = [
  {
    // The carrier may give it later; without a number nothing can be tracked.
    what: "the number",
    isConcerned: ({ entry, bookedAt }, { now }) =>
      entry.facts.consignmentNumber === undefined && now - bookedAt > GIVEN_WITHIN_MS,
    async ask(booking, { getDetail }, api) {
      return (await getDetail(api, booking)).consignmentNumber ? undefined : "no-number"
    },
  },
  {
    // Only bookings that may have a problem by now.
    what: "tracking",
    isConcerned(booking, { now, hours, notTracked }) {
      const { journey, entry } = booking
      if (entry.facts.consignmentNumber === undefined) return false
      if (journey && now - Date.parse(journey.lookedAt) < FRESH_MS) return false
      const isDue = isScanned(booking) ? isExpected(booking, now) : now >= scanDueAt(booking, hours)
      if (isDue) notTracked.add(booking)
      return isDue
    },
    async ask(booking, { now, remember, notTracked }, api) {
      const consignmentNumber = booking.entry.facts.consignmentNumber ?? ""
      const answer = await api.track({ consignment: consignmentNumber }).catch(unlessUnknown)
      if (!answer.supported) return undefined
      const update = toTrackingUpdate(consignmentNumber, answer)
      remember(update)
      notTracked.delete(booking)
      const before = booking.journey ?? { isCancelled: false, hasLabel: false }
      booking.journey = { events: 0, ...before, ...update, lookedAt: new Date(now).toISOString() }
      booking.dueOn ??= update.eta
      return undefined
    },
  },
  {
    // It may be cancelled, which tracking has no field for.
    what: "the status",
    needs: ["not-scanned", "late"],
    isConcerned(booking, search) {
      const need = findOverdue(booking, search)
      return need !== undefined && search.isWanted(need)
    },
    async ask(booking, search, api) {
      await search.getDetail(api, booking)
      return findOverdue(booking, search)
    },
  },
  {
    what: "the pickup",
    needs: ["pickup-failed", "no-pickup", "pickup-unclear", "pickup-lost"],
    isConcerned(booking, { now }) {
      const isUnsettled = ["FAILED", "RECONCILE_NEEDED"].includes(booking.response.pickupStatus ?? "")
      if (readOwn(booking.entry.facts.own).dropOff) return false
      return !isScanned(booking) && isCollectedWithin(booking, now, -1, isUnsettled ? 365 : 1)
    },
    async ask(booking, { deps, now, details, getDetail }, api) {
      const { store } = await deps.readLedger()
      const { entry, shipmentId, response } = booking
      const { is, reference } = await findPickup({ store, scope: entry.scope }, shipmentId, () =>
        getDetail(api, booking),
      )
      if (is === "lost") booking.lostPickup = reference
      if (is !== "none" && is !== "unclear") return is === "lost" ? "pickup-lost" : undefined
      const isFailed = [details.get(shipmentId)?.pickupStatus, response.pickupStatus].includes("FAILED")
      if (isFailed) return "pickup-failed"
      if (!isCollectedWithin(booking, now, 0, 1)) return undefined
      return is === "none" ? "no-pickup" : "pickup-unclear"
    },
  },
  {
    // An existing label is not requested again.
    what: "the label",
    needs: ["no-label"],
    isConcerned: (booking, { now }) =>
      !isScanned(booking) &&
      booking.entry.facts.consignmentNumber !== undefined &&
      !booking.journey?.hasLabel &&
      now - booking.bookedAt > GIVEN_WITHIN_MS &&
      isCollectedWithin(booking, now, -1, 1),
    async ask({ shipmentId, entry }, { remember }, api) {
      try {
        await api.getLabel(shipmentId)
        remember({ consignmentNumber: entry.facts.consignmentNumber ?? "", hasLabel: true })
        return undefined
      } catch (error) {
        if (error instanceof FreightError && error.kind === "notReady") return "no-label"
        throw error
      }
    },
  },
]

/** Shipments waiting for a pickup that the carrier was not told about, until the day after it. */
async function addUntold(search: Search, bookings: readonly ScheduledBooking[]): Promise<void> {
  const { deps, now, add, askAll, getDetail, isCancelled, isWanted } = search
  if (!isWanted("not-told") || bookings.length === 0) return
  const { store, scopes } = await deps.readLedger()
  const notYetReported = await findNotYetReported(store.database, { scopes })
  const pickupOf = new Map(notYetReported.map(({ shipmentId, pickupId }) => [shipmentId, pickupId]))
  const concerned = bookings.filter(
    (booking) =>
      pickupOf.has(booking.shipmentId) &&
      !isOver(booking) &&
      !isScanned(booking) &&
      isCollectedWithin(booking, now, -1, 365),
  )
  await askAll("the status", concerned, async (api, booking) => void (await getDetail(api, booking)))
  const waiting = concerned.filter((booking) => !isCancelled(booking))
  for (const [id, ofPickup] of groupBy(waiting, ({ shipmentId }) => pickupOf.get(shipmentId) ?? "")) {
    const pickup = await store.byId(id)
    if (!pickup) continue
    for (const booking of ofPickup) {
      booking.waitsFor = { pickup: getPickupName(pickup), shipments: ofPickup.length }
      add("not-told", booking)
    }
  }
}

/** If no carrier knows the consignment, nothing was scanned. */
function unlessUnknown(error: unknown): TrackingResponse {
  if (error instanceof FreightError && error.kind === "notFound") return { supported: true, tracking: null }
  throw error
}

function findOverdue(booking: ScheduledBooking, { now, hours, notTracked }: Search) {
  if (!booking.journey || notTracked.has(booking)) return undefined
  if (isScanned(booking)) return isLate(booking, now) ? "late" : undefined
  return now >= scanDueAt(booking, hours) ? "not-scanned" : undefined
}

type Search = ReturnType<typeof createSearch>

/** The needs found so far, and the requests made, each once. */
function createSearch(deps: Deps, options: SearchOptions) {
  const needs: Need[] = []
  const bookingOf: FoundNeeds["bookingOf"] = new Map()
  const failures: FoundNeeds["failures"] = []
  const updates = new Map<string, TrackingUpdate>()
  const details = new Map<string, ShipmentDetail>()
  const attempt = async (what: string, act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      failures.push({ what, error: toStepError(error) })
    }
  }
  const remember = (update: TrackingUpdate) =>
    updates.set(update.consignmentNumber, { ...updates.get(update.consignmentNumber), ...update })
  return {
    ...options,
    ...{ deps, needs, bookingOf, failures, updates, details, attempt, remember },
    /** Bookings that could not be tracked: too little is known of them. */
    notTracked: new Set<ScheduledBooking>(),
    add(kind: BookingNeed, booking: ScheduledBooking) {
      if (!options.isWanted(kind)) return
      const need = createNeed(kind, { booking, now: options.now })
      needs.push(need)
      bookingOf.set(need, booking)
    },
    /** One call for each booking; equal failures are reported once. */
    async askAll(
      what: string,
      bookings: readonly ScheduledBooking[],
      call: (api: FreightApi, booking: ScheduledBooking) => Promise<void>,
    ) {
      if (bookings.length === 0) return
      await attempt(`${what} of ${counted(bookings.length, "shipment")}`, async () => {
        const api = await deps.freight()
        const answers = await several(bookings, (booking) => call(api, booking))
        for (const { items, error } of groupFailures(answers.filter((answer) => !answer.ok)))
          failures.push({ what: `${what} of ${counted(items.length, "shipment")}`, error })
      })
    },
    async getDetail(api: FreightApi, { shipmentId, entry }: ScheduledBooking): Promise<ShipmentDetail> {
      const shipment = details.get(shipmentId) ?? (await api.getShipment(shipmentId)).shipment
      details.set(shipmentId, shipment)
      const number = shipment.consignmentNumber ?? undefined
      if (number !== undefined && entry.facts.consignmentNumber === undefined) {
        entry.facts.consignmentNumber = number
        const { store } = await deps.readLedger()
        await store.learnConsignment(entry.id, number).catch(() => {})
      }
      if (shipment.status === "CANCELLED" && entry.facts.consignmentNumber !== undefined)
        remember({ consignmentNumber: entry.facts.consignmentNumber, isCancelled: true })
      return shipment
    },
    isCancelled: ({ shipmentId }: ScheduledBooking) => details.get(shipmentId)?.status === "CANCELLED",
  }
}

/** People know a print or a pickup by its order. */
async function findReference(store: Store, { scope, facts }: Entry): Promise<string | null> {
  const { reference, shipmentId } = facts
  if (reference !== undefined || shipmentId === undefined) return reference ?? null
  return (await store.ofShipment(scope, shipmentId))?.facts.reference ?? null
}

/** @param bookings receives those that may need attention */
async function searchLedger(
  { needs, now, since, isWanted }: Search,
  { store, scopes }: { store: Store; scopes?: readonly string[] },
  bookings: ScheduledBooking[],
): Promise<void> {
  if (isWanted("unknown-outcome")) {
    const ledgerNow = await store.now()
    const open = (await store.open(scopes)).filter((entry) => !isInFlight(entry, ledgerNow))
    for (const entry of open)
      needs.push({
        ...createNeed("unknown-outcome", { entry }),
        reference: await findReference(store, entry),
      })
  }
  if (isWanted("made-twice"))
    needs.push(...(await store.duplicates(scopes)).map((entry) => createNeed("made-twice", { entry })))
  const filter = { scopes, since: new Date(since).toISOString() }
  const countedSince = new Date(now - MISSING_REPORTED_MS).toISOString()
  if (isWanted("items-missing"))
    for await (const page of readBooked(store.database, { ...filter, countedSince, content: "request" }))
      bookings.push(...page.flatMap((booked) => toScheduled(booked) ?? []).filter(hasItemsMissing))
  for await (const page of readBooked(store.database, { ...filter, openSince: NEVER }))
    bookings.push(...page.flatMap((booked) => toScheduled(booked) ?? []))
}
