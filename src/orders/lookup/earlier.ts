/** An earlier booking as the start of a new one: `--like SO-17`, `--last`. */
import type { JsonObject } from "../../base/json.ts"
import type { Own } from "../../contract/fields/own.ts"
import { getOwnForNext, readOwn } from "../../contract/fields/own.ts"
import { LINK_FIELDS } from "../../contract/rate-link.ts"
import { hasName, matchName } from "../../base/names.ts"
import { safeText } from "../../base/safe-text.ts"
import { FreightError } from "../../base/errors.ts"
import type { Entry } from "../../ledger/entry.ts"
import { findNamed } from "../../ledger/records/named.ts"
import type { Store } from "../../ledger/store.ts"
import { findTarget, createAmbiguousError } from "./find.ts"
import { fromEntry, type ShipmentOrPickup } from "./shipment-or-pickup.ts"

export interface Earlier {
  /** The request without what belongs to that order alone: when, its reference, its rate. */
  request: JsonObject
  /** What was known of it beside the request. */
  own: Own
  connectorId: string | undefined
  entry: Entry
}

interface LedgerScope {
  store: Store
  scopes?: readonly string[]
}

/** Fields of one order, which the next has its own of. */
const OF_ONE_ORDER = ["collectionDateTime", "customerReference", ...LINK_FIELDS]

/**
 * The newest booking of the ledger, or the newest of a name, which is any that `createFinder` takes.
 * @throws FreightError `notFound` where there is none, `input` where the beginning of a name fits several
 */
export async function findEarlier(ledger: LedgerScope, name: string | undefined): Promise<Earlier> {
  const next = "freight history --kind shipment"
  if (name === undefined) {
    const [last] = await listEarlier(ledger, 1)
    if (!last) throw new FreightError("notFound", "nothing was booked yet", { next })
    return last
  }
  const { store, scopes } = ledger
  const named = (await findNamed(store, name, scopes)).flatMap((entry) => fromEntry(entry) ?? [])
  const booked: ShipmentOrPickup[] = []
  for (const found of matchName(name, named)) {
    const shipment = await findTarget({ readLedger: async () => ledger }, "shipment", found)
    if (shipment && booked.every(({ id }) => id !== shipment.id)) booked.push(shipment)
  }
  const [newest, ...others] = booked
  // A reference that was used again means its last booking.
  if (newest && others.length > 0 && !hasName(name, newest))
    throw createAmbiguousError(name, "shipment", booked)
  const entry = newest?.shipmentId && (await store.ofShipment(newest.scope, newest.shipmentId))
  if (entry && typeof entry.request === "object" && entry.request !== null)
    return toEarlier(entry, entry.request)
  throw new FreightError("notFound", `the ledger has no booking '${safeText(name, 100)}'`, { next })
}

/** The last bookings, the newest first. */
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
  for (const field of OF_ONE_ORDER) delete request[field]
  return {
    request,
    own: getOwnForNext(readOwn(entry.facts.own)),
    connectorId: entry.facts.connectorId,
    entry,
  }
}
