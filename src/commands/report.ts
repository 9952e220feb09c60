/** How carriers did, what was spent, what another way to choose would have saved, and what is not billed yet. */
import { ACCRUAL_COLUMNS } from "../bills/accruals/accruals.ts"
import { command, type Flags, type OptionsOf } from "../command/command.ts"
import { BILL_CURRENCY } from "../bills/verdicts.ts"
import { counted, grouped } from "../base/counted.ts"
import { amountOf, formatCents, formatMoney } from "../base/money.ts"
import { addDays, formatDate, instantOf, wallClockNow } from "../base/wall-clock.ts"
import type { Memory, Services, Session } from "../command/deps.ts"
import type { ClearingRow } from "../bills/books/clearing-report.ts"
import type { DisputeSums } from "../bills/disputes/report.ts"
import { nameBillOf, nameDisputeRow } from "../bills/disputes/standing.ts"
import { FreightError } from "../base/errors.ts"
import type { GstBasis } from "../ledger/entry.ts"
import { readDisputes } from "../ledger/records/disputes.ts"
import type { Plot } from "../output/pages/model.ts"
import {
  type CarrierCoverage,
  type CarrierRow,
  readJourneys,
  reportCarriers,
} from "../bills/report/carriers.ts"
import type { LaneCoverage, LaneRow } from "../bills/report/lanes.ts"
import type { Span } from "../bills/report/read.ts"
import type { SavingsCoverage, SavingsRow } from "../bills/report/savings.ts"
import {
  type BilledOf,
  isTime,
  reportSpend,
  SPEND_BY,
  type SpendBy,
  type SpendRow,
} from "../bills/report/spend.ts"
import { BRIEF, type Column, money } from "../output/terminal/columns.ts"
import { FORMATS, print } from "../output/terminal/view.ts"
import { ACCRUAL_FLAGS, JOURNAL_FLAGS, printAccruals } from "../bills/accruals/print.ts"
import { FORCE_FLAG, OUTPUT } from "../command/flags.ts"
import { chooseFileFormat, findFileFormat, writeOutput } from "../command/output-file.ts"
import { parsePast } from "../base/past.ts"

type Needs = Memory & Services & Session

const REPORT_FORMATS = [...FORMATS, "html"] as const

const HTML_NOTES = `--format takes ${REPORT_FORMATS.join(", ")}.
An html page is one file that needs nothing else, and can be mailed and printed.`

/** What a report's file is where nothing says its format. */
const PAGE = "html"
const DEFAULT_SINCE = "90d"

const REPORT_FLAGS = {
  since: {
    takes: "<when>",
    about: `bookings from then on: 2026-11-01, 1 Nov, 7d, 4w (default: ${DEFAULT_SINCE})`,
  },
  until: { takes: "<when>", about: "bookings up to then; a day counts whole (default: now)" },
  output: {
    ...OUTPUT,
    writes: "report",
    about:
      "write the report to a file: an HTML page with charts, unless its ending is csv, xlsx, json or ndjson",
  },
  ...FORCE_FLAG,
} as const satisfies Flags

type ReportOptions = OptionsOf<typeof REPORT_FLAGS>

const BASES: Readonly<Record<GstBasis, string>> = {
  excluded: "+ GST",
  included: "GST included",
  unknown: "GST not stated",
}

function formatGst(basis: GstBasis | null): string {
  return basis === null ? "" : BASES[basis]
}

/** How a column shows the GST basis of its row. */
const GST = {
  gives: "nothing",
  show: ({ gstBasis }: { gstBasis: GstBasis | null }) => formatGst(gstBasis),
  brief: (text: string) => text.replace(/^GST /, ""),
} as const

const CARRIER_COLUMNS: readonly Column<CarrierRow>[] = [
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
      overbilled === null ? "" : formatMoney(overbilled, currency ?? BILL_CURRENCY),
  },
  { key: "returns", title: "RETURNS", align: "right", hidden: true },
]

