/** Reads the ledger: what was sent, filtered. */
import { amountOf } from "../../contract/money.ts"
import { type Entry, type Kind, keyText, type State } from "../entry.ts"
import { marks, PAGE } from "../database/rows.ts"
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

/** Entries that pass, newest first, in pages: a ledger of any size is read in constant memory. */
export async function* readEntries(store: Store, filter: HistoryFilter): AsyncGenerator<Entry[]> {
  for (let after: Entry | undefined; ; ) {
    const entries = await store.history({ detail: "brief", ...filter, page: { after, size: PAGE } })
    if (entries.length > 0) yield entries
    if (entries.length < PAGE) return
    after = entries.at(-1)
  }
}

export async function* readHistory(store: Store, filter: HistoryFilter): AsyncGenerator<HistoryRow[]> {
  for await (const entries of readEntries(store, filter))
    yield entries.map((entry) => toHistoryRow(entry, store.place))
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
