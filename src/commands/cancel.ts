import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { carrierName } from "../carriers/names.ts"
import type { Deps } from "../command/deps.ts"
import { getReturnOf } from "../contract/fields/own.ts"
import { nonEmpty } from "../command/flags.ts"
import { mayAsk } from "../command/may-ask.ts"
import { listSome } from "../base/counted.ts"
import { nextCommand, quoteBlanks } from "../base/command-line.ts"
import { parsed, refused } from "../base/parsed.ts"
import { FreightError } from "../base/errors.ts"
import { formatInstant } from "../base/wall-clock.ts"
import { safeText } from "../base/safe-text.ts"
import { noteCancelled, type Noted, takeBackCancelled } from "../ledger/cancellations.ts"
import { type Entry, keyText } from "../ledger/entry.ts"
import { getOwnNumber } from "../ledger/order.ts"
import { describeCancelled, nameBooking } from "../ledger/refusals.ts"
import { addFirstKeys, findConsignments } from "../ledger/records/named.ts"
import { BOOKING_EVENTS_MS, findJourneys } from "../ledger/records/journeys.ts"
import { findDispatches } from "../ledger/records/dispatches.ts"
import type { Store } from "../ledger/store.ts"
import { onSameService } from "../machine/config/next.ts"
import { sandboxMark } from "../machine/config/sandbox-mode.ts"
import { PLACEHOLDER } from "../orders/batch/told.ts"
import { createFinder, findPickup, findShipment } from "../orders/lookup/find.ts"
import { SHIPMENT } from "../orders/lookup/names.ts"
import { BRIEF, type Column } from "../output/terminal/columns.ts"
import { print } from "../output/terminal/view.ts"

const flags = {
  confirmed: {
    takes: "[who]",
    about: "write down that the carrier has cancelled it: who said so, a name or a number",
    conflicts: "undo",
  },
  undo: { about: "it stands after all: take that back", needs: "why" },
  why: { takes: "<text>", about: "why, and who at the carrier said so", read: nonEmpty, needs: "undo" },
} as const satisfies Flags

type Options = OptionsOf<typeof flags>
type NotedRow = ReturnType<typeof toRow>

const columns: Column<NotedRow>[] = [
  { key: "reference", title: "REFERENCE" },
  { key: "consignmentNumber", title: "CONSIGNMENT" },
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "state", title: "STATE" },
  { key: "confirmedBy", title: "CONFIRMED BY" },
  { key: "at", title: "NOTED", show: ({ at }) => (at === null ? "" : formatInstant(at)), brief: BRIEF.time },
  { key: "person", title: "PERSON" },
  { key: "workstation", title: "WORKSTATION" },
  { key: "why", title: "WHY" },
]

export default command({
  about:
    "Says what to do: neither API can cancel a booking, only the carrier can. It names the carrier and the number to give on the phone. Once the carrier has cancelled it, --confirmed writes that down, and the booking is left out everywhere; its key stays taken, so that its row is not booked again.",
  args: [{ takes: "[shipment]", about: `${SHIPMENT}; or the carrier's number of a pickup` }],
  flags,
  columns,
  examples: [
    "freight cancel --sandbox demo-shipment",
    'freight cancel --sandbox demo-shipment --confirmed "Kim, 13 20 50"',
    'freight cancel --sandbox demo-shipment --undo --why "Kim rang back: it is collected"',
  ],
  notes: `Exit code: 1 where the carrier is still to be called, 0 where its word is written down.
An audit disputes what is billed for it, with that as evidence. To book the order again: batch book --again-for, or book --key, with --replaces.`,
  /**
   * GET /shipments/{id} or /pickups/{id}, where one is named and the carrier is to be called; the ledger alone knows the rest.
   * @throws FreightError `refused` where freight would have to cancel it
   */
  async run(deps, name, options) {
    if (options.confirmed !== undefined || options.undo) return noteWord(deps, name, options)
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
      return showNoted(deps, entry)
    }
    const number = consignmentNumber ?? `the one it has not given yet (freight shipments show ${id})`
    const pickup = pickupStatus === "BOOKED" ? " Cancel its pickup in the same call." : ""
    const word = entry && nextCommand("freight", "cancel", consignmentNumber ?? id, "--confirmed").next
    const then = word ? ` Then write down who has cancelled it: ${onSameService(word, deps.globals)}` : ""
    throw createRefusal(
      "booking",
      `Call ${carrier ? carrierName(carrier) : "the carrier"}${connectorName ? ` (${connectorName})` : ""} and give consignment ${number}.${pickup}${then}`,
      `freight shipments show ${id}`,
    )
  },
})

/** The booking of a shipment; undefined where it was booked elsewhere, or no ledger can be read. */
async function findBooked(deps: Deps, shipmentId: string): Promise<Entry | undefined> {
  if (!(await deps.hasLedger())) return undefined
  const { store, scopes } = await deps.readLedger()
  const entry = await store.ofShipment(scopes, shipmentId)
  return entry && (await addFirstKeys(store.database, [entry]))[0]
}

