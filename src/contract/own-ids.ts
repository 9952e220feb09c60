/** Objects of the API as freight prints them: unchanged, except that the name of their `id` says what it identifies. */
import type {
  ConnectorSummary,
  PickupBookingDetail,
  PickupBookingResponse,
  ShipmentDetail,
  ShipmentSummary,
} from "./generated/types.ts"

export interface NamedSummary extends Omit<ShipmentSummary, "id"> {
  shipmentId: string
}
export interface NamedShipment extends Omit<ShipmentDetail, "id"> {
  shipmentId: string
}
export interface NamedPickup extends Omit<PickupBookingDetail, "id"> {
  pickupId: string | null
}
export interface NamedConnector extends Omit<ConnectorSummary, "id"> {
  connectorId: string
}
/** The reply to a pickup, in which any field may be missing. */
export type BookedPickup = { [Name in "pickupId" | "orderNumber" | "status" | "connectorId"]: string | null }

export function nameShipment<Shipment extends { id: string }>({
  id: shipmentId,
  ...others
}: Shipment): Omit<Shipment, "id"> & { shipmentId: string } {
  return { shipmentId, ...others }
}

export function namePickup({ id, ...others }: PickupBookingDetail): NamedPickup {
  return { pickupId: id ?? null, ...others }
}

export function nameDevice<Device extends { id: string }>({
  id: deviceId,
  ...others
}: Device): Omit<Device, "id"> & { deviceId: string } {
  return { deviceId, ...others }
}

export function nameConnector({ id: connectorId, ...others }: ConnectorSummary): NamedConnector {
  return { connectorId, ...others }
}

export function toBookedPickup(reply: PickupBookingResponse): BookedPickup {
  const { pickupBookingId = null, orderNumber = null, status = null, connectorId = null } = reply
  return { pickupId: pickupBookingId, orderNumber, status, connectorId }
}
