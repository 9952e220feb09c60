/** Books one pickup: of a shipment, or standalone. */
import type { JsonObject } from "../../base/json.ts"
import { FreightError } from "../../base/errors.ts"
import { toCarrier } from "../../carriers/index.ts"
import type { Deps } from "../../session/index.ts"
import { mayAsk, pickKey } from "../../command/index.ts"
import { type Allowances, listPlaces, momentAt, PARTIES, readOwn } from "../../contract/index.ts"
import type {
  Carrier,
  PickupBookingRequest,
  PickupBookingResponse,
  ShipmentDetail,
} from "../../contract/generated/types.ts"
import { describeCancelled, type Entry, refusalOf, Unrecorded } from "../../ledger/index.ts"
import { capital } from "../../output/index.ts"
import { chooseConnector, previewConnector, requireConnector } from "../booking/connector.ts"
import { askAboutDoubts } from "../booking/doubts.ts"
import {
  allowForKey,
  checkPickupDraft,
  connectorOfShipment,
  describeSamePickup,
  FailedPickup,
  fillFromShipment,
  findSamePickup,
  gatherPickup,
  type Pickup,
  type PickupOptions,
  pickupIntent,
  reportPickup,
  sendPickup,
  waitForSamePickup,
} from "../booking/pickup.ts"
import { findShipment } from "../lookup/find.ts"
import { askWhat, askWhen } from "./ask.ts"
import { findWaitingForPickup } from "./waiting.ts"

export interface BookPickupOptions extends PickupOptions, Allowances {
  connector?: string
  key?: string
  again?: boolean
  dryRun?: boolean
}

/** Shows what was booked. @param waiting the shipments that wait for the pickup, if it was booked for others */
type ShowBooked = (booked: readonly PickupBookingResponse[], waiting?: readonly string[]) => Promise<void>

export interface ShowPickups {
  booked: ShowBooked
  request(request: PickupBookingRequest): Promise<void>
}

const PARTS = ["shipmentId", "collection", "receiver", "items"]

/**
 * POST /{connectorId}/pickups, once. The API's reply is shown in any case. FAILED exits 1; a pickup that the carrier has
 * and the service lost exits 8: it was made, its record was not, and freight can do nothing more.
 */
export async function bookPickup(deps: Deps, given: BookPickupOptions, show: ShowPickups): Promise<void> {
  // Answers are added to it.
  const options = { ...given }
  const draft = await gatherPickup(deps, options)
  const isAsked = deps.interactive && options.file === undefined
  if (!isAsked && PARTS.every((part) => draft.request[part] === undefined))
    throw new FreightError("usage", "which shipment? freight pickup book SHIPMENT", {
      hint: "Or goods on their own: --collection, --receiver and --package.",
    })
  if (isAsked) await askWhat(deps, draft.request, options)
  const { shipmentId } = draft.request
  const shipment =
    typeof shipmentId === "string" ? await readShipment(deps, draft.request, shipmentId, options) : undefined
  const note = shipment && fillFromShipment(draft.request, shipment)
  if (note) await deps.note(note)
  if (isAsked && options.key === undefined && !options.allowPast)
    await askWhen(deps, draft.request, shipment?.collection ?? draft.request.collection)

  const connector = await connectorFor(deps, draft.request.serviceCode, shipment, options)
  const { carrier } = connector
  const knowledge = await deps.knowledge(listPlaces(draft.request, PARTIES))
  const checkDraft = (allowed: Allowances) =>
    checkPickupDraft(draft, { carrier, shipment, moment: momentAt(deps.clock.now(), allowed, knowledge) })
  const { request, warnings } = await askAboutDoubts(deps, options, async () =>
    checkDraft(options.dryRun ? options : await allowForKey(await deps.ledger("freight"), options)),
  )
  for (const warning of warnings) await deps.warn(warning)
  const pickup = { carrier, request, check: () => void checkDraft(options), ...pickKey(options) }
  if (options.dryRun) {
    await show.request(request)
    await deps.note(`Nothing was booked. It would go to POST /${connector.id ?? "{connectorId}"}/pickups.`)
    if (shipment && connector.id !== undefined)
      await refuseSentPickup(deps, { ...pickup, connectorId: connector.id })
    return
  }
  const collection = shipment?.collection ?? request.collection
  await send(deps, { ...pickup, connectorId: requireConnector(connector.id) }, collection, show.booked)
}