export const carriers = command({
  about:
    "Shows how carriers performed, by carrier, service and lane: how many consignments arrived by the promised day, the median days taken and promised, prices, and what audited bills overcharge. It reads the ledger and asks no server: freight track --open finds what is not known yet.",
  flags: {
    lanes: {
      about:
        "by lanes between postcode areas: how often in time, how late, billed by quoted, disputed and won (docs/choosing.md)",
    },
    ...REPORT_FLAGS,
  },
  formats: REPORT_FORMATS,
  columns: CARRIER_COLUMNS,
  examples: [
    "freight report carriers --sandbox",
    "freight report carriers --sandbox --lanes --since 180d",
    "freight report carriers --sandbox --since 4w --format csv",
    "freight report carriers --sandbox -o carriers.html",
  ],
  notes: HTML_NOTES,
  async run(deps, options) {
    const span = await readSpan(deps, options)
    const { store, scopes } = await deps.readLedger()
    if (options.lanes) {
      const { reportLanes } = await import("../bills/report/lanes.ts")
      await writeLanes(deps, options, span, await reportLanes(store, { ...span, scopes }))
      return
    }
    const { rows, known } = await reportCarriers(readJourneys(store, { ...span, scopes }))
    const bar = toBarColumn<CarrierRow>(deps, 6, 10, ({ judged, onTime }) =>
      judged === 0 ? undefined : onTime / judged,
    )
    await writeReport(deps, options, {
      title: "Carriers",
      span,
      details: {},
      rows,
      known,
      columns: CARRIER_COLUMNS,
      bar,
      notes: describeCoverage(known),
      plots: [
        plotRows("On time", rows, nameService, toOnTimeBar, 100),
        plotRows("Days from collection to delivery (median)", rows, nameService, toDaysBar),
        plotRows("Price of a consignment, each on its own GST basis", rows, nameService, toPriceBar),
      ],
    })
  },
})

/** A column of numbers, each of which may be too little known to say. */
const toKnownColumn = (
  key: "onTimePercent" | "disputedPercent" | "wonPercent" | "ratio" | "spread",
  title: string,
  rank: number,
  show: (value: number) => string,
): Column<LaneRow> => ({
  ...{ key, title, rank, align: "right" },
  show: ({ [key]: value }) => (value === null ? "" : show(value)),
})
const asPercent = (percent: number) => `${percent}%`
const asRatio = (ratio: number) => ratio.toFixed(2)

