/**
 * Finds orders that may have been booked under another name, such as `V-1` that a shop or a person renamed `V-1b`, or
 * under another ledger key. The claim refuses the latter for each row; here a person is asked.
 */
import { EXAMPLES } from "../booking/example.ts"
import { BOOKED_AHEAD_MS, getReturnOf } from "../../contract/index.ts"
import type { ConsignmentBookingRequest } from "../../contract/generated/types.ts"
import { counted } from "../../base/counted.ts"
import { foldNumber } from "../../base/order-number.ts"
import { FreightError } from "../../base/errors.ts"
import {
  describeBooked,
  type Entry,
  findElsewhere,
  getOrderNumber,
  hashDayGoods,
  hashGoods,
  isSameDay,
  type LedgerDeps,
  secondKey,
  sentText,
} from "../../ledger/index.ts"
import { findStandings, lookUpAgain } from "./check.ts"
import { type BatchRow, isSecond, type RowBooking } from "./rows/row.ts"
import type { Deps } from "../../session/index.ts"
import type { OwnLedger } from "../booking/standings.ts"

type Booked = Pick<ConsignmentBookingRequest, "receiver"> & Partial<ConsignmentBookingRequest>

/** Rows by a hash of their goods; a file may have very many. */
type RowsByGoods = Map<string, FreshRow[]>

interface FreshRow extends Pick<BatchRow, "row" | "reference"> {
  request: Booked
}

type ComparedRow = Pick<BatchRow, "row" | "reference" | "isFree" | "bad"> & {
  request: Pick<RowBooking, "receiver" | "packages" | "collectionDateTime"> | undefined
}

export interface Renamed extends Pick<BatchRow, "row" | "reference"> {
  before: Entry
  /** It is collected on the same day: a standing order has another day. */
  isSameDay: boolean
}

interface RenamedOptions {
  name: string
  newOrders?: boolean | undefined
  dryRun?: boolean | undefined
  /** References of bookings which an approved plan has separate orders beside. */
  accepted?: readonly string[] | undefined
  /** When the plan was made: its approver has seen bookings made elsewhere before that. ISO 8601 */
  plannedAt?: string | undefined
}

/** Bookings older than this are not named for another collection day: a weekly order has the same goods each week. */
const NAMED_FOR_MS = 4 * 86_400_000
const PAGE = 500

/** Rows to be sent, grouped by goods and receiver, and by these and the day; without rows whose packages are unknown. */
function groupFresh(rows: readonly ComparedRow[]): {
  byGoods: RowsByGoods
  byDay: RowsByGoods
  postcodes: string[]
} {
  const fresh = rows.flatMap(({ row, reference, isFree, request }) =>
    isFree && request ? [{ row, reference, request }] : [],
  )
  const groupBy = (hashOf: (request: Booked) => string | undefined) => {
    const groups: RowsByGoods = new Map()
    for (const { row, reference, request } of fresh) {
      const goods = hashOf(request)
      if (goods === undefined) continue
      const same = groups.get(goods)
      if (same) same.push({ row, reference, request })
      else groups.set(goods, [{ row, reference, request }])
    }
    return groups
  }
  const postcodes = new Set(fresh.map(({ request }) => request.receiver.postcode))
  return { byGoods: groupBy(hashGoods), byDay: groupBy(hashDayGoods), postcodes: [...postcodes] }
}

/** A row to be sent, and a shipment that was booked elsewhere with its goods, receiver and day, but not its reference. */
interface Twin extends Pick<BatchRow, "row" | "reference"> {
  elsewhere: Entry
}

/**
 * Unsent rows that may have been booked elsewhere without their reference. A booking that matches another row of the file
 * belongs to that row.
 */
export async function findTwins(
  { store, owner }: { store: LedgerDeps["store"]; owner: LedgerDeps["owner"] | undefined },
  byDay: ReadonlyMap<string, readonly Pick<BatchRow, "row" | "reference">[]>,
  references: ReadonlySet<string>,
): Promise<Twin[]> {
  if (!owner || byDay.size === 0) return []
  const wanted = { column: "goods_hash", values: [...byDay.keys()] } as const
  const found = await findElsewhere(store.database, [owner.scope], wanted)
  if (found.length === 0) return []
  const ofFile = new Set([...references].map(foldNumber))
  const twins = new Map<number, Twin>()
  for (const elsewhere of found) {
    if (ofFile.has(foldNumber(nameOf(elsewhere)))) continue
    for (const { row, reference } of byDay.get(hashDayGoods(Object(elsewhere.request)) ?? "") ?? [])
      twins.set(row, { row, reference, elsewhere })
  }
  return [...twins.values()]
}

