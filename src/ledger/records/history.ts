/** Reads the ledger: what was sent, filtered, and what it cost. */
import { amountOf } from "../../contract/money.ts"
import { formatDate, wallClockNow } from "../../contract/wall-clock.ts"
import { type Entry, type Kind, keyText, type State } from "../entry.ts"
import { marks } from "../database/rows.ts"
import type { HistoryFilter } from "../database/entries.ts"
import type { Store } from "../store.ts"

export interface HistoryRow {
  sentAt: string
  kind: Kind
  state: State
  /** The user's key; empty if the content is the key. */
  key: string
  about: string
  reference: string
  shipmentId: string
  connectorId: string
  carrier: string
  serviceCode: string
  /** As quoted, in whole units. */
  price: number | null
  currency: string
  note: string
  /** The ledger that it is in. */
  file: string
  id: string
  workstation: string
  person: string
  consignmentNumber: string
  orderNumber: string
  priceGst: number | null
  priceIncGst: number | null
  gstBasis: string
  eta: string
  transitDays: number | null
  rateId: string
  quoteId: string
  packages: unknown
  weightKg: number | null
  receiverSuburb: string
  receiverState: string
  receiverPostcode: string
}

const PAGE = 500

/** Entries that pass, newest first, in pages: a ledger of any size is read in constant memory. */
export async function* readHistory(store: Store, filter: HistoryFilter): AsyncGenerator<HistoryRow[]> {
  for (let after: Entry | undefined; ; ) {
    const entries = await store.history({ ...filter, isBrief: true, page: { after, size: PAGE } })
    if (entries.length > 0) yield entries.map((entry) => toHistoryRow(entry, store.place))
    if (entries.length < PAGE) return
    after = entries.at(-1)
  }
}

function toHistoryRow(
  { id, sentAt, kind, state, key, sender, facts, note, error }: Entry,
  file: string,
): HistoryRow {
  const amount = (cents: number | undefined) => (cents === undefined ? null : amountOf(cents))
  return {
    sentAt,
    kind,
    state,
    key: keyText({ key }),
    about: facts.about ?? "",
    reference: facts.reference ?? "",
    shipmentId: facts.shipmentId ?? "",
    connectorId: facts.connectorId ?? "",
    carrier: facts.carrier ?? "",
    serviceCode: facts.serviceCode ?? "",
    price: amount(facts.priceCents),
    currency: facts.currency ?? "",
    note: note ?? error?.message ?? "",
    file,
    id,
    workstation: sender.workstation,
    person: sender.person,
    consignmentNumber: facts.consignmentNumber ?? "",
    orderNumber: facts.orderNumber ?? "",
    priceGst: amount(facts.gstCents),
    priceIncGst: amount(facts.priceIncGstCents),
    gstBasis: facts.gstBasis ?? "",
    eta: facts.eta ?? "",
    transitDays: facts.transitDays ?? null,
    rateId: facts.rateId ?? "",
    quoteId: facts.quoteId ?? "",
    packages: facts.packages === undefined ? null : JSON.parse(facts.packages),
    weightKg: facts.weightGrams === undefined ? null : facts.weightGrams / 1000,
    receiverSuburb: facts.receiverSuburb ?? "",
    receiverState: facts.receiverState ?? "",
    receiverPostcode: facts.receiverPostcode ?? "",
  }
}

export const SPEND_BY = ["carrier", "service", "month"] as const
export type SpendBy = (typeof SPEND_BY)[number]

export interface SpendRow {
  group: string
  bookings: number
  /** Bookings without a known price: not in the total. */
  unpriced: number
  total: number
  currency: string
}

function getGroup({ carrier, serviceCode, sentAt }: HistoryRow, by: SpendBy, zone: string): string {
  if (by === "month") return formatDate(wallClockNow(Date.parse(sentAt), zone)).slice(0, "yyyy-MM".length)
  return by === "carrier" ? carrier : `${carrier} ${serviceCode}`
}

/** How many entries there are, whatever the filter. */
export async function countHistory(
  { database }: Store,
  scopes: readonly string[] | undefined,
): Promise<number> {
  const where = scopes === undefined ? "" : ` where scope in (${marks(scopes)})`
  const counted = await database.all(
    `select cast(count(*) as integer) as entries from sends${where}`,
    scopes ?? [],
  )
  return Number(counted[0]?.entries)
}

/** What was booked adds up to, in exact cents, by group and currency. @param zone whose months they are */
export async function spend(
  pages: AsyncIterable<readonly HistoryRow[]>,
  by: SpendBy,
  zone: string,
): Promise<SpendRow[]> {
  const groups = new Map<string, SpendRow & { cents: number }>()
  for await (const rows of pages) for (const row of rows) addToGroup(groups, row, getGroup(row, by, zone))
  return [...groups.values()]
    .map(({ cents, ...row }) => ({ ...row, total: amountOf(cents) }))
    .sort((a, b) => (a.group < b.group ? -1 : 1))
}

function addToGroup(groups: Map<string, SpendRow & { cents: number }>, row: HistoryRow, group: string): void {
  if (row.kind !== "shipment" || row.state !== "done") return
  const currency = row.currency || "AUD"
  const sum = groups.get(`${group}\n${currency}`) ?? {
    group,
    bookings: 0,
    unpriced: 0,
    total: 0,
    currency,
    cents: 0,
  }
  sum.bookings++
  if (row.price === null) sum.unpriced++
  else sum.cents += Math.round(row.price * 100)
  groups.set(`${group}\n${currency}`, sum)
}
