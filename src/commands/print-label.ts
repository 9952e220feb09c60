import type { Command } from "commander"
import type { FreightApi } from "../api/freight.ts"
import { waitForLabel } from "../booking/waiting.ts"
import type { PrintDevice } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { duration } from "./shared/duration.ts"
import { examples } from "./shared/examples.ts"

interface Options {
  device?: string
  /** False when `--no-wait` was given. */
  wait: string | boolean
}

interface Job {
  shipmentId: string
  deviceId: string
  jobId: string
}

export function define(command: Command, act: Act): void {
  command
    .description(
      "Prints the labels of shipments on a print device. Waits for a label that its carrier makes later.",
    )
    .argument("<shipment...>", "shipment ids")
    .option("--device <id>", "the print device (the only one, where there is one)")
    .option("--wait <seconds>", "wait this long for a label that is not ready", "120")
    .option("--no-wait", "do not wait: exit 6 when a label is not ready")
    .addHelpText("after", examples("freight print label --sandbox SHIPMENT --device DEVICE"))
    .action(act(run))
}

const columns: Column<Job>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "deviceId", title: "DEVICE" },
  { key: "jobId", title: "JOB" },
]

/** POST /shipments/{id}/print, once for each shipment. The label is looked for first, so that waiting prints nothing. */
async function run(deps: Deps, shipments: string[], options: Options): Promise<undefined> {
  const limitMs = options.wait === false ? 0 : duration(options.wait, "--wait", 120)
  const api = await deps.freight()
  const deviceId = options.device ?? (await onlyDevice(api)).id
  const jobs: Job[] = []
  for (const shipmentId of new Set(shipments)) {
    await waitForLabel(deps, api, shipmentId, limitMs)
    const { jobId } = await api.printLabel(shipmentId, { deviceId }).catch(async (error: unknown) => {
      throw error instanceof FreightError && error.code === "DEVICE_NOT_FOUND"
        ? await stale(api, deviceId)
        : error
    })
    jobs.push({ shipmentId, deviceId, jobId })
  }
  await print(deps.terminal, deps.output, { json: jobs, rows: jobs, columns })
  await deps.note(
    `Queued on ${deviceId}: the device prints ${jobs.length === 1 ? "it" : "them"} when its client takes the job.`,
  )
  return
}

async function onlyDevice(api: FreightApi): Promise<PrintDevice> {
  const { devices } = await api.listPrintDevices()
  const [only, ...others] = devices
  if (only && others.length === 0) return only
  if (!only)
    throw new FreightError("notFound", "this account has no active print device", {
      hint: "Register one in the portal settings and start its label client.",
    })
  throw new FreightError("usage", "there are several print devices: say which with --device", {
    hint: list(devices),
  })
}

async function stale(api: FreightApi, deviceId: string): Promise<FreightError> {
  const { devices } = await api.listPrintDevices()
  return new FreightError(
    "notFound",
    `there is no print device '${deviceId}' any more: it was revoked or replaced`,
    {
      status: 404,
      code: "DEVICE_NOT_FOUND",
      hint: list(devices),
    },
  )
}

function list(devices: readonly PrintDevice[]): string {
  if (devices.length === 0) return "There are no active devices: register one in the portal."
  return `The devices are: ${devices.map(({ id, label }) => `${id} (${label})`).join(", ")}.`
}
