/**
 * Which booking the names of a bill mean, by what ledger and API know: pure steps, from the lines of bills to consignments.
 * A number as it was booked counts before one with something around it; two that fit are `several`.
 */
import type { ShipmentDetail, ShipmentSummary } from "../../contract/generated/types.ts"
import { groupBy } from "../../base/grouping.ts"
import { BOOKING_EVENTS_MS, plainName } from "../../ledger/index.ts"
import type { Bill, BillName, NamedLines } from "../bill.ts"
import { isSameNumber, isShortened, shapeOf, stripName } from "../names.ts"
import { type Booking, fromList, withDetail } from "./booking.ts"

/** What bills charge for, and what is known of it: a consignment, or charges of which none can be found. */
export interface Consignment {
  /** Unlike that of other consignments. */
  readonly key: string
  /** Its number as it was booked, or as the bill has it; empty where the bill names none. */
  readonly number: string
  readonly named: readonly NamedLines[]
  /** By which of its names it was found; empty where it was not. */
  readonly foundBy: string
  /** In which fields or columns of the bill that name stands. */
  readonly foundIn: readonly string[]
  /** The bill gives a consignment number, which the ledger may not have heard of yet. */
  readonly isNumbered: boolean
  readonly match: Match
}

/** What a consignment of a bill turned out to be. */
export type Match = Booked | Unmatched

export interface Booked {
  readonly is: "booked"
  readonly booking: Booking
  /** Whether anything was scanned; absent while nobody has asked. */
  readonly collected?: "yes" | "no" | "unasked"
  readonly serviceName?: string
  /** When it was booked by the API's clock, as its events have it; the ledger's clock may be another. */
  readonly createdAt?: string
}

export type Unmatched =
  /** The bookings that it fits, for people. */
  | { readonly is: "several"; readonly fits: string }
  /** The booking that another of its names is of. */
  | { readonly is: "other"; readonly fits: string }
  /** `unasked`: only the ledger was asked; `unlike`: its number is of another form than all that are known. */
  | { readonly is: "unknown" | "unlike" | "unasked" | "nameless" | "damaged" }

/** All that ledger and API say of the names of bills. What was not asked is absent. */
export interface Evidence {
  readonly ledger: LedgerHits
  /** What people say that some lines are: it counts before all that the bill says. */
  readonly links?: Links
  readonly listed?: Listed
  /** Shipments of which only the details have a name that the bills give: their reference. */
  readonly referred?: readonly KnownShipment<ShipmentDetail>[]
  /** By the ids of shipments. */
  readonly details?: ReadonlyMap<string, ShipmentDetail>
  readonly scans?: Scans
}

/** The bookings that a name of some lines fits. */
export interface LedgerHit {
  readonly name: BillName
  readonly foundBy: string
  /** The name is that of consignments, not an order number or a reference. */
  readonly isByNumber: boolean
  readonly candidates: readonly Candidate[]
}

interface Candidate {
  /** Of the ledger's entry. */
  readonly id: string
  /** What people call it. */
  readonly label: string
  readonly booking: Booking
}

/** Names of shipments. */
export type Links = ReadonlyMap<NamedLines, BillName>

export type LedgerHits = ReadonlyMap<NamedLines, LedgerHit>

export const FOUND_BY = {
  consignment_number: "consignment number",
  order_number: "order number",
  reference: "reference",
  shipment_id: "shipment id",
}

export const FOUND_BY_BARCODE = "item barcode"

/** What the API's list says, newest first, as far back as the bills ask for it. */
export interface Listed {
  /** Those whose id or name the bills may mean. */
  readonly shipments: readonly KnownShipment[]
  /** The forms of consignment numbers, by carrier. */
  readonly shapes: Shapes
}

export interface KnownShipment<Shipment = ShipmentSummary> {
  readonly shipment: Shipment
  /** As the ledger has it. */
  readonly inLedger: Booking | undefined
}

export type Shapes = ReadonlyMap<string, ReadonlySet<string>>

/**
 * When a consignment was scanned last, by its number: milliseconds since the epoch by the service's clock, infinite where it
 * was delivered or the time cannot be read; undefined where nobody could say.
 */
export type Scans = ReadonlyMap<string, number | undefined>

/** The consignments of bills. */
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

/** What a person linked. */
export const FOUND_BY_LINK = "link"

export function bookingOf({ match }: Pick<Consignment, "match">): Booking | undefined {
  return match.is === "booked" ? match.booking : undefined
}

/** Undefined where none is booked, or its shipment is not known. */
export function shipmentIdOf(consignment: Pick<Consignment, "match">): string | undefined {
  return bookingOf(consignment)?.shipmentId || undefined
}

/** All names that the bills have for it; what a person linked it to counts alone. */
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

/** The names without what stands around them. */
export function listStripped(names: readonly BillName[]): BillName[] {
  return names.flatMap((name) => stripName(name.text).map((text) => ({ ...name, text })))
}

