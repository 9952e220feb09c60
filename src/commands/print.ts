import type { Command } from "commander"
import { failuresIn, fetchLabels } from "../booking/labels.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { CreateKey } from "../ledger/create.ts"
import { createFinder } from "../lookup/find.ts"
import { deviceFor } from "../printing/devices.ts"
import { readPdfs } from "../printing/pdf.ts"
import {
  printAll,
  type Printed,
  sendLabelPrint,
  sendPdfPrint,
  type Sheet,
  type Wanted,
} from "../printing/print.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import type { OldCommand } from "../command.ts"
import { checkKey, parseDurationMs, parseWholeNumber, pickKey } from "./shared/flags.ts"
import { namesFrom, SHIPMENT, SHIPMENTS } from "./shared/names.ts"

interface LabelOptions extends PrintOptions {
  /** False when `--no-wait` was given. */
  wait: string | boolean
}

interface LabelJob {
  shipmentId: string
  deviceId: string
  copy: number
  jobId: string
  recorded: boolean
}

export const label: OldCommand = {
  define(command) {
    command
      .description(
        "Prints the labels of shipments on a print device. Waits for labels that their carrier makes later. What was printed within 24 hours is printed again only with --again.",
      )
      .argument("<shipment...>", `${SHIPMENT}; or - for standard input, one a line`)
    addPrintFlags(command)
      .option("--wait <seconds>", "wait this long for labels that are not ready", "120")
      .option("--no-wait", "do not wait: exit 6 when a label is not ready")
  },
  examples: [
    "freight print label --sandbox demo-shipment --device device-bench",
    "freight print label --sandbox demo-shipment --device device-bench --copies 2 --json",
  ],
  run: printLabels,
}

const labelColumns: Column<LabelJob>[] = [
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
async function printLabels(deps: Deps, args: string[], options: LabelOptions): Promise<undefined> {
  const limitMs = options.wait === false ? 0 : parseDurationMs(options.wait, "--wait", 120)
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
  const jobs = printed.map(toLabelJob)
  if (jobs.length > 0 || names.length > 1) await print(deps, { rows: jobs, columns: labelColumns })
  await noteQueued(deps, printed)
  if (error) throw error
}

function toLabelJob({ name, deviceId, copy, reply, recorded }: Printed<PrintJobCreated>): LabelJob {
  return { shipmentId: name, deviceId, copy, jobId: reply.jobId, recorded }
}

interface PdfJob {
  file: string
  deviceId: string
  copy: number
  jobId: string
  /** The API's own word: `DELIVERED` is to the queue, not to paper. */
  status: string
  recorded: boolean
}

export const pdf: OldCommand = {
  define(command) {
    command
      .description(
        "Prints PDF files on a print device, each as a separate job. What was printed within 24 hours is printed again only with --again.",
      )
      .argument("<file...>", "PDF files, or - for standard input")
    addPrintFlags(command)
  },
  examples: [
    "freight print pdf --sandbox labels.pdf --device device-bench",
    "freight label --sandbox demo-shipment -o - | freight print pdf --sandbox - --device device-bench",
  ],
  run: printPdfs,
}

const pdfColumns: Column<PdfJob>[] = [
  { key: "file", title: "FILE" },
  { key: "deviceId", title: "DEVICE" },
  { key: "copy", title: "COPY", align: "right" },
  { key: "jobId", title: "JOB", rank: 9, brief: BRIEF.id, gives: "nothing" },
  {
    key: "status",
    title: "STATUS",
    show: ({ status, recorded }) => {
      const word = status === "DELIVERED" ? "queued" : status
      return recorded ? `${word} before` : word
    },
  },
  { key: "recorded", title: "BEFORE", hidden: true },
]

/** POST /print-jobs for each copy. Every file is looked at before the first is sent. */
async function printPdfs(deps: Deps, files: string[], options: PrintOptions): Promise<undefined> {
  const pdfs = await readPdfs(deps, files)
  const wanted = wantedPrints(options, pdfs.length)
  const device = await deviceFor(deps, "direct-print", options.device)
  const [api, ledger] = await Promise.all([deps.directPrint(), deps.ledger("direct-print")])

  const tasks = pdfs.map((pdf) => ({
    name: pdf.name,
    send: (sheet: Sheet) => sendPdfPrint(ledger, api, pdf, sheet),
  }))
  const { printed, error } = await printAll<DirectPrintJobCreated>(
    deps,
    "direct-print",
    device,
    tasks,
    wanted,
  )
  const jobs = printed.map(toPdfJob)
  if (jobs.length > 0 || pdfs.length > 1) await print(deps, { rows: jobs, columns: pdfColumns })
  await noteQueued(deps, printed)
  if (error) throw error
}

function toPdfJob({ name, deviceId, copy, reply, recorded }: Printed<DirectPrintJobCreated>): PdfJob {
  return { file: name, deviceId, copy, jobId: reply.jobId, status: reply.status, recorded }
}

/** The flags that every kind of print has. */
interface PrintOptions extends CreateKey {
  device?: string
  copies: string
}

const MOST_COPIES = 99

function addPrintFlags(command: Command): Command {
  return command
    .option("--device <id>", "the print device (default: this workstation's, or the only one)")
    .option("--copies <n>", "print this many of each", "1")
    .option("--key <name>", "your own name for this print: the same key is never printed twice")
    .option("--again", "print even if the same was printed within 24 hours")
}

/** @param things how many are to be printed: a key names one of them */
function wantedPrints(options: PrintOptions, things: number): Wanted {
  const { copies, key } = options
  const count = parseWholeNumber(copies, "--copies", [1, MOST_COPIES])
  checkKey(options)
  if (key !== undefined && things > 1)
    throw new FreightError("usage", "--key names one print: give one thing to print with it", {
      hint: "Without a key, nothing is printed twice within 24 hours either.",
    })
  return { copies: count, ...pickKey(options) }
}

/** Says that queued is not printed: a print API's `DELIVERED` means no more than that. */
async function noteQueued(deps: Deps, printed: readonly Printed<unknown>[]): Promise<void> {
  const sent = printed.filter(({ recorded }) => !recorded)
  const devices = [...new Set(sent.map(({ deviceId }) => deviceId))]
  if (devices.length === 0) return
  const it = sent.length === 1 ? "it" : "them"
  await deps.note(
    `Queued on ${devices.join(" and ")}: the device prints ${it} when its client takes the job.`,
  )
}