const LANE_COLUMNS: readonly Column<LaneRow>[] = [
  { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
  { key: "serviceCode", title: "SERVICE", rank: 2 },
  { key: "lane", title: "POSTCODES", rank: 3, gives: "nothing" },
  { key: "consignments", title: "SENT", rank: 11, align: "right" },
  { key: "seen", title: "SEEN", rank: 6, align: "right" },
  toKnownColumn("onTimePercent", "ON TIME", 4, asPercent),
  {
    key: "fromPercent",
    title: "BETWEEN",
    rank: 7,
    align: "right",
    show: ({ fromPercent, toPercent }) => (fromPercent === null ? "" : `${fromPercent}-${toPercent}%`),
  },
  { key: "toPercent", title: "AND", align: "right", hidden: true },
  { key: "medianDaysLate", title: "DAYS LATE", rank: 8, align: "right" },
  { key: "ninetiethDaysLate", title: "9 OF 10", rank: 9, align: "right" },
  { key: "billed", title: "BILLS", rank: 10, align: "right" },
  toKnownColumn("ratio", "BILLED BY QUOTED", 5, asRatio),
  toKnownColumn("spread", "SPREAD", 12, asRatio),
  toKnownColumn("disputedPercent", "DISPUTED", 13, asPercent),
  toKnownColumn("wonPercent", "WON", 14, asPercent),
]

async function writeLanes(
  deps: Needs,
  options: ReportOptions,
  span: ReportSpan,
  { rows, known }: { rows: LaneRow[]; known: LaneCoverage },
): Promise<void> {
  await writeReport(deps, options, {
    title: "Carriers by lane",
    span,
    ...{ details: {}, rows, known, columns: LANE_COLUMNS },
    notes: [
      `On time is said of ${grouped(known.withArrivals)} of ${counted(known.lanes, "lane")}, and billed by quoted of ${grouped(known.withBills)}: fewer than 20 deliveries or bills are too few to say.`,
    ],
    plots: [
      plotRows(
        "On time",
        rows,
        nameService,
        ({ onTimePercent, fromPercent, toPercent, seen }) =>
          onTimePercent === null
            ? undefined
            : {
                value: onTimePercent,
                text: `${onTimePercent}% (${fromPercent}-${toPercent}%, ${seen} seen)`,
              },
        100,
      ),
      plotRows("Billed by quoted", rows, nameService, ({ ratio, billed }) =>
        ratio === null ? undefined : { value: ratio, text: `${ratio.toFixed(2)} (${billed} bills)` },
      ),
    ],
  })
}

type Bar = Omit<Plot["bars"][number], "label">

function plotRows<Row>(
  title: string,
  rows: readonly Row[],
  toLabel: (row: Row) => string,
  toBar: (row: Row) => Bar | undefined,
  most?: number,
) {
  const bars = rows.flatMap((row) => {
    const bar = toBar(row)
    return bar ? [{ label: toLabel(row), ...bar }] : []
  })
  return { title, bars, ...(most !== undefined && { most }) }
}

function nameService({ carrier, serviceCode, lane }: Pick<CarrierRow, "carrier" | "serviceCode" | "lane">) {
  return `${BRIEF.carrier(carrier ?? "")} ${serviceCode ?? ""}, ${lane}`
}

const nameWay = ({ way }: SavingsRow) => way

function toOnTimeBar({ judged, onTime, onTimePercent }: CarrierRow): Bar | undefined {
  if (judged === 0) return undefined
  return { value: onTimePercent ?? 0, text: `${onTimePercent}% (${onTime} of ${judged})` }
}

function toDaysBar({ daysTaken, daysPromised }: CarrierRow): Bar | undefined {
  if (daysTaken === null) return undefined
  return {
    value: daysTaken,
    text: `${daysTaken}${daysPromised === null ? "" : `; promised ${daysPromised}`}`,
  }
}

function toPriceBar({ pricePerConsignment, currency, gstBasis }: CarrierRow): Bar | undefined {
  if (pricePerConsignment === null) return undefined
  const text = `${formatMoney(pricePerConsignment, currency ?? "")}, ${formatGst(gstBasis)}`
  return { value: pricePerConsignment, text }
}

/** How much of it is known. */
function describeCoverage({
  consignments,
  cancelled,
  tracked,
  promised,
  judged,
  onTime,
  priced,
  billed,
  returns,
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
    ...(returns > 0 ? [`${of(returns)} ${returns === 1 ? "is a return" : "are returns"} of an order.`] : []),
  ]
}

export const spend = command({
  about:
    "Adds up what was booked, as quoted when it was booked, beside what audited bills charge for it, in exact cents. A week begins on Monday, and a reference's prefix is its first letters: PO of PO-1001. It reads the ledger and asks no server.",
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
    const span = await readSpan(deps, options)
    const { store, scopes } = await deps.readLedger()
    const { rows, known, billedCancelled } = await reportSpend(store, { ...span, scopes }, options.by)
    const most = new Map<string, number>()
    for (const row of rows) most.set(formatBasis(row), Math.max(most.get(formatBasis(row)) ?? 0, row.amount))
    const bar = toBarColumn<SpendRow>(deps, 4, 20, (row) => row.amount / (most.get(formatBasis(row)) || 1))
    await writeReport(deps, options, {
      title: `Spending by ${options.by.replace("-", " ")}`,
      span,
      details: { by: options.by },
      rows,
      known,
      columns: spendColumns(options.by),
      bar,
      notes: [
        `In total ${formatTotals(rows)}.`,
        ...(most.size > 1 ? ["Totals on different GST bases cannot be added; each has its own bars."] : []),
        ...describeBilled(rows),
        `Prices as quoted for ${grouped(known.priced)} of ${grouped(known.bookings)} bookings.`,
        ...(known.cancelled > 0 ? [`${grouped(known.cancelled)} cancelled are left out.`] : []),
        ...describeBilledCancelled(billedCancelled),
      ],
      plots: [...most.keys()]
        .filter((basis) => basis !== "")
        .map((basis) => ({
          title: basis,
          bars: rows
            .filter((row) => formatBasis(row) === basis)
            .map((row) => ({
              label: formatGroup(row),
              value: row.amount,
              text: formatMoney(row.amount, row.currency ?? ""),
            })),
        })),
    })
  },
})

