/** Prints named targets: labels of shipments, and PDF files. */
import { FreightError } from "../../base/errors.ts"
import { groupBy } from "../../base/grouping.ts"
import { safeText } from "../../base/safe-text.ts"
import type { Deps } from "../../session/index.ts"
import type { DirectPrintJobCreated, PrintJobCreated } from "../../contract/generated/types.ts"
import { failuresIn, fetchLabels } from "../booking/labels.ts"
import { createFinder } from "../lookup/find.ts"
import { namesFrom, SHIPMENTS } from "../lookup/given.ts"
import { deviceFor } from "./devices.ts"
import { readPdfs } from "./pdf.ts"
import { keyOfCopy, printAll, type Printed, sendLabelPrint, sendPdfPrint, type Sheet } from "./print.ts"

interface PrintOptions {
  /** The print device; default: this workstation's, or the only one. */
  device?: string
  copies: number
  /** One key for each print, in their order. */
  key?: readonly string[]
  again?: boolean
}

export interface PrintedNamed<Reply> {
  printed: readonly Printed<Reply>[]
  error: FreightError | undefined
  count: number
}

/**
 * POST /shipments/{id}/print for each copy. The labels are looked for first, so that waiting prints nothing; those that
 * exist are printed in the order of the command.
 */
export async function printNamed(
  deps: Deps,
  args: readonly string[],
  options: PrintOptions & { wait?: number | false },
): Promise<PrintedNamed<PrintJobCreated>> {
  const names = await namesFrom(deps.terminal, args, SHIPMENTS)
  const keys = matchKeys(options, names)
  const finder = createFinder(deps, "shipment")
  await finder.checkNames(names)
  const device = await deviceFor(deps, "freight", options.device)
  const [api, ledger] = await Promise.all([deps.freight(), deps.ledger("freight")])

  const byName = { getLabel: (name: string) => finder.find(name, (id) => api.getLabel(id)) }
  const missing = failuresIn(await fetchLabels(deps, byName, names, options.wait || 0, async () => true))
  const isFound = (name: string) => !missing.some((failed) => failed.name === name)
  // Two names may be one shipment's.
  const tasks = Array.from(groupBy(names, finder.idOf)).flatMap(([shipmentId, called]) => {
    const key = chooseKey(called, keys)
    const target = called.find(isFound)
    const send = (sheet: Sheet) => sendLabelPrint(ledger, api, shipmentId, sheet)
    return target === undefined ? [] : [{ name: shipmentId, target, key, send }]
  })
  const ended = await printAll<PrintJobCreated>(deps, "freight", device, tasks, options, missing)
  return { ...ended, count: names.length }
}

/** POST /print-jobs for each copy. Every file is looked at before the first is sent. */
export async function printPdfs(
  deps: Deps,
  files: readonly string[],
  options: PrintOptions,
): Promise<PrintedNamed<DirectPrintJobCreated>> {
  const pdfs = await readPdfs(deps, files)
  const keys = matchKeys(
    options,
    pdfs.map(({ name }) => name),
  )
  const device = await deviceFor(deps, "direct-print", options.device)
  const [api, ledger] = await Promise.all([deps.directPrint(), deps.ledger("direct-print")])

  const tasks = pdfs.map((pdf) => ({
    name: pdf.name,
    key: keys.get(pdf.name),
    send: (sheet: Sheet) => sendPdfPrint(ledger, api, pdf, sheet),
  }))
  const ended = await printAll<DirectPrintJobCreated>(deps, "direct-print", device, tasks, options)
  return { ...ended, count: pdfs.length }
}

/** The key of each target, by its name: if a target's label is late, no other target takes its key. */
function matchKeys(
  { key: keys = [], copies }: PrintOptions,
  names: readonly string[],
): ReadonlyMap<string, string> {
  if (keys.length === 0) return new Map()
  const hint =
    "One key names one print for good: for several, give one --key each, in their order. Without a key, nothing is printed twice within 24 hours either."
  if (keys.length !== names.length)
    throw new FreightError("usage", `--key: there are ${keys.length} for ${names.length} prints`, { hint })
  const all = keys.flatMap((key) => Array.from({ length: copies }, (_, at) => keyOfCopy(key, at + 1)))
  const twice = all.find((key, at) => all.indexOf(key) !== at)
  if (twice !== undefined)
    throw new FreightError("usage", `--key: ${safeText(twice)} is given for two prints`, { hint })
  return new Map(names.map((name, at) => [name, keys[at] ?? ""]))
}

function chooseKey(names: readonly string[], keys: ReadonlyMap<string, string>): string | undefined {
  const [first = "", other] = names
  if (keys.size > 0 && other !== undefined)
    throw new FreightError(
      "usage",
      `${safeText(first)} and ${safeText(other)} are one shipment: name it once`,
      {
        hint: "Nothing was sent. One print has one key.",
      },
    )
  return keys.get(first)
}
