/** The direct print API: one function for each endpoint. */
import * as replies from "../contract/generated/replies.js"
import type {
  DeviceListResponse,
  DirectPrintJobCreated,
  PrintJobRequest,
} from "../contract/generated/types.ts"
import { type RawReply, readJson, request } from "./reply.ts"
import type { SendLease } from "../ports.ts"
import type { Transport } from "./transport.ts"

/** The functions throw FreightError as those of `FreightApi` do. */
export interface DirectPrintApi {
  /** GET /devices: those that are not revoked. @throws `forbidden` when the key lacks `devices:read`. */
  listDevices(): Promise<DeviceListResponse>
  /**
   * POST /print-jobs. Creates a job; its `DELIVERED` means queued, not printed. @throws `refused` (400), `forbidden` when
   * the key lacks `print-jobs:write`, `notFound` (DEVICE_NOT_FOUND).
   */
  createPrintJob(request: PrintJobRequest, lease?: SendLease): Promise<DirectPrintJobCreated>
  /** Any other request: see `request` in `reply.ts`. */
  request(method: string, path: string, options?: { body?: unknown }): Promise<RawReply>
}

export function createDirectPrintApi(transport: Transport): DirectPrintApi {
  return {
    listDevices: async () =>
      readJson(
        await transport.send({ kind: "read", method: "GET", path: "/devices" }),
        replies.DeviceListResponse,
      ),
    createPrintJob: async (body, lease) =>
      readJson(
        await transport.send({ kind: "create", method: "POST", path: "/print-jobs", body, lease }),
        replies.DirectPrintJobCreated,
      ),
    request: (method, path, options) => request(transport, method, path, options),
  }
}
