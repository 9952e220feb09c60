/**
 * Matches the names on bills with bookings, by the data of ledger and API: pure steps from bill lines to consignments.
 * A number exactly as booked counts before one with other text around it; two matches are `several`.
 */
import type { ShipmentDetail, ShipmentSummary } from "../../contract/generated/types.ts"
import { groupBy } from "../../base/grouping.ts"
import { BOOKING_EVENTS_MS, plainName } from "../../ledger/index.ts"
import type { Bill, BillName, NamedLines } from "../bill.ts"
import { isSameNumber, isShortened, shapeOf, stripName } from "../names.ts"
import { type Booking, fromList, withDetail } from "./booking.ts"

/** A consignment on bills and what is known of it, or charges for which no consignment is found. */
export interface Consignment {
  /** Unique among the consignments. */
  readonly key: string
  /** The number as booked, or as on the bill; empty if the bill names none. */
  readonly number: string
  readonly named: readonly NamedLines[]
  /** The name by which it was found; empty if it was not. */
  readonly foundBy: string
  /** The fields or columns of the bill with that name. */
  readonly foundIn: readonly string[]
  /** The bill gives a consignment number, which the ledger may not have yet. */
  readonly isNumbered: boolean
  readonly match: Match
}

export type Match = Booked | Unmatched

export interface Booked {
  readonly is: "booked"
  readonly booking: Booking
  /** Whether anything was scanned; absent until it was looked up. */
  readonly collected?: "yes" | "no" | "unasked"
  readonly serviceName?: string
  /** Booking time by the API's clock, like that of its events; the ledger's clock may differ. */
  readonly createdAt?: string
}

export type Unmatched =
  /** The matching bookings, for people. */
  | { readonly is: "several"; readonly fits: string }
  /** The booking that another of its names belongs to. */
  | { readonly is: "other"; readonly fits: string }
  /** `unasked`: only the ledger was asked. `unlike`: its number has another form than all known ones. */
  | { readonly is: "unknown" | "unlike" | "unasked" | "nameless" | "damaged" }

/** The data of ledger and API about the names on bills. Absent parts were not requested. */
export interface Evidence {
  readonly ledger: LedgerHits
  /** People's links for some lines: they count before everything on the bill. */
  readonly links?: Links
  readonly listed?: Listed
  /** Shipments whose reference, which only the details have, is a name on the bills. */
  readonly referred?: readonly KnownShipment<ShipmentDetail>[]
  readonly details?: ReadonlyMap<string, ShipmentDetail>
  readonly scans?: Scans
}

/** The bookings that match a name of some lines. */
export interface LedgerHit {
  readonly name: BillName
  readonly foundBy: string
  /** The name belongs to consignments; it is not an order number or a reference. */
  readonly isByNumber: boolean
  readonly candidates: readonly Candidate[]
}

interface Candidate {
  readonly id: string
  /** For people. */
  readonly label: string
  readonly booking: Booking
}

export type Links = ReadonlyMap<NamedLines, BillName>

export type LedgerHits = ReadonlyMap<NamedLines, LedgerHit>

export const FOUND_BY = {
  consignment_number: "consignment number",
  order_number: "order number",
  reference: "reference",
  shipment_id: "shipment id",
}

export const FOUND_BY_BARCODE = "item barcode"

/** The API's list, newest first, as far back as the bills need it. */
export interface Listed {
  /** Shipments whose ID or name the bills may mean. */
  readonly shipments: readonly KnownShipment[]
  /** The forms of consignment numbers, by carrier. */
  readonly shapes: Shapes
}

export interface KnownShipment<Shipment = ShipmentSummary> {
  readonly shipment: Shipment
  readonly inLedger: Booking | undefined
}

export type Shapes = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The last scan of a consignment, by its number: milliseconds since the epoch by the service's clock, infinite if it
 * was delivered or the time cannot be read; undefined if it could not be looked up.
 */
export type Scans = ReadonlyMap<string, number | undefined>