const SAVINGS_COLUMNS: readonly Column<SavingsRow>[] = [
  { key: "way", title: "CHOSEN", rank: 1 },
  { key: "bookings", title: "BOOKINGS", rank: 9, align: "right" },
  { key: "same", title: "AS TAKEN", rank: 8, align: "right" },
  {
    key: "cost",
    title: "COST",
    rank: 2,
    align: "right",
    isMoney: true,
    value: ({ amount }) => amount,
    show: ({ amount }) => formatAud(amount),
  },
  {
    key: "saved",
    title: "SAVED",
    rank: 3,
    align: "right",
    isMoney: true,
    show: ({ saved }) => formatAud(saved),
  },
  {
    key: "onTimePercent",
    title: "ON TIME",
    rank: 4,
    align: "right",
    show: ({ onTimePercent }) => (onTimePercent === null ? "" : asPercent(onTimePercent)),
  },
  { key: "judged", title: "JUDGED", align: "right", hidden: true },
  {
    key: "days",
    title: "DAYS",
    rank: 5,
    align: "right",
    show: ({ days }) => (days === null ? "" : days.toFixed(1)),
  },
  { key: "billed", title: "BILLED", rank: 6, align: "right" },
  { key: "estimated", title: "ESTIMATED", rank: 7, align: "right" },
  { key: "quoted", title: "AS QUOTED", rank: 10, align: "right" },
]

const formatAud = (amount: number) => formatMoney(amount, BILL_CURRENCY)

export const savings = command({
  about:
    "Compares what was taken with what the cheapest, the fastest and the best-value offer would have cost and how they would have arrived, with GST. What was taken counts by its bill and its delivery; the others are estimates, by what the same service billed and how it arrived on that lane (docs/choosing.md). Bookings that were not chosen from several offers are left out and counted. It reads the ledger and asks no server.",
  flags: REPORT_FLAGS,
  formats: REPORT_FORMATS,
  columns: SAVINGS_COLUMNS,
  examples: [
    "freight report savings --sandbox",
    "freight report savings --sandbox --since 180d -o savings.html",
  ],
  notes: HTML_NOTES,
  async run(deps, options) {
    const span = await readSpan(deps, options)
    const { reportSavings } = await import("../bills/report/savings.ts")
    const { readEvidenceDays } = await import("../orders/booking/evidence.ts")
    const { store, scopes } = await deps.readLedger()
    const { rows, known } = await reportSavings(store, { ...span, scopes }, readEvidenceDays(deps.settings))
    await writeReport(deps, options, {
      title: "Savings",
      span,
      ...{ details: {}, rows, known, columns: SAVINGS_COLUMNS },
      ...(known.notKept + known.unpriced > 0 && {
        empty: `Of no booking from ${formatSpan(span)} it is kept what it was chosen from. ${describeLeftOut(known).join(" ")}`,
      }),
      notes: [
        "Costs are with GST. Of what was not taken they are estimates, as is how it would have arrived.",
        ...describeLeftOut(known),
      ],
      plots: [
        plotRows("Cost with GST", rows, nameWay, ({ amount }) => ({
          value: amount,
          text: formatAud(amount),
        })),
        plotRows(
          "On time",
          rows,
          nameWay,
          ({ onTimePercent, judged }) =>
            onTimePercent === null
              ? undefined
              : { value: onTimePercent, text: `${onTimePercent}% (of ${grouped(judged)})` },
          100,
        ),
        plotRows("Days from the shipping date to the delivery", rows, nameWay, ({ days }) =>
          days === null ? undefined : { value: days, text: days.toFixed(1) },
        ),
      ],
    })
  },
})

function describeLeftOut({ notKept, unpriced }: SavingsCoverage): string[] {
  return [
    ...(notKept > 0
      ? [
          `Not kept: what ${counted(notKept, "booking was", "bookings were")} chosen from, as a service was named or an earlier freight booked them.`,
        ]
      : []),
    ...(unpriced > 0 ? [`${grouped(unpriced)} without a price in ${BILL_CURRENCY} are left out.`] : []),
  ]
}

