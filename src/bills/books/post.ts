/**
 * Posts bills: each line once, whichever workstation runs it. Disputed amounts go to a clearing account, and lines that
 * were added to a bill later are a separate part.
 */
import { getChargedCents, type Taxed } from "../money.ts"
import type { Bill, BillLine } from "../bill.ts"
import { bookingOf, type Consignment, shipmentIdOf } from "../matching/match.ts"
import {
  type Before,
  findAgainOf,
  getUnnamedLabel,
  type KeptBill,
  keptAs,
  listConsignments,
  recognizeBill,
} from "../audit/remember.ts"
import { compareLines, type LineHashes, listHashes } from "../growth.ts"
import { nextCommand } from "../../base/command-line.ts"
import { counted, listSome } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatCents } from "../../base/money.ts"
import type { Program } from "../programs.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { readStandings } from "../disputes/act.ts"
import { identifyOn, isOnBill } from "../disputes/claim.ts"
import { toId } from "../ids.ts"
import { writeAlone } from "../disputes/settle.ts"
import { splitGst, type DisputeBalance, toDisputeBalances } from "../disputes/balance.ts"
import { FreightError } from "../../base/errors.ts"
import { type Database, plainName, type Sender, type Transaction } from "../../ledger/index.ts"
import {
  addPostings,
  findPostings,
  getPostedNumber,
  type PostedCharge,
  type Posting,
} from "../records/postings.ts"
import { type Credit, type Dispute, type DisputeBook, readDisputes } from "../records/disputes.ts"
import {
  findBills,
  findToDispute,
  readConsignmentsOf,
  type RememberedBill,
  type ToDispute,
} from "../records/bills.ts"
import { applyBasis, toBasis } from "../understand.ts"
import { readAccount } from "./account.ts"
import { type ClearingAccount, getPaid, listActive } from "./clearing.ts"
import { type Entry, listEntries, splitOff, splitOffDisputed, sumEntries } from "../entries.ts"
import { BOOKS, type BookOptions, type BookRow, mustBeTyped, writeBill } from "./formats.ts"
import { describeSubject, findRule, type Rule, type Subject, type Target } from "./rules.ts"

export interface BillToPost {
  kept: KeptBill
  /** As the books name the supplier. */
  supplier: string
  number: string
  /** `yyyy-mm-dd`. */
  date: string
  /** `yyyy-mm-dd`; empty if neither the bill nor a person gives it, as for a bill that was posted before. */
  due: string
  parts: readonly Part[]
  lines: readonly BillLine[]
  hashes: LineHashes
}

/** The charges of a bill for one consignment, or without one. */
interface Part {
  /** For people, and for detecting changes. */
  name: string
  consignment: Consignment | undefined
  entries: readonly Entry[]
}

export interface PostOptions {
  program: Program
  rules: readonly Rule[]
  /** The target if no rule matches. */
  otherwise: Target | undefined
  /** The account for disputed amounts. */
  clearing: string | undefined
  /** One row for each account, cost centre and tax code. */
  isSummed: boolean
  /** Write again what was posted before. */
  isAgain: boolean
  /** Show what would be posted, but post nothing. */
  isDryRun?: boolean
  book: BookOptions
}

/** A bill's posting, and whether it is new. */
export interface Posted {
  posting: Posting
  isNew: boolean
}

export function splitByConsignment(
  bill: Bill,
  consignments: readonly Consignment[],
): { consignment: Consignment; lines: readonly BillLine[] }[] {
  return consignments.flatMap((consignment) => {
    const lines = consignment.named
      .flatMap((each) => each.lines)
      .filter((line) => line.bill === bill)
      .sort((one, other) => one.at - other.at)
    return lines.length === 0 ? [] : [{ consignment, lines }]
  })
}

/**
 * @param kept from `checkAudited`
 * @param heading what the books need besides the amounts
 * @param hashes of all lines that were read
 * @param givenGst cents of GST of the whole bill without its sign, if a person gives them
 */
