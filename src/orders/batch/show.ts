/** How a batch is printed: the prices of a dry run, and the numbers of a run. */
import { counted } from "../../base/counted.ts"
import { EXIT } from "../../base/errors.ts"
import { type Column, money } from "../../output/terminal/columns.ts"
import { isForPeople, print, type Writing } from "../../output/terminal/view.ts"
import type { PricedRow } from "./price.ts"
import { capital } from "../../output/terminal/sanitize.ts"
import { wrap } from "../../output/terminal/width.ts"
import { describeUnstatedGst } from "../booking/gst.ts"
import { countGst, formatSumWithGst, formatTotal } from "./gst.ts"
import { describeState, isOnHold } from "./result.ts"
import type { Ending } from "./follow-ups.ts"
import { describeAfterCutoff, describeRun, type Summary, sumPrices, totalText } from "./summary.ts"

interface ShowDeps extends Writing {
  note(text: string): Promise<void>
}

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

/** @returns 1 when some rows would not be booked */
export async function showPrices(deps: ShowDeps, rows: readonly PricedRow[]): Promise<number> {
  await print(deps, { rows, columns: priceColumns })
  const sent = rows.filter(wouldBeBooked)
  const totals = sumPrices(sent)
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

function wouldBeBooked({ state, error }: PricedRow): boolean {
  return state === "waiting" && !isOnHold({ state, error })
}

/** Prints what came of a run: a sentence, and its numbers with `--verbose` and for programs. */
export async function showSummary(
  deps: Writing,
  summary: RunSummary,
  ending: readonly string[],
  verbose: boolean,
): Promise<void> {
  const isRead = isForPeople(deps.output)
  if (isRead) {
    const { stdout } = deps.terminal
    const width = stdout.isTTY ? stdout.columns : Number.POSITIVE_INFINITY
    const lines = [
      ...(verbose ? [] : wrap(capital(describeRun(summary)), width)),
      ...describeAfterCutoff(summary).flatMap((line) => wrap(line, width)),
      ...ending,
      ...(verbose || summary.results === null ? [] : [`Results: ${summary.results}`]),
    ]
    if (lines.length > 0) await stdout.write(`${lines.join("\n")}\n`)
    if (!verbose) return
  }
  await print(deps, { rows: [summary], columns: summaryColumns, single: true })
}
