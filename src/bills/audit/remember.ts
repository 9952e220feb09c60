/** Finds which bills were audited before, and keeps the bills of this audit in the ledger. */
import path from "node:path"
import { counted, listSome } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatCents } from "../../base/money.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { type GstBasis, plainName, type Statements, type Transaction } from "../../ledger/index.ts"
import {
  type BilledBefore,
  type BilledConsignment,
  findBills,
  type Growth,
  readConsignmentsOf,
  rememberBilled,
  rememberBills,
  type RememberedBill,
} from "../records/bills.ts"
import type { Ids } from "../../base/ports.ts"
import { type Money, getAmount, getChargedCents, getGstBasis, sumCharges } from "../money.ts"
import { FreightError } from "../../base/errors.ts"
import { type Bill, type BillLine, groupLastFirst, splitByBill, sumBill } from "../bill.ts"
import { listEntries } from "../entries.ts"
import { compareLines, type Comparison, type LineHashes, listHashes } from "../growth.ts"
import { billsOf, bookingOf, type Consignment, shipmentIdOf } from "../matching/match.ts"

/** The amount that identifies a bill, together with its number. */
export function getBillAmount(amounts: Money) {
  return { cents: getChargedCents(amounts), gst: getGstBasis(amounts) }
}

export interface KeptBill {
  readonly bill: Bill
  /** The ID of its remembered amounts; absent if it was not audited before. */
  readonly rememberedId?: string
  /** The spelling in the first audit. Disputes and credits of the bill are found by it. */
  readonly supplier: string
  /** File name and day of the first audit. They identify a bill without a number. */
  readonly file: string
  readonly date: string
  /** Audited before with another amount. */
  readonly isChanged: boolean
  /** An older export of a bill that has grown since: the newer one counts. */
  readonly isOutdated?: boolean
  readonly added?: ReadonlySet<BillLine>
  /** Disputed cents of charges without a consignment, by their words. */
  readonly toDispute?: Readonly<Record<string, number>>
}

export type KeptBills = ReadonlyMap<Bill, KeptBill>

/**
 * `again`: the same bill was audited before. `changed`: the number was billed before with another amount. `grown`: it
 * has all its earlier lines, and more. `outdated`: it has the lines from before it grew.
 */
export type Before = "again" | "changed" | "grown" | "outdated"

interface EarlierAudit {
  before?: Before
  /** Absent if it is not remembered. */
  rememberedId?: string
  /** First audit, with any amount. */
  firstAt?: string
  /** Who audited it first, and when, if the amount never changed. */
  kept?: Pick<RememberedBill, "auditedAt" | "workstation" | "person">
  /** Why its amount was unknown in the earlier audit. */
  doubt?: Pick<RememberedBill, "doubt" | "doubtAt">
  /** Its remembered lines; any other line is new. */
  growth: readonly Growth[]
  /** For each line the position in `growth` at which it first appeared; 0 if omitted. */
  since: ReadonlyMap<BillLine, number>
}

export interface EarlierAudits {
  of: Map<Bill, EarlierAudit>
  kept: Map<Bill, KeptBill>
  /** Remembered bills that are the bills of this audit, and so do not count as billed before. */
  same: Set<string>
  /** For people: which bills were audited before. */
  notes: string[]
  warnings: string[]
}

export async function findEarlier(
  bills: readonly Bill[],
  hashes: LineHashes,
  statements: Statements,
  ids: Ids,
): Promise<EarlierAudits> {
  const earlier: EarlierAudits = {
    ...{ of: new Map(), kept: new Map(), same: new Set(), notes: [], warnings: [] },
  }
  const audited = bills.filter(({ skipped }) => skipped === undefined)
  const known = await findBills(statements, [...new Set(audited.map(({ number }) => number))])
  const byNumber = groupBy(known, ({ number }) => number)
  for (const bill of audited) {
    const name = bill.number === "" ? bill.file : `bill ${bill.number}`
    const others = byNumber.get(bill.number) ?? []
    const found = recognizeBill(bill, others, hashes)
    const { same, before, remembered, cents } = found
    for (const other of same) earlier.same.add(other.id)
    const isChanged = same.some(({ amountCents }) => amountCents !== cents)
    earlier.kept.set(bill, {
      ...keptAs(bill, before === "changed" ? undefined : remembered, isChanged && before !== "outdated"),
      ...(before === "outdated" && { isOutdated: true }),
      ...(before === "grown" && { added: listAdded(bill, found.lines) }),
    })
    const isFirst = same.every((other) => other === remembered || other.amountCents === cents)
    earlier.of.set(bill, {
      ...(before && { before }),
      ...(before !== "outdated" && {
        rememberedId: before !== "changed" && remembered ? remembered.id : ids.uuid(),
      }),
      ...(same.length > 0 && { firstAt: same.map(({ auditedAt }) => auditedAt).sort()[0] }),
      ...(remembered && before !== "changed" && isFirst && { kept: getWriter(remembered) }),
      ...(remembered && before !== "changed" && { doubt: remembered }),
      ...found.lines,
    })
    if (remembered) tellEarlier({ bill, name, cents, earlier }, before, remembered, found.missing)
    else tellAlike(bill, others, hashes, earlier)
  }
  return earlier
}