export function prepareBill(
  kept: KeptBill,
  consignments: readonly Consignment[],
  heading: Pick<BillToPost, "supplier" | "number" | "date" | "due">,
  hashes: LineHashes,
  givenGst?: number,
): BillToPost {
  const { bill } = kept
  const split = splitByConsignment(bill, consignments)
  const entries = listEntries(
    bill,
    split.map(({ lines }) => lines),
    givenGst,
  )
  const byLine = new Map(split.flatMap((part) => part.lines.map((line) => [line, part.consignment])))
  const parts = Array.from(
    groupBy(entries, ({ line }) => line && byLine.get(line)),
    ([consignment, own]): Part => ({
      name: consignment ? consignment.number || (own[0]?.line?.label ?? "") : "the whole bill",
      consignment,
      entries: own,
    }),
  )
  return { kept, ...heading, parts, lines: bill.lines, hashes }
}

/** @param given the number under which a person says that a bill was audited; the bill gets it if that is true */
export async function checkAudited(
  database: Database,
  bills: readonly Bill[],
  hashes: LineHashes,
  given?: string,
): Promise<KeptBill[]> {
  const numbers = [...bills.map(({ number }) => number), ...(given === undefined ? [] : [given])]
  const known = await findBills(database, [...new Set(numbers)])
  return bills.map((bill) => {
    const underGiven = known.filter(({ number }) => number === given)
    if (
      given !== undefined &&
      recognizeBill({ ...bill, number: given }, underGiven, hashes).before === "again"
    )
      Object.assign(bill, { number: given })
    const { before, remembered, cents } = recognizeBill(
      bill,
      known.filter(({ number }) => number === bill.number),
      hashes,
    )
    if (before === "again") {
      const basis = remembered && toBasis(remembered.gstBasis)
      if (basis) applyBasis(bill, basis)
      return keptAs(bill, remembered, false)
    }
    throw new FreightError("input", describeOther(bill, before, remembered, cents), {
      hint: "Only audited bills go into the books. Nothing was written.",
      ...nextCommand("freight", "audit", bill.file),
    })
  })
}

/** @param consignments of all bills, as the ledger knows them */
export async function refuseOtherConsignments(
  database: Database,
  bills: readonly KeptBill[],
  consignments: readonly Consignment[],
  hashes: LineHashes,
): Promise<void> {
  const known = await findBills(database, [...new Set(bills.map(({ bill }) => bill.number))])
  for (const { bill, rememberedId } of bills) {
    const growth = known.find(({ id }) => id === rememberedId)?.growth
    if (!rememberedId || !growth) continue
    // The same lines belong to the same consignments.
    if (compareLines(listHashes(bill.lines, hashes), growth).is === "same") continue
    const then = await readConsignmentsOf(database, [rememberedId])
    const now = listConsignments(bill, consignments)
    const differing = then.flatMap((each) => {
      const cents = findAgainOf(each, now)?.cents
      const before = getChargedCents(each)
      const told = cents === undefined ? "not in it now" : `${formatCents(cents)} now`
      return cents === before ? [] : [`${each.consignment}: ${formatCents(before)} then, ${told}`]
    })
    const isNew = ({ names }: (typeof now)[number]) =>
      !then.some((each) => names.has(plainName(each.consignment)) || names.has(each.shipmentId ?? ""))
    const added = now
      .filter(isNew)
      .map((each) => `${each.consignment.number}: ${formatCents(each.cents)}, new`)
    if (differing.length + added.length === 0) continue
    throw new FreightError(
      "input",
      `${nameOf(bill)} was audited with the same amount for other consignments: ${listSome([...differing, ...added], MAX_DIFFERING)}`,
      {
        hint: "Only audited bills go into the books. Nothing was written.",
        ...nextCommand("freight", "audit", bill.file),
      },
    )
  }
}

const MAX_DIFFERING = 5

function describeOther(
  bill: Bill,
  before: Before | undefined,
  remembered: RememberedBill | undefined,
  cents: number,
): string {
  if (!remembered) return `${nameOf(bill)} was not audited`
  const [then, now] = [formatCents(remembered.amountCents), formatCents(cents)]
  if (before === "grown") return `${nameOf(bill)} has grown since it was audited: ${then} then, ${now} now`
  if (before === "outdated")
    return `${nameOf(bill)} has grown since: it was audited with ${then}, and this has ${now}`
  return `${nameOf(bill)} was audited with another amount: ${then} then, ${now} now`
}

function nameOf({ number, file }: Pick<Bill, "number" | "file">): string {
  return number === "" ? file : `bill ${number}`
}

