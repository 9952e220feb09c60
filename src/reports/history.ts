import { grouped } from "../base/counted.ts"
import { amountOf, formatMoney } from "../base/money.ts"
import { groupNumber } from "../base/order-number.ts"
import { formatWallClock, wallClockNow } from "../base/wall-clock.ts"
import type { Deps, LedgerReader } from "../session/index.ts"
import {
  countHistory,
  describeBooked,
  type Entry,
  type Facts,
  findElsewhere,
  getCancellation,
  type HistoryFilter,
  keyText,
  KINDS,
  nameText,
  openReason,
  readEntries,
  sentText,
  STATES,
  withoutPackages,
} from "../ledger/index.ts"
import { HISTORY_SPEND_BY, type HistorySpendRow, sumHistory } from "./spend-by.ts"
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
  async run(deps, options) {
    await showHistory(deps, options)
  },
})

async function showHistory(deps: Deps, options: Options): Promise<void> {
  const since =
    options.since === undefined
      ? undefined
      : new Date(parsePast(options.since, "--since", deps.clock.now())).toISOString()
  const { store, scopes } = await deps.readLedger()
  const { kind, state, search } = options
  const asked = { options, store, filter: { since, kind, state, search, scopes } }
  if (options.spend) return showSpend(deps, asked, options.spend === true ? "carrier" : options.spend)
  await showEntries(deps, asked)
  if (search !== undefined) await tellElsewhere(deps, asked, search)
  if (state === undefined || state === "unknown") await tellOpen(deps, asked)
}

interface Asked {
  options: Options
  store: LedgerReader["store"]
  filter: HistoryFilter
}

async function showSpend(deps: Deps, asked: Asked, by: (typeof HISTORY_SPEND_BY)[number]): Promise<void> {
  const rows = await sumHistory(asked.store, asked.filter, by)
  const items = rows.map(({ total: amount, ...sum }) => ({ ...sum, amount }))
  const empty = () => describeEmpty(asked, "Nothing was booked.")
  await print(deps, { rows, items, columns: spendColumns, empty })
  if (deps.output.format === "table" && rows.length > 0)
    await deps.note("As quoted when it was booked; not every carrier says whether its price includes GST.")
}

/** On a terminal only the newest are shown, as a table. */
async function showEntries(deps: Deps, asked: Asked): Promise<void> {
  const { store, filter } = asked
  const isOnScreen = deps.output.format === "table" && deps.terminal.stdout.isTTY
  let hasMore = false
  const pages = async function* () {
    let left = isOnScreen ? MAX_ON_SCREEN : Number.POSITIVE_INFINITY
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
    empty: () => describeEmpty(asked, "Nothing was sent."),
  })
  if (hasMore)
    await deps.note(
      `Only the newest ${MAX_ON_SCREEN} are shown. A file or a pipe gets all: freight history --format csv > history.csv`,
    )
}

/** Prints bookings with this number that were made elsewhere. */
async function tellElsewhere(deps: Deps, { store, filter }: Asked, search: string): Promise<void> {
  const wanted = { column: "normalized_number", values: [groupNumber(search)] } as const
  for (const entry of await findElsewhere(store.database, filter.scopes, wanted))
    await deps.note(
      `${nameText(entry)} ${describeBooked(entry)}: freight shipments show ${entry.facts.shipmentId}`,
    )
}

async function tellOpen(deps: Deps, { store, filter }: Asked): Promise<void> {
  let open = 0
  for await (const entries of readEntries(store, { ...filter, state: "unknown" }))
    for (const entry of entries) {
      const why = openReason(entry)
      if (++open <= MAX_REPORTED && why !== undefined)
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

/** Says if filters hide entries, so that no booking is repeated. */
async function describeEmpty({ options, store, filter }: Asked, otherwise: string): Promise<string> {
  const { since, kind, state, search } = options
  const given = Object.entries({ since, kind, state, search }).flatMap(([flag, value]) =>
    value === undefined ? [] : [`--${flag} ${value}`],
  )
  const entries = given.length === 0 ? 0 : await countHistory(store, filter.scopes)
  if (entries === 0) return otherwise
  return `Nothing matches ${given.join(" ")}. The history has ${grouped(entries)} ${entries === 1 ? "entry" : "entries"} in total.`
}

/** `2026-11-22 11:07:33`, which spreadsheets read as a time. */
function sheetTime(instant: string): string {
  return formatWallClock(wallClockNow(Date.parse(instant))).replace("T", " ")
}

/** Rows of a table on a terminal; more are not useful to a person. */
const MAX_ON_SCREEN = 50

/** Maximum number of open entries listed with their error. */
const MAX_REPORTED = 10