export const accruals = command({
  about:
    "Lists what was booked but is not on any audited bill yet, with its totals by GST basis. What was cancelled, and what the receiver or a third party pays, is left out. It is the same as freight audit --accruals.",
  flags: { ...ACCRUAL_FLAGS, ...JOURNAL_FLAGS },
  formats: REPORT_FORMATS,
  columns: ACCRUAL_COLUMNS,
  examples: [
    "freight report accruals --sandbox",
    "freight report accruals --sandbox --since 30d -o accruals.csv",
    "freight report accruals --sandbox --as-at yesterday --for xero --account 429 --accrued 801 --unknown-gst excluded -o journal.csv",
  ],
  notes: HTML_NOTES,
  run: async (deps, options) => void (await printAccruals(deps, options)),
})

const DISPUTE_COLUMNS: readonly Column<DisputeSums>[] = [
  { key: "carrier", title: "CARRIER", rank: 1, brief: BRIEF.carrier },
  { key: "month", title: "MONTH", rank: 2, gives: "nothing" },
  { key: "disputes", title: "DISPUTES", rank: 8, align: "right" },
  { ...money("raised"), title: "RAISED", rank: 3 },
  { ...money("credited"), title: "CREDITED", rank: 4 },
  { ...money("open"), title: "OPEN", rank: 5 },
  { ...money("denied"), title: "DENIED", rank: 6 },
  { ...money("writtenOff"), title: "WRITTEN OFF", rank: 7 },
  { ...money("withheldIncGst"), title: "WITHHELD INC GST", hidden: true },
  { ...money("toComeBackIncGst"), title: "TO COME BACK INC GST", hidden: true },
  { key: "gstBasis", title: "GST", rank: 9, ...GST },
  { key: "currency", title: "CURRENCY", hidden: true },
]

export const disputes = command({
  about:
    "Adds up what was disputed with each carrier, by the month in which it was raised: raised is credited, open, denied and written off together, to the cent. Credits beyond that are told apart. It reads the ledger and asks no server.",
  flags: {
    ...REPORT_FLAGS,
    since: { ...REPORT_FLAGS.since, about: REPORT_FLAGS.since.about.replace("bookings", "disputes raised") },
    until: { ...REPORT_FLAGS.until, about: REPORT_FLAGS.until.about.replace("bookings", "disputes raised") },
  },
  formats: REPORT_FORMATS,
  columns: DISPUTE_COLUMNS,
  examples: ["freight report disputes --sandbox", "freight report disputes --sandbox -o disputes.html"],
  notes: HTML_NOTES,
  async run(deps, options) {
    const span = await readSpan(deps, options)
    const toDay = (instant: number) => formatDate(wallClockNow(instant))
    const days = { since: toDay(span.since), until: toDay(span.until - 1) }
    const { store } = await deps.readLedger()
    const { reportDisputes } = await import("../bills/disputes/report.ts")
    const { readHeld, describeHeld } = await import("../bills/pay/held.ts")
    const held = await readHeld(store.database)
    const { rows, known } = reportDisputes(await readDisputes(store.database), days, held)
    const inCents = (key: "withheldIncGst" | "toComeBackIncGst") =>
      rows.reduce((sum, row) => sum + Math.round(row[key] * 100), 0)
    const paid = describeHeld({
      withheldCents: inCents("withheldIncGst"),
      toComeBackCents: inCents("toComeBackIncGst"),
    })
    await writeReport(deps, options, {
      title: "Disputes",
      span,
      details: {},
      rows,
      known,
      columns: DISPUTE_COLUMNS,
      empty: `Nothing was disputed from ${formatSpan(span)}.`,
      notes: [
        ...(paid === "" ? [] : [`Of what is open, ${paid}.`]),
        ...known.surplus.map(
          ({ amount, credits, gstBasis }) =>
            `Credited beyond what was disputed, in none of these sums: ${formatMoney(amount, BILL_CURRENCY)}, ${formatGst(gstBasis)} (${credits}). freight disputes credits`,
        ),
      ],
      plots: [],
    })
  },
})

