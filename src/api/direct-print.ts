/** The direct print API: one function for each endpoint. */
import * as shapes from "../contract/generated/shapes.ts"
import type { PrintJobRequest } from "../contract/generated/types.ts"
import type { SendLease } from "../base/ports.ts"
import { readJson, request } from "./reply.ts"
import type { Transport } from "./transport.ts"

export type DirectPrintApi = ReturnType<typeof createDirectPrintApi>

/** The functions throw FreightError as those of `FreightApi` do. */
export function createDirectPrintApi(transport: Transport) {
  return {
    /** GET /devices: those that are not revoked. */
    listDevices: async () => {
      const reply = await transport.send({ kind: "read", method: "GET", path: "/devices" })
      return (await readJson(reply, shapes.DeviceListResponse)).value
    },
    /** POST /print-jobs. Creates a job; its `DELIVERED` means queued, not printed. */
    createPrintJob: async (body: PrintJobRequest, lease?: SendLease) => {
      const reply = await transport.send({ kind: "create", method: "POST", path: "/print-jobs", body, lease })
      return (await readJson(reply, shapes.DirectPrintJobCreated)).value
    },
    /** Any other request: see `request` in `reply.ts`. */
    request: (method: string, path: string, options?: { body?: unknown }) =>
      request(transport, method, path, options),
  }
}
