/**
 * Shipments booked elsewhere: the API lists them in the account, and the ledger did not know them when it looked. They
 * are kept as they were read and compared only when asked about, as the ledger may know them by then.
 */
import type {
  BookingAddress,
  ConsignmentBookingRequest,
  Items,
  ShipmentDetail,
} from "../contract/generated/types.ts"
import { formatPackage, itemsOf } from "../contract/index.ts"
import { counted } from "../base/counted.ts"
import { foldNumber, groupNumber } from "../base/order-number.ts"
import { sameJson } from "../base/json.ts"
import { hashTexts, listReceiver } from "./content.ts"
import { describeColumns } from "./database/columns.ts"
import type { Database, Statements, Transaction } from "./database/database.ts"
import { inParts, insertRows, placeholders, replacing, withinScopes } from "./database/sql.ts"
import { toEntry } from "./entry-rows.ts"
import type { Question } from "./decision.ts"
import { type Entry, keyText } from "./entry.ts"
import { isMadeWithin, isPossibleOutcome, same } from "./possible.ts"
import { type Comparison, compareOrder, isSecondKey } from "./order.ts"
import type { StandingOf } from "./standing.ts"

export interface ElsewhereRow {
  scope: string
  shipmentId: string
  /** As the API says it. */
  createdAt: string
  isCancelled: boolean
  /** The customer's reference, the same for all that may be one: see `groupNumber`. */
  normalizedNumber: string
  goodsHash: string
  detail: ShipmentDetail
}

interface KeptRow extends ElsewhereRow {
  /** By the ledger's clock, as when an entry was sent. ISO 8601 in UTC. */
  readAt: string
}

export const ELSEWHERE = describeColumns<KeptRow>({
  scope: "text not null",
  shipmentId: "text not null",
  createdAt: "text not null",
  isCancelled: "flag not null",
  normalizedNumber: "text not null",
  goodsHash: "text not null",
  detail: "json not null",
  readAt: "text not null",
})

export function toElsewhereRow(scope: string, detail: ShipmentDetail): ElsewhereRow {
  return {
    scope,
    shipmentId: detail.id,
    createdAt: detail.createdAt ?? "",
    isCancelled: detail.status === "CANCELLED",
    normalizedNumber: isUnclear(detail) ? UNCLEAR : groupNumber(detail.customerReference ?? ""),
    goodsHash: hashDayGoods(detail) ?? "",
    detail,
  }
}

/** Replaces the number of a shipment that cannot be told from others; no number looks like it. */
export const UNCLEAR = "not known"

/** Without a reference, goods, receiver and day identify it. */
function isUnclear(detail: ShipmentDetail): boolean {
  return !detail.customerReference && hashDayGoods(detail) === undefined
}

/** Writes the rows that were just read; existing ones are updated. */
export async function keepElsewhere(transaction: Transaction, rows: readonly ElsewhereRow[]): Promise<void> {
  const readAt = new Date(await transaction.now()).toISOString()
  // In one order: two desks that keep the same ones do not wait for each other.
  const written = rows
    .toSorted((a, b) => (a.shipmentId < b.shipmentId ? -1 : 1))
    .map((row) => ELSEWHERE.write({ ...row, readAt }))
  await insertRows(transaction, "elsewhere", written, UPDATING)
}

/** As long as an entry is open that was sent after a shipment was read, that it was there before is not forgotten. */
const UPDATING = `${replacing({ names: ELSEWHERE.names.filter((name) => name !== "read_at") }, "scope", "shipment_id")},
  read_at = case when exists (select 1 from sends where state = 'unknown' and kind = 'shipment'
    and sends.created_at > elsewhere.read_at) then elsewhere.read_at else excluded.read_at end`

