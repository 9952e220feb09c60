/** For an unwanted booking: the carrier is called, and its word is recorded. */
import { listSome } from "../../base/counted.ts"
import { nextCommand, quoteBlanks } from "../../base/command-line.ts"
import { FreightError } from "../../base/errors.ts"
import { parsed, refused, quoted } from "../../base/parsed.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { carrierName } from "../../carriers/index.ts"
import type { Deps } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"
import { getReturnOf } from "../../contract/index.ts"
import {
  addFirstKeys,
  BOOKING_EVENTS_MS,
  describeCancelled,
  type Entry,
  findConsignments,
  findJourneys,
  getOwnNumber,
  keyText,
  nameBooking,
  noteCancelled,
  type Store,
  takeBackCancelled,
} from "../../ledger/index.ts"
import { findDispatches } from "../dispatched/records.ts"
import { onSameService } from "../../machine/index.ts"
import { PLACEHOLDER } from "../batch/carrier-notice.ts"
import { createFinder, findPickup, findShipment } from "../lookup/find.ts"

interface WordOptions {
  /** Who at the carrier has cancelled it; true to ask for that. */
  confirmed?: string | true
  undo?: boolean
  why?: string
}

/**
 * Refuses to cancel a booking or a pickup, and says whom to call: no API can. GET /shipments/{id} or /pickups/{id}, if one
 * is named; the rest comes from the ledger.
 * @returns the booking, if it is cancelled already
 */
export async function refuseCancelling(deps: Deps, name: string | undefined): Promise<Entry> {
  if (name === undefined)
    throw createRefusal(
      "booking",
      "Call the carrier and give the consignment number, which freight history shows.",
      'freight history --fields "sentAt,reference,carrier,consignmentNumber"',
    )
  const known = await findPickup(deps, name)
  if (known) {
    const { pickup } = await (await deps.freight()).getPickup(known.id)
    const caller = pickup.carrier ? carrierName(pickup.carrier) : "the carrier"
    throw createRefusal(
      "pickup",
      `Call ${caller}${pickup.connectorId ? ` (${pickup.connectorId})` : ""} and give pickup ${pickup.orderNumber ?? known.reference ?? known.id}.`,
      `freight pickup show ${known.id}`,
    )
  }
  const { shipment } = await findShipment(deps, name)
  const { carrier, connectorName, consignmentNumber, id, pickupStatus } = shipment
  const entry = await findBooked(deps, id)
  if (entry?.cancelledAt !== undefined) {
    await deps.note(`It was ${describeCancelled(entry)}: nothing is to be done.`)
    return entry
  }
  const number = consignmentNumber ?? `the one it has not given yet (freight shipments show ${id})`
  const pickup = pickupStatus === "BOOKED" ? " Cancel its pickup in the same call." : ""
  const word = entry && nextCommand("freight", "cancel", consignmentNumber ?? id, "--confirmed").next
  const then = word ? ` Then record who has cancelled it: ${onSameService(word, deps.globals)}` : ""
  throw createRefusal(
    "booking",
    `Call ${carrier ? carrierName(carrier) : "the carrier"}${connectorName ? ` (${connectorName})` : ""} and give consignment ${number}.${pickup}${then}`,
    `freight shipments show ${id}`,
  )
}

/** The booking of a shipment; undefined if it was booked elsewhere, or no ledger can be read. */
async function findBooked(deps: Deps, shipmentId: string): Promise<Entry | undefined> {
  if (!(await deps.hasLedger())) return undefined
  const { store, scopes } = await deps.readLedger()
  const entry = await store.ofShipment(scopes, shipmentId)
  return entry && (await addFirstKeys(store.database, [entry]))[0]
}

/**
 * Records the carrier's word, or withdraws it.
 * @returns the booking with its present record
 */
export async function noteWord(
  deps: Deps,
  name: string | undefined,
  { confirmed, undo, why = "" }: WordOptions,
): Promise<Entry> {
  if (name === undefined)
    throw new FreightError("usage", 'which booking? freight cancel ORDER --confirmed "name or number"')
  if (await findPickup(deps, name))
    throw new FreightError("input", `${safeText(name, 100)} is a pickup: nothing was written`, {
      hint: "Only the cancellation of a booking can be recorded.",
    })
  const { store, scopes } = await deps.writeLedger()
  const entry = await createFinder(deps, "shipment").find(name, async (id, found) => {
    const booked = await store.ofShipment(found?.scope ?? scopes, id)
    if (booked) return booked
    const what = `the ledger has no booking ${quoted(name)}: nothing was written`
    throw new FreightError(found ? "refused" : "notFound", what, {
      hint: "Cancel it where it was booked.",
    })
  })
  const by = deps.sender
  const { entry: written, isNew } = undo
    ? await takeBackCancelled(store.database, entry.id, { why, by })
    : await noteCancelled(store.database, entry.id, { confirmedBy: await askWho(deps, entry, confirmed), by })
  const [named = written] = await addFirstKeys(store.database, [written])
  await (undo ? tellTakenBack : tellCancelled)(deps, store, { entry: named, isNew })
  return named
}

