/** Gathers a pickup from its file, its flags and its shipment, books it through the ledger, and remembers those that only the carrier knows. */
import type { FreightApi } from "../../api/index.ts"
import { type Globals, onSameService, readPackages } from "../../machine/index.ts"
import { carrierName } from "../../carriers/index.ts"
import {
  type Allowances,
  applySets,
  checkBookingTimes,
  checkPickup,
  findErrors,
  inWords,
  itemsOf,
  type Moment,
  type PickupPlace,
  placeParts,
  zoneOfCollection,
} from "../../contract/index.ts"
import { nextCommand } from "../../base/command-line.ts"
import * as requests from "../../contract/generated/requests.js"
import {
  type AccountLedger,
  addToPickup,
  type Created,
  type CreateKey,
  createOnce,
  type Entry,
  findPickup,
  findNotYetReported,
  type Intent,
  isWaitingFor,
  type LedgerDeps,
  type Statements,
} from "../../ledger/index.ts"
import type {
  BookingAddress,
  Carrier,
  ConsignmentBookingRequest,
  PickupBookingDetail,
  PickupBookingRequest,
  PickupBookingResponse,
  ShipmentDetail,
} from "../../contract/generated/types.ts"
import { type Parsed, parsed, quoted, refused, valueOrThrow } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import {
  formatClock,
  formatDate,
  formatNear,
  parseTimeOfDay,
  parseWallClock,
  type WallClock,
  wallClockNow,
} from "../../base/wall-clock.ts"
import { parseDay, parseMoment } from "../../base/when.ts"
import { toFlagName } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { fetchConnectors, describeConnectors } from "./connector.ts"
import { checkRequest, createRequestError, type Gathered, readInput, type RequestKind } from "./input.ts"
import { type DraftDeps, readParty } from "./request.ts"
import type { JsonObject } from "../../base/json.ts"
import type { OwnLedger } from "./standings.ts"
import type { Notes } from "../../base/ports.ts"

export interface PickupOptions {
  file?: string
  shipment?: string
  collection?: string
  receiver?: string
  package?: string[]
  service?: string
  date?: string
  ready?: string
  close?: string
  set?: string[]
}

const PICKUP: RequestKind = {
  what: "pickup",
  flags: [
    { path: "collection", flag: "--collection NAME or FILE.json" },
    { path: "items", flag: "--package 2x40x30x20@5.5" },
    { path: "receiver", flag: "--receiver NAME or FILE.json" },
    { path: "serviceCode", flag: "--service CODE" },
    { path: "pickupDate", flag: "--date tomorrow" },
    { path: "readyTime", flag: "--ready 10:00" },
    { path: "closeTime", flag: "--close 17:00" },
  ],
}

/**
 * Gathers a pickup from its file and its flags over that. Times are brought to `HH:MM`, the one of the contract's
 * shapes that reads the same everywhere: it does not say which a pickup takes.
 */
export async function gatherPickup(
  deps: Pick<DraftDeps, "files" | "terminal" | "config" | "clock" | "places"> & {
    note(text: string): Promise<void>
  },
  options: PickupOptions,
): Promise<Gathered> {
  const input = options.file === undefined ? undefined : await readInput(deps, options.file)
  const draft: JsonObject = { ...input?.value }
  if (options.shipment !== undefined) draft.shipmentId = options.shipment
  for (const end of ["collection", "receiver"] as const) {
    const given = options[end]
    if (given !== undefined) draft[end] = await readParty(deps, given, toFlagName(end))
  }
  if (options.package) draft.items = { ...itemsOf(await readPackages(deps, options.package)) }
  if (options.service !== undefined) draft.serviceCode = options.service
  const now = () => wallClockNow(deps.clock.now(), zoneOfCollection(draft))
  if (options.date !== undefined) draft.pickupDate = valueOrThrow(parseDay(options.date, now), "--date")
  if (options.ready !== undefined) setReady(draft, options.ready, options.date === undefined, now)
  if (options.close !== undefined) draft.closeTime = valueOrThrow(clock(options.close), "--close")
  const request = applySets(draft, options.set ?? [], "PickupBookingRequest", now)
  for (const field of ["readyTime", "closeTime"]) {
    const time = request[field]
    if (typeof time === "string")
      request[field] = valueOrThrow(clock(time), input ? `${input.name}: ${field}` : field)
  }
  // With a shipment, address and goods are the shipment's (Behaviour 8): both together are not sent.
  const mixed = findErrors(requests.PickupBookingRequest, request).filter(({ keyword }) => keyword === "not")
  if (mixed.length > 0) throw createRequestError({ request, input }, PICKUP, mixed)
  return { request, input }
}