/** The reference of a booking; the portal's may have none. */
function nameOf({ facts, id }: Entry): string {
  return facts.reference ?? facts.shipmentId ?? id
}

/**
 * Unsent rows that equal a booking whose reference is no longer in the file: of any age for the same collection day,
 * otherwise of the last days.
 */
async function findRenamed(
  { store, owner }: OwnLedger,
  rows: readonly ComparedRow[],
  accepted: readonly string[],
): Promise<Renamed[]> {
  const { byGoods, byDay, postcodes } = groupFresh(rows)
  if (postcodes.length === 0) return []
  // The examples have the same goods, and people who try freight book them one after the other.
  const kept = new Set([...rows.map(({ reference }) => reference), ...accepted, ...Object.values(EXAMPLES)])
  const found = new Map<number, Renamed>()
  for (const { row, reference, elsewhere } of await findTwins({ store, owner }, byDay, kept))
    found.set(row, { row, reference, before: elsewhere, isSameDay: true })
  const now = await store.now()
  const since = new Date(now - BOOKED_AHEAD_MS).toISOString()
  const namedSince = new Date(now - NAMED_FOR_MS).toISOString()
  const filter = { since, postcodes, kind: "shipment", scopes: [owner.scope] } as const
  let page: readonly Entry[] | undefined
  while (page === undefined || page.length === PAGE) {
    page = await store.history({ ...filter, page: { after: page?.at(-1), size: PAGE } })
    for (const entry of page) {
      const { facts, state, sentAt } = entry
      if (kept.has(facts.reference ?? "")) continue
      if (state !== "done" && state !== "unknown") continue
      // Returns to one place may be alike; the ledger tells them apart by their order.
      if (getReturnOf(facts.own) !== undefined) continue
      const booked = entry.request as Booked
      for (const { row, reference, request } of byGoods.get(hashGoods(booked) ?? "") ?? []) {
        const isOfDay = isSameDay(entry, { request })
        const isNearer = !found.has(row) || (isOfDay && !found.get(row)?.isSameDay)
        if (isNearer && (isOfDay || sentAt >= namedSince))
          found.set(row, { row, reference, before: entry, isSameDay: isOfDay })
      }
    }
  }
  const bad = new Set(rows.filter((row) => row.bad !== undefined).map(({ row }) => row))
  return [...found.values()].filter(({ row }) => !bad.has(row)).sort((one, other) => one.row - other.row)
}

/**
 * A booking of the same goods to the same receiver and for the same day, here or elsewhere, under another reference or
 * without one.
 */
export async function findSameGoods(
  ledger: OwnLedger,
  request: ConsignmentBookingRequest,
): Promise<Entry | undefined> {
  const reference = request.customerReference ?? ""
  const found = await findRenamed(ledger, [{ row: 1, reference, isFree: true, request }], [])
  return found.find(({ isSameDay }) => isSameDay)?.before
}

/**
 * Names orders that equal a booking under a reference that the file no longer has. Without a person to ask, those of the
 * same collection day are refused, unless they are separate orders by `--new-orders`, or by `--again` if they were booked
 * elsewhere. A person is also asked about those that the ledger has under another key.
 * @returns all that were renamed; the caller asks about them
 */
