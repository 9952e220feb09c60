/** Looks up the names on bills in the ledger. */
import { groupBy } from "../../base/grouping.ts"
import {
  type BookedEntry,
  type Database,
  findBookings,
  findBookingsByBarcode,
  findBookingsLoosely,
  findCollected,
  inParts,
  NAME_COLUMNS,
  PLAIN_COLUMNS,
  plainName,
} from "../../ledger/index.ts"
import type { BillName, NamedLines } from "../bill.ts"
import { type Booking, fromLedger } from "./booking.ts"
import {
  FOUND_BY,
  FOUND_BY_BARCODE,
  type LedgerHit,
  type LedgerHits,
  type Links,
  listStripped,
  mayBeSame,
} from "./match.ts"

export type Scopes = readonly string[] | undefined

export async function findInLedger(
  named: readonly NamedLines[],
  database: Database,
  scopes: Scopes,
  links: Links = new Map(),
): Promise<LedgerHits> {
  const hits = new Map<NamedLines, LedgerHit>()
  const written = new Map<NamedLines, NamedLines>()
  const asked = named.map((lines) => {
    const link = links.get(lines)
    if (!link) return lines
    const linked = { ...lines, names: [link] }
    written.set(linked, lines)
    return linked
  })
  for (const page of inParts(asked.filter(({ names }) => names.length > 0))) {
    const found = new Map<NamedLines, Found>()
    await addMatches(database, scopes, page, ({ names }) => names, found)
    // A number exactly as booked counts before one with other text around it.
    await addMatches(database, scopes, page, ({ names }) => listStripped(names), found, true)
    const all = Array.from(found.values(), ({ entries }) => entries).flat()
    const bookings = new Map(
      (await toBookings(database, scopes, all)).map((booking, at) => [all[at], booking] as const),
    )
    for (const [lines, { entries, ...hit }] of found)
      hits.set(written.get(lines) ?? lines, {
        ...hit,
        candidates: entries.map((each) => toCandidate(each, bookings)),
      })
  }
  return hits
}

/** The bookings of these shipments, by ID, for shipments that only the API knew by name. */
export async function findByShipment(
  database: Database,
  scopes: Scopes,
  shipmentIds: readonly string[],
): Promise<Map<string, Booking>> {
  const entries = await findBookings(database, scopes, "shipment_id", shipmentIds)
  const bookings = await toBookings(database, scopes, entries)
  return new Map(bookings.map((booking) => [booking.shipmentId, booking]))
}

async function toBookings(
  database: Database,
  scopes: Scopes,
  entries: readonly BookedEntry[],
): Promise<Booking[]> {
  const ids = entries.flatMap(({ shipmentId }) => shipmentId || [])
  const collected = await findCollected(database, scopes, ids)
  return entries.map((entry) => {
    const booking = fromLedger(entry)
    return collected.has(booking.shipmentId) ? { ...booking, hasPickup: true } : booking
  })
}

function toCandidate(
  entry: BookedEntry,
  bookings: ReadonlyMap<BookedEntry | undefined, Booking>,
): LedgerHit["candidates"][number] {
  const { id, consignmentNumber, orderNumber, about = "" } = entry
  const booking = bookings.get(entry) ?? fromLedger(entry)
  return { id, label: consignmentNumber ?? orderNumber ?? about, booking }
}

type Found = Omit<LedgerHit, "candidates"> & { entries: readonly BookedEntry[] }