/** Sends a pickup, unless another run books the same one meanwhile: then that one is shown. */
async function send(
  deps: Deps,
  pickup: Pickup,
  collection: ShipmentDetail["collection"],
  show: ShowBooked,
): Promise<void> {
  try {
    const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
    if (!deps.spending.isOpen && !pickup.again) {
      const same = await waitForSamePickup(deps, ledger, api, pickup, collection)
      if (same) {
        const waiting = await findWaitingForPickup(deps, { entryId: same.id, scope: ledger.owner.scope })
        await show([same.response as PickupBookingResponse], waiting)
        return
      }
    }
    await askAboutSame(deps, await findSamePickup(ledger, api, pickup, collection))
    const created = await sendPickup(ledger, api, pickup)
    await show([created.response])
    await reportPickup(deps, created)
  } catch (error) {
    if (error instanceof FailedPickup) await show([error.response])
    if (error instanceof Unrecorded) await show([error.entry.response as PickupBookingResponse])
    throw error
  }
}

/** Asks whether another pickup is meant beside one of the same place, day and time; a script gets an error. */
async function askAboutSame(
  { spending, warn, prompt }: Pick<Deps, "spending" | "warn" | "prompt">,
  same: Entry | undefined,
): Promise<void> {
  if (!same) return
  const there = describeSamePickup(same)
  if (!spending.isOpen) return warn(`${there}: this is another one`)
  const question = `${capital(there)}. Book another one?`
  if (!(await (await prompt()).confirm(question, false, { spends: true })))
    throw new FreightError("input", "you said no: nothing was sent")
}

async function readShipment(
  deps: Deps,
  request: JsonObject,
  name: string,
  { dryRun = false }: BookPickupOptions,
): Promise<ShipmentDetail> {
  const { shipment } = await findShipment(deps, name)
  request.shipmentId = shipment.id
  const ledger = (await deps.hasLedger()) ? await deps.readLedger() : undefined
  const booked = await ledger?.store.ofShipment(ledger.scopes, shipment.id)
  if (readOwn(booked?.facts.own).dropOff)
    await deps.warn("the shipment was booked as one that is brought to the carrier (--drop-off)")
  const word = booked && describeCancelled(booked)
  if (!word && shipment.status !== "CANCELLED") return shipment
  const what = `the shipment is ${word || "cancelled"}`
  if (dryRun) await deps.warn(what)
  else if (!mayAsk(deps))
    throw new FreightError("refused", `${what}: nothing was sent`, {
      hint: word && "If it was not cancelled after all, undo that first: freight cancel --undo.",
      next: `freight shipments show ${shipment.id}`,
    })
  else if (
    !(await (await deps.prompt()).confirm(`${capital(what)}. Book a pickup for it?`, false, { spends: true }))
  )
    throw new FreightError("input", "you said no: nothing was sent")
  return shipment
}

async function refuseSentPickup(deps: Deps, pickup: Pickup): Promise<void> {
  const [ledger, api] = await Promise.all([deps.ledger("freight"), deps.freight()])
  const { refusal } = await refusalOf(ledger, pickupIntent(api, pickup))
  if (refusal) throw refusal
}

/** The carrier account that collects; its id is undefined if it is unknown. */
async function connectorFor(
  deps: Deps,
  serviceCode: unknown,
  shipment: ShipmentDetail | undefined,
  { connector: connectorId, dryRun }: BookPickupOptions,
): Promise<{ id: string | undefined; carrier: Carrier | undefined }> {
  if (!shipment)
    return (dryRun ? previewConnector : chooseConnector)(deps, {
      ...{ connectorId, carrier: undefined, serviceCode },
      offline: false,
    })
  const id = await connectorOfShipment(deps, await deps.ledger("freight"), shipment, connectorId)
  return { id, carrier: toCarrier(shipment.carrier) }
}