/** Posts all bills, or none. A bill that was posted before returns its existing posting. */
export function postBills(
  database: Database,
  bills: readonly BillToPost[],
  options: PostOptions,
  sender: Sender,
  warn: (text: string) => void,
): Promise<Posted[]> {
  refuseTwins(bills)
  return writeAlone(database, sender, async (transaction, by) => {
    const known = await findPostings(
      transaction,
      bills.map(({ number }) => number),
    )
    const before = bills.map((each) => findEarlier(each, known))
    const asked = bills.map((each, at) => findUnposted(each, listActive(before[at] ?? []), options))
    for (const { bill, posting } of asked) if (!posting) requireDue(bill)
    const isAllKnown = asked.every(({ posting }) => posting !== undefined)
    const book = isAllKnown
      ? { disputes: [], steps: [], credits: [] }
      : await readDisputes(transaction, { billNumbers: bills.map(({ kept }) => kept.bill.number) })
    // A posting that is written again replaces the earlier one.
    const replaced = asked.flatMap(({ replaces }) => replaces?.id ?? [])
    const account = isAllKnown ? undefined : await readAccount(transaction, replaced)
    const paid = account ? await readPaid(transaction, book) : new Map<string, DisputeBalance[]>()
    const toDispute = isAllKnown ? [] : await findToDispute(transaction, listRememberedIds(bills))
    const targets = findTargets(
      asked.flatMap(({ bill, posting }) => (posting ? [] : [bill])),
      options,
    )
    const made = asked.map(({ bill, part, posting: earlier }, at): Posted => {
      if (earlier || !account) return { posting: earlier as Posting, isNew: false }
      const written = { ...by, at: toLater(by.at, before[at] ?? []) }
      const created = createPosting(bill, {
        part,
        options,
        by: written,
        book,
        account,
        paid,
        toDispute,
        targets,
        warn,
      })
      const count = before[at]?.length ?? 0
      const id = toId("posting", bill.kept.bill.supplier, bill.number, String(count))
      const posting = { ...created, id }
      account.add(posting)
      return { posting, isNew: true }
    })
    if (!options.isDryRun)
      await addPostings(
        transaction,
        made.flatMap(({ posting, isNew }) => (isNew ? [posting] : [])),
      )
    return made
  })
}

function requireDue({ due, kept: { bill } }: BillToPost): void {
  if (due !== "") return
  throw new FreightError("input", `${bill.file} does not say when it is to be paid: give it with --due`, {
    hint: "Nothing was written.",
  })
}

/**
 * Finds amounts to dispute on newly posted bills that were not raised: all of it goes to the expense accounts.
 * @returns for each of these bills its consignments
 */
export async function findUnraised(
  database: Database,
  bills: readonly BillToPost[],
  { isAgain }: Pick<PostOptions, "isAgain">,
): Promise<{ bill: BillToPost; unraised: ToDispute[] }[]> {
  const toDispute = await findToDispute(database, listRememberedIds(bills))
  if (toDispute.length === 0 && bills.every(({ kept }) => !kept.toDispute)) return []
  const { disputes } = await readDisputes(database, {
    billNumbers: bills.map(({ kept }) => kept.bill.number),
  })
  const postings = await findPostings(
    database,
    bills.map(({ number }) => number),
  )
  return bills.flatMap((bill) => {
    const active = isAgain ? [] : listActive(findEarlier(bill, postings))
    const posted = new Set(active.flatMap(({ content }) => content.map(({ name }) => name)))
    const raised = disputes.filter((each) => isOnBill(each, bill.kept)).map(({ consignment }) => consignment)
    const known = new Set([
      ...disputes.map(({ id }) => id),
      ...active.flatMap(({ accounts }) => Object.keys(accounts?.own ?? {})),
    ])
    const unraised = [
      ...toDispute.filter(
        ({ billId, consignment }) =>
          billId === bill.kept.rememberedId && !posted.has(consignment) && !raised.includes(consignment),
      ),
      ...listUnnamed(bill).flatMap(({ id, ...each }) => (known.has(id) ? [] : [each])),
    ]
    return unraised.length === 0 ? [] : [{ bill, unraised }]
  })
}

/** The disputable amounts of a bill's charges without a consignment, with the dispute's ID. */
function listUnnamed({ kept, parts }: BillToPost): (ToDispute & { id: string })[] {
  const { toDispute = {}, rememberedId: billId = "" } = kept
  return parts.flatMap(({ consignment }) => {
    const disputedCents = consignment?.number === "" ? toDispute[getUnnamedLabel(consignment)] : undefined
    return consignment && disputedCents !== undefined
      ? [{ billId, consignment: "", disputedCents, id: identifyOn("dispute", kept, consignment) }]
      : []
  })
}

