/**
 * Audits bills: reads them, finds what was booked and asks the API (`prepareAudit`); then reads what was billed before,
 * assesses each consignment and adds up (`judgeBills`), in the transaction in which the bills are remembered.
 */
import { createStep } from "../../base/turns.ts"
import { plainText } from "../../base/plain-text.ts"
import path from "node:path"
import type { FreightApi } from "../../api/index.ts"
import {
  BILL_CURRENCY,
  type Charge,
  CHARGES,
  isDisputed,
  isToDispute,
  VERDICT_ORDER,
  type Verdict,
} from "../verdicts.ts"
import { counted } from "../../base/counted.ts"
import type { ConnectorSummary } from "../../contract/generated/types.ts"
import { groupBy } from "../../base/grouping.ts"
import { amountOf } from "../../base/money.ts"
import { FreightError } from "../../base/errors.ts"
import type { Input } from "../../invoice/index.ts"
import type { GstBasis, Statements, Transaction } from "../../ledger/index.ts"
import { type BilledBefore, findBilled } from "../records/bills.ts"
import type { Ids } from "../../base/ports.ts"
import { type Money, getChargedCents, getStatedAmount, sumCharges } from "../money.ts"
import { type ApiLookups, type BookingSource, matchByAll, matchLinkedInLedger } from "../matching/evidence.ts"
import { type Bill, type BillLine, sumBill } from "../bill.ts"
import { hashLines, type LineHashes } from "../growth.ts"
import { understandBills } from "../understand.ts"
import { checkStatedGst } from "../gst.ts"
import { bookingOf, type Consignment, shipmentIdOf } from "../matching/match.ts"
import { checkLinks, type GivenLink, type LinkDraft, linkNames } from "../matching/links.ts"
import type { Tolerance } from "./price.ts"
import { type ReadOptions, openBills } from "../open.ts"
import {
  type Assessed,
  type Before,
  cameAfter,
  type EarlierAudits,
  findEarlier,
  findReused,
  getBillAmount,
  type KeptBills,
  rememberAudit,
} from "./remember.ts"
import { doubtUnknown } from "../matching/doubt.ts"
import { assess, type Assessment } from "./verdicts.ts"
import { assessOfBill, findLack, type Lack } from "./whole-bill.ts"

/** A consignment as the audit reports it: what JSON, NDJSON and CSV hold. Amounts are in whole units. */
export type AuditRow = ReturnType<typeof toAuditRow>
export type AuditedBill = ReturnType<typeof toAuditedBill>
export type Totals = ReturnType<typeof totalAudit>

export interface AuditedConsignment extends Assessed, Pick<Assessment, "disputedCharges"> {
  row: AuditRow
}

/** The unused part of a bill's credit for a consignment, in positive cents. */
export interface UnusedCredit extends Money {
  billNumber: string
  file: string
  /** True if no part of it was used. */
  isWhole: boolean
}

export interface BeforeCredits {
  row: Pick<AuditRow, "verdict" | "why" | "disputed" | "disputedGst" | "gstBasis">
  charges: readonly BillLine[]
  disputedCharges: readonly BillLine[]
}

export interface Audit {
  bills: AuditedBill[]
  /** The consignments of `rows`, in the same order. */
  consignments: readonly AuditedConsignment[]
  /** Worst first. */
  rows: AuditRow[]
  /** Assesses a consignment without the credits that do not pay anything yet. */
  assessExcludingCredits(each: AuditedConsignment, credits: readonly UnusedCredit[]): BeforeCredits
  totals: Totals
  asked: ApiLookups | undefined
  /** How the ledger keeps the bills. */
  kept: KeptBills
  /** Decisions for each bill, and which bills were audited before. */
  notes: readonly string[]
  warnings: readonly string[]
  /** Keeps the bills. It runs in the transaction that judged them, so that no other audit comes between. */
  remember(
    transaction: Transaction,
    sender: { workstation: string; person: string; scope: string },
  ): Promise<void>
}

/** Bills with everything known of their consignments, except what other bills charged for them. */
export interface PreparedAudit {
  bills: readonly Bill[]
  consignments: readonly Consignment[]
  hashes: LineHashes
  /** Decisions for each bill, with their reasons. */
  evidence: readonly string[]
  services: Services
  tolerance: Tolerance
  asked: ApiLookups | undefined
  ids: Ids
  /** Links that a person gave, to be kept with the bills. */
  links: readonly LinkDraft[]
  /** A person confirms that a bill with an earlier bill's number is its correction, even if the consignments differ. */
  isCorrected: boolean
  signal: AbortSignal
}

