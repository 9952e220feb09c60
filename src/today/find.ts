/** Finds what needs someone: in the ledger first, then by as few requests as can show it. */
import type { FreightApi } from "../api/freight.ts"
import { several } from "../api/several.ts"
import { counted } from "../contract/counted.ts"
import type { Api } from "../contract/endpoints.ts"
import type { PrintDevice, ShipmentDetail, TrackingResponse } from "../contract/generated/types.ts"
import { groupBy } from "../contract/grouping.ts"
import { FreightError, toStepError } from "../errors.ts"
import { isInFlight } from "../ledger/judge.ts"
import { findPickup } from "../ledger/pickups.ts"
import { countUnbilled } from "../ledger/records/bills.ts"
import {
  isEnded,
  NEVER,
  readBooked,
  type TrackingUpdate,
  toTrackingUpdate,
} from "../ledger/records/journeys.ts"
import type { Store } from "../ledger/store.ts"
import type { DeviceMemory } from "../memory/devices.ts"
import {
  BILLED_WITHIN_DAYS,
  type BookingNeed,
  byUrgency,
  createNeed,
  type Need,
  type NeedKind,
} from "./needs.ts"
import {
  hasItemsMissing,
  isCollectedWithin,
  isExpected,
  isLate,
  isScanned,
  type ScheduledBooking,
  scanDueAt,
  toScheduled,
} from "./schedule.ts"

interface SearchDeps {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Store; scopes?: readonly string[] }>
  freight(): Promise<FreightApi>
  devices(api: Api): Pick<DeviceMemory, "chosen">
  listDevices(api: Api): Promise<readonly PrintDevice[]>
  /** Remembers what was seen, for the next search. */
  remember(updates: readonly TrackingUpdate[]): Promise<void>
}

interface SearchOptions {
  /** Milliseconds since the epoch, at the service; as are all instants here. */
  now: number
  /** Bookings from then on. */
  since: number
  /** Hours after the ready time until the first scan is overdue. */
  hours: number
  isWanted(need: NeedKind): boolean
}

interface FoundNeeds {
  /** Worst first. */
  needs: Need[]
  /** The bookings that they are of, where they are of one. */
  bookingOf: Map<Need, ScheduledBooking>
  /** What could not be checked, and why. */
  failures: { what: string; error: FreightError }[]
}

/** How long the carrier may take to give a number and a label before it is reported. */
const GIVEN_WITHIN_MS = 30 * 60_000
/** Tracking younger than this is not asked for again. */
const FRESH_MS = 10 * 60_000
const DAY_MS = 86_400_000
/** How long a delivery with fewer items is reported. */
const MISSING_REPORTED_MS = 7 * DAY_MS

/** Checks everything; a failed check does not hide the others. */
export async function findNeeds(deps: SearchDeps, options: SearchOptions): Promise<FoundNeeds> {
  const { now } = options
  const search = createSearch(deps, options)
  const bookings: ScheduledBooking[] = []
  await search.attempt("the ledger", async () => {
    if (await deps.hasLedger())
      bookings.push(...(await searchLedger(search, await deps.readLedger(), options)))
  })
  await search.attempt("what was billed", async () => {
    if (!options.isWanted("not-audited") || !(await deps.hasLedger())) return
    const { store, scopes } = await deps.readLedger()
    const until = new Date(now - BILLED_WITHIN_DAYS * DAY_MS).toISOString()
    const span = { until, withinDays: BILLED_WITHIN_DAYS }
    const { count, oldest } = await countUnbilled(store.database, scopes, span)
    // Users who never audit are not reminded.
    if (oldest !== undefined) search.needs.push(createNeed("not-audited", { count, oldest }))
  })
  const isOpen = ({ journey }: ScheduledBooking) => !journey || !isEnded(journey)
  const open = bookings.filter(isOpen)
  await findNumbers(search, open)
  await track(search, open)
  for (const booking of bookings)
    if (
      hasItemsMissing(booking) &&
      Date.parse(booking.journey?.deliveredAt ?? "") > now - MISSING_REPORTED_MS
    )
      search.add("items-missing", booking)
  const waiting = open.filter(isOpen)
  await findOverdue(search, waiting)
  const unscanned = waiting.filter((booking) => !isScanned(booking))
  await findPickups(search, unscanned)
  await findLabels(search, unscanned)
  await deps.remember([...search.updates.values()])
  if (options.isWanted("device-gone"))
    for (const api of ["freight", "direct-print"] as const) {
      const device = await deps.devices(api).chosen()
      if (!device) continue
      await search.attempt(`the print device ${device.id}`, async () => {
        const listed = await deps.listDevices(api)
        if (!listed.some(({ id }) => id === device.id))
          search.needs.push(createNeed("device-gone", { ...device, api }))
      })
    }
  const { needs, bookingOf, failures } = search
  return { needs: needs.sort(byUrgency), bookingOf, failures }
}

