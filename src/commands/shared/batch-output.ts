/** What a batch prints: its prices before, its summary after. */
import type { PricedRow } from "../../batch/price.ts"
import { sumPrices, type Summary, totalText } from "../../batch/summary.ts"
import type { Deps } from "../../deps.ts"
import { EXIT } from "../../errors.ts"
import { type Column, money } from "../../terminal/columns.ts"
import { print } from "../../terminal/view.ts"

const dryColumns: Column<PricedRow>[] = [
  { key: "row", title: "ROW", rank: 1, align: "right" },
  { key: "reference", title: "REFERENCE", rank: 2 },
  { key: "state", title: "STATE", rank: 3, isState: true },
  { key: "connectorId", title: "CONNECTOR", rank: 8 },
  { key: "serviceCode", title: "SERVICE", rank: 5 },
  { ...money("price"), title: "PRICE", rank: 4 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "arrives", title: "ARRIVES", rank: 6, gives: "nothing" },
  { key: "error", title: "NOTE", rank: 7, gives: "words", show: ({ error, why }) => error || why },
  { key: "why", title: "WHY", hidden: true },
]

const summaryColumns: Column<Summary>[] = [
  { key: "file", title: "FILE" },
  { key: "rows", title: "ROWS", align: "right" },
  { key: "booked", title: "BOOKED", align: "right" },
  { key: "recorded", title: "BEFORE", align: "right" },
  { key: "failed", title: "FAILED", align: "right" },
  { key: "unknown", title: "UNKNOWN", align: "right" },
  { key: "invalid", title: "INVALID", align: "right" },
  { key: "duplicate", title: "DUPLICATES", align: "right" },
  { key: "waiting", title: "WAITING", align: "right" },
  { key: "totals", title: "TOTAL", value: totalText },
  { key: "results", title: "RESULTS" },
]

/** @returns 1 when some rows would not be booked */
export async function showPrices(deps: Deps, rows: readonly PricedRow[]): Promise<number> {
  await print(deps, { rows, columns: dryColumns })
  const sent = rows.filter(({ state }) => state === "waiting")
  const totals = sumPrices(sent)
  const total = totals.length > 0 ? `: ${totalText({ totals, unpriced: 0 })}` : ""
  await deps.note(`Nothing was sent. ${sent.length} of ${rows.length} rows would be booked${total}.`)
  return rows.some(({ state }) => state !== "waiting" && state !== "booked") ? EXIT.no : EXIT.done
}

/** Prints the numbers of a run; NDJSON has its rows instead. */
export async function showSummary(deps: Deps, summary: Summary): Promise<void> {
  if (deps.output.format === "ndjson") return
  await print(deps, { rows: [summary], columns: summaryColumns, single: true })
}
