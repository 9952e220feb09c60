import { type Command, Option } from "commander"
import { grouped } from "../contract/counted.ts"
import { formatMoney } from "../contract/money.ts"
import type { Deps } from "../deps.ts"
import { drawBars } from "../report/plot.ts"
import { readReported } from "../report/read.ts"
import { isTime, reportSpend, SPEND_BY, type SpendBy, type SpendRow } from "../report/spend.ts"
import type { Column } from "../terminal/columns.ts"
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
  totalsText,
  writeReport,
} from "./shared/report.ts"

interface Options extends ReportFlags {
  by: SpendBy
}

const GROUP_TITLES: Readonly<Record<SpendBy, string>> = {
  day: "DAY",
  week: "WEEK FROM",
  month: "MONTH",
  carrier: "CARRIER",
  service: "SERVICE",
  state: "TO",
  workstation: "WORKSTATION",
  "reference-prefix": "REFERENCE",
}

export function define(command: Command): void {
  addReportFlags(
    command
      .description(
        "Adds up what was booked, as quoted when it was booked, in exact cents. A week begins on Monday, and a reference's prefix is its first letters: PO of PO-1001. It reads the ledger and asks no server.",
      )
      .addOption(
        new Option("--by <what>", "what to group by").choices(Object.keys(SPEND_BY)).default("month"),
      ),
  ).addHelpText("after", HTML_HELP)
}

export const examples = [
  "freight report spend --sandbox",
  "freight report spend --sandbox --by reference-prefix --since 4w --format csv",
  "freight report spend --sandbox --by week -o spend.html",
]

export const formats = REPORT_FORMATS

export async function run(deps: Deps, options: Options): Promise<undefined> {
  await checkReportOutput(deps, options)
  const span = await spanOf(deps, options)
  const { store, scopes } = await deps.readLedger()
  const pages = readReported(store, { ...span, scopes }, { content: "brief", withBills: false })
  const { rows, known } = await reportSpend(pages, options.by)
  const most = new Map<string, number>()
  for (const row of rows) most.set(formatBasis(row), Math.max(most.get(formatBasis(row)) ?? 0, row.total))
  const bar: Column<SpendRow> = {
    key: "bar",
    title: "",
    rank: 4,
    gives: "nothing",
    brief: shortBar,
    show: (row) => barOf(row.total / (most.get(formatBasis(row)) || 1), 20, deps.terminal),
  }
  const isTable = deps.output.format === "table" && options.output === undefined && !deps.output.fields
  await writeReport(deps, options, {
    title: `Spending by ${options.by.replace("-", " ")}, ${spanText(span)}`,
    json: {
      since: new Date(span.since).toISOString(),
      until: new Date(span.until).toISOString(),
      by: options.by,
      rows,
      known,
    },
    rows,
    columns: [...columnsFor(options.by), ...(isTable ? [bar] : [])],
    notes: [
      `In total ${totalsText(rows.map((row) => ({ ...row, cents: Math.round(row.total * 100), count: row.bookings })))}.`,
      ...(most.size > 1 ? ["Totals on different GST bases cannot be added; each has its own bars."] : []),
      `Prices as quoted for ${grouped(known.priced)} of ${grouped(known.bookings)} bookings.`,
      ...(known.cancelled > 0 ? [`${grouped(known.cancelled)} cancelled are left out.`] : []),
    ],
    empty: `Nothing was booked from ${spanText(span)}.`,
    plots: () =>
      [...most.keys()]
        .filter((basis) => basis !== "")
        .map((basis) =>
          drawBars(
            basis,
            rows
              .filter((row) => formatBasis(row) === basis)
              .map((row) => ({
                label: groupText(row),
                value: row.total,
                text: formatMoney(row.total, row.currency),
              })),
          ),
        ),
  })
}

/** `AUD, GST included`; empty where nothing is priced. */
function formatBasis({ currency, gstBasis }: SpendRow): string {
  return gstBasis === "" ? "" : `${currency}, ${basisText(gstBasis)}`
}

function groupText({ group }: SpendRow): string {
  return group === "" ? "(none)" : group
}

function columnsFor(by: SpendBy): Column<SpendRow>[] {
  return [
    {
      key: "group",
      title: GROUP_TITLES[by],
      rank: 1,
      show: groupText,
      ...(isTime(by) && { gives: "nothing" as const }),
    },
    {
      key: "total",
      title: "TOTAL",
      rank: 2,
      align: "right",
      show: ({ total, currency, gstBasis }) => (gstBasis === "" ? "no price" : formatMoney(total, currency)),
    },
    { key: "gstBasis", title: "GST", rank: 3, ...GST },
    { key: "bookings", title: "BOOKINGS", rank: 5, align: "right" },
    { key: "weightKg", title: "KG", rank: 6, align: "right" },
    { key: "unpriced", title: "WITHOUT PRICE", align: "right", hidden: true },
    { key: "currency", title: "CURRENCY", hidden: true },
  ]
}
