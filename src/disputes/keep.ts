/** Keeps what an audit says to dispute and what carriers credit, once for each consignment and bill, and pays the one with the other. */
import { createHash } from "node:crypto"
import path from "node:path"
import { getAmount, getAskedCents, NO_AMOUNTS, sumCharges } from "../audit/amounts.ts"
import type { AuditedConsignment, UnusedCredit } from "../audit/audit.ts"
import { type Bill, type BillLine, groupLastFirst } from "../audit/bill.ts"
import { type Consignment, isNumberField } from "../audit/match.ts"
import { groupBy } from "../contract/grouping.ts"
import type { Database, Transaction } from "../ledger/database/database.ts"
import type { Sender } from "../ledger/entry.ts"
import { plainName } from "../ledger/records/bills.ts"
import {
  addDisputes,
  addSteps,
  type Credit,
  type Dispute,
  type DisputeBook,
  readDisputesOn,
  readUnsettled,
  replaceCredits,
  type Step,
} from "../ledger/records/disputes.ts"
import { type Guess, listExcess, matchCredits, type Payment } from "./match.ts"
import { type CreditStanding, creditStandingsOf, isOpen, type Standing, standingsOf } from "./standing.ts"

/** Who writes, and when: `day` is `yyyy-mm-dd`, `at` ISO 8601 in UTC. */
export interface Writer extends Sender {
  day: string
  at: string
}

/** What came of it. */
export interface Kept {
  raised: Dispute[]
  /** Raised before; `amountCents` is what this audit would have raised. */
  before: { standing: Standing; amountCents: number }[]
  payments: Payment[]
  guesses: Guess[]
  /** Credits of this audit of which something is left. */
  surplus: CreditStanding[]
  /** Open disputes of bills that were corrected, of which nothing is to be disputed now. */
  gone: Standing[]
  /** Credits of bills that were corrected, which do not name their consignments now: they still count. */
  missing: Credit[]
}

const NOTHING: Kept = {
  ...{ raised: [], before: [], payments: [], guesses: [], surplus: [], gone: [], missing: [] },
}

const LOCK = "freight disputes"

/** Does all of it alone, and sees what others did before. */
export function alone<T>(database: Database, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (transaction) => {
    await transaction.lock([LOCK])
    return work(transaction)
  })
}

/** @param isToRaise false keeps only credits, and what they pay */
export async function keepClaims(
  database: Database,
  rows: readonly AuditedConsignment[],
  by: Writer,
  isToRaise: boolean,
): Promise<Kept> {
  const audited = nameCarriers(rows)
  const credits = audited.flatMap((each) => listCredits(each, by))
  const bills = listBills(audited)
  const numbers = bills.map(({ number }) => number)
  if (credits.length === 0 && !(isToRaise && audited.some(({ row }) => row.disputed > 0))) {
    const { disputes, credits: before } = await readDisputesOn(database, numbers)
    if (disputes.length + before.length === 0) return NOTHING
  }
  return alone(database, async (transaction) => {
    const known = await readDisputesOn(transaction, numbers)
    const creditedBefore = new Map(known.credits.map((each) => [each.id, getAskedCents(each)]))
    const { withdrawn, missing } = findWithdrawn(audited, credits, known, bills)
    await replaceCredits(transaction, [
      ...credits.filter((each) => creditedBefore.get(each.id) !== getAskedCents(each)),
      ...withdrawn.map((credit) => withdraw(credit, by)),
    ])
    const first = await settle(transaction, by)
    const findUnused = indexUnused(creditStandingsOf(first.book))
    const claims = audited
      .map((each) => toClaim(grossUp(each, findUnused(each)), by))
      .filter(({ cents }) => cents > 0)
    const { raised, before } = isToRaise ? divideClaims(claims, known) : { raised: [], before: [] }
    await addDisputes(transaction, raised)
    const { payments, guesses, book } =
      raised.length > 0 ? await settle(transaction, by) : { ...first, payments: [] }
    const own = new Set(credits.map(({ id }) => id))
    const surplus = creditStandingsOf(book).filter(
      ({ credit, cents, usedCents }) => own.has(credit.id) && cents > usedCents,
    )
    return {
      ...{ raised, before, payments: [...first.payments, ...payments], surplus, missing },
      guesses: guesses.filter(({ credit }) => own.has(credit.id)),
      gone: findGone(audited, claims, standingsOf(known), bills),
    }
  })
}