function listRememberedIds(bills: readonly BillToPost[]): string[] {
  return bills.flatMap(({ kept }) => kept.rememberedId ?? [])
}

/** A posting time later than all earlier postings of the bill. ISO 8601 in UTC. */
export function toLater(now: string, before: readonly Posting[]): string {
  const last = before.reduce((latest, { at }) => (at > latest ? at : latest), "")
  return last < now ? now : new Date(Date.parse(last) + 1).toISOString()
}

interface Unposted {
  bill: BillToPost
  /** 1 for the first, 2 for the first lines added later, and so on. */
  part: number
  /** The existing posting, if all of it was posted. */
  posting?: Posting
  /** The existing posting that is written again. */
  replaces?: Posting
}

/** @param active its active postings */
function findUnposted(bill: BillToPost, active: readonly Posting[], options: PostOptions): Unposted {
  const parts = active.toSorted((one, other) => (one.part ?? 1) - (other.part ?? 1))
  const last = parts.at(-1)
  if (!last) return { bill, part: 1 }
  const part = last.part ?? 1
  if (options.isAgain) {
    const others = parts.slice(0, -1)
    if (others.length > 0 && comparePosted(bill, others).is === "other")
      throw new FreightError(
        "refused",
        `bill ${bill.number} was posted in ${parts.length} parts, and has changed since`,
        {
          hint: "If none of their files was imported, undo them one by one, with --not-imported, then --earlier. Nothing was written.",
          ...nextCommand("freight", "post", "--not-imported", bill.number),
        },
      )
    return { bill: leaveOut(bill, others), part, replaces: last }
  }
  refuseProgram(bill, last, options.program)
  const { is } = comparePosted(bill, parts)
  if (is === "grown") return { bill: leaveOut(bill, parts), part: part + 1 }
  refuseChange(bill, parts, last, options.program)
  return { bill, part, posting: last }
}

function comparePosted({ kept: { bill }, hashes }: BillToPost, postings: readonly Posting[]) {
  if (postings.some(({ lines }) => lines === undefined)) return { is: "other" as const, since: [] }
  return compareLines(
    listHashes(bill.lines, hashes),
    postings.map(({ at, lines = [] }) => ({ at, lines })),
  )
}

/** Subtracts what was posted, so that the rest is exact to the cent, even if GST is shared among all lines. */
function leaveOut(bill: BillToPost, postings: readonly Posting[]): BillToPost {
  const { is, since } = comparePosted(bill, postings)
  if (postings.length === 0 || is === "other") return bill
  const lines = bill.kept.bill.lines.filter((_, at) => since[at] === postings.length)
  const isNew = new Set<BillLine | undefined>(lines)
  const parts = bill.parts.flatMap((part) => {
    const entries = part.entries.filter(({ line }) => isNew.has(line))
    return entries.length === 0 ? [] : [{ ...part, entries }]
  })
  const all = sumEntries(bill.parts.flatMap(({ entries }) => entries))
  const [posted, found] = [sumEntries(postings), sumEntries(parts.flatMap(({ entries }) => entries))]
  const rest = { exGst: all.exGst - posted.exGst - found.exGst, gst: all.gst - posted.gst - found.gst }
  return { ...bill, parts: addRest(parts, rest), lines }
}

/** If sharing GST among more lines moved some cents, the largest line takes them; a larger rest belongs to the whole bill. */
function addRest(parts: readonly Part[], rest: Taxed): readonly Part[] {
  if (rest.exGst === 0 && rest.gst === 0) return parts
  const entries = parts.flatMap((part) => part.entries)
  const [first, ...others] = entries
  const isShared = rest.exGst === 0 || rest.exGst === -rest.gst
  if (!first || !isShared)
    return [...parts, { name: "the whole bill", consignment: undefined, entries: [rest] }]
  const most = others.reduce(
    (one, other) => (Math.abs(other.exGst) > Math.abs(one.exGst) ? other : one),
    first,
  )
  const add = (entry: Entry) =>
    entry === most ? { ...entry, exGst: entry.exGst + rest.exGst, gst: entry.gst + rest.gst } : entry
  return parts.map((part) => ({ ...part, entries: part.entries.map(add) }))
}

