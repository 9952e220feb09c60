import { command, type Flags, type OptionsOf, readKey, WAIT_FLAGS, wholeNumber } from "../command/index.ts"
import { sandboxMark } from "../machine/index.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../session/index.ts"
import { failureOf } from "../api/index.ts"
import { FreightError } from "../base/errors.ts"
import { safeText } from "../base/safe-text.ts"
import {
  type Bench,
  type DeviceDeps,
  deviceFor,
  OUTCOMES,
  type Printed,
  printScans,
  type Scan,
  SHIPMENT_NAMES,
} from "../orders/index.ts"
import { BRIEF, type Column, fitLine, isForPeople, print } from "../output/index.ts"

const MOST_COPIES = 99
const LONGEST_SHOWN = 60
/** One that names ten shipments is longer than texts of a server are shown. */
const LONGEST_MESSAGE = 2000

/** The flags that every kind of print has. */
const PRINT_FLAGS = {
  device: { takes: "<id>", about: "the print device (default: this workstation's, or the only one)" },
  copies: { takes: "<n>", about: "print this many of each", default: "1", read: wholeNumber(1, MOST_COPIES) },
  key: {
    takes: "<name>",
    about:
      "your own name for a print; the same key is never printed twice, and gives the print that was made (for several, one --key each, in their order)",
    isRepeatable: true,
    read: readKey,
  },
  again: { about: "print although the same was printed within 24 hours" },
} as const satisfies Flags

type PrintOptions = OptionsOf<typeof PRINT_FLAGS>

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
        "with -: print the label of each line at once, as a scanner types them; what was printed before beeps, and typing again prints it once more; Ctrl-D ends it",
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
    if (options.asTheyCome) return printAsTheyCome(deps, args, options)
    const { printLabels } = await import("../orders/printing/named.ts")
    const { printed, error, count } = await printLabels(deps, args, options)
    if (printed.length > 0 || count > 1)
      await print(deps, { rows: printed.map(toLabelJob).map(marking(deps)), columns: labelColumns })
    await noteQueued(deps, printed)
    if (error) throw error
  },
})

/**
 * POST /shipments/{id}/print for each line of standard input, as it comes.
 * @throws FreightError naming all that was not printed, after the input has ended
 */
async function printAsTheyCome(
  deps: Deps,
  args: readonly string[],
  { device, wait }: PrintOptions & OptionsOf<typeof WAIT_FLAGS>,
): Promise<undefined> {
  if (args.length !== 1 || args[0] !== "-")
    throw new FreightError("usage", "--as-they-come prints what is typed or scanned: give - and no shipment")
  // The next scan must not answer a question.
  const asked: DeviceDeps = Object.create(deps, { interactive: { value: false } })
  const writer = createScanWriter(deps)
  const bench: Bench = {
    api: await deps.freight(),
    ledger: await deps.ledger("freight"),
    findDevice: () => deviceFor(asked, "freight", device),
    limitMs: wait || 0,
    show: writer.show,
  }
  await bench.findDevice()
  const last = new Map<string, Scan>()
  try {
    await printScans(deps, bench, last)
  } finally {
    await writer.end()
    await deps.note(countScans([...last.values()]))
  }
  const scans = [...last.values()]
  const failures = scans.flatMap(({ scan: name, error }) => (error ? [{ name, error }] : []))
  if (failures.length > 0) throw failureOf("scans", scans.length, failures)
}

/** The longest outcome has as many characters. */
const OUTCOME_WIDTH = "printed before".length
const BEL = "\u0007"

/** Shows scans as they come: a line each, or a row of NDJSON or CSV; JSON and a workbook have all of them at the end. */
function createScanWriter(deps: Deps) {
  const { terminal, output } = deps
  const rows: ScanRow[] = []
  const isOfLines = isForPeople(output)
  const streams = isOfLines || output.format === "ndjson" || output.format === "csv"
  const printRows = (some: readonly ScanRow[]) =>
    print(deps, { rows: some.map(marking(deps)), columns: scanColumns, isContinued: rows.length > 1 })
  return {
    async show({ error: _, ...scan }: Scan): Promise<void> {
      rows.push(scan)
      const isHeard = scan.outcome === "printed before" || scan.outcome === "not printed"
      if (isHeard && terminal.stderr.isTTY) await terminal.stderr.write(BEL)
      if (!streams) return
      if (!isOfLines) return printRows([scan])
      const line = `${scan.outcome.padEnd(OUTCOME_WIDTH)}  ${safeText(scan.scan, LONGEST_SHOWN)}  ${safeText(scan.message, LONGEST_MESSAGE)}`
      await terminal.stdout.write(`${fitLine(terminal.stdout, line, " ".repeat(OUTCOME_WIDTH + 2))}\n`)
    },
    async end(): Promise<void> {
      if (!streams) await printRows(rows)
    },
  }
}

/** `12 scanned: 10 printed, 1 printed before, 1 not printed.` */
function countScans(scans: readonly Scan[]): string {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = scans.filter((scan) => scan.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${outcome}`]
  })
  return counts.length === 0 ? "Nothing was scanned." : `${scans.length} scanned: ${counts.join(", ")}.`
}

/** Rows of what was printed say so in the sandbox. */
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
    "Prints PDF files on a print device, each as a separate job. What was printed within 24 hours is printed again only with --again.",
  args: [{ takes: "<file...>", about: "PDF files, or - for standard input", isInput: true }],
  flags: PRINT_FLAGS,
  columns: pdfColumns,
  examples: ["freight print pdf --sandbox labels.pdf --device device-bench"],
  async run(deps, files, options) {
    const { printPdfs } = await import("../orders/printing/named.ts")
    const { printed, error, count } = await printPdfs(deps, files, options)
    if (printed.length > 0 || count > 1)
      await print(deps, { rows: printed.map(toPdfJob).map(marking(deps)), columns: pdfColumns })
    await noteQueued(deps, printed)
    if (error) throw error
  },
})

export type PdfJob = ReturnType<typeof toPdfJob>

function toPdfJob({ name: file, deviceId, copy, reply, recorded }: Printed<DirectPrintJobCreated>) {
  return { file, deviceId, copy, jobId: reply.jobId, status: reply.status ?? null, recorded }
}

/** Says that queued is not printed: a print API's `DELIVERED` means no more than that. */
async function noteQueued({ note }: Pick<Deps, "note">, printed: readonly Printed<unknown>[]): Promise<void> {
  const sent = printed.filter(({ recorded }) => !recorded)
  const devices = [...new Set(sent.map(({ deviceId }) => deviceId))]
  if (devices.length === 0) return
  const it = sent.length === 1 ? "it" : "them"
  await note(`Queued on ${devices.join(" and ")}: the device prints ${it} when its client takes the job.`)
}
