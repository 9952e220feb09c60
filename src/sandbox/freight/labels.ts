import { type Call, shipmentOf } from "../call.ts"
import { consignmentNumber, isReady, orderNumber } from "../carriers.ts"
import { serviceOf } from "../catalogue.ts"
import { notFound, notFoundAs, pdf, type Reply } from "../reply.ts"
import type { ShipmentRecord } from "../state.ts"
import type { World } from "../world.ts"
import { eventOf } from "./shipments.ts"

/** GET /shipments/{id}/label */
export async function showLabel(call: Call): Promise<Reply> {
  const record = shipmentOf(call, call.id)
  if (!record) throw notFound("Shipment not found")
  return pdf(await labelOf(call.world, record))
}

/** @throws Refusal 404 LABEL_NOT_AVAILABLE while the carrier has not made the label. */
export async function labelOf(world: World, record: ShipmentRecord): Promise<Uint8Array> {
  const { carrier, number, createdAt } = record
  if (!isReady("label", carrier, createdAt, world.now()))
    throw notFoundAs("LABEL_NOT_AVAILABLE", "The label is not available yet")
  const { request } = eventOf(world, record)
  const { renderLabel } = await import("../label-pdf.ts")
  return renderLabel({
    carrier,
    serviceCode: request.serviceCode,
    serviceDescription: serviceOf(carrier, request.serviceCode)?.description ?? request.serviceCode,
    consignmentNumber: consignmentNumber(carrier, number),
    orderNumber: orderNumber(carrier, number),
    sender: request.sender,
    receiver: request.receiver,
    items: request.items,
    packagingCode: request.packagingCode,
    collectionDate: request.collectionDateTime.slice(0, "yyyy-MM-dd".length),
    dangerousGoods: request.dangerousGoods,
    ...(request.specialInstructions !== undefined && { specialInstructions: request.specialInstructions }),
    ...(request.customerReference !== undefined && { customerReference: request.customerReference }),
  })
}
