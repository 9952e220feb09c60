import type { Command } from "commander"
import { failuresIn, fetchLabels } from "../booking/labels.ts"
import type { PrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { createFinder } from "../lookup/find.ts"
import { deviceFor } from "../printing/devices.ts"
import { printAll, type Printed, sendLabelPrint, type Sheet } from "../printing/print.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { duration } from "./shared/duration.ts"
import { namesFrom, SHIPMENT, SHIPMENTS } from "./shared/names.ts"
import { addPrintFlags, noteQueued, type PrintOptions, wantedPrints } from "./shared/print-flags.ts"

interface Options extends PrintOptions {
  /** False when `--no-wait` was given. */
  wait: string | boolean
}

interface Job {
  shipmentId: string
  deviceId: string
  copy: number
  jobId: string
  recorded: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Prints the labels of shipments on a print device. Waits for labels that their carrier makes later. What was printed within 24 hours is printed again only with --again.",
    )
    .argument("<shipment...>", `${SHIPMENT}; or - for standard input, one a line`)
  addPrintFlags(command)
    .option("--wait <seconds>", "wait this long for labels that are not ready", "120")
    .option("--no-wait", "do not wait: exit 6 when a label is not ready")
}

export const examples = [
  "freight print label --sandbox demo-shipment --device device-bench",
  "freight print label --sandbox demo-shipment --device device-bench --copies 2 --json",
]

const columns: Column<Job>[] = [
  { key: "shipmentId", title: "SHIPMENT", brief: BRIEF.id, gives: "nothing" },
  { key: "deviceId", title: "DEVICE" },
  { key: "copy", title: "COPY", align: "right" },
  { key: "jobId", title: "JOB", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "recorded", title: "QUEUED", isState: true, show: ({ recorded }) => (recorded ? "before" : "now") },
]

/**
 * POST /shipments/{id}/print for each copy. The labels are looked for first, so that waiting prints nothing, and those
 * that are there are printed in the order of the command.
 */
export async function run(deps: Deps, args: string[], options: Options): Promise<undefined> {
  const limitMs = options.wait === false ? 0 : duration(options.wait, "--wait", 120)
  const names = await namesFrom(deps.terminal, args, SHIPMENTS)
  const wanted = wantedPrints(options, names.length)
  const finder = createFinder(deps, "shipment")
  await finder.look(names)
  const device = await deviceFor(deps, "freight", options.device)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])

  const byName = { getLabel: (name: string) => finder.find(name, (id) => api.getLabel(id)) }
  const ready = await fetchLabels(deps, byName, names, limitMs, async () => true)
  const missing = failuresIn(ready)
  // Two names may be one shipment's.
  const found = names.filter((name) => !missing.some((failed) => failed.name === name))
  const shipments = [...new Set(found.map(finder.idOf))]
  const tasks = shipments.map((id) => ({
    name: id,
    send: (sheet: Sheet) => sendLabelPrint(ledger, api, id, sheet),
  }))
  const { printed, error } = await printAll<PrintJobCreated>(deps, "freight", device, tasks, wanted, missing)
  const jobs = printed.map(toJob)
  if (jobs.length > 0 || names.length > 1) await print(deps, { rows: jobs, columns })
  await noteQueued(deps, printed)
  if (error) throw error
}

function toJob({ name, deviceId, copy, reply, recorded }: Printed<PrintJobCreated>): Job {
  return { shipmentId: name, deviceId, copy, jobId: reply.jobId, recorded }
}
