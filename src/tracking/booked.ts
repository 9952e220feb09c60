/** What was booked from here, by any workstation: tracking it, and remembering in the ledger what was said. */
import type { FreightApi } from "../api/freight.ts"
import type { Carrier, ConsignmentBookingRequest } from "../contract/generated/types.ts"
import type { Ends } from "../contract/place-clock.ts"
import { FreightError } from "../errors.ts"
import type { Entry } from "../ledger/entry.ts"
import {
  isEnded,
  NEVER,
  readBooked,
  rememberUpdates,
  type TrackingUpdate,
  toTrackingUpdate,
} from "../ledger/records/journeys.ts"
import type { Store } from "../ledger/store.ts"
import type { FindEnds, Tracked } from "./events.ts"

interface ReaderDeps {
  hasLedger(): Promise<boolean>
  readLedger(): Promise<{ store: Store; scope?: string | undefined; scopes?: readonly string[] }>
}

/** Older bookings are found by their names only. */
export const OPEN_DAYS = 60

/**
 * Remembers in the ledger where consignments are. What cannot be remembered is asked for again by the next command; it
 * never fails this one.
 * @param now milliseconds since the epoch, at the service
 */
export async function rememberSeen(
  deps: ReaderDeps,
  looks: readonly TrackingUpdate[],
  now: number,
): Promise<void> {
  if (looks.length === 0) return
  try {
    if (!(await deps.hasLedger())) return
    const { store, scope, scopes } = await deps.readLedger()
    await rememberUpdates(store, looks, { scope, scopes, now })
  } catch (error) {
    if (error instanceof FreightError && error.kind === "interrupted") throw error
  }
}

export function looksIn(found: readonly Tracked[]): TrackingUpdate[] {
  return found.flatMap(({ consignment, ...answer }) =>
    answer.supported ? [toTrackingUpdate(consignment, answer)] : [],
  )
}

/** Bookings that stand and are to be tracked, oldest first, by the name that each is tracked by. */
type OpenBookings = ReadonlyMap<string, Entry>

interface OpenFilter {
  /** ISO 8601 in UTC: booked from then on. */
  since: string
  carrier: Carrier | undefined
  /** Also what ended in a look of any workstation from then on (ISO 8601 in UTC), and `isTold` does not know. */
  endedSince: string | undefined
  isTold(consignment: string): Promise<boolean>
}

/** Finds what is not delivered, in the ledger alone. */
export async function findOpen(
  deps: ReaderDeps,
  { since, carrier, endedSince, isTold }: OpenFilter,
): Promise<OpenBookings> {
  const open: [string, Entry][] = []
  if (await deps.hasLedger()) {
    const { store, scopes } = await deps.readLedger()
    for await (const page of readBooked(store, { scopes, since, openSince: endedSince ?? NEVER }))
      for (const { entry, journey } of page) {
        const { facts } = entry
        const name = facts.consignmentNumber ?? facts.shipmentId
        if (name === undefined || (carrier !== undefined && facts.carrier !== carrier)) continue
        if (journey && isEnded(journey) && (await isTold(name))) continue
        open.push([name, entry])
      }
  }
  return new Map(open.reverse())
}

/**
 * Tracking of what the ledger has booked, without looking for its names. A booking whose carrier has given it no number
 * is asked for one first, which the ledger keeps; while there is none it is pending, as the API would say.
 */
export function trackBookings(
  open: OpenBookings,
  api: Pick<FreightApi, "track" | "getShipment">,
  { readLedger }: Pick<ReaderDeps, "readLedger">,
): Pick<FreightApi, "track"> & { numberOf(name: string): string } {
  const numbers = new Map<string, string>()
  const findNumber = async (name: string): Promise<string | undefined> => {
    const { id, facts } = open.get(name) ?? {}
    if (facts?.consignmentNumber !== undefined) return facts.consignmentNumber
    const number = (await api.getShipment(name)).shipment.consignmentNumber ?? undefined
    if (number !== undefined && id !== undefined)
      await (await readLedger()).store.learnConsignment(id, number).catch(() => {})
    return number
  }
  return {
    numberOf: (name) => numbers.get(name) ?? name,
    async track({ consignment: name, ...query }) {
      const number = numbers.get(name) ?? (await findNumber(name))
      if (number === undefined) return { supported: true, tracking: null }
      numbers.set(name, number)
      return api.track({ consignment: number, ...query })
    },
  }
}

/** Where a booking was sent from and to. */
export function readEnds({ request }: Entry): Ends {
  const { collection, sender, receiver } = Object(request) as Partial<ConsignmentBookingRequest>
  return { from: collection ?? sender, to: receiver }
}

/** The same, by the number of the consignment. */
export function endsOf(open: OpenBookings): FindEnds {
  const ends = new Map(
    Array.from(open, ([name, entry]) => [entry.facts.consignmentNumber ?? name, readEnds(entry)]),
  )
  return async (consignment) => ends.get(consignment) ?? {}
}