export interface AuditOptions {
  tolerance: Tolerance
  reading: ReadOptions
  /** A person's answers on what numbers of these bills mean. */
  links?: readonly GivenLink[]
  /** As a person gives them. */
  given?: Partial<Pick<Bill, "number" | "date">>
  isCorrected?: boolean
}

export async function prepareAudit(
  deps: BookingSource & {
    /** Undefined where nothing is asked. */
    api: Pick<FreightApi, "listShipments" | "getShipment" | "track" | "listConnectors"> | undefined
    ids: Ids
  },
  inputs: Iterable<Input>,
  { reading, tolerance, links = [], given = {}, isCorrected = false }: AuditOptions,
): Promise<PreparedAudit> {
  const { store, scopes, api, ids } = deps
  const { bills, named } = await openBills(inputs, reading)
  giveHead(bills, given)
  const linked = await linkNames(named, store.database, links)
  const asked = api && (await matchByAll(linked, api, deps))
  const consignments = asked
    ? doubtUnknown(asked.consignments)
    : await matchLinkedInLedger(linked, store.database, scopes)
  checkLinks(consignments, links)
  const hashes = hashLines(named)
  const evidence = [...bills.flatMap((each) => each.evidence ?? []), ...understandBills(bills, consignments)]
  const services = listServices(api ? (await api.listConnectors()).connectors : [], consignments)
  const { signal } = reading
  return {
    bills,
    consignments,
    hashes,
    evidence,
    services,
    tolerance,
    asked: asked?.lookups,
    ids,
    links: linked.drafts,
    isCorrected,
    signal,
  }
}

function giveHead(bills: readonly Bill[], given: Partial<Pick<Bill, "number" | "date">>): void {
  const [name] = Object.keys(given)
  if (name === undefined) return
  const live = bills.filter(({ skipped, lines }) => skipped === undefined && lines.length > 0)
  if (live.length > 1)
    throw new FreightError("usage", `--${name} is for one bill, and these are ${live.length}`, {
      hint: "Audit them one by one.",
    })
  for (const bill of live) Object.assign(bill, given)
}

/**
 * Judges bills by what was billed before. Call it in the transaction that writes its results, if there is one. Without
 * one, read the charges first and then the bills they are on: a charge of this same bill that another workstation
 * records in between is then recognised.
 */
export async function judgeBills(prepared: PreparedAudit, statements: Statements): Promise<Audit> {
  const { bills, consignments, hashes, evidence, services, tolerance, asked, ids, signal } = prepared
  await refuseReused(prepared, statements)
  const billed = await findBilled(
    statements,
    consignments.flatMap(({ number }) => (number === "" ? [] : [number])),
    consignments.flatMap((each) => shipmentIdOf(each) ?? []),
  )
  const earlier = await findEarlier(bills, hashes, statements, ids)
  const findBefore = indexBilledBefore(billed, earlier)
  const isOfBill = ({ match }: Consignment) => match.is === "nameless"
  const lacks = new Map<Bill, Lack>()
  const unnamed = groupBy(consignments.filter(isOfBill).flatMap(listCharges), ({ bill }) => bill)
  const lackOf = (bill: Bill) => {
    const lack = lacks.get(bill)
    return lack && { lack, charges: unnamed.get(bill) ?? [] }
  }
  const by = { services, tolerance, lackOf }
  const step = createStep(signal)
  const assessAll = async (some: readonly Consignment[]): Promise<AuditedConsignment[]> => {
    const assessed: AuditedConsignment[] = []
    for (const consignment of some) {
      await step()
      const charges = listCharges(consignment)
      const before = findBefore(consignment)
      const assessment = assessCharges(consignment, charges, before, by)
      const row = toAuditRow(consignment, charges, before, assessment)
      assessed.push({ consignment, charges, row, disputedCharges: assessment.disputedCharges })
    }
    return assessed
  }
  const named = await assessAll(consignments.filter((each) => !isOfBill(each)))
  addLacks(lacks, named)
  // Charges of a kind that quotes have come first: they take their share of what the consignments lack.
  const ofBills = await assessAll(
    consignments
      .filter(isOfBill)
      .sort((one, other) => Number(hasOtherCharge(one)) - Number(hasOtherCharge(other))),
  )
  const assessed = [...named, ...ofBills].sort(compareByVerdict)
  const rows = assessed.map(({ row }) => row)
  return {
    bills: bills.map((bill) => toAuditedBill(bill, earlier.of.get(bill)?.before)),
    consignments: assessed,
    rows,
    assessExcludingCredits: ({ consignment, charges }, credits) =>
      assessExcludingCredits(consignment, charges, findBefore(consignment), by, credits),
    totals: totalAudit(rows, bills),
    asked,
    kept: earlier.kept,
    notes: [...evidence, ...earlier.notes],
    warnings: earlier.warnings,
    remember: (transaction, sender) => rememberAudit(assessed, bills, transaction, earlier, hashes, sender),
  }
}

