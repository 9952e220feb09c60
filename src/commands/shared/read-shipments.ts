/** The shipments that a command was given by any of their names. */
import { several } from "../../api/several.ts"
import type { ShipmentDetail } from "../../contract/generated/types.ts"
import type { Deps } from "../../deps.ts"
import { createFinder } from "../../lookup/find.ts"

interface ReadShipment {
  shipment: ShipmentDetail
  /** Of its entry in the ledger, where that knows the name. */
  scope: string | undefined
}

/**
 * Reads each shipment once, whatever it is called.
 * @throws FreightError for the first that cannot be read: what is made of them must not lack one without a word
 */
export async function readShipments(deps: Deps, names: readonly string[]): Promise<ReadShipment[]> {
  const finder = createFinder(deps, "shipment")
  await finder.look(names)
  const api = await deps.freight()
  const found = new Map<string, ReadShipment>()
  for (const attempt of await several(names, (name) => finder.find(name, (id) => api.getShipment(id)))) {
    if (!attempt.ok) throw attempt.error
    const { shipment } = attempt.result
    found.set(shipment.id, { shipment, scope: finder.thingOf(attempt.item)?.scope })
  }
  return [...found.values()]
}