export function matchBills(named: readonly NamedLines[], evidence: Evidence): Consignment[] {
  const { ledger, links, listed, referred = [], details = new Map(), scans = new Map() } = evidence
  const known = joinByKey(
    named.map((lines) => {
      const link = links?.get(lines)
      return matchLedger(link ? { ...lines, link } : lines, ledger.get(lines))
    }),
  )
  if (!listed) return known.map(nameLink)
  const found = matchReferences(matchListed(known, listed), referred)
  const isListed = new Set(listed.shipments.map(({ shipment }) => shipment.id))
  return joinUnknown(nameUnknown(found, listed.shapes)).map((one) =>
    nameLink(addScan(addDetail(one, isListed, details), scans)),
  )
}

function nameLink(one: Consignment): Consignment {
  return one.match.is === "booked" && one.named[0]?.link ? { ...one, foundBy: FOUND_BY_LINK } : one
}

export const FOUND_BY_LINK = "link"

export function bookingOf({ match }: Pick<Consignment, "match">): Booking | undefined {
  return match.is === "booked" ? match.booking : undefined
}

/** Undefined if none is booked, or its shipment is not known. */
export function shipmentIdOf(consignment: Pick<Consignment, "match">): string | undefined {
  return bookingOf(consignment)?.shipmentId || undefined
}

/** All names that the bills have for it. If a person linked it, only the linked name counts. */
export function listNames({ named }: Pick<Consignment, "named">): readonly BillName[] {
  const [first, ...others] = named
  return first && others.length === 0 ? listOwnNames(first) : named.flatMap(listOwnNames)
}

export function listOwnNames({ names, link }: NamedLines): readonly BillName[] {
  return link ? [link] : names
}

export function billsOf({ named }: Pick<Consignment, "named">): Bill[] {
  return [...new Set(named.flatMap(({ lines }) => lines.map(({ bill }) => bill)))]
}

/** The names without surrounding text. */
export function listStripped(names: readonly BillName[]): BillName[] {
  return names.flatMap((name) => stripName(name.text).map((text) => ({ ...name, text })))
}

/** Whether a name stands in a place for consignment numbers only. */
export function isNumberName({ field, isNumber }: BillName): boolean {
  return isNumber ?? (field === "serialNumbers" || /con(?:signment|\s?note|\b)|tracking|waybill/i.test(field))
}

/** The names of a shipment, by the ways in which a consignment can be found. */
export function namesOf({
  consignmentNumber,
  orderNumber,
  id,
}: ShipmentSummary): [foundBy: string, name: string][] {
  const names: [string, string | null | undefined][] = [
    [FOUND_BY.consignment_number, consignmentNumber],
    [FOUND_BY.order_number, orderNumber],
    [FOUND_BY.shipment_id, id],
  ]
  return names.flatMap(([foundBy, name]): [string, string][] => (name ? [[foundBy, name]] : []))
}

export function isUnknown({ match }: Pick<Consignment, "match">): boolean {
  return match.is === "unknown" || match.is === "unlike"
}

/** Whether its scans have to be known: it has no pickup, and may have to be paid. */
export function isScanWanted({ match, number }: Consignment): boolean {
  if (match.is !== "booked" || match.collected !== undefined || number === "") return false
  return !match.booking.hasPickup && !match.booking.isCancelled
}

/** The time after which events no longer belong to the booking. Milliseconds since the epoch, by the service's clock. */
export function getEndOfBooking({ match }: Consignment): number {
  const { createdAt, booking } = match.is === "booked" ? match : {}
  return Date.parse(createdAt ?? booking?.bookedAt ?? "") + BOOKING_EVENTS_MS
}

function matchLedger(lines: NamedLines, hit: LedgerHit | undefined): Consignment {
  if (!hit) return createUnmatched(lines)
  const { name, foundBy, isByNumber } = hit
  // An existing booking counts before one that may exist.
  const done = hit.candidates.filter(({ booking }) => !booking.isOpen)
  const [candidate, ...others] = done.length > 0 ? done : hit.candidates
  if (!candidate) throw new RangeError("no booking")
  const number = findConsignmentNumber(listOwnNames(lines))
  const common = { named: [lines], foundBy, foundIn: [name.field], isNumbered: false }
  if (others.length > 0) {
    const fits = [candidate, ...others].map(({ label }) => label).join(", ")
    const key = `several ${plainName(name.text)}`
    return { ...common, key, number: name.text, match: { is: "several", fits } }
  }
  const { id, booking } = candidate
  if (!isByNumber && !mayBeSame(booking.consignment || undefined, listOwnNames(lines)))
    return { ...common, key: `other ${number}`, number, match: { is: "other", fits: booking.consignment } }
  return {
    ...common,
    key: `booked ${id}`,
    number: booking.consignment || number || name.text,
    isNumbered: number !== "",
    match: { is: "booked", booking },
  }
}