async function refuseReused(prepared: PreparedAudit, statements: Statements): Promise<void> {
  if (prepared.isCorrected) return
  const reused = await findReused(prepared, statements)
  if (reused.length === 0) return
  throw new FreightError("input", reused.join("; "), {
    hint: "If it is another bill, say its number with --number. If it is the earlier one, corrected: --corrected. Nothing was remembered.",
  })
}

function hasOtherCharge({ named }: Consignment): boolean {
  return named.some(({ lines }) => lines.some(({ charge }) => charge === "other"))
}

/** Adds up by how much the consignments of each bill are below their quotes. */
function addLacks(lacks: Map<Bill, Lack>, assessed: readonly AuditedConsignment[]): void {
  const ofBill = new Map<Bill, AuditedConsignment[]>()
  for (const each of assessed)
    for (const bill of new Set(each.charges.map((charge) => charge.bill))) {
      const there = ofBill.get(bill)
      if (there) there.push(each)
      else ofBill.set(bill, [each])
    }
  for (const [bill, some] of ofBill)
    lacks.set(
      bill,
      findLack(
        some.map(({ row: { gstBasis, billed, difference } }) => ({
          gst: gstBasis,
          billedCents: Math.round(billed * 100),
          differenceCents: difference === null ? undefined : Math.round(difference * 100),
        })),
      ),
    )
}

function listCharges({ named }: Consignment): readonly BillLine[] {
  const [first, ...others] = named
  if (first && others.length === 0) return first.lines
  return named.flatMap(({ lines }) => lines).sort((one, other) => one.at - other.at)
}

/** Worst first; within one verdict, by amount. */
function compareByVerdict(one: AuditedConsignment, other: AuditedConsignment): number {
  const rank = ({ row }: { row: AuditRow }) => VERDICT_ORDER.indexOf(row.verdict)
  const weight = ({ row }: { row: AuditRow }) => Math.max(row.disputed, Math.abs(row.difference ?? 0))
  return (
    rank(one) - rank(other) ||
    weight(other) - weight(one) ||
    (one.consignment.key < other.consignment.key ? -1 : 1)
  )
}

/** Indexes the charges of earlier audited bills by consignment. */
function indexBilledBefore(
  found: readonly BilledBefore[],
  earlier: EarlierAudits,
): (consignment: Consignment) => BilledBefore[] {
  const billed = found.filter(({ billId }) => !earlier.same.has(billId))
  const byNumber = groupBy(billed, ({ consignment }) => consignment)
  const byShipment = groupBy(billed, ({ shipmentId }) => shipmentId)
  return (consignment) => {
    const { number } = consignment
    const shipmentId = shipmentIdOf(consignment)
    const ofShipment = shipmentId === undefined ? [] : (byShipment.get(shipmentId) ?? [])
    const all = [...new Set([...(byNumber.get(number) ?? []), ...ofShipment])]
    if (all.length === 0) return all
    const bills = groupBy(listCharges(consignment), ({ bill }) => bill)
    const later = all.filter((each) =>
      [...bills].every(([bill, lines]) => cameAfter(earlier, each, bill, lines)),
    )
    // The later bill that charges it again is the one to dispute. Credits that came later count.
    const isChargedAgain = later.reduce((cents, each) => cents + getChargedCents(each), 0) > 0
    return isChargedAgain ? all.filter((each) => !later.includes(each)) : all
  }
}

