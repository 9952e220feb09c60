/** Posts bills: each once, whatever desk asks for it, with what is disputed on a clearing account. */
import path from "node:path"
import { getAskedCents, type Taxed } from "../money.ts"
import { type Bill, type BillLine, sumBill } from "../bill.ts"
import { bookingOf, type Consignment, shipmentIdOf } from "../matching/match.ts"
import { findAgain, getBillAmount, type KeptBill, keptAs } from "../audit/remember.ts"
import { nextCommand } from "../../base/command-line.ts"
import { counted } from "../../base/counted.ts"
import { groupBy } from "../../base/grouping.ts"
import { formatCents } from "../../base/money.ts"
import type { Program } from "../programs.ts"
import { formatInstant } from "../../base/wall-clock.ts"
import { identifyOn, isOnBill } from "../disputes/claim.ts"
import { toId } from "../disputes/ids.ts"
import { writeAlone } from "../disputes/settle.ts"
import { isOpen, standingsOf } from "../disputes/standing.ts"
import { FreightError } from "../../base/errors.ts"
import type { Database, Transaction } from "../../ledger/database/database.ts"
import type { Sender } from "../../ledger/entry.ts"
import { findBills, plainName } from "../../ledger/records/bills.ts"
import {
  type Dispute,
  type DisputeBook,
  findDisputes,
  findSteps,
  readDisputesOn,
} from "../../ledger/records/disputes.ts"
import { addPostings, findPostings, type PostedCharge, type Posting } from "../../ledger/records/postings.ts"
import { reckonBack } from "./clearing.ts"
import { type Entry, listEntries, splitOff, sumEntries } from "./entries.ts"
import { BOOKS, type BookOptions, type BookRow, writeBody, writeHead } from "./formats.ts"
import { findCleared } from "./on-clearing.ts"
import { describeSubject, findRule, type Rule, type Subject, type Target } from "./rules.ts"

/** A bill, with what the books need of it. */
export interface BillToPost {
  kept: KeptBill
  /** As the books have them. */
  supplier: string
  number: string
  /** `yyyy-mm-dd`. */
  date: string
  due: string
  parts: readonly Part[]
}

/** What a bill charges for a consignment, or for none. */
interface Part {
  /** For people, and to see what changed. */
  name: string
  consignment: Consignment | undefined
  entries: readonly Entry[]
}

export interface PostOptions {
  program: Program
  rules: readonly Rule[]
  /** Where what no rule fits goes. */
  otherwise: Target | undefined
  /** The account of what is disputed. */
  clearing: string | undefined
  /** A row for each account, cost centre and tax code. */
  isSummed: boolean
  /** Writes what was posted once more. */
  isAgain: boolean
  book: BookOptions
}

/** A bill's posting, and whether it was made now. */
export interface Posted {
  posting: Posting
  isNew: boolean
}

/** The lines of each bill, by consignment. */
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
 * @param kept as `checkAudited` gives it
 * @param heading what the books need besides the amounts
 * @param givenGst cents of GST of the whole bill, where a person gives them
 * @throws FreightError `input` for a bill that does not say its GST, or contradicts itself
 */
export function prepareBill(
  kept: KeptBill,
  consignments: readonly Consignment[],
  heading: Pick<BillToPost, "supplier" | "number" | "date" | "due">,
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
  return { kept, ...heading, parts }
}

/** @throws FreightError `input` for a bill that was not audited, or with another amount */
export async function checkAudited(database: Database, bills: readonly Bill[]): Promise<KeptBill[]> {
  const known = await findBills(database, [...new Set(bills.map(({ number }) => number))])
  return bills.map((bill) => {
    const { cents } = getBillAmount(sumBill(bill))
    const same = known.filter(
      ({ number, supplier, file, amountCents }) =>
        number === bill.number &&
        (number === ""
          ? file === path.basename(bill.file)
          : supplier === bill.supplier || amountCents === cents),
    )
    const again = findAgain(bill, same, cents)
    if (again) return keptAs(bill, again, false)
    const [other] = same
    throw new FreightError(
      "input",
      other
        ? `${nameOf(bill)} was audited with another amount: ${formatCents(other.amountCents)} then, ${formatCents(cents)} now`
        : `${nameOf(bill)} was not audited`,
      {
        hint: "Only audited bills go into the books. Nothing was written.",
        ...nextCommand("freight", "audit", bill.file),
      },
    )
  })
}