/**
 * Finds bills that have the number of an earlier bill but mostly other consignments. They would be taken for its
 * correction, but the number may be another bill's, or misread.
 * @returns a description of both for each, for people
 */
export async function findReused(
  {
    bills,
    consignments,
    hashes,
  }: { consignments: readonly Consignment[]; hashes: LineHashes } & {
    bills: readonly Bill[]
  },
  statements: Statements,
): Promise<string[]> {
  const numbered = bills.filter(({ skipped, number }) => skipped === undefined && number !== "")
  const known = await findBills(statements, [...new Set(numbered.map(({ number }) => number))])
  const byNumber = groupBy(known, ({ number }) => number)
  const reused: string[] = []
  for (const bill of numbered) {
    const found = recognizeBill(bill, byNumber.get(bill.number) ?? [], hashes)
    const { same, before, remembered, cents } = found
    // Its lines are the earlier ones: a person may have linked a number since.
    if (found.lines.growth.length > 0) continue
    if (remembered?.supplier !== bill.supplier || (before !== "changed" && before !== "again")) continue
    const then = groupBy(
      await readConsignmentsOf(
        statements,
        same.map(({ id }) => id),
      ),
      ({ billId }) => billId,
    )
    const now = listConsignments(bill, consignments)
    const isOther = (some: readonly BilledConsignment[]) => {
      // An unknown consignment may have another name now. It is the same one if only these two have the amount.
      const isOnce = (all: readonly number[], cents: number) =>
        all.filter((each) => each === cents).length === 1
      const isSameCharge = (each: BilledConsignment) =>
        each.shipmentId === undefined &&
        isOnce(some.map(getChargedCents), getChargedCents(each)) &&
        isOnce(
          now.map(({ cents: own }) => own),
          getChargedCents(each),
        )
      const shared = some.filter((each) => findAgainOf(each, now) !== undefined || isSameCharge(each))
      return shared.length * 2 < Math.min(some.length, now.length)
    }
    if (then.size === 0 || ![...then.values()].every(isOther)) continue
    const describe = (amount: number, date: string, some: readonly string[]) =>
      `${formatCents(amount)}${date === "" ? "" : ` of ${date}`} for ${counted(some.length, "consignment")} (${listSome(some)})`
    const earlier = (then.get(remembered.id) ?? []).map(({ consignment }) => consignment)
    const numbers = now.map(({ consignment: { number } }) => number)
    reused.push(
      `bill ${bill.number} was audited before, on ${formatInstant(remembered.auditedAt)}, with other consignments: ${describe(remembered.amountCents, remembered.date, earlier)} then, ${describe(cents, bill.date, numbers)} now`,
    )
  }
  return reused
}

/** A consignment of a bill, with all its names and what the bill charges for it. */
interface OfBill {
  consignment: Consignment
  names: ReadonlySet<string>
  cents: number
}

/** @param consignments of all bills; those without a name are left out */
export function listConsignments(bill: Bill, consignments: readonly Consignment[]): OfBill[] {
  return consignments.flatMap((consignment) => {
    if (consignment.number === "" || !billsOf(consignment).includes(bill)) return []
    const { number, named } = consignment
    const booking = bookingOf(consignment)
    // A bill that was audited before its bookings were known is remembered by the bill's own names.
    const own = [number, booking?.consignment, booking?.reference]
    const texts = [...own, ...named.flatMap(({ names }) => names.map(({ text }) => text))]
    const plain = texts.flatMap((text) => (text ? [plainName(text)] : []))
    const lines = named.flatMap((each) => each.lines).filter((line) => line.bill === bill)
    const names = new Set([...plain, shipmentIdOf(consignment) ?? ""].filter((name) => name !== ""))
    return [{ consignment, names, cents: getChargedCents(sumCharges(lines)) }]
  })
}

