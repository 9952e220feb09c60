/** Settles an entry as a person says: it was never made, it is this shipment, or the carrier has this pickup. */
import { quoted } from "../base/parsed.ts"
import type { FreightApi } from "../api/index.ts"
import type { ConsignmentBookingRequest, ShipmentDetail } from "../contract/generated/types.ts"
import { FreightError, withOptions } from "../base/errors.ts"
import { hasName, matchName } from "../base/names.ts"
import { plainText } from "../base/plain-text.ts"
import type { Entry } from "./entry.ts"
import { findNamed } from "./records/named.ts"
import {
  pickupWarning,
  type ReconcileDeps,
  type Settled,
  settleAs,
  stillOpen,
  toSettled,
} from "./reconcile.ts"

/**
 * Frees a key because a person confirms that nothing was created.
 * @param key the user's key, a content key, the entry's id or its reference; or how one of them begins
 * @param isDry finds it, and writes nothing
 * @throws FreightError `notFound` when no open entry has that key, `input` when several have, `refused` while it is sent,
 * or where another command has settled it meanwhile
 */
export async function release(deps: ReconcileDeps, key: string, isDry = false): Promise<Settled> {
  const entry = await openEntry(deps, key)
  if (isDry) return toSettled(entry, "released", [], "Would be released: nothing was written.")
  const note = "Released by hand: it may be sent again."
  if (!(await deps.store.settle({ ...entry, state: "released", note }))) throw createChangedError(key)
  return toSettled(entry, "released", [], note)
}

/**
 * Notes that a person has settled an order that was made twice: one was cancelled with the carrier, or both are meant.
 * @param name the duplicate's id, its key or its shipment; or how one of them begins
 * @throws FreightError `notFound` when no duplicate has that name, `input` when several have
 */
export async function settleDuplicate(deps: ReconcileDeps, name: string): Promise<Settled> {
  const duplicates = await deps.store.duplicates(deps.scopes)
  const [found, ...others] = matchEntries(name, duplicates, (entry) => [
    ...listNames(entry),
    ...(entry.facts.shipmentId === undefined ? [] : [entry.facts.shipmentId]),
  ])
  if (!found)
    throw new FreightError("notFound", `no order that was made twice has the name ${quoted(name)}`, {
      next: "freight today",
    })
  if (others.length > 0)
    throw createSeveralError(`several orders that were made twice match ${quoted(name)}`, [found, ...others])
  await deps.store.settleDuplicate(found.id)
  const { shipmentId } = found.facts
  const note = `You settled with the carrier what ${found.duplicateOf} had made before.`
  return toSettled(found, "settled", shipmentId === undefined ? [] : [shipmentId], note)
}

/**
 * Records the outcome of an open booking or pickup from a person. A booking's shipment must exist, with the same
 * service and postcode, and belong to no other entry.
 * @param key as `release` takes it
 * @param name the shipment; for a pickup the carrier's reference, if the person knows it
 * @throws FreightError as `release` does; `notFound` if there is no such shipment, `refused` if it cannot be the
 * outcome, `input` if the name is of another kind
 */
export async function settleByHand(
  deps: ReconcileDeps,
  key: string,
  name: string | undefined,
  api: Pick<FreightApi, "getShipment">,
): Promise<Settled> {
  const entry = await openEntry(deps, key)
  if (entry.kind === "pickup") return settlePickupByHand(deps, entry, key, name, api)
  if (entry.kind !== "shipment") return settlePrintByHand(deps, entry, key, name)
  if (name === undefined)
    throw new FreightError("input", `${quoted(key)} is a booking: name the shipment that was created`, {
      hint: "As in --settle PO-1001=SHIPMENT. Nothing was settled.",
      next: "freight shipments list",
    })
  return settleShipmentByHand(deps, entry, key, name, api)
}

