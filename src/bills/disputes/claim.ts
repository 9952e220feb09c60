/** What an audit disputes, and what bills give back: as it is kept, under ids that are the same whenever and wherever a bill is audited. */
import path from "node:path"
import { getAmount, getAskedCents, type Money, NO_MONEY, sumCharges } from "../money.ts"
import type { Audit, AuditedConsignment, UnusedCredit } from "../audit/audit.ts"
import { type Bill, type BillLine, groupLastFirst } from "../bill.ts"
import { type Consignment, isNumberName } from "../matching/match.ts"
import { getUnnamedLabel, type KeptBill, type KeptBills, keptAs } from "../audit/remember.ts"
import { groupBy } from "../../base/grouping.ts"
import { plainName } from "../../ledger/records/bills.ts"
import type { Credit, Dispute, DisputeBook } from "../../ledger/records/disputes.ts"
import { toId, toLaterCreditId } from "../ids.ts"
import type { Writer } from "./settle.ts"
import type { CreditStanding } from "./standing.ts"

/** What is to be disputed for a consignment. */
export interface Claim {
  cents: number
  /** On each of its bills as much as that charges, the last bill first. */
  on: readonly Dispute[]
}

/** What several bills charge together is disputed with the last of them. */
export function toClaim(
  { consignment, charges, row }: AuditedConsignment,
  by: Writer,
  kept: KeptBills,
): Claim {
  const { cents, gstBasis } = getDisputed(row)
  if (cents === 0) return { cents, on: [] }
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
      ...by,
    })),
  }
}

/** GST above 10 % is in no amount without GST: where some of it is disputed, all of it is with GST. */
function getDisputed({ disputed, disputedGst, gst }: AuditedConsignment["row"]) {
  const [cents, gstCents] = [Math.round(disputed * 100), Math.round(disputedGst * 100)]
  if (gstCents === 0 || gst !== "excluded") return { cents, gstBasis: gst }
  const exGst = cents - gstCents
  return {
    cents: getAmount("included", { ...NO_MONEY, exGst }) + gstCents,
    gstBasis: "included" as const,
  }
}

/** What bills give back for a consignment where that is more than they charge for it. */
export function listCredits(each: AuditedConsignment, by: Writer, kept: KeptBills): Credit[] {
  return buildCredits(each, by, kept, (bill, own) => {
    const sum = sumCharges(own)
    // GST alone is given back with GST.
    const isGstAlone = sum.exGst === 0 && (sum.incGst ?? 0) < 0
    if (getAskedCents(sum) >= 0 && !isGstAlone) return undefined
    const given = negate(sum)
    return {
      id: identifyOn("credit", bill, each.consignment),
      ...(isGstAlone ? { ...given, exGst: null } : given),
    }
  })
}

/**
 * What bills that have grown give back of disputes that were raised on them before: what is added for a consignment, where
 * that is a credit and all of it together is still a charge.
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
    if (getAskedCents(added) >= 0 || getAskedCents(sumCharges(own)) < 0) return undefined
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

/** A credit of each bill that gives anything back for a consignment. @param give undefined where a bill gives nothing */
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

/** What is given back, in positive cents, with what was given back before. */
function negate(sum: Money, before?: Money): Money {
  const give = (name: keyof Money) => {
    const cents = sum[name]
    return cents === null ? null : (before?.[name] ?? 0) - cents
  }
  return { exGst: give("exGst"), gst: give("gst"), incGst: give("incGst"), unsaid: give("unsaid") }
}

/** What was not booked is of the carrier whose other consignments are on the bill, as far as that is one. */
export function nameCarriers(audited: readonly AuditedConsignment[]): readonly AuditedConsignment[] {
  const carriers = new Map<Bill, Set<string>>()
  for (const { charges, row } of audited)
    if (row.carrier !== "")
      for (const { bill } of charges) carriers.set(bill, (carriers.get(bill) ?? new Set()).add(row.carrier))
  return audited.map((each) => {
    if (each.row.carrier !== "") return each
    const [carrier, ...others] = new Set(each.charges.flatMap(({ bill }) => [...(carriers.get(bill) ?? [])]))
    return carrier === undefined || others.length > 0 ? each : { ...each, row: { ...each.row, carrier } }
  })
}