/** The disputes that these bills' credits pay, by credit ID. */
async function readPaid(
  transaction: Transaction,
  { steps, credits }: DisputeBook,
): Promise<Map<string, DisputeBalance[]>> {
  const own = new Set(credits.map(({ id }) => id))
  const payments = steps.filter(({ creditId = "" }) => own.has(creditId))
  const ids = [...new Set(payments.map(({ disputeId }) => disputeId))]
  const disputeBalances = new Map(
    (await readStandings(transaction, ids)).map((each) => [each.dispute.id, each]),
  )
  const paid = groupBy(payments, ({ creditId = "" }) => creditId)
  return new Map(
    Array.from(paid, ([creditId, some]) => [
      creditId,
      [...new Set(some.map(({ disputeId }) => disputeId))].flatMap((id) => disputeBalances.get(id) ?? []),
    ]),
  )
}

/** The same number and supplier; another spelling counts if the amount is the same. Newest first. */
function findEarlier({ kept: { bill }, number, parts }: BillToPost, known: readonly Posting[]): Posting[] {
  const { exGst, gst } = sumEntries(parts.flatMap(({ entries }) => entries))
  const plain = (text: string) => text.trim().toLowerCase()
  return known.filter(
    (each) =>
      each.billNumber === number &&
      (plain(each.supplier) === plain(bill.supplier) ||
        (each.undone === undefined && each.exGst + each.gst === exGst + gst)),
  )
}

/** Two bills of one number and supplier cannot both be right. */
function refuseTwins(bills: readonly BillToPost[]): void {
  for (const [{ kept, number }, other] of groupBy(bills, (each) =>
    JSON.stringify([each.kept.bill.supplier, each.number]),
  ).values() as Iterable<[BillToPost, BillToPost?]>)
    if (other)
      throw new FreightError(
        "input",
        `bill ${number} is in both ${kept.bill.file} and ${other.kept.bill.file}`,
        {
          hint: "Post the right one alone. Nothing was written.",
        },
      )
}

function refuseProgram(bill: BillToPost, earlier: Posting, program: Program): void {
  if (earlier.books === program) return
  throw new FreightError(
    "refused",
    `bill ${bill.number} ${describePosting(earlier)}, for ${BOOKS[earlier.books as Program]?.title ?? earlier.books}`,
    {
      hint: `If that file was not imported, --again writes it for ${BOOKS[program].title}. Nothing was written.`,
    },
  )
}

/** @param parts its postings; `last` is the newest */
function refuseChange(bill: BillToPost, parts: readonly Posting[], last: Posting, program: Program): void {
  const changes = listChanges(bill, parts, last)
  if (changes.length === 0) return
  throw new FreightError("refused", `bill ${bill.number} ${describePosting(last)}, and has changed since`, {
    errors: changes.map((message) => ({ message })),
    hint: `If that file was not imported, --again writes it once more. If it was, correct the bill in ${BOOKS[program].title}. Nothing was written.`,
  })
}

/** `was posted on Tue 24 Nov, 10:00 by ann at desk-1` */
export function describePosting({ at, person, workstation }: Posting): string {
  return `was posted on ${formatInstant(at)} by ${person || "somebody"} at ${workstation}`
}

/** Maximum number of changes listed one by one. */
const MAX_CHANGES = 20

function listChanges(bill: BillToPost, parts: readonly Posting[], last: Posting): string[] {
  const [now, then] = [listCharges(bill), parts.flatMap(({ content }) => content)].map(
    (charges) =>
      new Map(
        Array.from(
          groupBy(charges, ({ name }) => name),
          ([name, some]) => [name, { name, ...sumEntries(some) }],
        ),
      ),
  ) as [Map<string, PostedCharge>, Map<string, PostedCharge>]
  const changes = [...new Set([...then.keys(), ...now.keys()])].flatMap((name) => {
    const [one, other] = [then.get(name), now.get(name)]
    if (one?.exGst === other?.exGst && one?.gst === other?.gst) return []
    return [`${name}: ${describeCharge(other)} now, ${describeCharge(one)} then`]
  })
  if (bill.date !== last.billDate) changes.unshift(`the date: ${bill.date} now, ${last.billDate} then`)
  const more = changes.length - MAX_CHANGES
  return more > 0 ? [...changes.slice(0, MAX_CHANGES), `and ${more} more`] : changes
}