/** `10:00`, or with its day: `2026-11-23T10:00`, `tomorrow 10am`. */
function setReady(draft: JsonObject, text: string, hasNoDate: boolean, now: () => WallClock): void {
  if (parseTimeOfDay(text).ok) {
    draft.readyTime = valueOrThrow(clock(text), "--ready")
    return
  }
  const wallClock = valueOrThrow(parseMoment(text, now), "--ready")
  const day = formatDate(wallClock)
  if (!hasNoDate && draft.pickupDate !== day)
    throw new FreightError("usage", `--ready is on ${day}, and --date says ${String(draft.pickupDate)}`)
  draft.pickupDate = day
  draft.readyTime = formatClock(wallClock)
}

function clock(text: string): Parsed<string> {
  const time = parseTimeOfDay(text)
  if (!time.ok) return time
  return time.value.second > 0
    ? refused(`${quoted(text)} has seconds: a pickup's times are hours and minutes`)
    : parsed(formatClock(time.value))
}

/** Fills in the collection time from the shipment's booking. @returns a note of what was filled in */
export function fillFromShipment(request: JsonObject, shipment: ShipmentDetail): string | undefined {
  const booked = parseWallClock(shipment.collectionDateTime ?? "")
  const close = clock(shipment.collectionCloseTime ?? "")
  const known = {
    ...(booked.ok && { pickupDate: formatDate(booked.value), readyTime: formatClock(booked.value) }),
    ...(close.ok && { closeTime: close.value }),
  }
  const filled = Object.entries(known).filter(([field]) => request[field] === undefined)
  for (const [field, value] of filled) request[field] = value
  if (filled.length === 0) return undefined
  return `As the shipment was booked: ${filled.map(([field, value]) => `${WORDS[field]} ${value}`).join(", ")}.`
}

const WORDS: Readonly<Record<string, string>> = {
  pickupDate: "on",
  readyTime: "ready at",
  closeTime: "closing at",
}

export function checkPickupDraft(
  draft: Gathered,
  {
    shipment,
    ...place
  }: Omit<PickupPlace, "collection" | "ready"> & { shipment: ShipmentDetail | undefined },
): { request: PickupBookingRequest; warnings: string[] } {
  const booked = shipment && parseWallClock(shipment.collectionDateTime ?? "")
  const ready = booked?.ok ? booked.value : undefined
  return checkRequest(draft, PICKUP, requests.PickupBookingRequest, (request) =>
    checkPickup(request, { ...place, ready, collection: shipment?.collection ?? request.collection }),
  )
}

export interface Pickup extends CreateKey {
  connectorId: string
  carrier: Carrier | undefined
  request: PickupBookingRequest
  shipments?: readonly string[]
  /** See `Intent`. */
  check?: () => void
  /** The question before it is sent, if that is about more than this pickup. */
  question?: string | undefined
}

/** The carrier said no: a 201 whose status is FAILED. Nothing exists, and it may be asked for again. */
export class FailedPickup extends FreightError {
  readonly response: PickupBookingResponse

