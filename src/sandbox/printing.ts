/** Devices and print jobs, which both APIs share. */
import path from "node:path"
import type { PrintDevice } from "../contract/generated/types.ts"
import { makeFolder, writeWholeFile } from "../system.ts"
import { activeDevices, type Call } from "./call.ts"
import type { PrintEvent } from "./events.ts"
import { notFoundAs } from "./reply.ts"
import type { Device } from "./tenants.ts"
import { spoolDir } from "./world.ts"

/** The tenant's devices that have not been revoked. */
export function printDevices(call: Call): PrintDevice[] {
  return activeDevices(call).map(({ id, label, printerName, createdAt }) => {
    const used = call.world.state.deviceLastUsed.get(id)
    return {
      id,
      label,
      printerName,
      lastUsedAt: used === undefined ? null : new Date(used).toISOString(),
      createdAt,
    }
  })
}

/** @throws Refusal 404 DEVICE_NOT_FOUND when it is revoked or not the tenant's. */
export function deviceOf(call: Call, id: string): Device {
  const device = activeDevices(call).find((one) => one.id === id)
  if (!device) throw notFoundAs("DEVICE_NOT_FOUND", "The device does not exist or was revoked")
  return device
}

/** Prints: the PDF lands whole in `spool/<device>/<job>.pdf`, then the job counts. */
export function printOn(
  { world, tenant }: Call,
  device: Device,
  pdf: Uint8Array,
  origin: Pick<PrintEvent, "api" | "shipmentId">,
): string {
  const id = world.newId()
  const folder = path.join(spoolDir(world.dir), device.id)
  makeFolder(folder)
  writeWholeFile(path.join(folder, `${id}.pdf`), pdf)
  const { api, shipmentId } = origin
  world.record({
    type: "print",
    id,
    at: world.now(),
    tenantId: tenant.id,
    deviceId: device.id,
    api,
    shipmentId,
    bytes: pdf.length,
  })
  return id
}
