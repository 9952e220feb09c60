import { command, type Flags, readKey, WAIT_FLAGS, wholeNumber } from "../command/index.ts"
import { sandboxMark } from "../machine/index.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../session/index.ts"
import { safeText } from "../base/safe-text.ts"
import {
  type Printed,
  type PrintedNamed,
  type Scan,
  type ScanWriter,
  SHIPMENT_NAMES,
} from "../orders/index.ts"
import { BRIEF, type Column, fitLine, isForPeople, print } from "../output/index.ts"

const MAX_COPIES = 99
const MAX_SHOWN_LENGTH = 60
/** Longest message shown: one that names ten shipments is longer than server texts usually shown. */
const MAX_MESSAGE_LENGTH = 2000

const PRINT_FLAGS = {
  device: { takes: "<id>", about: "the print device (default: this workstation's, or the only one)" },
  copies: { takes: "<n>", about: "print this many of each", default: "1", read: wholeNumber(1, MAX_COPIES) },
  key: {
    takes: "<name>",
    about:
      "your own name for a print; the same key is never printed twice, and gives the print that was made (for several, one --key each, in their order)",
    isRepeatable: true,
    read: readKey,
  },
  again: { about: "print although the same was printed within 24 hours" },
} as const satisfies Flags

const labelColumns: Column<LabelJob>[] = [
  { key: "shipmentId", title: "SHIPMENT", brief: BRIEF.id, gives: "nothing" },
  { key: "deviceId", title: "DEVICE" },
  { key: "copy", title: "COPY", align: "right" },
  { key: "jobId", title: "JOB", rank: 9, brief: BRIEF.id, gives: "nothing" },
  { key: "recorded", title: "QUEUED", isState: true, show: ({ recorded }) => (recorded ? "before" : "now") },
]

type ScanRow = Omit<Scan, "error">

const scanColumns: Column<ScanRow>[] = [
  { key: "scan", title: "SCAN", gives: "nothing" },
  { key: "outcome", title: "OUTCOME", isState: true },
  { key: "shipmentId", title: "SHIPMENT", brief: BRIEF.id, gives: "nothing" },
  { key: "deviceId", title: "DEVICE" },
  { key: "jobId", title: "JOB", brief: BRIEF.id, gives: "nothing" },
  { key: "message", title: "MESSAGE", gives: "words" },
]

export const label = command({
  about:
    "Prints the labels of shipments on a print device. Waits for labels that their carrier makes later. To print a label again within 24 hours, add --again.",
  args: [{ takes: "<shipment...>", about: SHIPMENT_NAMES }],
  flags: {
    ...PRINT_FLAGS,
    ...WAIT_FLAGS,
    asTheyCome: {
      about:
        "with -: print the label of each line at once, as a scanner types them; a label that was printed before beeps, and typing again prints it once more; Ctrl-D ends it",
      conflicts: ["key", "again", "copies"],
    },
  },
  columns: [...labelColumns, ...scanColumns],
  examples: [
    "freight print label --sandbox demo-shipment --device device-bench",
    "freight print label --sandbox demo-shipment --device device-bench --copies 2 --json",
    "echo demo-shipment | freight print label --sandbox - --as-they-come --device device-bench",
  ],
  async run(deps, args, options) {
    if (options.asTheyCome) {
      const { printAsTheyCome } = await import("../orders/printing/bench.ts")
      await printAsTheyCome(deps, args, options, createScanWriter(deps))
      return
    }
    const { printNamed } = await import("../orders/printing/named.ts")
    await showPrinted(deps, await printNamed(deps, args, options), toLabelJob, labelColumns)
  },
})

const OUTCOME_WIDTH = "printed before".length
const BEL = "\u0007"

/** Shows scans as they come: a line each, or a row of NDJSON or CSV; JSON and a workbook have all of them at the end. */
function createScanWriter(deps: Deps): ScanWriter {
  const { terminal, output } = deps
  const rows: ScanRow[] = []
  const isOfLines = isForPeople(output)
  const streams = isOfLines || output.format === "ndjson" || output.format === "csv"
  const printRows = (some: readonly ScanRow[]) =>
    print(deps, { rows: some.map(marking(deps)), columns: scanColumns, isContinued: rows.length > 1 })
  return {
    async show({ error: _, ...scan }) {
      rows.push(scan)
      const isHeard = scan.outcome === "printed before" || scan.outcome === "not printed"
      if (isHeard && terminal.stderr.isTTY) await terminal.stderr.write(BEL)
      if (!streams) return
      if (!isOfLines) return printRows([scan])
      const line = `${scan.outcome.padEnd(OUTCOME_WIDTH)}  ${safeText(scan.scan, MAX_SHOWN_LENGTH)}  ${safeText(scan.message, MAX_MESSAGE_LENGTH)}`
      await terminal.stdout.write(`${fitLine(terminal.stdout, line, " ".repeat(OUTCOME_WIDTH + 2))}\n`)
    },
    async end() {
      if (!streams) await printRows(rows)
    },
  }
}

/** In the sandbox, rows of prints say so. */
function marking({ globals }: Pick<Deps, "globals">) {
  return <Row extends object>(row: Row): Row => ({ ...row, ...sandboxMark(globals) })
}

export type LabelJob = ReturnType<typeof toLabelJob>

function toLabelJob({ name: shipmentId, deviceId, copy, reply, recorded }: Printed<PrintJobCreated>) {
  return { shipmentId, deviceId, copy, jobId: reply.jobId, recorded }
}

const pdfColumns: Column<PdfJob>[] = [
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
    "Prints PDF files on a print device, each as a separate job. A file that was printed within 24 hours is printed again only with --again.",
  args: [{ takes: "<file...>", about: "PDF files, or - for standard input", isInput: true }],
  flags: PRINT_FLAGS,
  columns: pdfColumns,
  examples: ["freight print pdf --sandbox labels.pdf --device device-bench"],
  async run(deps, files, options) {
    const { printPdfs } = await import("../orders/printing/named.ts")
    await showPrinted(deps, await printPdfs(deps, files, options), toPdfJob, pdfColumns)
  },
})

export type PdfJob = ReturnType<typeof toPdfJob>

function toPdfJob({ name: file, deviceId, copy, reply, recorded }: Printed<DirectPrintJobCreated>) {
  return { file, deviceId, copy, jobId: reply.jobId, status: reply.status ?? null, recorded }
}

/** Prints the queued jobs, and says that queued is not printed: a print API's `DELIVERED` means only that. */
async function showPrinted<Reply, Job extends object>(
  deps: Deps,
  { printed, error, count }: PrintedNamed<Reply>,
  toJob: (one: Printed<Reply>) => Job,
  columns: readonly Column<Job>[],
): Promise<void> {
  if (printed.length > 0 || count > 1)
    await print(deps, { rows: printed.map(toJob).map(marking(deps)), columns })
  const sent = printed.filter(({ recorded }) => !recorded)
  const devices = [...new Set(sent.map(({ deviceId }) => deviceId))]
  const it = sent.length === 1 ? "it" : "them"
  if (devices.length > 0)
    await deps.note(
      `Queued on ${devices.join(" and ")}: the device prints ${it} when its client takes the job.`,
    )
  if (error) throw error
}