/** Looks up bookings by all spellings of some names, and adds the hits. */
async function addMatches(
  database: Database,
  scopes: Scopes,
  lines: readonly NamedLines[],
  namesOf: (lines: NamedLines) => readonly BillName[],
  found: Map<NamedLines, Found>,
  isWithin = false,
): Promise<void> {
  let open = lines.filter((each) => !found.has(each)).map((each) => ({ each, names: namesOf(each) }))
  let loosely: BookedEntry[] | undefined
  for (const [column, spelling] of LOOKUPS) {
    const { spelled, spell, plain } = spelling
    const values = [...new Set(open.flatMap(({ names }) => names.flatMap(({ text }) => spell(text))))]
    if (values.length === 0) continue
    // Lines that are unmatched later were unmatched here too, so one read covers all look-ups.
    if (spelling === PLAIN) loosely ??= await findBookingsLoosely(database, scopes, values)
    const entries =
      spelling === PLAIN ? (loosely ?? []) : await findBookings(database, scopes, column, values)
    const byValue = groupBy(entries, (entry) => plain(String(entry[NAME_COLUMNS[column]])))
    for (const { each, names } of open) {
      const hits = names
        .flatMap((name) => spell(name.text).map((text) => ({ name, entries: byValue.get(text) ?? [] })))
        .filter((hit) => hit.entries.length > 0)
      const [hit] = hits
      if (!hit) continue
      // Two numbers in one cell are ambiguous.
      const all = isWithin ? listDistinct(hits.flatMap((one) => one.entries)) : hit.entries
      const isByNumber = column === "consignment_number"
      const same = isByNumber
        ? all
        : all.filter(({ consignmentNumber }) => mayBeSame(consignmentNumber, each.names))
      found.set(each, {
        ...{ name: hit.name, foundBy: FOUND_BY[column] + spelled, isByNumber },
        entries: same.length > 0 ? same : all,
      })
    }
    open = open.filter(({ each }) => !found.has(each))
  }
  await lookUpBarcodes(database, scopes, open, found)
}

/** Depots and bills quote the barcodes of items: each is a name of its consignment. */
async function lookUpBarcodes(
  database: Database,
  scopes: Scopes,
  open: readonly { each: NamedLines; names: readonly BillName[] }[],
  found: Map<NamedLines, Found>,
): Promise<void> {
  const values = [
    ...new Set(open.flatMap(({ names }) => names.flatMap(({ text }) => AS_WRITTEN.spell(text)))),
  ]
  if (values.length === 0) return
  const byBarcode = await findBookingsByBarcode(database, scopes, values)
  for (const { each, names } of open) {
    const hits = names.flatMap((name) =>
      AS_WRITTEN.spell(name.text).map((text) => ({ name, entries: byBarcode.get(text) ?? [] })),
    )
    const hit = hits.find(({ entries }) => entries.length > 0)
    if (!hit) continue
    const entries = listDistinct(hits.flatMap((one) => one.entries))
    found.set(each, { name: hit.name, foundBy: FOUND_BY_BARCODE, isByNumber: true, entries })
  }
}

function listDistinct(entries: readonly BookedEntry[]): BookedEntry[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()]
}

interface Spelling {
  spelled: string
  spell(text: string): string[]
  /** The form in which the ledger's own name is compared. */
  plain(name: string): string
}

const AS_WRITTEN: Spelling = {
  spelled: "",
  spell: (text) => [...new Set([text, text.toUpperCase()])],
  plain: (name) => name,
}
/** Ignores blanks, hyphens and case. */
const PLAIN: Spelling = {
  spelled: "",
  spell: (text) => [plainName(text)],
  plain: plainName,
}
/** As a spreadsheet may have changed it. */
const WITH_ZEROS: Spelling = {
  ...AS_WRITTEN,
  spelled: ", its leading zeros restored",
  spell: (text) => (/^\d+$/.test(text) ? ["0", "00", "000"].map((zeros) => zeros + text) : []),
}

const COLUMNS = Object.keys(NAME_COLUMNS) as (keyof typeof NAME_COLUMNS)[]

/** A consignment number in any spelling counts before other names. */
const LOOKUPS: readonly (readonly [(typeof COLUMNS)[number], Spelling])[] = [
  ...COLUMNS.flatMap((column) => [
    [column, AS_WRITTEN] as const,
    ...PLAIN_COLUMNS.flatMap((each) => (each === column ? [[column, PLAIN] as const] : [])),
  ]),
  ...COLUMNS.map((column) => [column, WITH_ZEROS] as const),
]
