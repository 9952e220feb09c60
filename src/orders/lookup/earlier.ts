/** An earlier booking as the start of a new one: `--like SO-17`, `--last`; `--return-of SO-17`, which brings it back. */
import { quoted } from "../../base/parsed.ts"
import { isObject, type Json, type JsonObject, sameJson } from "../../base/json.ts"
import {
  formatPackage,
  getOwnForNext,
  getReturnOf,
  isSamePlace,
  LINK_FIELDS,
  type Own,
  readOwn,
  withOwn,
} from "../../contract/index.ts"
import type { BookingAddress } from "../../contract/generated/types.ts"
import { plainText } from "../../base/plain-text.ts"
import { listSome } from "../../base/counted.ts"
import { nextCommand } from "../../base/command-line.ts"
import { hasName, matchName } from "../../base/names.ts"
import { safeText } from "../../base/safe-text.ts"
import { FreightError } from "../../base/errors.ts"
import {
  addFirstKeys,
  describeBooked,
  type Entry,
  findNamed,
  getOwnNumber,
  nameBooking,
  returnKey,
  type Store,
} from "../../ledger/index.ts"
import { isPackages } from "../booking/request.ts"
import { findTarget, createAmbiguousError } from "./find.ts"
import { fromEntry, type ShipmentOrPickup } from "./shipment-or-pickup.ts"

export interface Earlier {
  /** The request without fields that belong to that order alone: times, reference, rate. */
  request: JsonObject
  /** Freight's own data beside the request. */
  own: Own
  connectorId: string | undefined
  entry: Entry
}

interface LedgerScope {
  store: Store
  scopes?: readonly string[]
}

const ORDER_SPECIFIC_FIELDS = ["collectionDateTime", "customerReference", ...LINK_FIELDS]

/** The newest booking of the ledger, or the newest of a name, which is any that `createFinder` takes. */
export async function findEarlier(ledger: LedgerScope, name: string | undefined): Promise<Earlier> {
  if (name === undefined) {
    const [last] = await listEarlier(ledger, 1)
    if (!last) throw new FreightError("notFound", "nothing was booked yet", { next: LIST })
    return last
  }
  const entry = await findBooked(ledger, name)
  if (isObject(entry.request as Json)) return toEarlier(entry, entry.request as JsonObject)
  throw createUnknownError(name)
}

const LIST = "freight history --kind shipment"

function createUnknownError(name: string): FreightError {
  return new FreightError("notFound", `the ledger has no booking ${quoted(name)}`, {
    code: "SHIPMENT_NOT_FOUND",
    next: LIST,
  })
}

async function findBooked(ledger: LedgerScope, name: string): Promise<Entry> {
  const booked = await listBooked(ledger, name)
  const [newest, ...others] = booked
  // A reference that was used again means its last booking.
  if (newest && others.length > 0 && !hasName(name, newest))
    throw createAmbiguousError(name, "shipment", booked)
  return readEntry(ledger, name, newest)
}

/**
 * The bookings of a name, the newest first; only those not cancelled, if there are any.
 * @param isMeant limits them to what a person means, if any fit
 */
async function listBooked(
  ledger: LedgerScope,
  name: string,
  isMeant: (entry: Entry) => boolean = () => true,
): Promise<ShipmentOrPickup[]> {
  const named = (await findNamed(ledger.store.database, name, ledger.scopes)).flatMap((entry) => {
    const found = fromEntry(entry)
    return found ? [{ ...found, isMeant: isMeant(entry) }] : []
  })
  const matched = matchName(name, named)
  const meant = matched.filter((found) => found.isMeant)
  const booked: ShipmentOrPickup[] = []
  for (const found of meant.length > 0 ? meant : matched) {
    const shipment = await findTarget(async () => ledger, "shipment", found)
    if (shipment && booked.every(({ id }) => id !== shipment.id)) booked.push(shipment)
  }
  const standing = booked.filter(({ isCancelled }) => !isCancelled)
  return standing.length > 0 ? standing : booked
}

async function readEntry(
  { store }: LedgerScope,
  name: string,
  found: ShipmentOrPickup | undefined,
): Promise<Entry> {
  const booking = found?.shipmentId && (await store.ofShipment(found.scope, found.shipmentId))
  const [entry] = booking ? await addFirstKeys(store.database, [booking]) : []
  if (!entry) throw createUnknownError(name)
  return entry
}

/** The return of a booking, as far as it follows from the booking. */
export interface Return {
  /** The number of the order, which is kept with its return. */
  returnOf: string
  request: JsonObject
  own: Own
  entry: Entry
}

const OF_GOODS = ["packages", "items", "packagingCode", "dangerousGoods", "dangerousGoodsDetails"]

/** Several consignments of an order exist: a person has to say which comes back. */
function createSeveralError(name: string, standing: readonly ShipmentOrPickup[]): FreightError {
  const numbers = standing.map(({ consignmentNumber, id }) => safeText(consignmentNumber ?? id, 100))
  return new FreightError(
    "input",
    `${safeText(name, 100)} has ${numbers.length} consignments, ${listSome(numbers)}: name the one that comes back`,
    { hint: "Nothing was sent. Name it by its number, as they are listed here." },
  )
}

