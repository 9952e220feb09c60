/** The results of a batch as a file, and what an earlier run's file adds to them. */
import { amountOf } from "../../base/money.ts"
import { unmarkFormula } from "../../base/safe-text.ts"
import type { Files } from "../../output/terminal/files.ts"
import { jsonText } from "../../output/terminal/json-text.ts"
import { cell } from "../../output/terminal/view.ts"
import { openSheet } from "../../input/sheets/open.ts"
import { RESULT_PREFIX } from "./columns/columns.ts"
import { formatFinding, type Outcome } from "./result.ts"
import type { BatchRow } from "./rows/row.ts"
import type { FreightApi } from "../../api/freight.ts"
import { several } from "../../api/several.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import type { Store } from "../../ledger/store.ts"
import { findStats, isSameFile } from "../../base/system.ts"

export type ResultsFormat = "csv" | "ndjson" | "xlsx"

export interface Result {
  row: BatchRow
  outcome: Outcome
  label: string | undefined
}

/** `orders.csv` → `orders.results.csv`, and a workbook for a workbook. */
export function resultsFileOf(input: string): string {
  const [, stem = input, ending = ""] = /^(.*?[^/\\])(\.[^./\\]*)?$/s.exec(input) ?? []
  return `${stem}.results.${formatOf(ending)}`
}

export function formatOf(resultsFile: string): ResultsFormat {
  if (/\.xls[xm]$/i.test(resultsFile)) return "xlsx"
  return /\.(json|jsonl|ndjson)$/i.test(resultsFile) ? "ndjson" : "csv"
}

/** @param mark what each record says besides: see `sandboxMark` */
export function toRecord({ row, outcome, label }: Result, mark: object = {}): Record<string, unknown> {
  return {
    row: row.row,
    reference: row.reference,
    ...listAddedColumns(outcome, label),
    ...(outcome.ignored && { ignored: outcome.ignored }),
    ...(outcome.elsewhere && { elsewhere: outcome.elsewhere }),
    warnings: listWarnings(row, outcome),
    input: Object.fromEntries(row.cells),
    ...mark,
  }
}

function listWarnings({ findings }: BatchRow, { warnings = [] }: Outcome): string[] {
  return [...findings.filter(({ severity }) => severity !== "error").map(formatFinding), ...warnings]
}

/** What programs get of an outcome; null for what is not known. */
export function toKnown({ state, shipmentId, consignment, priceCents }: Outcome) {
  return {
    state,
    shipment: shipmentId || null,
    consignment: consignment || null,
    price: priceCents === undefined ? null : amountOf(priceCents),
  }
}

function listAddedColumns(outcome: Outcome, label: string | undefined) {
  const { error, why = null, carrier = null, serviceCode = null, day = null } = outcome
  const booked = { label: label ?? null, error: error || null, why, carrier, service: serviceCode, day }
  return { ...toKnown(outcome), ...booked }
}

/** A later release adds to the end: some read columns by their positions. */
const ADDED = [
  ...(["state", "shipment", "consignment", "price", "label", "error", "why", "warnings"] as const),
  ...(["carrier", "service", "day"] as const),
] as const

/**
 * A results file in pieces: lines, for CSV with a header, or a workbook. Added columns have a prefix, because a column `State` may be the
 * receiver's; those of an earlier run are replaced.
 * @param columns those of the input
 */
export async function* resultLines(
  format: ResultsFormat,
  columns: readonly string[],
  results: AsyncIterable<Result>,
  mark: object = {},
): AsyncGenerator<string | Uint8Array> {
  if (format === "ndjson") {
    for await (const result of results) yield `${jsonText(toRecord(result, mark))}\n`
    return
  }
  const kept = columns.filter((column) => !column.startsWith(RESULT_PREFIX))
  async function* rows() {
    for await (const { row, outcome, label } of results) {
      const cells = new Map(row.cells)
      const warnings = listWarnings(row, outcome).join("; ")
      const added = { ...listAddedColumns(outcome, label), warnings }
      yield [...kept.map((column) => cells.get(column)), ...ADDED.map((name) => added[name])]
    }
  }
  if (format === "xlsx") {
    const { writeWorkbook } = await import("../../output/terminal/workbook.ts")
    // What the orders say stays as it was written.
    const own = kept.map((heading) => ({ heading, isText: true }))
    const added = ADDED.map((name) => ({
      heading: RESULT_PREFIX + name,
      isMoney: name === "price",
      isText: true,
    }))
    yield* writeWorkbook([...own, ...added], rows())
    return
  }
  const { stringify } = await import("csv-stringify/sync")
  yield stringify([[...kept.map(cell), ...ADDED.map((name) => RESULT_PREFIX + name)]])
  for await (const row of rows()) yield stringify([row.map(cell)])
}

const CHUNK = 1 << 16

/** Writes a whole file or nothing. @throws FreightError `input` */
export async function writeLines(
  files: Pick<Files, "create">,
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const draft = await files.create(file)
  try {
    let text = ""
    for await (const piece of pieces) {
      if (typeof piece !== "string") {
        await draft.write(piece)
        continue
      }
      text += piece
      if (text.length < CHUNK) continue
      await draft.write(text)
      text = ""
    }
    await draft.write(text)
    await draft.keep()
  } finally {
    await draft.discard()
  }
}

/**
 * Asks for missing consignment numbers and keeps them in ledger and outcomes. Failures are left for the next run.
 * @throws FreightError `interrupted`
 */