export async function checkRenamed(
  deps: Pick<Deps, "note" | "prompt" | "spending">,
  { ledger, again }: { ledger: LedgerDeps; again: boolean },
  rows: readonly BatchRow[],
  { name, newOrders = false, dryRun = false, accepted = [], plannedAt }: RenamedOptions,
): Promise<Renamed[]> {
  const { note, spending } = deps
  if (spending.isOpen && !dryRun) await askAboutSeconds(deps, ledger, rows)
  const isSeen = ({ elsewhere, sentAt }: Entry) =>
    elsewhere !== undefined &&
    (again || (plannedAt !== undefined && Date.parse(sentAt) < Date.parse(plannedAt)))
  // A booking without a reference belongs to no order that a file could name.
  const found = await findRenamed(ledger, rows, [...accepted, ""])
  // `--again-for` marks its row as a second consignment.
  const seconds = new Set(rows.filter(isSecond).map(({ row }) => row))
  const renamed = found.filter(({ row, before }) => !isSeen(before) && !seconds.has(row))
  const sameDay = renamed.filter(({ isSameDay }) => isSameDay)
  const others = renamed.filter(({ isSameDay }) => !isSameDay)
  if (sameDay.length > 0 && !newOrders && !spending.isOpen) throw repeatError(name, sameDay)
  if (sameDay.length > 0)
    await note(describeRenamed(sameDay, "the goods, the receiver and the collection day"))
  if (others.length > 0) await note(describeRenamed(others, "the goods and the receiver"))
  if (renamed.length > 0 && !newOrders && spending.isOpen)
    await note(
      dryRun
        ? "Without --dry-run, freight asks whether these are separate orders."
        : "If you do not mean separate orders, answer no, and give these rows the reference that they were booked under.",
    )
  return renamed
}

/** If a person confirms it, books rows that repeat a booking under another key as second consignments. */
async function askAboutSeconds(
  { note, prompt }: Pick<Deps, "note" | "prompt" | "spending">,
  ledger: LedgerDeps,
  rows: readonly BatchRow[],
): Promise<void> {
  const repeated = rows.filter(({ outcome }) => outcome?.state === "duplicate")
  const found: { reference: string; before: Entry }[] = []
  for await (const { row, standing } of findStandings(ledger, repeated))
    if (standing.kind === "equal") found.push({ reference: row.reference, before: standing.entry })
  if (found.length === 0) return
  const what = "the goods and the receiver of one that was booked before"
  await note(describeFound(found, what, (before) => getOrderNumber(before) || nameOf(before)))
  const question = `Book a second consignment of ${found.length === 1 ? "it" : "each"}?`
  if (!(await (await prompt()).confirm(question, false, { spends: true }))) return
  for (const row of repeated) row.key = secondKey(row.reference)
  await lookUpAgain(ledger, repeated, false)
}

export function listReferences(renamed: readonly Renamed[]): string[] {
  return [...new Set(renamed.map(({ before }) => nameOf(before)))].sort()
}

/** @param verb `Plan` */
export function separateQuestion(verb: string, count: number): string {
  return count === 1 ? `${verb} it as a separate order?` : `${verb} them as separate orders?`
}

function repeatError(name: string, renamed: readonly Renamed[]): FreightError {
  const orders = counted(renamed.length, "order repeats", "orders repeat")
  const isOpen = renamed.some(({ before }) => before.state === "unknown")
  return new FreightError(
    "input",
    `${orders} the goods, the receiver and the collection day of a booking under another reference, which ${name} does not have (separate orders: --new-orders); nothing was sent`,
    {
      errors: renamed.map(({ row, reference, before }) => ({
        message: `row ${row} (${reference}): ${nameOf(before)} ${describeBefore(before)}`,
      })),
      hint: "If an order only has a new reference, give its row the one that it was booked under: then it is not sent again. If these are separate orders, add --new-orders.",
      ...(isOpen && { next: "freight reconcile" }),
    },
  )
}

function describeBefore(before: Entry): string {
  return before.state === "done"
    ? describeBooked(before)
    : `was sent on ${sentText(before)}, and its outcome is unknown`
}

/** @param what they have in common with what was booked */
function describeRenamed(renamed: readonly Renamed[], what: string): string {
  return describeFound(renamed, `${what} of one that was booked under another reference`, nameOf)
}

function describeFound(
  found: readonly Pick<Renamed, "reference" | "before">[],
  what: string,
  nameOf: (before: Entry) => string,
): string {
  const named = found.slice(0, MAX_NAMED).map(({ reference, before }) => {
    const name = nameOf(before)
    return `${reference} (${name === reference ? "" : `${name}, `}booked ${sentText(before)})`
  })
  const more = found.length > MAX_NAMED ? [`${found.length - MAX_NAMED} more`] : []
  return `${counted(found.length, "order has", "orders have")} ${what}: ${[...named, ...more].join(", ")}.`
}

const MAX_NAMED = 3
