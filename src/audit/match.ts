/** Finds what was booked for the names that bills give, in the ledger. */
import type {
  BookingResponse,
  ConsignmentBookingRequest,
  Items,
  Package,
} from "../contract/generated/types.ts"
import { totalsOf } from "../contract/packages.ts"
import type { Database } from "../ledger/database/database.ts"
import {
  type BookedEntry,
  findBookings,
  findBookingsLoosely,
  findCollected,
  NAME_COLUMNS,
  type NameColumn,
  PLAIN_COLUMNS,
  plainName,
} from "../ledger/records/bills.ts"
import type { BillName } from "./lines.ts"
import type { Booked, Subject } from "./judge.ts"
import type { Match, Names, Scratch } from "./scratch.ts"

/** What is kept of a consignment between reading and judging. */
export interface Known {
  booked?: Booked
  missing?: Subject["missing"]
  fits?: string
  hasPickup?: boolean
  collected?: Subject["collected"]
  /** Names for the API, of what the ledger does not know. */
  names?: readonly BillName[]
  /** The earliest day that the bills tell of it. */
  day?: string
  /** The bill gives a consignment number, which may be the first time that it is heard of. */
  isNumbered?: boolean
  isListed?: boolean
  /** A shipment of the list has one of its names to the letter. */
  isExact?: boolean
  /** Of what the API found: by which of its names, and where in the bill that stands. */
  foundBy?: string
  foundIn?: string
  serviceName?: string
  /** When it was booked by the API's clock, as its events have it; the ledger's clock may be another. */
  createdAt?: string
}

export const FOUND_BY: Readonly<Record<NameColumn, string>> = {
  consignment_number: "consignment number",
  order_number: "order number",
  reference: "reference",
  shipment_id: "shipment id",
}

export async function matchLedger(
  scratch: Scratch,
  database: Database,
  scopes: readonly string[] | undefined,
): Promise<void> {
  for (const page of scratch.names()) {
    const found = await findInLedger(database, scopes, page)
    const matches: Match[] = []
    const subjects = new Map<string, Found["subject"]>()
    for (const each of page) {
      const { match, subject } = found.get(each.key) ?? createUnmatched(each)
      matches.push(match)
      subjects.set(match.subject, subject)
    }
    scratch.putMatches(matches)
    scratch.putSubjects([...subjects].map(([subject, rest]) => ({ subject, ...rest })))
    scratch.putOpenNames(
      [...subjects].flatMap(([subject, { known }]) =>
        (known.names ?? []).map(({ text }) => ({ name: plainName(text), subject })),
      ),
    )
  }
}

interface Found {
  match: Match
  subject: { consignment: string; shipmentId: string | undefined; known: Known }
}

async function findInLedger(
  database: Database,
  scopes: readonly string[] | undefined,
  page: readonly Names[],
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  let open = page.filter(({ names }) => names.length > 0)
  let loosely: BookedEntry[] | undefined
  for (const [column, spelling] of LOOKUPS) {
    const { spelled, spell, plain } = spelling
    const values = [...new Set(open.flatMap(({ names }) => names.flatMap(({ text }) => spell(text))))]
    if (values.length === 0) continue
    // What is open later was open at the first of these.
    if (spelling === PLAIN) loosely ??= await findBookingsLoosely(database, scopes, values)
    const entries =
      spelling === PLAIN ? (loosely ?? []) : await findBookings(database, scopes, column, values)
    const byValue = groupByColumn(entries, column, plain)
    for (const each of open) {
      const hit = each.names
        .flatMap((name) => spell(name.text).map((text) => ({ name, entries: byValue.get(text) ?? [] })))
        .find(({ entries }) => entries.length > 0)
      if (!hit) continue
      const same =
        column === "consignment_number" ? hit.entries : hit.entries.filter((entry) => mayBeSame(entry, each))
      found.set(
        each.key,
        toFound(each, hit.name, same.length > 0 ? same : hit.entries, FOUND_BY[column] + spelled),
      )
    }
    open = open.filter(({ key }) => !found.has(key))
  }
  const ids = [...found.values()].flatMap(({ subject }) => subject.shipmentId ?? [])
  const collected = await findCollected(database, scopes, ids)
  for (const { subject } of found.values())
    if (subject.shipmentId !== undefined && collected.has(subject.shipmentId)) subject.known.hasPickup = true
  return found
}

