/** Devices and print jobs, which both APIs share. */
import path from "node:path"
import type {
  DeviceListResponse,
  DirectPrintJobCreated,
  PrintDevice,
  PrintDeviceListResponse,
  PrintJobCreated,
} from "../contract/generated/types.ts"
import { makeFolder, writeWholeFile } from "../base/system.ts"
import { activeDevices, parseBody, type Call, findShipment } from "./call.ts"
import type { PrintEvent } from "./events.ts"
import { badRequest, json, notFoundAs, Refusal, type Reply } from "./reply.ts"
import type { Device } from "./tenants.ts"
import { spoolDir } from "./context.ts"
import {
  PrintJobRequest as validatePrintJob,
  PrintRequest as validatePrint,
} from "../contract/generated/requests.js"
import { getLabelPdf } from "./freight/shipments.ts"

function describeDevices(call: Call): PrintDevice[] {
  return activeDevices(call).map(({ id, label, printerName, createdAt }) => {
    const used = call.sandbox.state.deviceLastUsed.get(id)
    return {
      id,
      label,
      printerName,
      lastUsedAt: used === undefined ? null : new Date(used).toISOString(),
      createdAt,
    }
  })
}

function findDevice(call: Call, id: string): Device {
  const device = activeDevices(call).find((one) => one.id === id)
  if (!device) throw notFoundAs("DEVICE_NOT_FOUND", "The device does not exist or was revoked")
  return device
}

/** Prints: the whole PDF is written to `spool/<device>/<job>.pdf`, then the job counts. */
function printOn(
  { sandbox, tenant }: Call,
  device: Device,
  pdf: Uint8Array,
  origin: Pick<PrintEvent, "api" | "shipmentId">,
): string {
  const id = sandbox.newId()
  const folder = path.join(spoolDir(sandbox.dir), device.id)
  makeFolder(folder)
  writeWholeFile(path.join(folder, `${id}.pdf`), pdf)
  const { api, shipmentId } = origin
  sandbox.record({
    type: "print",
    id,
    at: sandbox.now(),
    tenantId: tenant.id,
    deviceId: device.id,
    api,
    shipmentId,
    bytes: pdf.length,
  })
  return id
}

/** GET /print-devices */
export function listPrintDevices(call: Call): Reply {
  return json(200, { devices: describeDevices(call) } satisfies PrintDeviceListResponse)
}

/** POST /shipments/{id}/print */
export async function printLabel(call: Call): Promise<Reply> {
  const { sandbox, tenant, id } = call
  if (!tenant.directPrint) throw new Refusal(403, { message: "Direct print is not enabled for this tenant" })
  const { deviceId } = parseBody(call, validatePrint)
  const record = findShipment(call, id)
  if (!record) throw notFoundAs("SHIPMENT_NOT_FOUND", "Shipment not found")
  const device = findDevice(call, deviceId)
  const label = await getLabelPdf(sandbox, record)
  const jobId = printOn(call, device, label, { api: "freight", shipmentId: id })
  return json(201, { jobId } satisfies PrintJobCreated)
}

/** GET /devices */
export function listDevices(call: Call): Reply {
  return json(200, { devices: describeDevices(call) } satisfies DeviceListResponse)
}

/** POST /print-jobs */
export function createPrintJob(call: Call): Reply {
  const { deviceId, pdfBase64 } = parseBody(call, validatePrintJob)
  const pdf = decodePdf(pdfBase64)
  const jobId = printOn(call, findDevice(call, deviceId), pdf, { api: "direct-print", shipmentId: null })
  return json(201, { jobId, status: "DELIVERED" } satisfies DirectPrintJobCreated)
}

function decodePdf(base64: string): Uint8Array {
  const wrong = (message: string) => badRequest("The request is not valid", [{ field: "pdfBase64", message }])
  const bytes = Buffer.from(base64, "base64")
  if (bytes.toString("base64") !== base64) throw wrong("is not base64")
  if (!bytes.toString("latin1", 0, 1024).includes("%PDF-"))
    throw wrong("is not a PDF: it does not begin with %PDF-")
  return bytes
}
