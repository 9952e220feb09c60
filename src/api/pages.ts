import type { ShipmentSummary } from "../contract/generated/types.ts"
import type { FreightApi } from "./freight.ts"

const PAGE = 200

/**
 * The whole shipment list, newest first, a page at a time and only as far as the caller reads. New bookings shift the
 * pages meanwhile, so repeats are dropped by id (freight behaviour 5).
 */
export async function* shipmentPages(
  api: Pick<FreightApi, "listShipments">,
): AsyncGenerator<ShipmentSummary[]> {
  const seen = new Set<string>()
  let offset = 0
  for (;;) {
    const { shipments, total } = await api.listShipments({ limit: PAGE, offset })
    yield shipments.filter(({ id }) => !seen.has(id) && seen.add(id))
    offset += shipments.length
    if (shipments.length === 0 || offset >= total) return
  }
}
