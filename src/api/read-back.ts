/** Reads the list of shipments back to a time. The client that books sets the dates, so one alone proves nothing. */
import type { ShipmentSummary } from "../contract/generated/types.ts"
import { type FreightApi, shipmentPages } from "./freight.ts"

/** A date tells how far back a list was read only if this many neighbouring rows agree: one may be wrong. */
export const NEIGHBOURS = 10

/**
 * Takes the dates of a list's rows in order, newest first, and returns after each how far back the list was read:
 * milliseconds since the epoch; infinity until enough rows agree.
 */
export function createReach(): (at: number) => number {
  const last: number[] = []
  let reach = Number.POSITIVE_INFINITY
  return (at) => {
    last.push(Number.isNaN(at) ? Number.POSITIVE_INFINITY : at)
    if (last.length > NEIGHBOURS) last.shift()
    if (last.length === NEIGHBOURS) reach = Math.min(reach, Math.max(...last))
    return reach
  }
}

/** The list, newest first, back to an instant that may change while it is read. */
export async function* readBack(
  api: Pick<FreightApi, "listShipments">,
  until: () => number,
): AsyncGenerator<ShipmentSummary[]> {
  if (until() === Number.POSITIVE_INFINITY) return
  const reachBack = createReach()
  let reach = Number.POSITIVE_INFINITY
  for await (const page of shipmentPages(api)) {
    yield page
    for (const { createdAt } of page) reach = reachBack(Date.parse(createdAt ?? ""))
    if (reach < until()) return
  }
}
