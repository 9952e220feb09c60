/** The list of shipments, with what the ledger knows of them. */
import path from "node:path"
import { type FreightApi, readBack, shipmentPages } from "../../api/index.ts"
import { PAST, parsePast } from "../../base/past.ts"
import { type Flags, nonEmpty, type OptionsOf, readLedgerOrWarn } from "../../command/index.ts"
import { type NamedSummary, nameShipment, type Own, OWN_FIELDS, readOwn } from "../../contract/index.ts"
import {
  type Entry,
  findCollected,
  findShipmentsOfOrder,
  keyText,
  withoutPackages,
} from "../../ledger/index.ts"
import { quoted } from "../../base/parsed.ts"
import type { ShipmentSummary } from "../../contract/generated/types.ts"
import { amountOf, formatMoney } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import type { Deps, Ledgers, Session } from "../../session/index.ts"
import {
  BRIEF,
  type Column,
  createSpool,
  type Output,
  print,
  printPages,
  UNFINISHED,
} from "../../output/index.ts"

export const shipmentColumns: Column<ShipmentSummary>[] = [
  { key: "id", title: "SHIPMENT", rank: 11, brief: BRIEF.id, gives: "nothing" },
  { key: "consignmentNumber", title: "CONSIGNMENT", rank: 2, gives: "nothing" },
  { key: "carrier", title: "CARRIER", rank: 7, brief: BRIEF.carrier },
  { key: "connectorName", title: "CONNECTOR", hidden: true },
  { key: "orderNumber", title: "ORDER", hidden: true },
  { key: "serviceCode", title: "SERVICE", rank: 8 },
  { key: "serviceDescription", title: "DESCRIPTION", hidden: true },
  { key: "fromSuburb", title: "FROM", rank: 9 },
  { key: "toSuburb", title: "TO", rank: 3 },
  { key: "status", title: "STATUS", rank: 5, isState: true },
  { key: "pickupStatus", title: "PICKUP", rank: 10, isState: true },
  { key: "source", title: "SOURCE", hidden: true },
  {
    key: "createdAt",
    title: "BOOKED",
    rank: 6,
    show: ({ createdAt }) => formatInstant(createdAt ?? ""),
    brief: BRIEF.time,
    gives: "nothing",
  },
]

interface Listed extends ShipmentSummary {
  freight?: {
    reference: string | null
    price: number | null
    currency: string | null
    key: string | null
    /** Freight's own fields, by path; null where the booking has none. */
    own: Own | null
  }
  /** Company and place. */
  receiver?: string
  /** The state of a pickup that collects it with others: the API shows it as NOT_BOOKED. */
  collected?: string
}

/** How people see a column that combines the API and the ledger. */
const SHOWN: Partial<Record<string, (row: Listed) => string>> = {
  toSuburb: ({ receiver, toSuburb }) => receiver ?? toSuburb ?? "",
  pickupStatus: ({ collected, pickupStatus }) => collected ?? pickupStatus ?? "",
}

export const LISTED_COLUMNS: Column<Listed>[] = [
  ...shipmentColumns.map((column): Column<Listed> => {
    const show = SHOWN[column.key]
    return show ? { ...column, show } : column
  }),
  { key: "freight.reference", title: "REFERENCE", rank: 1 },
  {
    key: "freight.price",
    title: "PRICE",
    rank: 4,
    align: "right",
    isMoney: true,
    show: ({ freight }) => (freight?.price == null ? "" : formatMoney(freight.price, freight.currency ?? "")),
  },
  { key: "freight.currency", title: "CURRENCY", hidden: true },
  { key: "freight.key", title: "KEY", rank: 12 },
  ...OWN_FIELDS.map(({ path, beside }) => ({
    key: `freight.own.${path}`,
    title: beside.title.toUpperCase(),
    hidden: true as const,
    value: ({ freight }: Listed) => freight?.own?.[path] ?? null,
  })),
]

/** Flags of the list. With one of them all of it is read. */
export const SHIPMENT_FILTERS = {
  status: {
    takes: "<status>",
    about: "only with this status, as the list shows it; case does not count",
    read: nonEmpty,
  },
  reference: {
    takes: "<reference>",
    about: "only of this order, as far as this ledger knows it: booked with it, or found elsewhere",
    read: nonEmpty,
  },
  since: { takes: "<when>", about: `only booked since then: ${PAST}` },
} as const satisfies Flags

interface ListOptions extends OptionsOf<typeof SHIPMENT_FILTERS> {
  limit?: number
  offset?: number
  all?: boolean
}

/** Prints a page of the shipments, all of them, or those that match every filter. GET /shipments. */
export async function listShipments(
  deps: Deps,
  { all, limit, offset, ...filters }: ListOptions,
): Promise<void> {
  const api = await deps.freight()
  const page = { ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) }
  if (Object.values(filters).some((value) => value !== undefined))
    return printMatching(deps, api, filters, page)
  if (all) return isWrittenOnce(deps.output) ? streamAll(deps, api) : printAll(deps, api)
  const reply = await api.listShipments(page)
  const { shipments, total } = reply
  const next = reply.offset + shipments.length
  await print(deps, {
    ...(await asListed(deps, shipments)),
    page: { total, nextOffset: next < total && shipments.length > 0 ? next : null },
    empty:
      total === 0
        ? "Nothing is booked yet."
        : `There are ${total} shipments, none from offset ${reply.offset} on.`,
  })
  if (deps.output.format === "table" && shipments.length > 0 && shipments.length < total)
    await deps.note(`${shipments.length} of ${total}; --all shows every one.`)
}

