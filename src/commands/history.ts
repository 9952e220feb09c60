import { grouped } from "../base/counted.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import { groupNumber } from "../base/order-number.ts"
import { formatWallClock, wallClockNow } from "../base/wall-clock.ts"
import type { Deps } from "../session/index.ts"
import {
  countHistory,
  describeBooked,
  type Entry,
  type Facts,
  findElsewhere,
  getCancellation,
  keyText,
  KINDS,
  nameText,
  openReason,
  readEntries,
  sentText,
  STATES,
  withoutPackages,
} from "../ledger/index.ts"
import { HISTORY_SPEND_BY, type HistorySpendRow, sumHistory } from "../reports/index.ts"
import { BRIEF, type Column, money, print, printPages, toObject } from "../output/index.ts"
import { OWN_FIELDS, readOwn } from "../contract/index.ts"
import { command, type Flags, type OptionsOf } from "../command/index.ts"
import { PAST, parsePast } from "../base/past.ts"

const flags = {
  since: { takes: "<when>", about: `sent since then: ${PAST}` },
  kind: { takes: "<kind>", about: "only this kind", choices: KINDS },
  state: { takes: "<state>", about: "only this state", choices: STATES },
  search: {
    takes: "<text>",
    about: "only entries with this in the key, reference, receiver, shipment, consignment or service",
  },
  spend: { takes: "[by]", about: "add up the price of what was booked", choices: HISTORY_SPEND_BY },
} as const satisfies Flags

type Options = OptionsOf<typeof flags>

type HistoryEntry = Entry & { ledger: string }

const text = (
  key: Exclude<keyof Facts, "own">,
  title: string,
  more: Partial<Column<HistoryEntry>> = { hidden: true },
) => ({
  key,
  title,
  value: ({ facts }: HistoryEntry) => facts[key] ?? "",
  ...more,
})

/** In whole units, as quoted. */
const amount = (key: string, fact: "priceCents" | "gstCents" | "priceIncGstCents", title: string) => ({
  key,
  title,
  align: "right" as const,
  isMoney: true,
  value: ({ facts: { [fact]: cents } }: HistoryEntry) => (cents === undefined ? null : amountOf(cents)),
})

