/** Records that a carrier was told about shipments that were added to a pickup after it was booked. */
import { counted, listSome } from "../../base/counted.ts"
import { FreightError } from "../../base/errors.ts"
import { safeText } from "../../base/safe-text.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import type { Deps } from "../../session/index.ts"
import { mayAsk } from "../../command/index.ts"
import { type Entry, findLastTold, findNotYetReported, type Store, tellOfAdded } from "../../ledger/index.ts"
import { createFinder } from "../lookup/find.ts"
import { getPickupName, tellCommand } from "../booking/pickup.ts"

export const PLACEHOLDER = "NAME"

/** A recorded call to a carrier. */
export interface CarrierNotice {
  pickup: string
  /** Who was told; null if nothing waited. */
  who: string | null
  /** References of the shipments, or their ids. */
  shipments: string[]
}

/**
 * Records that a carrier was told about all shipments that wait for a pickup; only then are they part of it. At a
 * terminal, asks for the name if none is given.
 * @param options `count`: how many shipments the carrier was told about
 */
export async function recordCarrierNotice(
  deps: Deps,
  name: string,
  { who, count }: { who?: string | undefined; count?: number | undefined },
): Promise<CarrierNotice> {
  if (who?.trim() === PLACEHOLDER)
    throw new FreightError(
      "usage",
      `${PLACEHOLDER} is a placeholder: give the name of the person at the carrier whom you told`,
    )
  const { store } = await deps.writeLedger()
  const entry = await findPickupEntry(deps, store, name)
  if (!entry) {
    await deps.note(`Nothing waits for pickup ${safeText(name, 100)}: it was not booked from here.`)
    return { pickup: name, who: null, shipments: [] }
  }
  const pickup = getPickupName(entry)
  const notYetReported = await findNotYetReported(store.database, { pickupId: entry.id })
  if (notYetReported.length === 0) {
    const last = await findLastTold(store.database, entry.id)
    await deps.note(
      last
        ? `Nothing waits for pickup ${pickup}: the carrier (${safeText(last.to, 100)}) was told on ${formatInstant(last.at)}${last.by && ` by ${safeText(last.by, 100)}`}.`
        : `Nothing waits for pickup ${pickup}: the carrier knows all of its shipments.`,
    )
    return { pickup, who: null, shipments: [] }
  }
  const ids = notYetReported.map(({ shipmentId }) => shipmentId)
  const names = await nameNotYetReported(store, entry.scope, notYetReported)
  if (count !== undefined && count !== ids.length)
    throw new FreightError(
      "refused",
      `${counted(ids.length, "shipment waits", "shipments wait")} for pickup ${pickup}, not ${count}: ${listSome(names, MAX_NAMED)}`,
      {
        hint: "Nothing was recorded. Make sure that the carrier knows of all of them first.",
        next: tellCommand({ pickup, shipments: ids.length }),
      },
    )
  const told = who?.trim() || (await askWho(deps, pickup, names))
  const written = await tellOfAdded(store.database, entry.id, ids, { who: told, ...deps.sender })
  await deps.note(
    written === 0
      ? `Another workstation has recorded it meanwhile: nothing was changed.`
      : `${counted(written, "shipment is", "shipments are")} in pickup ${pickup} now: ${listSome(names, MAX_NAMED)}.`,
  )
  return { pickup, who: told, shipments: names }
}

export async function nameNotYetReported(
  store: Store,
  scope: string | undefined,
  notYetReported: readonly { shipmentId: string }[],
): Promise<string[]> {
  const names: string[] = []
  for (const { shipmentId } of notYetReported)
    names.push((await store.ofShipment(scope, shipmentId))?.facts.reference ?? shipmentId)
  return names.sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
}

const MAX_NAMED = 20

async function askWho(deps: Deps, pickup: string, names: readonly string[]): Promise<string> {
  if (!mayAsk(deps))
    throw new FreightError("usage", "who was told? --who NAME names the person at the carrier")
  const question = `Who at the carrier was told that pickup ${pickup} has ${counted(names.length, "shipment")} more (${listSome(names, MAX_NAMED)})?`
  return (await deps.prompt()).text(question, {
    check: (answer) =>
      answer === ""
        ? { ok: false, reason: "give the name of the person you spoke to" }
        : { ok: true, value: answer },
  })
}

/** @returns undefined for a pickup that only the API has. */
async function findPickupEntry(deps: Deps, store: Store, name: string): Promise<Entry | undefined> {
  const own = await store.byId(name)
  if (own?.kind === "pickup") return own
  return createFinder(deps, "pickup").find(name, async (id, found) => {
    if (found?.entryId !== undefined) return store.byId(found.entryId)
    await (await deps.freight()).getPickup(id)
    return undefined
  })
}
