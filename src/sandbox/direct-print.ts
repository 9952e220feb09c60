import { PrintJobRequest as validatePrintJob } from "../contract/generated/requests.js"
import type { DeviceListResponse, DirectPrintJobCreated } from "../contract/generated/types.ts"
import { bodyOf, type Call } from "./call.ts"
import { deviceOf, printDevices, printOn } from "./printing.ts"
import { badRequest, json, type Reply } from "./reply.ts"

/** GET /devices */
export function listDevices(call: Call): Reply {
  return json(200, { devices: printDevices(call) } satisfies DeviceListResponse)
}

/** POST /print-jobs */
export function createPrintJob(call: Call): Reply {
  const { deviceId, pdfBase64 } = bodyOf(call, validatePrintJob)
  const pdf = pdfOf(pdfBase64)
  const jobId = printOn(call, deviceOf(call, deviceId), pdf, { api: "direct-print", shipmentId: null })
  return json(201, { jobId, status: "DELIVERED" } satisfies DirectPrintJobCreated)
}

/** @throws Refusal 400 for what is not base64 of a PDF. */
function pdfOf(base64: string): Uint8Array {
  const wrong = (message: string) => badRequest("The request is not valid", [{ field: "pdfBase64", message }])
  const bytes = Buffer.from(base64, "base64")
  if (bytes.toString("base64") !== base64) throw wrong("is not base64")
  if (bytes.toString("latin1", 0, PDF_MARK.length) !== PDF_MARK)
    throw wrong("is not a PDF: it does not begin with %PDF-")
  return bytes
}

const PDF_MARK = "%PDF-"