  constructor(response: PickupBookingResponse, detail: PickupBookingDetail | undefined) {
    const { lastErrorCode: apiCode, lastErrorMessage: reason } = detail ?? {}
    super("refused", `the carrier refused the pickup${reason ? `: ${reason}` : ""}`, {
      status: 201,
      code: "CARRIER_REFUSED",
      apiCode: apiCode || undefined,
      hint: "No pickup was made. Change the request, and book it again.",
      ...(response.pickupBookingId && nextCommand("freight", "pickup", "show", response.pickupBookingId)),
    })
    this.response = response
  }
}

/**
 * POST /{connectorId}/pickups, at most once for its key or its shipments, or for its content within 24 hours. When the
 * carrier has it and the service could not save it, the entry is `standing`: it is never sent again, and the response
 * holds nothing but the carrier's reference.
 */
export async function sendPickup(
  ledger: LedgerDeps,
  api: FreightApi,
  pickup: Pickup,
): Promise<Created<PickupBookingResponse>> {
  const { connectorId, request } = pickup
  const about = aboutPickup(request)
  let isLost = false
  return createOnce<PickupBookingResponse>(
    ledger,
    { ...pickupIntent(api, pickup), question: pickup.question ?? askToCollect(pickup, ledger.clock.now()) },
    async (lease) => {
      const outcome = await api.createPickup(connectorId, request, lease)
      if (outcome.recorded) return refuseFailed(api, outcome.response)
      isLost = true
      return { orderNumber: outcome.orderNumber, connectorId }
    },
    ({ orderNumber }) => ({
      reference: orderNumber || undefined,
      ...(isLost && { standing: true, about: withReference(about, orderNumber) }),
    }),
  )
}

/** A pickup is booked at most this long before the collection. */
const MAX_AHEAD_MS = 60 * 86_400_000

/** Another pickup that was booked with the carrier account for the same place, day and time; undefined if there is none. */
export async function findSamePickup(
  { store, owner, clock }: AccountLedger,
  api: Pick<FreightApi, "getShipment">,
  { connectorId, request, key }: Pickup,
  collection: BookingAddress | undefined,
): Promise<Entry | undefined> {
  if (!collection) return undefined
  const scope = owner.compared ?? owner.scope
  const since = new Date(clock.now() - MAX_AHEAD_MS).toISOString()
  const findPlace = async (id: string) => {
    const booking = (await store.ofShipment(scope, id))?.request as
      | Partial<ConsignmentBookingRequest>
      | undefined
    if (booking?.collection) return booking.collection
    try {
      return (await api.getShipment(id)).shipment.collection
    } catch (error) {
      if (error instanceof FreightError && error.kind === "notFound") return undefined
      throw error
    }
  }
  const placeOf = (address: BookingAddress) => placeParts(address).join("\n").toLowerCase()
  // It may have been added to a pickup of others.
  const own = request.shipmentId === undefined ? undefined : await store.pickupOf(scope, request.shipmentId)
  for (const entry of await store.pickupsSince(scope, since)) {
    const booked = entry.request as PickupBookingRequest
    const { shipmentId } = entry.facts
    const isOwn =
      entry.id === own?.id ||
      entry.key === `key:${key}` ||
      (shipmentId !== undefined && shipmentId === request.shipmentId)
    if (isOwn || !isAtTime(entry, { connectorId, request })) continue
    const place = booked.collection ?? (shipmentId === undefined ? undefined : await findPlace(shipmentId))
    if (place && placeOf(place) === placeOf(collection)) return entry
  }
  return undefined
}

export function isAtTime(
  { facts, request }: Pick<Entry, "facts" | "request">,
  wanted: { connectorId: string; request: Pick<PickupBookingRequest, "pickupDate" | "readyTime"> },
): boolean {
  const { pickupDate, readyTime } = request as PickupBookingRequest
  const isThen = pickupDate === wanted.request.pickupDate && readyTime === wanted.request.readyTime
  return isThen && facts.connectorId === wanted.connectorId
}

