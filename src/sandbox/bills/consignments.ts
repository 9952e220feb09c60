/** The carriers' charges for each consignment, and the consignments that they do not bill. */
import type { Charge } from "../../bills/verdicts.ts"
import type { Carrier, ConsignmentBookingRequest, Package } from "../../contract/generated/types.ts"
import { toGst } from "../../base/money.ts"
import { formatDate, wallClockNow } from "../../base/wall-clock.ts"
import { zoneOfCollection } from "../../contract/index.ts"
import { TARIFFS } from "../carriers.ts"
import { isDemo } from "../demo.ts"
import type { ShipmentEvent, Surcharges } from "../events.ts"
import { readShipmentEvent } from "../freight/shipments.ts"
import { priceServices, sumSurcharges } from "../pricing.ts"
import type { ShipmentRecord } from "../state.ts"
import { MAIN_FREIGHT_KEY } from "../tenants.ts"
import { findCollection, type Journey, toJourney } from "../tracking.ts"
import type { SandboxContext } from "../context.ts"

/** A line of a bill: amounts in cents, without GST. */
export interface BillCharge {
  readonly charge: Charge
  readonly name: string
  readonly cents: number
}

export interface Billed {
  readonly carrier: Carrier
  readonly consignment: string
  readonly reference: string
  readonly serviceCode: string
  /** As it was booked, not the volumetric weight that carriers may charge by. */
  readonly weightKg: number
  /** `yyyy-mm-dd`, on the clock of the collection. */
  readonly shipDate: string
  readonly charges: readonly BillCharge[]
}

export const UNBILLED = {
  cancelled: "cancelled",
  "payer-is-another": "paid by the receiver or a third party",
  "not-collected": "not collected",
} as const

type Unbilled = keyof typeof UNBILLED

export type Candidate = ReturnType<typeof readCandidates>[number]

export interface Wanted {
  readonly carrier: Carrier | undefined
  /** First and last day of collection, `yyyy-mm-dd`. */
  readonly since: string | undefined
  readonly until: string | undefined
}

/** The factor of `sandbox:overbilled`. */
const OVERBILLED = 1.25

/** All bookings of the main tenant with the wanted carriers for the wanted days, in the order of booking. */
export function readCandidates(sandbox: SandboxContext, wanted: Wanted) {
  return listJourneys(sandbox, wanted).map(({ record, event, journey }) => {
    const collectedAt = findCollection(journey, sandbox.seed)?.collectedAt ?? Number.POSITIVE_INFINITY
    const isCollected = collectedAt <= sandbox.now()
    const { request } = event
    const { carriage, surcharges } = splitPrice(sandbox, record, event)
    const charged = journey.triggers?.has("sandbox:overbilled") ? Math.round(carriage * OVERBILLED) : carriage
    return {
      billed: {
        carrier: record.carrier,
        consignment: journey.consignment,
        reference: request.customerReference ?? "",
        serviceCode: request.serviceCode,
        weightKg: request.items.totalWeightKg,
        shipDate: isCollected ? getDay(collectedAt, request) : getPlannedDay(request),
        charges: toCharges(record.carrier, charged, surcharges),
      },
      /** Undefined for consignments that are billed. */
      unbilled: findReasonNotToBill(event, isCollected),
      hasPickup: record.pickupStatus === "BOOKED" || record.unrecordedPickup !== undefined,
      dangerousGoods: request.dangerousGoods,
      /** The parts of its price, in cents. */
      carriage,
      surcharges,
    }
  })
}

/** The last delivery, in milliseconds since the epoch; undefined if none is ever collected. */
export function findLastDelivery(sandbox: SandboxContext, wanted: Wanted): number | undefined {
  const times = listJourneys(sandbox, wanted).flatMap(
    ({ journey }) => findCollection(journey, sandbox.seed)?.deliveredAt ?? [],
  )
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b))
}

interface BookedJourney {
  readonly record: ShipmentRecord
  readonly event: ShipmentEvent
  readonly journey: Journey
}