const CLEARING_COLUMNS: readonly Column<ClearingRow>[] = [
  {
    key: "consignment",
    title: "CONSIGNMENT",
    rank: 1,
    value: ({ consignmentNumber }) => consignmentNumber,
    show: nameDisputeRow,
  },
  { key: "bill", title: "BILL", rank: 2, value: nameBillOf },
  { key: "postedOn", title: "POSTED", rank: 6, gives: "nothing" },
  { key: "state", title: "STATE", rank: 5, isState: true, show: ({ state }) => state.replace("-", " ") },
  { ...money("stands"), title: "THERE", rank: 3 },
  { ...money("open"), title: "DISPUTED", rank: 9 },
  { ...money("coming"), title: "COMING", rank: 10 },
  {
    ...money("toMove"),
    title: "TO MOVE",
    rank: 4,
    show: ({ toMove, currency }) => (toMove === 0 ? "" : formatMoney(Math.abs(toMove), currency)),
  },
  { key: "from", title: "FROM", rank: 7 },
  { key: "to", title: "TO", rank: 8 },
  {
    key: "gst",
    title: "GST",
    rank: 11,
    gives: "nothing",
    value: ({ gstBasis }) => gstBasis,
    show: ({ gstBasis }) => formatGst(gstBasis),
  },
  { key: "supplier", title: "SUPPLIER", hidden: true },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "id", title: "ID", hidden: true },
  { key: "account", title: "ACCOUNT", hidden: true },
  { ...money("standsExGst"), title: "THERE WITHOUT GST", hidden: true },
]

export const clearing = command({
  about:
    "Lists what stands on the clearing account by what was posted, by bill and dispute, and what has to be moved in the books so that only what is still disputed stands there. It is empty where all is settled. It reads the ledger and asks no server.",
  columns: CLEARING_COLUMNS,
  examples: ["freight report clearing --sandbox", "freight report clearing --sandbox --json"],
  async run(deps) {
    const { store } = await deps.readLedger()
    const { readBalances } = await import("../bills/books/account.ts")
    const { describeBalance, describeToMove, toClearingRow } = await import(
      "../bills/books/clearing-report.ts"
    )
    const balances = await readBalances(store.database)
    const rows = balances.map(toClearingRow)
    const { describeHeld, readHeld, sumHeld } = await import("../bills/pay/held.ts")
    const held = sumHeld(
      await readHeld(store.database),
      rows.map(({ id }) => id),
    )
    await print(deps, {
      rows,
      columns: CLEARING_COLUMNS,
      /** Of what is disputed there, with GST: what was kept back of payments, and what was paid. */
      summary: {
        withheldIncGst: amountOf(held.withheldCents),
        toComeBackIncGst: amountOf(held.toComeBackCents),
      },
      empty: "Nothing stands on the clearing account.",
    })
    if (deps.output.format !== "table") return
    const balance = describeBalance(rows)
    const said = describeHeld(held)
    const lines = [
      ...(balance ? [balance] : []),
      ...(said === "" ? [] : [`Of what is disputed there, ${said}.`]),
      ...describeToMove(balances),
    ]
    for (const line of lines) await deps.note(line)
  },
})

const GROUP_TITLES: Readonly<Record<SpendBy, string>> = {
  day: "DAY",
  week: "WEEK FROM",
  month: "MONTH",
  carrier: "CARRIER",
  service: "SERVICE",
  state: "TO",
  workstation: "WORKSTATION",
  "cost-centre": "COST CENTRE",
  account: "ACCOUNT",
  lane: "LANE",
  "reference-prefix": "REFERENCE",
}

/** `AUD, GST included`; empty where nothing is priced. */
function formatBasis({ currency, gstBasis }: SpendRow): string {
  return gstBasis === null ? "" : `${currency}, ${formatGst(gstBasis)}`
}

function formatGroup({ group }: SpendRow): string {
  return group ?? "(none)"
}

type BilledSum = "billedAmount" | "billedGst" | "billedUnsaid"

const billedMoney = (field: BilledSum, key: string = field) =>
  ({
    key,
    align: "right",
    isMoney: true,
    value: ({ [field]: value }: SpendRow) => value,
    show: ({ [field]: value, billed }: SpendRow) => (billed === 0 ? "" : formatAud(value)),
  }) as const

