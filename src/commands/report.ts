/** How carriers did, what was spent, and what is not billed yet: `report carriers`, `report spend` and `report accruals`. */
import { ACCRUAL_COLUMNS } from "../audit/accruals.ts"
import { command, type Flags, type OptionsOf } from "../command.ts"
import { grouped } from "../contract/counted.ts"
import { formatCents, formatMoney } from "../contract/money.ts"
import { addDays, formatDate, instantOf, wallClockNow } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { FreightError } from "../errors.ts"
import type { GstBasis } from "../ledger/entry.ts"
import type { Plot } from "../pages/model.ts"
import { type CarrierCoverage, type CarrierRow, reportCarriers } from "../report/carriers.ts"
import { readReported, type Span } from "../report/read.ts"
import { isTime, reportSpend, SPEND_BY, type SpendBy, type SpendRow } from "../report/spend.ts"
import { BRIEF, type Column, money } from "../terminal/columns.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { FORMATS, print } from "../terminal/view.ts"
import { ACCRUAL_FLAGS, printAccruals } from "./shared/audit.ts"
import { FORCE_FLAG } from "./shared/flags.ts"
import { parsePast } from "./shared/past.ts"

const REPORT_FORMATS = [...FORMATS, "html"] as const

const HTML_NOTES = `--format takes ${REPORT_FORMATS.join(", ")}. An html page is one file that
needs nothing else, and can be mailed and printed.`

const DEFAULT_SINCE = "90d"