/** Whether a shipment waits for that pickup, which is with that carrier account, on that day and at that time. */
export async function isWaitingAtTime(
  database: Statements,
  pickup: Entry | undefined,
  wanted: Parameters<typeof isAtTime>[1],
  shipmentId: string,
): Promise<boolean> {
  return (
    pickup !== undefined && isAtTime(pickup, wanted) && (await isWaitingFor(database, pickup, shipmentId))
  )
}

/**
 * Notes that a shipment waits for a pickup that is booked there with its carrier, day and time, and warns: the carrier
 * comes once, and has to be told.
 * @returns that pickup; undefined if the shipment has one of its own, or there is none to wait for
 */
export async function waitForSamePickup(
  { warn, globals }: { warn(text: string): Promise<void>; readonly globals: Globals },
  ledger: LedgerDeps,
  api: FreightApi,
  pickup: Pickup,
  collection: BookingAddress | undefined,
): Promise<Entry | undefined> {
  const { shipmentId } = pickup.request
  if (shipmentId === undefined) return undefined
  const { store, owner } = ledger
  const { database } = store
  const own = await store.pickupOf(owner.scope, shipmentId)
  const isWaiting = await isWaitingAtTime(database, own, pickup, shipmentId)
  const same = isWaiting ? own : await findSamePickup(ledger, api, pickup, collection)
  if (same?.state !== "done" || (!isWaiting && !(await hasNoPickup(ledger, api, shipmentId))))
    return undefined
  await addToPickup(database, { id: same.id, scope: owner.scope }, [shipmentId])
  const notYetReported = await findNotYetReported(database, { pickupId: same.id })
  const name = getPickupName(same)
  const next = tellCommand({ pickup: name, shipments: notYetReported.length })
  await warn(
    `it waits for pickup ${safeText(name, 100)}, which was booked there with that carrier, day and time without it: call the carrier, then run ${onSameService(next, globals)}`,
  )
  return same
}

async function hasNoPickup(
  { store, owner }: LedgerDeps,
  api: FreightApi,
  shipmentId: string,
): Promise<boolean> {
  const getShipment = async (id: string) => (await api.getShipment(id)).shipment
  return (await findPickup({ store, scope: owner.scope }, shipmentId, getShipment)).is === "none"
}

/** Shipments that wait for a pickup, about which the carrier has to be told. */
export interface WaitingForPickup {
  /** As commands take it. */
  pickup: string
  shipments: number
}

/** A pickup in the ledger, by a name that `freight pickup` takes. */
export function getPickupName({
  id,
  facts: { reference },
  response,
}: Pick<Entry, "id" | "facts" | "response">): string {
  const { pickupBookingId } = Object(response) as Partial<PickupBookingResponse>
  return reference || pickupBookingId || id
}

/** The command that records that the carrier was told, with NAME in it, which a person replaces. */
export function tellCommand({ pickup, shipments }: WaitingForPickup): string {
  const words = ["freight", "pickup", "told", pickup, "--count", String(shipments), "--who", "NAME"]
  return nextCommand(...words).next ?? "freight pickup told PICKUP --who NAME"
}

export function describeSamePickup({ facts: { reference } }: Entry): string {
  return `a pickup is booked there with that carrier, day and time already${reference ? ` (${safeText(reference)})` : ""}`
}

/** `Book the pickup: CARRIER, tomorrow 10:00 to 17:00, at Harbour Lighting, Alexandria?` */
function askToCollect({ connectorId, carrier, request }: Pickup, now: number): string {
  const { pickupDate, readyTime, closeTime, collection } = request
  const ready = parseWallClock(`${pickupDate}T${readyTime}`)
  const there = wallClockNow(now, zoneOfCollection({ collection }))
  const when = `${ready.ok ? formatNear(ready.value, there) : `${pickupDate} ${readyTime}`} to ${closeTime}`
  const where = collection ? [`at ${collection.companyName}, ${collection.suburb}`] : []
  return `Book the pickup: ${[carrier ? carrierName(carrier) : connectorId, when, ...where].join(", ")}?`
}