export function findAgainOf(then: BilledConsignment, now: readonly OfBill[]): OfBill | undefined {
  const { consignment, shipmentId = "" } = then
  return now.find(({ names }) => names.has(plainName(consignment)) || names.has(shipmentId))
}

function listAdded(bill: Bill, { since, growth }: Recognized["lines"]): ReadonlySet<BillLine> {
  return new Set(bill.lines.filter((line) => since.get(line) === growth.length))
}

interface Telling {
  bill: Bill
  /** For people. */
  name: string
  cents: number
  earlier: EarlierAudits
}

function tellEarlier(
  { bill, name, cents, earlier }: Telling,
  before: Before | undefined,
  remembered: RememberedBill,
  missing: number,
): void {
  const { auditedAt, person, workstation, amountCents } = remembered
  const on = `on ${formatInstant(auditedAt)} by ${person || "somebody"} at ${workstation}`
  switch (before) {
    case "again":
      earlier.notes.push(`${name} was audited before, ${on}: it is audited again, and is not a second bill.`)
      break
    case "grown":
      earlier.notes.push(
        `${name} was audited before, ${on}: it has grown from ${formatCents(amountCents)} to ${formatCents(cents)}, and is not a second bill.`,
      )
      break
    case "outdated":
      earlier.warnings.push(
        `${name} has grown since to ${formatCents(amountCents)}: this is what it was before, and nothing of it is remembered or raised.`,
      )
      break
    default:
      earlier.warnings.push(
        `${name} was audited before with another amount: ${formatCents(amountCents)} on ${formatInstant(auditedAt)}, ${formatCents(cents)} now.${missing > 0 ? ` ${counted(missing, "row")} of it ${missing === 1 ? "is" : "are"} missing or changed.` : ""} Ask ${bill.supplier || "the carrier"} which of the two is right.`,
      )
  }
}

/** Notes a bill without a number that has most, but not all, lines of an earlier one: it counts as another bill. */
function tellAlike(
  bill: Bill,
  known: readonly RememberedBill[],
  hashes: LineHashes,
  { warnings }: EarlierAudits,
): void {
  if (bill.number !== "") return
  for (const other of known) {
    const count = (other.growth ?? []).reduce((sum, { lines }) => sum + lines.length, 0)
    const missing = other.supplier === bill.supplier ? compareWith(bill, other, hashes)?.missing : undefined
    if (missing === undefined || missing * 2 > count) continue
    warnings.push(
      `${bill.file} has ${count - missing} of the ${counted(count, "row")} of ${other.file}, audited on ${formatInstant(other.auditedAt)}, and ${missing} ${missing === 1 ? "is" : "are"} missing or changed: it is another bill, and what is in both is billed twice.`,
    )
    return
  }
}

function compareWith(bill: Bill, { growth }: RememberedBill, hashes: LineHashes): Comparison | undefined {
  return growth && compareLines(listHashes(bill.lines, hashes), growth)
}

interface Recognized {
  same: readonly RememberedBill[]
  before?: Before
  /** The one that it is, or that it grew from. */
  remembered?: RememberedBill
  /** Number of lines of `remembered` that are missing. */
  missing: number
  cents: number
  lines: Pick<EarlierAudit, "growth" | "since">
}

/** @param known bills that were audited under its number, the newest first */
export function recognizeBill(bill: Bill, known: readonly RememberedBill[], hashes: LineHashes): Recognized {
  const { cents } = getBillAmount(sumBill(bill))
  const comparisons = new Map(
    known
      .filter(({ supplier }) => supplier === bill.supplier)
      .flatMap((other) => {
        const compared = compareWith(bill, other, hashes)
        return compared ? [[other, compared] as const] : []
      }),
  )
  const findBy = (is: Comparison["is"]) => known.find((other) => comparisons.get(other)?.is === is)
  const grown = findBy("grown")
  const outdated = findBy("outdated")
  const alike = known.find((other) => comparisons.get(other)?.is === "same" && mayBeOfOneDay(bill, other))
  const same = known.filter(
    (other) => [alike, grown, outdated].includes(other) || isSameBill(bill, other, cents),
  )
  const readings: [Before, RememberedBill | undefined][] = [
    ["again", alike],
    ["grown", grown],
    ["outdated", outdated],
    ["again", findAgain(bill, same, cents)],
    ["changed", same[0]],
  ]
  const [before, remembered] = readings.find(([, other]) => other) ?? []
  const compared = remembered && comparisons.get(remembered)
  return {
    same,
    ...(before && { before }),
    ...(remembered && { remembered }),
    cents,
    missing: compared?.missing ?? 0,
    lines:
      remembered && compared && compared.is !== "other"
        ? {
            growth: remembered.growth ?? [],
            since: new Map(bill.lines.map((line, at) => [line, compared.since[at] ?? 0])),
          }
        : { growth: [], since: new Map() },
  }
}

