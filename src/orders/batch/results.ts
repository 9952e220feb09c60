/** The results of a batch as a file, and those of an earlier run. */
import { toFileName } from "../../base/file-names.ts"
import { amountOf } from "../../base/money.ts"
import { unmarkFormula } from "../../base/safe-text.ts"
import { cell, type Files, jsonText } from "../../output/index.ts"
import { openSheet } from "../../input/index.ts"
import { OWN_FIELDS } from "../../contract/index.ts"
import { RESULT_PREFIX } from "./columns/columns.ts"
import { formatFinding } from "./result.ts"
import type { Outcome } from "./outcome.ts"
import { type BatchRow, listCells } from "./rows/row.ts"
import { type FreightApi, several } from "../../api/index.ts"
import { FreightError, toStepError } from "../../base/errors.ts"
import type { Store } from "../../ledger/index.ts"
import { findStats } from "../../base/system.ts"

export type ResultsFormat = "csv" | "ndjson" | "xlsx"

export interface Result {
  row: BatchRow
  outcome: Outcome
  label: string | undefined
}

/**
 * `orders.csv` → `orders.results.csv`, and a workbook for a workbook.
 * @param sheet the one that was read of several: each has results of its own
 */
export function resultsFileOf(input: string, sheet = ""): string {
  const [, stem = input, ending = ""] = /^(.*?[^/\\])(\.[^./\\]*)?$/s.exec(input) ?? []
  const name = toFileName(sheet, "sheet-")
  return `${stem}.${name === "" ? "" : `${name}.`}results.${formatOf(ending)}`
}

export function formatOf(resultsFile: string): ResultsFormat {
  if (/\.xls[xm]$/i.test(resultsFile)) return "xlsx"
  return /\.(json|jsonl|ndjson)$/i.test(resultsFile) ? "ndjson" : "csv"
}

export type RowRecord = ReturnType<typeof toRecord>

/** A row's result as JSON. @param mark see `sandboxMark` */
export function toRecord({ row, outcome, label }: Result, mark: { sandbox: boolean }) {
  const { error, why, carrier, serviceCode, day, barcodes, ignored, elsewhere, recorded } = outcome
  return {
    row: row.row,
    reference: row.reference || null,
    ...toKnown(outcome),
    carrier: carrier ?? null,
    serviceCode: serviceCode ?? null,
    day: day ?? null,
    labelFile: label ?? null,
    /** Why it is not booked. */
    error: error || null,
    /** Why this service, if it was chosen. */
    why: why ?? null,
    own: row.own ?? {},
    barcodes: barcodes ?? [],
    ignored: ignored ?? [],
    elsewhere: elsewhere ?? null,
    /** Booked before: nothing was sent now. */
    recorded: recorded === true,
    warnings: listWarnings(row, outcome),
    input: Object.fromEntries(listCells(row.cells)),
    ...mark,
  }
}

/** Warnings about a row that has changed since do not concern what was booked. */
function listWarnings({ findings }: BatchRow, { ignored, warnings = [] }: Outcome): string[] {
  const own = ignored ? [] : findings.filter(({ severity }) => severity !== "error")
  return [...own.map(formatFinding), ...warnings]
}

/** An outcome for programs; null for values that are not known. */
export function toKnown({ state, shipmentId, consignment, priceCents }: Outcome) {
  return {
    state,
    /** The API's id of the shipment. */
    shipmentId: shipmentId || null,
    /** Null if the carrier gives it later. */
    consignmentNumber: consignment || null,
    /** As quoted, in whole units. */
    price: priceCents === undefined ? null : amountOf(priceCents),
  }
}

function listAddedColumns(outcome: Outcome, label: string | undefined) {
  const { error, why = null, carrier = null, serviceCode = null, day = null } = outcome
  const { shipmentId: shipment, consignmentNumber: consignment, ...known } = toKnown(outcome)
  const booked = { label: label ?? null, error: error || null, why, carrier, service: serviceCode, day }
  return { ...known, shipment, consignment, ...booked }
}

