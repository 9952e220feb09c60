/** Settling what has no known outcome: looking in the API for what an intent may have made. */
import type { FreightApi } from "../api/freight.ts"
import { shipmentPages } from "../api/pages.ts"
import type {
  ConsignmentBookingRequest,
  ShipmentDetail,
  ShipmentSummary,
} from "../contract/generated/types.ts"
import type { LedgerDeps } from "./create.ts"
import { isInFlight } from "./create.ts"
import type { Entry } from "./entry.ts"
import { type Stored, slotText } from "./store.ts"

/** What came of looking for one entry. */
export interface Settled {
  /** As `--release` takes it. */
  key: string
  kind: Entry["kind"] | undefined
  about: string
  sentAt: string | undefined
  outcome: "settled" | "none" | "several" | "in-flight" | "cannot-tell" | "released"
  /** Shipments that fit. */
  matches: string[]
  /** How sending it ended, where that is known. */
  error?: string
  note: string
}

/** Clocks differ: a shipment may carry a time this much before the intent's. */
const CLOCK_SLACK_MS = 2 * 3_600_000
/** The contract does not say that `createdAt` names its zone. Without one it may be that of any place. */
const ANY_ZONE_MS = 14 * 3_600_000
/** A server that is behind may take this long to show what it made. */
const SETTLING_MS = 5 * 60_000
/** How long after the intent a slow server may have made it. */
const LATEST_MS = 24 * 3_600_000

/** Looks for the outcome of every open entry. Sends nothing that creates. */
export async function reconcile(deps: LedgerDeps, api: () => Promise<FreightApi>): Promise<Settled[]> {
  const open = await deps.store.open()
  const pages = pagesOf(api)
  const settled: Settled[] = []
  for (const stored of open) settled.push(await settleOne(deps, stored, api, pages))
  return settled
}

/** What every answer says of an entry. */
export function summary({
  entry,
  slot,
}: Stored): Pick<Settled, "key" | "kind" | "about" | "sentAt" | "error"> {
  return {
    key: entry?.key.replace(/^key:/, "") ?? slot.name,
    kind: entry?.kind,
    about: entry?.facts.about ?? "",
    sentAt: entry?.sentAt,
    ...(entry?.error && { error: entry.error.message }),
  }
}

async function settleOne(
  deps: LedgerDeps,
  stored: Stored,
  api: () => Promise<FreightApi>,
  pages: (until: number) => Promise<ShipmentSummary[]>,
): Promise<Settled> {
  const { entry } = stored
  const base = summary(stored)
  if (!entry)
    return { ...base, outcome: "cannot-tell", matches: [], note: `The file ${stored.file} cannot be read.` }
  if (isInFlight(entry, deps))
    return { ...base, outcome: "in-flight", matches: [], note: "A running process is sending it." }
  if (entry.kind === "shipment") return settleShipment(deps, stored, entry, await api(), pages)
  if (entry.kind === "pickup" && entry.facts.shipmentId !== undefined)
    return settlePickup(deps, stored, entry, entry.facts.shipmentId, await api())
  const note =
    entry.kind === "pickup"
      ? "The API cannot list pickups: ask the carrier whether it has one, then release this if it has not."
      : "The API cannot list print jobs: look at the printer, then release this if nothing came."
  return { ...base, outcome: "cannot-tell", matches: [], note }
}

/** Exactly one shipment that fits, and that no other entry made, is the outcome. */
async function settleShipment(
  deps: LedgerDeps,
  stored: Stored,
  entry: Entry,
  api: FreightApi,
  pages: (until: number) => Promise<ShipmentSummary[]>,
): Promise<Settled> {
  const base = summary(stored)
  const sent = Date.parse(entry.sentAt)
  const request = entry.request as ConsignmentBookingRequest
  const matches: ShipmentDetail[] = []
  for (const each of await pages(sent)) {
    const [earliest, latest] = madeBetween(each)
    if (latest < sent || earliest > sent + LATEST_MS) continue
    if (entry.facts.carrier !== undefined && each.carrier !== entry.facts.carrier) continue
    if (each.serviceCode !== request.serviceCode || each.source !== "API") continue
    if (each.toSuburb && !same(each.toSuburb, request.receiver.suburb)) continue
    const owner = await deps.store.ofShipment(each.id)
    if (owner && slotText(owner) !== slotText(stored.slot)) continue
    const { shipment } = await api.getShipment(each.id)
    if (isOutcome(shipment, request)) matches.push(shipment)
  }
  const ids = matches.map(({ id }) => id)
  const [only, ...others] = matches
  if (!only) return { ...base, matches: ids, ...nothingFits(entry, deps) }
  if (others.length > 0)
    return {
      ...base,
      outcome: "several",
      matches: ids,
      note: "Several shipments fit, and none is surely the one. It stays open until you say which, with --settle.",
    }
  await settleAs(deps, stored, entry, only, "Found by reconcile.")
  return { ...base, outcome: "settled", matches: ids, note: `It is shipment ${only.id}.` }
}

