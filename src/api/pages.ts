import type { ShipmentSummary } from "../contract/generated/types.ts"
import { FreightError } from "../errors.ts"
import { MOST_SHIPMENTS } from "../limits.ts"
import type { FreightApi } from "./freight.ts"

const PAGE = 200

/**
 * The whole shipment list, newest first, a page at a time and only as far as the caller reads. New bookings shift the
 * pages meanwhile, so repeats are dropped by id (freight behaviour 5).
 * @throws FreightError `badReply` when a page of a list that goes on brings nothing new, or the list is longer than `MOST_SHIPMENTS`
 */
export async function* shipmentPages(
  api: Pick<FreightApi, "listShipments">,
): AsyncGenerator<ShipmentSummary[]> {
  const seen = new Set<string>()
  let offset = 0
  while (offset < MOST_SHIPMENTS) {
    const { shipments, total } = await api.listShipments({ limit: PAGE, offset })
    const fresh = shipments.filter(({ id }) => !seen.has(id) && seen.add(id))
    yield fresh
    offset += shipments.length
    if (offset >= total) return
    if (fresh.length === 0)
      throw new FreightError(
        "badReply",
        `the list of shipments repeats itself: the page from ${offset - shipments.length} on has nothing new, and ${total} shipments are announced`,
        { hint: `${seen.size} were read. Run it again; if it stays so, report it to whoever runs the API.` },
      )
  }
  throw new FreightError(
    "badReply",
    `the list of shipments goes on after ${seen.size}: no more are read at once`,
    {
      hint: `Read a part of it with freight shipments list --limit ${PAGE} --offset N.`,
    },
  )
}