export function pickupIntent(
  api: Pick<FreightApi, "getShipment">,
  { connectorId, carrier, request, shipments, ...intent }: Pickup,
): Extract<Intent, { kind: "pickup" }> {
  const { shipmentId, serviceCode } = request
  return {
    kind: "pickup",
    ...intent,
    content: pickupContent(connectorId, request),
    collects: {
      shipments: shipments ?? (shipmentId === undefined ? [] : [shipmentId]),
      getShipment: async (id) => (await api.getShipment(id)).shipment,
    },
    call: `POST /${connectorId}/pickups`,
    request,
    facts: {
      connectorId,
      carrier,
      serviceCode,
      shipmentId,
      about: aboutPickup(request),
    },
  }
}

/** The content by which the ledger recognises the same pickup. */
export function pickupContent(connectorId: string, request: PickupBookingRequest): Intent["content"] {
  const { shipmentId } = request
  return shipmentId === undefined ? { connectorId, ...request } : { connectorId, shipmentId }
}

/** Collection day and times of a booking in the form of a pickup: times as `HH:MM`. */
export function pickupTimes(
  booking: Pick<ConsignmentBookingRequest, "collectionDateTime" | "collectionCloseTime">,
): Pick<PickupBookingRequest, "pickupDate" | "readyTime" | "closeTime"> {
  const ready = valueOrThrow(parseWallClock(booking.collectionDateTime), "collectionDateTime")
  const close = valueOrThrow(parseTimeOfDay(booking.collectionCloseTime), "collectionCloseTime")
  return { pickupDate: formatDate(ready), readyTime: formatClock(ready), closeTime: formatClock(close) }
}

export function checkPickupTime(booking: ConsignmentBookingRequest, moment: Moment): void {
  const [error] = checkBookingTimes(booking, undefined, moment).errors
  if (error) throw new FreightError("input", `no pickup was booked: ${inWords(error)}`)
}

/** The error for a pickup that the carrier has and the service has no record of (freight behaviour 8). */
export function findLostPickup({
  response,
  entry,
}: Created<PickupBookingResponse>): FreightError | undefined {
  return entry.facts.standing ? createLostPickupError(response.orderNumber) : undefined
}

/** @param reference the carrier's own, or the words in which the service gave it */
export function createLostPickupError(reference: string | null | undefined): FreightError {
  const known = safeText(reference ?? "", 200)
  return new FreightError(
    "stepFailed",
    `the carrier has the pickup, but the service has no record of it${known && ` (${known})`}`,
    {
      hint: "Do not book it again: settle it with the carrier, who knows that reference. freight history keeps it.",
      next: "freight history --kind pickup",
    },
  )
}

/** A pickup that was booked under its key is returned again, whatever its age and content. */
export async function allowForKey(
  { store, owner }: OwnLedger,
  { key, allowPast, allowDensity, acceptPlaces }: CreateKey & Allowances,
): Promise<Allowances> {
  const isTaken = key !== undefined && (await store.latest(owner.scope, "pickup", `key:${key}`)) !== undefined
  return isTaken
    ? { allowPast: true, allowDensity: true, acceptPlaces: true }
    : { allowPast, allowDensity, acceptPlaces }
}

/** The status decides. If the reply has no known status, the record may have one. */
async function refuseFailed(
  api: FreightApi,
  response: PickupBookingResponse,
): Promise<PickupBookingResponse> {
  const { pickupBookingId, status } = response
  if (status === "BOOKED") return response
  const said = status === "FAILED" ? status : undefined
  const detail = pickupBookingId === undefined ? undefined : await findPickupRecord(api, pickupBookingId)
  if ((said ?? detail?.status) === "FAILED") throw new FailedPickup(response, detail)
  return response
}