const REPORT_FLAGS = {
  since: {
    takes: "<when>",
    about: `bookings from then on: 2026-11-01, 1 Nov, 7d, 4w (default: ${DEFAULT_SINCE})`,
  },
  until: { takes: "<when>", about: "bookings up to then; a day counts whole (default: now)" },
  output: {
    short: "-o",
    takes: "<file>",
    about: "write the report as an HTML page, with charts, to this file",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

type ReportOptions = OptionsOf<typeof REPORT_FLAGS>

export const carriers = command({
  about:
    "Shows how carriers performed, by carrier, service and lane: how many consignments arrived by the promised day, the median days taken and promised, prices, and what audited bills overcharge. It reads the ledger and asks no server: freight track --open finds what is not known yet.",
  flags: REPORT_FLAGS,
  formats: REPORT_FORMATS,
  examples: [
    "freight report carriers --sandbox",
    "freight report carriers --sandbox --since 4w --format csv",
    "freight report carriers --sandbox -o carriers.html",
  ],
  notes: HTML_NOTES,
  async run(deps, options) {
    await checkReportOutput(deps, options)
    const span = await spanOf(deps, options)
    const { store, scopes } = await deps.readLedger()
    const pages = readReported(store, { ...span, scopes }, { content: "request", withBills: true })
    const { rows, known } = await reportCarriers(pages)
    const { format } = deps.output
    const columns = carrierColumns(deps.terminal).filter(({ key }) => key !== "bar" || format === "table")
    await writeReport(deps, options, {
      title: "Carriers",
      span,
      rows,
      known,
      columns: options.output === undefined ? columns : columns.filter(({ key }) => key !== "bar"),
      notes: notesOn(known),
      plots: [
        {
          title: "On time",
          most: 100,
          bars: rows
            .filter(({ judged }) => judged > 0)
            .map((row) => ({
              label: formatRowName(row),
              value: row.onTimePercent ?? 0,
              text: `${row.onTimePercent}% (${row.onTime} of ${row.judged})`,
            })),
        },
        {
          title: "Days from collection to delivery (median)",
          bars: rows
            .filter(({ daysTaken }) => daysTaken !== null)
            .map((row) => ({
              label: formatRowName(row),
              value: row.daysTaken ?? 0,
              text:
                row.daysPromised === null
                  ? `${row.daysTaken}`
                  : `${row.daysTaken}; promised ${row.daysPromised}`,
            })),
        },
        {
          title: "Price of a consignment, each on its own GST basis",
          bars: rows
            .filter(({ pricePerConsignment }) => pricePerConsignment !== null)
            .map((row) => ({
              label: formatRowName(row),
              value: row.pricePerConsignment ?? 0,
              text: `${formatMoney(row.pricePerConsignment ?? 0, row.currency)}, ${basisText(row.gstBasis)}`,
            })),
        },
      ],
    })
  },
})

function carrierColumns(terminal: Pick<Terminal, "unicode">): Column<CarrierRow>[] {
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
}: CarrierCoverage): string[] {
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

export const spend = command({
  about:
    "Adds up what was booked, as quoted when it was booked, in exact cents. A week begins on Monday, and a reference's prefix is its first letters: PO of PO-1001. It reads the ledger and asks no server.",
  flags: {
    by: {
      takes: "<what>",
      about: "what to group by",
      choices: Object.keys(SPEND_BY) as SpendBy[],
      default: "month",
    },
    ...REPORT_FLAGS,
  },
  formats: REPORT_FORMATS,
  examples: [
    "freight report spend --sandbox",
    "freight report spend --sandbox --by reference-prefix --since 4w --format csv",
    "freight report spend --sandbox --by week -o spend.html",
  ],
  notes: HTML_NOTES,
  async run(deps, options) {
    await checkReportOutput(deps, options)
    const span = await spanOf(deps, options)
    const { store, scopes } = await deps.readLedger()
    const pages = readReported(store, { ...span, scopes }, { content: "brief", withBills: false })
    const { rows, known } = await reportSpend(pages, options.by)
    const most = new Map<string, number>()
    for (const row of rows) most.set(formatBasis(row), Math.max(most.get(formatBasis(row)) ?? 0, row.total))
    const bar: Column<SpendRow> = {
      key: "bar",
      value: () => undefined,
      title: "",
      rank: 4,
      gives: "nothing",
      brief: shortBar,
      show: (row) => barOf(row.total / (most.get(formatBasis(row)) || 1), 20, deps.terminal),
    }
    const isTable = deps.output.format === "table" && options.output === undefined && !deps.output.fields
    await writeReport(deps, options, {
      title: `Spending by ${options.by.replace("-", " ")}`,
      span,
      details: { by: options.by },
      rows,
      known,
      columns: [...spendColumns(options.by), ...(isTable ? [bar] : [])],
      notes: [
        `In total ${totalsText(rows.map((row) => ({ ...row, cents: Math.round(row.total * 100), count: row.bookings })))}.`,
        ...(most.size > 1 ? ["Totals on different GST bases cannot be added; each has its own bars."] : []),
        `Prices as quoted for ${grouped(known.priced)} of ${grouped(known.bookings)} bookings.`,
        ...(known.cancelled > 0 ? [`${grouped(known.cancelled)} cancelled are left out.`] : []),
      ],
      plots: [...most.keys()]
        .filter((basis) => basis !== "")
        .map((basis) => ({
          title: basis,
          bars: rows
            .filter((row) => formatBasis(row) === basis)
            .map((row) => ({
              label: groupText(row),
              value: row.total,
              text: formatMoney(row.total, row.currency),
            })),
        })),
    })
  },
})

export const accruals = command({
  about:
    "Lists what was booked but is not on any audited bill yet, with its totals by GST basis. What was cancelled, and what the receiver or a third party pays, is left out. It is the same as freight audit --accruals.",
  flags: ACCRUAL_FLAGS,
  formats: REPORT_FORMATS,
  columns: ACCRUAL_COLUMNS,
  examples: [
    "freight report accruals --sandbox",
    "freight report accruals --sandbox --since 30d -o accruals.csv",
  ],
  notes: HTML_NOTES,
  run: async (deps, options) => void (await printAccruals(deps, options)),
})

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

/** `AUD, GST included`; empty where nothing is priced. */
function formatBasis({ currency, gstBasis }: SpendRow): string {
  return gstBasis === "" ? "" : `${currency}, ${basisText(gstBasis)}`
}

function groupText({ group }: SpendRow): string {
  return group === "" ? "(none)" : group
}

function spendColumns(by: SpendBy): Column<SpendRow>[] {
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

/** @throws FreightError `usage` */
async function spanOf(
  deps: Deps,
  { since = DEFAULT_SINCE, until }: ReportOptions,
): Promise<Omit<Span, "scopes">> {
  const now = await deps.serviceNow()
  const from = parsePast(since, "--since", now)
  const to = until === undefined ? now + 1 : getEndOfSpan(parsePast(until, "--until", now))
  if (from >= to) throw new FreightError("usage", "--since must be before --until")
  return { since: from, until: to }
}

/** The end of a day, where an instant is its start. */
function getEndOfSpan(instant: number): number {
  const local = wallClockNow(instant)
  const isMidnight = local.hour + local.minute + local.second === 0
  return isMidnight ? instantOf(addDays(local, 1)) : instant
}

/** `2026-11-01 to 2026-11-22`, by this machine's clock. */
function spanText({ since, until }: Omit<Span, "scopes">): string {
  const day = (instant: number) => formatDate(wallClockNow(instant))
  return `${day(since)} to ${day(until - 1)}`
}

const BASES: Readonly<Record<GstBasis, string>> = {
  excluded: "+ GST",
  included: "GST included",
  unknown: "GST not stated",
}

function basisText(basis: GstBasis | ""): string {
  return basis === "" ? "" : BASES[basis]
}

/** Totals of each basis and currency, which must not be added to each other. */
function totalsText(
  rows: readonly { cents: number; count: number; currency: string; gstBasis: GstBasis | "" }[],
): string {
  const totals = new Map<string, { cents: number; count: number }>()
  for (const { cents, count, currency, gstBasis } of rows) {
    if (gstBasis === "") continue
    const key = `${currency}\n${basisText(gstBasis)}`
    const before = totals.get(key) ?? { cents: 0, count: 0 }
    totals.set(key, { cents: before.cents + cents, count: before.count + count })
  }
  return Array.from(totals, ([key, { cents, count }]) => {
    const [currency = "", basis = ""] = key.split("\n")
    const amount = `${currency} ${formatCents(cents)}`
    return `${basis.startsWith("+") ? `${amount} ${basis}` : `${amount}, ${basis}`} (${count})`
  }).join("; ")
}

/** How a column shows the GST basis of its row. */
const GST = {
  gives: "nothing",
  show: ({ gstBasis }: { gstBasis: GstBasis | "" }) => basisText(gstBasis),
  brief: (text: string) => text.replace(/^GST /, ""),
} as const

/** A bar of at most that many characters. @param part from 0 to 1 */
function barOf(part: number, longest: number, { unicode }: Pick<Terminal, "unicode">): string {
  return (unicode ? "█" : "#").repeat(Math.round(Math.min(Math.max(part, 0), 1) * longest))
}

/** Half a bar, where a terminal is narrow. */
function shortBar(bar: string): string {
  return bar.slice(0, Math.ceil(bar.length / 2))
}

interface Report<Row> {
  title: string
  span: Omit<Span, "scopes">
  /** What JSON has besides span, rows and `known`. */
  details?: object
  rows: readonly Row[]
  /** How much the report knows of what was booked, in numbers. */
  known: object
  columns: readonly Column<Row>[]
  /** What the report rests on, a sentence each. */
  notes: readonly string[]
  plots: readonly Omit<Plot, "kind">[]
}

/** Prints a report, or writes its page to a file. @throws FreightError `usage` for --output with another format */
async function writeReport<Row>(
  deps: Deps,
  { output, force }: ReportOptions,
  report: Report<Row>,
): Promise<void> {
  const format: string = deps.output.format
  if (format === "html" || output !== undefined) {
    const file = output ?? "-"
    const { describeReport } = await import("../report/page.ts")
    const { renderHtml } = await import("../pages/html.ts")
    const { title, span, ...rest } = report
    const named = { title: `${title}, ${spanText(span)}`, empty: describeNothing(span) }
    await deps.outputs.check(file, force)
    await deps.outputs.write(file, renderHtml(describeReport({ ...rest, ...named })))
    if (file !== "-") await deps.note(`Written to ${file}.`)
    return
  }
  const { span, details, rows, known, columns, notes } = report
  const [since, until] = [span.since, span.until].map((instant) => new Date(instant).toISOString())
  const json = { since, until, ...details, rows, known }
  await print(deps, { json, rows, columns, empty: describeNothing(span) })
  if (format === "table" && rows.length > 0) for (const note of notes) await deps.note(note)
}

/** Refuses, before anything is read, what cannot be written. */
async function checkReportOutput(deps: Deps, { output, force }: ReportOptions): Promise<void> {
  const format: string = deps.output.format
  if (deps.output.fields && (format === "html" || output !== undefined))
    throw new FreightError("usage", "--fields does not apply to an HTML page")
  if (output === undefined) return
  if (format !== "html" && format !== "table")
    throw new FreightError(
      "usage",
      `-o writes an HTML page: leave out --format ${format}, or write > ${output}`,
    )
  await deps.outputs.check(output, force)
}

function describeNothing(span: Report<unknown>["span"]): string {
  return `Nothing was booked from ${spanText(span)}.`
}