function describeCharge(charge: PostedCharge | undefined): string {
  return charge ? `${formatCents(charge.exGst)} and GST of ${formatCents(charge.gst)}` : "nothing"
}

function listCharges({ parts }: BillToPost): PostedCharge[] {
  return Array.from(
    groupBy(parts, ({ name }) => name),
    ([name, some]) => ({ name, ...sumEntries(some.flatMap(({ entries }) => entries)) }),
  )
}

/** Maximum number of consignments listed one by one. */
const MAX_LISTED = 20

function findTargets(
  bills: readonly BillToPost[],
  { rules, otherwise }: PostOptions,
): ReadonlyMap<Part, Target> {
  const targets = new Map<Part, Target>()
  const errors: { message: string }[] = []
  let count = 0
  for (const { kept, number, parts } of bills)
    for (const part of parts) {
      const subject = describeSubject(kept.bill, part.consignment)
      const target = chooseTarget(rules, subject, otherwise)
      if (target) targets.set(part, target)
      else if (count++ < MAX_LISTED)
        errors.push({
          message: `bill ${number}, ${part.name || "without a consignment"}: ${describeFor(subject)}`,
        })
    }
  if (count === 0) return targets
  throw new FreightError(
    "input",
    rules.length === 0
      ? "no account is given"
      : `no rule fits ${counted(count, "consignment")}, and there is no account for the others`,
    {
      errors: rules.length === 0 ? [] : errors,
      hint: 'Give the account of all others with --account or freight config set freightAccount, or add a rule: --rule "reference,SYD-,429,Sydney", or a row of --rules. Nothing was written.',
    },
  )
}

/** A rule's cost centre overrides the booking's, and the booking's overrides the default. */
function chooseTarget(
  rules: readonly Rule[],
  subject: Subject,
  otherwise: Target | undefined,
): Target | undefined {
  const rule = findRule(rules, subject)
  const target = rule ?? otherwise
  const booked = subject.costCentre
  return target && booked !== undefined && (rule?.costCentre ?? "") === ""
    ? { ...target, costCentre: booked }
    : target
}

function describeFor({ references, receiver, sender, carriers }: Subject): string {
  const place = (name: string, at: Subject["receiver"]) =>
    at?.companyName ? [`${name} ${at.companyName}`] : []
  return [
    ...references.map((text) => `reference ${text}`),
    ...place("receiver", receiver),
    ...place("sender", sender),
    ...carriers.map((text) => `carrier ${text}`),
  ].join(", ")
}

interface PostingContext {
  part: number
  options: PostOptions
  by: Sender & { at: string }
  book: DisputeBook
  account: ClearingAccount
  /** The disputes that the bills' credits pay, by credit ID. */
  paid: ReadonlyMap<string, readonly DisputeBalance[]>
  /** Amounts that audits found to dispute on the bills, raised or not. */
  toDispute: readonly ToDispute[]
  targets: ReadonlyMap<Part, Target>
  warn(text: string): void
}

interface Row extends BookRow {
  isCleared: boolean
  part: Part
}