/** Keeps shipments of an account as they were read now. @returns the ids of those that were not cancelled */
export async function keepReadShipments(
  { store, owner }: { store: { database: Database }; owner: { scope: string } },
  details: readonly ShipmentDetail[],
): Promise<string[]> {
  const rows = details.map((detail) => toElsewhereRow(owner.scope, detail))
  if (rows.length > 0) await store.database.transaction((transaction) => keepElsewhere(transaction, rows))
  return rows.flatMap(({ shipmentId, isCancelled }) => (isCancelled ? [] : [shipmentId]))
}

/** Selects shipments that were booked elsewhere; by all columns where none is given. */
interface Wanted {
  column?: "normalized_number" | "goods_hash" | "shipment_id"
  values?: readonly string[]
}

/** Uncancelled shipments that were booked elsewhere. @param scopes all that the ledger knows if none are given */
export async function findElsewhere(
  statements: Pick<Statements, "all">,
  scopes: readonly string[] | undefined,
  wanted: Wanted = {},
): Promise<Entry[]> {
  const strangers = await findStrangers(statements, scopes, [wanted])
  return strangers.filter(({ makers }) => makers.length === 0).map(({ entry }) => entry)
}

/** Ids of the shipments of an order, made by the ledger or elsewhere, however its number is spelled. */
export async function findShipmentsOfOrder(
  statements: Pick<Statements, "all">,
  scopes: readonly string[] | undefined,
  reference: string,
): Promise<Set<string>> {
  const number = groupNumber(reference)
  const own = await statements.all(
    `select * from sends where kind = 'shipment' and normalized_number = ? and ${withinScopes(scopes)}`,
    [number, ...(scopes ?? [])],
  )
  const others = await findElsewhere(statements, scopes, { column: "normalized_number", values: [number] })
  return new Set([...own.map(toEntry), ...others].flatMap(({ facts }) => facts.shipmentId ?? []))
}

/** A shipment that the ledger does not have, as an entry. */
export interface Stranger {
  entry: Entry
  /** Open entries of the account that may have made it: they are settled first. */
  makers: readonly Entry[]
}

/** As `findElsewhere`, with those that an open entry may have made: each once. */
export async function findStrangers(
  statements: Pick<Statements, "all">,
  scopes: readonly string[] | undefined,
  wanted: readonly Wanted[],
): Promise<Stranger[]> {
  if (scopes?.length === 0) return []
  const found = new Map<string, KeptRow>()
  for (const { column, values = [] } of wanted)
    for (const some of column === undefined ? [[]] : inParts([...new Set(values)])) {
      const isWanted = column === undefined ? "" : ` and ${column} in (${placeholders(some)})`
      const rows = await statements.all(
        `select * from elsewhere where ${withinScopes(scopes)}${isWanted} and is_cancelled = 0
          and not exists (select 1 from sends where sends.kind = 'shipment' and sends.shipment_id = elsewhere.shipment_id
            and ${withinScopes(scopes, "sends.scope")})`,
        [...(scopes ?? []), ...some, ...(scopes ?? [])],
      )
      for (const row of rows.map((each) => ELSEWHERE.read(each))) {
        const name = JSON.stringify([row.scope, row.shipmentId])
        if (!found.has(name)) found.set(name, row)
      }
    }
  if (found.size === 0) return []
  const open = (
    await statements.all(
      `select * from sends where state = 'unknown' and kind = 'shipment' and ${withinScopes(scopes)}`,
      [...(scopes ?? [])],
    )
  ).map(toEntry)
  return Array.from(found.values(), (row) => ({
    entry: toElsewhereEntry(row),
    makers: open.filter((entry) => mayHaveMade(entry, row)),
  }))
}

/** Whether an open entry may have made a shipment: not if the shipment was there before the entry was sent. */
function mayHaveMade(entry: Entry, { detail, readAt }: KeptRow): boolean {
  const sent = Date.parse(entry.sentAt)
  return (
    Date.parse(readAt) >= sent &&
    isMadeWithin(detail, { from: sent, to: sent }) &&
    isPossibleOutcome(detail, entry)
  )
}