function createUnmatched(lines: NamedLines): Consignment {
  const { key, names, damaged, link } = lines
  const name = findLikeliestName(names) ?? link
  return {
    key: link ? `unknown ${key} ${link.text}` : `unknown ${name ? plainName(name.text) : key}`,
    number: name?.text ?? damaged ?? "",
    named: [lines],
    foundBy: "",
    foundIn: [name?.field ?? ""],
    isNumbered: false,
    match: { is: name ? "unasked" : damaged === undefined ? "nameless" : "damaged" },
  }
}

/** A column's or field's own number counts before words of a text; among words, the one with the most digits. */
function findLikeliestName(names: readonly BillName[]): BillName | undefined {
  const digits = ({ text }: BillName) => text.replace(/\D/g, "").length
  const isOwn = ({ field }: BillName) => !/^(?:description|comments|supplierItemId|batchId)$/.test(field)
  return names.find(isNumberName) ?? names.find(isOwn) ?? names.toSorted((a, b) => digits(b) - digits(a))[0]
}

/** The consignment number on the bill; empty if there is none. */
function findConsignmentNumber(names: readonly BillName[]): string {
  return names.find(isNumberName)?.text ?? ""
}

/**
 * Whether a booking found by order number or reference has the bill's consignment number, if both are known; a
 * spreadsheet may have removed zeros or a prefix from the bill's.
 */
export function mayBeSame(booked: string | undefined, names: readonly BillName[]): boolean {
  const number = findConsignmentNumber(names)
  if (number === "" || booked === undefined) return true
  return isSameNumber(number, booked) || isShortened(number, booked)
}

/** The bill's number, if it lacks the beginning of the booked one; undefined if it is complete or the booking was found by it. */
export function findShortened(one: Consignment): string | undefined {
  const { named, number, foundIn } = one
  const [text = ""] = bookingOf(one)
    ? named
        .flatMap(({ names, link }) => (link ? [] : names.filter(isNumberName)))
        .filter(({ field }) => !foundIn.includes(field))
        .map((name) => name.text)
    : []
  return text !== "" && !isSameNumber(text, number) && isShortened(text, number) ? text : undefined
}

/** The first, with the charges of others that are the same consignment. */
function join(one: Consignment, others: readonly Consignment[]): Consignment {
  if (others.length === 0) return one
  const all = [one, ...others]
  const numbered = one.isNumbered ? one : (others.find(({ isNumbered }) => isNumbered) ?? one)
  return {
    ...one,
    number: numbered.number,
    isNumbered: numbered.isNumbered,
    named: all.flatMap(({ named }) => named),
    foundIn: [...new Set(all.flatMap(({ foundIn }) => foundIn))],
  }
}

function joinBy(consignments: readonly Consignment[], keyOf: (one: Consignment) => unknown): Consignment[] {
  return Array.from(groupBy(consignments, keyOf).values(), ([first, ...others]) =>
    join(first as Consignment, others),
  )
}

function joinByKey(consignments: readonly Consignment[]): Consignment[] {
  return joinBy(consignments, ({ key }) => key)
}

/** An unknown number may be written in several ways. */
function joinUnknown(consignments: readonly Consignment[]): Consignment[] {
  return joinBy(consignments, (one) => (one.match.is === "unknown" ? plainName(one.number) : one))
}