interface AssessedBy {
  services: Services
  tolerance: Tolerance
  /**
   * How far the consignments of a bill are below their quotes, and its charges without a consignment; undefined if
   * there are none.
   */
  lackOf(bill: Bill): { lack: Lack; charges: readonly BillLine[] } | undefined
}

function assessExcludingCredits(
  consignment: Consignment,
  charges: readonly BillLine[],
  before: readonly BilledBefore[],
  { services, tolerance }: AssessedBy,
  credits: readonly UnusedCredit[],
): BeforeCredits {
  const isOf = ({ billNumber, file }: UnusedCredit, bill: { number: string; file: string }) =>
    billNumber === bill.number && (billNumber !== "" || file === path.basename(bill.file))
  const given = [...groupBy(charges, ({ bill }) => bill)].filter(
    ([, own]) => getChargedCents(sumCharges(own)) < 0,
  )
  const whole = given.filter(([bill]) => credits.some((each) => each.isWhole && isOf(each, bill)))
  const kept = charges.filter(({ bill }) => !whole.some(([other]) => other === bill))
  // The used part of a credit stays: it paid for something else.
  const added = credits.filter(
    (credit) =>
      given.some((each) => !whole.includes(each) && isOf(credit, each[0])) ||
      before.some((each) => getChargedCents(each) < 0 && isOf(credit, each)),
  )
  const { verdicts, why, disputed, disputedGst, disputedCharges, gst } = assess(
    {
      ...{ ...consignment, charges: kept },
      before: [...before, ...added.map((each) => ({ ...each, number: "", auditedAt: "", charges: [] }))],
      otherService: findOtherService(services, kept, consignment),
    },
    tolerance,
  )
  return {
    ...{ charges: kept, disputedCharges },
    row: {
      ...{ verdict: verdicts[0] ?? "cannot-tell", why, gstBasis: gst },
      ...{ disputed: amountOf(disputed), disputedGst: amountOf(disputedGst) },
    },
  }
}

function listServicesOf(charges: readonly BillLine[]): string[] {
  return [...new Set(charges.map(({ service }) => service).filter((text) => text !== ""))]
}

function findOtherService(
  services: Services,
  charges: readonly BillLine[],
  consignment: Consignment,
): string | undefined {
  return listServicesOf(charges)
    .find((text) => isOtherService(services, text, consignment))
    ?.trim()
}

function assessCharges(
  consignment: Consignment,
  charges: readonly BillLine[],
  before: readonly BilledBefore[],
  { services, tolerance, lackOf }: AssessedBy,
): Assessment {
  const otherService = findOtherService(services, charges, consignment)
  const [bill] = consignment.match.is === "nameless" ? charges.map((each) => each.bill) : []
  const ofBill = bill && lackOf(bill)
  return (
    (ofBill && assessOfBill(charges, ofBill.charges, ofBill.lack, tolerance)) ??
    assess({ ...consignment, charges, before, otherService }, tolerance)
  )
}

function toAuditRow(
  consignment: Consignment,
  charges: readonly BillLine[],
  before: readonly BilledBefore[],
  { verdicts, why, quoted, billed, difference, disputed, disputedGst, gst, gstCheck }: Assessment,
) {
  const { number, foundBy, foundIn } = consignment
  const booked = bookingOf(consignment)
  const sum = sumCharges(charges)
  const toAmount = (cents: number | null) => (cents === null ? null : amountOf(cents))
  const addCents = (some: readonly BillLine[] | readonly BilledBefore[]) =>
    amountOf(some.reduce((cents, each) => cents + getStatedAmount(gst, each), 0))
  const grams = charges.reduce<number | null>(
    (most, each) => (each.grams === null ? most : Math.max(most ?? 0, each.grams)),
    null,
  )
  return {
    consignmentNumber: number || null,
    reference: booked?.reference || null,
    shipmentId: booked?.shipmentId || null,
    carrier: booked?.carrier || null,
    /** As booked. */
    serviceCode: booked?.service || null,
    /** The worst of `verdicts`. */
    verdict: verdicts[0] ?? ("cannot-tell" as const),
    verdicts,
    why: booked?.isOpen ? `${why}; its booking has no known outcome: freight reconcile` : why,
    /** Null where no quoted price is known. */
    quoted: toAmount(quoted),
    billed: amountOf(billed),
    /** Billed, in this audit and before, less quoted. */
    difference: toAmount(difference),
    /** Part of the billed amount. */
    disputed: amountOf(disputed),
    /** Whether these amounts hold GST. */
    gstBasis: gst,
    currency: BILL_CURRENCY,
    billedExGst: toAmount(sum.exGst),
    billedGst: toAmount(sum.gst),
    billedIncGst: toAmount(sum.incGst),
    /** Billed in bills that were audited before, on the same basis. */
    billedBefore: before.length === 0 ? null : addCents(before),
    /** The amount of each kind of charge; null if it is not charged. */
    charges: {
      ...NO_CHARGES,
      ...Object.fromEntries(
        Array.from(
          groupBy(charges, ({ charge }) => charge),
          ([charge, some]) => [charge, addCents(some)],
        ),
      ),
    },
    lines: new RowLines(charges, gst),
    billNumbers: [...new Set(charges.map(({ bill }) => bill.number))].filter((each) => each !== ""),
    /** By which of its names the consignment was found; null where it was not. */
    foundBy: foundBy || null,
    /** In which fields or columns of the bill that name stands. */
    foundIn,
    bookedAt: booked?.bookedAt || null,
    /** As the bill calls it. */
    billedService: listServicesOf(charges).join(", ") || null,
    bookedWeightKg: booked?.grams === undefined ? null : booked.grams / 1000,
    billedWeightKg: grams === null ? null : grams / 1000,
    /** `none` for 0 %, `unknown` if the bill does not say. */
    gstCheck,
    /** The GST above 10 % in `disputed`. */
    disputedGst: amountOf(disputedGst),
  }
}

