import type { Command } from "commander"
import type { DirectPrintJobCreated } from "../contract/generated/types.ts"
import type { Deps } from "../deps.ts"
import { deviceFor } from "../printing/devices.ts"
import { readPdfs } from "../printing/pdf.ts"
import { printAll, type Printed, sendPdfPrint, type Sheet } from "../printing/print.ts"
import { BRIEF, type Column } from "../terminal/columns.ts"
import { print } from "../terminal/view.ts"
import { addPrintFlags, noteQueued, type PrintOptions, wantedPrints } from "./shared/print-flags.ts"

interface Job {
  file: string
  deviceId: string
  copy: number
  jobId: string
  /** The API's own word: `DELIVERED` is to the queue, not to paper. */
  status: string
  recorded: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Prints PDF files on a print device, each as a separate job. What was printed within 24 hours is printed again only with --again.",
    )
    .argument("<file...>", "PDF files, or - for standard input")
  addPrintFlags(command)
}

export const examples = [
  "freight print pdf --sandbox labels.pdf --device device-bench",
  "freight label --sandbox demo-shipment -o - | freight print pdf --sandbox - --device device-bench",
]

const columns: Column<Job>[] = [
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
export async function run(deps: Deps, files: string[], options: PrintOptions): Promise<undefined> {
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
  const jobs = printed.map(toJob)
  if (jobs.length > 0 || pdfs.length > 1) await print(deps, { rows: jobs, columns })
  await noteQueued(deps, printed)
  if (error) throw error
}

function toJob({ name, deviceId, copy, reply, recorded }: Printed<DirectPrintJobCreated>): Job {
  return { file: name, deviceId, copy, jobId: reply.jobId, status: reply.status, recorded }
}
