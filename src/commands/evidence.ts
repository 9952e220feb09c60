import type { Command } from "commander"
import { formatMoment, wallClockNow, zoneHere } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { FreightError, toStepError } from "../errors.ts"
import { gatherEvidence, type Sources } from "../evidence/gather.ts"
import { describeEvidence, toHeading, type Section } from "../evidence/sections.ts"
import { createFinder } from "../lookup/find.ts"
import type { Column } from "../terminal/columns.ts"
import { details } from "../terminal/details.ts"
import { paint } from "../terminal/style.ts"
import { print } from "../terminal/view.ts"
import { SHIPMENT } from "./shared/names.ts"

interface Options {
  output?: string
  force?: boolean
}

export function define(command: Command): void {
  command
    .description(
      "Shows everything known about one shipment, for a dispute or a claim: quote, booking, request, pickup, label, tracking and proof of delivery. With -o evidence.pdf it is one page.",
    )
    .argument("<shipment>", SHIPMENT)
    .option("-o, --output <file>", "write a one-page PDF to this file, or - for standard output")
    .option("--force", "overwrite a file that freight did not write")
    .addHelpText(
      "after",
      `
If a part is missing, it says why. On the page, long texts are cut and marked; --json has them whole.`,
    )
}

export const examples = [
  "freight evidence --sandbox demo-shipment",
  "freight evidence --sandbox demo-shipment -o evidence.pdf",
  "freight evidence --sandbox demo-shipment --json",
]

/** @throws FreightError `notFound` when there is no such shipment */
export async function run(deps: Deps, name: string, { output: file, force }: Options): Promise<undefined> {
  const { output, globals } = deps
  if (file === "-" && output.format !== "table")
    throw new FreightError("usage", `-o - and --format ${output.format} both use standard output`)
  await deps.outputs.checkPdf(file, force)
  const finder = createFinder(deps, "shipment")
  await finder.look([name])
  const sources = { api: await deps.freight(), finder, quotes: deps.quotes, ...(await openLedger(deps)) }
  const { evidence, label } = await gatherEvidence(sources, name)
  const sections = describeEvidence(evidence)
  if (file !== undefined) {
    const { renderEvidence } = await import("../evidence/pdf.ts")
    const { pdf, hasLabel } = await renderEvidence({
      ...toHeading(evidence),
      sections,
      label,
      madeAt: formatMoment(wallClockNow(deps.clock.now())),
      zone: zoneHere(),
      ...(globals.sandbox && { warning: "SANDBOX – nothing here is real" }),
    })
    await deps.outputs.write(file, pdf)
    if (label && !hasLabel)
      await deps.warn(
        `the label cannot be drawn, so the page is without it. Save it beside the page: freight label ${evidence.shipmentId}`,
      )
  }
  if (file !== undefined && output.format === "table") {
    if (file !== "-") await deps.note(`Saved as ${file}.`)
  } else {
    const text = () => sections.map((section) => sectionText(deps, section)).join("\n")
    await print(deps, { json: evidence, rows: toRows(sections), columns, text })
  }
}

/** If the ledger cannot be read, show the rest. */
async function openLedger(deps: Deps): Promise<Pick<Sources, "ledger" | "ledgerError">> {
  try {
    const ledger = (await deps.hasLedger()) ? await deps.readLedger() : undefined
    return { ledger, ledgerError: undefined }
  } catch (error) {
    return { ledger: undefined, ledgerError: toStepError(error).message }
  }
}

interface Row {
  part: string
  name: string
  text: string
}

const columns: Column<Row>[] = [
  { key: "part", title: "PART" },
  { key: "name", title: "NAME" },
  { key: "text", title: "TEXT", gives: "words" },
]

function toRows(sections: readonly Section[]): Row[] {
  return sections.flatMap(({ title, lines }) => lines.map(([name, text]) => ({ part: title, name, text })))
}

function sectionText({ terminal }: Deps, { title, lines }: Section): string {
  return `${paint(terminal.stdout, "bold", title.toUpperCase())}\n${details(terminal, lines)}`
}