/** Prints the shipments that match all filters; `limit` and `offset` count among these. */
async function printMatching(
  deps: Deps,
  api: FreightApi,
  { status, reference, since }: OptionsOf<typeof SHIPMENT_FILTERS>,
  { limit, offset = 0 }: { limit?: number; offset?: number },
): Promise<void> {
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parsePast(since, "--since", deps.clock.now())
  const ids = reference === undefined ? undefined : await findOfOrder(deps, reference)
  const isWanted = (shipment: ShipmentSummary) =>
    (status === undefined || hasStatus([shipment.status ?? ""], status)) &&
    (ids === undefined || ids.has(shipment.id)) &&
    !(Date.parse(shipment.createdAt ?? "") < from)
  const found: ShipmentSummary[] = []
  const seen = new Set<string>()
  for await (const page of readBack(api, () => from)) {
    found.push(...page.filter(isWanted))
    for (const { status } of page) if (status) seen.add(status)
  }
  if (status !== undefined && found.length === 0 && seen.size > 0 && !hasStatus(seen, status))
    await deps.warn(`no shipment has the status ${quoted(status)}; they have: ${[...seen].sort().join(", ")}`)
  const shipments = found.slice(offset, limit === undefined ? undefined : offset + limit)
  const next = offset + shipments.length
  await print(deps, {
    ...(await asListed(deps, shipments)),
    page: { total: found.length, nextOffset: next < found.length && shipments.length > 0 ? next : null },
    empty: "No shipment matches.",
  })
}

function hasStatus(statuses: Iterable<string>, wanted: string): boolean {
  return [...statuses].some((status) => status.toLowerCase() === wanted.trim().toLowerCase())
}

/** The shipments of an order, however its number is spelled. */
async function findOfOrder(deps: Deps, reference: string): Promise<ReadonlySet<string>> {
  const { store, scopes } = await deps.readLedger()
  return findShipmentsOfOrder(store.database, scopes, reference)
}

/** Whether the first row can be written before the whole list is known. */
function isWrittenOnce({ format, fields = [] }: Output): boolean {
  const isAround = (field: string) => ["total", "nextOffset", "items"].includes(field.split(".")[0] ?? "")
  return (format === "ndjson" || format === "csv") && !fields.some(isAround)
}

/** Prints each page as it comes, so that the next program in a pipe need not wait for the last. */
async function streamAll(deps: Deps, api: FreightApi): Promise<void> {
  let isContinued = false
  for await (const rows of shipmentPages(api)) {
    await print(deps, { ...(await asListed(deps, rows)), isContinued })
    isContinued = true
  }
}

/** Programs get the API's own fields, in its order; people also see the ledger's data. */
async function asListed(
  deps: Deps,
  shipments: readonly ShipmentSummary[],
): Promise<{ rows: readonly Listed[]; items: NamedSummary[]; columns: readonly Column<Listed>[] }> {
  const isPlain = deps.output.format !== "table" && !deps.output.fields
  const rows = isPlain ? shipments : await withLedger(deps, shipments)
  return { rows, items: rows.map(nameShipment), columns: isPlain ? shipmentColumns : LISTED_COLUMNS }
}

async function withLedger(deps: Deps, shipments: readonly ShipmentSummary[]): Promise<Listed[]> {
  if (shipments.length === 0) return []
  const missing = "what the ledger knows of them is not shown"
  return readLedgerOrWarn<Listed[]>(deps, missing, [...shipments], (ledger) => addKnown(ledger, shipments))
}

async function addKnown(
  { store, scopes }: Awaited<ReturnType<(Ledgers & Session)["readLedger"]>>,
  shipments: readonly ShipmentSummary[],
): Promise<Listed[]> {
  const listed: Listed[] = []
  const open = shipments.filter(({ pickupStatus }) => pickupStatus === "NOT_BOOKED").map(({ id }) => id)
  const collected = await findCollected(store.database, scopes, open)
  for (const shipment of shipments) {
    const entry = await store.ofShipment(undefined, shipment.id)
    const { reference, priceCents, currency, about } = entry?.facts ?? {}
    listed.push({
      ...shipment,
      ...(entry && {
        freight: {
          reference: reference ?? null,
          price: priceCents === undefined ? null : amountOf(priceCents),
          currency: currency ?? null,
          key: keyText(entry) || null,
          own: entry.facts.own ? readOwn(entry.facts.own) : null,
        },
      }),
      ...(about !== undefined && { receiver: withoutPackages(about) }),
      ...(collected.has(shipment.id) && {
        collected: statePickup(await store.pickupOf(scopes, shipment.id)),
      }),
    })
  }
  return listed
}

/** Prints all pages as one, in the shape of a page, in constant memory. */
async function printAll(deps: Deps, api: FreightApi): Promise<void> {
  const spool = createSpool<Listed>(path.join(deps.stateDir, UNFINISHED), deps.signal)
  try {
    const { columns } = await asListed(deps, [])
    for await (const shipments of shipmentPages(api)) {
      await spool.add((await asListed(deps, shipments)).rows)
    }
    await printPages(deps, {
      pages: spool.pages,
      columns,
      toItem: nameShipment,
      empty: "Nothing is booked yet.",
    })
  } finally {
    await spool.close()
  }
}

/** The state of a pickup that collects a shipment with others, in the API's words. */
export function statePickup(entry: Entry | undefined): string {
  return entry?.state === "done" ? "BOOKED" : "UNKNOWN"
}
