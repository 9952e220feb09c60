/** The consignments to track: the named ones, or all that are booked and not delivered. */
import type { Carrier, TrackingResponse } from "../../contract/generated/types.ts"
import { FreightError } from "../../base/errors.ts"
import { parsePast } from "../../base/past.ts"
import type { Deps } from "../../session/index.ts"
import type { Cancellation, Facts } from "../../ledger/index.ts"
import { DELIVERED_MARK } from "../../machine/index.ts"
import { createFinder } from "../lookup/find.ts"
import { SHIPMENTS } from "../lookup/given.ts"
import { namesOrAsk } from "../lookup/names.ts"
import {
  createEndsFinder,
  endsOf,
  findOpen,
  type NameTracker,
  OPEN_DAYS,
  trackBookings,
  trackByAnyName,
} from "./booked.ts"
import { type FindEnds, isPending, spreadsheetDamage, type Tracked } from "./events.ts"

const NAMING = {
  what: "consignment number",
  headings: ["consignmentNumber", "consignment", ...SHIPMENTS.headings],
  fault: spreadsheetDamage,
}

/** Another workstation's clock may be off by this much. */
const CLOCK_SLACK_MS = 2 * 3_600_000

export interface TrackOptions {
  /** Everything booked here that is not delivered. */
  open?: boolean
  /** With `open`: bookings from then on. */
  since?: string
  /** With `open`: ask also about what was asked less than a minute ago. */
  now?: boolean
  carrier?: Carrier
  /** Ask again for this long (ms) while the carrier knows nothing yet. */
  wait?: number
  watch?: boolean
  /** Between two rounds, in ms. */
  interval?: number
  /** Only events not shown before on this machine. */
  new?: boolean
  /** Remember what was shown, so that `new` leaves it out. */
  remember: boolean
  exec?: string
}

export interface Targets {
  names: readonly string[]
  api: NameTracker
  findEnds: FindEnds
  originOf(name: string): (Pick<Facts, "shipmentId" | "reference"> & { cancelled?: Cancellation }) | undefined
  /** The names whose answer of the last minute is shown. */
  known: ReadonlySet<string>
}

export async function findNamedTargets(deps: Deps, given: readonly string[]): Promise<Targets> {
  const names = await namesOrAsk(deps, given, NAMING, "Which shipment do you want to track?")
  const finder = createFinder(deps, "consignment")
  await finder.checkNames(names)
  const api = trackByAnyName(finder, await deps.freight())
  return { names, api, findEnds: createEndsFinder(deps), originOf: finder.foundAs, known: new Set() }
}

/** The key of a stored answer: another carrier may answer differently. */
function toQuestion(consignment: string, carrier: Carrier | undefined): string {
  return carrier === undefined ? consignment : `${consignment} ${carrier}`
}

export async function findOpenTargets(
  deps: Deps,
  given: readonly string[],
  { since, carrier, new: onlyNew, exec, now: asksNow, wait, watch }: TrackOptions,
  now: number,
): Promise<Targets> {
  if (given.length > 0)
    throw new FreightError(
      "usage",
      "--open tracks everything that is not delivered: name no consignments with it",
    )
  const from = parsePast(since ?? `${OPEN_DAYS}d`, "--since", now)
  // Deliveries seen by another workstation, or by freight today, have not been shown here yet.
  const memories = [...(onlyNew ? [deps.tracked] : []), ...(exec === undefined ? [] : [deps.handedOver])]
  const looks = (await Promise.all(memories.map((memory) => memory.lookedAt()))).filter(
    (at) => at !== undefined,
  )
  const [last] = looks.sort()
  const open = await findOpen(deps, {
    since: new Date(from).toISOString(),
    carrier,
    endedSince: last && new Date(Date.parse(last) - CLOCK_SLACK_MS).toISOString(),
    async isReported(consignment) {
      const shown = await Promise.all(memories.map((memory) => memory.shown(consignment)))
      return shown.every((marks) => marks.has(DELIVERED_MARK))
    },
  })
  const names = [...open.keys()]
  const none = {
    track: () => Promise.reject(new TypeError("nothing is tracked")),
    numberOf: (name: string) => name,
  }
  const isAskedAnew = asksNow === true || watch === true || wait !== undefined
  const kept = isAskedAnew
    ? new Map<string, TrackingResponse>()
    : await (await deps.trackingAnswers()).find(now)
  const known = new Map(
    names.flatMap((name) => {
      const answer = kept.get(toQuestion(name, carrier))
      return answer ? [[name, answer] as const] : []
    }),
  )
  const asked = names.length > known.size ? trackBookings(open, await deps.freight(), deps) : none
  const api: NameTracker = {
    numberOf: asked.numberOf,
    track: async (query) => known.get(query.consignment) ?? asked.track(query),
  }
  return {
    ...{ names, api, findEnds: endsOf(open), originOf: (name) => open.get(name)?.facts },
    known: new Set(known.keys()),
  }
}

/** Stores the answers of a look at everything open, for the next look; not those of carriers that know nothing yet. */
export async function keepAnswers(
  trackingAnswers: Deps["trackingAnswers"],
  found: readonly Tracked[],
  carrier: Carrier | undefined,
  known: ReadonlySet<string>,
  now: number,
): Promise<void> {
  const asked = found.filter((one) => !known.has(one.consignment) && !isPending(one))
  if (asked.length === 0) return
  const answers = asked.map(
    ({ consignment, ...answer }) => [toQuestion(consignment, carrier), answer] as const,
  )
  await (await trackingAnswers()).keep(new Map(answers), now)
}