/** The reason helps, but the failure is known without it. */
async function findPickupRecord(api: FreightApi, id: string): Promise<PickupBookingDetail | undefined> {
  try {
    return (await api.getPickup(id)).pickup
  } catch (error) {
    if (error instanceof FreightError) return undefined
    throw error
  }
}

interface CarrierPickup {
  connectorId: string
  shipmentId: string
  /** As the carrier or the service worded it; a booking has it in `labelWarning`. */
  reference: string | undefined
}

/**
 * Notes a pickup that the carrier has and the API does not show (`RECONCILE_NEEDED`, which only the booking's own reply
 * says): a pickup for that shipment is then refused, whatever its key. Sends nothing; noting it again changes nothing.
 */
export async function rememberCarrierPickup(
  ledger: LedgerDeps,
  { connectorId, shipmentId, reference }: CarrierPickup,
): Promise<void> {
  try {
    await createOnce<PickupBookingResponse>(
      ledger,
      {
        kind: "pickup",
        again: true,
        content: { connectorId, shipmentId },
        collects: { shipments: [shipmentId], getShipment: undefined },
        call: `POST /${connectorId}/shipments`,
        request: { shipmentId },
        facts: {
          connectorId,
          shipmentId,
          about: withReference("made with the booking", reference),
          reference,
          standing: true,
        },
      },
      async () => ({ connectorId, ...(reference !== undefined && { orderNumber: reference }) }),
    )
  } catch (error) {
    // It is noted already, or one is being sent: either way no second one goes out.
    if (error instanceof FreightError && (error.kind === "refused" || error.kind === "outcomeUnknown")) return
    throw error
  }
}

/**
 * The connector that a shipment was booked on: the one this machine booked it with, or the one whose carrier and name
 * the shipment has. A shipment does not name it by id.
 * @param named from `--connector`
 */
export async function connectorOfShipment(
  deps: Parameters<typeof fetchConnectors>[0],
  ledger: OwnLedger,
  { id: shipmentId, carrier, connectorName }: ShipmentDetail,
  named: string | undefined,
): Promise<string> {
  const booked = (await ledger.store.ofShipment(ledger.owner.scope, shipmentId))?.facts.connectorId
  if (booked !== undefined) {
    if (named === undefined || named === booked) return booked
    throw new FreightError(
      "usage",
      `shipment ${shipmentId} was booked on connector ${booked}, not on ${named}`,
    )
  }
  if (named !== undefined) return named
  const connectors = await fetchConnectors(deps)
  const [only, ...others] = connectors.filter(
    (connector) => connector.carrier === carrier && connector.name === connectorName,
  )
  if (only && others.length === 0) return only.id
  throw new FreightError("usage", `the connector of shipment ${shipmentId} is unknown: give --connector ID`, {
    hint: `It was booked on ${quoted(connectorName ?? "")}. There are: ${describeConnectors(connectors)}.`,
    next: "freight connectors",
  })
}

/** `on 2026-11-23, 10:00 to 17:00, at Harbour Lighting, Alexandria`. */
function aboutPickup({ pickupDate, readyTime, closeTime, collection }: PickupBookingRequest): string {
  const where = collection ? `, at ${collection.companyName}, ${collection.suburb}` : ""
  return `on ${pickupDate}, ${readyTime} to ${closeTime}${where}`
}

function withReference(about: string, reference: string | null | undefined): string {
  return reference ? `${about}; the carrier's reference: ${reference}` : about
}

export async function reportPickup(deps: Notes, created: Created<PickupBookingResponse>): Promise<void> {
  const lost = findLostPickup(created)
  if (lost) throw lost
  if (created.recorded) return deps.note("Booked before under this key. Nothing was sent.")
  if (created.response.status === undefined)
    await deps.warn("the reply does not say whether the carrier accepted the pickup: check it")
}