/** Its carrier has cancelled it: the goods went another way, or never left. */
function createCancelledError(entry: Entry): FreightError {
  const number = safeText(getOwnNumber(entry) || nameBooking(entry), 100)
  const { next = "freight cancel" } = nextCommand("freight", "cancel", nameBooking(entry))
  return new FreightError("refused", `${number} ${describeBooked(entry)}: its goods did not go with it`, {
    code: "CANCELLED",
    shipmentId: entry.facts.shipmentId,
    hint: `Nothing was sent. If they went after all, record that first: ${next} with --undo and --why.`,
    ...nextCommand("freight", "shipments", "show", nameBooking(entry)),
  })
}

/**
 * The return of a booking: the parties change places, and the goods are the same. Payer, times, instructions, quote and
 * the e-mail of the collection belong to the first journey alone.
 * @param confirm asks whether a cancelled booking comes back anyway, and throws if not; absent if nobody is asked:
 * then it is refused
 */
export async function findReturn(
  ledger: LedgerScope,
  name: string,
  confirm?: (refusal: FreightError) => Promise<void>,
): Promise<Return> {
  const isNoReturn = ({ facts }: Entry) => getReturnOf(facts.own) === undefined
  const booked = await listBooked(ledger, name, isNoReturn)
  const [newest, ...others] = booked
  if (newest && others.length > 0 && !hasName(name, newest))
    throw createAmbiguousError(name, "shipment", booked)
  const entry = await readEntry(ledger, name, newest)
  const { facts } = entry
  const of = getReturnOf(facts.own)
  if (of !== undefined)
    throw new FreightError("input", `${safeText(name, 100)} is a return itself, of ${safeText(of, 100)}`, {
      hint: "Nothing was sent. Goods that came back are sent again as the first time.",
      ...nextCommand("freight", "book", "--like", of),
    })
  if (entry.cancelledAt !== undefined) {
    const refusal = createCancelledError(entry)
    if (!confirm) throw refusal
    await confirm(refusal)
  } else if (others.length > 0) throw createSeveralError(name, booked)
  const sent = Object(entry.request) as JsonObject
  const { sender, receiver, collection } = sent
  const { costCentre, "receiver.residential": from, "collection.residential": to } = readOwn(facts.own)
  // Data about another place of collection does not apply to the sender's.
  const isToHome = to !== undefined && isObject(sender) && isOneAddress(sender, collection)
  // People do not know a key that freight made.
  const number = (entry.keyGiven ? undefined : facts.reference) ?? getOwnNumber(entry)
  return {
    returnOf: number || facts.consignmentNumber || facts.shipmentId || name,
    request: {
      ...Object.fromEntries(OF_GOODS.flatMap((field) => (sent[field] == null ? [] : [[field, sent[field]]]))),
      ...(isObject(receiver) && { sender: { ...receiver } }),
      ...(isObject(sender) && { receiver: { ...sender } }),
    },
    own: {
      ...(costCentre !== undefined && { costCentre }),
      ...(from !== undefined && { "collection.residential": from }),
      ...(isToHome && { "receiver.residential": to }),
    },
    entry,
  }
}

function isOneAddress(one: JsonObject, other: Json | undefined): boolean {
  const [a, b] = [one, other] as unknown as BookingAddress[]
  return (
    isObject(other) &&
    isSamePlace(a as BookingAddress, b as BookingAddress) &&
    plainText(a?.address1 ?? "") === plainText(b?.address1 ?? "")
  )
}

/** The return as a booking file: the residential flag goes to the sender, where it is collected. */
export function toReturnFile({ returnOf, request, own }: Return): JsonObject {
  const { "collection.residential": isFromHome, ...others } = own
  const file = withOwn({ ...request, returnOf }, others)
  if (isObject(file.sender) && isFromHome !== undefined) file.sender.residential = isFromHome
  return file
}

/** The key of a return, if nobody gives it one. @param packages that come back, as far as known */
export function nameReturn(
  { returnOf, request }: Pick<Return, "returnOf" | "request">,
  packages: Json | undefined,
): string {
  const list = (given: Json | undefined) => (isPackages(given) ? given.map(formatPackage).sort() : [])
  const isPart = isPackages(packages) && !sameJson(list(packages), list(request.packages))
  return returnKey(returnOf, isPart ? packages : [])
}

export async function listEarlier({ store, scopes }: LedgerScope, most = 200): Promise<Earlier[]> {
  const entries = await store.history({
    kind: "shipment",
    state: "done",
    scopes,
    page: { after: undefined, size: most },
  })
  return entries.flatMap((entry) =>
    typeof entry.request === "object" && entry.request !== null ? [toEarlier(entry, entry.request)] : [],
  )
}

function toEarlier(entry: Entry, sent: object): Earlier {
  const request = { ...sent } as JsonObject
  for (const field of ORDER_SPECIFIC_FIELDS) delete request[field]
  return {
    request,
    own: getOwnForNext(readOwn(entry.facts.own)),
    connectorId: entry.facts.connectorId,
    entry,
  }
}
