/**
 * Turns an audit's disputes and the credits on bills into ledger records, with IDs that are the same on every
 * workstation and in every audit.
 */
import path from "node:path"
import { FreightError } from "../../base/errors.ts"
import { roundCents } from "../../base/money.ts"
import { type Entry, listEntries, splitOff, sumOnBasis, sumEntries } from "../entries.ts"
import { getAmount, getChargedCents, type Money, NO_MONEY, sumCharges } from "../money.ts"
import type { Audit, AuditedConsignment, UnusedCredit } from "../audit/audit.ts"
import { type Bill, type BillLine, groupLastFirst, splitByBill } from "../bill.ts"
import { type Consignment, isNumberName } from "../matching/match.ts"
import { getUnnamedLabel, type KeptBill, type KeptBills, keptAs } from "../audit/remember.ts"
import { groupBy } from "../../base/grouping.ts"
import { plainName } from "../../ledger/index.ts"
import type { Credit, Dispute, DisputeBook } from "../records/disputes.ts"
import { toId, toLaterCreditId } from "../ids.ts"
import type { Writer } from "./settle.ts"
import type { CreditBalance } from "./balance.ts"

export interface Claim {
  cents: number
  /** At most what each bill charges, the last bill first. */
  on: readonly Disputable[]
}

/** A dispute of all that a bill charges for a consignment, of which less may be raised. */
export interface Disputable extends Omit<Dispute, "gstCents"> {
  /** The GST of an amount on the dispute's basis, as the bill charges it; undefined if the bill does not say. */
  findGst(cents: number): number | undefined
}

type FindEntries = (lines: readonly BillLine[]) => readonly Entry[] | undefined

/**
 * Finds the cost without GST and the GST of bill lines, as the books have them: undefined if the bill does not say or
 * contradicts itself.
 */
export function indexEntries(audited: readonly Pick<AuditedConsignment, "charges">[]): FindEntries {
  const byBill = splitByBill(audited)
  const known = new Map<Bill, ReadonlyMap<BillLine | undefined, readonly Entry[]> | undefined>()
  return (lines) => {
    const [bill] = lines.map((line) => line.bill)
    if (!bill) return []
    if (!known.has(bill)) known.set(bill, readEntries(bill, byBill.get(bill) ?? []))
    const entries = known.get(bill)
    return entries && lines.flatMap((line) => entries.get(line) ?? [])
  }
}

function readEntries(bill: Bill, consignments: readonly (readonly BillLine[])[]) {
  try {
    return groupBy(listEntries(bill, consignments), ({ line }) => line)
  } catch (error) {
    if (error instanceof FreightError && error.kind === "input") return undefined
    throw error
  }
}

/** Cents by which amounts may differ if they are rounded on each line, or in total. */
const ROUNDED = 2

/** @param disputed the disputed charges, if they are known */
function findOwnGst(
  entries: readonly Entry[],
  disputed: readonly BillLine[],
  cents: number,
  basis: "excluded" | "included",
): number | undefined {
  const isDisputed = ({ line }: Entry) => line !== undefined && disputed.includes(line)
  const isAll = sumOnBasis(entries, basis) === cents
  const last = [...entries.filter((each) => !isDisputed(each)), ...entries.filter(isDisputed)]
  const cleared = isAll ? entries : splitOff(last, cents, basis).cleared
  // An amount calculated at 10 %, or lines with credits, may not be part of what the bill charges.
  return Math.abs(sumOnBasis(cleared, basis) - cents) <= ROUNDED ? sumEntries(cleared).gst : undefined
}

/** Charges that span several bills are disputed with the last of them. */
export function toClaim(
  { consignment, charges, disputedCharges, row }: AuditedConsignment,
  by: Writer,
  kept: KeptBills,
  findEntries: FindEntries,
): Claim {
  const { cents, gstBasis, gstCents } = getDisputed(row)
  if (cents === 0) return { cents, on: [] }
  const createFindGst = (own: readonly BillLine[]) => (part: number) => {
    if (gstCents !== undefined) return roundCents((gstCents * part) / cents)
    const entries = gstBasis === "unknown" ? undefined : findEntries(own)
    return entries && gstBasis !== "unknown"
      ? findOwnGst(entries, disputedCharges, part, gstBasis)
      : undefined
  }
  return {
    cents,
    on: listKept(groupLastFirst(charges), kept).map(([bill, own]) => ({
      id: identifyOn("dispute", bill, consignment),
      ...ofBill(bill),
      ...ofConsignment({ consignment, row }),
      verdict: row.verdict,
      why: row.why,
      amountCents: Math.max(0, getAmount(gstBasis, sumCharges(own))),
      gstBasis,
      findGst: createFindGst(own),
      ...by,
    })),
  }
}