/** What bills charge in all: without GST, GST apart, and what waits for its bill. */
function describeBilled(rows: readonly SpendRow[]): string[] {
  const sum = (key: "billed" | "unbilled") => rows.reduce((all, row) => all + row[key], 0)
  const add = (key: BilledSum) => amountOf(rows.reduce((cents, row) => cents + Math.round(row[key] * 100), 0))
  const unsaid = add("billedUnsaid")
  return [
    `On audited bills, ${counted(sum("billed"), "booking")}: ${formatAud(add("billedAmount"))} without GST, and GST of ${formatAud(add("billedGst"))}. ${grouped(sum("unbilled"))} ${sum("unbilled") === 1 ? "is" : "are"} on none yet: NOT BILLED is what was quoted for those.`,
    ...(unsaid === 0 ? [] : [`${formatAud(unsaid)} more is on bills that do not say whether GST is in it.`]),
  ]
}

/** What bills charge for bookings that were cancelled, and so is in no row. */
function describeBilledCancelled({ billed, exGst, gst, unsaid }: BilledOf): string[] {
  if (billed === 0) return []
  const more =
    unsaid === 0 ? "" : `, and ${formatAud(amountOf(unsaid))} on bills that do not say whether GST is in it`
  return [
    `Audited bills charge ${counted(billed, "cancelled booking")}, left out above: ${formatAud(amountOf(exGst))} without GST, and GST of ${formatAud(amountOf(gst))}${more}.`,
  ]
}

function spendColumns(by: SpendBy): Column<SpendRow>[] {
  return [
    {
      key: "group",
      title: GROUP_TITLES[by],
      rank: 1,
      show: formatGroup,
      ...(isTime(by) && { gives: "nothing" as const }),
    },
    {
      key: "total",
      title: "QUOTED",
      rank: 2,
      align: "right",
      isMoney: true,
      value: ({ amount }) => amount,
      show: ({ amount, currency, gstBasis }) =>
        gstBasis === null ? "no price" : formatMoney(amount, currency ?? ""),
    },
    { key: "gstBasis", title: "GST", rank: 3, ...GST },
    { key: "bookings", title: "BOOKINGS", rank: 8, align: "right" },
    { key: "weightKg", title: "KG", rank: 9, align: "right" },
    { key: "unpriced", title: "WITHOUT PRICE", align: "right", hidden: true },
    { key: "currency", title: "CURRENCY", hidden: true },
    { ...billedMoney("billedAmount", "billedTotal"), title: "BILLED", rank: 5 },
    { ...billedMoney("billedGst"), title: "ITS GST", rank: 7 },
    {
      key: "unbilledTotal",
      title: "NOT BILLED",
      rank: 6,
      align: "right",
      isMoney: true,
      value: ({ unbilledAmount }) => unbilledAmount,
      show: ({ unbilled, unbilledAmount, currency, gstBasis }) =>
        unbilled === 0 ? "" : gstBasis === null ? "no price" : formatMoney(unbilledAmount, currency ?? ""),
    },
    { key: "billed", title: "ON BILLS", align: "right", hidden: true },
    { key: "unbilled", title: "ON NO BILL", align: "right", hidden: true },
    { ...billedMoney("billedUnsaid"), title: "BILLED, GST NOT STATED", hidden: true },
  ]
}

/** Reads from when until when, and refuses what cannot be written. @throws FreightError `usage` */
async function readSpan(
  deps: Needs,
  { since = DEFAULT_SINCE, until, output }: ReportOptions,
): Promise<ReportSpan> {
  const format = chooseFileFormat(deps, output, PAGE)
  const named = output === undefined ? undefined : findFileFormat(output)
  if (named !== undefined && named !== format)
    throw new FreightError(
      "usage",
      `${output} is the name of ${named}, and --format says ${format}: leave one out`,
    )
  if (deps.output.fields && format === "html")
    throw new FreightError("usage", "--fields does not apply to an HTML page")
  const now = await deps.serviceNow()
  const from = parsePast(since, "--since", now)
  const to = until === undefined ? now + 1 : getEndOfSpan(parsePast(until, "--until", now))
  if (from >= to) throw new FreightError("usage", "--since must be before --until")
  return { since: from, until: to }
}