/**
 * The first of these that no open entry has made: without a reference, each open entry has made one of them at most.
 */
export function findUnmade(strangers: readonly Stranger[]): Entry | undefined {
  const taken = new Set<Entry>()
  for (const { entry, makers } of strangers) {
    const maker = makers.find((each) => !taken.has(each))
    if (!maker) return entry
    if (entry.facts.reference === undefined) taken.add(maker)
  }
  return undefined
}

/** Shipments booked elsewhere that open entries may have made, cancelled or not, by the entry's id. */
export async function listPossibleOutcomes(
  statements: Pick<Statements, "all">,
  scope: string,
  open: readonly Entry[],
): Promise<Map<string, ShipmentDetail[]>> {
  const numberOf = ({ request }: Entry) =>
    groupNumber((request as ConsignmentBookingRequest).customerReference ?? "")
  const found: ShipmentDetail[] = []
  for (const some of inParts([...new Set(open.map(numberOf))])) {
    const rows = await statements.all(
      `select * from elsewhere where scope = ? and normalized_number in (${placeholders(some)})`,
      [scope, ...some],
    )
    found.push(...rows.map((row) => ELSEWHERE.read(row).detail))
  }
  return new Map(open.map((entry) => [entry.id, found.filter((detail) => isPossibleOutcome(detail, entry))]))
}

/** Lists the shipments last read before a time: they may have been cancelled since. @param before ISO 8601 */
export async function listReadBefore(
  statements: Pick<Statements, "all">,
  ids: readonly string[],
  before: string,
): Promise<string[]> {
  const found: string[] = []
  for (const some of inParts(ids)) {
    const rows = await statements.all(
      `select shipment_id from elsewhere where shipment_id in (${placeholders(some)}) and read_at < ?`,
      [...some, before],
    )
    found.push(...rows.map((row) => String(row.shipment_id)))
  }
  return found
}

/** The shipments among these that the ledger has itself, or knows as booked elsewhere and not cancelled. */
export async function findKnownShipments(
  statements: Pick<Statements, "all">,
  scopes: readonly string[],
  ids: readonly string[],
): Promise<{ own: Set<string>; elsewhere: Set<string> }> {
  const own = new Set<string>()
  for (const some of inParts(ids)) {
    const rows = await statements.all(
      `select shipment_id from sends where kind = 'shipment' and shipment_id in (${placeholders(some)})`,
      some,
    )
    for (const { shipment_id: id } of rows) own.add(String(id))
  }
  const found = await findElsewhere(statements, scopes, { column: "shipment_id", values: ids })
  return { own, elsewhere: new Set(found.flatMap(({ facts }) => facts.shipmentId ?? [])) }
}

/** Counts the uncancelled shipments that were booked elsewhere: in the portal, and with other programs or ledgers. */
export async function countElsewhere(
  statements: Pick<Statements, "all">,
  scopes: readonly string[] | undefined,
): Promise<{ portal: number; programs: number }> {
  const all = await findElsewhere(statements, scopes)
  const portal = all.filter(({ elsewhere }) => elsewhere === "PORTAL").length
  return { portal, programs: all.length - portal }
}

/** @param programs shipments that no ledger here has, and that were not booked in the portal */
export function describeStrangers(programs: number): string {
  return `${counted(programs, "shipment")} of this account ${programs === 1 ? "was" : "were"} booked with another program or another ledger of freight. If that is a colleague, use one ledger together: two that book in the same minute can both send an order (freight config set ledger ADDRESS, a postgres:// address).`
}

