/** Pickups in tests: a ledger, and a server with its answers. */
import { type Pickup, sendPickup } from "../../../src/orders/booking/pickup.ts"
import type { ShipmentDetail } from "../../../src/contract/generated/types.ts"
import { type Answer, server } from "../../api/servers.ts"
import { client, pickup as request } from "../../api/setup.ts"
import { entry, put, testLedger } from "../../ledger/setup.ts"

/** A pickup of the shipment shp_1. */
const DERIVED: Pickup = { connectorId: "con_1", carrier: "CARRIER_A_AU", request }
export const BOOKED = {
  pickupBookingId: "pic_1",
  orderNumber: "PU-1",
  status: "BOOKED",
  connectorId: "con_1",
}

const NOT_BOOKED = { pickupStatus: "NOT_BOOKED" } as ShipmentDetail

/** A ledger, and a server that answers so; the API says of each shipment that it has no pickup. */
export async function bench(...answers: Answer[]) {
  const { url, requests } = await server(...answers)
  const ledger = testLedger()
  const api = { ...client(url).api, getShipment: async () => ({ shipment: NOT_BOOKED }) }
  return {
    ledger,
    api,
    requests,
    send: (changes: Partial<Pickup> = {}) => sendPickup(ledger, api, { ...DERIVED, ...changes }),
  }
}

/** A booking of shp_1 in the ledger, made with con_1. */
export async function bookedBefore(ledger: ReturnType<typeof testLedger>, response: object): Promise<void> {
  const made = entry({
    state: "done",
    facts: { connectorId: "con_1", shipmentId: "shp_1" },
    response: { shipmentId: "shp_1", orderNumber: "O", connectorId: "con_1", ...response },
  })
  await put(ledger.store, made)
}