/** Each column once: its key, its value, and its display in a table. */
const columns: Column<HistoryEntry>[] = [
  { key: "sentAt", title: "SENT", rank: 6, show: sentText, brief: BRIEF.time, gives: "nothing" },
  { key: "kind", title: "KIND", rank: 7 },
  {
    key: "state",
    title: "STATE",
    rank: 5,
    isState: true,
    show: ({ state, cancelledAt }) => (cancelledAt === undefined ? state : "cancelled"),
  },
  { key: "key", title: "KEY", rank: 9, value: keyText },
  text("about", "ABOUT", { rank: 3, brief: withoutPackages }),
  text("reference", "REFERENCE", { rank: 1 }),
  text("shipmentId", "SHIPMENT", { rank: 10, brief: BRIEF.id, gives: "nothing" }),
  text("connectorId", "CONNECTOR"),
  text("carrier", "CARRIER"),
  text("serviceCode", "SERVICE", { rank: 8 }),
  {
    ...amount("price", "priceCents", "PRICE"),
    rank: 4,
    show: ({ facts: { priceCents, currency = "" } }) =>
      priceCents === undefined ? "" : formatMoney(amountOf(priceCents), currency),
  },
  text("currency", "CURRENCY"),
  { key: "note", title: "NOTE", hidden: true, value: ({ note, error }) => note ?? error?.message ?? "" },
  { key: "file", title: "LEDGER", hidden: true, value: ({ ledger }) => ledger },
  { key: "id", title: "ID", hidden: true },
  { key: "workstation", title: "WORKSTATION", hidden: true, value: ({ sender }) => sender.workstation },
  { key: "person", title: "PERSON", hidden: true, value: ({ sender }) => sender.person },
  text("consignmentNumber", "CONSIGNMENT", { rank: 2, gives: "nothing" }),
  text("orderNumber", "ORDER"),
  { ...amount("priceGst", "gstCents", "GST"), hidden: true },
  { ...amount("priceIncGst", "priceIncGstCents", "PRICE WITH GST"), hidden: true },
  text("gstBasis", "GST BASIS"),
  text("eta", "ETA"),
  {
    key: "transitDays",
    title: "TRANSIT DAYS",
    align: "right",
    hidden: true,
    value: ({ facts }) => facts.transitDays ?? null,
  },
  text("rateId", "RATE"),
  text("quoteId", "QUOTE"),
  {
    key: "weightKg",
    title: "WEIGHT KG",
    align: "right",
    hidden: true,
    value: ({ facts: { weightGrams } }) => (weightGrams === undefined ? null : weightGrams / 1000),
  },
  text("receiverSuburb", "SUBURB"),
  text("receiverState", "RECEIVER STATE"),
  text("receiverPostcode", "POSTCODE"),
  {
    key: "sentLocal",
    title: "SENT (LOCAL)",
    hidden: true,
    value: ({ sentAt }) => sheetTime(sentAt),
  },
  ...OWN_FIELDS.map(({ path, beside }) => ({
    key: path,
    title: beside.title.toUpperCase(),
    hidden: true as const,
    value: ({ facts }: HistoryEntry) => readOwn(facts.own)[path] ?? null,
  })),
  {
    key: "packages",
    title: "PACKAGES",
    hidden: true,
    value: ({ facts: { packages } }) => (packages === undefined ? null : JSON.parse(packages)),
  },
  { key: "cancelledAt", title: "CANCELLED", hidden: true, value: ({ cancelledAt }) => cancelledAt ?? null },
  {
    key: "cancelledBy",
    title: "CANCELLED BY",
    hidden: true,
    value: (entry) => getCancellation(entry)?.confirmedBy ?? null,
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
  about:
    "Shows what was sent and its outcome, newest first, from the ledger. A table on a terminal shows the newest 50; a pipe, a file and every other format get all. It asks no server.",
  flags,
  columns,
  examples: [
    "freight history --sandbox --since 7d",
    "freight history --sandbox --state unknown --json",
    "freight history --sandbox --spend month",
  ],
  endsWithReader: true,
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
    const sums = await sumHistory(store, filter, by)
    const items = sums.map(({ total: amount, ...sum }) => ({ ...sum, amount }))
    await print(deps, { rows: sums, items, columns: spendColumns, empty: () => empty("Nothing was booked.") })
    if (deps.output.format === "table" && sums.length > 0)
      await deps.note("As quoted when it was booked; not every carrier says whether its price includes GST.")
    return
  }
  const isOnScreen = deps.output.format === "table" && deps.terminal.stdout.isTTY
  let hasMore = false
  const pages = async function* () {
    let left = isOnScreen ? SHOWN_ON_SCREEN : Number.POSITIVE_INFINITY
    for await (const entries of untilAborted(readEntries(store, filter), deps.signal)) {
      yield entries.slice(0, left).map((entry): HistoryEntry => ({ ...entry, ledger: store.place }))
      left -= entries.length
      if (left >= 0) continue
      hasMore = true
      return
    }
  }
  await printPages(deps, {
    pages,
    columns,
    toItem: (entry) => toObject(columns, entry),
    empty: () => empty("Nothing was sent."),
  })
  if (hasMore)
    await deps.note(
      `Only the newest ${SHOWN_ON_SCREEN} are shown. A file or a pipe gets all: freight history --format csv > history.csv`,
    )
  if (search !== undefined) {
    const wanted = { column: "normalized_number", values: [groupNumber(search)] } as const
    for (const entry of await findElsewhere(store.database, scopes, wanted))
      await deps.note(
        `${nameText(entry)} ${describeBooked(entry)}: freight shipments show ${entry.facts.shipmentId}`,
      )
  }
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

/** Says that the filters hide entries, so that no booking is repeated; undefined if there are none. */
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

/** Rows of a table on a terminal; more are not useful to a person. */
const SHOWN_ON_SCREEN = 50

/** Maximum number of open entries listed with their error. */
const TOLD_AT_MOST = 10