/** As an entry with the state `done`, so that code that compares and describes entries can use it. */
function toElsewhereEntry({ scope, detail, createdAt, normalizedNumber }: ElsewhereRow): Entry {
  const { id, carrier, orderNumber, consignmentNumber, pickupStatus, receiver, items, source } = detail
  const reference = detail.customerReference || undefined
  const names = { ...(orderNumber && { orderNumber }), ...(consignmentNumber && { consignmentNumber }) }
  const about = [
    items && counted(items.count, "package"),
    receiver && `to ${receiver.companyName}, ${receiver.suburb} ${receiver.state} ${receiver.postcode}`,
  ]
  const { payer: _, ...request } = detail
  return {
    id: `elsewhere/${id}`,
    scope,
    kind: "shipment",
    key: reference === undefined ? `content:elsewhere/${id}` : `key:${reference}`,
    keyGiven: false,
    account: "",
    content: `elsewhere/${id}`,
    attempt: 1,
    state: "done",
    sentAt: createdAt,
    sender: { workstation: describeSource(source), person: "" },
    elsewhere: source === "PORTAL" ? source : "API",
    ...(normalizedNumber === UNCLEAR && { isUnclear: true }),
    facts: {
      carrier,
      serviceCode: detail.serviceCode,
      about: about.filter(Boolean).join(" "),
      reference,
      shipmentId: id,
      ...names,
      ...(receiver && {
        receiverSuburb: receiver.suburb,
        receiverState: receiver.state,
        receiverPostcode: receiver.postcode,
      }),
      ...(items && { weightGrams: Math.round(items.totalWeightKg * 1000) }),
    },
    call: "",
    request,
    response: { shipmentId: id, ...names, ...(pickupStatus && { pickupStatus }) },
  }
}

function describeSource(source: ShipmentDetail["source"]): string {
  return source === "PORTAL" ? "the portal" : "another program or ledger"
}

type Goods = Partial<
  Pick<ConsignmentBookingRequest, "receiver" | "packages" | "items" | "collectionDateTime">
>

/** A hash of goods, receiver and day; undefined if one is unknown. */
export function hashDayGoods({ receiver, packages, items, collectionDateTime }: Goods): string | undefined {
  const sums = packages && packages.length > 0 ? itemsOf(packages) : items
  if (!receiver || !sums || !collectionDateTime) return undefined
  const sumTexts = Object.values(pickSums(sums)).map((sum) => sum.toFixed(3))
  return hashTexts([...listReceiver(receiver), ...sumTexts, collectionDateTime.slice(0, DAY)])
}

/** A hash of goods and receiver; undefined if the packages are unknown. */
export function hashGoods({ receiver, packages }: Goods): string | undefined {
  const goods = packages?.map(formatPackage).sort().join(" ")
  return receiver && goods ? hashTexts([goods, ...listReceiver(receiver)]) : undefined
}

/** `2026-11-23` */
const DAY = 10

/** The fields that identify a receiver: in the portal, people write the others as they like. */
function pickReceiver({ companyName, address1, suburb, state, postcode }: Partial<BookingAddress>) {
  return { companyName, address1, suburb, state, postcode }
}

/** The API gives no packages. */
function pickSums({ count, totalWeightKg }: Pick<Items, "count" | "totalWeightKg">) {
  return { count, totalWeightKg: Number(totalWeightKg.toFixed(3)) }
}

/** An order as far as it is known: the fields of its row take precedence over flags and defaults. */
export type ElsewhereQuestion = Pick<Question, "key" | "keyGiven" | "written" | "again"> & {
  request?: unknown
  facts?: Pick<Entry["facts"], "reference" | "own"> | undefined
}

/** The numbers by which an order is looked for elsewhere, as the table has them. */
export function listElsewhereNumbers(question: ElsewhereQuestion): string[] {
  return [...new Set(listNumbers(question).map(groupNumber))]
}

function listNumbers(question: ElsewhereQuestion): string[] {
  const { key, reference } = namesOf(question)
  // The second consignment of an order has the reference of the first.
  if (key !== "" && reference !== "" && isSecondKey(key, reference)) return []
  const numbers = [key, question.again && key !== reference ? "" : reference]
  return numbers.filter((number) => groupNumber(number) !== "")
}