type Search = ReturnType<typeof createSearch>

/** What is found so far, and what was asked of the service, each thing once. */
function createSearch(deps: SearchDeps, { now, hours, isWanted }: SearchOptions) {
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
    ...{ deps, now, hours, isWanted, needs, bookingOf, failures, updates, details },
    ...{ attempt, remember },
    /** What could not be tracked: too little is known of it. */
    notTracked: new Set<ScheduledBooking>(),
    add(kind: BookingNeed, booking: ScheduledBooking) {
      if (!isWanted(kind)) return
      const need = createNeed(kind, { booking, now })
      needs.push(need)
      bookingOf.set(need, booking)
    },
    /** One call for each booking; failures are reported once for each reason. */
    async askAll(
      what: string,
      bookings: readonly ScheduledBooking[],
      call: (api: FreightApi, booking: ScheduledBooking) => Promise<void>,
    ) {
      if (bookings.length === 0) return
      await attempt(`${what} of ${counted(bookings.length, "shipment")}`, async () => {
        const api = await deps.freight()
        const answers = await several(bookings, (booking) => call(api, booking))
        const errors = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
        for (const [error, ...same] of groupBy(errors, ({ message }) => message).values())
          if (error) failures.push({ what: `${what} of ${counted(same.length + 1, "shipment")}`, error })
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

/** @returns the bookings that may need someone */
async function searchLedger(
  { needs, now }: Search,
  { store, scopes }: { store: Store; scopes?: readonly string[] },
  { since, isWanted }: SearchOptions,
): Promise<ScheduledBooking[]> {
  if (isWanted("unknown-outcome")) {
    const ledgerNow = await store.now()
    for (const entry of await store.open(scopes))
      if (!isInFlight(entry, ledgerNow)) needs.push(createNeed("unknown-outcome", { entry }))
  }
  if (isWanted("made-twice"))
    for (const entry of await store.duplicates(scopes)) needs.push(createNeed("made-twice", { entry }))
  const filter = { scopes, since: new Date(since).toISOString() }
  const countedSince = new Date(now - MISSING_REPORTED_MS).toISOString()
  const bookings: ScheduledBooking[] = []
  if (isWanted("items-missing"))
    for await (const page of readBooked(store, { ...filter, countedSince, content: "request" }))
      bookings.push(...page.flatMap((booked) => toScheduled(booked) ?? []).filter(hasItemsMissing))
  for await (const page of readBooked(store, { ...filter, openSince: NEVER }))
    bookings.push(...page.flatMap((booked) => toScheduled(booked) ?? []))
  return bookings
}

/** Of bookings whose carrier gives it later; without one nothing can be tracked. */
async function findNumbers(
  { now, askAll, getDetail, isCancelled, add }: Search,
  bookings: readonly ScheduledBooking[],
): Promise<void> {
  const without = bookings.filter(
    ({ entry, bookedAt }) => entry.facts.consignmentNumber === undefined && now - bookedAt > GIVEN_WITHIN_MS,
  )
  await askAll("the number", without, async (api, booking) => {
    const { consignmentNumber } = await getDetail(api, booking)
    if (!consignmentNumber && !isCancelled(booking)) add("no-number", booking)
  })
}

/** Tracks only bookings with which something may be wrong by now. */
async function track(
  { now, hours, askAll, isCancelled, remember, notTracked }: Search,
  bookings: readonly ScheduledBooking[],
): Promise<void> {
  const due = bookings.filter((booking) => {
    const { journey, entry } = booking
    if (entry.facts.consignmentNumber === undefined || isCancelled(booking)) return false
    if (journey && now - Date.parse(journey.lookedAt) < FRESH_MS) return false
    return isScanned(booking) ? isExpected(booking, now) : now >= scanDueAt(booking, hours)
  })
  for (const booking of due) notTracked.add(booking)
  await askAll("tracking", due, async (api, booking) => {
    const consignmentNumber = booking.entry.facts.consignmentNumber ?? ""
    const answer = await api.track({ consignment: consignmentNumber }).catch(unlessUnknown)
    if (!answer.supported) return
    const update = toTrackingUpdate(consignmentNumber, answer)
    remember(update)
    notTracked.delete(booking)
    const before = booking.journey ?? { isCancelled: false, hasLabel: false }
    booking.journey = { events: 0, ...before, ...update, lookedAt: new Date(now).toISOString() }
    booking.dueOn ??= update.eta
  })
}

/** No carrier knows the consignment: nothing was scanned of it. */
function unlessUnknown(error: unknown): TrackingResponse {
  if (error instanceof FreightError && error.kind === "notFound") return { supported: true, tracking: null }
  throw error
}

/** What was not scanned or delivered in time, unless it was cancelled: tracking has no field for that. */
async function findOverdue(
  { now, hours, isWanted, notTracked, askAll, getDetail, isCancelled, add }: Search,
  bookings: readonly ScheduledBooking[],
): Promise<void> {
  const overdue = new Map<ScheduledBooking, "not-scanned" | "late">()
  for (const booking of bookings) {
    if (!booking.journey || notTracked.has(booking)) continue
    const need = isScanned(booking) ? "late" : "not-scanned"
    const isOverdue = need === "late" ? isLate(booking, now) : now >= scanDueAt(booking, hours)
    if (isOverdue && isWanted(need)) overdue.set(booking, need)
  }
  await askAll("the status", [...overdue.keys()], async (api, booking) => {
    await getDetail(api, booking)
    const need = overdue.get(booking)
    if (need && !isCancelled(booking)) add(need, booking)
  })
}

async function findPickups(
  { deps, now, details, isWanted, askAll, getDetail, isCancelled, add }: Search,
  bookings: readonly ScheduledBooking[],
): Promise<void> {
  if (!isWanted("pickup-failed") && !isWanted("no-pickup") && !isWanted("pickup-lost")) return
  const near = bookings.filter(
    (booking) =>
      !isCancelled(booking) &&
      (isCollectedWithin(booking, now, -1, 1) ||
        (["FAILED", "RECONCILE_NEEDED"].includes(booking.response.pickupStatus ?? "") &&
          isCollectedWithin(booking, now, 1, 365))),
  )
  await askAll("the pickup", near, async (api, booking) => {
    const { store } = await deps.readLedger()
    const { entry, shipmentId, response } = booking
    const { is, reference } = await findPickup({ store, scope: entry.scope }, shipmentId, () =>
      getDetail(api, booking),
    )
    if (isCancelled(booking)) return
    if (is === "lost") {
      booking.lostPickup = reference
      return add("pickup-lost", booking)
    }
    if (is !== "none" && is !== "unclear") return
    if ([details.get(shipmentId)?.pickupStatus, response.pickupStatus].includes("FAILED"))
      return add("pickup-failed", booking)
    if (isCollectedWithin(booking, now, 0, 1)) add("no-pickup", booking)
  })
}

/** Once a label was there it is not asked for again. */
async function findLabels(
  { now, isWanted, askAll, isCancelled, remember, add }: Search,
  bookings: readonly ScheduledBooking[],
): Promise<void> {
  if (!isWanted("no-label")) return
  const near = bookings.filter(
    (booking) =>
      booking.entry.facts.consignmentNumber !== undefined &&
      !booking.journey?.hasLabel &&
      !isCancelled(booking) &&
      now - booking.bookedAt > GIVEN_WITHIN_MS &&
      isCollectedWithin(booking, now, -1, 1),
  )
  await askAll("the label", near, async (api, booking) => {
    try {
      await api.getLabel(booking.shipmentId)
      remember({ consignmentNumber: booking.entry.facts.consignmentNumber ?? "", hasLabel: true })
    } catch (error) {
      if (!(error instanceof FreightError) || error.kind !== "notReady") throw error
      add("no-label", booking)
    }
  })
}