async function askWho(
  deps: Deps,
  { facts: { consignmentNumber, shipmentId = "", carrier } }: Entry,
  confirmed: WordOptions["confirmed"],
): Promise<string> {
  const who = typeof confirmed === "string" ? confirmed.trim() : ""
  if (who === PLACEHOLDER)
    throw new FreightError(
      "usage",
      `${PLACEHOLDER} is a placeholder: give the name of who at the carrier has cancelled it`,
      {
        hint: "Nothing was written.",
      },
    )
  if (who !== "") return who
  const number = consignmentNumber ?? shipmentId
  if (!mayAsk(deps))
    throw new FreightError(
      "usage",
      "--confirmed says who at the carrier has cancelled it: a name or a number",
      {
        hint: `As in: freight cancel ${quoteBlanks(number)} --confirmed "name or number". Nothing was written.`,
      },
    )
  const check = (text: string) => (text.trim() === "" ? refused("Enter a name or a number.") : parsed(text))
  const question = `Who at ${carrier ?? "the carrier"} has cancelled ${number}? A name or a number`
  return (await (await deps.prompt()).text(question, { check })).trim()
}

/** Says what the cancellation changes, and what it does not. */
async function tellCancelled(
  deps: Deps,
  store: Store,
  { entry, isNew }: { entry: Entry; isNew: boolean },
): Promise<void> {
  const { scope, facts } = entry
  const { shipmentId = "" } = facts
  if (!isNew) {
    const { person, workstation } = entry.cancellations?.at(-1)?.by ?? deps.sender
    const by = person === "" ? "" : `, by ${person}`
    await deps.note(`Recorded before${by} at ${workstation}: ${describeCancelled(entry)}.`)
    return
  }
  await warnOfScans(deps, store, entry)
  const pickup = await store.pickupOf(scope, shipmentId)
  if (pickup)
    await deps.note(
      `Its pickup ${safeText(pickup.facts.reference ?? pickup.id)} is another booking: ask in the same call whether it still comes.`,
    )
  const others = await findConsignments(store.database, [scope], [getOwnNumber(entry)])
  const again = describeAgain(
    entry,
    others.find(({ id, cancelledAt }) => id !== entry.id && cancelledAt === undefined),
  )
  if (again !== "") await deps.note(again)
  const told = (await findDispatches(store.database, [shipmentId])).findLast(
    ({ event }) => event !== "waiting",
  )
  if (told && told.event !== "cancelled") {
    const { next } = nextCommand("freight", "dispatched", "--for", told.shop, "-o", "tracking.csv")
    if (next) await deps.note(`Its shop has its number. To tell it: ${onSameService(next, deps.globals)}`)
  }
}

/**
 * Warns about a consignment with scans: the carrier has collected it, so it can hardly be cancelled, and its bill may be
 * right.
 */
async function warnOfScans(deps: Deps, store: Store, { scope, sentAt, facts }: Entry): Promise<void> {
  const { consignmentNumber = "" } = facts
  const journey = (await findJourneys(store.database, [scope], [consignmentNumber])).get(consignmentNumber)
  const seenAt = journey?.deliveredAt ?? journey?.lastEventAt ?? ""
  if (!journey || !(Date.parse(seenAt) >= Date.parse(sentAt) + BOOKING_EVENTS_MS)) return
  const status = journey.status === undefined ? "" : ` as ${safeText(journey.status, 100)}`
  const { next = "freight cancel" } = nextCommand("freight", "cancel", consignmentNumber)
  await deps.warn(
    `tracking saw it${status} on ${formatInstant(seenAt)}: if the carrier has it after all, take this back: ${onSameService(next, deps.globals)} with --undo and --why`,
  )
}

/**
 * How to book its order again; empty if nothing holds its key.
 * @param standing another consignment of it: this one is not replaced meanwhile
 */
function describeAgain(entry: Entry, standing: Entry | undefined): string {
  const own = getOwnNumber(entry)
  const number = quoteBlanks(safeText(own))
  const returned = getReturnOf(entry.facts.own)
  if (keyText(entry) === "" || (!entry.keyGiven && returned === undefined)) return ""
  if (standing)
    return `Another booking of ${number} is not cancelled (${safeText(nameBooking(standing))}): to book this one again beside it, give it its own number.`
  const isRow = entry.keyGiven && own === entry.facts.reference
  const byRow = isRow ? `batch book with --again-for ${number} --replaces, or ` : ""
  const book = returned === undefined ? "book" : `book --return-of ${quoteBlanks(safeText(returned))}`
  return `${number} is not booked again by itself. To book it again: ${byRow}${book} with --key ${number} --replaces.`
}

async function tellTakenBack(
  { note }: Deps,
  store: Store,
  { entry, isNew }: { entry: Entry; isNew: boolean },
): Promise<void> {
  if (isNew) {
    const number = getOwnNumber(entry)
    const all = await findConsignments(store.database, [entry.scope], [number])
    const standing = all.filter(({ cancelledAt }) => cancelledAt === undefined)
    if (standing.length > 1)
      await note(
        `${safeText(number)} has ${standing.length} bookings that are not cancelled now: ${listSome(standing.map(({ facts }) => facts.consignmentNumber ?? facts.shipmentId ?? ""))}.`,
      )
    return
  }
  const { consignmentNumber, shipmentId = "" } = entry.facts
  throw new FreightError(
    "refused",
    `${consignmentNumber ?? shipmentId} is not cancelled: nothing was written`,
    {
      hint: "Of several bookings of one order, name the cancelled one by its consignment number or shipment.",
      next: "freight history",
    },
  )
}

function createRefusal(what: "booking" | "pickup", hint: string, next: string): FreightError {
  return new FreightError("refused", `freight cannot cancel a ${what}: neither API has a way to`, {
    hint,
    next,
  })
}