function nameOf({ number, file }: Pick<Bill, "number" | "file">): string {
  return number === "" ? file : `bill ${number}`
}

/**
 * Posts bills, all of them or none. One that was posted before gives what was written then.
 * @throws FreightError `refused` for one that has changed since, or was posted for another program; `input` where no
 * rule fits; `usage` where something is disputed and there is no clearing account
 */
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
    const posted = bills.map((each, at): Posted | undefined => {
      const earlier = before[at]?.[0]
      if (!earlier || earlier.undone !== undefined || options.isAgain) return undefined
      refuseChange(each, earlier, options.program)
      return { posting: earlier, isNew: false }
    })
    const isAllKnown = posted.every((each) => each !== undefined)
    const book = isAllKnown
      ? { disputes: [], steps: [], credits: [] }
      : await readDisputesOn(
          transaction,
          bills.map(({ kept }) => kept.bill.number),
        )
    const back = isAllKnown ? new Map<string, number>() : await readBack(transaction, book, bills)
    const targets = findTargets(
      bills.filter((_, at) => !posted[at]),
      options,
    )
    const made = bills.map((each, at): Posted => {
      const done = posted[at]
      if (done) return done
      const posting = createPosting(each, { options, by, book, back, targets, warn })
      const count = before[at]?.length ?? 0
      return {
        posting: { ...posting, id: toId("posting", each.kept.bill.supplier, each.number, String(count)) },
        isNew: true,
      }
    })
    await addPostings(
      transaction,
      made.flatMap(({ posting, isNew }) => (isNew ? [posting] : [])),
    )
    return made
  })
}

/** The same number of the same supplier; another spelling of it where the amount is the same. The newest first. */
function findEarlier({ kept: { bill }, number, parts }: BillToPost, known: readonly Posting[]): Posting[] {
  const { exGst, gst } = sumEntries(parts.flatMap(({ entries }) => entries))
  const plain = (text: string) => text.trim().toLowerCase()
  return known.filter(
    (each) =>
      each.billNumber === number &&
      (plain(each.supplier) === plain(bill.supplier) || each.exGst + each.gst === exGst + gst),
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
        `bill ${number} stands in ${kept.bill.file} and in ${other.kept.bill.file}`,
        {
          hint: "Post the right one alone. Nothing was written.",
        },
      )
}

function refuseChange(bill: BillToPost, earlier: Posting, program: Program): void {
  const when = describePosting(earlier)
  const { title } = BOOKS[program]
  if (earlier.books !== program)
    throw new FreightError(
      "refused",
      `bill ${bill.number} ${when}, for ${BOOKS[earlier.books as Program]?.title ?? earlier.books}`,
      {
        hint: `If that file was not imported, --again writes it for ${title}. Nothing was written.`,
      },
    )
  const changes = listChanges(bill, earlier)
  if (changes.length === 0) return
  throw new FreightError("refused", `bill ${bill.number} ${when}, and has changed since`, {
    errors: changes.map((message) => ({ message })),
    hint: `If that file was not imported, --again writes it anew. If it was, correct the bill in ${title}. Nothing was written.`,
  })
}

/** `was posted on Tue 24 Nov, 10:00 by ann at desk-1` */
export function describePosting({ at, person, workstation }: Posting): string {
  return `was posted on ${formatInstant(at)} by ${person || "somebody"} at ${workstation}`
}

/** Maximum number of changes listed one by one. */
const MOST_CHANGES = 20