/**
 * Amounts without GST do not contain GST above 10 %. If some of that is disputed, the whole dispute is with GST, which
 * is known.
 */
function getDisputed({ disputed, disputedGst, gstBasis }: AuditedConsignment["row"]) {
  const [all, excess] = [Math.round(disputed * 100), Math.round(disputedGst * 100)]
  if (excess === 0 || gstBasis !== "excluded") return { cents: all, gstBasis, gstCents: undefined }
  const exGst = all - excess
  const cents = getAmount("included", { ...NO_MONEY, exGst }) + excess
  return { cents, gstBasis: "included" as const, gstCents: cents - exGst }
}

/** Credits for a consignment on bills that credit more than they charge for it. */
export function listCredits(each: AuditedConsignment, by: Writer, kept: KeptBills): Credit[] {
  return buildCredits(each, by, kept, (bill, own) => {
    const sum = sumCharges(own)
    // If only GST is credited, the credit is with GST.
    const isGstAlone = sum.exGst === 0 && (sum.incGst ?? 0) < 0
    if (getChargedCents(sum) >= 0 && !isGstAlone) return undefined
    const given = negate(sum)
    return {
      id: identifyOn("credit", bill, each.consignment),
      ...(isGstAlone ? { ...given, exGst: null } : given),
    }
  })
}

/**
 * Credits of grown bills for disputes that were raised on them before: the lines added for a consignment are a credit,
 * but all its lines together are still a charge.
 * @param known the disputes and credits of these bills
 */
export function listLaterCredits(
  each: AuditedConsignment,
  by: Writer,
  kept: KeptBills,
  known: DisputeBook,
): Credit[] {
  return buildCredits(each, by, kept, (bill, own) => {
    const added = sumCharges(own.filter((line) => bill.added?.has(line)))
    if (getChargedCents(added) >= 0 || getChargedCents(sumCharges(own)) < 0) return undefined
    const disputeId = identifyOn("dispute", bill, each.consignment)
    if (!known.disputes.some((dispute) => dispute.id === disputeId)) return undefined
    const id = toLaterCreditId(disputeId)
    return {
      id,
      ...negate(
        added,
        known.credits.find((credit) => credit.id === id),
      ),
    }
  })
}

/** One credit for each bill with a credit for a consignment. @param give undefined if a bill gives nothing */
function buildCredits(
  { consignment, charges, row }: AuditedConsignment,
  { day: _, ...written }: Writer,
  kept: KeptBills,
  give: (bill: KeptBill, own: readonly BillLine[]) => (Money & { id: string }) | undefined,
): Credit[] {
  return listKept(
    groupBy(charges, ({ bill }) => bill),
    kept,
  ).flatMap(([bill, own]) => {
    const given = give(bill, own)
    return given ? [{ ...ofBill(bill), ...ofConsignment({ consignment, row }), ...given, ...written }] : []
  })
}

/** The credited amount, in positive cents, including earlier credits. */
function negate(sum: Money, before?: Money): Money {
  const give = (name: keyof Money) => {
    const cents = sum[name]
    return cents === null ? null : (before?.[name] ?? 0) - cents
  }
  return {
    exGst: give("exGst"),
    gst: give("gst"),
    incGst: give("incGst"),
    unspecifiedGstCents: give("unspecifiedGstCents"),
  }
}

/** An unbooked consignment gets the carrier of the bill's other consignments, if they have only one. */
export function nameCarriers(audited: readonly AuditedConsignment[]): readonly AuditedConsignment[] {
  const carriers = new Map<Bill, Set<string>>()
  for (const { charges, row } of audited)
    if (row.carrier !== null)
      for (const { bill } of charges) carriers.set(bill, (carriers.get(bill) ?? new Set()).add(row.carrier))
  return audited.map((each) => {
    if (each.row.carrier !== null) return each
    const [carrier, ...others] = new Set(each.charges.flatMap(({ bill }) => [...(carriers.get(bill) ?? [])]))
    return carrier === undefined || others.length > 0 ? each : { ...each, row: { ...each.row, carrier } }
  })
}

