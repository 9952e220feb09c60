/** Pickups for several shipments as they were booked: one for each collection address, connector and time. */
import { type Failure, failureOf } from "../../api/index.ts"
import { bookCollections, collectionPlace, findBookedPickup, groupCollections } from "./pickups.ts"
import { type Allowances, momentAt, readOwn } from "../../contract/index.ts"
import { counted } from "../../base/counted.ts"
import type { PickupBookingResponse, ShipmentDetail } from "../../contract/generated/types.ts"
import { valueOrThrow } from "../../base/parsed.ts"
import { wallClockNow } from "../../base/wall-clock.ts"
import { parseDay } from "../../base/when.ts"
import type { Deps } from "../../session/index.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import { NEVER, readBooked } from "../../ledger/index.ts"
import { isCollectedOn, type ScheduledBooking, toScheduled } from "../tracking/schedule.ts"
import { readShipments } from "../lookup/given.ts"
import { OPEN_DAYS } from "../tracking/booked.ts"

interface CollectOptions extends Allowances {
  open?: boolean
  date?: string
  dryRun?: boolean
}

/**
 * Books the pickups of shipments that have none. Those that failed are named at the end, after the others were booked.
 * @param names of shipments; with `--open` those of the ledger are taken
 * @param show gets the pickups that were booked, now or before
 */
export async function collectSeveral(
  deps: Deps,
  names: readonly string[],
  options: CollectOptions,
  show: (booked: readonly PickupBookingResponse[]) => Promise<void>,
): Promise<void> {
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])
  const failures: Failure[] = []
  const leaveOut = async ({ id, customerReference }: ShipmentDetail) => {
    // A named shipment that is cancelled is refused, as when it is named alone.
    if (options.open || options.dryRun) await deps.warn(`shipment ${id} is cancelled: it is not collected`)
    else failures.push({ name: customerReference ?? id, error: createCancelledError(id) })
  }
  const found = options.open ? await findUncollected(deps, options.date) : names
  const ids = await findIds(deps, found, leaveOut)
  const { collections, collected, unclear } = await groupCollections(ledger, api, ids)
  if (collected.length > 0)
    await deps.note(`${counted(collected.length, "shipment has", "shipments have")} a pickup already.`)
  for (const { shipmentId, reference = shipmentId, error } of unclear)
    failures.push({ name: reference, error })
  const grouped = new Set([
    ...collections.flatMap(({ shipments }) => shipments.map(({ id }) => id)),
    ...collected,
    ...unclear.map(({ shipmentId }) => shipmentId),
  ])
  for (const { shipmentId } of ids)
    if (!grouped.has(shipmentId)) failures.push({ name: shipmentId, error: bookedElsewhere(shipmentId) })

  if (options.dryRun) {
    for (const collection of collections) {
      const before = await findBookedPickup(ledger, api, collection)
      const there = before?.facts.reference ?? before?.id
      await deps.note(
        `${counted(collection.shipments.length, "shipment")} at ${collectionPlace(collection)}: ${before ? `a pickup is booked (${there})` : "one pickup would be booked"}.`,
      )
    }
    await deps.note("Nothing was booked.")
  } else {
    const attempt = async (name: string, work: () => Promise<void>) => {
      await work().catch((error) => failures.push({ name, error: toStepError(error) }))
    }
    const moment = momentAt(deps.clock.now(), options, await deps.knowledge([]))
    const { note, warn, globals } = deps
    const booked = await bookCollections({ api, ledger, moment, note, warn, globals }, collections, attempt)
    if (booked.length > 0) await show(booked)
    else if (failures.length === 0) await deps.note("There is nothing to collect.")
  }
  if (failures.length > 0) throw failureOf("pickups", collections.length + failures.length, failures)
}

type ShipmentIds = readonly { shipmentId: string }[]

/** Ids of the named shipments. @param leaveOut called for each cancelled shipment */
async function findIds(
  deps: Deps,
  names: readonly string[],
  leaveOut: (shipment: ShipmentDetail) => Promise<void>,
): Promise<ShipmentIds> {
  const ids: { shipmentId: string }[] = []
  for (const { shipment, isCancelled } of await readShipments(deps, names))
    if (isCancelled) await leaveOut(shipment)
    else ids.push({ shipmentId: shipment.id })
  return ids
}

function createCancelledError(shipmentId: string): FreightError {
  return new FreightError("refused", "it is cancelled, so it is not collected", {
    hint: "If it was not cancelled after all, undo that first: freight cancel --undo.",
    next: `freight shipments show ${shipmentId}`,
  })
}

async function findUncollected(deps: Deps, date: string | undefined): Promise<string[]> {
  const now = await deps.serviceNow()
  const since = new Date(now - OPEN_DAYS * 86_400_000).toISOString()
  const isWanted = (found: ScheduledBooking) => {
    // Goods that are dropped off at the carrier are collected only if the shipment is named.
    if (readOwn(found.entry.facts.own).dropOff) return false
    const day =
      date &&
      valueOrThrow(
        parseDay(date, () => wallClockNow(now, found.collectionZone)),
        "--date",
      )
    return isCollectedOn(found, now, day)
  }
  const { store, owner } = await deps.ledger("freight")
  const names: string[] = []
  for await (const page of readBooked(store.database, { scopes: [owner.scope], since, openSince: NEVER }))
    names.push(
      ...page
        .flatMap((booked) => toScheduled(booked) ?? [])
        .filter(isWanted)
        .map(({ shipmentId }) => shipmentId),
    )
  return names.reverse()
}

function bookedElsewhere(shipmentId: string): FreightError {
  return new FreightError("refused", "it was not booked from here, so its pickup is booked alone", {
    next: `freight pickup book ${shipmentId}`,
  })
}