function listChanges(bill: BillToPost, earlier: Posting): string[] {
  const [now, then] = [listCharges(bill), earlier.content].map(
    (charges) => new Map(charges.map((each) => [each.name, each])),
  ) as [Map<string, PostedCharge>, Map<string, PostedCharge>]
  const changes = [...new Set([...then.keys(), ...now.keys()])].flatMap((name) => {
    const [one, other] = [then.get(name), now.get(name)]
    if (one?.exGst === other?.exGst && one?.gst === other?.gst) return []
    return [`${name}: ${describeCharge(other)} now, ${describeCharge(one)} then`]
  })
  if (bill.date !== earlier.billDate) changes.unshift(`the date: ${bill.date} now, ${earlier.billDate} then`)
  const more = changes.length - MOST_CHANGES
  return more > 0 ? [...changes.slice(0, MOST_CHANGES), `and ${more} more`] : changes
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
const MOST_LISTED = 20

/** @throws FreightError `input` listing what no rule fits */
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
      const target = findRule(rules, subject) ?? otherwise
      if (target) targets.set(part, target)
      else if (count++ < MOST_LISTED)
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
  options: PostOptions
  by: Sender & { at: string }
  book: DisputeBook
  /** What of credits comes back to the clearing account, by their ids. */
  back: ReadonlyMap<string, number>
  targets: ReadonlyMap<Part, Target>
  warn(text: string): void
}

/** What of these bills' credits comes back to the clearing account: cents on their own basis, by their ids. */
async function readBack(
  transaction: Transaction,
  { steps, credits }: DisputeBook,
  bills: readonly BillToPost[],
): Promise<Map<string, number>> {
  const own = new Set(
    credits.filter((credit) => bills.some(({ kept }) => isOnBill(credit, kept))).map(({ id }) => id),
  )
  const paid = new Set(
    steps.flatMap(({ creditId = "", disputeId }) => (own.has(creditId) ? [disputeId] : [])),
  )
  const cleared = await findCleared(transaction, await findDisputes(transaction, [...paid]))
  const stepsOf = groupBy(await findSteps(transaction, [...cleared.keys()]), ({ disputeId }) => disputeId)
  const back = new Map<string, number>()
  for (const [id, each] of cleared)
    for (const [creditId, cents] of reckonBack(each, stepsOf.get(id) ?? []))
      back.set(creditId, (back.get(creditId) ?? 0) + cents)
  return back
}

interface Row extends BookRow {
  isCleared: boolean
  part: Part
}