const NO_CHARGES = Object.fromEntries(CHARGES.map((charge) => [charge, null])) as Record<
  Charge,
  number | null
>

/** A row's charges for JSON. They are built only when written, because a long bill has half a million. */
class RowLines {
  readonly #charges: readonly BillLine[]
  readonly #gst: GstBasis

  constructor(charges: readonly BillLine[], gst: GstBasis) {
    this.#charges = charges
    this.#gst = gst
  }

  toJSON() {
    return this.#charges.map((each) => ({
      billNumber: each.bill.number || null,
      file: each.bill.file,
      index: each.bill.index ?? null,
      sheet: each.sheet ?? null,
      /** In a PDF: its line is on this page. */
      page: each.page ?? null,
      /** In a CSV file; a pointer in an INV document. */
      line: each.line ?? null,
      pointer: each.pointer ?? null,
      charge: each.charge,
      label: each.label,
      amount: amountOf(getStatedAmount(this.#gst, each)),
    }))
  }
}

/** Service codes by carrier and name. Only these can be billed by mistake for each other. */
type Services = ReadonlyMap<string, string>

export function listServices(
  connectors: readonly ConnectorSummary[],
  consignments: readonly Consignment[],
): Services {
  const offered = connectors.flatMap(({ carrier, services }) =>
    services.map(({ serviceCode, description }) => [carrier, serviceCode, description] as const),
  )
  const booked = consignments.flatMap(({ match }) =>
    match.is === "booked"
      ? [[match.booking.carrier, match.booking.service, match.serviceName ?? ""] as const]
      : [],
  )
  return new Map(
    [...offered, ...booked].flatMap(([carrier, code, name]) =>
      [code, name].map((text): [string, string] => [`${carrier} ${plainText(text)}`, code]),
    ),
  )
}

/** Whether the billed service is known to differ from the booked one. */
function isOtherService(services: Services, billed: string, { match }: Consignment): boolean {
  if (match.is !== "booked") return false
  const { booking, serviceName = "" } = match
  if ([plainText(booking.service), plainText(serviceName)].includes(plainText(billed))) return false
  const code = services.get(`${booking.carrier} ${plainText(billed)}`)
  return code !== undefined && code !== booking.service
}