async function settleShipmentByHand(
  deps: ReconcileDeps,
  entry: Entry,
  key: string,
  shipmentId: string,
  api: Pick<FreightApi, "getShipment">,
): Promise<Settled> {
  const shipment = await shipmentOf(api, shipmentId)
  const owner = await deps.store.ofShipment(undefined, shipment.id)
  if (owner && owner.id !== entry.id)
    throw createWrongShipmentError(shipmentId, "another booking made it", owner.id)
  const differs = listDifferences(shipment, entry)
  if (differs.length > 0)
    throw createWrongShipmentError(shipmentId, `it has another ${differs.join(", and another ")}`)
  if (!(await settleAs(deps.store, entry, shipment, HAND_NOTE))) throw createChangedError(key)
  const note = `Settled by hand: it is shipment ${shipment.id}.`
  return { ...toSettled(entry, "settled", [shipment.id], note), ...pickupWarning(shipment) }
}

/** The API lists no print jobs: only a person can say that it was printed. */
async function settlePrintByHand(
  deps: ReconcileDeps,
  entry: Entry,
  key: string,
  name: string | undefined,
): Promise<Settled> {
  if (name !== undefined)
    throw new FreightError("input", `${quoted(key)} is a print, which has no number of its own`, {
      hint: "--settle takes its key alone, where it was printed. Nothing was settled.",
    })
  const { error: _, ...rest } = entry
  const settled: Entry = { ...rest, state: "done", note: HAND_NOTE, response: { jobId: "" } }
  if (!(await deps.store.settle(settled))) throw createChangedError(key)
  return toSettled(settled, "settled", [], "Settled by hand: it was printed.")
}

/** The API lists no pickups: only the carrier can say that it exists, and give its reference. */
async function settlePickupByHand(
  deps: ReconcileDeps,
  entry: Entry,
  key: string,
  reference: string | undefined,
  api: Pick<FreightApi, "getShipment">,
): Promise<Settled> {
  if (reference !== undefined) {
    await refuseShipment(api, key, reference)
    const others = await findNamed(deps.store.database, reference, [entry.scope])
    const owner = others.find(
      ({ id, kind, facts }) =>
        id !== entry.id && kind === "pickup" && facts.reference?.toLowerCase() === reference.toLowerCase(),
    )
    if (owner)
      throw new FreightError(
        "refused",
        `${quoted(reference)} cannot be its reference: another pickup has it`,
        {
          hint: `That one is ${owner.id} in the ledger. Nothing was settled.`,
          next: "freight history",
        },
      )
  }
  const { error: _, ...rest } = entry
  const settled: Entry = {
    ...rest,
    state: "done",
    note: HAND_NOTE,
    response: { status: "BOOKED", ...(reference !== undefined && { orderNumber: reference }) },
    facts: { ...entry.facts, ...(reference !== undefined && { reference }) },
  }
  if (!(await deps.store.settle(settled))) throw createChangedError(key)
  const { shipmentId } = entry.facts
  const note = `Settled by hand: the carrier has it${reference === undefined ? "" : `, as ${reference}`}.`
  return toSettled(settled, "settled", shipmentId === undefined ? [] : [shipmentId], note)
}

/** A person who names a shipment as the reference of a pickup may mean a booking. */
async function refuseShipment(
  api: Pick<FreightApi, "getShipment">,
  key: string,
  reference: string,
): Promise<void> {
  try {
    await api.getShipment(reference)
  } catch (error) {
    if (error instanceof FreightError && error.kind === "notFound") return
    throw error
  }
  throw new FreightError("input", `${quoted(reference)} is a shipment, and ${quoted(key)} is a pickup`, {
    hint: "--settle takes the carrier's reference of a pickup, or the pickup's key alone. Nothing was settled.",
    next: "freight reconcile",
  })
}

/** The note of an entry that a person settled. */
const HAND_NOTE = "Settled by hand."