type FindUnused = (each: AuditedConsignment) => UnusedCredit[]

/** Finds what is left of credits for a consignment: it pays what is raised now. */
export function indexUnused(credits: readonly CreditStanding[]): FindUnused {
  const unused = credits.filter(({ cents, usedCents }) => cents > usedCents)
  const byConsignment = groupBy(unused, ({ credit }) => plainName(credit.consignment))
  const byShipment = groupBy(unused, ({ credit }) => credit.shipmentId)
  return ({ row: { consignment, shipmentId, carrier } }) => {
    const own = [
      ...(consignment === "" ? [] : (byConsignment.get(plainName(consignment)) ?? [])),
      ...(shipmentId === "" ? [] : (byShipment.get(shipmentId) ?? [])),
    ]
    return [...new Set(own)]
      .filter(({ credit }) => credit.carrier === "" || carrier === "" || credit.carrier === carrier)
      .map(toUnused)
  }
}

function toUnused({ credit, cents, usedCents }: CreditStanding): UnusedCredit {
  const { billNumber, file, exGst, gst, incGst, unsaid } = credit
  const left = cents - usedCents
  const share = (amount: number | null) => (amount === null ? null : Math.round((amount * left) / cents))
  return {
    ...{ billNumber, file, isWhole: usedCents === 0 },
    ...{ exGst: share(exGst), gst: share(gst), incGst: share(incGst), unsaid: share(unsaid) },
  }
}

/** A credit pays what is disputed, and so is not taken off that before. */
export function grossUp(
  each: AuditedConsignment,
  unused: readonly UnusedCredit[],
  { assessWithout }: Pick<Audit, "assessWithout">,
): AuditedConsignment {
  if (unused.length === 0) return each
  const { charges, ...gross } = assessWithout(each, unused)
  return { ...each, charges, row: { ...each.row, ...gross } }
}

/** What a bill was before it grew says nothing any more. */
function listKept<T>(byBill: Iterable<readonly [Bill, T]>, kept: KeptBills): (readonly [KeptBill, T])[] {
  return Array.from(
    byBill,
    ([bill, own]) => [kept.get(bill) ?? keptAs(bill, undefined, false), own] as const,
  ).filter(([{ isOutdated }]) => isOutdated !== true)
}

/** A bill without a number is known by its file's name and its day. */
function identify({ bill: { number }, supplier, file, date }: KeptBill): string[] {
  if (number !== "") return [supplier, number]
  return ["", file, ...(date === "" ? [] : [date])]
}

/** Whether a dispute or a credit is of a bill, in any spelling of its supplier. */
export function isOnBill(
  { supplier, billNumber, billDate, file }: Pick<Dispute, "supplier" | "billNumber" | "billDate" | "file">,
  { bill, supplier: keptSupplier, ...kept }: KeptBill,
): boolean {
  if (bill.number === "") return billNumber === "" && file === kept.file && billDate === kept.date
  return billNumber === bill.number && [bill.supplier, keptSupplier].includes(supplier)
}

/** The id of what is disputed or credited for a consignment on a bill: the same whenever, and wherever, it is audited. */
export function identifyOn(kind: "dispute" | "credit", kept: KeptBill, consignment: Consignment): string {
  const { number, match } = consignment
  if (number !== "" && match.is !== "damaged") return toId(kind, ...identify(kept), number)
  const { bill } = kept
  const document = bill.number === "" && bill.index !== undefined ? [bill.index] : []
  return toId(kind, ...identify(kept), JSON.stringify([...document, number, getUnnamedLabel(consignment)]))
}

/** One without a number is called as it was when it was audited first. */
function ofBill({ bill, file, date }: KeptBill) {
  const { supplier, number } = bill
  return number === ""
    ? { supplier, billNumber: number, billDate: date, file }
    : { supplier, billNumber: number, billDate: bill.date, file: path.basename(bill.file) }
}

function ofConsignment({ consignment, row }: Pick<AuditedConsignment, "consignment" | "row">) {
  const named = consignment.named.flatMap(({ names }) => names).find((name) => !isNumberName(name))
  return {
    consignment: row.consignment,
    shipmentId: row.shipmentId,
    reference: row.reference || (named?.text ?? ""),
    carrier: row.carrier,
  }
}
