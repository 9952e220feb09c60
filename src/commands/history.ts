import { grouped } from "../contract/counted.ts"
import { formatWallClock, wallClockNow } from "../contract/wall-clock.ts"
import type { Deps } from "../deps.ts"
import { KINDS, nameText, openReason, STATES, sentText, withoutPackages } from "../ledger/entry.ts"
import { countHistory, type HistoryRow, readEntries, readHistory } from "../ledger/records/history.ts"
import { HISTORY_SPEND_BY, type HistorySpendRow, sumHistory } from "../report/spend.ts"
import { BRIEF, type Column, money } from "../terminal/columns.ts"
import { print, printPages } from "../terminal/view.ts"
import { command, type Flags, type OptionsOf } from "../command.ts"
import { PAST, parsePast } from "./shared/past.ts"

const flags = {
  since: { takes: "<when>", about: PAST },
  kind: { takes: "<kind>", about: "only this kind", choices: KINDS },
  state: { takes: "<state>", about: "only this state", choices: STATES },
  search: {
    takes: "<text>",
    about: "only entries with this in the key, reference, receiver, shipment, consignment or service",
  },
  spend: { takes: "[by]", about: "add up the price of what was booked", choices: HISTORY_SPEND_BY },
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

const columns: Column<HistoryRow>[] = [
  { key: "sentAt", title: "SENT", rank: 6, show: sentText, brief: BRIEF.time, gives: "nothing" },
  { key: "kind", title: "KIND", rank: 7 },
  { key: "state", title: "STATE", rank: 5, isState: true },
  { key: "key", title: "KEY", rank: 9 },
  { key: "about", title: "ABOUT", rank: 3, brief: withoutPackages },
  { key: "reference", title: "REFERENCE", rank: 1 },
  { key: "shipmentId", title: "SHIPMENT", rank: 10, brief: BRIEF.id, gives: "nothing" },
  { key: "connectorId", title: "CONNECTOR", hidden: true },
  { key: "carrier", title: "CARRIER", hidden: true },
  { key: "serviceCode", title: "SERVICE", rank: 8 },
  { ...money("price"), title: "PRICE", rank: 4 },
  { key: "currency", title: "CURRENCY", hidden: true },
  { key: "note", title: "NOTE", hidden: true },
  { key: "file", title: "LEDGER", hidden: true },
  { key: "id", title: "ID", hidden: true },
  { key: "workstation", title: "WORKSTATION", hidden: true },
  { key: "person", title: "PERSON", hidden: true },
  { key: "consignmentNumber", title: "CONSIGNMENT", rank: 2, gives: "nothing" },
  { key: "orderNumber", title: "ORDER", hidden: true },
  { key: "priceGst", title: "GST", align: "right", hidden: true },
  { key: "priceIncGst", title: "PRICE WITH GST", align: "right", hidden: true },
  { key: "gstBasis", title: "GST BASIS", hidden: true },
  { key: "eta", title: "ETA", hidden: true },
  { key: "transitDays", title: "TRANSIT DAYS", align: "right", hidden: true },
  { key: "rateId", title: "RATE", hidden: true },
  { key: "quoteId", title: "QUOTE", hidden: true },
  { key: "weightKg", title: "WEIGHT KG", align: "right", hidden: true },
  { key: "receiverSuburb", title: "SUBURB", hidden: true },
  { key: "receiverState", title: "RECEIVER STATE", hidden: true },
  { key: "receiverPostcode", title: "POSTCODE", hidden: true },
  {
    key: "sentLocal",
    title: "SENT (LOCAL)",
    value: ({ sentAt }) => sheetTime(sentAt),
    hidden: true,
  },
]

const spendColumns: Column<HistorySpendRow>[] = [
  { key: "group", title: "GROUP" },
  { key: "bookings", title: "BOOKINGS", align: "right" },
  { key: "unpriced", title: "WITHOUT PRICE", align: "right" },
  { ...money("total"), title: "TOTAL" },
  { key: "currency", title: "CURRENCY", hidden: true },
]

export default command({
  about: "Shows what was sent and its outcome, newest first, from the ledger. It asks no server.",
  flags,
  columns,
  examples: [
    "freight history --sandbox --since 7d",
    "freight history --sandbox --state unknown --json",
    "freight history --sandbox --spend month",
  ],
  run: showHistory,
})

async function showHistory(deps: Deps, options: Options): Promise<undefined> {
  const since =
    options.since === undefined
      ? undefined
      : new Date(parsePast(options.since, "--since", deps.clock.now())).toISOString()
  const { store, scopes } = await deps.readLedger()
  const { kind, state, search } = options
  const filter = { since, kind, state, search, scopes }
  const empty = async (otherwise: string) =>
    describeNoMatch(options, await countHistory(store, scopes)) ?? otherwise
  if (options.spend) {
    const by = options.spend === true ? "carrier" : options.spend
    const sums = await sumHistory(untilAborted(readEntries(store, filter), deps.signal), by)
    await print(deps, { rows: sums, columns: spendColumns, empty: () => empty("Nothing was booked.") })
    if (deps.output.format === "table" && sums.length > 0)
      await deps.note("As quoted when it was booked; not every carrier says whether its price includes GST.")
    return
  }
  const detail = deps.output.format === "table" && !deps.output.fields ? "table" : "brief"
  const pages = () => untilAborted(readHistory(store, { ...filter, detail }), deps.signal)
  await printPages(deps, { pages, columns, empty: () => empty("Nothing was sent.") })
  if (options.state !== undefined && options.state !== "unknown") return
  let open = 0
  for await (const entries of readEntries(store, { ...filter, state: "unknown" }))
    for (const entry of entries) {
      const why = openReason(entry)
      if (++open <= TOLD_AT_MOST && why !== undefined)
        await deps.note(`${nameText(entry) || sentText(entry)}: ${why}`)
    }
  if (open > 0) await deps.note(`${open} with an unknown outcome: freight reconcile looks for them.`)
}

async function* untilAborted<Page>(pages: AsyncIterable<Page>, signal: AbortSignal): AsyncGenerator<Page> {
  for await (const page of pages) {
    signal.throwIfAborted()
    yield page
  }
}

/** Says that the filters hide entries, so that nobody books again what is booked; undefined if there are none. */
function describeNoMatch({ since, kind, state, search }: Options, entries: number): string | undefined {
  const given = Object.entries({ since, kind, state, search }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${value}`],
  )
  if (given.length === 0 || entries === 0) return undefined
  return `Nothing matches ${given.join(" ")}. The history has ${grouped(entries)} ${entries === 1 ? "entry" : "entries"} in total.`
}

/** `2026-11-22 11:07:33`, which spreadsheets read as a time. */
function sheetTime(instant: string): string {
  return formatWallClock(wallClockNow(Date.parse(instant))).replace("T", " ")
}

/** Maximum number of open entries listed with their error. */
const TOLD_AT_MOST = 10