async function shipmentOf(api: Pick<FreightApi, "getShipment">, id: string): Promise<ShipmentDetail> {
  try {
    return (await api.getShipment(id)).shipment
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
    throw withOptions(error, {
      hint: `There is no shipment ${quoted(id)} that this key may see. Nothing was settled.`,
      next: "freight shipments list",
    })
  }
}

function createWrongShipmentError(shipmentId: string, why: string, owner?: string): FreightError {
  return new FreightError("refused", `shipment ${shipmentId} cannot be its result: ${why}`, {
    hint:
      owner === undefined
        ? "Nothing was settled."
        : `That one is ${owner} in the ledger. Nothing was settled.`,
    next: "freight reconcile",
  })
}

/** Details that no carrier changes in a booking; it may correct others. */
function listDifferences(shipment: ShipmentDetail, { facts, request }: Entry): string[] {
  const { serviceCode, receiver } = request as ConsignmentBookingRequest
  return [
    ...(facts.carrier !== undefined && (shipment.carrier ?? facts.carrier) !== facts.carrier
      ? ["carrier"]
      : []),
    ...((shipment.serviceCode ?? serviceCode) === serviceCode ? [] : ["service"]),
    ...(plainText(shipment.receiver?.postcode ?? receiver.postcode) === plainText(receiver.postcode)
      ? []
      : ["receiver's postcode"]),
  ]
}

/** The one open entry that has the name, if no process is sending it. */
async function openEntry(deps: ReconcileDeps, key: string): Promise<Entry> {
  const own = matchEntries(key, await deps.store.open(deps.scopes), listNames)
  const fitting = own.length > 0 ? own : await findOfOtherAccount(deps, key)
  const isWhole = (entry: Entry) => hasName(key, { id: entry.id, names: listNames(entry) })
  // The beginning of an open entry's key may be the whole key of one that is settled.
  const isBeginning = !fitting.some(isWhole)
  const scopes = fitting.map(({ scope }) => scope)
  const settled = isBeginning ? await findNamed(deps.store.database, key, [...new Set(scopes)]) : []
  const isAnothers = settled.some(isWhole)
  const open = isAnothers ? [] : fitting
  if (open.length > 1) throw createSeveralError(`${open.length} open entries match ${quoted(key)}`, open)
  const [entry] = open
  if (!entry)
    throw new FreightError("notFound", `no open entry of the ledger has the key ${quoted(key)}`, {
      next: "freight reconcile",
    })
  const { inFlight } = await stillOpen(deps, open)
  if (inFlight.length > 0)
    throw new FreightError("refused", `${quoted(key)} is being sent right now: wait for it`, {
      hint: `By ${entry.sender.workstation}, until ${entry.leaseUntil ?? "it is done"} at the latest.`,
      next: "freight history",
    })
  return entry
}

/** A print or pickup of another account keeps this one from being sent too. Only its id names it. */
async function findOfOtherAccount({ store }: ReconcileDeps, id: string): Promise<Entry[]> {
  return (await store.open()).filter((entry) => entry.id === id && entry.kind !== "shipment")
}

function createSeveralError(message: string, entries: readonly Entry[]): FreightError {
  return new FreightError("input", message, {
    hint: `Name the one that you mean by its id: ${entries.map(({ id }) => id).join(", ")}.`,
  })
}

function matchEntries(name: string, entries: readonly Entry[], namesOf: (entry: Entry) => string[]): Entry[] {
  const named = entries.map((entry) => ({ id: entry.id, names: namesOf(entry), entry }))
  return matchName(name, named).map(({ entry }) => entry)
}

function createChangedError(key: string): FreightError {
  return new FreightError(
    "refused",
    `${quoted(key)} was settled by another command meanwhile: nothing was changed`,
    {
      next: "freight history",
    },
  )
}

/** Its key, its content, its id without the attempt, and the customer's reference. */
function listNames({ id, key, facts: { reference } }: Entry): string[] {
  const names = [key, key.replace(/^\w+:/, ""), id.replace(/\.\d+$/, "")]
  return reference === undefined ? names : [...names, reference]
}
