import path from "node:path"
import type { Command } from "commander"
import { waitForLabel } from "../booking/waiting.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { Act } from "./shared/act.ts"
import { duration } from "./shared/duration.ts"
import { examples } from "./shared/examples.ts"

interface Options {
  output?: string
  dir?: string
  /** False when `--no-wait` was given. */
  wait: string | boolean
}

interface Saved {
  shipmentId: string
  file: string
  bytes: number
}

export function define(command: Command, act: Act): void {
  command
    .description("Saves the labels of shipments as PDF. Waits for a label that its carrier makes later.")
    .argument("<shipment...>", "shipment ids")
    .option("-o, --output <file>", "write to this file, or - for standard output (label-SHIPMENT.pdf)")
    .option("--dir <dir>", "write each label into this folder")
    .option("--wait <seconds>", "wait this long for a label that is not ready", "120")
    .option("--no-wait", "do not wait: exit 6 when a label is not ready")
    .addHelpText(
      "after",
      examples("freight label --sandbox SHIPMENT -o label.pdf", "freight label --sandbox SHIPMENT -o - | lp"),
    )
    .action(act(run))
}

const columns: Column<Saved>[] = [
  { key: "shipmentId", title: "SHIPMENT" },
  { key: "file", title: "FILE" },
  { key: "bytes", title: "BYTES", align: "right" },
]

/** GET /shipments/{id}/label, each written whole or not at all. */
async function run(deps: Deps, shipments: string[], options: Options): Promise<undefined> {
  const limitMs = options.wait === false ? 0 : duration(options.wait, "--wait", 120)
  if (options.output !== undefined && options.dir !== undefined)
    throw new FreightError("usage", "--output and --dir contradict each other: choose one")
  if (options.output !== undefined && shipments.length > 1)
    throw new FreightError("usage", "--output takes one shipment's label: use --dir for several")
  const api = await deps.freight()

  if (options.output === "-") {
    if (deps.terminal.stdout.isTTY)
      throw new FreightError(
        "usage",
        "a PDF does not belong on the terminal: redirect it, or name a file with -o",
      )
    await deps.terminal.stdout.write(await waitForLabel(deps, api, shipments[0] ?? "", limitMs))
    return
  }
  const saved: Saved[] = []
  for (const shipmentId of new Set(shipments)) {
    const pdf = await waitForLabel(deps, api, shipmentId, limitMs)
    const file = options.output ?? path.join(options.dir ?? ".", labelName(shipmentId))
    await deps.files.write(file, pdf)
    saved.push({ shipmentId, file, bytes: pdf.byteLength })
  }
  await print(deps.terminal, deps.output, { json: saved, rows: saved, columns })
  return
}

/** A file name that stays in its folder whatever the id holds. */
function labelName(shipmentId: string): string {
  return `label-${shipmentId.replace(/[^\w-]/g, "_").slice(0, 100)}.pdf`
}
