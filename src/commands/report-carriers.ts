import type { Command } from "commander"
import { grouped } from "../contract/counted.ts"
import { formatMoney } from "../contract/money.ts"
import type { Deps } from "../deps.ts"
import { type CarrierRow, type Known, reportCarriers } from "../report/carriers.ts"
import { drawBars } from "../report/plot.ts"
import { readReported } from "../report/read.ts"
import { BRIEF, type Column, money } from "../terminal/columns.ts"
import type { Terminal } from "../terminal/terminal.ts"
import {
  addReportFlags,
  barOf,
  basisText,
  checkReportOutput,
  GST,
  HTML_HELP,
  REPORT_FORMATS,
  type ReportFlags,
  shortBar,
  spanOf,
  spanText,
  writeReport,
} from "./shared/report.ts"

export function define(command: Command): void {
  addReportFlags(
    command.description(
      "Shows how carriers performed, by carrier, service and lane: how many consignments arrived by the promised day, the median days taken and promised, prices, and what audited bills overcharge. It reads the ledger and asks no server: freight track --open finds what is not known yet.",
    ),
  ).addHelpText("after", HTML_HELP)
}

export const examples = [
  "freight report carriers --sandbox",
  "freight report carriers --sandbox --since 4w --format csv",
  "freight report carriers --sandbox -o carriers.html",
]

export const formats = REPORT_FORMATS

function columnsFor(terminal: Pick<Terminal, "unicode">): Column<CarrierRow>[] {
  return [
    { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
    { key: "serviceCode", title: "SERVICE", rank: 2 },
    { key: "lane", title: "LANE", rank: 3, gives: "nothing" },
    { key: "consignments", title: "SENT", rank: 7, align: "right" },
    { key: "judged", title: "KNOWN", align: "right", hidden: true },
    {
      key: "onTime",
      title: "ON TIME",
      rank: 4,
      align: "right",
      show: ({ judged, onTime }) => (judged === 0 ? "" : `${onTime} of ${judged}`),
    },
    {
      key: "onTimePercent",
      title: "%",
      rank: 5,
      align: "right",
      show: ({ onTimePercent }) => (onTimePercent === null ? "" : `${onTimePercent}%`),
    },
    {
      key: "bar",
      title: "",
      rank: 6,
      gives: "nothing",
      brief: shortBar,
      value: () => undefined,
      show: ({ onTime, judged }) => (judged === 0 ? "" : barOf(onTime / judged, 10, terminal)),
    },
    { key: "daysTaken", title: "DAYS", rank: 8, align: "right" },
    { key: "daysPromised", title: "PROMISED", rank: 9, align: "right" },
    { key: "priced", title: "PRICED", align: "right", hidden: true },
    { ...money("pricePerConsignment"), title: "EACH", rank: 10 },
    { ...money("pricePerKg"), title: "PER KG", rank: 11 },
    { key: "gstBasis", title: "GST", rank: 12, ...GST },
    { key: "currency", title: "CURRENCY", hidden: true },
    { key: "billed", title: "BILLED", align: "right", hidden: true },
    {
      key: "overbilled",
      title: "TOO MUCH",
      rank: 13,
      align: "right",
      show: ({ overbilled, currency }) =>
        overbilled === null ? "" : formatMoney(overbilled, currency || "AUD"),
    },
  ]
}

export async function run(deps: Deps, flags: ReportFlags): Promise<undefined> {
  await checkReportOutput(deps, flags)
  const span = await spanOf(deps, flags)
  const { store, scopes } = await deps.readLedger()
  const pages = readReported(store, { ...span, scopes }, { content: "request", withBills: true })
  const { rows, known } = await reportCarriers(pages)
  const { format } = deps.output
  const columns = columnsFor(deps.terminal).filter(({ key }) => key !== "bar" || format === "table")
  await writeReport(deps, flags, {
    title: `Carriers, ${spanText(span)}`,
    json: {
      since: new Date(span.since).toISOString(),
      until: new Date(span.until).toISOString(),
      rows,
      known,
    },
    rows,
    columns: flags.output === undefined ? columns : columns.filter(({ key }) => key !== "bar"),
    notes: notesOn(known),
    empty: `Nothing was booked from ${spanText(span)}.`,
    plots: () => [
      drawBars(
        "On time",
        rows
          .filter(({ judged }) => judged > 0)
          .map((row) => ({
            label: formatRowName(row),
            value: row.onTimePercent ?? 0,
            text: `${row.onTimePercent}% (${row.onTime} of ${row.judged})`,
          })),
        100,
      ),
      drawBars(
        "Days from collection to delivery (median)",
        rows
          .filter(({ daysTaken }) => daysTaken !== null)
          .map((row) => ({
            label: formatRowName(row),
            value: row.daysTaken ?? 0,
            text:
              row.daysPromised === null
                ? `${row.daysTaken}`
                : `${row.daysTaken}; promised ${row.daysPromised}`,
          })),
      ),
      drawBars(
        "Price of a consignment, each on its own GST basis",
        rows
          .filter(({ pricePerConsignment }) => pricePerConsignment !== null)
          .map((row) => ({
            label: formatRowName(row),
            value: row.pricePerConsignment ?? 0,
            text: `${formatMoney(row.pricePerConsignment ?? 0, row.currency)}, ${basisText(row.gstBasis)}`,
          })),
      ),
    ],
  })
}

function formatRowName({ carrier, serviceCode, lane }: CarrierRow): string {
  return `${BRIEF.carrier(carrier)} ${serviceCode}, ${lane}`
}

/** How much of it is known. */
function notesOn({
  consignments,
  cancelled,
  tracked,
  promised,
  judged,
  onTime,
  priced,
  billed,
}: Known): string[] {
  const of = (count: number) => `${grouped(count)} of ${grouped(consignments)}`
  const unjudged = `${of(tracked)} were tracked, ${of(promised)} had a delivery day in their quote.`
  return [
    judged === 0
      ? `What was on time is not known yet: ${unjudged}`
      : `On time: ${grouped(onTime)} of the ${grouped(judged)} for which it is known; ${unjudged}`,
    `Prices as quoted for ${of(priced)}; those with another GST basis are in a separate row.`,
    billed === 0
      ? "None is on an audited bill: freight audit finds what was overcharged."
      : `${of(billed)} are on audited bills.`,
    ...(cancelled > 0 ? [`${grouped(cancelled)} cancelled are left out.`] : []),
  ]
}
