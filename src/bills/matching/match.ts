/** Finds what was booked for the names that bills give, in the ledger. */
import { groupBy } from "../../contract/grouping.ts"
import type { Database } from "../../ledger/database/database.ts"
import { inParts, PAGE } from "../../ledger/database/rows.ts"
import {
  type BookedEntry,
  findBookings,
  findBookingsLoosely,
  findCollected,
  NAME_COLUMNS,
  type NameColumn,
  PLAIN_COLUMNS,
  plainName,
} from "../../ledger/records/bills.ts"
import type { BillName, NamedLines } from "../bill.ts"
import { type Booking, fromLedger } from "./booking.ts"
import { isSameNumber, stripName } from "../names.ts"

/** What bills charge for, and what is known of it: a consignment, or charges of which none can be found. */
export interface Consignment {
  /** Unlike that of other consignments. */
  key: string
  /** Its number as it was booked, or as the bill has it; empty where the bill names none. */
  number: string
  shipmentId?: string
  named: NamedLines[]
  /** By which of its names it was found; empty where it was not. */
  foundBy: string
  /** In which fields or columns of the bill that name stands. */
  foundIn: string[]
  booked?: Booking
  /** Where nothing is booked: why it is not known. `unlike`: its number is of another form than all that are known. */
  missing?: "unknown" | "unlike" | "unasked" | "nameless" | "damaged" | "several" | "other"
  /** The bookings that it fits, or seems to, for people. */
  fits?: string
  /** The bill gives a consignment number, which the ledger may not have heard of yet. */
  isNumbered?: boolean
  /** It was found in the API's list. */
  isListed?: boolean
  /** A shipment of the list has one of its names to the letter. */
  isExact?: boolean
  /** Whether anything was scanned; absent while nobody has asked. */
  collected?: "yes" | "no" | "unasked"
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

type Scopes = readonly string[] | undefined

/** The consignments of bills, with their bookings where the ledger knows them. */
export async function matchLedger(
  named: readonly NamedLines[],
  database: Database,
  scopes: Scopes,
): Promise<Consignment[]> {
  const consignments = new Map<string, Consignment>()
  for (const page of inParts(named, PAGE)) {
    const matches = await findInLedger(database, scopes, page)
    for (const lines of page) {
      const one = matches.get(lines) ?? createUnmatched(lines)
      const same = consignments.get(one.key)
      if (same) addLines(same, one)
      else consignments.set(one.key, one)
    }
  }
  return [...consignments.values()]
}

/** Adds the charges of one that turned out to be the same. */
export function addLines(to: Consignment, from: Consignment): void {
  to.named.push(...from.named)
  to.foundIn = [...new Set([...to.foundIn, ...from.foundIn])]
  if (from.isNumbered && !to.isNumbered) Object.assign(to, { number: from.number, isNumbered: true })
}

async function findInLedger(
  database: Database,
  scopes: Scopes,
  page: readonly NamedLines[],
): Promise<Map<NamedLines, Consignment>> {
  const found = new Map<NamedLines, Consignment>()
  const named = page.filter(({ names }) => names.length > 0)
  await lookUp(database, scopes, named, ({ names }) => names, found)
  // A number as it was booked counts before one with something around it.
  await lookUp(database, scopes, named, listStripped, found)
  await notePickups(
    database,
    scopes,
    [...found.values()].flatMap(({ booked }) => booked ?? []),
  )
  return found
}

/** The names without what stands around them. */
export function listStripped({ names }: Pick<NamedLines, "names">): BillName[] {
  return names.flatMap((name) => stripName(name.text).map((text) => ({ ...name, text })))
}

/** Looks bookings up by all spellings of some names, and adds what is found. */
async function lookUp(
  database: Database,
  scopes: Scopes,
  lines: readonly NamedLines[],
  namesOf: (lines: NamedLines) => readonly BillName[],
  found: Map<NamedLines, Consignment>,
): Promise<void> {
  let open = lines.filter((each) => !found.has(each))
  let loosely: BookedEntry[] | undefined
  for (const [column, spelling] of LOOKUPS) {
    const { spelled, spell, plain } = spelling
    const values = [...new Set(open.flatMap((each) => namesOf(each).flatMap(({ text }) => spell(text))))]
    if (values.length === 0) continue
    // What is open later was open at the first of these.
    if (spelling === PLAIN) loosely ??= await findBookingsLoosely(database, scopes, values)
    const entries =
      spelling === PLAIN ? (loosely ?? []) : await findBookings(database, scopes, column, values)
    const byValue = groupBy(entries, (entry) => plain(String(entry[NAME_COLUMNS[column]])))
    for (const each of open) {
      const hits = namesOf(each)
        .flatMap((name) => spell(name.text).map((text) => ({ name, entries: byValue.get(text) ?? [] })))
        .filter(({ entries }) => entries.length > 0)
      const [hit] = hits
      if (!hit) continue
      // Of a cell with two numbers in it nobody knows which is meant.
      const entries =
        namesOf === listStripped ? listDistinct(hits.flatMap((one) => one.entries)) : hit.entries
      const isByNumber = column === "consignment_number"
      const same = isByNumber ? entries : entries.filter((entry) => mayBeSame(entry, each))
      const foundBy = FOUND_BY[column] + spelled
      found.set(
        each,
        createMatched(each, hit.name, same.length > 0 ? same : entries, { foundBy, isByNumber }),
      )
    }
    open = open.filter((each) => !found.has(each))
  }
}

function listDistinct(entries: readonly BookedEntry[]): BookedEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
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

async function notePickups(database: Database, scopes: Scopes, bookings: readonly Booking[]): Promise<void> {
  const ids = bookings.map(({ shipmentId }) => shipmentId).filter((id) => id !== "")
  const collected = await findCollected(database, scopes, ids)
  for (const booking of bookings) if (collected.has(booking.shipmentId)) booking.hasPickup = true
}

/** The bookings of these shipments, for what only the API knew by its name. */
export async function findByShipment(
  database: Database,
  scopes: Scopes,
  shipmentIds: readonly string[],
): Promise<Map<string, Booking>> {
  const bookings = (await findBookings(database, scopes, "shipment_id", shipmentIds)).map(fromLedger)
  await notePickups(database, scopes, bookings)
  return new Map(bookings.map((booking) => [booking.shipmentId, booking]))
}

function createMatched(
  lines: NamedLines,
  name: BillName,
  entries: readonly BookedEntry[],
  { foundBy, isByNumber }: { foundBy: string; isByNumber: boolean },
): Consignment {
  // What exists counts before what may exist.
  const done = entries.filter(({ isOpen }) => !isOpen)
  const [entry, ...others] = done.length > 0 ? done : entries
  if (!entry) throw new RangeError("no entry")
  const common = { named: [lines], foundBy, foundIn: [name.field] }
  if (others.length > 0) {
    const fits = [entry, ...others].map(
      ({ consignmentNumber, orderNumber, about = "" }) => consignmentNumber ?? orderNumber ?? about,
    )
    const key = `several ${plainName(name.text)}`
    return { ...common, key, number: name.text, missing: "several", fits: fits.join(", ") }
  }
  const booked = fromLedger(entry)
  const number = findConsignmentNumber(lines.names)
  if (!isByNumber && !mayBeSame(entry, lines))
    return { ...common, key: `other ${number}`, number, missing: "other", fits: booked.consignment }
  return {
    ...common,
    key: `booked ${entry.id}`,
    number: booked.consignment || number || name.text,
    booked,
    ...(booked.shipmentId !== "" && { shipmentId: booked.shipmentId }),
    ...(number !== "" && { isNumbered: true }),
  }
}

/** Whether a name stands where a bill has consignment numbers and nothing else. */
export function isNumberName({ field, isNumber }: BillName): boolean {
  return isNumber ?? (field === "serialNumbers" || /con(?:signment|\s?note|\b)|tracking|waybill/i.test(field))
}

/** The consignment number that the bill gives; empty where it gives none. */
function findConsignmentNumber(names: readonly BillName[]): string {
  return names.find(isNumberName)?.text ?? ""
}

/** Whether what was found by an order number or a reference has the number of the bill, as far as both are known. */
function mayBeSame({ consignmentNumber }: BookedEntry, { names }: NamedLines): boolean {
  const number = findConsignmentNumber(names)
  return number === "" || consignmentNumber === undefined || isSameNumber(number, consignmentNumber)
}

function createUnmatched(lines: NamedLines): Consignment {
  const { key, names, damaged } = lines
  const name = findLikeliestName(names)
  return {
    key: `unknown ${name ? plainName(name.text) : key}`,
    number: name?.text ?? damaged ?? "",
    named: [lines],
    foundBy: "",
    foundIn: [name?.field ?? ""],
    missing: name ? "unasked" : damaged === undefined ? "nameless" : "damaged",
  }
}

/** A column's or a field's own number comes before words of a text; of those the one with the most digits. */
function findLikeliestName(names: readonly BillName[]): BillName | undefined {
  const digits = ({ text }: BillName) => text.replace(/\D/g, "").length
  const isOwn = ({ field }: BillName) => !/^(?:description|comments|supplierItemId|batchId)$/.test(field)
  return names.find(isNumberName) ?? names.find(isOwn) ?? names.toSorted((a, b) => digits(b) - digits(a))[0]
}