/** Bills with the same lines are one bill, unless they have no number and different days. */
function mayBeOfOneDay(bill: Bill, { growth = [], date }: RememberedBill): boolean {
  return bill.number !== "" || growth.length > 1 || bill.date === "" || date === "" || bill.date === date
}

function getWriter({ auditedAt, workstation, person }: RememberedBill): NonNullable<EarlierAudit["kept"]> {
  return { auditedAt, workstation, person }
}

/** Finds the remembered bill of the same amount, from the same supplier or another spelling of it. */
function findAgain(
  { supplier }: Bill,
  same: readonly RememberedBill[],
  cents: number,
): RememberedBill | undefined {
  const again = same.filter(({ amountCents }) => amountCents === cents)
  return again.find((each) => each.supplier === supplier) ?? again[0]
}

/** @param again the same bill, as it was remembered */
export function keptAs(bill: Bill, again: RememberedBill | undefined, isChanged: boolean): KeptBill {
  const { file, date } = (bill.number === "" && again) || bill
  const toDispute = again?.growth?.at(-1)?.toDispute
  return {
    bill,
    ...(again && { rememberedId: again.id }),
    ...(toDispute && { toDispute }),
    supplier: (bill.number !== "" && again?.supplier) || bill.supplier,
    file: path.basename(file),
    date,
    isChanged,
  }
}

/** The same number and supplier; another spelling of the supplier counts if the amount is the same too. */
function isSameBill(bill: Bill, other: RememberedBill, cents: number): boolean {
  if (bill.number === "") return other.amountCents === cents && other.file === path.basename(bill.file)
  return other.supplier === bill.supplier || other.amountCents === cents
}

/** Whether a remembered bill's charges are newer than these lines of a bill that was audited before. */
export function cameAfter(
  { of }: EarlierAudits,
  charged: BilledBefore,
  bill: Bill,
  lines: readonly BillLine[],
): boolean {
  const earlier = of.get(bill)
  const firstAt = earlier && findFirst(earlier, lines)
  if (firstAt === undefined) return false
  if (charged.firstAuditedAt !== firstAt) return charged.firstAuditedAt > firstAt
  if (charged.date !== "" && bill.date !== "" && charged.date !== bill.date) return charged.date > bill.date
  return charged.number > bill.number
}

/** When the first of these lines appeared on the bill; undefined if all are new. ISO 8601 in UTC. */
function findFirst(earlier: EarlierAudit, lines: readonly BillLine[]): string | undefined {
  const first = findFirstPlace(earlier, lines)
  return first === 0 ? earlier.firstAt : earlier.growth[first]?.at
}

/** The position in `growth` at which the first of these lines appeared. */
function findFirstPlace({ since, growth }: EarlierAudit, lines: readonly BillLine[]): number {
  return lines.reduce((first, line) => Math.min(first, since.get(line) ?? 0), growth.length)
}

/** A consignment with its charges, and the parts of the verdict that are remembered. */
export interface Assessed {
  consignment: Consignment
  charges: readonly BillLine[]
  row: { verdict: string; disputed: number; gstBasis: GstBasis }
}