/** Writes down what the carrier said, or takes it back. */
async function noteWord(
  deps: Deps,
  name: string | undefined,
  { confirmed, undo, why = "" }: Options,
): Promise<undefined> {
  if (name === undefined)
    throw new FreightError("usage", 'which booking? freight cancel ORDER --confirmed "name or number"')
  if (await findPickup(deps, name))
    throw new FreightError("input", `${safeText(name, 100)} is a pickup: nothing was written`, {
      hint: "Only the cancellation of a booking is written down.",
    })
  const { store, scopes } = await deps.writeLedger()
  const entry = await createFinder(deps, "shipment").find(name, async (id, found) => {
    const booked = await store.ofShipment(found?.scope ?? scopes, id)
    if (booked) return booked
    const what = `the ledger has no booking '${safeText(name, 100)}': nothing was written`
    throw new FreightError(found ? "refused" : "notFound", what, {
      hint: "What was booked elsewhere is cancelled there.",
    })
  })
  const by = deps.sender
  const { entry: written, isNew } = undo
    ? await takeBackCancelled(store.database, entry.id, { why, by })
    : await noteCancelled(store.database, entry.id, { confirmedBy: await askWho(deps, entry, confirmed), by })
  const [named = written] = await addFirstKeys(store.database, [written])
  await (undo ? tellTakenBack : tellCancelled)(deps, store, { entry: named, isNew })
  return showNoted(deps, named)
}

/** Who at the carrier has cancelled it. @throws FreightError `usage` where nobody says it */
async function askWho(
  deps: Deps,
  { facts: { consignmentNumber, shipmentId = "", carrier } }: Entry,
  confirmed: Options["confirmed"],
): Promise<string> {
  const who = typeof confirmed === "string" ? confirmed.trim() : ""
  if (who === PLACEHOLDER)
    throw new FreightError("usage", `${PLACEHOLDER} stands for who at the carrier has cancelled it`, {
      hint: "Nothing was written.",
    })
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

/** Says what follows, and what does not. */
async function tellCancelled(deps: Deps, store: Store, { entry, isNew }: Noted): Promise<void> {
  const { scope, facts } = entry
  const { shipmentId = "" } = facts
  if (!isNew) {
    const { person, workstation } = entry.cancellations?.at(-1)?.by ?? deps.sender
    const by = person === "" ? "" : `, by ${person}`
    await deps.note(`Written down before${by} at ${workstation}: ${describeCancelled(entry)}.`)
    return
  }
  await warnOfScans(deps, store, entry)
  const pickup = await store.pickupOf(scope, shipmentId)
  if (pickup)
    await deps.note(
      `Its pickup ${safeText(pickup.facts.reference ?? pickup.id)} is another booking: ask in the same call whether it still comes.`,
    )
  const others = await findConsignments(store, [scope], [getOwnNumber(entry)])
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

/** What the carrier has collected, as far as tracking was seen here, it can hardly have cancelled: its bill may be right. */
async function warnOfScans(deps: Deps, store: Store, { scope, sentAt, facts }: Entry): Promise<void> {
  const { consignmentNumber = "" } = facts
  const journey = (await findJourneys(store, [scope], [consignmentNumber])).get(consignmentNumber)
  const seenAt = journey?.deliveredAt ?? journey?.lastEventAt ?? ""
  if (!journey || !(Date.parse(seenAt) >= Date.parse(sentAt) + BOOKING_EVENTS_MS)) return
  const status = journey.status === undefined ? "" : ` as ${safeText(journey.status, 100)}`
  const { next = "freight cancel" } = nextCommand("freight", "cancel", consignmentNumber)
  await deps.warn(
    `tracking saw it${status} on ${formatInstant(seenAt)}: if the carrier has it after all, take this back: ${onSameService(next, deps.globals)} with --undo and --why`,
  )
}

/**
 * How its order is booked again; empty where nothing keeps its key.
 * @param standing another consignment of it: nothing takes the place of this one meanwhile
 */
function describeAgain(entry: Entry, standing: Entry | undefined): string {
  const own = getOwnNumber(entry)
  const number = quoteBlanks(safeText(own))
  const returned = getReturnOf(entry.facts.own)
  if (keyText(entry) === "" || (!entry.keyGiven && returned === undefined)) return ""
  if (standing)
    return `Another booking of ${number} stands (${safeText(nameBooking(standing))}): to book this one again beside it, give it a number of its own.`
  const isRow = entry.keyGiven && own === entry.facts.reference
  const byRow = isRow ? `batch book with --again-for ${number} --replaces, or ` : ""
  const book = returned === undefined ? "book" : `book --return-of ${quoteBlanks(safeText(returned))}`
  return `${number} is not booked again by itself. To book it again: ${byRow}${book} with --key ${number} --replaces.`
}

async function tellTakenBack({ note }: Deps, store: Store, { entry, isNew }: Noted): Promise<void> {
  if (isNew) {
    const number = getOwnNumber(entry)
    const all = await findConsignments(store, [entry.scope], [number])
    const standing = all.filter(({ cancelledAt }) => cancelledAt === undefined)
    if (standing.length > 1)
      await note(
        `${safeText(number)} has ${standing.length} bookings that stand now: ${listSome(standing.map(({ facts }) => facts.consignmentNumber ?? facts.shipmentId ?? ""))}.`,
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

function toRow({ facts, cancelledAt, cancellations, ...entry }: Entry) {
  const last = cancellations?.at(-1)
  const back = last?.takenBack
  const { at = null, by } = back ?? last ?? {}
  return {
    reference: getOwnNumber({ ...entry, facts }) || null,
    consignmentNumber: facts.consignmentNumber ?? null,
    shipmentId: facts.shipmentId ?? null,
    state: cancelledAt === undefined ? "booked" : "cancelled",
    confirmedBy: last?.confirmedBy ?? null,
    at,
    person: by?.person ?? null,
    workstation: by?.workstation ?? null,
    why: back?.why ?? null,
  }
}

async function showNoted(deps: Deps, entry: Entry): Promise<undefined> {
  await print(deps, { rows: [{ ...toRow(entry), ...sandboxMark(deps.globals) }], columns, single: true })
}

function createRefusal(what: "booking" | "pickup", hint: string, next: string): FreightError {
  return new FreightError("refused", `freight cannot cancel a ${what}: neither API has a way to`, {
    hint,
    next,
  })
}