type FindUnused = (each: AuditedConsignment) => UnusedCredit[]

/** Finds unused credits for a consignment: they pay what is raised now. */
export function indexUnused(credits: readonly CreditBalance[]): FindUnused {
  const unused = credits.filter(({ cents, usedCents }) => cents > usedCents)
  const byConsignment = groupBy(unused, ({ credit }) => plainName(credit.consignment))
  const byShipment = groupBy(unused, ({ credit }) => credit.shipmentId)
  return ({ row: { consignmentNumber, shipmentId, carrier } }) => {
    const own = [
      ...(consignmentNumber === null ? [] : (byConsignment.get(plainName(consignmentNumber)) ?? [])),
      ...(shipmentId === null ? [] : (byShipment.get(shipmentId) ?? [])),
    ]
    return [...new Set(own)]
      .filter(({ credit }) => credit.carrier === "" || carrier === null || credit.carrier === carrier)
      .map(toUnused)
  }
}

function toUnused({ credit, cents, usedCents }: CreditBalance): UnusedCredit {
  const { billNumber, file, exGst, gst, incGst, unspecifiedGstCents } = credit
  const left = cents - usedCents
  const share = (amount: number | null) => (amount === null ? null : Math.round((amount * left) / cents))
  return {
    ...{ billNumber, file, isWhole: usedCents === 0 },
    ...{
      exGst: share(exGst),
      gst: share(gst),
      incGst: share(incGst),
      unspecifiedGstCents: share(unspecifiedGstCents),
    },
  }
}

/** Credits pay disputes, so they must not reduce the disputed amount as well. */
export function grossUp(
  each: AuditedConsignment,
  unused: readonly UnusedCredit[],
  { assessExcludingCredits }: Pick<Audit, "assessExcludingCredits">,
): AuditedConsignment {
  if (unused.length === 0) return each
  const { row, ...gross } = assessExcludingCredits(each, unused)
  return { ...each, ...gross, row: { ...each.row, ...row } }
}

/** Bills that have grown since are left out. */
function listKept<T>(byBill: Iterable<readonly [Bill, T]>, kept: KeptBills): (readonly [KeptBill, T])[] {
  return Array.from(
    byBill,
    ([bill, own]) => [kept.get(bill) ?? keptAs(bill, undefined, false), own] as const,
  ).filter(([{ isOutdated }]) => isOutdated !== true)
}

/** A bill without a number is identified by its file name and day. */
function identify({ bill: { number }, supplier, file, date }: KeptBill): string[] {
  if (number !== "") return [supplier, number]
  return ["", file, ...(date === "" ? [] : [date])]
}

/** Whether a dispute or a credit belongs to a bill, in any spelling of its supplier. */
export function isOnBill(
  { supplier, billNumber, billDate, file }: Pick<Dispute, "supplier" | "billNumber" | "billDate" | "file">,
  { bill, supplier: keptSupplier, ...kept }: KeptBill,
): boolean {
  if (bill.number === "") return billNumber === "" && file === kept.file && billDate === kept.date
  return billNumber === bill.number && [bill.supplier, keptSupplier].includes(supplier)
}

/** The ID of a dispute or credit for a consignment on a bill: the same in every audit on every workstation. */
export function identifyOn(kind: "dispute" | "credit", kept: KeptBill, consignment: Consignment): string {
  const { number, match } = consignment
  if (number !== "" && match.is !== "damaged") return toId(kind, ...identify(kept), number)
  const { bill } = kept
  const document = bill.number === "" && bill.index !== undefined ? [bill.index] : []
  return toId(kind, ...identify(kept), JSON.stringify([...document, number, getUnnamedLabel(consignment)]))
}

/** A bill without a number keeps the name from its first audit. */
function ofBill({ bill, file, date }: KeptBill) {
  const { supplier, number } = bill
  return number === ""
    ? { supplier, billNumber: number, billDate: date, file }
    : { supplier, billNumber: number, billDate: bill.date, file: path.basename(bill.file) }
}

function ofConsignment({ consignment, row }: Pick<AuditedConsignment, "consignment" | "row">) {
  const named = consignment.named.flatMap(({ names }) => names).find((name) => !isNumberName(name))
  return {
    consignment: row.consignmentNumber ?? "",
    shipmentId: row.shipmentId ?? "",
    reference: row.reference ?? named?.text ?? "",
    carrier: row.carrier ?? "",
  }
}