function totalAudit(rows: readonly AuditRow[], bills: readonly Bill[]) {
  const byBasis = groupBy(rows, ({ gstBasis }) => gstBasis)
  const [basis = "unknown"] = byBasis.keys()
  const sumBasis = (name: GstBasis) => {
    const some = byBasis.get(name)
    return some ? sumAmounts(some) : null
  }
  return {
    consignments: rows.length,
    byVerdict: countVerdicts(rows),
    ...sumAmounts(rows),
    toDispute: rows.filter(isToDispute).length,
    /** Consignments that were charged less by mistake: there is nothing to claim back. */
    undercharged: rows.filter((row) => isDisputed(row.verdict) && !isToDispute(row)).length,
    /** Consignments above their quotes but within the tolerance, and the total excess. */
    withinTolerance: sumWithin(rows),
    /** Whether these sums hold GST; `mixed` if the bases differ. */
    gstBasis: byBasis.size > 1 ? ("mixed" as const) : basis,
    /** The same sums for what was compared on each basis; null if nothing was. */
    byGstBasis: {
      excluded: sumBasis("excluded"),
      included: sumBasis("included"),
      unknown: sumBasis("unknown"),
    },
    /** Consignments that are billed at 0 % GST. */
    withoutGst: rows.filter(({ gstCheck }) => gstCheck === "none").length,
    /** Consignments whose GST is not 10 %. They are reported, but never disputed for that alone. */
    withWrongGst: rows.filter(({ gstCheck }) => gstCheck === "wrong").length,
    /** The GST above 10 % in `disputed`. */
    disputedGst: sumOf(rows, ({ disputedGst }) => disputedGst),
    /** Bills that state more than 10 % GST for all their charges together. */
    billsWithWrongGst: bills.filter(({ stated }) => stated && checkStatedGst(stated) === "wrong").length,
  }
}

function countVerdicts(rows: readonly AuditRow[]): Record<Verdict, number> {
  const counts = Object.fromEntries(VERDICT_ORDER.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  for (const { verdict } of rows) counts[verdict]++
  return counts
}

function sumWithin(rows: readonly AuditRow[]) {
  const above = rows.filter(({ verdict, difference }) => verdict === "agrees" && (difference ?? 0) > 0)
  const shares = above.map(({ difference, quoted }) => ((difference ?? 0) / (quoted || 1)) * 100)
  const [least, most] = [Math.min(...shares), Math.max(...shares)]
  return {
    consignments: above.length,
    amount: sumOf(above, ({ difference }) => difference ?? 0),
    /** The common percentage by which they are above their quotes; null if there is none. */
    percent: above.length > 1 && most - least < RATE_SPREAD ? Number(((least + most) / 2).toFixed(2)) : null,
  }
}

/** Shares of one rate may differ by this many percentage points, because amounts are rounded to the cent. */
const RATE_SPREAD = 0.1

function sumAmounts(rows: readonly AuditRow[]) {
  const differenceOf = (verdict: Verdict) =>
    sumOf(rows, ({ verdicts, difference }) => (verdicts.includes(verdict) ? (difference ?? 0) : 0))
  return {
    billed: sumOf(rows, ({ billed }) => billed),
    quoted: sumOf(rows, ({ quoted }) => quoted ?? 0),
    /** Billed less quoted for the verdict `over`; `under` is quoted less billed for that verdict. */
    over: differenceOf("over"),
    under: 0 - differenceOf("under"),
    disputed: sumOf(rows, ({ disputed }) => disputed),
  }
}

function sumOf(rows: readonly AuditRow[], amountIn: (row: AuditRow) => number): number {
  return amountOf(rows.reduce((cents, row) => cents + Math.round(amountIn(row) * 100), 0))
}

function toAuditedBill(bill: Bill, before: Before | undefined) {
  const { file, index, number, supplier, date, findings, lines, skipped, stated } = bill
  const { cents, gst } = getBillAmount(sumBill(bill))
  return {
    file,
    /** Its place in the file, where that holds several. */
    index: index ?? null,
    billNumber: number || null,
    supplier: supplier || null,
    billDate: date || null,
    lines: lines.length,
    amount: lines.length === 0 ? null : amountOf(cents),
    gstBasis: gst,
    /** GST that the bill states for all its charges together, and none of them alone. */
    statedGst: stated ? amountOf(stated.gst) : null,
    statedGstOf: stated ? amountOf(stated.exGst) : null,
    gstCheck: stated ? checkStatedGst(stated) : null,
    /** From the contract check; null for CSV. */
    errors: findings?.errors ?? null,
    warnings: findings?.warnings ?? null,
    firstError: findings?.first ?? null,
    /** Why nothing in it was audited. */
    skipped: skipped ?? null,
    before: before ?? null,
  }
}

export function checkAnything({ consignments }: PreparedAudit): void {
  if (consignments.length === 0)
    throw new FreightError("input", `there is nothing to audit: ${counted(0, "charge")} in these bills`)
}