/** Whether a name stands where a bill has consignment numbers and nothing else. */
export function isNumberName({ field, isNumber }: BillName): boolean {
  return isNumber ?? (field === "serialNumbers" || /con(?:signment|\s?note|\b)|tracking|waybill/i.test(field))
}

/** The names of a shipment, by what a consignment can be found by. */
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

/** Whether neither ledger nor API knows it. */
export function isUnknown({ match }: Pick<Consignment, "match">): boolean {
  return match.is === "unknown" || match.is === "unlike"
}

/** Whether it was scanned is to be known of what has no pickup, and may be to be paid. */
export function isScanWanted({ match, number }: Consignment): boolean {
  if (match.is !== "booked" || match.collected !== undefined || number === "") return false
  return !match.booking.hasPickup && !match.booking.isCancelled
}

/** Events after it are no longer of the booking itself. Milliseconds since the epoch, by the service's clock. */
export function getEndOfBooking({ match }: Consignment): number {
  const { createdAt, booking } = match.is === "booked" ? match : {}
  return Date.parse(createdAt ?? booking?.bookedAt ?? "") + BOOKING_EVENTS_MS
}

function matchLedger(lines: NamedLines, hit: LedgerHit | undefined): Consignment {
  if (!hit) return createUnmatched(lines)
  const { name, foundBy, isByNumber } = hit
  // What exists counts before what may exist.
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

/** A column's or a field's own number comes before words of a text; of those the one with the most digits. */
function findLikeliestName(names: readonly BillName[]): BillName | undefined {
  const digits = ({ text }: BillName) => text.replace(/\D/g, "").length
  const isOwn = ({ field }: BillName) => !/^(?:description|comments|supplierItemId|batchId)$/.test(field)
  return names.find(isNumberName) ?? names.find(isOwn) ?? names.toSorted((a, b) => digits(b) - digits(a))[0]
}

/** The consignment number that the bill gives; empty where it gives none. */
function findConsignmentNumber(names: readonly BillName[]): string {
  return names.find(isNumberName)?.text ?? ""
}

/**
 * Whether what was found by an order number or a reference has the number of the bill, as far as both are known; the bill's
 * may have lost zeros or a prefix in a spreadsheet.
 */
export function mayBeSame(booked: string | undefined, names: readonly BillName[]): boolean {
  const number = findConsignmentNumber(names)
  if (number === "" || booked === undefined) return true
  return isSameNumber(number, booked) || isShortened(number, booked)
}

/** The number of the bill that lacks the beginning of the booked one; undefined where it does not, or was found by it. */
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

/** The first, with the charges of others that turned out to be the same. */
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

/** One number that nobody knows may be written in several ways. */
function joinUnknown(consignments: readonly Consignment[]): Consignment[] {
  return joinBy(consignments, (one) => (one.match.is === "unknown" ? plainName(one.number) : one))
}

/** What is open is looked for in the list, and joined to what is of the same shipment. */
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

/** Of what fits a name to the letter, the newest counts; of what fits it apart from blanks and hyphens, or within it, the only one. */
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

/** What was open is a shipment of the API, with its booking where the ledger knows that by its id. */
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

/** Adds what the API has of a booking: also the number that the carrier gave later. */
function addShipment(one: Consignment, shipment: ShipmentSummary): Consignment {
  const { match } = one
  if (match.is !== "booked") return one
  const { consignmentNumber, status, pickupStatus, serviceDescription, createdAt } = shipment
  const number = match.booking.consignment === "" ? consignmentNumber : undefined
  // Found by an order number or a reference: the bill's own number must be the carrier's.
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
 * Decides of what nobody knows whether its number has the form of those that the carriers of its bill gave, or of any if
 * no carrier is known: it is then called by that number, without what stands around it.
 */
function nameUnknown(consignments: readonly Consignment[], listed: Shapes): Consignment[] {
  const shapes = new Map(Array.from(listed, ([carrier, some]) => [carrier, new Set(some)] as const))
  const carriersOf = new Map<Bill, Set<string>>()
  for (const one of consignments) {
    const booking = bookingOf(one)
    if (!booking) continue
    const { carrier, consignment } = booking
    // As the bill writes it, too: others of it may have lost their zeros alike.
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
    // A reference may have any form, and counts only where nothing else can be the number.
    const numbers = names.filter((name) => isNumberName(name) || name.isNumber === undefined)
    const number = (numbers.length > 0 ? numbers : names)
      .flatMap(({ text }) => [text, ...stripName(text)])
      .find((each) => known.has(shapeOf(each)))
    return number === undefined
      ? { ...one, match: { is: "unlike" } }
      : { ...one, number, match: { is: "unknown" } }
  })
}

/** Of what the list does not have, and of what was booked elsewhere. */
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