/** Looks up open consignments in the list, and joins those of the same shipment. */
function matchListed(consignments: readonly Consignment[], { shipments }: Listed): Consignment[] {
  const byId = new Map(shipments.map((each) => [each.shipment.id, each]))
  const byName = new Map<string, KnownShipment[]>()
  for (const each of shipments)
    for (const name of new Set(namesOf(each.shipment).map(([, text]) => plainName(text)))) {
      const there = byName.get(name)
      if (there) there.push(each)
      else byName.set(name, [each])
    }
  const ownerOf = new Map<string, Consignment>()
  for (const one of consignments) {
    const id = shipmentIdOf(one)
    if (id !== undefined && !ownerOf.has(id)) ownerOf.set(id, one)
  }
  const joined = new Map<Consignment, Consignment[]>()
  const found = consignments.flatMap((one) => {
    if (one.match.is !== "unasked") return [one]
    const match = findListed(one, byName)
    const id = shipmentIdOf(match)
    const owner = id === undefined ? undefined : ownerOf.get(id)
    if (owner) {
      joined.set(owner, [...(joined.get(owner) ?? []), one])
      return []
    }
    if (id !== undefined) ownerOf.set(id, match)
    return [match]
  })
  return found.map((one) => {
    const listed = byId.get(shipmentIdOf(one) ?? "")
    const whole = join(one, joined.get(one) ?? [])
    return listed ? addShipment(whole, listed.shipment) : whole
  })
}

/**
 * Among exact matches of a name the newest counts; a match apart from blanks and hyphens, or within other text, has to
 * be the only one.
 */
function findListed(one: Consignment, byName: ReadonlyMap<string, readonly KnownShipment[]>): Consignment {
  const names = listNames(one)
  const fitting = (some: readonly BillName[]) => [
    ...new Set(some.flatMap(({ text }) => byName.get(plainName(text)) ?? [])),
  ]
  const near = fitting(names)
  const exact = near.find(({ shipment }) => isNamedExactly(names, shipment))
  if (exact) return setShipment(one, exact)
  const [first, ...others] = near
  if (first) {
    const found = setShipment(one, first)
    return others.length === 0 ? found : { ...found, match: toSeveral(near) }
  }
  const [within, ...more] = fitting(listStripped(names))
  if (!within) return one
  return more.length === 0 ? setShipment(one, within) : { ...one, match: toSeveral([within, ...more]) }
}

function isNamedExactly(names: readonly BillName[], shipment: ShipmentSummary): boolean {
  const own = namesOf(shipment).map(([, name]) => name.toUpperCase())
  return names.some(({ text }) => own.includes(text.toUpperCase()))
}

function toSeveral(shipments: readonly KnownShipment[]): Match {
  const fits = shipments.flatMap(({ shipment }) => shipment.consignmentNumber ?? shipment.orderNumber ?? [])
  return { is: "several", fits: fits.join(", ") }
}

/** Sets the API's shipment, with its booking if the ledger knows that by its ID. */
function setShipment(one: Consignment, { shipment, inLedger }: KnownShipment): Consignment {
  const number = shipment.consignmentNumber ?? one.number
  const names = listNames(one)
  const found = namesOf(shipment).flatMap(([foundBy, text]) => {
    const name = names.find((each) => isSameNumber(each.text, text))
    return name ? [{ foundBy, foundIn: [name.field] }] : []
  })[0]
  const booking = inLedger ? { ...inLedger, consignment: number } : fromList(shipment)
  return { ...one, ...found, number, match: { is: "booked", booking } }
}

/** Adds the API's data to a booking, including a number that the carrier gave later. */
function addShipment(one: Consignment, shipment: ShipmentSummary): Consignment {
  const { match } = one
  if (match.is !== "booked") return one
  const { consignmentNumber, status, pickupStatus, serviceDescription, createdAt } = shipment
  const number = match.booking.consignment === "" ? consignmentNumber : undefined
  // Found by order number or reference: the bill's own number must be the carrier's.
  if (number && one.isNumbered && !mayBeSame(number, listNames(one)))
    return { ...one, match: { is: "other", fits: number } }
  const booking: Booking = {
    ...match.booking,
    ...(number && { consignment: number }),
    ...(status === "CANCELLED" && { isCancelled: true }),
    ...(pickupStatus === "BOOKED" && { hasPickup: true }),
  }
  return {
    ...one,
    ...(number && { number }),
    match: {
      ...match,
      booking,
      ...(createdAt !== undefined && { createdAt }),
      ...(serviceDescription && { serviceName: serviceDescription }),
    },
  }
}