/** Writes a shipment as what the entry made. */
export async function settleAs(
  deps: LedgerDeps,
  stored: Stored,
  entry: Entry,
  { id, orderNumber, consignmentNumber }: ShipmentDetail,
  note: string,
): Promise<void> {
  await settleDone(deps, stored, entry, {
    note,
    facts: { ...entry.facts, shipmentId: id },
    response: {
      orderNumber,
      shipmentId: id,
      connectorId: entry.facts.connectorId ?? "",
      ...(consignmentNumber && { consignmentNumber }),
    },
  })
}

/** Nothing found is an answer only for the account that sent it, and only once the service had time to make it. */
function nothingFits(
  { account, sentAt }: Entry,
  { account: own, clock }: LedgerDeps,
): Pick<Settled, "outcome" | "note"> {
  if (account !== own)
    return {
      outcome: "cannot-tell",
      note: "It was sent with another API key, and this one shows no shipment that fits: look with that key.",
    }
  if (clock.now() - Date.parse(sentAt) < SETTLING_MS)
    return {
      outcome: "none",
      note: "No shipment fits yet, but the service may still be making it: look again in a few minutes.",
    }
  return { outcome: "none", note: "No shipment fits: it was probably never made." }
}

/** A shipment that reads BOOKED has its pickup; any other reading proves nothing (`NOT_BOOKED` also after a lost record). */
async function settlePickup(
  deps: LedgerDeps,
  stored: Stored,
  entry: Entry,
  shipmentId: string,
  api: FreightApi,
): Promise<Settled> {
  const base = summary(stored)
  const { shipment } = await api.getShipment(shipmentId)
  if (shipment.pickupStatus !== "BOOKED")
    return {
      ...base,
      outcome: "cannot-tell",
      matches: [shipmentId],
      note: "The shipment shows no pickup, but one may exist: ask the carrier, then release this if there is none.",
    }
  await settleDone(deps, stored, entry, { note: "Found by reconcile.", response: { status: "BOOKED" } })
  return { ...base, outcome: "settled", matches: [shipmentId], note: "The shipment's pickup is booked." }
}

async function settleDone(
  deps: LedgerDeps,
  { slot }: Stored,
  entry: Entry,
  more: Partial<Entry>,
): Promise<void> {
  const { error: _, ...kept } = entry
  await deps.store.settle(slot, {
    ...kept,
    state: "done",
    settledAt: new Date(deps.clock.now()).toISOString(),
    ...more,
  })
}

/** The details that a shipment keeps of its request, compared as people write them. */
function isOutcome(shipment: ShipmentDetail, request: ConsignmentBookingRequest): boolean {
  const { receiver, sender, items } = request
  return (
    same(shipment.customerReference ?? "", request.customerReference ?? "") &&
    same(shipment.receiver.companyName, receiver.companyName) &&
    same(shipment.receiver.address1, receiver.address1) &&
    same(shipment.receiver.postcode, receiver.postcode) &&
    same(shipment.sender.companyName, sender.companyName) &&
    shipment.items.count === items.count &&
    Math.abs(shipment.items.totalWeightKg - items.totalWeightKg) < 0.001 &&
    shipment.collectionDateTime.slice(0, 16) === request.collectionDateTime.slice(0, 16)
  )
}

/** As people write it: case and blanks do not count. */
export function same(a: string, b: string): boolean {
  const plain = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase()
  return plain(a) === plain(b)
}

/** The earliest and latest moment at which a shipment can have been made, by the clock of this machine. */
function madeBetween({ createdAt }: ShipmentSummary): [earliest: number, latest: number] {
  const hasZone = /(z|[+-]\d\d:?\d\d)$/i.test(createdAt)
  const at = Date.parse(hasZone ? createdAt : `${createdAt}Z`)
  if (Number.isNaN(at)) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const slack = CLOCK_SLACK_MS + (hasZone ? 0 : ANY_ZONE_MS)
  return [at - slack, at + slack]
}

/** The shipment list back to a time, newest first; each page is read once, however many entries ask. */
function pagesOf(api: () => Promise<FreightApi>): (until: number) => Promise<ShipmentSummary[]> {
  const read: ShipmentSummary[] = []
  let pages: AsyncGenerator<ShipmentSummary[]> | undefined
  let oldest = Number.POSITIVE_INFINITY
  return async (until) => {
    pages ??= shipmentPages(await api())
    while (oldest >= until) {
      const { value: page, done } = await pages.next()
      if (done) break
      read.push(...page)
      oldest = Math.min(oldest, ...page.map((each) => madeBetween(each)[1]))
    }
    return read
  }
}