export async function fetchConsignments(
  api: Pick<FreightApi, "getShipment">,
  store: Pick<Store, "learnConsignment">,
  outcomes: Iterable<Outcome>,
): Promise<void> {
  const lacking = [...outcomes].filter(
    ({ shipmentId, consignment }) => shipmentId !== "" && consignment === "",
  )
  try {
    await several(lacking, async (outcome) => {
      const { consignmentNumber } = (await api.getShipment(outcome.shipmentId)).shipment
      if (!consignmentNumber) return
      outcome.consignment = consignmentNumber
      await store.learnConsignment(outcome.entryId, consignmentNumber)
    })
  } catch (error) {
    toStepError(error)
  }
}

interface Target {
  file: string
  /** The person named it; else it is the name beside the orders, where any earlier results may stand. */
  isNamed: boolean
  /** What the rows come from, which is never overwritten. */
  source: string
  force: boolean
}

/**
 * Refuses to overwrite anything but results of the same orders. Call it before anything is sent.
 * @throws FreightError `usage` where the results would take the place of their own orders, `input` for another file
 */
export async function checkResultsFile(
  files: Pick<Files, "read" | "check">,
  { file, isNamed, source, force }: Target,
  rows: () => AsyncIterable<BatchRow>,
): Promise<void> {
  if (source !== "-" && isSameFile(file, source))
    throw new FreightError("usage", `--results ${file} is the file that the rows come from`)
  files.check(file)
  const there = findStats(file)
  if (force || !there?.isFile() || there.size === 0n) return
  const before = await readResults(files, file)
  if (before && (!isNamed || (await sharesReference(before, rows())))) return
  throw new FreightError(
    "input",
    `${file} already exists, and is not a results file of these orders; nothing was sent`,
    { hint: "Name another file with --results, or overwrite this one with --force." },
  )
}

/** The rows of a results file; undefined for any other file. */
async function readResults(
  files: Pick<Files, "read">,
  file: string,
): Promise<Record<string, unknown>[] | undefined> {
  try {
    const rows = await parseResults(files, file)
    const prefix = formatOf(file) === "ndjson" ? "" : RESULT_PREFIX
    const isOne = rows.every((row) => KEPT.every((name) => Object.hasOwn(row, prefix + name)))
    return isOne && rows.length > 0 ? rows : undefined
  } catch {
    return undefined
  }
}

/** Columns that every version has written. */
const KEPT = ["state", "shipment", "error"]

/** Whether a row of the results stands for one of these orders, by its reference. */
async function sharesReference(
  results: readonly Record<string, unknown>[],
  rows: AsyncIterable<BatchRow>,
): Promise<boolean> {
  const references = new Set<unknown>()
  const columns = new Set(["reference"])
  for await (const { reference, cells } of rows) {
    references.add(reference)
    for (const [column, text] of cells) if (text.trim() === reference) columns.add(column)
  }
  references.delete("")
  return results.some((row) => [...columns].some((column) => references.has(row[column])))
}

/** The shipments that a results file names; none if it is no results file. */
export async function readShipments(files: Pick<Files, "has" | "read">, file: string): Promise<string[]> {
  if (!(await files.has(file))) return []
  const prefix = formatOf(file) === "ndjson" ? "" : RESULT_PREFIX
  const rows = (await readResults(files, file)) ?? []
  const named = rows.map((row) => row[`${prefix}shipment`])
  return [...new Set(named.filter((id): id is string => typeof id === "string" && id !== ""))]
}

/** Labels in a results file, by shipment; none if the file cannot be read. */
export async function readLabels(
  files: Pick<Files, "has" | "read">,
  file: string,
): Promise<Map<string, string>> {
  if (!(await files.has(file))) return new Map()
  try {
    const prefix = formatOf(file) === "ndjson" ? "" : RESULT_PREFIX
    const found = (await parseResults(files, file)).map(
      (row): Pair => [row[`${prefix}shipment`], row[`${prefix}label`]],
    )
    return new Map(found.filter((pair): pair is [string, string] => Boolean(pair[0] && pair[1])))
  } catch {
    // Changed by hand: it is rewritten.
    return new Map()
  }
}

type Pair = [shipment: unknown, label: unknown]

async function parseResults(files: Pick<Files, "read">, file: string): Promise<Record<string, unknown>[]> {
  const bytes = await files.read(file)
  const format = formatOf(file)
  if (format === "xlsx") return parseWorkbook(file, bytes)
  const text = new TextDecoder().decode(bytes)
  return format === "csv" ? parseCsv(text) : parseLines(text)
}

/** By the headings of the first row. */
async function parseWorkbook(name: string, bytes: Uint8Array): Promise<Record<string, string>[]> {
  const chunks = async function* () {
    yield bytes
  }
  const { sheet } = await openSheet({ name, chunks }, { hidden: "include" })
  const rows: string[][] = []
  for await (const { cells } of sheet?.records() ?? []) rows.push(cells)
  const [headings = [], ...records] = rows
  return records.map((cells) => Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ""])))
}

async function parseCsv(text: string): Promise<Record<string, unknown>[]> {
  const { parse } = await import("csv-parse/sync")
  const rows: Record<string, string>[] = parse(text, {
    columns: (headings: string[]) => headings.map(unmarkFormula),
    bom: true,
    relax_column_count: true,
  })
  // Not as csv-parse's own cast, which makes three objects for each cell.
  for (const row of rows) for (const [column, cell] of Object.entries(row)) row[column] = unmarkFormula(cell)
  return rows
}

function parseLines(text: string): Record<string, unknown>[] {
  const lines = text.split("\n").filter((line) => line !== "")
  return lines.map((line) => Object(JSON.parse(line)))
}