/** A later release adds columns at the end: some read columns by their positions. */
const RESULT_COLUMNS = [
  ...(["state", "shipment", "consignment", "price", "label", "error", "why", "warnings"] as const),
  ...(["carrier", "service", "day"] as const),
  ...OWN_FIELDS.filter(({ beside }) => "isShown" in beside).map(({ path }) => path),
  "barcodes",
] as const

/**
 * A results file in pieces: lines, for CSV with a header, or a workbook. Added columns have a prefix, because a column `State` may be the
 * receiver's; those of an earlier run are replaced.
 * @param columns those of the input
 */
export async function* resultLines(
  format: ResultsFormat,
  columns: readonly string[],
  results: Iterable<Result>,
  mark: { sandbox: boolean },
): AsyncGenerator<string | Uint8Array> {
  if (format === "ndjson") {
    for (const result of results) yield `${jsonText(toRecord(result, mark))}\n`
    return
  }
  const kept = columns.filter((column) => !column.startsWith(RESULT_PREFIX))
  function* rows() {
    for (const { row, outcome, label } of results) {
      const cells = new Map(listCells(row.cells))
      const warnings = listWarnings(row, outcome).join("; ")
      const added: Readonly<Record<string, unknown>> = {
        ...listAddedColumns(outcome, label),
        barcodes: outcome.barcodes?.join(" ") ?? null,
        warnings,
        ...row.own,
      }
      yield [...kept.map((column) => cells.get(column)), ...RESULT_COLUMNS.map((name) => added[name])]
    }
  }
  if (format === "xlsx") {
    const { writeWorkbook } = await import("../../output/terminal/workbook.ts")
    // Values of the orders stay as they were written.
    const own = kept.map((heading) => ({ heading, isText: true }))
    const added = RESULT_COLUMNS.map((name) => ({
      heading: RESULT_PREFIX + name,
      isMoney: name === "price",
      isText: true,
    }))
    yield* writeWorkbook([...own, ...added], rows())
    return
  }
  const { stringify } = await import("csv-stringify/sync")
  yield stringify([[...kept.map(cell), ...RESULT_COLUMNS.map((name) => RESULT_PREFIX + name)]])
  for (const row of rows()) yield stringify([row.map(cell)])
}

const CHUNK = 1 << 16

/** Writes a whole file or nothing. */
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
 * @returns whether all were asked for
 */
export async function fetchConsignments(
  api: Pick<FreightApi, "getShipment">,
  store: Pick<Store, "learnConsignment">,
  outcomes: Iterable<Outcome>,
): Promise<boolean> {
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
    return true
  } catch (error) {
    toStepError(error)
    return false
  }
}

export interface EarlierResults {
  isResults: boolean
  /** Shipments that it names, if it is a results file. */
  shipments: readonly string[]
  /** Labels by shipment; none if it cannot be read: a file changed by hand is rewritten. */
  labels: ReadonlyMap<string, string>
}

const NO_RESULTS: EarlierResults = { isResults: false, shipments: [], labels: new Map() }
/** Headings, or names in JSON, that identify a results file: each has the first, or those of 0.2. */
const REQUIRED_RESULT_COLUMNS = {
  headings: [
    {
      state: `${RESULT_PREFIX}state`,
      shipment: `${RESULT_PREFIX}shipment`,
      label: `${RESULT_PREFIX}label`,
      error: `${RESULT_PREFIX}error`,
    },
  ],
  names: [
    { state: "state", shipment: "shipmentId", label: "labelFile", error: "error" },
    { state: "state", shipment: "shipment", label: "label", error: "error" },
  ],
}