function namesOf({ key, keyGiven, facts, request }: ElsewhereQuestion) {
  const { customerReference } = Object(request) as Partial<ConsignmentBookingRequest>
  return { key: keyGiven ? keyText({ key }) : "", reference: facts?.reference ?? customerReference ?? "" }
}

/**
 * Finds the entry that an order's number means. Of several it takes the one with the same content, otherwise the
 * newest.
 */
export function chooseElsewhere(entries: readonly Entry[], question: ElsewhereQuestion): Entry | undefined {
  const numbers = listNumbers(question).map(foldNumber)
  const named = entries
    .filter(({ facts }) => numbers.includes(foldNumber(facts.reference ?? "")))
    .sort((one, other) => (one.sentAt < other.sentAt ? 1 : -1))
  return named.find((entry) => compareElsewhere(entry, question).changed.length === 0) ?? named[0]
}

/**
 * The first of these that may be this order: it has the same goods, and one of the two numbers may be the other one
 * changed by a spreadsheet.
 */
export function findDoubtful(entries: readonly Entry[], question: ElsewhereQuestion): Entry | undefined {
  const numbers = listElsewhereNumbers(question)
  return entries.find(
    (entry) =>
      numbers.includes(groupNumber(entry.facts.reference ?? "")) &&
      compareElsewhere(entry, question).changed.length === 0,
  )
}

/** Compares an order with a shipment booked elsewhere under its number. */
export function compareStranger(
  entry: Entry,
  question: Pick<ElsewhereQuestion, "written" | "request">,
): StandingOf<"changed" | "elsewhere"> {
  const comparison = compareElsewhere(entry, question)
  return comparison.changed.length > 0
    ? { kind: "changed", entry, comparison }
    : { kind: "elsewhere", entry, ignored: comparison.ignored }
}

/** The first of these that cannot be told from this order, because too little of it can be read. */
export function findUnclear(entries: readonly Entry[], question: ElsewhereQuestion): Entry | undefined {
  return entries.find((entry) => entry.isUnclear && !isToldApart(entry, question))
}

/** Whether the readable fields of an unclear shipment prove that it is another order. */
function isToldApart(
  { request: booked }: Pick<Entry, "request">,
  { written, request }: Pick<ElsewhereQuestion, "written" | "request">,
): boolean {
  const detail = booked as Partial<ShipmentDetail>
  const order = { ...Object(request), ...written?.fields } as Goods
  const { items } = pickComparable(order) as { items?: ReturnType<typeof pickSums> }
  const known = detail.items && pickSums(detail.items)
  const differs = (one: string | null | undefined, other: string | undefined) =>
    Boolean(one && other && !same(one, other))
  return (
    differs(detail.receiver?.suburb ?? detail.toSuburb, order.receiver?.suburb) ||
    differs(detail.receiver?.postcode, order.receiver?.postcode) ||
    differs(detail.collectionDateTime?.slice(0, DAY), order.collectionDateTime?.slice(0, DAY)) ||
    (items !== undefined && known !== undefined && !sameJson(items, known))
  )
}

function compareElsewhere(
  { facts, request }: Pick<Entry, "request" | "facts">,
  { written, request: asked }: Pick<ElsewhereQuestion, "written" | "request">,
): Comparison {
  const booked = pickComparable(request as Goods)
  const order = pickComparable({ ...Object(asked), ...written?.fields } as Goods)
  // Fields that could not be read prove nothing.
  const fields = Object.fromEntries(Object.entries(order).filter(([name]) => name in booked))
  return compareOrder(
    { facts, request: booked },
    { fields, ...(written?.damaged && { damaged: written.damaged }) },
  )
}

function pickComparable({ receiver, packages, items, collectionDateTime }: Goods): Record<string, unknown> {
  const sums = packages && packages.length > 0 ? itemsOf(packages) : items
  return {
    ...(receiver && { receiver: pickReceiver(receiver) }),
    ...(sums && { items: pickSums(sums) }),
    ...(collectionDateTime && { collectionDateTime }),
  }
}