/** What was not booked is of the carrier whose other consignments are on the bill, as far as that is one. */
function nameCarriers(audited: readonly AuditedConsignment[]): readonly AuditedConsignment[] {
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
function indexUnused(credits: readonly CreditStanding[]): FindUnused {
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
function grossUp(each: AuditedConsignment, unused: readonly UnusedCredit[]): AuditedConsignment {
  if (unused.length === 0) return each
  const { charges, ...gross } = each.assessWithout(unused)
  return { ...each, charges, row: { ...each.row, ...gross } }
}

function listBills(audited: readonly AuditedConsignment[]): Bill[] {
  return [...new Set(audited.flatMap(({ charges }) => charges.map(({ bill }) => bill)))]
}

/** Raises what was not raised before, on whatever of the bills. */
function divideClaims(claims: readonly Claim[], known: DisputeBook): Pick<Kept, "raised" | "before"> {
  const standings = new Map(standingsOf(known).map((each) => [each.dispute.id, each]))
  const divided = claims.map(({ cents, on }): Pick<Kept, "raised" | "before"> => {
    const before = on.flatMap(({ id }) => standings.get(id) ?? [])
    let left = cents - before.reduce((sum, { dispute }) => sum + dispute.amountCents, 0)
    const raised = on.flatMap((draft): Dispute[] => {
      const amountCents = Math.min(left, draft.amountCents)
      if (standings.has(draft.id) || amountCents <= 0) return []
      left -= amountCents
      return [{ ...draft, amountCents }]
    })
    return {
      raised,
      before: before.map((standing, at) => ({
        standing,
        amountCents: standing.dispute.amountCents + (at === 0 ? left : 0),
      })),
    }
  })
  return {
    raised: divided.flatMap((each) => each.raised),
    before: divided.flatMap((each) => each.before),
  }
}

/** Credits that these bills gave when they were audited before, and do not give now. */
function findWithdrawn(
  audited: readonly AuditedConsignment[],
  credits: readonly Credit[],
  known: DisputeBook,
  bills: readonly Bill[],
): { withdrawn: Credit[]; missing: Credit[] } {
  const given = new Set(credits.map(({ id }) => id))
  const open = known.credits.filter((each) => !given.has(each.id) && getAskedCents(each) !== 0)
  if (open.length === 0) return { withdrawn: [], missing: [] }
  const named = new Set(
    audited.flatMap(({ consignment, charges }) =>
      [...new Set(charges.map(({ bill }) => bill))].map((bill) => identifyOn("credit", bill, consignment)),
    ),
  )
  const changed = bills.filter(({ isChanged }) => isChanged)
  return {
    withdrawn: open.filter(({ id }) => named.has(id)),
    missing: open.filter((each) => !named.has(each.id) && changed.some((bill) => isOnBill(each, bill))),
  }
}

function withdraw(credit: Credit, { workstation, person, at }: Writer): Credit {
  const none = (cents: number | null) => (cents === null ? null : 0)
  const { exGst, gst, incGst, unsaid } = credit
  return {
    ...credit,
    ...{ exGst: none(exGst), gst: none(gst), incGst: none(incGst), unsaid: none(unsaid) },
    ...{ workstation, person, at },
  }
}

/** What is open on bills that were corrected, and would not be disputed now. */
function findGone(
  audited: readonly AuditedConsignment[],
  claims: readonly Claim[],
  known: readonly Standing[],
  bills: readonly Bill[],
): Standing[] {
  const changed = bills.filter(({ isChanged }) => isChanged)
  const open = known.filter((each) => isOpen(each) && changed.some((bill) => isOnBill(each.dispute, bill)))
  if (open.length === 0) return []
  const unclear = audited.filter(({ row }) => row.verdict === "cannot-tell" && row.billed > 0)
  const disputed = new Set([
    ...claims.flatMap(({ on }) => on.map(({ id }) => id)),
    ...unclear.flatMap(({ consignment }) => changed.map((bill) => identifyOn("dispute", bill, consignment))),
  ])
  return open.filter(({ dispute }) => !disputed.has(dispute.id))
}

/** Settles what two ledgers say that were copied together. */
export async function settleDisputes(database: Database, by: Writer): Promise<void> {
  await alone(database, (transaction) => settle(transaction, by))
}

/** Pays until nothing can be paid: what is taken back may pay another. */
async function settle(transaction: Transaction, by: Writer) {
  const payments: Payment[] = []
  for (;;) {
    const book = await readUnsettled(transaction)
    const standings = standingsOf(book)
    const excess = standings.flatMap((standing) => takeExcess(standing, by))
    await addSteps(transaction, excess)
    if (excess.length > 0) continue
    const matched = matchCredits(creditStandingsOf(book), standings)
    if (matched.payments.length === 0) return { payments, guesses: matched.guesses, book }
    payments.push(...matched.payments)
    await addPayments(transaction, matched.payments, book, by)
  }
}

function takeExcess(standing: Standing, by: Writer): Step[] {
  const { dispute, steps } = standing
  return listExcess(standing).map(({ kind, cents }) => ({
    id: toId(dispute.id, kind, "closed twice", String(steps.length), String(cents)),
    ...{ disputeId: dispute.id, kind, amountCents: -cents, ...by, why: "closed in two ledgers" },
  }))
}

/** A payment of what was denied or written off takes that back first. */
export async function addPayments(
  transaction: Transaction,
  payments: readonly Payment[],
  { steps }: DisputeBook,
  by: Writer,
): Promise<Step[]> {
  const counts = new Map<string, number>()
  for (const { disputeId } of steps) counts.set(disputeId, (counts.get(disputeId) ?? 0) + 1)
  const written = payments.flatMap(({ credit, dispute, cents, creditCents, reopened }): Step[] => {
    const before = counts.get(dispute.id) ?? 0
    counts.set(dispute.id, before + 1)
    const step = (kind: Step["kind"], amountCents: number, more: Partial<Step> = {}): Step => ({
      // The same in two ledgers that are copied together.
      id: toId(dispute.id, credit.id, kind, String(before), String(amountCents)),
      disputeId: dispute.id,
      kind,
      amountCents,
      ...by,
      ...more,
    })
    const why = `credited on ${nameBill(credit)}`
    return [
      ...(reopened.deniedCents > 0 ? [step("denied", -reopened.deniedCents, { why })] : []),
      ...(reopened.writtenOffCents > 0 ? [step("written-off", -reopened.writtenOffCents, { why })] : []),
      step("credited", cents, { creditId: credit.id, creditCents, why: nameBill(credit) }),
    ]
  })
  await addSteps(transaction, written)
  return written
}

/** `bill 4711`, or the file of one without a number. */
export function nameBill({ billNumber, file }: Pick<Credit, "billNumber" | "file">): string {
  return billNumber === "" ? file : `bill ${billNumber}`
}

export function toId(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)
}

/** What is to be disputed for a consignment. */
interface Claim {
  cents: number
  /** On each of its bills as much as that charges, the last bill first. */
  on: readonly Dispute[]
}

/** What several bills charge together is disputed with the last of them. */
function toClaim({ consignment, charges, row }: AuditedConsignment, by: Writer): Claim {
  const { cents, gstBasis } = getDisputed(row)
  if (cents === 0) return { cents, on: [] }
  return {
    cents,
    on: groupLastFirst(charges).map(([bill, own]) => ({
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
    cents: getAmount("included", { ...NO_AMOUNTS, exGst }) + gstCents,
    gstBasis: "included" as const,
  }
}

function listCredits({ consignment, charges, row }: AuditedConsignment, by: Writer): Credit[] {
  return [...groupBy(charges, ({ bill }) => bill)].flatMap(([bill, own]): Credit[] => {
    const sum = sumCharges(own)
    // GST alone is given back with GST.
    const isGstAlone = sum.exGst === 0 && (sum.incGst ?? 0) < 0
    if (getAskedCents(sum) >= 0 && !isGstAlone) return []
    const { day: _, ...written } = by
    const give = (cents: number | null) => (cents === null ? null : -cents)
    return [
      {
        id: identifyOn("credit", bill, consignment),
        ...ofBill(bill),
        ...ofConsignment({ consignment, row }),
        exGst: isGstAlone ? null : give(sum.exGst),
        gst: give(sum.gst),
        incGst: give(sum.incGst),
        unsaid: give(sum.unsaid),
        ...written,
      },
    ]
  })
}

/** A bill without a number is known by its file's name and its day. */
function identify({ knownAs, supplier, number, date, file }: Bill): string[] {
  if (number !== "") return [knownAs ?? supplier, number]
  return ["", path.basename(file), ...(date === "" ? [] : [date])]
}

/** Whether a dispute or a credit is of a bill, in any spelling of its supplier. */
export function isOnBill(
  { supplier, billNumber, billDate, file }: Pick<Dispute, "supplier" | "billNumber" | "billDate" | "file">,
  bill: Bill,
): boolean {
  if (bill.number === "")
    return billNumber === "" && file === path.basename(bill.file) && billDate === bill.date
  return billNumber === bill.number && [bill.supplier, bill.knownAs].includes(supplier)
}

/** The id of what is disputed or credited for a consignment on a bill: the same whenever, and wherever, it is audited. */
export function identifyOn(kind: "dispute" | "credit", bill: Bill, consignment: Consignment): string {
  const { number, missing, named } = consignment
  if (number !== "" && missing !== "damaged") return toId(kind, ...identify(bill), number)
  const [line] = named.flatMap(({ lines }) => lines)
  const document = bill.number === "" && bill.index !== undefined ? [bill.index] : []
  return toId(kind, ...identify(bill), JSON.stringify([...document, number, line?.label ?? ""]))
}

function ofBill({ supplier, number, date, file }: BillLine["bill"]) {
  return { supplier, billNumber: number, billDate: date, file: path.basename(file) }
}

function ofConsignment({ consignment, row }: Pick<AuditedConsignment, "consignment" | "row">) {
  const named = consignment.named.flatMap(({ names }) => names).find(({ field }) => !isNumberField(field))
  return {
    consignment: row.consignment,
    shipmentId: row.shipmentId,
    reference: row.reference || (named?.text ?? ""),
    carrier: row.carrier,
  }
}