interface Spelling {
  spelled: string
  spell(text: string): string[]
  /** What the ledger's own name is compared as. */
  plain(name: string): string
}

const AS_WRITTEN: Spelling = {
  spelled: "",
  spell: (text) => [...new Set([text, text.toUpperCase()])],
  plain: (name) => name,
}
/** With other blanks and hyphens, and in other case. */
const PLAIN: Spelling = {
  spelled: "",
  spell: (text) => [plainName(text)],
  plain: plainName,
}
/** As spreadsheets may have found it. */
const WITH_ZEROS: Spelling = {
  ...AS_WRITTEN,
  spelled: ", its leading zeros restored",
  spell: (text) => (/^\d+$/.test(text) ? ["0", "00", "000"].map((zeros) => zeros + text) : []),
}

const COLUMNS = Object.keys(NAME_COLUMNS) as NameColumn[]

/** A consignment number in any spelling counts before other names. */
const LOOKUPS: readonly (readonly [NameColumn, Spelling])[] = [
  ...COLUMNS.flatMap((column) => [
    [column, AS_WRITTEN] as const,
    ...PLAIN_COLUMNS.flatMap((each) => (each === column ? [[column, PLAIN] as const] : [])),
  ]),
  ...COLUMNS.map((column) => [column, WITH_ZEROS] as const),
]

function groupByColumn(
  entries: readonly BookedEntry[],
  column: NameColumn,
  plain: Spelling["plain"],
): Map<string, BookedEntry[]> {
  const groups = new Map<string, BookedEntry[]>()
  for (const entry of entries) {
    const value = plain(String(entry[NAME_COLUMNS[column]]))
    groups.set(value, [...(groups.get(value) ?? []), entry])
  }
  return groups
}

/** The bookings of these shipments, for what only the API knew by its name. */
export async function findByShipment(
  database: Database,
  scopes: readonly string[] | undefined,
  shipmentIds: readonly string[],
): Promise<Map<string, Pick<Known, "booked" | "hasPickup">>> {
  const entries = await findBookings(database, scopes, "shipment_id", shipmentIds)
  const collected = await findCollected(database, scopes, shipmentIds)
  return new Map(
    entries.map((entry) => {
      const { shipmentId = "" } = entry
      const hasPickup = collected.has(shipmentId) && { hasPickup: true }
      return [shipmentId, { booked: toBooked(entry), ...detectPickup(entry), ...hasPickup }]
    }),
  )
}

function toFound(
  { key, names, day }: Names,
  name: BillName,
  entries: readonly BookedEntry[],
  foundBy: string,
): Found {
  // What exists counts before what may exist.
  const done = entries.filter(({ isOpen }) => !isOpen)
  const [entry, ...others] = done.length > 0 ? done : entries
  if (!entry) throw new RangeError("no entry")
  const found = (subject: string, consignment: string, known: Known, shipmentId?: string): Found => ({
    match: { key, subject, foundBy, foundIn: name.field },
    subject: { consignment, shipmentId, known },
  })
  if (others.length > 0) {
    const fits = [entry, ...others].map(
      ({ consignmentNumber, orderNumber, about = "" }) => consignmentNumber ?? orderNumber ?? about,
    )
    return found(`several ${plainName(name.text)}`, name.text, { missing: "several", fits: fits.join(", ") })
  }
  const booked = toBooked(entry)
  const number = findConsignmentNumber(names)
  if (!mayBeSame(entry, { names }) && foundBy !== FOUND_BY.consignment_number)
    return found(`other ${number}`, number, { missing: "other", fits: booked.consignment })
  const known = { booked, day, ...(number !== "" && { isNumbered: true }), ...detectPickup(entry) }
  const consignment = booked.consignment || number || name.text
  return found(`booked ${entry.id}`, consignment, known, booked.shipmentId || undefined)
}

