import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { failuresIn, fetchLabels } from "../orders/booking/labels.ts"
import { sandboxMark } from "../machine/config/sandbox-mode.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../command/deps.ts"
import { FreightError } from "../base/errors.ts"
import { createFinder } from "../orders/lookup/find.ts"
import { deviceFor } from "../orders/printing/devices.ts"
import { readPdfs } from "../orders/printing/pdf.ts"
import { printAll, type Printed, sendLabelPrint, sendPdfPrint, type Sheet } from "../orders/printing/print.ts"
import { namesFrom, SHIPMENTS } from "../orders/lookup/given.ts"
import { BRIEF, type Column } from "../output/terminal/columns.ts"
import { print } from "../output/terminal/view.ts"
import { readKey, WAIT_FLAGS, wholeNumber } from "../command/flags.ts"
import { SHIPMENT_NAMES } from "../orders/lookup/names.ts"

const MOST_COPIES = 99

/** The flags that every kind of print has. */
const PRINT_FLAGS = {
  device: { takes: "<id>", about: "the print device (default: this workstation's, or the only one)" },
  copies: { takes: "<n>", about: "print this many of each", default: "1", read: wholeNumber(1, MOST_COPIES) },
  key: {
    takes: "<name>",
    about: "your own name for this print: the same key is never printed twice",
    read: readKey,
  },
  again: { about: "print even if the same was printed within 24 hours" },
} as const satisfies Flags

type PrintOptions = OptionsOf<typeof PRINT_FLAGS>

const labelColumns: Column<ReturnType<typeof toLabelJob>>[] = [
  { key: "shipmentId", title: "SHIPMENT", brief: BRIEF.id, gives: "nothing" },
  { key: "deviceId", title: "DEVICE" },
  { key: "copy", title: "COPY", align: "right" },
  { key: "jobId", title: "JOB", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "recorded", title: "QUEUED", isState: true, show: ({ recorded }) => (recorded ? "before" : "now") },
]

export const label = command({
  about:
    "Prints the labels of shipments on a print device. Waits for labels that their carrier makes later. What was printed within 24 hours is printed again only with --again.",
  args: [{ takes: "<shipment...>", about: SHIPMENT_NAMES }],
  flags: { ...PRINT_FLAGS, ...WAIT_FLAGS },
  columns: labelColumns,
  examples: [
    "freight print label --sandbox demo-shipment --device device-bench",
    "freight print label --sandbox demo-shipment --device device-bench --copies 2 --json",
  ],
  run: printLabels,
})

/**
 * POST /shipments/{id}/print for each copy. The labels are looked for first, so that waiting prints nothing, and those
 * that are there are printed in the order of the command.
 */
async function printLabels(
  deps: Deps,
  args: readonly string[],
  options: PrintOptions & OptionsOf<typeof WAIT_FLAGS>,
): Promise<undefined> {
  const names = await namesFrom(deps.terminal, args, SHIPMENTS)
  refuseSharedKey(options, names.length)
  const finder = createFinder(deps, "shipment")
  await finder.checkNames(names)
  const device = await deviceFor(deps, "freight", options.device)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])

  const byName = { getLabel: (name: string) => finder.find(name, (id) => api.getLabel(id)) }
  const missing = failuresIn(await fetchLabels(deps, byName, names, options.wait || 0, async () => true))
  // Two names may be one shipment's.
  const found = names.filter((name) => !missing.some((failed) => failed.name === name))
  const tasks = [...new Set(found.map(finder.idOf))].map((name) => ({
    name,
    send: (sheet: Sheet) => sendLabelPrint(ledger, api, name, sheet),
  }))
  const { printed, error } = await printAll<PrintJobCreated>(deps, "freight", device, tasks, options, missing)
  if (printed.length > 0 || names.length > 1)
    await print(deps, { rows: printed.map(toLabelJob).map(marking(deps)), columns: labelColumns })
  await noteQueued(deps, printed)
  if (error) throw error
}

/** Rows of what was printed say so in the sandbox. */
function marking({ globals }: Pick<Deps, "globals">) {
  return <Row extends object>(row: Row): Row => ({ ...row, ...sandboxMark(globals) })
}

function toLabelJob({ name: shipmentId, deviceId, copy, reply, recorded }: Printed<PrintJobCreated>) {
  return { shipmentId, deviceId, copy, jobId: reply.jobId, recorded }
}

const pdfColumns: Column<ReturnType<typeof toPdfJob>>[] = [
  { key: "file", title: "FILE" },
  { key: "deviceId", title: "DEVICE" },
  { key: "copy", title: "COPY", align: "right" },
  { key: "jobId", title: "JOB", rank: 9, brief: BRIEF.id, gives: "nothing" },
  {
    key: "status",
    title: "STATUS",
    // The API's `DELIVERED` is to the queue, not to paper.
    show: ({ status, recorded }) =>
      `${status === "DELIVERED" ? "queued" : status}${recorded ? " before" : ""}`,
  },
  { key: "recorded", title: "BEFORE", hidden: true },
]

export const pdf = command({
  about:
    "Prints PDF files on a print device, each as a separate job. What was printed within 24 hours is printed again only with --again.",
  args: [{ takes: "<file...>", about: "PDF files, or - for standard input", isInput: true }],
  flags: PRINT_FLAGS,
  columns: pdfColumns,
  examples: ["freight print pdf --sandbox labels.pdf --device device-bench"],
  run: printPdfs,
})

/** POST /print-jobs for each copy. Every file is looked at before the first is sent. */
async function printPdfs(deps: Deps, files: readonly string[], options: PrintOptions): Promise<undefined> {
  const pdfs = await readPdfs(deps, files)
  refuseSharedKey(options, pdfs.length)
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
    options,
  )
  if (printed.length > 0 || pdfs.length > 1)
    await print(deps, { rows: printed.map(toPdfJob).map(marking(deps)), columns: pdfColumns })
  await noteQueued(deps, printed)
  if (error) throw error
}

function toPdfJob({ name: file, deviceId, copy, reply, recorded }: Printed<DirectPrintJobCreated>) {
  return { file, deviceId, copy, jobId: reply.jobId, status: reply.status, recorded }
}

/** @throws FreightError `usage` for a key where several things are printed */
function refuseSharedKey({ key }: PrintOptions, things: number): void {
  if (key === undefined || things === 1) return
  throw new FreightError("usage", "--key names one print: give one thing to print with it", {
    hint: "Without a key, nothing is printed twice within 24 hours either.",
  })
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