function createPosting(
  each: BillToPost,
  { part: place, options, by, book, account, paid, toDispute, targets, warn }: PostingContext,
): Omit<Posting, "id"> {
  const { kept, supplier, number, date, due, parts } = each
  const { bill } = kept
  const { program, clearing, isSummed } = options
  const all = book.disputes.filter((dispute) => isOnBill(dispute, kept))
  const owed = new Map(listOwed(all, book, account).map((one) => [one.id, one]))
  const find = createFinder("dispute", kept, all)
  const findCredit = createFinder(
    "credit",
    kept,
    book.credits.filter((credit) => isOnBill(credit, kept)),
  )
  const cleared: Record<string, number> = {}
  const clearedExGst: Record<string, number> = {}
  const broughtBack: Record<string, Record<string, number>> = {}
  const own: Record<string, string> = {}
  const disputable = new Set(
    toDispute.flatMap(({ billId, consignment }) => (billId === kept.rememberedId ? consignment : [])),
  )
  const rows = parts.flatMap((part): Row[] => {
    const target = targets.get(part)
    if (!target) throw new RangeError("a part without an account")
    const disputes = part.consignment ? find(part.consignment) : []
    const [credit] = part.consignment ? findCredit(part.consignment) : []
    // If it is raised later, it has to be moved from the account that it was posted to.
    const later =
      part.consignment && (part.consignment.number === "" || disputable.has(part.consignment.number))
        ? [{ id: identifyOn("dispute", kept, part.consignment) }]
        : []
    for (const { id } of [...disputes, ...(credit ? [credit] : []), ...later])
      own[id] ??= [target.account, target.costCentre].filter(Boolean).join(", ")
    const dispute = disputes.map(({ id }) => owed.get(id)).find((one) => one !== undefined)
    if (dispute) owed.delete(dispute.id)
    const back = !dispute && credit ? reckonBack(credit, paid.get(credit.id) ?? [], account) : undefined
    const { cleared: apart, rest } = dispute
      ? splitOffDisputed(part.entries, {
          ...{ cents: dispute.cents, basis: basisOf(dispute, part) },
          gst: splitGst(dispute, dispute.cents)?.gst,
        })
      : back && back.creditCents > 0
        ? negateSplit(splitOff(part.entries.map(negate), back.creditCents, askedBasis(part)))
        : { cleared: [], rest: part.entries }
    const sum = sumEntries(apart)
    if (dispute) {
      cleared[dispute.id] = basisOf(dispute, part) === "included" ? sum.exGst + sum.gst : sum.exGst
      clearedExGst[dispute.id] = sum.exGst
    } else if (credit && back && apart.length > 0) broughtBack[credit.id] = back.disputes
    if (apart.length > 0 && clearing === undefined)
      throw new FreightError("usage", `part of bill ${number} is disputed, but no clearing account is set`, {
        hint: "Give the clearing account with --clearing, or freight config set clearingAccount. Nothing was written.",
        next: "freight disputes",
      })
    return [
      ...rest.map((entry) => toPostingRow(entry, part, target, false)),
      ...apart.map((entry) => toPostingRow(entry, part, { account: clearing ?? "", costCentre: "" }, true)),
    ]
  })
  // The amount of another part of the bill is already there, or was expensed.
  for (const { consignment, cents } of place === 1 ? owed.values() : [])
    warn(
      `AUD ${formatCents(cents)} is disputed for ${consignment || "a consignment"} on bill ${number}, but no line of the bill is for it, so it is not on the clearing account`,
    )
  const sums = sumEntries(rows)
  const written = isSummed || mustBeTyped(program, sums.exGst + sums.gst) ? sumRows(rows) : rows
  const postedNumber = getPostedNumber({ billNumber: number, part: place })
  const apart = sumEntries(rows.filter(({ isCleared }) => isCleared))
  return {
    supplier: bill.supplier,
    billNumber: number,
    billDate: date,
    due,
    file: kept.file,
    books: program,
    ...sums,
    clearing: apart.exGst + apart.gst,
    cleared,
    rows: written.length,
    content: listCharges(each),
    ...writeBill(program, { supplier, number: postedNumber, date, due, rows: written }, options.book),
    accounts: { clearing: clearing ?? "", own, clearedExGst },
    broughtBack,
    ...(place > 1 && { part: place }),
    lines: listHashes(each.lines, each.hashes),
    ...by,
  }
}

/** Disputes with an amount for the clearing account, in cents on their basis. */
function listOwed(
  disputes: readonly Dispute[],
  { steps }: DisputeBook,
  account: ClearingAccount,
): (Dispute & { cents: number })[] {
  return (
    toDisputeBalances({ disputes: [...disputes], steps })
      // GST stays on the GST account.
      .filter(({ dispute }) => dispute.verdict !== "wrong-gst")
      .map(({ dispute, openCents }) => {
        const there = account.getCents(dispute.id)
        // If credits returned more than was posted, they come first.
        return { ...dispute, cents: there > 0 ? 0 : Math.max(0, openCents) - there }
      })
      .filter(({ cents }) => cents > 0)
  )
}

/**
 * The amount that a credit returns to the clearing account: the part that it pays, as far as the balance exceeds the
 * open amount. `creditCents` is on the credit's own basis.
 */
