/** An earlier booking as the start of a new one: `--like SO-17`, `--last`. */
import { REPORTED } from "../contract/rate-link.ts"
import { hasName } from "../contract/names.ts"
import { FreightError } from "../errors.ts"
import type { Entry } from "../ledger/entry.ts"
import { findNamed } from "../ledger/named.ts"
import type { Store } from "../ledger/store.ts"
import { namesOf } from "./things.ts"

export interface Earlier {
  /** The request without what belongs to that order alone: when, its reference, its rate. */
  request: Record<string, unknown>
  connectorId: string | undefined
  entry: Entry
}

interface Reader {
  store: Store
  scopes?: readonly string[]
}

/** Fields of one order, which the next has its own of. */
const OF_ONE_ORDER = ["collectionDateTime", "customerReference", "rateId", "quoteId", ...REPORTED]

/**
 * The newest booking of the ledger, or the newest of a name: reference, key, consignment number, shipment id.
 * @throws FreightError `notFound` where there is none
 */
export async function findEarlier(reader: Reader, name: string | undefined): Promise<Earlier> {
  const next = "freight history --kind shipment"
  if (name === undefined) {
    const [last] = await listEarlier(reader, 1)
    if (!last) throw new FreightError("notFound", "nothing was booked yet", { next })
    return last
  }
  const entries = await findNamed(reader.store, name, reader.scopes)
  const booked = entries.filter(({ kind, state }) => kind === "shipment" && state === "done")
  const exact = booked.filter((entry) =>
    hasName(name, { id: entry.facts.shipmentId ?? "", names: namesOf(entry) }),
  )
  const [entry] = exact.length > 0 ? exact : booked
  if (!entry || typeof entry.request !== "object" || entry.request === null)
    throw new FreightError("notFound", `no booking of the ledger is called '${name}'`, { next })
  if (exact.length === 0 && booked.length > 1)
    throw new FreightError("input", `'${name}' fits ${booked.length} bookings: name one of them`, {
      errors: booked.slice(0, 10).map((each) => ({ message: namesOf(each).join(", ") })),
    })
  return earlierOf(entry, entry.request)
}

/** The last bookings, the newest first. */
export async function listEarlier({ store, scopes }: Reader, most = 200): Promise<Earlier[]> {
  const entries = await store.history({
    kind: "shipment",
    state: "done",
    ...(scopes && { scopes }),
    page: { after: undefined, size: most },
  })
  return entries.flatMap((entry) =>
    typeof entry.request === "object" && entry.request !== null ? [earlierOf(entry, entry.request)] : [],
  )
}

function earlierOf(entry: Entry, sent: object): Earlier {
  const request: Record<string, unknown> = { ...sent }
  for (const field of OF_ONE_ORDER) delete request[field]
  return { request, connectorId: entry.facts.connectorId, entry }
}
