/** Tracks what was booked here, by any workstation, and stores the state in the ledger. */
import type { FreightApi } from "../../api/index.ts"
import type { Carrier, ConsignmentBookingRequest, TrackingResponse } from "../../contract/generated/types.ts"
import type { Ends } from "../../contract/index.ts"
import { FreightError } from "../../base/errors.ts"
import {
  type Entry,
  findNamed,
  isEnded,
  NEVER,
  readBooked,
  rememberUpdates,
  type Store,
  toTrackingUpdate,
  type TrackingUpdate,
} from "../../ledger/index.ts"
import type { Finder } from "../lookup/find.ts"
import type { FindEnds, Tracked } from "./events.ts"

interface TrackedLedger {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Store; scope?: string | undefined; scopes?: readonly string[] }>
}

/** Older bookings are only found by their names. */
export const OPEN_DAYS = 60

/**
 * Stores the state of consignments in the ledger. A failure to store never fails the command: the next one asks again.
 * @param now milliseconds since the epoch, at the service
 */
export async function rememberSeen(
  deps: TrackedLedger,
  updates: readonly TrackingUpdate[],
  now: number,
): Promise<void> {
  if (updates.length === 0) return
  try {
    if (!(await deps.hasLedger())) return
    const { store, scope, scopes } = await deps.readLedger()
    await rememberUpdates(store.database, updates, { scope, scopes, now })
  } catch (error) {
    if (error instanceof FreightError && error.kind === "interrupted") throw error
  }
}

export function toUpdates(found: readonly Tracked[]): TrackingUpdate[] {
  return found.flatMap(({ consignment, ...answer }) =>
    answer.supported ? [toTrackingUpdate(consignment, answer)] : [],
  )
}

/** Bookings to be tracked, oldest first, by the name that each is tracked by. */
type OpenBookings = ReadonlyMap<string, Entry>

interface OpenFilter {
  /** Booked since then: ISO 8601 in UTC. */
  since: string
  carrier: Carrier | undefined
  /**
   * Also includes journeys that ended in a look of any workstation since then (ISO 8601 in UTC), and that `isReported`
   * does not know.
   */
  endedSince: string | undefined
  isReported(consignment: string): Promise<boolean>
}

export async function findOpen(
  deps: TrackedLedger,
  { since, carrier, endedSince, isReported }: OpenFilter,
): Promise<OpenBookings> {
  const open: [string, Entry][] = []
  if (await deps.hasLedger()) {
    const { store, scopes } = await deps.readLedger()
    for await (const page of readBooked(store.database, { scopes, since, openSince: endedSince ?? NEVER }))
      for (const { entry, journey } of page) {
        const { facts } = entry
        const name = facts.consignmentNumber ?? facts.shipmentId
        if (name === undefined || (carrier !== undefined && facts.carrier !== carrier)) continue
        if (journey && isEnded(journey) && (await isReported(name))) continue
        open.push([name, entry])
      }
  }
  return new Map(open.reverse())
}

/** Tracking by names, and the number that each was tracked by. */
export interface NameTracker extends Pick<FreightApi, "track"> {
  numberOf(name: string): string
}

type TrackNumber = (number: string | undefined) => Promise<TrackingResponse>

/** @param resolve finds the number of a name, unless it is known already, and calls `track` with it */
function createTracker(
  api: Pick<FreightApi, "track">,
  resolve: (name: string, known: string | undefined, track: TrackNumber) => Promise<TrackingResponse>,
): NameTracker {
  const numbers = new Map<string, string>()
  return {
    numberOf: (name) => numbers.get(name) ?? name,
    track: ({ consignment: name, ...query }) =>
      resolve(name, numbers.get(name), async (number) => {
        // Without a number from its carrier it is pending, as the API would say.
        if (number === undefined) return { supported: true, tracking: null }
        if (number !== name) numbers.set(name, number)
        return api.track({ consignment: number, ...query })
      }),
  }
}

/** Tracks bookings of the ledger, without looking for their names. A number that the API knows is stored. */
export function trackBookings(
  open: OpenBookings,
  api: Pick<FreightApi, "track" | "getShipment">,
  { readLedger }: Pick<TrackedLedger, "readLedger">,
): NameTracker {
  const findNumber = async (name: string): Promise<string | undefined> => {
    const { id, facts } = open.get(name) ?? {}
    if (facts?.consignmentNumber !== undefined) return facts.consignmentNumber
    const number = (await api.getShipment(name)).shipment.consignmentNumber ?? undefined
    if (number !== undefined && id !== undefined)
      await (await readLedger()).store.learnConsignment(id, number).catch(() => {})
    return number
  }
  return createTracker(api, async (name, known, track) => track(known ?? (await findNumber(name))))
}

export function trackByAnyName(finder: Finder, api: Pick<FreightApi, "track" | "getShipment">): NameTracker {
  return createTracker(api, (name, known, track) =>
    finder.find(name, async (id, found) => {
      if (!found) return track(id)
      const number = known ?? found.consignmentNumber
      return track(number ?? (await api.getShipment(id)).shipment.consignmentNumber ?? undefined)
    }),
  )
}

export function readEnds({ request }: Entry): Ends {
  const { collection, sender, receiver } = Object(request) as Partial<ConsignmentBookingRequest>
  return { from: collection ?? sender, to: receiver }
}

/** The same, by consignment number. */
export function endsOf(open: OpenBookings): FindEnds {
  const ends = new Map(
    Array.from(open, ([name, entry]) => [entry.facts.consignmentNumber ?? name, readEnds(entry)]),
  )
  return async (consignment) => ends.get(consignment) ?? {}
}

/** Origin and destination of consignments that were booked here. */
export function createEndsFinder(deps: TrackedLedger): FindEnds {
  const known = new Map<string, ReturnType<FindEnds>>()
  const find: FindEnds = async (consignment) => {
    if (!(await deps.hasLedger())) return {}
    const { store, scopes } = await deps.readLedger()
    const entries = await findNamed(store.database, consignment, scopes)
    const booked = entries.find(
      ({ kind, facts }) => kind === "shipment" && facts.consignmentNumber === consignment,
    )
    return booked ? readEnds(booked) : {}
  }
  return (consignment) => {
    // An unreadable ledger does not prevent tracking.
    const ends = known.get(consignment) ?? find(consignment).catch(() => ({}))
    known.set(consignment, ends)
    return ends
  }
}