function reckonBack(credit: Credit, paid: readonly DisputeBalance[], account: ClearingAccount) {
  const disputes: Record<string, number> = {}
  let creditCents = 0
  for (const disputeBalance of paid) {
    const { dispute, steps } = disputeBalance
    const excess = account.getCents(dispute.id) - account.getOpenCents(disputeBalance)
    const all = getPaid(disputeBalance).get(credit.id) ?? 0
    const cents = Math.min(all - account.getBack(credit.id, dispute.id), excess)
    if (cents <= 0) continue
    const used = steps.reduce(
      (sum, step) => sum + (step.creditId === credit.id ? (step.creditCents ?? 0) : 0),
      0,
    )
    disputes[dispute.id] = cents
    creditCents += Math.round((used * cents) / all)
  }
  return { disputes, creditCents }
}

interface Kept {
  id: string
  consignment: string
  shipmentId: string
  reference: string
}

/** Finds the disputes or credits of a consignment: by the charges they came from, its shipment or its names. */
function createFinder<T extends Kept>(kind: "dispute" | "credit", bill: KeptBill, kept: readonly T[]) {
  const byId = new Map(kept.map((each) => [each.id, each]))
  const byShipment = groupBy(kept, ({ shipmentId }) => shipmentId)
  const byName = groupBy(kept, ({ consignment }) => plainName(consignment))
  const byReference = groupBy(kept, ({ reference }) => plainName(reference))
  return (consignment: Consignment): T[] => {
    const { number, named } = consignment
    const shipmentId = shipmentIdOf(consignment) ?? ""
    const linked = named.flatMap(({ link }) => link?.text ?? [])
    const names = [number, ...linked, ...named.flatMap((each) => each.names.map(({ text }) => text))]
      .map(plainName)
      .filter((name) => name !== "")
    const own = byId.get(identifyOn(kind, bill, consignment))
    // If the bill gives only a reference, that is the number; several consignments may share it.
    const [referred, ...others] = byReference.get(plainName(number)) ?? []
    return [
      ...(own ? [own] : []),
      ...(shipmentId === "" ? [] : (byShipment.get(shipmentId) ?? [])),
      ...linked.flatMap((text) => byShipment.get(text) ?? []),
      ...names.flatMap((name) => byName.get(name) ?? []),
      ...(referred && number !== "" && others.length === 0 ? [referred] : []),
    ]
  }
}

/** Whether the audited amount of a part holds GST: no, unless the bill has only amounts with GST. */
function askedBasis({ entries }: Part): "excluded" | "included" {
  const asked = entries.reduce((sum, { line, exGst }) => sum + (line ? getChargedCents(line) : exGst), 0)
  return asked === sumEntries(entries).exGst ? "excluded" : "included"
}

function basisOf({ gstBasis }: Dispute, part: Part): "excluded" | "included" {
  return gstBasis === "unknown" ? askedBasis(part) : gstBasis
}

function negate<T extends Taxed>(entry: T): T {
  return { ...entry, exGst: 0 - entry.exGst, gst: 0 - entry.gst }
}

function negateSplit<T extends Taxed>(split: { cleared: T[]; rest: T[] }) {
  return { cleared: split.cleared.map(negate), rest: split.rest.map(negate) }
}

function toPostingRow({ line, exGst, gst }: Entry, part: Part, target: Target, isCleared: boolean): Row {
  const words = describeLine(line, part.consignment)
  return { ...target, description: isCleared ? `Disputed: ${words}` : words, exGst, gst, isCleared, part }
}

function describeLine(line: BillLine | undefined, consignment: Consignment | undefined): string {
  if (!line) return "Shipping, discount and rounding of the whole bill"
  const label = line.label || "Freight"
  const reference = (consignment && bookingOf(consignment)?.reference) ?? ""
  const more = [consignment?.number ?? "", reference].filter((word) => word !== "" && !label.includes(word))
  return [label[0]?.toUpperCase() + label.slice(1), ...new Set(more)].join(" ")
}

function sumRows(rows: readonly Row[]): BookRow[] {
  return Array.from(
    groupBy(rows, ({ account, costCentre, gst, isCleared }) =>
      JSON.stringify([account, costCentre, gst === 0, isCleared]),
    ).values(),
    (some) => {
      const [{ account, costCentre, isCleared }] = some as [Row]
      const count = new Set(some.map(({ part }) => part)).size
      const description = `${isCleared ? "Disputed: f" : "F"}reight of ${counted(count, "consignment")}`
      return { account, costCentre, description, ...sumEntries(some) }
    },
  )
}
