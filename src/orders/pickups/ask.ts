/** Asks a person for what a pickup lacks. */
import type { Json, JsonObject } from "../../base/json.ts"
import type { Deps } from "../../session/index.ts"
import { itemsOf } from "../../contract/index.ts"
import type { PickupOptions } from "../booking/pickup.ts"

interface AskedOptions extends PickupOptions {
  connector?: string
}

/** Asks for the shipment if nothing is named, or for the missing parts of a standalone pickup. */
export async function askWhat(deps: Deps, request: JsonObject, options: AskedOptions): Promise<void> {
  const { shipmentId, collection, receiver, items } = request
  if (shipmentId !== undefined) return
  if (collection === undefined && receiver === undefined && items === undefined) {
    const { askShipment } = await import("../lookup/names.ts")
    request.shipmentId = await askShipment(deps, "Which shipment should be collected?")
    return
  }
  const [{ askParts, askService, known }, { getPackages }, party, { packages }] = await Promise.all([
    import("../wizard/ask-parts.ts"),
    import("../wizard/draft.ts"),
    import("../wizard/steps/party.ts"),
    import("../wizard/steps/goods.ts"),
  ])
  const draft = await askParts(deps, known({ collection, receiver }), [
    party.collection,
    party.receiver,
    ...(items === undefined ? [packages] : []),
  ])
  Object.assign(request, known({ collection: draft.request.collection, receiver: draft.request.receiver }))
  if (items === undefined) request.items = { ...itemsOf(getPackages(draft)) }
  const serviceCode = typeof request.serviceCode === "string" ? request.serviceCode : undefined
  const service = await askService(deps, "Which carrier should collect it, for which service?", {
    connectorId: options.connector,
    serviceCode,
  })
  if (service === undefined) return
  options.connector = service.connectorId
  if (service.serviceCode !== undefined) request.serviceCode = service.serviceCode
}

/** Asks when it is ready and when the premises close, if that is not known or has passed. */
export async function askWhen(deps: Deps, request: JsonObject, collection: unknown): Promise<void> {
  const { pickupDate, readyTime, closeTime } = request
  const [{ askParts, known }, { pickupTimes }] = await Promise.all([
    import("../wizard/ask-parts.ts"),
    import("../wizard/steps/times.ts"),
  ])
  const ready = pickupDate && readyTime ? `${String(pickupDate)}T${String(readyTime)}:00` : undefined
  const close = typeof closeTime === "string" ? closeTime.replace(":", "") : undefined
  const start = { collection: collection as Json, collectionDateTime: ready, collectionCloseTime: close }
  const { request: asked } = await askParts(deps, known(start), [pickupTimes])
  const [date, time = ""] = String(asked.collectionDateTime).split("T")
  request.pickupDate = date ?? ""
  request.readyTime = time.slice(0, 5)
  request.closeTime = String(asked.collectionCloseTime).replace(/^(..)(..)$/, "$1:$2")
}
