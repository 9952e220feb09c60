import { PrintRequest as validatePrint } from "../../contract/generated/requests.js"
import type { PrintDeviceListResponse, PrintJobCreated } from "../../contract/generated/types.ts"
import { bodyOf, type Call, shipmentOf } from "../call.ts"
import { deviceOf, printDevices, printOn } from "../printing.ts"
import { json, notFoundAs, Refusal, type Reply } from "../reply.ts"
import { labelOf } from "./labels.ts"

/** GET /print-devices */
export function listPrintDevices(call: Call): Reply {
  return json(200, { devices: printDevices(call) } satisfies PrintDeviceListResponse)
}

/** POST /shipments/{id}/print */
export async function printLabel(call: Call): Promise<Reply> {
  const { world, tenant, id } = call
  if (!tenant.directPrint) throw new Refusal(403, { message: "Direct print is not enabled for this tenant" })
  const { deviceId } = bodyOf(call, validatePrint)
  const record = shipmentOf(call, id)
  if (!record) throw notFoundAs("SHIPMENT_NOT_FOUND", "Shipment not found")
  const device = deviceOf(call, deviceId)
  const label = await labelOf(world, record)
  const jobId = printOn(call, device, label, { api: "freight", shipmentId: id })
  return json(201, { jobId } satisfies PrintJobCreated)
}