type ReportSpan = Omit<Span, "scopes">

/** The end of a day, where an instant is its start. */
function getEndOfSpan(instant: number): number {
  const local = wallClockNow(instant)
  const isMidnight = local.hour + local.minute + local.second === 0
  return isMidnight ? instantOf(addDays(local, 1)) : instant
}

/** `2026-11-01 to 2026-11-22`, by this machine's clock. */
function formatSpan({ since, until }: ReportSpan): string {
  const day = (instant: number) => formatDate(wallClockNow(instant))
  return `${day(since)} to ${day(until - 1)}`
}

/** Totals of each basis and currency, which must not be added to each other. */
function formatTotals(rows: readonly SpendRow[]): string {
  const totals = new Map<string, { row: SpendRow; cents: number; count: number }>()
  for (const row of rows) {
    if (row.gstBasis === null) continue
    const { cents, count } = totals.get(formatBasis(row)) ?? { cents: 0, count: 0 }
    totals.set(formatBasis(row), {
      row,
      cents: cents + Math.round(row.amount * 100),
      count: count + row.bookings,
    })
  }
  return Array.from(totals.values(), ({ row: { currency, gstBasis }, cents, count }) => {
    const basis = formatGst(gstBasis)
    return `${currency} ${formatCents(cents)}${gstBasis === "excluded" ? "" : ","} ${basis} (${count})`
  }).join("; ")
}

/** A column of bars, for a table on a terminal. @param getPart from 0 to 1; undefined for no bar */
function toBarColumn<Row>(
  { terminal: { unicode } }: Needs,
  rank: number,
  longest: number,
  getPart: (row: Row) => number | undefined,
): Column<Row> {
  return {
    key: "bar",
    value: () => undefined,
    title: "",
    rank,
    gives: "nothing",
    brief: (bar) => bar.slice(0, Math.ceil(bar.length / 2)),
    show: (row) =>
      (unicode ? "█" : "#").repeat(Math.round(Math.min(Math.max(getPart(row) ?? 0, 0), 1) * longest)),
  }
}

interface Report<Row, Known, Details> {
  title: string
  span: ReportSpan
  /** What JSON has besides span, rows and `known`. */
  details: Details
  rows: readonly Row[]
  /** How much the report knows of what was booked, in numbers. */
  known: Known
  columns: readonly Column<Row>[]
  /** Only in a table. */
  bar?: Column<Row>
  /** What is said where there are no rows. */
  empty?: string
  /** What the report rests on, a sentence each. */
  notes: readonly string[]
  plots: readonly Omit<Plot, "kind">[]
}

/** Prints a report, or writes it to a file. */
async function writeReport<Row, Known extends object, Details extends object>(
  deps: Needs,
  { output: file }: ReportOptions,
  { title, span, details, rows, known, columns, bar, notes, plots, ...more }: Report<Row, Known, Details>,
): Promise<void> {
  const { empty = `Nothing was booked from ${formatSpan(span)}.` } = more
  await writeOutput(
    deps,
    file,
    async ({ stdout, output }) => {
      if ((output.format as string) === "html") {
        const { describeReport } = await import("../bills/report/page.ts")
        const { renderHtml } = await import("../output/pages/html.ts")
        const name = `${title}, ${formatSpan(span)}`
        await stdout.write(renderHtml(describeReport({ title: name, rows, columns, notes, empty, plots })))
        return
      }
      const toMoment = (instant: number) => new Date(instant).toISOString()
      const [since, until] = [toMoment(span.since), toMoment(span.until)]
      const summary = { since, until, ...details, known }
      const isTable = output.format === "table"
      const shown = isTable && !output.fields && bar ? [...columns, bar] : columns
      await print(
        { terminal: { ...deps.terminal, stdout }, output, warnings: deps.warnings, signal: deps.signal },
        { summary, rows, columns: shown, empty },
      )
      if (isTable && rows.length > 0) for (const note of notes) await deps.note(note)
    },
    PAGE,
  )
  if (file !== undefined && file !== "-") await deps.note(`Written to ${file}.`)
}