function listJourneys(
  sandbox: SandboxContext,
  { carrier, since = "", until = "9999-12-31" }: Wanted,
): BookedJourney[] {
  const records = sandbox.state.byTenant.get(MAIN_FREIGHT_KEY.tenant.id) ?? []
  return records
    .filter((record) => !isDemo(record) && (carrier ?? record.carrier) === record.carrier)
    .map((record) => {
      const event = readShipmentEvent(sandbox, record)
      return { record, event, journey: toJourney(record, event) }
    })
    .filter(({ event: { request } }) => since <= getPlannedDay(request) && getPlannedDay(request) <= until)
}

function findReasonNotToBill(
  { cancelled, request }: ShipmentEvent,
  isCollected: boolean,
): Unbilled | undefined {
  if (cancelled) return "cancelled"
  if (request.payer.type !== "Sender") return "payer-is-another"
  return isCollected ? undefined : "not-collected"
}

function getPlannedDay({ collectionDateTime }: ConsignmentBookingRequest): string {
  return collectionDateTime.slice(0, "yyyy-MM-dd".length)
}

function getDay(instant: number, request: ConsignmentBookingRequest): string {
  return formatDate(wallClockNow(instant, zoneOfCollection(request)))
}

function splitPrice(sandbox: SandboxContext, { carrier }: ShipmentRecord, { request, rate }: ShipmentEvent) {
  const quoted = rate.price?.exGstMinor
  const { surcharges = {} } = rate
  if (quoted !== undefined) return { carriage: quoted - sumSurcharges(surcharges), surcharges }
  const { collection, receiver, serviceCode, dangerousGoods, packages } = request
  const [priced] = priceServices(
    carrier,
    {
      from: { ...collection, residential: false },
      to: { ...receiver, residential: false },
      packages: packages ?? [toPackage(request)],
      serviceCode,
      dangerousGoods,
      date: getPlannedDay(request),
    },
    sandbox.now(),
  )
  if (!priced) throw new Error(`service ${serviceCode} was booked and has no price`)
  return {
    carriage: priced.price.exGstMinor - sumSurcharges(priced.surcharges),
    surcharges: priced.surcharges,
  }
}

function toPackage({ items }: ConsignmentBookingRequest): Package {
  const { count, totalWeightKg, maxLengthCm, maxWidthCm, maxHeightCm } = items
  return {
    count,
    lengthCm: maxLengthCm,
    widthCm: maxWidthCm,
    heightCm: maxHeightCm,
    weightKg: totalWeightKg / count,
  }
}

const SURCHARGE: Record<keyof Surcharges, Pick<BillCharge, "charge" | "name">> = {
  residentialPickup: { charge: "residential", name: "Residential pickup" },
  residentialDelivery: { charge: "residential", name: "Residential delivery" },
  dangerousGoods: { charge: "dangerous-goods", name: "Dangerous goods" },
}

/** GST is a tenth: a charge in whole tens of cents needs no rounding. */
const TEN_CENTS = 10

/**
 * The lines of a bill, which add up to the price. All but freight are whole tens of cents, so that the lines' GST, each
 * rounded to the cent, adds up to the GST of the whole price.
 */
export function toCharges(carrier: Carrier, carriage: number, surcharges: Surcharges): BillCharge[] {
  const { fuelPercent } = TARIFFS[carrier]
  const levy = (carriage * fuelPercent) / (100 + fuelPercent)
  const fuel = Math.floor(levy / TEN_CENTS) * TEN_CENTS
  const charges: BillCharge[] = [
    { charge: "freight", name: "Freight", cents: carriage - fuel },
    { charge: "fuel", name: "Fuel levy", cents: fuel },
  ]
  for (const [name, words] of Object.entries(SURCHARGE)) {
    const cents = surcharges[name as keyof Surcharges]
    if (cents !== undefined) charges.push({ ...words, cents })
  }
  return charges.filter(({ cents }, index) => index === 0 || cents !== 0)
}

/** GST of a charge, in cents. */
export function getGst({ cents }: BillCharge): number {
  return toGst(cents)
}