/** Keeps all bills of this audit, or none. */
export async function rememberAudit(
  assessed: readonly Assessed[],
  bills: readonly Bill[],
  transaction: Transaction,
  earlier: EarlierAudits,
  hashes: LineHashes,
  by: Pick<RememberedBill, "workstation" | "person" | "scope">,
): Promise<void> {
  const now = new Date(await transaction.now()).toISOString()
  const idOf = (bill: Bill) => earlier.of.get(bill)?.rememberedId
  const ofBills = assessed.flatMap((each) => splitDisputed(each, idOf))
  const byBill = splitByBill(assessed)
  const unnamed = new Map<Bill, Record<string, number>>()
  for (const { bill, consignment, disputedCents } of ofBills)
    if (consignment.number === "" && disputedCents > 0)
      unnamed.set(bill, { ...unnamed.get(bill), [getUnnamedLabel(consignment)]: disputedCents })
  const remembered = bills.flatMap((bill): RememberedBill[] => {
    const id = idOf(bill)
    if (id === undefined || bill.lines.length === 0) return []
    const sums = sumBill(bill)
    const { cents, gst } = getBillAmount(sums)
    const { number } = bill
    const { supplier, file } = earlier.kept.get(bill) ?? keptAs(bill, undefined, false)
    const date = (number === "" && earlier.kept.get(bill)?.date) || bill.date
    const amounts = { amountCents: cents, gstCents: sums.gst, gstBasis: gst }
    const written = { ...by, auditedAt: now, ...earlier.of.get(bill)?.kept }
    const toDispute = unnamed.get(bill)
    const growth = addGrowth(bill, earlier.of.get(bill), hashes, now).map(({ at, lines }, place, all) => ({
      ...{ at, lines },
      ...(toDispute && place === all.length - 1 && { toDispute }),
    }))
    const doubt = findDoubt(bill, byBill.get(bill) ?? [])
    return [
      {
        id,
        supplier,
        number,
        date,
        file,
        ...amounts,
        ...written,
        growth,
        ...(doubt !== undefined && { doubt, doubtAt: findDoubtAt(doubt, earlier.of.get(bill)) ?? now }),
      },
    ]
  })
  const billed = ofBills
    .filter(({ consignment }) => consignment.number !== "")
    .map(({ bill, billId, consignment, own, sums, disputedCents, verdict }) => ({
      ...{ billId, consignment: consignment.number, shipmentId: shipmentIdOf(consignment) },
      ...sums,
      charges: [...new Set(own.map(({ charge }) => charge))],
      ...{ verdict, disputedCents, seenAt: findSeen(earlier.of.get(bill), own, now) },
    }))
  await rememberBills(transaction, remembered)
  await rememberBilled(transaction, billed)
}

/** Why the amount of a bill with GST is unknown, in the words that posting uses. */
function findDoubt(bill: Bill, consignments: readonly (readonly BillLine[])[]): string | undefined {
  try {
    listEntries(bill, consignments)
    return undefined
  } catch (error) {
    if (error instanceof FreightError && error.kind === "input") return error.message
    throw error
  }
}

/** When an earlier audit of the bill had the same doubt; undefined if none had. */
function findDoubtAt(doubt: string, earlier: EarlierAudit | undefined): string | undefined {
  return earlier?.doubt?.doubt === doubt ? earlier.doubt.doubtAt : undefined
}

function splitDisputed({ consignment, charges, row }: Assessed, idOf: (bill: Bill) => string | undefined) {
  let left = Math.round(row.disputed * 100)
  return groupLastFirst(charges).flatMap(([bill, own]) => {
    const billId = idOf(bill)
    if (billId === undefined) return []
    const sums = sumCharges(own)
    const disputedCents = Math.min(left, Math.max(0, getAmount(row.gstBasis, sums)))
    left -= disputedCents
    return [{ bill, billId, consignment, own, sums, disputedCents, verdict: row.verdict }]
  })
}

/** The words of charges without a consignment: they identify them on their bill. */
export function getUnnamedLabel({ named }: Pick<Consignment, "named">): string {
  return named.flatMap(({ lines }) => lines)[0]?.label ?? ""
}

/** Groups the lines of a bill by when they first appeared; new lines get the current time. */
function addGrowth(
  bill: Bill,
  earlier: EarlierAudit | undefined,
  hashes: LineHashes,
  now: string,
): readonly Growth[] {
  const { growth = [], since = new Map<BillLine, number>(), firstAt = now } = earlier ?? {}
  if (growth.length === 0) return [{ at: firstAt, lines: listHashes(bill.lines, hashes) }]
  const added = [...listAdded(bill, { since, growth })]
  return added.length === 0 ? growth : [...growth, { at: now, lines: listHashes(added, hashes) }]
}

/** When a grown bill first had one of these lines; undefined if it was there from the beginning. */
function findSeen(
  earlier: EarlierAudit | undefined,
  lines: readonly BillLine[],
  now: string,
): string | undefined {
  if (!earlier || earlier.growth.length === 0) return undefined
  const first = findFirstPlace(earlier, lines)
  return first === 0 ? undefined : (earlier.growth[first]?.at ?? now)
}