/** The list has no references: the details of shipments that no bill names may have one. */
function matchReferences(
  consignments: readonly Consignment[],
  referred: readonly KnownShipment<ShipmentDetail>[],
): readonly Consignment[] {
  if (referred.length === 0) return consignments
  const byName = new Map<string, Set<Consignment>>()
  for (const one of consignments)
    if (one.match.is === "unasked")
      for (const { text } of listNames(one)) {
        const name = plainName(text)
        byName.set(name, (byName.get(name) ?? new Set()).add(one))
      }
  const found = new Map<Consignment, Consignment>()
  for (const known of referred) {
    const reference = plainName(known.shipment.customerReference ?? "")
    const one = [...(byName.get(reference) ?? [])].find((each) => !found.has(each))
    if (!one || reference === "") continue
    const name = listNames(one).find(({ text }) => plainName(text) === reference)
    const match = addShipment(setShipment(one, known), known.shipment)
    found.set(one, {
      ...match,
      foundBy: FOUND_BY.reference,
      ...(name && { foundIn: [name.field] }),
    })
  }
  return consignments.map((one) => found.get(one) ?? one)
}

/**
 * Decides whether an unknown consignment's number has the form that the bill's carriers use (or any carrier, if none is
 * known). If so, it becomes the consignment's number, without surrounding text.
 */
function nameUnknown(consignments: readonly Consignment[], listed: Shapes): Consignment[] {
  const shapes = new Map(Array.from(listed, ([carrier, some]) => [carrier, new Set(some)] as const))
  const carriersOf = new Map<Bill, Set<string>>()
  for (const one of consignments) {
    const booking = bookingOf(one)
    if (!booking) continue
    const { carrier, consignment } = booking
    // Also as the bill writes it: other numbers of the bill may have lost their zeros in the same way.
    const written = listNames(one).filter((name) => isNumberName(name) && isShortened(name.text, consignment))
    if (consignment !== "")
      for (const text of [consignment, ...written.map((name) => name.text)])
        shapes.set(carrier, (shapes.get(carrier) ?? new Set()).add(shapeOf(text)))
    for (const bill of billsOf(one)) carriersOf.set(bill, (carriersOf.get(bill) ?? new Set()).add(carrier))
  }
  return consignments.map((one) => {
    if (one.match.is !== "unasked") return one
    const carriers = billsOf(one).flatMap((bill) => [...(carriersOf.get(bill) ?? [])])
    const known = new Set(
      (carriers.length > 0 ? carriers : [...shapes.keys()]).flatMap((each) => [...(shapes.get(each) ?? [])]),
    )
    const names = listNames(one)
    // A reference may have any form, and counts only if nothing else can be the number.
    const numbers = names.filter((name) => isNumberName(name) || name.isNumber === undefined)
    const number = (numbers.length > 0 ? numbers : names)
      .flatMap(({ text }) => [text, ...stripName(text)])
      .find((each) => known.has(shapeOf(each)))
    return number === undefined
      ? { ...one, match: { is: "unlike" } }
      : { ...one, number, match: { is: "unknown" } }
  })
}

/** For shipments that are not in the list or were booked elsewhere. */
function addDetail(
  one: Consignment,
  isListed: ReadonlySet<string>,
  details: ReadonlyMap<string, ShipmentDetail>,
): Consignment {
  const { match } = one
  const detail = details.get(shipmentIdOf(one) ?? "")
  if (!detail || match.is !== "booked") return one
  if (match.booking.from === "api")
    return { ...one, match: { ...match, booking: withDetail(match.booking, detail) } }
  return isListed.has(detail.id) ? one : addShipment(one, detail)
}

function addScan(one: Consignment, scans: Scans): Consignment {
  if (one.match.is !== "booked" || !scans.has(one.number) || !isScanWanted(one)) return one
  const at = scans.get(one.number)
  const collected = at === undefined ? "unasked" : at > getEndOfBooking(one) ? "yes" : "no"
  return { ...one, match: { ...one.match, collected } }
}
