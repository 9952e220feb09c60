/** How a batch is printed: the prices of a dry run, and the numbers of a run. */
import { counted } from "../../base/counted.ts"
import { EXIT } from "../../base/errors.ts"
import {
  capital,
  type Column,
  isForPeople,
  type List,
  money,
  plainColumns,
  print,
  wrap,
  type Writing,
} from "../../output/index.ts"
import type { PricedRow } from "./price.ts"
import { describeUnstatedGst } from "../booking/gst.ts"
import { countGst, formatSumWithGst, formatTotal } from "./gst.ts"
import { describeState, isOnHold } from "./result.ts"
import type { Ending } from "./follow-ups.ts"
import type { RowRecord } from "./results.ts"
import {
  describeAfterCutoff,
  describeRun,
  type Summary,
  sumPrices,
  toSummaryJson,
  totalText,
} from "./summary.ts"

const priceColumns: Column<PricedRow>[] = [
  { key: "row", title: "ROW", rank: 1, align: "right" },
  { key: "reference", title: "REFERENCE", rank: 2 },
  { key: "state", title: "STATE", rank: 3, isState: true, show: describeState },
  { key: "connectorId", title: "CONNECTOR", rank: 8 },
  { key: "serviceCode", title: "SERVICE", rank: 5 },
  { ...money("price"), title: "TOTAL INC GST", rank: 4, show: formatTotal },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "gstBasis", title: "GST", hidden: true },
  { key: "arrives", title: "ARRIVES THERE", rank: 6, gives: "nothing" },
  { key: "error", title: "NOTE", rank: 7, gives: "words", show: ({ error, why }) => error || why },
  { key: "why", title: "WHY", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  { key: "priceIncGst", title: "PRICE INC GST", hidden: true, isMoney: true },
]

type RunSummary = Summary & Partial<Ending>

export const summaryColumns: Column<RunSummary>[] = [
  { key: "file", title: "FILE" },
  { key: "rows", title: "ROWS", align: "right" },
  { key: "booked", title: "BOOKED", align: "right" },
  { key: "recorded", title: "BOOKED EARLIER", align: "right" },
  { key: "failed", title: "FAILED", align: "right" },
  { key: "unknown", title: "UNKNOWN", align: "right" },
  { key: "invalid", title: "INVALID", align: "right" },
  { key: "changed", title: "CHANGED", align: "right" },
  { key: "duplicate", title: "DUPLICATES", align: "right" },
  { key: "leftOut", title: "LEFT OUT", align: "right" },
  { key: "waiting", title: "WAITING", align: "right" },
  { key: "totals", title: "TOTAL", value: totalText },
  { key: "results", title: "RESULTS" },
  {
    key: "uncollected",
    title: "NO PICKUP",
    hidden: true,
    value: ({ uncollected }) => uncollected?.shipments ?? "",
  },
  {
    key: "untold",
    title: "CARRIER NOT TOLD",
    hidden: true,
    value: ({ untold }) => untold?.reduce((sum, { shipments }) => sum + shipments, 0) ?? "",
  },
]

/**
 * Prints what a run would book, and at which price.
 * @param file of the orders
 * @returns 1 when some rows would not be booked
 */
export async function showPrices(
  deps: Writing & {
    note(text: string): Promise<void>
  },
  rows: readonly PricedRow[],
  file: string,
): Promise<number> {
  const sent = rows.filter(wouldBeBooked)
  const totals = sumPrices(sent)
  const summary = sumUpPrices(file, rows, sent)
  await print(deps, { rows, items: rows.map(toPricedItem), columns: priceColumns, summary })
  const unpriced = sent.filter(({ price }) => price === null).length
  const total =
    totals.length > 0
      ? `: ${totalText({ totals, gst: countGst(sent), unpriced: 0 })}${formatSumWithGst(sent)}`
      : ""
  await deps.note(`Nothing was sent. ${sent.length} of ${rows.length} rows would be booked${total}.`)
  if (unpriced > 0)
    await deps.note(
      `${counted(unpriced, "row has", "rows have")} no price: no carrier quotes one for the service, and only the bill will say it. --service cheapest chooses one that is quoted, and --max-total refuses rows without a price.`,
    )
  const unstated = rows
    .filter(({ gstBasis }) => gstBasis === "unknown")
    .flatMap(({ carrier }) => carrier ?? [])
  for (const note of describeUnstatedGst(unstated)) await deps.note(note)
  const isRight = (row: PricedRow) => wouldBeBooked(row) || row.state === "booked" || row.state === "left-out"
  return rows.every(isRight) ? EXIT.done : EXIT.no
}

