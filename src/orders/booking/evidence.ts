/** Completes rates from this ledger: their GST, and the history of similar bookings. */
import type { Clock } from "../../base/ports.ts"
import { parseDays } from "../../base/when.ts"
import { FreightError } from "../../base/errors.ts"
import { quoted } from "../../base/parsed.ts"
import type { AggregatedRateResponse, RatedService, RateRequest } from "../../contract/generated/types.ts"
import { stateCode } from "../../contract/index.ts"
import type { CarrierService, Database, Lane } from "../../ledger/index.ts"
import { createAddKnownGst, getMostCents, type GstDeps, whyNotCompared } from "./gst.ts"
import type { ArrivalEvidence, BilledEvidence, RateEvidence, ServiceEvidence } from "./lane-evidence.ts"

type Rates = Pick<AggregatedRateResponse, "results">

export interface EvidenceDeps extends GstDeps {
  clock: Pick<Clock, "now">
}

interface CompleteOptions {
  /** Whether to add how earlier bookings arrived and were billed. */
  needsEvidence: boolean
}

export type CompleteRates = <Reply extends Rates>(
  reply: Reply,
  request: Pick<RateRequest, "from" | "to">,
  options: CompleteOptions,
) => Promise<Reply>

/** Adds known GST, and evidence if asked for. Asks the ledger once for each lane and its services. */
export function createCompleteRates(deps: EvidenceDeps): CompleteRates {
  const addKnownGst = createAddKnownGst(deps)
  const days = readEvidenceDays(deps.settings)
  const read = new Map<string, Promise<FindEvidence>>()
  let isNoted = false
  return async (given, { from, to }, { needsEvidence }) => {
    const reply = await addKnownGst(given)
    if (!needsEvidence || days === 0) return reply
    const services = listServices(reply)
    const lanes = listLanes(from, to)
    const name = JSON.stringify([lanes, services])
    const known = read.get(name) ?? readEvidence(deps, lanes, services, days)
    read.set(name, known)
    try {
      return withEvidence(reply, await known)
    } catch (error) {
      // Rates are shown without a ledger too; they are then compared by quote and promise.
      if (!(error instanceof FreightError) || error.kind === "interrupted") throw error
      if (!isNoted)
        await deps.note(`How earlier bookings arrived and were billed is not known: ${error.message}.`)
      isNoted = true
      return reply
    }
  }
}

const DEFAULT_DAYS = 180

/** The setting `evidenceDays`. @throws FreightError `config` where it is damaged */
export function readEvidenceDays(settings: Pick<GstDeps["settings"], "resolve">): number {
  const { value, from } = settings.resolve("evidenceDays")
  if (value === undefined) return DEFAULT_DAYS
  const days = parseDays(value)
  if (days.ok) return days.value
  throw new FreightError(
    "config",
    `the setting evidenceDays of profile ${quoted(from ?? "")} is not a number of days`,
    {
      hint: `Such as ${DEFAULT_DAYS}d.`,
      next: "freight config unset evidenceDays",
    },
  )
}

function listServices({ results }: Rates): CarrierService[] {
  const services = results.flatMap(({ carrier, rates = [] }) =>
    rates.map(({ serviceCode }) => [`${carrier}\n${serviceCode}`, { carrier, serviceCode }] as const),
  )
  return [...new Map(services).values()]
}

function listLanes(from: RateRequest["from"], to: RateRequest["to"]): Lane[] {
  const toArea = ({ postcode }: RateRequest["from"]) => postcode.slice(0, 2)
  const toState = ({ state }: RateRequest["from"]) => stateCode(state) ?? state
  return [
    { kind: "area", from: toArea(from), to: toArea(to) },
    { kind: "state", from: toState(from), to: toState(to) },
    { kind: "all" },
  ]
}

type FindEvidence = (
  service: CarrierService,
  saysGst: boolean,
) => { arrival?: ArrivalEvidence | undefined; billed?: BilledEvidence | undefined } | undefined

async function readEvidence(
  { hasLedger, readLedger, clock }: EvidenceDeps,
  lanes: readonly Lane[],
  services: readonly CarrierService[],
  days: number,
): Promise<FindEvidence> {
  if (services.length === 0 || !(await hasLedger())) return () => undefined
  const { store, scopes } = await readLedger()
  return findEvidence(store.database, { scopes, lanes, services, days, now: clock.now() })
}

interface EvidenceQuery {
  scopes: readonly string[] | undefined
  lanes: readonly Lane[]
  services: readonly CarrierService[]
  days: number
  /** Milliseconds since the epoch. */
  now: number
}

const DAY_MS = 86_400_000

/** Each number from the narrowest lane that has enough for it. */
export async function findEvidence(
  database: Database,
  { scopes, lanes, services, days, now }: EvidenceQuery,
): Promise<FindEvidence> {
  const { findBillsKept, findOutcomes } = await import("../../ledger/records/evidence.ts")
  const { widen } = await import("./lane-evidence.ts")
  const kept = await findBillsKept(database)
  const until = Math.floor(now / DAY_MS) * DAY_MS
  const found = new Map<string, ServiceEvidence>()
  const nameOf = ({ carrier, serviceCode }: CarrierService) => `${carrier}\n${serviceCode}`
  for (const lane of lanes) {
    const lacking = services.filter((service) => {
      const known = found.get(nameOf(service))
      return lane.kind === "all" || !known?.arrival || (kept.bills && known.billed.size === 0)
    })
    const outcomes = await findOutcomes(database, {
      ...{ kept, scopes, lane, services: lacking, since: until - days * DAY_MS, until },
    })
    for (const service of lacking) {
      const own = outcomes.filter((each) => nameOf(each) === nameOf(service))
      found.set(nameOf(service), widen(found.get(nameOf(service)), own, lane))
    }
  }
  return (service, saysGst) => {
    const known = found.get(nameOf(service))
    return known && { arrival: known.arrival, billed: known.billed.get(saysGst) }
  }
}

export type EvidencedRate = RatedService & { evidence?: RateEvidence }

function withEvidence<Reply extends Rates>(reply: Reply, find: FindEvidence): Reply {
  const results = reply.results.map((result) => {
    if (!result.rates) return result
    const rates = result.rates.map((rate): EvidencedRate => {
      const { carrier } = result
      const known = find({ carrier, serviceCode: rate.serviceCode }, rate.priceIncGst !== undefined)
      if (!known?.arrival && !known?.billed) return rate
      const { arrival, billed } = known
      const likely =
        billed && whyNotCompared(rate) === undefined && Math.round(getMostCents(rate) * billed.ratio) / 100
      return {
        ...rate,
        evidence: {
          ...(arrival && { arrival }),
          ...(billed && typeof likely === "number" && { billed, likely }),
        },
      }
    })
    return { ...result, rates }
  })
  return { ...reply, results }
}

/** The likely price with GST, in cents; by the quote if bills are too few. */
export function getLikelyCents(rate: EvidencedRate): number {
  const { likely } = rate.evidence ?? {}
  return likely === undefined ? getMostCents(rate) : Math.round(likely * 100)
}