/** The fields of a bill that hold a consignment number and nothing else. */
export function isNumberField(field: string): boolean {
  return field === "serialNumbers" || /con(?:signment|\s?note|\b)|tracking|waybill/i.test(field)
}

/** The consignment number that the bill gives; empty where it gives none. */
function findConsignmentNumber(names: readonly BillName[]): string {
  return names.find(({ field }) => isNumberField(field))?.text ?? ""
}

/** Whether what was found by an order number or a reference has the number of the bill, as far as both are known. */
function mayBeSame({ consignmentNumber }: BookedEntry, { names }: Pick<Names, "names">): boolean {
  const number = findConsignmentNumber(names)
  return (
    number === "" || consignmentNumber === undefined || plainName(number) === plainName(consignmentNumber)
  )
}

function createUnmatched({ key, names, damaged, day }: Names): Found {
  const name = findLikeliestName(names)
  const consignment = name?.text ?? damaged ?? ""
  const missing = name ? "unasked" : damaged === undefined ? "nameless" : "damaged"
  return {
    match: {
      key,
      subject: name ? `unknown ${plainName(name.text)}` : `unknown ${key}`,
      foundBy: "",
      foundIn: name?.field ?? "",
    },
    subject: { consignment, shipmentId: undefined, known: { missing, ...(name && { names, day }) } },
  }
}

/** A column's or a field's own number comes before words of a text; of those the one with the most digits. */
function findLikeliestName(names: readonly BillName[]): BillName | undefined {
  const digits = ({ text }: BillName) => text.replace(/\D/g, "").length
  const isOwn = ({ field }: BillName) => !/^(?:description|comments|supplierItemId|batchId)$/.test(field)
  return (
    names.find(({ field }) => isNumberField(field)) ??
    names.find(isOwn) ??
    names.toSorted((a, b) => digits(b) - digits(a))[0]
  )
}

/** What volume weighs: 250 kg a cubic metre, as road freight is reckoned in Australia. */
const GRAMS_PER_M3 = 250_000

function toBooked({ sentAt, request, isOpen, ...facts }: BookedEntry): Booked {
  const { payer, packages, items, dangerousGoods } = Object(request) as Partial<ConsignmentBookingRequest>
  const { priceCents, gstBasis = "unknown", currency = "AUD" } = facts
  return {
    from: "ledger",
    shipmentId: facts.shipmentId ?? "",
    consignment: facts.consignmentNumber ?? "",
    order: facts.orderNumber ?? "",
    reference: facts.reference ?? "",
    carrier: facts.carrier ?? "",
    service: facts.serviceCode ?? "",
    bookedAt: sentAt,
    ...(isOpen && { isOpen }),
    ...(priceCents !== undefined && { quote: { cents: priceCents, basis: gstBasis, currency } }),
    ...(facts.weightGrams !== undefined && { grams: facts.weightGrams }),
    ...toCubicGrams(packages, items),
    ...(payer && { payer: payer.type }),
    ...(dangerousGoods === true && { dangerousGoods }),
  }
}

export function toCubicGrams(
  packages: readonly Package[] | undefined,
  items: Items | undefined,
): { cubicGrams?: number } {
  if (packages?.length) return { cubicGrams: Math.round(totalsOf(packages).volumeM3 * GRAMS_PER_M3) }
  if (!items) return {}
  const { count, maxLengthCm, maxWidthCm, maxHeightCm } = items
  return { cubicGrams: Math.round(((count * maxLengthCm * maxWidthCm * maxHeightCm) / 1e6) * GRAMS_PER_M3) }
}

/** Whether the booking itself brought a pickup. */
function detectPickup({ request, response }: BookedEntry): { hasPickup?: boolean } {
  const { pickupBookingNumber } = Object(request) as Partial<ConsignmentBookingRequest>
  const { pickupStatus } = Object(response) as Partial<BookingResponse>
  return pickupBookingNumber || pickupStatus === "BOOKED" || pickupStatus === "RECONCILE_NEEDED"
    ? { hasPickup: true }
    : {}
}
