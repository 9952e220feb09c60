/** Settling an entry by a person's word: it was never made, or it is this very shipment. */
import type { FreightApi } from "../api/freight.ts"
import type { ConsignmentBookingRequest, ShipmentDetail } from "../contract/generated/types.ts"
import { FreightError, withOptions } from "../errors.ts"
import { isInFlight, type LedgerDeps } from "./create.ts"
import type { Entry } from "./entry.ts"
import { type Settled, same, settleAs, summary } from "./reconcile.ts"
import { isName, type Stored, slotText } from "./store.ts"

/**
 * Frees a key whose create certainly did not happen, by a person's word.
 * @param key the user's key, a content key, or the entry's file name
 * @throws FreightError `notFound` when no open entry has that key, `input` when several have, `refused` while it is sent
 */
export async function release(deps: LedgerDeps, key: string): Promise<Settled> {
  const stored = await openEntry(deps, key)
  const { entry, slot } = stored
  const settledAt = new Date(deps.clock.now()).toISOString()
  const note = "Released by hand: it may be sent again."
  await deps.store.settle(slot, {
    ...(entry ?? unreadable(slot.name, slot.attempt, settledAt)),
    state: "released",
    settledAt,
    note,
  })
  return { ...summary(stored), outcome: "released", matches: [], note }
}

/**
 * Writes a shipment as the outcome of an open booking, by a person's word, where several fit or none seems to. It must
 * be there, of the same service and to the same postcode, and no other entry's.
 * @param key as `release` takes it
 * @throws FreightError as `release` does; `notFound` when there is no such shipment, `refused` when it cannot be the one
 */
export async function settleByHand(
  deps: LedgerDeps,
  key: string,
  shipmentId: string,
  api: Pick<FreightApi, "getShipment">,
): Promise<Settled> {
  const stored = await openEntry(deps, key)
  const { entry, slot } = stored
  if (!entry)
    throw new FreightError("config", `the ledger's file ${stored.file} cannot be read`, {
      hint: "What was sent is not known any more. Look whether it exists; if it does not, release it.",
    })
  if (entry.kind !== "shipment")
    throw new FreightError("input", `'${key}' is no booking: a shipment cannot be what came of it`, {
      hint: "Ask the carrier, or look at the printer; release it if nothing came of it.",
    })
  const shipment = await shipmentOf(api, shipmentId)
  const owner = await deps.store.ofShipment(shipment.id)
  if (owner && slotText(owner) !== slotText(slot))
    throw notThatOne(shipmentId, "another booking made it", slotText(owner))
  const differs = differing(shipment, entry)
  if (differs.length > 0) throw notThatOne(shipmentId, `it has another ${differs.join(", and another ")}`)
  await settleAs(deps, stored, entry, shipment, "Settled by hand.")
  const note = `Settled by hand: it is shipment ${shipment.id}.`
  return { ...summary(stored), outcome: "settled", matches: [shipment.id], note }
}

async function shipmentOf(api: Pick<FreightApi, "getShipment">, id: string): Promise<ShipmentDetail> {
  try {
    return (await api.getShipment(id)).shipment
  } catch (error) {
    if (!(error instanceof FreightError) || error.kind !== "notFound") throw error
    throw withOptions(error, {
      hint: `There is no shipment '${id}' that this key may see. Nothing was settled.`,
      next: "freight shipments list",
    })
  }
}

function notThatOne(shipmentId: string, why: string, owner?: string): FreightError {
  return new FreightError("refused", `shipment ${shipmentId} cannot be what came of it: ${why}`, {
    hint:
      owner === undefined
        ? "Nothing was settled."
        : `That one is ${owner} in the ledger. Nothing was settled.`,
    next: "freight reconcile",
  })
}

/** What no carrier changes of a booking; other details it may have put right. */
function differing(shipment: ShipmentDetail, { facts, request }: Entry): string[] {
  const { serviceCode, receiver } = request as ConsignmentBookingRequest
  return [
    ...(facts.carrier !== undefined && shipment.carrier !== facts.carrier ? ["carrier"] : []),
    ...(shipment.serviceCode === serviceCode ? [] : ["service"]),
    ...(same(shipment.receiver.postcode, receiver.postcode) ? [] : ["receiver's postcode"]),
  ]
}

/** The one open entry of a key, which nobody is sending now. */
async function openEntry(deps: LedgerDeps, key: string): Promise<Stored> {
  const open = (await deps.store.open()).filter(({ entry, slot }) => keysOf(entry, slot.name).includes(key))
  if (open.length > 1)
    throw new FreightError("input", `${open.length} open entries have the key '${key}'`, {
      hint: `Name the one that is meant by its file: ${open.map(({ slot }) => slot.name).join(", ")}.`,
    })
  const stored = open[0] ?? (await unreadableOf(deps, key))
  if (!stored)
    throw new FreightError("notFound", `no open entry of the ledger has the key '${key}'`, {
      next: "freight reconcile",
    })
  if (stored.entry && isInFlight(stored.entry, deps))
    throw new FreightError("refused", `'${key}' is being sent by a running process right now: wait for it`, {
      next: "freight history",
    })
  return stored
}

/** A file that was settled before it was damaged has no mark any more; it stands in the way all the same. */
async function unreadableOf({ store }: LedgerDeps, name: string): Promise<Stored | undefined> {
  const stored = isName(name) ? await store.latest(name) : undefined
  return stored?.entry ? undefined : stored
}

function keysOf(entry: Entry | undefined, name: string): string[] {
  return entry ? [entry.key, entry.key.replace(/^\w+:/, ""), name] : [name]
}

/** Stands in for an entry whose file was torn, so that its place in the ledger is kept. */
function unreadable(name: string, attempt: number, sentAt: string): Entry {
  const key = `file:${name}`
  const owner = { host: "", pid: 0 }
  return {
    version: 1,
    kind: "shipment",
    key,
    account: "",
    content: "",
    attempt,
    state: "unknown",
    sentAt,
    owner,
    facts: {},
    call: "",
    request: {},
  }
}