function createPosting(
  each: BillToPost,
  { options, by, book, back, targets, warn }: PostingContext,
): Omit<Posting, "id"> {
  const { kept, supplier, number, date, due, parts } = each
  const { bill } = kept
  const { program, clearing, isSummed } = options
  const disputes = listOpen(kept, book)
  const left = new Set(disputes)
  const find = createFinder("dispute", kept, disputes)
  const credits = book.credits.filter((each) => isOnBill(each, kept))
  const findCredit = createFinder("credit", kept, credits)
  const own: Record<string, number> = {}
  const posted = new Map<string, Pick<PostedCharge, "account" | "clearing" | "of">>()
  const rows = parts.flatMap((part): Row[] => {
    const target = targets.get(part)
    if (!target) throw new RangeError("a part without an account")
    const dispute = part.consignment && find(part.consignment).find((one) => left.has(one))
    if (dispute) left.delete(dispute)
    const owed = dispute ? { cents: dispute.openCents, basis: basisOf(dispute, part) } : undefined
    const [credit] = part.consignment ? findCredit(part.consignment) : []
    const credited = credit && back.get(credit.id)
    const { cleared: apart, rest } = owed
      ? splitOff(part.entries, owed.cents, owed.basis)
      : credited
        ? negateSplit(splitOff(part.entries.map(negate), credited, askedBasis(part)))
        : { cleared: [], rest: part.entries }
    if (dispute && owed) {
      const { exGst, gst } = sumEntries(apart)
      own[dispute.id] = owed.basis === "included" ? exGst + gst : exGst
    }
    if (apart.length > 0 && clearing === undefined)
      throw new FreightError(
        "usage",
        `something of bill ${number} is disputed, and there is no account for it`,
        {
          hint: "Give the clearing account with --clearing, or freight config set clearingAccount. Nothing was written.",
          next: "freight disputes",
        },
      )
    const of = dispute ?? credit
    posted.set(part.name, {
      account: target.account,
      ...(apart.length > 0 && clearing !== undefined && { clearing }),
      ...(of && { of: of.id }),
    })
    return [
      ...rest.map((entry) => toRow(entry, part, target, false)),
      ...apart.map((entry) => toRow(entry, part, { account: clearing ?? "", costCentre: "" }, true)),
    ]
  })
  for (const { consignment, openCents } of left)
    warn(
      `AUD ${formatCents(openCents)} is disputed for ${consignment || "a consignment"} on bill ${number}, and no line of the bill is for it: nothing of it is on the clearing account`,
    )
  const written = isSummed ? sumRows(rows) : rows
  const head = writeHead(program)
  const body = writeBody(program, { supplier, number, date, due, rows: written }, options.book)
  const sums = sumEntries(rows)
  const apart = sumEntries(rows.filter(({ isCleared }) => isCleared))
  return {
    supplier: bill.supplier,
    billNumber: number,
    billDate: date,
    file: path.basename(bill.file),
    books: program,
    ...sums,
    clearing: apart.exGst + apart.gst,
    cleared: own,
    rows: written.length,
    content: listCharges(each).map((charge) => ({ ...charge, ...posted.get(charge.name) })),
    head,
    body,
    ...by,
  }
}

type OpenDispute = Dispute & { openCents: number }

function listOpen(bill: KeptBill, { disputes, steps }: DisputeBook): OpenDispute[] {
  return (
    standingsOf({ disputes: disputes.filter((each) => isOnBill(each, bill)), steps })
      // GST stays on the account of GST.
      .filter((standing) => isOpen(standing) && standing.dispute.verdict !== "wrong-gst")
      .map(({ dispute, openCents }) => ({ ...dispute, openCents }))
  )
}

interface Kept {
  id: string
  consignment: string
  shipmentId: string
  reference: string
}

/** Finds the disputes or credits of a consignment: by what they were made of, its shipment or its names. */
function createFinder<T extends Kept>(kind: "dispute" | "credit", bill: KeptBill, kept: readonly T[]) {
  const byId = new Map(kept.map((each) => [each.id, each]))
  const byShipment = groupBy(kept, ({ shipmentId }) => shipmentId)
  const byName = groupBy(kept, ({ consignment }) => plainName(consignment))
  const byReference = groupBy(kept, ({ reference }) => plainName(reference))
  return (consignment: Consignment): T[] => {
    const { number, named } = consignment
    const shipmentId = shipmentIdOf(consignment) ?? ""
    const names = [number, ...named.flatMap((each) => each.names.map(({ text }) => text))]
      .map(plainName)
      .filter((name) => name !== "")
    const own = byId.get(identifyOn(kind, bill, consignment))
    // Where the bill gives a reference only, that is the number; it may be that of several consignments.
    const [referred, ...others] = byReference.get(plainName(number)) ?? []
    return [
      ...(own ? [own] : []),
      ...(shipmentId === "" ? [] : (byShipment.get(shipmentId) ?? [])),
      ...names.flatMap((name) => byName.get(name) ?? []),
      ...(referred && number !== "" && others.length === 0 ? [referred] : []),
    ]
  }
}

/** Whether what a part was audited by holds GST: without it, unless the bill has only amounts with GST. */
function askedBasis({ entries }: Part): "excluded" | "included" {
  const asked = entries.reduce((sum, { line, exGst }) => sum + (line ? getAskedCents(line) : exGst), 0)
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

function toRow({ line, exGst, gst }: Entry, part: Part, target: Target, isCleared: boolean): Row {
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

/** One row for each account, cost centre and tax code. */
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