/** Reads the file where a run's results go; it may be missing, or another file. */
export async function readEarlierResults(
  files: Pick<Files, "has" | "read">,
  file: string | undefined,
): Promise<EarlierResults> {
  if (file === undefined || !(await files.has(file))) return NO_RESULTS
  const forms = REQUIRED_RESULT_COLUMNS[formatOf(file) === "ndjson" ? "names" : "headings"]
  const shipments = new Set<string>()
  const labels = new Map<string, string>()
  let rows = 0
  let isOfEach = true
  try {
    await visitResults(files, file, (row) => {
      rows++
      const names = forms.find(({ shipment }) => Object.hasOwn(row, shipment))
      isOfEach &&= names !== undefined && Object.hasOwn(row, names.state) && Object.hasOwn(row, names.error)
      if (!names) return
      const [shipment, label] = [row[names.shipment], row[names.label]]
      if (typeof shipment !== "string" || shipment === "") return
      shipments.add(shipment)
      if (typeof label === "string" && label !== "") labels.set(shipment, label)
    })
  } catch {
    return NO_RESULTS
  }
  const isResults = isOfEach && rows > 0
  return { isResults, shipments: isResults ? [...shipments] : [], labels }
}

interface Target {
  file: string
  /** A person named it; otherwise the name follows from the orders, and any earlier results may be there. */
  isNamed: boolean
  force: boolean
}

/** Refuses to overwrite anything but results of the same orders. Call it before anything is sent. */
export async function checkResultsFile(
  files: Pick<Files, "read">,
  { file, isNamed, force }: Target,
  { isResults }: EarlierResults,
  rows: readonly BatchRow[],
): Promise<void> {
  const there = findStats(file)
  if (force || !there?.isFile() || there.size === 0n) return
  if (isResults && (!isNamed || (await sharesReference(files, file, rows)))) return
  throw new FreightError(
    "input",
    `${file} already exists, and is not a results file of these orders; nothing was sent`,
    { hint: "Name another file with --results, or overwrite this one with --force." },
  )
}

async function sharesReference(
  files: Pick<Files, "read">,
  file: string,
  rows: readonly BatchRow[],
): Promise<boolean> {
  const references = new Set<unknown>()
  const columns = new Set(["reference"])
  for (const { reference, cells } of rows) {
    references.add(reference)
    for (const [column, text] of listCells(cells)) if (text.trim() === reference) columns.add(column)
  }
  references.delete("")
  let isShared = false
  await visitResults(files, file, (row) => {
    isShared ||= [...columns].some((column) => references.has(row[column]))
  })
  return isShared
}

type Visit = (row: Record<string, unknown>) => void

async function visitResults(files: Pick<Files, "read">, file: string, visit: Visit): Promise<void> {
  const bytes = await files.read(file)
  const format = formatOf(file)
  if (format === "xlsx") return visitWorkbook(file, bytes, visit)
  const text = new TextDecoder().decode(bytes)
  if (format === "csv") return visitCsv(text, visit)
  for (const line of text.split("\n")) if (line !== "") visit(Object(JSON.parse(line)))
}

async function visitWorkbook(name: string, bytes: Uint8Array, visit: Visit): Promise<void> {
  const chunks = async function* () {
    yield bytes
  }
  const { sheet } = await openSheet({ name, chunks }, { hidden: "include" })
  let headings: readonly string[] | undefined
  for await (const { cells } of sheet?.records() ?? []) {
    if (headings) visit(Object.fromEntries(headings.map((heading, at) => [heading, cells[at] ?? ""])))
    headings ??= cells
  }
}

async function visitCsv(text: string, visit: Visit): Promise<void> {
  const { parse } = await import("csv-parse/sync")
  parse(text, {
    columns: (headings: string[]) => headings.map(unmarkFormula),
    bom: true,
    relax_column_count: true,
    on_record(row: Record<string, string>) {
      // Not as csv-parse's own cast, which makes three objects for each cell.
      for (const [column, cell] of Object.entries(row)) row[column] = unmarkFormula(cell)
      visit(row)
      return null
    },
  })
}