function sumUpPrices(file: string, rows: readonly PricedRow[], sent: readonly PricedRow[]) {
  const count = (state: PricedRow["state"]) => rows.filter((row) => row.state === state).length
  return {
    file,
    rows: rows.length,
    /** Rows that would be booked, and their cost. */
    toBook: sent.length,
    totals: sumPrices(sent),
    gstCounts: countGst(sent),
    unpriced: sent.filter(({ price }) => price === null).length,
    booked: count("booked"),
    failed: count("failed"),
    unknown: count("unknown") + count("sending"),
    invalid: count("invalid"),
    tooLate: count("too-late"),
    changed: count("changed"),
    duplicate: count("duplicate"),
    leftOut: count("left-out"),
    onHold: rows.filter(isOnHold).length,
  }
}

export type PricesJson = List<ReturnType<typeof toPricedItem>> & ReturnType<typeof sumUpPrices>

function toPricedItem({ connectorId, serviceCode, currency, arrives, error, why, ...row }: PricedRow) {
  return {
    ...row,
    reference: row.reference || null,
    connectorId: connectorId || null,
    serviceCode: serviceCode || null,
    currency: currency || null,
    arrives: arrives || null,
    error: error || null,
    why: why || null,
  }
}

function wouldBeBooked({ state, error }: PricedRow): boolean {
  return state === "waiting" && !isOnHold({ state, error })
}

/** JSON of a run besides its rows. */
export interface RunJson extends List<RowRecord>, ReturnType<typeof toSummaryJson> {
  /** Labels in the folder of `--labels`; null if none were to be saved. */
  labels: { saved: number; new: number } | null
  uncollected: Ending["uncollected"]
  untold: Ending["untold"]
  sandbox: boolean
}

/** Prints the result of a run: a sentence; its numbers with `--verbose`; for programs all of it with the rows. */
export async function showSummary(
  deps: Writing,
  summary: Summary,
  {
    ending,
    lines,
    records,
    sandbox,
  }: { ending: Ending; lines: readonly string[]; records: () => readonly RowRecord[]; sandbox: boolean },
  verbose: boolean,
): Promise<void> {
  const { output } = deps
  if (isForPeople(output)) {
    const { stdout } = deps.terminal
    const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
    const said = [
      ...(verbose ? [] : wrap(capital(describeRun(summary)), width)),
      ...describeAfterCutoff(summary).flatMap((line) => wrap(line, width)),
      ...lines,
      ...(verbose || summary.results === null ? [] : [`Results: ${summary.results}`]),
    ]
    if (said.length > 0) await stdout.write(`${said.join("\n")}\n`)
    if (!verbose) return
  }
  const { labels, ...others } = ending
  const whole = { ...toSummaryJson(summary), labels: labels ?? null, ...others, sandbox }
  const names = [...summaryColumns.map(({ key }) => key), ...Object.keys(whole)]
  const isOfSummary =
    output.fields?.every((field) => names.includes(field.split(".", 1)[0] as string)) ??
    output.format !== "json"
  if (isOfSummary)
    return print(deps, {
      rows: [{ ...summary, ...ending }],
      columns: summaryColumns,
      single: true,
      json: whole,
    })
  await print(deps, { rows: records(), columns: recordColumns, summary: whole })
}

export async function showRecord(deps: Writing, record: RowRecord): Promise<void> {
  await print(deps, { rows: [record], columns: recordColumns })
}

const recordColumns = plainColumns<keyof RowRecord>([
  ...(["row", "reference", "state", "shipmentId", "consignmentNumber", "price"] as const),
  ...(["carrier", "serviceCode", "day", "labelFile", "error", "why"] as const),
])
